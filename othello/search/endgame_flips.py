"""Captures by the number of the square: what the end game needs some hundred million times.

Rays are looked up by square, four in a vector register. Upwards a carry runs through the opponent's discs to the disc
behind them; downwards the number of leading zeros finds it.

Source: Delorme, Edax 4.4, flip_carry_64.c and flip_avx512cd.c (the ideas; https://github.com/abulmo/edax-reversi).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from othello.kernel import vectors
from othello.rules.othello_kernels import Bitboard

_WORD: Final = ir.IntType(64)
_FOUR: Final = ir.VectorType(_WORD, 4)


def _ray(square: int, right: int, up: int) -> int:
    """The squares from `square` to the border, without it."""
    row, column = divmod(square, 8)
    board = 0
    while 0 <= (row := row + up) < 8 and 0 <= (column := column + right) < 8:
        board |= 1 << (8 * row + column)
    return board


_UP: Final = ((1, 0), (0, 1), (-1, 1), (1, 1))
_DOWN: Final = tuple((-right, -up) for right, up in _UP)


def _table(builder: Any, name: str, directions: tuple[tuple[int, int], ...]) -> Any:
    """A constant of four rays a square."""
    rows = [vectors.constants(*(_ray(square, *direction) for direction in directions)) for square in range(64)]
    kind = ir.ArrayType(_FOUR, 64)
    variable = builder.module.globals.get(name)
    if variable is None:
        variable = ir.GlobalVariable(builder.module, kind, name)
        variable.linkage = "internal"
        variable.global_constant = True
        variable.initializer = ir.Constant(kind, rows)
    return variable


def _captures(_typing: Any, own: Any, opponent: Any, square: Any) -> Any:
    if own != types.uint64 or opponent != types.uint64 or square != types.int64:
        return None  # no such call

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        own, opponent = (vectors.broadcast(builder, board, 4) for board in arguments[:2])
        zero = ir.Constant(_WORD, 0)
        up, down = (
            builder.load(builder.gep(_table(builder, name, directions), [zero, arguments[2]]))
            for name, directions in (("rays_up", _UP), ("rays_down", _DOWN))
        )
        one = vectors.constants(1, 1, 1, 1)
        # A carry from the lowest bit runs through all that is no ray and through opposing discs beside the square.
        beyond = builder.add(builder.or_(opponent, builder.not_(up)), one)
        closing = builder.and_(builder.and_(beyond, own), up)
        upwards = builder.and_(builder.sub(closing, one), up)
        upwards = vectors.where_nonzero(builder, closing, upwards)
        # The highest square of the ray that is not the opponent's; the lowest bit stands in where there is none.
        stops = builder.or_(builder.and_(down, builder.not_(opponent)), one)
        count = builder.module.declare_intrinsic("llvm.ctlz.v4i64", fnty=ir.FunctionType(_FOUR, [_FOUR, ir.IntType(1)]))
        zeros = builder.call(count, [stops, ir.Constant(ir.IntType(1), 1)])
        highest = builder.lshr(vectors.constants(*[1 << 63] * 4), zeros)
        closing = builder.and_(builder.and_(highest, own), down)
        downwards = builder.and_(builder.sub(vectors.ZEROS, builder.shl(closing, one)), down)
        return vectors.united(builder, builder.or_(upwards, downwards))

    return types.uint64(types.uint64, types.uint64, types.int64), generate


captures = cast(Callable[[Bitboard, Bitboard, int], Bitboard], intrinsic(_captures))
"""The discs that a move to an empty square would turn over, 0 when it is illegal."""
