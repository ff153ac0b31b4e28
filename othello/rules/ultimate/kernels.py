"""Ultimate tic-tac-toe for searches: the same rules as `othello.rules.ultimate`, compiled.

Nine bits are a small board, and its marks stand side by side: boards 0 to 4 in one word, 5 to 8 in another.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from othello.kernel.bits import ONE, ZERO, as_int64, popcount
from othello.kernel.jit import Bytes, implements, inlined
from othello.rules import compiled
from othello.rules.ultimate import BOARD_OF, CELL_OF

WORDS: Final = 5  # of a packed state
NINE = np.uint64(0x1FF)
BITS = np.uint64(9)
NINTH = np.uint64(57)  # place * 57 // 512 is place // 9 below 81
LOW_BITS = np.uint64(45)  # of the first word
FIVE = np.uint64(5)  # the first board of the second word
_WHOLE_LOW = np.uint64((1 << 45) - 1)
_WHOLE_HIGH = np.uint64((1 << 36) - 1)
ANY = np.uint64(9)  # as the target: any board

# Where the parts of `UltimateState.boards` begin.
BOTH_WON = np.uint64(9)
TARGET = np.uint64(18)
TARGET_MASK = np.uint64(0xF)
RULE = np.uint64(22)

_TWO, _THREE, _FOUR, _SIX, _EIGHT = np.uint64(2), np.uint64(3), np.uint64(4), np.uint64(6), np.uint64(8)
_STARTS_ACROSS = np.uint64(0b001001001)
_STARTS_DOWN = np.uint64(0b000000111)

PLACE_OF: Final = 9 * np.array(BOARD_OF) + np.array(CELL_OF)  # where the bit of a square is


def _spread(boards: int, first: int, count: int) -> int:
    """Nine bits for every set bit of `boards`."""
    return sum(0x1FF << 9 * board for board in range(count) if boards >> first + board & 1)


# All cells of a set of boards, by its nine bits; one row a word.
CELLS: Final = np.array(
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


@inlined
def own_won_of(state: UltimateState) -> np.uint64:
    return state.boards & NINE


@inlined
def opponent_won_of(state: UltimateState) -> np.uint64:
    return (state.boards >> BOTH_WON) & NINE


@inlined
def target_of(state: UltimateState) -> np.uint64:
    return (state.boards >> TARGET) & TARGET_MASK


@inlined
def cells_of(low: np.uint64, high: np.uint64, board: np.uint64) -> np.uint64:
    """The nine bits of a small board."""
    is_low = board < FIVE
    word = low if is_low else high
    return (word >> (BITS * board - (ZERO if is_low else LOW_BITS))) & NINE


@inlined
def board_mask(board: np.uint64) -> tuple[np.uint64, np.uint64]:
    """All cells of a small board; of all boards for `ANY`."""
    is_low = board < FIVE
    cells = NINE << (BITS * board - (ZERO if is_low else LOW_BITS))
    low, high = cells if is_low else ZERO, ZERO if is_low else cells
    return _WHOLE_LOW if board == ANY else low, _WHOLE_HIGH if board == ANY else high


@inlined
def free_cells(state: UltimateState) -> tuple[np.uint64, np.uint64]:
    """The cells where the side to move may play."""
    opponent_won = opponent_won_of(state)
    if has_row(opponent_won):
        return ZERO, ZERO
    finished = opponent_won | own_won_of(state)
    low, high = board_mask(target_of(state))
    low &= ~(state.own_low | state.opponent_low | CELLS[0, finished])
    high &= ~(state.own_high | state.opponent_high | CELLS[1, finished])
    return low, high


@implements(compiled.write_moves, UltimateState)
def write_moves(state: UltimateState, moves: Bytes) -> int:
    low, high = free_cells(state)
    written = as_int64(0)
    for square in range(len(PLACE_OF)):
        place = np.uint64(PLACE_OF[square])
        is_free = (low >> place if place < LOW_BITS else high >> (place - LOW_BITS)) & ONE
        moves[written] = square
        written += as_int64(is_free)
    return written


@implements(compiled.is_over, UltimateState)
def is_over(state: UltimateState) -> bool:
    low, high = free_cells(state)
    return bool((low | high) == ZERO)


@implements(compiled.mobility, UltimateState)
def mobility(state: UltimateState) -> int:
    low, high = free_cells(state)
    return popcount(low) + popcount(high)


@inlined
def after(state: UltimateState, place: np.uint64) -> UltimateState:
    """The state after a mark in a cell, numbered 9 * board + cell, seen from the other side."""
    board = (place * NINTH) >> BITS
    cell = place - board * BITS
    is_low = place < LOW_BITS
    own_low = state.own_low | (ONE << place if is_low else ZERO)
    own_high = state.own_high | (ZERO if is_low else ONE << (place - LOW_BITS))
    own_won = own_won_of(state)
    if has_row(cells_of(own_low, own_high, board)):
        own_won |= ONE << board
    finished = own_won | opponent_won_of(state)
    taken = cells_of(own_low | state.opponent_low, own_high | state.opponent_high, cell)
    target = ANY if taken == NINE or (finished >> cell) & ONE != ZERO else cell
    boards = opponent_won_of(state) | (own_won << BOTH_WON) | (target << TARGET) | (state.boards >> RULE << RULE)
    return UltimateState(state.opponent_low, state.opponent_high, own_low, own_high, boards)


@implements(compiled.play, UltimateState)
def play(state: UltimateState, move: int) -> UltimateState:
    return after(state, np.uint64(PLACE_OF[move]))


@inlined
def result_of(own_won: np.uint64, opponent_won: np.uint64, rule: np.uint64) -> int:
    """1, 0 or -1 for the owner of the first boards, at the end of a game."""
    lines = as_int64(has_row(own_won)) - as_int64(has_row(opponent_won))
    ahead = popcount(own_won) - popcount(opponent_won)
    if lines != 0 or rule == ZERO:
        return lines
    return as_int64(ahead > 0) - as_int64(ahead < 0)


@implements(compiled.final_difference, UltimateState)
def final_difference(state: UltimateState) -> int:
    return result_of(own_won_of(state), opponent_won_of(state), state.boards >> RULE)


@implements(compiled.is_possible, UltimateState)
def is_possible(state: UltimateState) -> bool:
    if (state.own_low & state.opponent_low) | (state.own_high & state.opponent_high):
        return False
    if ((state.own_low | state.opponent_low) >> LOW_BITS) | ((state.own_high | state.opponent_high) >> np.uint64(36)):
        return False
    own = popcount(state.own_low) + popcount(state.own_high)
    opponent = popcount(state.opponent_low) + popcount(state.opponent_high)
    if opponent - own < 0 or opponent - own > 1 or state.boards >> np.uint64(23):
        return False
    target = target_of(state)
    own_won, opponent_won = own_won_of(state), opponent_won_of(state)
    if target > ANY or own_won & opponent_won or has_row(own_won):
        return False
    for index in range(9):
        board = np.uint64(index)
        has_own = (own_won >> board) & ONE != ZERO
        has_opponent = (opponent_won >> board) & ONE != ZERO
        if has_row(cells_of(state.own_low, state.own_high, board)) != has_own:
            return False
        if has_row(cells_of(state.opponent_low, state.opponent_high, board)) != has_opponent:
            return False
        both = cells_of(state.own_low | state.opponent_low, state.own_high | state.opponent_high, board)
        if board == target and (both == NINE or has_own or has_opponent):
            return False
    return True
