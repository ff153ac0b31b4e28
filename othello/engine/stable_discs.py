"""Captured discs of a move, and stable discs.

The end-game search computes captures several hundred million times, so they use tables of rays, four of them in a
vector register. Upwards, a carry runs through the opposing discs to the disc behind them; downwards, the number of
leading zeros finds it.

Source of the ideas: Delorme, Edax 4.4, flip_carry_64.c and flip_avx512cd.c (https://github.com/abulmo/edax-reversi).
"""

from collections.abc import Callable
from typing import Any, Final, cast

import numpy as np

from othello.kernel import vectors
from othello.kernel.bits import ONE, ZERO
from othello.kernel.decorators import inlined, ir, kernel, types
from othello.rules.othello.othello_kernels import Bitboard

_WORD: Final = ir.IntType(64)
_FOUR: Final = ir.VectorType(_WORD, 4)


def ray(square: int, right: int, up: int) -> int:
    """Return the squares from `square` to the border, without `square`."""
    row, column = divmod(square, 8)
    board = 0
    while 0 <= (row := row + up) < 8 and 0 <= (column := column + right) < 8:
        board |= 1 << (8 * row + column)
    return board


def _rays(sign: int) -> list[Any]:
    """Return four rays of each square, upwards or, for a sign of -1, downwards."""
    directions = ((1, 0), (0, 1), (-1, 1), (1, 1))
    return [vectors.constants(*(ray(square, sign * x, sign * y) for x, y in directions)) for square in range(64)]


_UP: Final = _rays(1)
_DOWN: Final = _rays(-1)


def _captures(builder: Any, own: Any, opponent: Any, square: Any) -> Any:
    own, opponent = (vectors.broadcast(builder, board, 4) for board in (own, opponent))
    up = vectors.row(builder, "rays_up", _UP, square)
    down = vectors.row(builder, "rays_down", _DOWN, square)
    one = vectors.constants(1, 1, 1, 1)
    # A carry from the lowest bit runs through squares that are not on the ray and through adjacent opposing discs.
    beyond = builder.add(builder.or_(opponent, builder.not_(up)), one)
    closing = builder.and_(builder.and_(beyond, own), up)
    upwards = builder.and_(builder.sub(closing, one), up)
    upwards = vectors.where_nonzero(builder, closing, upwards)
    # The nearest square of the ray without an opposing disc, or the lowest bit.
    stops = builder.or_(builder.and_(down, builder.not_(opponent)), one)
    count = builder.module.declare_intrinsic("llvm.ctlz.v4i64", fnty=ir.FunctionType(_FOUR, [_FOUR, ir.IntType(1)]))
    zeros = builder.call(count, [stops, ir.Constant(ir.IntType(1), 1)])
    highest = builder.lshr(vectors.constants(*[1 << 63] * 4), zeros)
    closing = builder.and_(builder.and_(highest, own), down)
    downwards = builder.and_(builder.sub(vectors.ZEROS, builder.shl(closing, one)), down)
    return vectors.reduced(builder, "or", builder.or_(upwards, downwards))


_TYPES: Final = (types.uint64, types.uint64, types.uint64, types.int64)
# Return the discs that a move to an empty square turns over, 0 if the move is illegal.
captures = cast(Callable[[Bitboard, Bitboard, int], Bitboard], vectors.instruction(_captures, *_TYPES))


@inlined
def after_move(own: Bitboard, opponent: Bitboard, square: int) -> tuple[Bitboard, Bitboard, Bitboard]:
    """Return the discs that a move turns over, and the boards after it, those of the new side to move first."""
    turned = captures(own, opponent, square)
    return turned, opponent ^ turned, own | turned | ONE << np.uint64(square)


# All columns but one, to mask squares that a shift moved to the other side of the board.
NOT_A: Final = np.uint64(0xFEFEFEFEFEFEFEFE)
NOT_H: Final = np.uint64(0x7F7F7F7F7F7F7F7F)

_BORDER = np.uint64(0xFF818181818181FF)
_TOP_BOTTOM = np.uint64(0xFF000000000000FF)
_LEFT_RIGHT = np.uint64(0x8181818181818181)
_COLUMN_A = np.uint64(0x0101010101010101)
_ROW_1 = np.uint64(0xFF)
_S1, _S2, _S7, _S8, _S9 = (np.uint64(n) for n in (1, 2, 7, 8, 9))


@inlined
def with_neighbours(squares: Bitboard) -> Bitboard:
    """Return the squares and all their neighbours."""
    wide = squares | ((squares << _S1) & NOT_A) | ((squares >> _S1) & NOT_H)
    return wide | (wide << _S8) | (wide >> _S8)


@inlined
def _full_lines(occupied: Bitboard, step: Bitboard, begins: Bitboard, line: Bitboard) -> Bitboard:
    """Return the squares of rows or columns without empty squares.

    Args:
        occupied: all discs.
        step: shift from a square to the next in its line.
        begins: first squares of the lines.
        line: the first line.
    """
    full = occupied & (occupied >> step)
    full &= full >> (step << _S1)
    full &= full >> (step << _S2)
    return (full & begins) * line


@inlined
def _full_diagonals(occupied: Bitboard, up: Bitboard, edge_low: Bitboard, edge_high: Bitboard) -> Bitboard:
    """Return the squares of diagonals without empty squares. `up`: shift towards higher squares."""
    # Empty squares are spread along their diagonals in both directions; full diagonals are not reached.
    low = ~occupied
    high = low
    for _ in range(7):
        low |= (low >> up) & edge_low
        high |= (high << up) & edge_high
    return ~(low | high)


@kernel
def stable_discs(own: Bitboard, opponent: Bitboard) -> Bitboard:
    """Return own discs that no sequence of moves can turn over. Some stable discs are not found.

    A disc is safe along a line if the line is full, ends at the disc, or has a stable own disc next to it. A disc that
    is safe along all four lines is stable.
    """
    occupied = own | opponent
    rows = _full_lines(occupied, _S1, _COLUMN_A, _ROW_1) | _LEFT_RIGHT
    columns = _full_lines(occupied, _S8, _ROW_1, _COLUMN_A) | _TOP_BOTTOM
    rising = _full_diagonals(occupied, _S9, NOT_H, NOT_A) | _BORDER
    falling = _full_diagonals(occupied, _S7, NOT_A, NOT_H) | _BORDER
    stable = own & rows & columns & rising & falling
    while True:
        beside = ((stable << _S1) & NOT_A) | ((stable >> _S1) & NOT_H) | rows
        above = (stable << _S8) | (stable >> _S8) | columns
        up = ((stable << _S9) & NOT_A) | ((stable >> _S9) & NOT_H) | rising
        down = ((stable << _S7) & NOT_H) | ((stable >> _S7) & NOT_A) | falling
        more = own & beside & above & up & down
        if more & ~stable == ZERO:
            return stable
        stable |= more
