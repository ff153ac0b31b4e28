"""Make positions of quick games: `python -m training.quickplay --out FOLDER --batches N --seed N`.

A game starts with random moves and continues with shallow selective searches. Every position is stored with the score
of a selective search to the end. A game takes 4 milliseconds, a tenth of one by `training.selfplay`, whose labels are
slightly better. A batch is a file; a second run makes only missing batches.
"""

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from othello.engine.endgame_search import AGE, CONFIDENCE
from othello.engine.engine import Engine
from othello.engine.evaluation import write_numbers
from othello.engine.midgame import Search, pvs
from othello.engine.probcut import CONSERVATIVE, margins
from othello.engine.stable_discs import captures
from othello.engine.transposition_table import NO_MOVE, moves_of, probe
from othello.kernel.bits import ONE, ZERO, as_int64, lowest_square, popcount
from othello.kernel.jit import kernel
from othello.kernel.random import RandomState, below, random_state
from othello.rules.othello.othello_kernels import Bitboard, mobility
from othello.search.stop import StopFlag
from training import parallel
from training.positions import Positions, write
from training.selfplay import START, command, weights_of

POSITIONS_A_BATCH: Final = 50_000
_SHARE: Final = 0.34
"""Factor of the search margins in the search to the end."""
_WINDOW: Final = 4
_OWN, _OPPONENT = (np.uint64(board) for board in START)


@kernel
def _random_move(moves: Bitboard, random: RandomState) -> int:
    for _ in range(below(random, popcount(moves))):
        moves &= moves - ONE
    return lowest_square(moves)


@kernel
def _after(own: Bitboard, opponent: Bitboard, square: int) -> tuple[Bitboard, Bitboard, int]:
    """Return the boards after a move and a forced pass, and 1 if there was a pass; no discs if the game is over."""
    turned = captures(own, opponent, square)
    own, opponent = opponent ^ turned, own | turned | ONE << np.uint64(square)
    if mobility(own, opponent) != ZERO:
        return own, opponent, 0
    if mobility(opponent, own) != ZERO:
        return opponent, own, 1
    return ZERO, ZERO, 0


@kernel
def _opening(empties: int, random: RandomState) -> tuple[Bitboard, Bitboard]:
    """Return the boards after random moves, down to so many empty squares; no discs if the game ended before."""
    own, opponent = _OWN, _OPPONENT
    for _ in range(60 - empties):
        own, opponent, _ = _after(own, opponent, _random_move(mobility(own, opponent), random))
        if own == ZERO:
            break
    return own, opponent


@kernel
def _value(own: Bitboard, opponent: Bitboard, guess: int, depth: int, search: Search) -> int:
    """Return the value of a search at one depth, in windows around a guess."""
    low, high = max(guess - _WINDOW, -64), min(guess + _WINDOW, 64)
    while True:
        value = pvs(own, opponent, low, high, depth, as_int64(0), as_int64(1), search)
        if value <= low > -64:
            low = max(low - 4 * _WINDOW, -64)
        elif value >= high < 64:
            high = min(high + 4 * _WINDOW, 64)
        else:
            return value


@kernel
def _deepened(own: Bitboard, opponent: Bitboard, depth: int, search: Search) -> int:
    """Return the value by iterative deepening; call `write_numbers` before."""
    value = as_int64(0)
    for plies in range(2, depth + 1, 2):
        value = _value(own, opponent, value, plies, search)
    return value


@kernel
def make_positions(
    least: int,
    most: int,
    depth: int,
    solve_from: int,
    random: RandomState,
    search: Search,
    boards: NDArray[np.uint64],
    scores: NDArray[np.int8],
    games: NDArray[np.uint32],
) -> int:
    """Fill arrays with the positions of games, and return the number of rows.

    Args:
        least: minimum number of empty squares of a game's first position.
        most: the maximum.
        depth: of the searches that continue the game.
        solve_from: empty squares from which a search to the end gives the score.
        random: state of the random generator.
        search: buffers of all searches.
        boards: receives own and opposing discs, shape (positions, 2); the last 64 rows stay free.
        scores: receives the labels.
        games: receives the numbers of the games.
    """
    count, game = 0, 0
    search.counts[CONFIDENCE] = CONSERVATIVE
    while count < len(boards) - 64:
        search.counts[AGE] = game + 1
        own, opponent = _opening(least + below(random, most - least + 1), random)
        plies, turn = 0, 1
        while own != ZERO:
            empties = 64 - popcount(own | opponent)
            boards[count + plies, 0], boards[count + plies, 1] = own, opponent
            scores[count + plies] = turn
            plies += 1
            write_numbers(own, opponent, search.numbers, 0)
            value = _deepened(own, opponent, min(depth, empties - 6), search)
            if empties <= solve_from:
                value = turn * _value(own, opponent, value, empties, search)
                for ply in range(plies):
                    scores[count + ply] *= value
                    games[count + ply] = game
                count += plies
                break
            square, _ = moves_of(probe(search.table, own, opponent))
            if square == NO_MOVE:  # the transposition table was too small
                break
            own, opponent, passed = _after(own, opponent, square)
            turn = turn if passed else -turn
        game += 1
    return count


def make_batch(
    file: Path, seed: int, batch: int, empties: tuple[int, int], depth: int, solve_from: int, weights: Path | None
) -> int:
    """Make a batch of positions, write its file, and return the number of positions."""
    engine = Engine(1 << 16, StopFlag(), weights_of(weights))
    narrow = margins(CONSERVATIVE).copy()
    np.fill_diagonal(narrow, narrow.diagonal() * _SHARE)
    search = engine.search._replace(margins=narrow)
    boards = np.zeros((POSITIONS_A_BATCH + 64, 2), np.uint64)
    scores = np.zeros(len(boards), np.int8)
    random = random_state(np.random.SeedSequence([seed, batch]))
    games = np.zeros(len(boards), np.uint32)
    count = make_positions(*empties, depth, solve_from, random, search, boards, scores, games)
    own, opponent = boards[:count].T
    left = 64 - np.bitwise_count(own | opponent)
    games += np.uint32(batch * POSITIONS_A_BATCH)
    write(file, Positions(own, opponent, scores[:count], left.astype(np.uint8), games[:count]))
    return count


def main() -> None:
    """Run the command."""
    parser = command("training.quickplay", __doc__, f"{POSITIONS_A_BATCH:,} positions", solve_from=16)
    parser.add_argument(
        "--empties",
        type=parallel.positive,
        nargs=2,
        default=[18, 54],
        help="of the first position: least, most (18 54)",
    )
    arguments = parallel.parsed(parser, "empties", "depth", "solve_from", "weights")
    how = (tuple(sorted(arguments.empties)), arguments.depth, arguments.solve_from, arguments.weights)
    parallel.make_batches(make_batch, how, arguments, "batches of positions")


if __name__ == "__main__":
    parallel.run("training.quickplay")
