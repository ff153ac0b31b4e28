"""Random number generators with explicit state: xoroshiro128+.

Source: Blackman and Vigna, "Scrambled Linear Pseudorandom Number Generators", ACM TOMS 47:4, 2021. The lowest bits of
its numbers are weak, so `below` uses the upper 32.
"""

import numpy as np

from othello.kernel.bits import as_int64
from othello.kernel.decorators import Words, inlined

_S16, _S24, _S27, _HALF, _S37, _S40 = (np.uint64(n) for n in (16, 24, 27, 32, 37, 40))

# uint64 array of shape (2,) for one generator, or (2, lanes) for several in parallel.
RandomState = Words


def random_state(seed: np.random.SeedSequence) -> RandomState:
    """Create one generator."""
    return seed.generate_state(2, np.uint64).astype(np.uint64)


def random_lanes(seed: np.random.SeedSequence, lanes: int, more_rows: int = 0) -> RandomState:
    """Create independent generators.

    Returns:
        uint64 array of shape (2 + more_rows, lanes). The additional rows are scratch memory for the caller.
    """
    state = np.zeros((2 + more_rows, lanes), np.uint64)
    state[:2] = seed.generate_state(2 * lanes, np.uint64).reshape(2, lanes)
    return state


@inlined
def _advance(first: np.uint64, second: np.uint64) -> tuple[np.uint64, np.uint64]:
    second ^= first
    return (first << _S24 | first >> _S40) ^ second ^ (second << _S16), second << _S37 | second >> _S27


@inlined
def next_random(state: RandomState) -> np.uint64:
    """Return the next 64 random bits of a single generator."""
    first: np.uint64 = state[0]
    second: np.uint64 = state[1]
    state[0], state[1] = _advance(first, second)
    return first + second


@inlined
def next_random_lane(lanes: RandomState, lane: int) -> np.uint64:
    """Return the next 64 random bits of one of several generators."""
    first: np.uint64 = lanes[0, lane]
    second: np.uint64 = lanes[1, lane]
    lanes[0, lane], lanes[1, lane] = _advance(first, second)
    return first + second


@inlined
def below(state: RandomState, bound: int) -> int:
    """Return a random integer n with 0 <= n < bound < 2**32. The bias is less than bound / 2**32."""
    return as_int64((next_random(state) >> _HALF) * np.uint64(bound) >> _HALF)


@inlined
def below_lane(lanes: RandomState, lane: int, bound: int) -> np.uint64:
    """Return a random integer as `below`, from one of several generators."""
    return (next_random_lane(lanes, lane) >> _HALF) * np.uint64(bound) >> _HALF
