"""Tic-tac-toe as kernels, for all board sizes; the same rules as `othello.rules.tictactoe`."""

from typing import Any, Final, NamedTuple

import numpy as np

from othello.kernel.bits import ONE, ZERO, as_int64, lowest_square
from othello.kernel.decorators import Ints, Moves, Words, implements, inlined, kernel
from othello.kernel.random import RandomState, below, below_lane
from othello.rules import compiled
from othello.rules.symmetry_kernels import image, original
from othello.rules.tictactoe import row_boards

_USUAL_LENGTH: Final = 5
_BOUND: Final = 9000  # less than the value of a finished game


class RowState(NamedTuple):
    """A position, seen from the side to move. Its boards are all `Small` or all `Large`."""

    own: Any
    opponent: Any
    area: Any  # all squares
    size: int
    length: int  # in a row to win


def row_state(own: int, opponent: int, size: int, length: int) -> RowState:
    """Return a state from boards whose bit n is square n."""

    def board(squares: int) -> row_boards.Small | row_boards.Large:
        is_small = size <= row_boards.SMALL_LIMIT
        step = row_boards.SMALL_STRIDE if is_small else row_boards.LARGE_STRIDE
        bits = sum((squares >> row * size & (1 << size) - 1) << row * step for row in range(size))
        if is_small:
            return row_boards.Small(np.uint64(bits))
        return row_boards.Large(*(np.uint64(bits >> 64 * word & (1 << 64) - 1) for word in range(4)))

    return RowState(board(own), board(opponent), board((1 << size * size) - 1), size, length)


@inlined
def runs(board: Any, step: np.uint64, length: int) -> Any:
    """Return the first squares of all runs of `length` <= 16 squares on the board, `step` places apart.

    The length of known runs doubles four times, at most to `length`. There are no branches, so that a loop around this
    function can be vectorised.
    """
    run, known = _longer(board, step, as_int64(1), length)
    run, known = _longer(run, step, known, length)
    run, known = _longer(run, step, known, length)
    return _longer(run, step, known, length)[0]


@inlined
def _longer(run: Any, step: np.uint64, known: int, length: int) -> tuple[Any, int]:
    """Extend runs from the length `known` to twice as much, at most to `length`."""
    more = min(known, length - known)
    return row_boards.common(run, row_boards.shifted(run, step * np.uint64(more))), known + more


@inlined
def any_row(board: Any, length: int) -> np.uint64:
    """Return 0 if there is no row of `length` marks, otherwise another number."""
    side = np.uint64(row_boards.stride(board))
    rows = row_boards.union(runs(board, ONE, length), runs(board, side, length))
    diagonals = row_boards.union(runs(board, side - ONE, length), runs(board, side + ONE, length))
    return row_boards.any_bit(row_boards.union(rows, diagonals))


@kernel
def has_row(board: Any, length: int) -> bool:
    """Return whether there is a row of `length` marks. Code for a constant length is much faster."""
    return bool((any_row(board, _USUAL_LENGTH) if length == _USUAL_LENGTH else any_row(board, length)) != ZERO)


@inlined
def _free(state: RowState) -> Any:
    return row_boards.without(row_boards.without(state.area, state.own), state.opponent)


@inlined
def _place(state: RowState, move: int) -> int:
    """Return the bit of a square."""
    row = as_int64(move) // state.size
    return row * row_boards.stride(state.own) + as_int64(move) - row * state.size


@implements(compiled.word_count, RowState)
def word_count(state: RowState) -> int:
    return 2 * row_boards.words(state.own)


@implements(compiled.write_moves, RowState)
def write_moves(state: RowState, moves: Moves) -> int:
    if has_row(state.opponent, state.length):
        return as_int64(0)
    free = _free(state)
    written = as_int64(0)
    for row in range(state.size):
        line = row_boards.line(free, row)
        while line:
            moves[written] = row * state.size + lowest_square(line)
            line &= line - ONE
            written += 1
    return written


@implements(compiled.is_over, RowState)
def is_over(state: RowState) -> bool:
    return bool(has_row(state.opponent, state.length) or row_boards.any_bit(_free(state)) == ZERO)


@implements(compiled.play, RowState)
def play(state: RowState, move: int) -> RowState:
    own = row_boards.union(state.own, row_boards.single(state.own, _place(state, move)))
    return RowState(state.opponent, own, state.area, state.size, state.length)


@implements(compiled.final_difference, RowState)
def final_difference(state: RowState) -> int:
    return as_int64(has_row(state.own, state.length)) - as_int64(has_row(state.opponent, state.length))


@kernel
def can_complete(own: Any, free: Any, length: int) -> bool:
    """Return whether one more mark completes a row."""
    side = np.uint64(row_boards.stride(own))
    completing = row_boards.none(own)
    for step in (ONE, side, side - ONE, side + ONE):
        # Rows from each square, so far with marks only (full), or with one free square (short).
        full, short = shifted, spaces = own, free
        for _ in range(1, length):
            shifted, spaces = row_boards.shifted(shifted, step), row_boards.shifted(spaces, step)
            short = row_boards.union(row_boards.common(short, shifted), row_boards.common(full, spaces))
            full = row_boards.common(full, shifted)
        completing = row_boards.union(completing, short)
    return bool(row_boards.any_bit(completing) != ZERO)


@implements(compiled.decided_in_one, RowState)
def decided_in_one(state: RowState, moves: Moves) -> tuple[bool, int]:
    if is_over(state):
        return True, as_int64(final_difference(state))
    if can_complete(state.own, _free(state), state.length):
        return True, as_int64(1)
    return False, as_int64(0)


@inlined
def _chances(own: Any, opponent: Any, area: Any, length: int) -> int:
    """Return the value of all rows that can still be filled: four times as much for each mark."""
    side = np.uint64(row_boards.stride(own))
    worth = as_int64(0)
    for step in (ONE, side, side - ONE, side + ONE):
        windows = runs(row_boards.without(area, opponent), step, length)
        # The number of own marks in each row, in binary: one board for each digit.
        ones = twos = fours = eights = row_boards.none(own)
        marked = own
        for _ in range(length):
            carry = row_boards.common(ones, marked)
            ones = row_boards.without(row_boards.union(ones, marked), carry)
            marked = row_boards.shifted(marked, step)
            mark = row_boards.common(twos, carry)
            twos = row_boards.without(row_boards.union(twos, carry), mark)
            carry = row_boards.common(fours, mark)
            fours = row_boards.without(row_boards.union(fours, mark), carry)
            eights = row_boards.union(eights, carry)
        for count in range(1, length):
            match = windows
            match = row_boards.common(match, ones) if count & 1 else row_boards.without(match, ones)
            match = row_boards.common(match, twos) if count & 2 else row_boards.without(match, twos)
            match = row_boards.common(match, fours) if count & 4 else row_boards.without(match, fours)
            match = row_boards.common(match, eights) if count & 8 else row_boards.without(match, eights)
            worth += as_int64(row_boards.count(match)) << (2 * min(count - 1, 5))
    return worth


@implements(compiled.evaluate, RowState)
def evaluate(state: RowState) -> int:
    own = _chances(state.own, state.opponent, state.area, state.length)
    opponent = _chances(state.opponent, state.own, state.area, state.length)
    return min(max(own - opponent, as_int64(-_BOUND)), as_int64(_BOUND))


@implements(compiled.mobility, RowState)
def mobility(state: RowState) -> int:
    return 0 if has_row(state.opponent, state.length) else row_boards.count(_free(state))


@implements(compiled.playout, RowState)
def playout(state: RowState, random: RandomState) -> int:
    if has_row(state.opponent, state.length):
        return as_int64(-1)
    own, opponent = state.own, state.opponent
    free = _free(state)
    sign = as_int64(1)
    left = row_boards.count(free)
    while left:
        mark = row_boards.nth(free, np.uint64(below(random, left)))
        own = row_boards.union(own, mark)
        if has_row(own, state.length):
            return sign
        own, opponent = opponent, own
        free = row_boards.without(free, mark)
        left -= 1
        sign = -sign
    return as_int64(0)


@implements(compiled.playout_lanes, RowState)
def playout_lanes(example: RowState, words: Words, count: int, lanes: RandomState, differences: Ints) -> None:
    """Run playouts. Code for a constant length, as on most boards, is much faster."""
    if example.length == _USUAL_LENGTH:
        _play_lanes(example, _USUAL_LENGTH, words, count, lanes, differences)
    else:
        _play_lanes(example, example.length, words, count, lanes, differences)


@inlined
def _play_lanes(
    example: RowState, length: int, words: Words, count: int, lanes: RandomState, differences: Ints
) -> None:
    """Make one mark at each step in each lane that is not finished. All lanes swap their sides at each step."""
    width = compiled.fill_lanes(lanes, words, count, 2 * row_boards.words(example.own))
    own = as_int64(2)  # rows of `lanes`
    opponent = own + row_boards.words(example.own)
    won = opponent + row_boards.words(example.own)  # not 0 in lanes with a full row
    lanes[won, :width] = ZERO
    sign = as_int64(1)
    while True:
        any_mark = ZERO
        for lane in range(width):
            mine = row_boards.load(example.own, lanes, own, lane)
            theirs = row_boards.load(example.own, lanes, opponent, lane)
            full_row = lanes[won, lane] | any_row(theirs, length)
            lanes[won, lane] = full_row
            free = row_boards.without(row_boards.without(example.area, mine), theirs)
            free = row_boards.none(free) if full_row != ZERO else free
            mark = row_boards.nth(free, below_lane(lanes, lane, row_boards.count(free)))
            row_boards.store(theirs, lanes, own, lane)
            row_boards.store(row_boards.union(mine, mark), lanes, opponent, lane)
            any_mark |= row_boards.any_bit(mark)
        sign = -sign
        if any_mark == ZERO:
            break
    for lane in range(count):
        mine = any_row(row_boards.load(example.own, lanes, own, lane), length) != ZERO
        theirs = any_row(row_boards.load(example.own, lanes, opponent, lane), length) != ZERO
        differences[lane] = sign * (as_int64(mine) - as_int64(theirs))


@implements(compiled.pack, RowState)
def pack(state: RowState, words: Words) -> None:
    column = words[:, None]
    row_boards.store(state.own, column, 0, 0)
    row_boards.store(state.opponent, column, row_boards.words(state.own), 0)


@implements(compiled.unpack, RowState)
def unpack(example: RowState, words: Words) -> RowState:
    column = words[:, None]
    own = row_boards.load(example.own, column, 0, 0)
    opponent = row_boards.load(example.own, column, row_boards.words(example.own), 0)
    return RowState(own, opponent, example.area, example.size, example.length)


@implements(compiled.is_possible, RowState)
def is_possible(state: RowState) -> bool:
    both = row_boards.union(state.own, state.opponent)
    overlap = row_boards.any_bit(row_boards.common(state.own, state.opponent)) | row_boards.any_bit(
        row_boards.without(both, state.area)
    )
    ahead = row_boards.count(state.opponent) - row_boards.count(state.own)
    return bool(overlap == ZERO and 0 <= ahead <= 1 and not has_row(state.own, state.length))


@kernel
def _mirrored(board: Any, size: int, symmetry: int) -> Any:
    mirrored = row_boards.none(board)
    for row in range(size):
        for column in range(size):
            here = row_boards.single(board, row * row_boards.stride(board) + column)
            there_row, there_column = image(row, column, size, symmetry)
            there = row_boards.single(board, there_row * row_boards.stride(board) + there_column)
            if row_boards.any_bit(row_boards.common(board, here)) != ZERO:
                mirrored = row_boards.union(mirrored, there)
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
def original_move(example: RowState, move: int, symmetry: int) -> int:
    return original(move, example.size, symmetry)
