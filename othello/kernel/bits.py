"""Operations that numba lacks: bit counts, atomic loads, and small arrays on the stack."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from othello.kernel import HELD
from othello.kernel.decorators import Ints, Moves, Words, arrayobj, cgutils, inlined, intrinsic, ir, kernel, types
from othello.kernel.vectors import instruction

ZERO = np.uint64(0)
ONE = np.uint64(1)


_arrays: Any = arrayobj
_code: Any = cgutils


def _load(_typing: Any, cell: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        return builder.load_atomic(array.data, "monotonic", 8, typ=ir.IntType(64))

    return types.int64(cell), generate


def _call(builder: Any, address: Any) -> Any:
    function = ir.FunctionType(ir.IntType(64), ())
    return builder.call(builder.inttoptr(address, function.as_pointer()), ())


def _moves(_typing: Any) -> Any:
    array_type: Any = types.Array(types.uint16, 1, "C")

    def generate(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        array = context.make_array(array_type)(context, builder)
        data = _code.alloca_once(builder, ir.IntType(16), size=_MAX_MOVES)
        length, size = (context.get_constant(types.intp, number) for number in (_MAX_MOVES, 2))
        _arrays.populate_array(array, data, shape=[length], strides=[size], itemsize=size, meminfo=None)
        return array._getvalue()

    return array_type(), generate


def _from_words(_typing: Any, example: Any, words: Any) -> Any:
    if not isinstance(example, types.NamedUniTuple) or example.dtype != words.dtype:
        return None  # no overload for these types

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[1])(context, builder, arguments[1])
        indices = (context.get_constant(types.intp, index) for index in range(len(example)))
        places = (_code.get_item_pointer(context, builder, signature.args[1], array, [index]) for index in indices)
        return context.make_tuple(builder, example, [builder.load(place) for place in places])

    return example(example, words), generate


_MAX_MOVES = 255

# Return an uninitialised uint16 array of 255 elements on the stack, for the moves of one position of any game.
#
# Kernels cannot allocate arrays. A function must not return this one.
moves_buffer = cast(Callable[[], Moves], intrinsic(_moves))

# Return a named tuple of the type of the first argument, with its uint64 fields read from an array.
from_words = cast(Callable[[Any, Words], Any], intrinsic(_from_words))

# Return the number of set bits.
popcount = cast(Callable[[np.uint64], int], instruction(lambda builder, board: builder.ctpop(board), types.int64))

_FALSE = ir.Constant(ir.IntType(1), 0)
# Return the index of the lowest set bit, or 64 if no bit is set.
lowest_square = cast(
    Callable[[np.uint64], int], instruction(lambda builder, board: builder.cttz(board, _FALSE), types.int64)
)

# Return the eight bytes in reverse order. On a board of 8 x 8 this exchanges top and bottom.
byteswap = cast(Callable[[np.uint64], np.uint64], instruction(lambda builder, board: builder.bswap(board)))

# Load the first element of an int64 array atomically, to keep LLVM from moving the load out of a loop.
_load_first = cast(Callable[[Ints], int], intrinsic(_load))

# Call the C function at an address, without arguments, and return its int64 result.
_call_address = cast(Callable[[int], int], instruction(_call, types.int64, types.int64))


@kernel
def _wait_while_paused(cell: Ints) -> int:
    return _call_address(cell[1])


@inlined
def is_stopped(cell: Ints) -> bool:
    """Return whether the cell of a `StopFlag` asks the search to end. While the search is paused, wait."""
    flag = _load_first(cell)
    if flag == HELD:
        flag = _wait_while_paused(cell)
    return flag != 0


@inlined
def as_int64(number: Any) -> int:
    """Convert a number to int64. Narrow or unsigned types would wrap around or become floats in arithmetic."""
    return np.int64(number)  # type: ignore[return-value]  # numba knows it as an int


@inlined
def nth_bit(board: np.uint64, rank: np.uint64) -> np.uint64:
    """Return the set bit of a board that has `rank` set bits below it, as a board; 0 for an empty board.

    A binary search without branches, so that LLVM can vectorise a loop around it.
    """
    place = ZERO
    for width, half in _HALVES:
        below_half = np.uint64(popcount((board >> place) & half))
        above = rank >= below_half
        rank = rank - below_half if above else rank
        place = place + width if above else place
    return board & (ONE << place)


_HALVES = tuple((np.uint64(width), np.uint64((1 << width) - 1)) for width in (32, 16, 8, 4, 2, 1))
