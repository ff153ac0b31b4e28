"""Discs that can never be turned over again."""

from __future__ import annotations

import numpy as np

from othello.kernel.bits import ZERO
from othello.kernel.jit import inlined, kernel
from othello.rules.othello_kernels import Bitboard

_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_BORDER = np.uint64(0xFF818181818181FF)
_TOP_BOTTOM = np.uint64(0xFF000000000000FF)
_LEFT_RIGHT = np.uint64(0x8181818181818181)
_CORNERS = np.uint64(0x8100000000000081)
_NOT_A = np.uint64(0xFEFEFEFEFEFEFEFE)
_NOT_H = np.uint64(0x7F7F7F7F7F7F7F7F)
_COLUMN_A = np.uint64(0x0101010101010101)
_ROW_1 = np.uint64(0xFF)
_S1, _S2, _S4, _S7, _S8, _S9 = (np.uint64(n) for n in (1, 2, 4, 7, 8, 9))
_S14, _S16, _S18, _S28, _S32, _S36 = (np.uint64(n) for n in (14, 16, 18, 28, 32, 36))


@inlined
def _full_rows(occupied: Bitboard) -> Bitboard:
    full = occupied & (occupied >> _S1)
    full &= full >> _S2
    full &= full >> _S4
    return (full & _COLUMN_A) * _ROW_1


@inlined
def _full_columns(occupied: Bitboard) -> Bitboard:
    full = occupied & (occupied >> _S8)
    full &= full >> _S16
    full &= full >> _S32
    return (full & _ROW_1) * _COLUMN_A


@inlined
def _full_diagonals(occupied: Bitboard, up: Bitboard, edge_low: Bitboard, edge_high: Bitboard) -> Bitboard:
    """Squares of diagonals without an empty square; `up` is the step towards higher squares."""
    # Empty squares spread along their diagonals in both directions; what they do not reach is full.
    low = ~occupied
    high = low
    for _ in range(7):
        low |= (low >> up) & edge_low
        high |= (high << up) & edge_high
    return ~(low | high)


@kernel
def stable_discs(own: Bitboard, opponent: Bitboard) -> Bitboard:
    """Own discs that no sequence of moves can turn over; not all of them, but none that can be.

    A disc is safe along a line if the line is full, ends at it, or has a stable own disc beside it; a disc safe along
    all four lines is stable.
    """
    occupied = own | opponent
    rows = _full_rows(occupied) | _LEFT_RIGHT
    columns = _full_columns(occupied) | _TOP_BOTTOM
    rising = _full_diagonals(occupied, _S9, _NOT_H, _NOT_A) | _BORDER
    falling = _full_diagonals(occupied, _S7, _NOT_A, _NOT_H) | _BORDER
    stable = own & rows & columns & rising & falling
    while True:
        beside = ((stable << _S1) & _NOT_A) | ((stable >> _S1) & _NOT_H) | rows
        above = (stable << _S8) | (stable >> _S8) | columns
        up = ((stable << _S9) & _NOT_A) | ((stable >> _S9) & _NOT_H) | rising
        down = ((stable << _S7) & _NOT_H) | ((stable >> _S7) & _NOT_A) | falling
        more = own & beside & above & up & down
        if more & ~stable == ZERO:
            return stable
        stable |= more
