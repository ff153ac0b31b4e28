"""Where a state has its place in a table."""

from __future__ import annotations

import numpy as np

from othello.kernel.bits import as_int64
from othello.kernel.jit import inlined

_MULTIPLIER_A = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio
_MULTIPLIER_B = np.uint64(0xC2B2AE3D27D4EB4F)
_HALF = np.uint64(32)


@inlined
def place_of(first: np.uint64, second: np.uint64, places: int) -> int:
    """The place of two words in a table of `places`, a power of two up to 2**32.

    Source: multiplicative hashing, Knuth, The Art of Computer Programming 3, section 6.4.
    """
    mixed = (first * _MULTIPLIER_A) ^ ((second ^ (second >> _HALF)) * _MULTIPLIER_B)
    return as_int64((mixed ^ (mixed >> _HALF)) & np.uint64(places - 1))
