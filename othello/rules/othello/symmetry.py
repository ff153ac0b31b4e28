"""The eight symmetries of the board, by the numbers of `othello.rules.symmetry`.

Colours need no symmetry of their own: a state is seen from the side to move,
so a position and its colour swap with the other side to move are the same state already.
"""

from __future__ import annotations

import numpy as np

from othello.kernel.bits import as_int64, byteswap
from othello.kernel.jit import implements, inlined, kernel
from othello.rules import compiled
from othello.rules.othello.kernels import PASS, AnyState, Bitboard, OthelloState, VariantState, with_boards
from othello.rules.symmetry import original

_TRANSPOSE_STEPS = (
    (np.uint64(28), np.uint64(0x0F0F0F0F00000000)),
    (np.uint64(14), np.uint64(0x3333000033330000)),
    (np.uint64(7), np.uint64(0x5500550055005500)),
)
_MIRROR_STEPS = (
    (np.uint64(1), np.uint64(0x5555555555555555)),
    (np.uint64(2), np.uint64(0x3333333333333333)),
    (np.uint64(4), np.uint64(0x0F0F0F0F0F0F0F0F)),
)


@inlined
def transpose(board: Bitboard) -> Bitboard:
    """Rows become columns. Source: https://www.chessprogramming.org/Flipping_Mirroring_and_Rotating"""
    for shift, mask in _TRANSPOSE_STEPS:
        difference = mask & (board ^ (board << shift))
        board ^= difference ^ (difference >> shift)
    return board


@inlined
def mirror(board: Bitboard) -> Bitboard:
    """Column a becomes column h."""
    for shift, mask in _MIRROR_STEPS:
        board = ((board >> shift) & mask) | ((board & mask) << shift)
    return board


@kernel
def canonical_state(state: AnyState) -> tuple[AnyState, int]:
    """The smallest of the eight images, by own discs first, and the symmetry that leads to it."""
    own, opponent = state.own, state.opponent
    best_own, best_opponent, best = own, opponent, 0
    for symmetry in range(1, 8):
        # A walk through all images: every step is upside down, every second one a mirror, the fifth a transposition.
        own, opponent = byteswap(own), byteswap(opponent)
        if symmetry % 2 == 0:
            own, opponent = mirror(own), mirror(opponent)
        if symmetry == 4:
            own, opponent = transpose(state.own), transpose(state.opponent)
        if own < best_own or (own == best_own and opponent < best_opponent):
            best_own, best_opponent, best = own, opponent, symmetry
    return with_boards(state, best_own, best_opponent), best


@implements(compiled.canonical, OthelloState, VariantState)
def canonical(state: AnyState) -> tuple[AnyState, int]:
    return canonical_state(state)


@implements(compiled.original_move, OthelloState, VariantState)
def original_move(like: AnyState, move: int, symmetry: int) -> int:
    return as_int64(PASS) if move == PASS else original(move, 8, symmetry)
