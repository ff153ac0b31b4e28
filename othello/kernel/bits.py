"""What numba does not offer by itself: bit counts, a flag that another thread may set, room for a list of moves."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from othello.kernel import HELD
from othello.kernel.decorators import Bytes, Ints, Words, arrayobj, cgutils, inlined, intrinsic, ir, kernel, types
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
    array_type: Any = types.Array(types.uint8, 1, "C")

    def generate(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        array = context.make_array(array_type)(context, builder)
        data = _code.alloca_once(builder, ir.IntType(8), size=_MOST_MOVES)
        length, one = (context.get_constant(types.intp, number) for number in (_MOST_MOVES, 1))
        _arrays.populate_array(array, data, shape=[length], strides=[one], itemsize=one, meminfo=None)
        return array._getvalue()

    return array_type(), generate


def _from_words(_typing: Any, like: Any, words: Any) -> Any:
    if not isinstance(like, types.NamedUniTuple) or like.dtype != words.dtype:
        return None  # no such call

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[1])(context, builder, arguments[1])
        indices = (context.get_constant(types.intp, index) for index in range(len(like)))
        places = (_code.get_item_pointer(context, builder, signature.args[1], array, [index]) for index in indices)
        return context.make_tuple(builder, like, [builder.load(place) for place in places])

    return like(like, words), generate


_MOST_MOVES = 255

moves_buffer = cast(Callable[[], Bytes], intrinsic(_moves))
"""Room for all moves of any position, on the stack: kernels make no arrays. It is not to be returned."""

from_words = cast(Callable[[Any, Words], Any], intrinsic(_from_words))
"""A named tuple like the first argument, with the words of an array as its uint64 fields."""

popcount = cast(Callable[[np.uint64], int], instruction(lambda builder, board: builder.ctpop(board), types.int64))
"""The number of set bits."""

_FALSE = ir.Constant(ir.IntType(1), 0)
lowest_square = cast(
    Callable[[np.uint64], int], instruction(lambda builder, board: builder.cttz(board, _FALSE), types.int64)
)
"""The index of the lowest set bit; 64 where none is set."""

byteswap = cast(Callable[[np.uint64], np.uint64], instruction(lambda builder, board: builder.bswap(board)))
"""The eight bytes in reverse order: the board upside down."""

_load_first = cast(Callable[[Ints], int], intrinsic(_load))
"""The first number of an array. An atomic load: never moved out of a loop."""

_call_address = cast(Callable[[int], int], instruction(_call, types.int64, types.int64))
"""What a C function without arguments returns."""


@kernel
def _wait_while_paused(cell: Ints) -> int:
    return _call_address(cell[1])


@inlined
def is_stopped(cell: Ints) -> bool:
    """Whether the cell of a `StopFlag` tells to stop. While it is held, this waits."""
    flag = _load_first(cell)
    if flag == HELD:
        flag = _wait_while_paused(cell)
    return flag != 0


@inlined
def as_int64(number: Any) -> int:
    """Any number as int64, for arithmetic: a narrow or unsigned one would wrap around or turn into a float."""
    return np.int64(number)  # type: ignore[return-value]  # an int to all who call it


@inlined
def nth_bit(board: np.uint64, rank: np.uint64) -> np.uint64:
    """The set bit of a board with `rank` set bits below it, as a board; 0 for an empty board.

    A search by halves without branches, so that a loop around it can be vectorised.
    """
    place = ZERO
    for width, half in _HALVES:
        below_half = np.uint64(popcount((board >> place) & half))
        above = rank >= below_half
        rank = rank - below_half if above else rank
        place = place + width if above else place
    return board & (ONE << place)


_HALVES = tuple((np.uint64(width), np.uint64((1 << width) - 1)) for width in (32, 16, 8, 4, 2, 1))
