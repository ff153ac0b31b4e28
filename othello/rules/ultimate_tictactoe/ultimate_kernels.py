"""Ultimate tic-tac-toe as kernels; the same rules as `othello.rules.ultimate_tictactoe`.

A small board has nine bits. Boards 0 to 4 are in one word, 5 to 8 in another.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from othello.kernel.bits import ONE, ZERO, as_int64, lowest_square, nth_bit, popcount
from othello.kernel.decorators import Ints, Moves, Words, implements, inlined, kernel
from othello.kernel.random import RandomState, below, below_lane
from othello.rules import compiled
from othello.rules.symmetry import square_images
from othello.rules.symmetry_kernels import original
from othello.rules.ultimate_tictactoe.squares import BOARD_OF, CELL_OF

_NINE = np.uint64(0x1FF)
_BITS = np.uint64(9)
_NINTH = np.uint64(57)  # place * 57 // 512 == place // 9 for place < 81
_LOW_BITS = np.uint64(45)  # bits of the first word
_FIVE = np.uint64(5)  # first board of the second word
_WHOLE_LOW = np.uint64((1 << 45) - 1)
_WHOLE_HIGH = np.uint64((1 << 36) - 1)
ANY = np.uint64(9)  # target: any board

# Shifts of the parts of `UltimateState.boards`.
_BOTH_WON = np.uint64(9)
_TARGET = np.uint64(18)
_TARGET_MASK = np.uint64(0xF)
_RULE = np.uint64(22)

_TWO, _THREE, _FOUR, _SIX, _EIGHT = np.uint64(2), np.uint64(3), np.uint64(4), np.uint64(6), np.uint64(8)
_SIX_BITS = np.uint64(63)
_STARTS_ACROSS = np.uint64(0b001001001)
_STARTS_DOWN = np.uint64(0b000000111)

_PLACE_OF: Final = 9 * np.array(BOARD_OF) + np.array(CELL_OF)  # the bit of each square


def _spread(boards: int, first: int, count: int) -> int:
    """Return nine bits for each set bit of `boards`."""
    return sum(0x1FF << 9 * board for board in range(count) if boards >> first + board & 1)


# All cells of a set of boards, by [word, nine bits of the set].
_CELLS: Final = np.array(
    [[_spread(boards, 0, 5) for boards in range(512)], [_spread(boards, 5, 4) for boards in range(512)]], np.uint64
)


class UltimateState(NamedTuple):
    """A position, seen from the side to move."""

    own_low: np.uint64  # marks on boards 0 to 4
    own_high: np.uint64  # marks on boards 5 to 8
    opponent_low: np.uint64
    opponent_high: np.uint64
    boards: np.uint64  # from the lowest bit: 9 for own won boards, 9 for the opponent's, 4 for the target,
    # 1 if the side with more boards wins a game without a row


def ultimate_state(
    own: Sequence[int], opponent: Sequence[int], own_won: int, opponent_won: int, target: int, counts_boards: bool
) -> UltimateState:
    """Return a state from the nine small boards of each side, nine bits each."""

    def words(boards: Sequence[int]) -> tuple[np.uint64, np.uint64]:
        bits = sum(cells << 9 * board for board, cells in enumerate(boards))
        return np.uint64(bits & (1 << 45) - 1), np.uint64(bits >> 45)

    packed = own_won | opponent_won << 9 | target << 18 | int(counts_boards) << 22
    return UltimateState(*words(own), *words(opponent), np.uint64(packed))


@inlined
def _has_rows(cells: np.uint64) -> np.uint64:
    """Return 0 if no three of nine cells are in a row. There are no branches."""
    across = cells & (cells >> ONE) & (cells >> _TWO) & _STARTS_ACROSS
    down = cells & (cells >> _THREE) & (cells >> _SIX) & _STARTS_DOWN
    falling = cells & (cells >> _FOUR) & (cells >> _EIGHT) & ONE
    rising = (cells >> _TWO) & (cells >> _FOUR) & (cells >> _SIX) & ONE
    return across | down | falling | rising


@inlined
def _own_won_of(state: UltimateState) -> np.uint64:
    return state.boards & _NINE


@inlined
def _opponent_won_of(state: UltimateState) -> np.uint64:
    return (state.boards >> _BOTH_WON) & _NINE


@inlined
def _target_of(state: UltimateState) -> np.uint64:
    return (state.boards >> _TARGET) & _TARGET_MASK


@inlined
def _cells_of(low: np.uint64, high: np.uint64, board: np.uint64) -> np.uint64:
    """Return the nine bits of a small board."""
    is_low = board < _FIVE
    word = low if is_low else high
    return (word >> (_BITS * board - (ZERO if is_low else _LOW_BITS))) & _NINE


@inlined
def _board_mask(board: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return all cells of a small board, or of all boards for `ANY`."""
    is_low = board < _FIVE
    cells = _NINE << (_BITS * board - (ZERO if is_low else _LOW_BITS))
    low, high = cells if is_low else ZERO, ZERO if is_low else cells
    return _WHOLE_LOW if board == ANY else low, _WHOLE_HIGH if board == ANY else high


@inlined
def _free_cells(state: UltimateState) -> tuple[np.uint64, np.uint64]:
    """Return the cells that the side to move may play."""
    opponent_won = _opponent_won_of(state)
    if _has_rows(opponent_won) != ZERO:
        return ZERO, ZERO
    finished = opponent_won | _own_won_of(state)
    low, high = _board_mask(_target_of(state))
    low &= ~(state.own_low | state.opponent_low | _CELLS[0, finished])
    high &= ~(state.own_high | state.opponent_high | _CELLS[1, finished])
    return low, high


@implements(compiled.write_moves, UltimateState)
def write_moves(state: UltimateState, moves: Moves) -> int:
    low, high = _free_cells(state)
    written = as_int64(0)
    for square in range(len(_PLACE_OF)):
        index = np.uint64(_PLACE_OF[square])
        is_free = (low >> index if index < _LOW_BITS else high >> (index - _LOW_BITS)) & ONE
        moves[written] = square
        written += as_int64(is_free)
    return written


@implements(compiled.is_over, UltimateState)
def is_over(state: UltimateState) -> bool:
    low, high = _free_cells(state)
    return bool((low | high) == ZERO)


@implements(compiled.mobility, UltimateState)
def mobility(state: UltimateState) -> int:
    low, high = _free_cells(state)
    return popcount(low) + popcount(high)


@inlined
def _after(state: UltimateState, index: np.uint64) -> UltimateState:
    """Return the state after a mark in cell 9 * board + cell, seen from the other side."""
    board = (index * _NINTH) >> _BITS
    cell = index - board * _BITS
    is_low = index < _LOW_BITS
    own_low = state.own_low | (ONE << index if is_low else ZERO)
    own_high = state.own_high | (ZERO if is_low else ONE << (index - _LOW_BITS))
    own_won = _own_won_of(state)
    if _has_rows(_cells_of(own_low, own_high, board)) != ZERO:
        own_won |= ONE << board
    finished = own_won | _opponent_won_of(state)
    taken = _cells_of(own_low | state.opponent_low, own_high | state.opponent_high, cell)
    target = ANY if taken == _NINE or (finished >> cell) & ONE != ZERO else cell
    boards = _opponent_won_of(state) | (own_won << _BOTH_WON) | (target << _TARGET) | (state.boards >> _RULE << _RULE)
    return UltimateState(state.opponent_low, state.opponent_high, own_low, own_high, boards)


@implements(compiled.play, UltimateState)
def play(state: UltimateState, move: int) -> UltimateState:
    return _after(state, np.uint64(_PLACE_OF[move]))


@inlined
def _result_of(own_won: np.uint64, opponent_won: np.uint64, rule: np.uint64) -> int:
    """Return the result of a finished game for the owner of the first boards: 1, 0 or -1."""
    lines = as_int64(_has_rows(own_won) != ZERO) - as_int64(_has_rows(opponent_won) != ZERO)
    ahead = popcount(own_won) - popcount(opponent_won)
    if lines != 0 or rule == ZERO:
        return lines
    return as_int64(ahead > 0) - as_int64(ahead < 0)


@implements(compiled.final_difference, UltimateState)
def final_difference(state: UltimateState) -> int:
    return _result_of(_own_won_of(state), _opponent_won_of(state), state.boards >> _RULE)


@implements(compiled.is_possible, UltimateState)
def is_possible(state: UltimateState) -> bool:
    low, high = state.own_low | state.opponent_low, state.own_high | state.opponent_high
    twice = (state.own_low & state.opponent_low) | (state.own_high & state.opponent_high)
    if twice | low >> _LOW_BITS | high >> np.uint64(36) | state.boards >> np.uint64(23):
        return False
    ahead = popcount(state.opponent_low) + popcount(state.opponent_high)
    ahead -= popcount(state.own_low) + popcount(state.own_high)
    target = _target_of(state)
    own_won, opponent_won = _own_won_of(state), _opponent_won_of(state)
    if not 0 <= ahead <= 1 or target > ANY or own_won & opponent_won or _has_rows(own_won) != ZERO:
        return False
    for index in range(9):
        board = np.uint64(index)
        has_own = (own_won >> board) & ONE != ZERO
        has_opponent = (opponent_won >> board) & ONE != ZERO
        if (_has_rows(_cells_of(state.own_low, state.own_high, board)) != ZERO) != has_own:
            return False
        if (_has_rows(_cells_of(state.opponent_low, state.opponent_high, board)) != ZERO) != has_opponent:
            return False
        if board == target and (_cells_of(low, high, board) == _NINE or has_own or has_opponent):
            return False
    return True


# Playouts.


@implements(compiled.playout, UltimateState)
def playout(state: UltimateState, random: RandomState) -> int:
    sign = as_int64(1)
    while True:
        low, high = _free_cells(state)
        below_high = popcount(low)
        free = below_high + popcount(high)
        if free == 0:
            return sign * _result_of(_own_won_of(state), _opponent_won_of(state), state.boards >> _RULE)
        rank = below(random, free)
        word = low if rank < below_high else high
        for _ in range(rank if rank < below_high else rank - below_high):
            word &= word - ONE
        index = lowest_square(word) + (0 if rank < below_high else 45)
        state = _after(state, np.uint64(index))
        sign = -sign


@implements(compiled.playout_lanes, UltimateState)
def playout_lanes(example: UltimateState, words: Words, count: int, lanes: RandomState, differences: Ints) -> None:
    """Play one move in each lane at each step. In a finished lane only the sides are swapped.

    Each lane holds a packed state. To be vectorised, the loop over the lanes has no branches and calls: it selects
    values where `_free_cells` and `_after` branch.
    """
    width = compiled.fill_lanes(lanes, words, count, len(example))
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
            is_won = (_has_rows(own_won) | _has_rows(opponent_won)) != ZERO
            low = ZERO if is_won else at_low & ~(own_low | opponent_low | _CELLS[0, finished])
            high = ZERO if is_won else at_high & ~(own_high | opponent_high | _CELLS[1, finished])
            in_low, in_high = popcount(low), popcount(high)
            rank = below_lane(lanes, lane, in_low + in_high)
            is_low = rank < np.uint64(in_low)
            move = nth_bit(low if is_low else high, rank if is_low else rank - np.uint64(in_low))
            index = (np.uint64(popcount(move - ONE)) & _SIX_BITS) + (ZERO if is_low else _LOW_BITS)
            own_low |= move if is_low else ZERO
            own_high |= ZERO if is_low else move
            board = (index * _NINTH) >> _BITS
            cell = index - board * _BITS
            row = _has_rows(_cells_of(own_low, own_high, board))
            own_won |= np.uint64((row != ZERO) & (move != ZERO)) << board
            finished = own_won | opponent_won
            taken = _cells_of(own_low | opponent_low, own_high | opponent_high, cell)
            is_closed = (taken == _NINE) | ((finished >> cell) & ONE != ZERO)
            target = ANY if is_closed else cell
            lanes[2, lane] = opponent_low
            lanes[3, lane] = opponent_high
            lanes[4, lane] = own_low
            lanes[5, lane] = own_high
            lanes[6, lane] = opponent_won | (own_won << _BOTH_WON) | (target << _TARGET)
            any_move |= move
        sign = -sign
        if any_move == ZERO:
            break
    rule = example.boards >> _RULE
    for lane in range(count):
        won: np.uint64 = lanes[6, lane]
        differences[lane] = sign * _result_of(won & _NINE, (won >> _BOTH_WON) & _NINE, rule)


# Evaluation.

# Value of a mark or won board: the number of rows through its place.
_PLACES: Final = np.array([3, 2, 3, 2, 4, 2, 3, 2, 3])
_LINES: Final = np.array([0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100])
_TWO_OPEN: Final = 8
_WON_BOARD: Final = 40
_TWO_BOARDS: Final = 120


@kernel
def _nine_worth(own: np.uint64, blocked: np.uint64, two_open: int) -> int:
    """Return the value of nine cells by place and rows. Two of a row add `two_open` if the third is not blocked."""
    worth = as_int64(0)
    for cell in range(9):
        if (own >> np.uint64(cell)) & ONE:
            worth += _PLACES[cell]
    for index in range(len(_LINES)):
        line = np.uint64(_LINES[index])
        if (blocked & line) == ZERO and popcount(own & line) == 2:
            worth += two_open
    return worth


@implements(compiled.evaluate, UltimateState)
def evaluate(state: UltimateState) -> int:
    own_won, opponent_won = _own_won_of(state), _opponent_won_of(state)
    worth, full = as_int64(0), ZERO
    for index in range(9):
        board = np.uint64(index)
        own = _cells_of(state.own_low, state.own_high, board)
        opponent = _cells_of(state.opponent_low, state.opponent_high, board)
        if own | opponent == _NINE:
            full |= ONE << board
        elif ((own_won | opponent_won) >> board) & ONE == ZERO:
            worth += _PLACES[index] * (_nine_worth(own, opponent, _TWO_OPEN) - _nine_worth(opponent, own, _TWO_OPEN))
    worth += _WON_BOARD * _nine_worth(own_won, opponent_won | full & ~own_won, _TWO_BOARDS // _WON_BOARD)
    return worth - _WON_BOARD * _nine_worth(opponent_won, own_won | full & ~opponent_won, _TWO_BOARDS // _WON_BOARD)


# Symmetries. They apply to the large board and to each small board.


_IMAGE: Final = np.array(square_images(3))  # (8, 9): [symmetry, place]
_IMAGE_OF_CELLS: Final = np.array(
    [
        [sum(1 << place for bit, place in enumerate(image) if cells >> bit & 1) for cells in range(512)]
        for image in square_images(3)
    ],
    np.uint64,
)  # (8, 512): [symmetry, nine bits]


@inlined
def _image_words(low: np.uint64, high: np.uint64, symmetry: int) -> tuple[np.uint64, np.uint64]:
    """Return both words of the marks of one side under a symmetry, which permutes cells and boards."""
    new_low = new_high = ZERO
    for board in range(9):
        cells = _IMAGE_OF_CELLS[symmetry, _cells_of(low, high, np.uint64(board))]
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
    target = _target_of(state)
    new_target = ANY if target == ANY else np.uint64(_IMAGE[symmetry, target])
    own_won, opponent_won = _own_won_of(state), _opponent_won_of(state)
    boards = _IMAGE_OF_CELLS[symmetry, own_won] | (_IMAGE_OF_CELLS[symmetry, opponent_won] << _BOTH_WON)
    boards |= (new_target << _TARGET) | (state.boards >> _RULE << _RULE)
    return UltimateState(own_low, own_high, opponent_low, opponent_high, boards)


@implements(compiled.canonical, UltimateState)
def canonical(state: UltimateState) -> tuple[UltimateState, int]:
    best_state, best = state, as_int64(0)
    for symmetry in range(1, 8):
        image = _image(state, symmetry)
        if image < best_state:
            best_state, best = image, as_int64(symmetry)
    return best_state, best


@implements(compiled.original_move, UltimateState)
def original_move(example: UltimateState, move: int, symmetry: int) -> int:
    return original(move, 9, symmetry)
