"""Random numbers with an explicit state: xoroshiro128+.

Source: Blackman and Vigna, "Scrambled Linear Pseudorandom Number Generators", ACM TOMS 47:4, 2021. Its lowest bits
are weak; `below` uses the upper 32.
"""

import numpy as np

from othello.kernel.bits import as_int64
from othello.kernel.decorators import Words, inlined

_S16, _S24, _S27, _HALF, _S37, _S40 = (np.uint64(n) for n in (16, 24, 27, 32, 37, 40))

RandomState = Words
"""uint64 of shape (2,) for one generator or (2, lanes) for several side by side."""


def random_state(seed: np.random.SeedSequence) -> RandomState:
    """One generator, shape (2,)."""
    return seed.generate_state(2, np.uint64).astype(np.uint64)


def random_lanes(seed: np.random.SeedSequence, lanes: int, more_rows: int = 0) -> RandomState:
    """`lanes` independent generators, shape (2 + more_rows, lanes); the further rows are scratch for the caller."""
    state = np.zeros((2 + more_rows, lanes), np.uint64)
    state[:2] = seed.generate_state(2 * lanes, np.uint64).reshape(2, lanes)
    return state


@inlined
def _advance(first: np.uint64, second: np.uint64) -> tuple[np.uint64, np.uint64]:
    second ^= first
    return (first << _S24 | first >> _S40) ^ second ^ (second << _S16), second << _S37 | second >> _S27


@inlined
def next_random(state: RandomState) -> np.uint64:
    """The next 64 random bits of a generator of shape (2,)."""
    first: np.uint64 = state[0]
    second: np.uint64 = state[1]
    state[0], state[1] = _advance(first, second)
    return first + second


@inlined
def next_random_lane(lanes: RandomState, lane: int) -> np.uint64:
    """The next 64 random bits of one of the generators of shape (2, lanes)."""
    first: np.uint64 = lanes[0, lane]
    second: np.uint64 = lanes[1, lane]
    lanes[0, lane], lanes[1, lane] = _advance(first, second)
    return first + second


@inlined
def below(state: RandomState, bound: int) -> int:
    """A random integer, 0 <= n < bound < 2**32, each as likely to one part in 2**32 / bound."""
    return as_int64((next_random(state) >> _HALF) * np.uint64(bound) >> _HALF)


@inlined
def below_lane(lanes: RandomState, lane: int, bound: int) -> np.uint64:
    """`below`, from one of the generators of shape (2, lanes)."""
    return (next_random_lane(lanes, lane) >> _HALF) * np.uint64(bound) >> _HALF
