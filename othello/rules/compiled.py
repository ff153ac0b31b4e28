"""What a game is, for searches: functions that are compiled for the state type of each game.

A state is a `NamedTuple`, always seen from the side to move. `kernel.jit.implements` registers a game's version; which
one a call means is resolved when the search is compiled, by the type of the state. A function with a body here is the
default for games that register nothing faster.
"""

from typing import Any

import numpy as np

from othello.kernel.bits import ZERO, as_int64, from_words, moves_buffer
from othello.kernel.decorators import Bytes, Words, default_kernel, inlined, kernel
from othello.kernel.random import RandomState, below, below_lane


def write_moves(state: Any, moves: Any) -> Any:
    """Write all legal moves to `moves` (uint8, `max_moves` long) and return their number (int64), 0 = over."""
    raise NotImplementedError


@default_kernel
def is_over(state: Any) -> Any:
    """Whether no move is left, a pass among them."""
    return write_moves(state, moves_buffer()) == 0


def play(state: Any, move: Any) -> Any:
    """The state after a legal move (any integer type), seen from the other side."""
    raise NotImplementedError


def final_difference(state: Any) -> Any:
    """By how much the side to move has won a finished game (int64): below 0 is a loss, 0 a draw."""
    raise NotImplementedError


@default_kernel
def foreseen(state: Any, moves: Any) -> Any:
    """Whether the result is certain because the game is over or a move wins at once, and `final_difference` or 1.

    `moves` is scratch, `max_moves` long.
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
    """A guess of how good an unfinished position is for the side to move (int64), 0 = even."""
    return as_int64(0)


@default_kernel
def evaluate_side(state: Any, is_mover: Any) -> Any:
    """The part of `evaluate` that comes from one side alone: the side to move, or the other side."""
    return evaluate(state)


@default_kernel
def mobility(state: Any) -> Any:
    """How many moves the side to move has (int64), without a forced pass; 0 in a finished game.

    A game with passes needs a version of its own.
    """
    return write_moves(state, moves_buffer())


@default_kernel
def playout(state: Any, random: Any) -> Any:
    """Play uniformly random moves to the end.

    Returns:
        `final_difference` there (int64), for the side to move in `state`.
    """
    moves = moves_buffer()
    sign = as_int64(1)
    count = write_moves(state, moves)
    while count:
        state = play(state, moves[below(random, count)])
        sign = -sign
        count = write_moves(state, moves)
    return sign * final_difference(state)


@default_kernel
def playout_lanes(like: Any, words: Any, count: Any, lanes: Any, differences: Any) -> Any:
    """Independent playouts, side by side.

    Args:
        like: any state of the game.
        words: uint64 of shape (>= count, `word_count`), one `pack`ed state a row.
        count: how many playouts, at most the number of lanes.
        lanes: uint64 of shape (4 + `word_count`, number of lanes): generators in the first two rows, scratch in the
            others. The number of lanes is a multiple of 8.
        differences: int64 of shape (>= count,); what `playout` returns is written here.
    """
    moves = moves_buffer()
    for lane in range(count):
        state = unpack(like, words[lane])
        sign = as_int64(1)
        choices = write_moves(state, moves)
        while choices:
            state = play(state, moves[as_int64(below_lane(lanes, lane, choices))])
            sign = -sign
            choices = write_moves(state, moves)
        differences[lane] = sign * final_difference(state)


@inlined
def fill_lanes(lanes: RandomState, words: Words, count: int, size: int) -> int:
    """Write `count` packed states of `size` words below the generators of `playout_lanes`; how many lanes take part.

    Those are whole registers of eight lanes. Lanes without a state hold zeros.
    """
    width = (count + 7) & ~7
    for lane in range(width):
        for word in range(size):
            lanes[2 + word, lane] = words[lane, word] if lane < count else ZERO
    return width


@default_kernel
def word_count(like: Any) -> Any:
    """How many words a packed state has: a constant, when the caller is compiled. `like` is any state of the game."""
    return as_int64(len(like))


@default_kernel
def pack(state: Any, words: Any) -> Any:
    """Write a state to `words`, uint64 of shape (`word_count`,). The default takes states of uint64 fields only."""
    for index in range(len(state)):
        words[index] = state[index]


@default_kernel
def unpack(like: Any, words: Any) -> Any:
    """The inverse of `pack`; `like` is any state of the game."""
    return from_words(like, words)


def is_possible(state: Any) -> Any:
    """Whether an unpacked state can occur in the game. The words may come from a damaged file."""
    raise NotImplementedError


@default_kernel
def canonical(state: Any) -> Any:
    """The state that stands for all symmetric images of `state`, and the symmetry that leads to it.

    By default every state stands for itself alone.
    """
    return state, as_int64(0)


@default_kernel
def original_move(like: Any, move: Any, symmetry: Any) -> Any:
    """The move of the original state that corresponds to `move` of the canonical state."""
    return as_int64(move)


@kernel
def _leaves(state: Any, depth: int, moves: Bytes) -> int:
    """Leaves at `depth` >= 1 plies; the last ply is counted without being played. `moves` has a row for every depth."""
    if depth == 1:
        moves_left: int = mobility(state)
        return max(1, moves_left)  # a pass and a finished game are a leaf
    row = moves[depth]
    count: int = write_moves(state, row)
    leaves = 0
    for index in range(count):
        leaves += _leaves(play(state, row[index]), depth - 1, moves)
    return max(1, leaves)


def perft(state: Any, depth: int, max_moves: int) -> int:
    """The leaves below a state, the classic proof of a move generator. No position has more than `max_moves` moves."""
    return int(_leaves(state, depth, np.empty((depth + 1, max_moves), np.uint8))) if depth else 1
