"""Make many positions with cheap labels: `python -m training.quickplay --out FOLDER --batches N --seed N`.

A game is played in a fifth of a millisecond: random moves, then moves by a look at a few plies, now and then a random
one. Every few plies a position is kept. Its label is the exact score from some empty squares down, and before that the
value of a selective search with the weights at hand: further off than a game to the end, but hundreds of times sooner
found, and what is off in one position has little to do with what is off in the next. A batch of positions is a file;
called again, only missing batches are made.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from othello.engine.discs import captures
from othello.engine.endgame_search import AGE, CONFIDENCE
from othello.engine.engine import Engine
from othello.engine.evaluation import descend, write_numbers
from othello.engine.midgame import Search, pvs
from othello.engine.probcut import margins
from othello.engine.table import EXACT
from othello.kernel.bits import ONE, ZERO, as_int64, lowest_square, popcount
from othello.kernel.jit import kernel
from othello.kernel.random import RandomState, below, random_state
from othello.rules.othello_kernels import Bitboard, mobility
from othello.search.stop import StopFlag
from training import crew
from training.positions import Positions, write
from training.selfplay import FREE_PLIES, START, UNTRAINED, batch_file, make_missing, weights_of

POSITIONS_A_BATCH: Final = 50_000
LOOK: Final = 3
"""A game is played by looks at one to so many plies."""
SLIP: Final = 50
"""One move in so many is a random one."""
SPACING: Final = 4
"""A game gives a position every so many plies."""
_WINDOW: Final = 4
_OWN, _OPPONENT = (np.uint64(board) for board in START)
_AGES: Final = 0x7FFF


@kernel
def _random_move(moves: Bitboard, random: RandomState) -> int:
    for _ in range(below(random, popcount(moves))):
        moves &= moves - ONE
    return lowest_square(moves)


@kernel
def _quick_move(own: Bitboard, opponent: Bitboard, moves: Bitboard, depth: int, search: Search) -> int:
    """The best move by a search of a few plies of the position whose numbers stand at ply 0."""
    best, best_square = -100, 0
    while moves:
        square = lowest_square(moves)
        moves &= moves - ONE
        turned = captures(own, opponent, square)
        mine, theirs = opponent ^ turned, own | turned | ONE << np.uint64(square)
        descend(search.numbers, 0, turned, square)
        value = -pvs(mine, theirs, as_int64(-64), -max(best, -64), depth - 1, as_int64(1), as_int64(0), search)
        if value > best:
            best, best_square = value, square
    return best_square


@kernel
def _play(
    own: Bitboard, opponent: Bitboard, look: int, random: RandomState, search: Search
) -> tuple[Bitboard, Bitboard]:
    """The boards after a move and a pass, if there is one; none where the game is over. Random if `look` is 0."""
    moves = mobility(own, opponent)
    if look == 0 or below(random, SLIP) == 0:
        square = _random_move(moves, random)
    else:
        write_numbers(own, opponent, search.numbers, 0)
        square = _quick_move(own, opponent, moves, look, search)
    turned = captures(own, opponent, square)
    own, opponent = opponent ^ turned, own | turned | ONE << np.uint64(square)
    if mobility(own, opponent) == ZERO:
        own, opponent = opponent, own
        if mobility(own, opponent) == ZERO:
            return ZERO, ZERO
    return own, opponent


@kernel
def _value(own: Bitboard, opponent: Bitboard, guess: int, depth: int, confidence: int, search: Search) -> int:
    """The value of a search of one depth in windows around a guess."""
    search.counts[CONFIDENCE] = confidence
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
def _label(own: Bitboard, opponent: Bitboard, empties: int, depth: int, solve_from: int, search: Search) -> int:
    write_numbers(own, opponent, search.numbers, 0)
    value = as_int64(0)
    solves = empties <= solve_from
    for plies in range(2, min(depth, empties - 6 if solves else depth) + 1, 2):
        value = _value(own, opponent, value, plies, 0, search)
    return _value(own, opponent, value, empties, EXACT, search) if solves else value


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
) -> None:
    """Fill rows of own and opponent's discs, shape (positions, 2), their labels and the games' numbers.

    Args:
        least: empty squares of a position at least; likewise `most`.
        depth: of the search that labels it.
        solve_from: from so many empty squares down it is solved instead.
        random: decides.
        search: for all searches; its margins are those of the least confidence.
        boards: receives the positions.
        scores: receives the labels.
        games: receives the numbers.
    """
    index, game = 0, 0
    while index < len(boards):
        own, opponent = _OWN, _OPPONENT
        free = 56 - below(random, 1 + below(random, FREE_PLIES - 3))  # few random moves more often than many
        look = 1 + below(random, LOOK)
        target = most - below(random, SPACING)
        search.counts[AGE] = (search.counts[AGE] + 1) & _AGES
        empties = 60
        while empties > least and own != ZERO and index < len(boards):
            search.counts[CONFIDENCE] = 0
            own, opponent = _play(own, opponent, look if empties <= free else 0, random, search)
            empties -= 1
            if empties <= target and own != ZERO:
                target -= SPACING
                if empties <= free:
                    boards[index, 0], boards[index, 1] = own, opponent
                    scores[index] = _label(own, opponent, empties, depth, solve_from, search)
                    games[index] = game
                    index += 1
        game += 1


def make_batch(
    folder: Path, seed: int, batch: int, empties: tuple[int, int], depth: int, solve_from: int, weights: str | None
) -> int:
    """Make a batch of positions and write its file; their number."""
    engine = Engine(1 << 14, StopFlag(), weights_of(weights))
    search = engine.search._replace(margins=margins(0))
    boards = np.zeros((POSITIONS_A_BATCH, 2), np.uint64)
    scores = np.zeros(POSITIONS_A_BATCH, np.int8)
    random = random_state(np.random.SeedSequence([seed, batch]))
    games = np.zeros(POSITIONS_A_BATCH, np.uint32)
    make_positions(*empties, depth, solve_from, random, search, boards, scores, games)
    left = 64 - np.bitwise_count(boards[:, 0] | boards[:, 1])
    games += np.uint32(batch * POSITIONS_A_BATCH)
    data = Positions(boards[:, 0], boards[:, 1], scores, left.astype(np.uint8), games)
    write(batch_file(folder, batch), data)
    return POSITIONS_A_BATCH


def main() -> None:
    """The command."""
    parser = crew.command("training.quickplay", __doc__, "the batches")
    parser.add_argument("--batches", type=int, default=100, help=f"{POSITIONS_A_BATCH} positions each (default: 100)")
    parser.add_argument("--empties", type=int, nargs=2, default=(13, 28), help="least and most (default: 13 28)")
    parser.add_argument("--depth", type=int, default=6, help="plies (default: 6)")
    parser.add_argument("--solve-from", type=int, default=11, metavar="EMPTIES", help="(default: 11)")
    parser.add_argument(
        "--weights", metavar="FILE", help=f"to play with; {UNTRAINED}: untrained ones (default: the program's own)"
    )
    arguments = crew.parsed(parser)
    how = (tuple(arguments.empties), arguments.depth, arguments.solve_from, arguments.weights)
    make_missing(make_batch, how, arguments, "batches of positions")


if __name__ == "__main__":
    main()
