"""Tic-tac-toe for searches: the same rules as `othello.rules.tictactoe`, compiled, on boards of either size."""

from typing import Any, Final, NamedTuple

import numpy as np

from othello.kernel.bits import ONE, ZERO, as_int64, lowest_square
from othello.kernel.decorators import Bytes, Ints, Words, implements, inlined, kernel
from othello.kernel.random import RandomState, below, below_lane
from othello.rules import compiled
from othello.rules.symmetry_kernels import image, original
from othello.rules.tictactoe import boards

_USUAL_LENGTH: Final = 5
_BOUND: Final = 9000  # evaluations stay below what a finished game counts


class RowState(NamedTuple):
    """A position seen from the side to move. All its boards are `Small`, or all are `Large`."""

    own: Any
    opponent: Any
    area: Any  # all squares
    size: int
    length: int  # in a row to win


def row_state(own: int, opponent: int, size: int, length: int) -> RowState:
    """A state from boards whose bit n is square n."""

    def board(squares: int) -> boards.Small | boards.Large:
        is_small = size <= boards.SMALL_LIMIT
        step = boards.SMALL_STRIDE if is_small else boards.LARGE_STRIDE
        bits = sum((squares >> row * size & (1 << size) - 1) << row * step for row in range(size))
        if is_small:
            return boards.Small(np.uint64(bits))
        return boards.Large(*(np.uint64(bits >> 64 * word & (1 << 64) - 1) for word in range(4)))

    return RowState(board(own), board(opponent), board((1 << size * size) - 1), size, length)


@inlined
def runs(board: Any, step: np.uint64, length: int) -> Any:
    """Every square that begins a run of `length` <= 16 squares, `step` places apart, on the board.

    Four times, the length of the known runs doubles or grows to `length`. There is no branch, so a loop around this
    function can be vectorised.
    """
    run, known = _longer(board, step, as_int64(1), length)
    run, known = _longer(run, step, known, length)
    run, known = _longer(run, step, known, length)
    return _longer(run, step, known, length)[0]


@inlined
def _longer(run: Any, step: np.uint64, known: int, length: int) -> tuple[Any, int]:
    """Runs of twice the length that is `known`, or of `length`."""
    more = min(known, length - known)
    return boards.common(run, boards.shifted(run, step * np.uint64(more))), known + more


@inlined
def any_row(board: Any, length: int) -> np.uint64:
    """Zero without a row of this many marks, otherwise another word."""
    side = np.uint64(boards.stride(board))
    rows = boards.union(runs(board, ONE, length), runs(board, side, length))
    diagonals = boards.union(runs(board, side - ONE, length), runs(board, side + ONE, length))
    return boards.any_bit(boards.union(rows, diagonals))


@kernel
def has_row(board: Any, length: int) -> bool:
    """Whether a row of this many marks is full. The code is made twice: it is far shorter for a length known before."""
    return bool((any_row(board, _USUAL_LENGTH) if length == _USUAL_LENGTH else any_row(board, length)) != ZERO)


@inlined
def _free(state: RowState) -> Any:
    return boards.without(boards.without(state.area, state.own), state.opponent)


@inlined
def _place(state: RowState, move: int) -> int:
    """Where the bit of a square is."""
    row = as_int64(move) // state.size
    return row * boards.stride(state.own) + as_int64(move) - row * state.size


@implements(compiled.word_count, RowState)
def word_count(state: RowState) -> int:
    return 2 * boards.words(state.own)


@implements(compiled.write_moves, RowState)
def write_moves(state: RowState, moves: Bytes) -> int:
    if has_row(state.opponent, state.length):
        return as_int64(0)
    free = _free(state)
    written = as_int64(0)
    for row in range(state.size):
        line = boards.line(free, row)
        while line:
            moves[written] = row * state.size + lowest_square(line)
            line &= line - ONE
            written += 1
    return written


@implements(compiled.is_over, RowState)
def is_over(state: RowState) -> bool:
    return bool(has_row(state.opponent, state.length) or boards.any_bit(_free(state)) == ZERO)


@implements(compiled.play, RowState)
def play(state: RowState, move: int) -> RowState:
    own = boards.union(state.own, boards.single(state.own, _place(state, move)))
    return RowState(state.opponent, own, state.area, state.size, state.length)


@implements(compiled.final_difference, RowState)
def final_difference(state: RowState) -> int:
    return as_int64(has_row(state.own, state.length)) - as_int64(has_row(state.opponent, state.length))


@kernel
def can_complete(own: Any, free: Any, length: int) -> bool:
    """Whether one more mark makes a row of this many."""
    side = np.uint64(boards.stride(own))
    found = boards.none(own)
    for step in (ONE, side, side - ONE, side + ONE):
        # Of the rows that begin at each square: those with marks alone so far, and those with one free square besides.
        full, short = marks, spaces = own, free
        for _ in range(1, length):
            marks, spaces = boards.shifted(marks, step), boards.shifted(spaces, step)
            short = boards.union(boards.common(short, marks), boards.common(full, spaces))
            full = boards.common(full, marks)
        found = boards.union(found, short)
    return bool(boards.any_bit(found) != ZERO)


@implements(compiled.foreseen, RowState)
def foreseen(state: RowState, moves: Bytes) -> tuple[bool, int]:
    if is_over(state):
        return True, as_int64(final_difference(state))
    if can_complete(state.own, _free(state), state.length):
        return True, as_int64(1)
    return False, as_int64(0)


@inlined
def _chances(own: Any, opponent: Any, area: Any, length: int) -> int:
    """The value of all rows that can still be filled. Each mark makes a row worth four times as much."""
    side = np.uint64(boards.stride(own))
    worth = as_int64(0)
    for step in (ONE, side, side - ONE, side + ONE):
        windows = runs(boards.without(area, opponent), step, length)
        # How many own marks every window has, as the digits of a binary number: one board a digit.
        ones = twos = fours = eights = boards.none(own)
        marked = own
        for _ in range(length):
            carry = boards.common(ones, marked)
            ones = boards.without(boards.union(ones, marked), carry)
            marked = boards.shifted(marked, step)
            mark = boards.common(twos, carry)
            twos = boards.without(boards.union(twos, carry), mark)
            carry = boards.common(fours, mark)
            fours = boards.without(boards.union(fours, mark), carry)
            eights = boards.union(eights, carry)
        for marks in range(1, length):
            match = windows
            match = boards.common(match, ones) if marks & 1 else boards.without(match, ones)
            match = boards.common(match, twos) if marks & 2 else boards.without(match, twos)
            match = boards.common(match, fours) if marks & 4 else boards.without(match, fours)
            match = boards.common(match, eights) if marks & 8 else boards.without(match, eights)
            worth += as_int64(boards.count(match)) << (2 * min(marks - 1, 5))
    return worth


@implements(compiled.evaluate, RowState)
def evaluate(state: RowState) -> int:
    own = _chances(state.own, state.opponent, state.area, state.length)
    opponent = _chances(state.opponent, state.own, state.area, state.length)
    return min(max(own - opponent, as_int64(-_BOUND)), as_int64(_BOUND))


@implements(compiled.mobility, RowState)
def mobility(state: RowState) -> int:
    return 0 if has_row(state.opponent, state.length) else boards.count(_free(state))


@implements(compiled.playout, RowState)
def playout(state: RowState, random: RandomState) -> int:
    if has_row(state.opponent, state.length):
        return as_int64(-1)
    own, opponent = state.own, state.opponent
    free = _free(state)
    sign = as_int64(1)
    left = boards.count(free)
    while left:
        mark = boards.nth(free, np.uint64(below(random, left)))
        own = boards.union(own, mark)
        if has_row(own, state.length):
            return sign
        own, opponent = opponent, own
        free = boards.without(free, mark)
        left -= 1
        sign = -sign
    return as_int64(0)


@implements(compiled.playout_lanes, RowState)
def playout_lanes(like: RowState, words: Words, count: int, lanes: RandomState, differences: Ints) -> None:
    """The code is made twice: it is far shorter where the compiler knows the length, as on most boards."""
    if like.length == _USUAL_LENGTH:
        _play_lanes(like, _USUAL_LENGTH, words, count, lanes, differences)
    else:
        _play_lanes(like, like.length, words, count, lanes, differences)


@inlined
def _play_lanes(like: RowState, length: int, words: Words, count: int, lanes: RandomState, differences: Ints) -> None:
    """Two boards a lane, as in Othello: every step makes one mark in every lane that is not finished.

    A finished lane still swaps its boards, so all lanes have made the same number of swaps at any time.
    """
    width = compiled.fill_lanes(lanes, words, count, 2 * boards.words(like.own))
    own = as_int64(2)  # rows of `lanes`
    opponent = own + boards.words(like.own)
    won = opponent + boards.words(like.own)  # not zero in lanes where a row is full
    lanes[won, :width] = ZERO
    sign = as_int64(1)
    while True:
        any_mark = ZERO
        for lane in range(width):
            mine = boards.load(like.own, lanes, own, lane)
            theirs = boards.load(like.own, lanes, opponent, lane)
            full_row = lanes[won, lane] | any_row(theirs, length)
            lanes[won, lane] = full_row
            free = boards.without(boards.without(like.area, mine), theirs)
            free = boards.none(free) if full_row != ZERO else free
            mark = boards.nth(free, below_lane(lanes, lane, boards.count(free)))
            boards.store(theirs, lanes, own, lane)
            boards.store(boards.union(mine, mark), lanes, opponent, lane)
            any_mark |= boards.any_bit(mark)
        sign = -sign
        if any_mark == ZERO:
            break
    for lane in range(count):
        mine = any_row(boards.load(like.own, lanes, own, lane), length) != ZERO
        theirs = any_row(boards.load(like.own, lanes, opponent, lane), length) != ZERO
        differences[lane] = sign * (as_int64(mine) - as_int64(theirs))


@implements(compiled.pack, RowState)
def pack(state: RowState, words: Words) -> None:
    column = words[:, None]
    boards.store(state.own, column, 0, 0)
    boards.store(state.opponent, column, boards.words(state.own), 0)


@implements(compiled.unpack, RowState)
def unpack(like: RowState, words: Words) -> RowState:
    column = words[:, None]
    own = boards.load(like.own, column, 0, 0)
    opponent = boards.load(like.own, column, boards.words(like.own), 0)
    return RowState(own, opponent, like.area, like.size, like.length)


@implements(compiled.is_possible, RowState)
def is_possible(state: RowState) -> bool:
    both = boards.union(state.own, state.opponent)
    overlap = boards.any_bit(boards.common(state.own, state.opponent)) | boards.any_bit(
        boards.without(both, state.area)
    )
    ahead = boards.count(state.opponent) - boards.count(state.own)
    return bool(overlap == ZERO and 0 <= ahead <= 1 and not has_row(state.own, state.length))


@kernel
def _mirrored(board: Any, size: int, symmetry: int) -> Any:
    mirrored = boards.none(board)
    for row in range(size):
        for column in range(size):
            here = boards.single(board, row * boards.stride(board) + column)
            there_row, there_column = image(row, column, size, symmetry)
            there = boards.single(board, there_row * boards.stride(board) + there_column)
            if boards.any_bit(boards.common(board, here)) != ZERO:
                mirrored = boards.union(mirrored, there)
    return mirrored


@implements(compiled.canonical, RowState)
def canonical(state: RowState) -> tuple[RowState, int]:
    best_own, best_opponent, best = state.own, state.opponent, as_int64(0)
    for symmetry in range(1, 8):
        own = _mirrored(state.own, state.size, symmetry)
        opponent = _mirrored(state.opponent, state.size, symmetry)
        if (own, opponent) < (best_own, best_opponent):
            best_own, best_opponent, best = own, opponent, as_int64(symmetry)
    return RowState(best_own, best_opponent, state.area, state.size, state.length), best


@implements(compiled.original_move, RowState)
def original_move(like: RowState, move: int, symmetry: int) -> int:
    return original(move, like.size, symmetry)
