"""Make many positions of quick games: `python -m training.quickplay --out FOLDER --batches N --seed N`.

A game begins with random moves. Then selective searches of some plies play it on, every position is kept, and a daring
search to the end says what all of them are worth. That takes 4 milliseconds, a tenth of a game by `training.selfplay`,
whose labels are a little better. A batch of positions is a file; called again, only missing batches are made.
"""

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from othello.engine.discs import captures
from othello.engine.endgame_search import AGE, CONFIDENCE
from othello.engine.engine import Engine
from othello.engine.evaluation import write_numbers
from othello.engine.midgame import Search, pvs
from othello.engine.probcut import CAUTIOUS, margins
from othello.engine.table import NO_MOVE, look_up, moves_of
from othello.kernel.bits import ONE, ZERO, as_int64, lowest_square, popcount
from othello.kernel.jit import kernel
from othello.kernel.random import RandomState, below, random_state
from othello.rules.othello.kernels import Bitboard, mobility
from othello.search.stop import StopFlag
from training import crew
from training.positions import Positions, write
from training.selfplay import START, command, weights_of

POSITIONS_A_BATCH: Final = 50_000
_SHARE: Final = 0.34
"""How much of the cautious margins the search to the end heeds."""
_WINDOW: Final = 4
_OWN, _OPPONENT = (np.uint64(board) for board in START)


@kernel
def _random_move(moves: Bitboard, random: RandomState) -> int:
    for _ in range(below(random, popcount(moves))):
        moves &= moves - ONE
    return lowest_square(moves)


@kernel
def _after(own: Bitboard, opponent: Bitboard, square: int) -> tuple[Bitboard, Bitboard, int]:
    """The boards after a move and a pass, if there is one, and 1 if there was one; no discs where the game is over."""
    turned = captures(own, opponent, square)
    own, opponent = opponent ^ turned, own | turned | ONE << np.uint64(square)
    if mobility(own, opponent) != ZERO:
        return own, opponent, 0
    if mobility(opponent, own) != ZERO:
        return opponent, own, 1
    return ZERO, ZERO, 0


@kernel
def _opening(empties: int, random: RandomState) -> tuple[Bitboard, Bitboard]:
    """The boards after random moves, with so many empty squares; no discs if the game ended before."""
    own, opponent = _OWN, _OPPONENT
    for _ in range(60 - empties):
        own, opponent, _ = _after(own, opponent, _random_move(mobility(own, opponent), random))
        if own == ZERO:
            break
    return own, opponent


@kernel
def _value(own: Bitboard, opponent: Bitboard, guess: int, depth: int, search: Search) -> int:
    """The value of a search of one depth in windows around a guess."""
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
    """The value by searches of rising depth; `write_numbers` was called for the position."""
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
    """Fill rows of own and opponent's discs, shape (positions, 2), their labels and the games' numbers.

    Args:
        least: empty squares of a game's first position at least; likewise `most`.
        depth: of the searches that play the game on from there.
        solve_from: from so many empty squares down a search to the end says the score.
        random: decides.
        search: for all searches.
        boards: receives the positions; the last 64 rows stay free.
        scores: receives the labels.
        games: receives the numbers.

    Returns:
        How many rows are filled.
    """
    count, game = 0, 0
    search.counts[CONFIDENCE] = CAUTIOUS
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
            square, _ = moves_of(look_up(search.table, own, opponent))
            if square == NO_MOVE:  # the table was too small
                break
            own, opponent, passed = _after(own, opponent, square)
            turn = turn if passed else -turn
        game += 1
    return count


def make_batch(
    file: Path, seed: int, batch: int, empties: tuple[int, int], depth: int, solve_from: int, weights: Path | None
) -> int:
    """Make a batch of positions and write its file; their number."""
    engine = Engine(1 << 16, StopFlag(), weights_of(weights))
    narrow = margins(CAUTIOUS).copy()
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
    """The command."""
    parser = command("training.quickplay", __doc__, f"{POSITIONS_A_BATCH:,} positions", solve_from=16)
    parser.add_argument(
        "--empties", type=crew.positive, nargs=2, default=[18, 54], help="of the first position: least, most (18 54)"
    )
    arguments = crew.parsed(parser, "empties", "depth", "solve_from", "weights")
    how = (tuple(sorted(arguments.empties)), arguments.depth, arguments.solve_from, arguments.weights)
    crew.make_batches(make_batch, how, arguments, "batches of positions")


if __name__ == "__main__":
    crew.run("training.quickplay")
