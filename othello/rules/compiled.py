"""The rules of a game as kernels: generic functions, implemented for the state types of each game.

A state is a `NamedTuple`, seen from the side to move. Games register implementations with `kernel.jit.implements`;
numba chooses one by the type of the state when it compiles the caller. Functions with a body are defaults for games
without a faster implementation.
"""

from typing import Any

from othello.kernel.bits import ZERO, as_int64, from_words, moves_buffer
from othello.kernel.decorators import Moves, Words, default_kernel, inlined, kernel
from othello.kernel.random import RandomState, below, below_lane


def write_moves(state: Any, moves: Any) -> Any:
    """Write all legal moves to `moves` (length `max_moves`). Return their number (int64), 0 at the end."""


@default_kernel
def is_over(state: Any) -> Any:
    """Return whether there is no legal move, not even a pass."""
    return write_moves(state, moves_buffer()) == 0


def play(state: Any, move: Any) -> Any:
    """Return the state after a legal move of any integer type, seen from the other side."""


def final_difference(state: Any) -> Any:
    """Return the result of a finished game for the side to move (int64): positive for a win, 0 for a draw."""


@default_kernel
def decided_in_one(state: Any, moves: Any) -> Any:
    """Return whether the result is certain because the game is over or a move wins, and the result.

    The result is `final_difference` or 1. `moves` is scratch memory of length `max_moves`.
    """
    count = as_int64(write_moves(state, moves))
    if count == 0:
        return True, as_int64(final_difference(state))
    for index in range(count):
        after = play(state, moves[index])
        if is_over(after) and final_difference(after) < 0:
            return True, as_int64(1)
    return False, as_int64(0)


@default_kernel
def evaluate(state: Any) -> Any:
    """Return a heuristic value of an unfinished position for the side to move (int64); 0 is even."""
    return as_int64(0)


@default_kernel
def evaluate_side(state: Any, is_mover: Any) -> Any:
    """Return the part of `evaluate` that belongs to the side to move, or else to the other side."""
    return evaluate(state)


@default_kernel
def mobility(state: Any) -> Any:
    """Return the number of moves (int64) without a forced pass; 0 in a finished game.

    Games with passes need an implementation.
    """
    return write_moves(state, moves_buffer())


@default_kernel
def playout(state: Any, random: Any) -> Any:
    """Play uniformly random moves to the end, and return `final_difference` for the side to move in `state` (int64)."""
    moves = moves_buffer()
    sign = as_int64(1)
    count = write_moves(state, moves)
    while count:
        state = play(state, moves[below(random, count)])
        sign = -sign
        count = write_moves(state, moves)
    return sign * final_difference(state)


@default_kernel
def playout_lanes(example: Any, words: Any, count: Any, lanes: Any, differences: Any) -> Any:
    """Run independent playouts in parallel.

    Args:
        example: any state of the game.
        words: uint64 of shape (>= count, `word_count`): a packed state in each row.
        count: number of playouts, at most the number of lanes.
        lanes: uint64 of shape (4 + `word_count`, lanes), with a multiple of 8 lanes. The first two rows are generators,
            the others scratch memory.
        differences: int64 of shape (>= count,); receives the results as of `playout`.
    """
    moves = moves_buffer()
    for lane in range(count):
        state = unpack(example, words[lane])
        sign = as_int64(1)
        choices = write_moves(state, moves)
        while choices:
            state = play(state, moves[as_int64(below_lane(lanes, lane, choices))])
            sign = -sign
            choices = write_moves(state, moves)
        differences[lane] = sign * final_difference(state)


@inlined
def fill_lanes(lanes: RandomState, words: Words, count: int, size: int) -> int:
    """Write `count` packed states of `size` words to `lanes` below the generators. Return the lanes to use.

    The number is a multiple of eight. Lanes without a state are zero.
    """
    width = (count + 7) & ~7
    for lane in range(width):
        for word in range(size):
            lanes[2 + word, lane] = words[lane, word] if lane < count else ZERO
    return width


@default_kernel
def word_count(example: Any) -> Any:
    """Return the words of a packed state, a constant at compile time. `example`: any state of the game."""
    return as_int64(len(example))


@default_kernel
def pack(state: Any, words: Any) -> Any:
    """Write a state to `words`, uint64 of shape (`word_count`,). The default is for states of uint64 fields."""
    for index in range(len(state)):
        words[index] = state[index]


@default_kernel
def unpack(example: Any, words: Any) -> Any:
    """Return the state that `pack` wrote. `example`: any state of the game."""
    return from_words(example, words)


def is_possible(state: Any) -> Any:
    """Return whether an unpacked state, perhaps from a damaged file, can occur in the game."""


@default_kernel
def canonical(state: Any) -> Any:
    """Return the state that represents all symmetric images, and the symmetry that maps `state` to it.

    The default is for games without symmetries.
    """
    return state, as_int64(0)


@default_kernel
def original_move(example: Any, move: Any, symmetry: Any) -> Any:
    """Return the move that `symmetry` maps to `move` of the canonical state."""
    return as_int64(move)


@kernel
def _leaves(state: Any, depth: int, moves: Moves) -> int:
    """Return the number of leaves at `depth` >= 1 plies. Moves of the last ply are counted, not played."""
    if depth == 1:
        moves_left: int = mobility(state)
        return max(1, moves_left)  # passes and finished games are leaves
    row = moves[depth]
    count: int = write_moves(state, row)
    leaves = 0
    for index in range(count):
        leaves += _leaves(play(state, row[index]), depth - 1, moves)
    return max(1, leaves)


def perft(state: Any, depth: int, moves: Moves) -> int:
    """Return the number of leaves `depth` plies below a state, the usual test of move generators.

    `moves`: scratch memory of shape (depth + 1, `max_moves`).
    """
    return int(_leaves(state, depth, moves)) if depth else 1
