"""Ultimate tic-tac-toe for searches: the same rules as `othello.rules.ultimate`, compiled.

Nine bits are a small board, and its marks stand side by side: boards 0 to 4 in one word, 5 to 8 in another.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello.kernel.bits import ONE, ZERO, as_int64, lowest_square, popcount
from othello.kernel.jit import implements, inlined, kernel
from othello.kernel.random import RandomState, below, next_random_lane
from othello.rules import protocol
from othello.rules.othello_playouts import nth_disc

_NINE = np.uint64(0x1FF)
_LOW_BITS = np.uint64(45)
_HALF = np.uint64(32)
_WORDS: Final = 5
_SQUARE: Final = np.arange(81)
_BOARD_OF: Final = _SQUARE // 27 * 3 + _SQUARE % 9 // 3
_PLACE_OF: Final = 9 * _BOARD_OF + _SQUARE // 9 % 3 * 3 + _SQUARE % 3  # where the bit of a square is
_SQUARE_AT: Final = np.argsort(_PLACE_OF)


def _spread(boards: int, first: int, count: int) -> int:
    """Nine bits for every set bit of `boards`."""
    return sum(0x1FF << 9 * board for board in range(count) if boards >> first + board & 1)


# All cells of a set of boards, by its nine bits; one row a word.
_CELLS: Final = np.array(
    [[_spread(boards, 0, 5) for boards in range(512)], [_spread(boards, 5, 4) for boards in range(512)]], np.uint64
)


class UltimateState(NamedTuple):
    """A position from the side of the one to move."""

    own_low: np.uint64  # marks on boards 0 to 4
    own_high: np.uint64  # marks on boards 5 to 8
    opponent_low: np.uint64
    opponent_high: np.uint64
    boards: np.uint64  # from the lowest bit: nine for own won boards, nine for the opponent's, four for the target,
    # and one that is set where more boards win a game without a line


def ultimate_state(
    own: Sequence[int], opponent: Sequence[int], own_won: int, opponent_won: int, target: int, counts_boards: bool
) -> UltimateState:
    """A state from nine small boards of each side, nine bits each."""

    def words(boards: Sequence[int]) -> tuple[np.uint64, np.uint64]:
        bits = sum(cells << 9 * board for board, cells in enumerate(boards))
        return np.uint64(bits & (1 << 45) - 1), np.uint64(bits >> 45)

    packed = own_won | opponent_won << 9 | target << 18 | int(counts_boards) << 22
    return UltimateState(*words(own), *words(opponent), np.uint64(packed))


@inlined
def has_row(cells: np.uint64) -> bool:
    """Whether three of nine cells lie in a row."""
    return bool(has_rows(cells) != ZERO)


@inlined
def has_rows(cells: np.uint64) -> np.uint64:
    """Zero when no three of nine cells lie in a row; without branches."""
    across = cells & (cells >> ONE) & (cells >> _TWO) & _STARTS_ACROSS
    down = cells & (cells >> _THREE) & (cells >> _SIX) & _STARTS_DOWN
    falling = cells & (cells >> _FOUR) & (cells >> _EIGHT) & ONE
    rising = (cells >> _TWO) & (cells >> _FOUR) & (cells >> _SIX) & ONE
    return across | down | falling | rising


_TWO, _THREE, _FOUR, _SIX, _EIGHT = np.uint64(2), np.uint64(3), np.uint64(4), np.uint64(6), np.uint64(8)
_STARTS_ACROSS = np.uint64(0b001001001)
_STARTS_DOWN = np.uint64(0b000000111)
_BOTH_WON = np.uint64(9)
_TARGET = np.uint64(18)
_TARGET_MASK = np.uint64(0xF)
_RULE = np.uint64(22)
_ANY = np.uint64(9)  # as the target: any board
_FIVE = np.uint64(5)
_BITS = np.uint64(9)
_WORD = np.uint64(63)
_NINTH = np.uint64(57)  # place * 57 // 512 is place // 9 below 81
_WHOLE_LOW = np.uint64((1 << 45) - 1)
_WHOLE_HIGH = np.uint64((1 << 36) - 1)


@inlined
def _own_won(state: UltimateState) -> np.uint64:
    return state.boards & _NINE


@inlined
def _opponent_won(state: UltimateState) -> np.uint64:
    return (state.boards >> _BOTH_WON) & _NINE


@inlined
def _target(state: UltimateState) -> np.uint64:
    return (state.boards >> _TARGET) & _TARGET_MASK


@inlined
def _cells(low: np.uint64, high: np.uint64, board: np.uint64) -> np.uint64:
    """The nine bits of a small board."""
    is_low = board < _FIVE
    word = low if is_low else high
    return (word >> (_BITS * board - (ZERO if is_low else _LOW_BITS))) & _NINE


@inlined
def _board_mask(board: np.uint64) -> tuple[np.uint64, np.uint64]:
    """All cells of a small board; of all boards for `ANY`."""
    is_low = board < _FIVE
    cells = _NINE << (_BITS * board - (ZERO if is_low else _LOW_BITS))
    low, high = cells if is_low else ZERO, ZERO if is_low else cells
    return _WHOLE_LOW if board == _ANY else low, _WHOLE_HIGH if board == _ANY else high


@inlined
def _free(state: UltimateState) -> tuple[np.uint64, np.uint64]:
    """The cells where the side to move may play."""
    opponent_won = _opponent_won(state)
    if has_row(opponent_won):
        return ZERO, ZERO
    finished = opponent_won | _own_won(state)
    low, high = _board_mask(_target(state))
    low &= ~(state.own_low | state.opponent_low | _CELLS[0, finished])
    high &= ~(state.own_high | state.opponent_high | _CELLS[1, finished])
    return low, high


@implements(protocol.word_count, UltimateState)
def word_count(state: UltimateState) -> int:
    return as_int64(_WORDS)


@implements(protocol.write_moves, UltimateState)
def write_moves(state: UltimateState, moves: NDArray[np.uint8]) -> int:
    low, high = _free(state)
    written = as_int64(0)
    for square in range(len(_PLACE_OF)):
        place = np.uint64(_PLACE_OF[square])
        is_free = (low >> place if place < _LOW_BITS else high >> (place - _LOW_BITS)) & ONE
        moves[written] = square
        written += as_int64(is_free)
    return written


@implements(protocol.is_over, UltimateState)
def is_over(state: UltimateState) -> bool:
    low, high = _free(state)
    return bool((low | high) == ZERO)


@implements(protocol.mobility, UltimateState)
def mobility(state: UltimateState) -> int:
    low, high = _free(state)
    return popcount(low) + popcount(high)


@inlined
def _after(state: UltimateState, place: np.uint64) -> UltimateState:
    """The state after a mark in a cell, numbered 9 * board + cell, seen from the other side."""
    board = (place * _NINTH) >> _BITS
    cell = place - board * _BITS
    is_low = place < _LOW_BITS
    own_low = state.own_low | (ONE << place if is_low else ZERO)
    own_high = state.own_high | (ZERO if is_low else ONE << (place - _LOW_BITS))
    own_won = _own_won(state)
    if has_row(_cells(own_low, own_high, board)):
        own_won |= ONE << board
    finished = own_won | _opponent_won(state)
    taken = _cells(own_low | state.opponent_low, own_high | state.opponent_high, cell)
    target = _ANY if taken == _NINE or (finished >> cell) & ONE != ZERO else cell
    boards = _opponent_won(state) | (own_won << _BOTH_WON) | (target << _TARGET) | (state.boards >> _RULE << _RULE)
    return UltimateState(state.opponent_low, state.opponent_high, own_low, own_high, boards)


@implements(protocol.play, UltimateState)
def play(state: UltimateState, move: int) -> UltimateState:
    return _after(state, np.uint64(_PLACE_OF[move]))


@inlined
def _result(own_won: np.uint64, opponent_won: np.uint64, rule: np.uint64) -> int:
    """1, 0 or -1 for the owner of the first boards, at the end of a game."""
    lines = as_int64(has_row(own_won)) - as_int64(has_row(opponent_won))
    ahead = popcount(own_won) - popcount(opponent_won)
    if lines != 0 or rule == ZERO:
        return lines
    return as_int64(ahead > 0) - as_int64(ahead < 0)


@implements(protocol.final_difference, UltimateState)
def final_difference(state: UltimateState) -> int:
    return _result(_own_won(state), _opponent_won(state), state.boards >> _RULE)


# What a mark, or a won board, is worth by its place: the centre lies on four lines, a corner on three, a side on two.
_PLACES: Final = np.array([3, 2, 3, 2, 4, 2, 3, 2, 3])
_LINES: Final = np.array([0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100])
_TWO_OPEN: Final = 8
_WON_BOARD: Final = 40
_TWO_BOARDS: Final = 120


@kernel
def _nine_worth(own: np.uint64, blocked: np.uint64, two_open: int) -> int:
    """What nine places are worth: each by its lines, and two of an open line extra.

    Args:
        own: the places that one side has.
        blocked: those that it can no longer get.
        two_open: what two of a line are worth whose third place can still be had.
    """
    worth = as_int64(0)
    for place in range(9):
        if (own >> np.uint64(place)) & ONE:
            worth += _PLACES[place]
    for index in range(len(_LINES)):
        line = np.uint64(_LINES[index])
        if (blocked & line) == ZERO and popcount(own & line) == 2:
            worth += two_open
    return worth


@kernel
def _side_worth(
    low: np.uint64, high: np.uint64, other_low: np.uint64, other_high: np.uint64, won: np.uint64, lost: np.uint64
) -> int:
    """What marks and boards are worth to one side; `lost` are the boards that it can no longer win."""
    worth = _WON_BOARD * _nine_worth(won, lost, _TWO_BOARDS // _WON_BOARD)
    for index in range(9):
        board = np.uint64(index)
        if ((won | lost) >> board) & ONE == ZERO:
            own, other = _cells(low, high, board), _cells(other_low, other_high, board)
            worth += _PLACES[index] * _nine_worth(own, other, _TWO_OPEN)
    return worth


@implements(protocol.evaluate, UltimateState)
def evaluate(state: UltimateState) -> int:
    own_won, opponent_won = _own_won(state), _opponent_won(state)
    low, high = state.own_low | state.opponent_low, state.own_high | state.opponent_high
    full = ZERO
    for index in range(9):
        board = np.uint64(index)
        full |= np.uint64(_cells(low, high, board) == _NINE) << board
    own = _side_worth(
        state.own_low, state.own_high, state.opponent_low, state.opponent_high, own_won, opponent_won | full & ~own_won
    )
    opponent = _side_worth(
        state.opponent_low,
        state.opponent_high,
        state.own_low,
        state.own_high,
        opponent_won,
        own_won | full & ~opponent_won,
    )
    return own - opponent


@implements(protocol.playout, UltimateState)
def playout(state: UltimateState, random: RandomState) -> int:
    sign = as_int64(1)
    while True:
        low, high = _free(state)
        below_high = popcount(low)
        free = below_high + popcount(high)
        if free == 0:
            return sign * _result(_own_won(state), _opponent_won(state), state.boards >> _RULE)
        rank = below(random, free)
        word = low if rank < below_high else high
        for _ in range(rank if rank < below_high else rank - below_high):
            word &= word - ONE
        place = lowest_square(word) + (0 if rank < below_high else 45)
        state = _after(state, np.uint64(place))
        sign = -sign


@implements(protocol.playout_lanes, UltimateState)
def playout_lanes(
    like: UltimateState, words: NDArray[np.uint64], count: int, lanes: RandomState, differences: NDArray[np.int64]
) -> None:
    """A packed state a lane. Every step plays one move in every lane; a finished one only swaps its sides.

    The loop over the lanes has no branch and no call left in it: what `_free` and `_after` decide is selected here.
    """
    width = (count + 7) & ~7  # whole registers
    for lane in range(width):
        for word in range(_WORDS):
            lanes[2 + word, lane] = words[lane, word] if lane < count else ZERO
    sign = as_int64(1)
    while True:
        any_move = ZERO
        for lane in range(width):
            own_low: np.uint64 = lanes[2, lane]
            own_high: np.uint64 = lanes[3, lane]
            opponent_low: np.uint64 = lanes[4, lane]
            opponent_high: np.uint64 = lanes[5, lane]
            boards: np.uint64 = lanes[6, lane]
            own_won = boards & _NINE
            opponent_won = (boards >> _BOTH_WON) & _NINE
            target = (boards >> _TARGET) & _TARGET_MASK
            finished = own_won | opponent_won
            at_low, at_high = _board_mask(target)
            is_won = (has_rows(own_won) | has_rows(opponent_won)) != ZERO
            low = ZERO if is_won else at_low & ~(own_low | opponent_low | _CELLS[0, finished])
            high = ZERO if is_won else at_high & ~(own_high | opponent_high | _CELLS[1, finished])
            in_low = np.uint64(popcount(low))
            bits = next_random_lane(lanes, lane)
            rank = ((bits >> _HALF) * (in_low + np.uint64(popcount(high)))) >> _HALF
            is_low = rank < in_low
            move = nth_disc(low if is_low else high, rank if is_low else rank - in_low)
            place = (np.uint64(popcount(move - ONE)) & _WORD) + (ZERO if is_low else _LOW_BITS)
            own_low |= move if is_low else ZERO
            own_high |= ZERO if is_low else move
            board = (place * _NINTH) >> _BITS
            cell = place - board * _BITS
            row = has_rows(_cells(own_low, own_high, board))
            own_won |= np.uint64((row != ZERO) & (move != ZERO)) << board
            finished = own_won | opponent_won
            taken = _cells(own_low | opponent_low, own_high | opponent_high, cell)
            is_closed = (taken == _NINE) | ((finished >> cell) & ONE != ZERO)
            target = _ANY if is_closed else cell
            lanes[2, lane] = opponent_low
            lanes[3, lane] = opponent_high
            lanes[4, lane] = own_low
            lanes[5, lane] = own_high
            lanes[6, lane] = opponent_won | (own_won << _BOTH_WON) | (target << _TARGET)
            any_move |= move
        sign = -sign
        if any_move == ZERO:
            break
    rule = like.boards >> _RULE
    for lane in range(count):
        won: np.uint64 = lanes[6, lane]
        differences[lane] = sign * _result(won & _NINE, (won >> _BOTH_WON) & _NINE, rule)


@implements(protocol.pack, UltimateState)
def pack(state: UltimateState, words: NDArray[np.uint64]) -> None:
    words[0] = state.own_low
    words[1] = state.own_high
    words[2] = state.opponent_low
    words[3] = state.opponent_high
    words[4] = state.boards


@implements(protocol.unpack, UltimateState)
def unpack(like: UltimateState, words: NDArray[np.uint64]) -> UltimateState:
    return UltimateState(words[0], words[1], words[2], words[3], words[4])


@implements(protocol.is_possible, UltimateState)
def is_possible(state: UltimateState) -> bool:
    if (state.own_low & state.opponent_low) | (state.own_high & state.opponent_high):
        return False
    if ((state.own_low | state.opponent_low) >> _LOW_BITS) | ((state.own_high | state.opponent_high) >> np.uint64(36)):
        return False
    own = popcount(state.own_low) + popcount(state.own_high)
    opponent = popcount(state.opponent_low) + popcount(state.opponent_high)
    if opponent - own < 0 or opponent - own > 1 or state.boards >> np.uint64(23):
        return False
    target = _target(state)
    own_won, opponent_won = _own_won(state), _opponent_won(state)
    if target > _ANY or own_won & opponent_won or has_row(own_won):
        return False
    for index in range(9):
        board = np.uint64(index)
        has_own = (own_won >> board) & ONE != ZERO
        has_opponent = (opponent_won >> board) & ONE != ZERO
        if has_row(_cells(state.own_low, state.own_high, board)) != has_own:
            return False
        if has_row(_cells(state.opponent_low, state.opponent_high, board)) != has_opponent:
            return False
        both = _cells(state.own_low | state.opponent_low, state.own_high | state.opponent_high, board)
        if board == target and (both == _NINE or has_own or has_opponent):
            return False
    return True


def _images() -> list[list[int]]:
    """Where nine places come to lie in the eight symmetries: 4 swaps rows and columns, 2 mirrors, 1 turns over."""
    images = []
    for symmetry in range(8):
        image = []
        for place in range(9):
            row, column = divmod(place, 3)
            if symmetry & 4:
                row, column = column, row
            if symmetry & 2:
                column = 2 - column
            if symmetry & 1:
                row = 2 - row
            image.append(row * 3 + column)
        images.append(image)
    return images


_IMAGE: Final = np.array(_images())  # (8, 9): the place of every place
_IMAGE_OF_CELLS: Final = np.array(
    [
        [sum(1 << image[place] for place in range(9) if cells >> place & 1) for cells in range(512)]
        for image in _images()
    ],
    np.uint64,
)  # (8, 512): the nine bits of nine bits


@inlined
def _image_words(low: np.uint64, high: np.uint64, symmetry: int) -> tuple[np.uint64, np.uint64]:
    """Both words of one side's marks: every board's cells change places, and so do the boards."""
    new_low = new_high = ZERO
    for board in range(9):
        cells = _IMAGE_OF_CELLS[symmetry, _cells(low, high, np.uint64(board))]
        there = np.uint64(_IMAGE[symmetry, board])
        if there < _FIVE:
            new_low |= cells << (_BITS * there)
        else:
            new_high |= cells << (_BITS * (there - _FIVE))
    return new_low, new_high


@kernel
def _image(state: UltimateState, symmetry: int) -> UltimateState:
    own_low, own_high = _image_words(state.own_low, state.own_high, symmetry)
    opponent_low, opponent_high = _image_words(state.opponent_low, state.opponent_high, symmetry)
    target = _target(state)
    new_target = _ANY if target == _ANY else np.uint64(_IMAGE[symmetry, target])
    boards = _IMAGE_OF_CELLS[symmetry, _own_won(state)] | (_IMAGE_OF_CELLS[symmetry, _opponent_won(state)] << _BOTH_WON)
    boards |= (new_target << _TARGET) | (state.boards >> _RULE << _RULE)
    return UltimateState(own_low, own_high, opponent_low, opponent_high, boards)


@implements(protocol.canonical, UltimateState)
def canonical(state: UltimateState) -> tuple[UltimateState, int]:
    best_state, best = state, as_int64(0)
    for symmetry in range(1, 8):
        image = _image(state, symmetry)
        if image < best_state:
            best_state, best = image, as_int64(symmetry)
    return best_state, best


@implements(protocol.original_move, UltimateState)
def original_move(like: UltimateState, move: int, symmetry: int) -> int:
    place = as_int64(_PLACE_OF[move])
    for original in range(len(_PLACE_OF)):
        board, cell = original // 9, original % 9
        if _IMAGE[symmetry, board] * 9 + _IMAGE[symmetry, cell] == place:
            return as_int64(_SQUARE_AT[original])
    return as_int64(move)
