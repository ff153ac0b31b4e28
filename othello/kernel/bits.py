"""Single instructions that numba does not offer by itself: bit counts, and a flag that another thread may set."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

ZERO = np.uint64(0)
ONE = np.uint64(1)


@intrinsic
def popcount(_typing_context: Any, board: Any) -> Any:
    """The number of set bits of a uint64, as int64."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate if board == types.uint64 else None


@intrinsic
def lowest_square(_typing_context: Any, board: Any) -> Any:
    """The index (int64) of the lowest set bit of a uint64; 64 where none is set."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate if board == types.uint64 else None


@intrinsic
def byteswap(_typing_context: Any, board: Any) -> Any:
    """A uint64 with its eight bytes in reverse order: the board upside down."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.bswap(arguments[0])

    return types.uint64(types.uint64), generate if board == types.uint64 else None


@intrinsic
def is_stopped(_typing_context: Any, cell: Any) -> Any:
    """Whether the int64 array `cell` holds anything but zero. An atomic load: never moved out of a loop."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        word = ir.IntType(64)
        value = builder.load_atomic(array.data, "monotonic", 8, typ=word)
        return cgutils.is_not_null(builder, value)

    return types.boolean(cell), generate
