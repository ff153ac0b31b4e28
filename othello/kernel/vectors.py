"""Four 64-bit words in one vector register, for code that numba would not vectorise by itself.

Small pieces of LLVM code for the bodies of numba intrinsics. Where a processor has no such registers, LLVM makes plain
instructions of them.
"""

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir

_WORD: Final = ir.IntType(64)
_INDEX: Final = ir.IntType(32)
_FOUR: Final = ir.VectorType(_WORD, 4)
_UNDEFINED: Final = ir.Constant(_FOUR, ir.Undefined)


def constants(first: int, second: int, third: int, fourth: int) -> Any:
    """Four words known when the code is compiled."""
    return ir.Constant(_FOUR, [ir.Constant(_WORD, word) for word in (first, second, third, fourth)])


ZEROS: Final = constants(0, 0, 0, 0)


def four_times(builder: Any, word: Any) -> Any:
    """The same word in all four places."""
    vector = builder.insert_element(_UNDEFINED, word, ir.Constant(_INDEX, 0))
    first_only = ir.Constant(ir.VectorType(_INDEX, 4), [ir.Constant(_INDEX, 0)] * 4)
    return builder.shuffle_vector(vector, _UNDEFINED, first_only)


def where_nonzero(builder: Any, condition: Any, vector: Any) -> Any:
    """`vector` in the places where `condition` is not zero, zero elsewhere."""
    return builder.select(builder.icmp_unsigned("!=", condition, ZEROS), vector, ZEROS)


def united(builder: Any, vector: Any) -> Any:
    """The bitwise or of the four words."""
    reduce = builder.module.declare_intrinsic("llvm.vector.reduce.or.v4i64", fnty=ir.FunctionType(_WORD, [_FOUR]))
    return builder.call(reduce, [vector])
