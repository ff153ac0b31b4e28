"""Hash functions from words of 64 bits to table indices.

Source: multiplicative hashing, Knuth, The Art of Computer Programming 3, section 6.4.
"""

import numpy as np

from othello.kernel.bits import as_int64
from othello.kernel.decorators import Words, inlined

_MULTIPLIER_A = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio
_MULTIPLIER_B = np.uint64(0xC2B2AE3D27D4EB4F)
_HALF = np.uint64(32)


@inlined
def mixed(before: np.uint64, word: np.uint64) -> np.uint64:
    """Combine two words into a hash of 64 bits."""
    return (before * _MULTIPLIER_A) ^ ((word ^ (word >> _HALF)) * _MULTIPLIER_B)


@inlined
def _place(mixed: np.uint64, places: int) -> int:
    return as_int64((mixed ^ (mixed >> _HALF)) & np.uint64(places - 1))


@inlined
def place_of(first: np.uint64, second: np.uint64, places: int) -> int:
    """Return the index of a pair of words in a table with `places` entries, a power of two up to 2**32."""
    return _place(mixed(first, second), places)


@inlined
def place_of_words(words: Words, count: int, places: int) -> int:
    """Return the index of the first `count` words in a table with `places` entries, a power of two up to 2**32."""
    word: np.uint64 = words[0]
    for index in range(1, count):
        word = mixed(word, words[index])
    return _place(word, places)
