"""LLVM code for vectors of 64-bit words, for numba intrinsics that numba would not vectorise.

For processors without such registers, LLVM makes scalar instructions of it.
"""

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, Final

from othello.kernel.decorators import intrinsic, ir, types

_WORD: Final = ir.IntType(64)
_INDEX: Final = ir.IntType(32)


def constants(*words: int) -> Any:
    """Return a constant vector."""
    return ir.Constant(ir.VectorType(_WORD, len(words)), [ir.Constant(_WORD, word) for word in words])


def instruction(build: Callable[..., Any], result: Any = types.uint64, *parameters: Any) -> Any:
    """Return a numba intrinsic that `build` generates from a builder and the arguments.

    Args:
        build: takes the LLVM builder and one LLVM value for each argument, and returns the result.
        result: numba type of the result.
        parameters: numba types of the arguments; by default uint64 for each parameter of `build`.
    """
    kinds = parameters or (types.uint64,) * (len(inspect.signature(build).parameters) - 1)

    @functools.wraps(build)  # numba inspects the signature
    def typed(_typing: Any, *arguments: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            return build(builder, *values)

        return (result(*kinds), generate) if arguments == kinds else None  # None: no overload

    return intrinsic(typed)


ZEROS: Final = constants(0, 0, 0, 0)


def row(builder: Any, name: str, rows: Sequence[Any], index: Any) -> Any:
    """Return a row of a constant table. The table is added to the module once, under `name`."""
    table = builder.module.globals.get(name)
    if table is None:
        kind = ir.ArrayType(rows[0].type, len(rows))
        table = ir.GlobalVariable(builder.module, kind, name)
        table.linkage = "internal"
        table.global_constant = True
        table.initializer = ir.Constant(kind, rows)
    return builder.load(builder.gep(table, [ir.Constant(_WORD, 0), index]))


def broadcast(builder: Any, word: Any, places: int) -> Any:
    """Return a vector with the word in each of `places` elements."""
    undefined = ir.Constant(ir.VectorType(_WORD, places), ir.Undefined)
    vector = builder.insert_element(undefined, word, ir.Constant(_INDEX, 0))
    first_only = ir.Constant(ir.VectorType(_INDEX, places), [ir.Constant(_INDEX, 0)] * places)
    return builder.shuffle_vector(vector, undefined, first_only)


def where_nonzero(builder: Any, condition: Any, vector: Any) -> Any:
    """Return `vector`, of four words, with zeros where `condition` is zero."""
    return builder.select(builder.icmp_unsigned("!=", condition, ZEROS), vector, ZEROS)


def bit_counts(builder: Any, vector: Any) -> Any:
    """Return the number of set bits of each word."""
    name = f"llvm.ctpop.v{vector.type.count}i64"
    count = builder.module.declare_intrinsic(name, fnty=ir.FunctionType(vector.type, [vector.type]))
    return builder.call(count, [vector])


def reduced(builder: Any, operation: str, vector: Any) -> Any:
    """Return the words combined by an operation such as "or" or "add"."""
    name = f"llvm.vector.reduce.{operation}.v{vector.type.count}i64"
    reduce = builder.module.declare_intrinsic(name, fnty=ir.FunctionType(_WORD, [vector.type]))
    return builder.call(reduce, [vector])
