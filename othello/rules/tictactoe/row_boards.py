"""Boards of tic-tac-toe as bits: one word up to 7 x 7, four words up to 15 x 15.

Rows begin at multiples of the stride, 8 or 16, which is more than the width of the board. The last bits of a row are
always 0, so that shifts do not reach the other side of the board. All functions take boards of either size.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple, cast

import numpy as np

from othello.kernel.bits import ONE, ZERO, as_int64, nth_bit, popcount
from othello.kernel.decorators import cgutils, default_kernel, implements, inlined, intrinsic

SMALL_STRIDE: Final = 8
LARGE_STRIDE: Final = 16
# Maximum size of a board of one word.
SMALL_LIMIT: Final = 7

_W64: Final = 64
_SMALL_LINE: Final = np.uint64((1 << SMALL_STRIDE) - 1)
_LARGE_LINE: Final = np.uint64((1 << LARGE_STRIDE) - 1)
_W63 = np.uint64(63)
_code: Any = cgutils


class Small(NamedTuple):
    """A board up to 7 x 7."""

    word: np.uint64


class Large(NamedTuple):
    """A board up to 15 x 15. The first word has rows 1 to 4, the last one rows 13 to 15."""

    first: np.uint64
    second: np.uint64
    third: np.uint64
    fourth: np.uint64


def _word_by_word(build: Callable[[Any, Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return an intrinsic that applies `build` to each pair of words of two boards of one size."""

    def instruction(_typing: Any, board: Any, other: Any) -> Any:
        def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            pairs = zip(*(_code.unpack_tuple(builder, words, len(board)) for words in arguments), strict=True)
            return context.make_tuple(builder, board, [build(builder, *pair) for pair in pairs])

        return board(board, other), generate

    return cast(Callable[[Any, Any], Any], intrinsic(instruction))


# Return the squares on either board.
union = _word_by_word(lambda builder, word, other: builder.or_(word, other))
# Return the squares on both boards.
common = _word_by_word(lambda builder, word, other: builder.and_(word, other))
# Return the squares on the first board only.
without = _word_by_word(lambda builder, word, other: builder.and_(word, builder.not_(other)))


@inlined
def stride(board: Any) -> int:
    """Return the bits from a square to the one below."""
    return as_int64(SMALL_STRIDE if len(board) == 1 else LARGE_STRIDE)


@inlined
def words(board: Any) -> int:
    """Return the number of words."""
    return as_int64(len(board))


@inlined
def none(example: Any) -> Any:
    """Return an empty board of the same size."""
    return without(example, example)


@default_kernel
def single(example: Any, index: Any) -> Any:
    """Return a board with one bit."""
    return Small(ONE << np.uint64(index))


@default_kernel
def line(board: Any, row: Any) -> np.uint64:
    """Return the squares of a row as the lowest bits of a word."""
    squares: np.uint64 = (board.word >> np.uint64(SMALL_STRIDE * row)) & _SMALL_LINE
    return squares


@default_kernel
def shifted(board: Any, shift: Any) -> Any:
    """Return a board shifted towards lower bits, by 0 <= shift < 128."""
    return Small(board.word >> shift)


@default_kernel
def count(board: Any) -> int:
    """Return the number of set bits."""
    return popcount(board.word)


@default_kernel
def any_bit(board: Any) -> np.uint64:
    """Return 0 if the board is empty, otherwise another number."""
    word: np.uint64 = board.word
    return word


@default_kernel
def nth(board: Any, rank: Any) -> Any:
    """Return the bit with `rank` set bits below it, as a board. There are no branches."""
    return Small(nth_bit(board.word, rank))


@default_kernel
def load(example: Any, rows: Any, row: Any, column: Any) -> Any:
    """Read a board from a column of an array, starting at `row`."""
    return Small(rows[row, column])


@default_kernel
def store(board: Any, rows: Any, row: Any, column: Any) -> None:
    """Write a board to a column of an array, starting at `row`."""
    rows[row, column] = board.word


@implements(single, Large)
def _single_large(example: Large, index: int) -> Large:
    bit = ONE << (np.uint64(index) & _W63)
    word = as_int64(index) // _W64
    return Large(
        bit if word == 0 else ZERO, bit if word == 1 else ZERO, bit if word == 2 else ZERO, bit if word == 3 else ZERO
    )


@implements(line, Large)
def _line_large(board: Large, row: int) -> np.uint64:
    index = as_int64(row) // 4
    word = board.first if index == 0 else board.second if index == 1 else board.third if index == 2 else board.fourth
    return (word >> np.uint64(LARGE_STRIDE * (as_int64(row) % 4))) & _LARGE_LINE


@inlined
def _joined(low: np.uint64, high: np.uint64, shift: np.uint64) -> np.uint64:
    """Return the lower word of two words shifted down by 0 <= shift < 64."""
    return (low >> shift) | ((high << ONE) << (_W63 - shift))


@implements(shifted, Large)
def _shifted_large(board: Large, shift: np.uint64) -> Large:
    is_far = shift > _W63
    first = board.second if is_far else board.first
    second = board.third if is_far else board.second
    third = board.fourth if is_far else board.third
    fourth = ZERO if is_far else board.fourth
    rest = shift & _W63
    return Large(
        _joined(first, second, rest), _joined(second, third, rest), _joined(third, fourth, rest), fourth >> rest
    )


@implements(count, Large)
def _count_large(board: Large) -> int:
    return popcount(board.first) + popcount(board.second) + popcount(board.third) + popcount(board.fourth)


@implements(any_bit, Large)
def _any_bit_large(board: Large) -> np.uint64:
    return board.first | board.second | board.third | board.fourth


@implements(nth, Large)
def _nth_large(board: Large, rank: np.uint64) -> Large:
    second = np.uint64(popcount(board.first))
    third = second + np.uint64(popcount(board.second))
    fourth = third + np.uint64(popcount(board.third))
    in_first, in_fourth = rank < second, rank >= fourth
    in_second = (rank < third) & ~in_first
    in_third = (rank >= third) & ~in_fourth
    word = board.first if in_first else board.second if in_second else board.third if in_third else board.fourth
    before = ZERO if in_first else second if in_second else third if in_third else fourth
    bit = nth_bit(word, rank - before)
    return Large(
        bit if in_first else ZERO,
        bit if in_second else ZERO,
        bit if in_third else ZERO,
        bit if in_fourth else ZERO,
    )


@implements(load, Large)
def _load_large(example: Large, rows: Any, row: int, column: int) -> Large:
    return Large(rows[row, column], rows[row + 1, column], rows[row + 2, column], rows[row + 3, column])


@implements(store, Large)
def _store_large(board: Large, rows: Any, row: int, column: int) -> None:
    rows[row, column] = board.first
    rows[row + 1, column] = board.second
    rows[row + 2, column] = board.third
    rows[row + 3, column] = board.fourth
