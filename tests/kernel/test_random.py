"""The random numbers: the published generator, every bound as likely."""

from collections import Counter

import numpy as np
import pytest

from othello.kernel.random import below, next_random, next_random_lane, random_lanes, random_state

MASK = 2**64 - 1


def rotated(word: int, left: int) -> int:
    return (word << left | word >> (64 - left)) & MASK


def published(state: list[int]) -> int:
    """Return a number of xoroshiro128+ 1.0. Source: https://prng.di.unimi.it/xoroshiro128plus.c ."""
    first, second = state
    result = (first + second) & MASK
    second ^= first
    state[0] = rotated(first, 24) ^ second ^ (second << 16 & MASK)
    state[1] = rotated(second, 37)
    return result


def test_the_numbers_are_the_published_ones() -> None:
    state = random_state(np.random.SeedSequence(1))
    words = [int(word) for word in state]
    assert words != [int(word) for word in random_state(np.random.SeedSequence(2))]
    assert [int(next_random(state)) for _ in range(50)] == [published(words) for _ in range(50)]


def test_every_lane_is_a_generator_of_its_own() -> None:
    lanes = random_lanes(np.random.SeedSequence(1), 16)
    alone = lanes.copy()
    words = [[int(alone[0, lane]), int(alone[1, lane])] for lane in range(16)]
    for _ in range(5):
        for lane in range(16):
            assert int(next_random_lane(lanes, lane)) == published(words[lane])
    assert len({tuple(pair) for pair in words}) == 16


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 33])
def test_all_numbers_below_a_bound_are_as_likely(bound: int) -> None:
    state = random_state(np.random.SeedSequence(bound))
    draws = 300 * bound
    drawn = Counter(below(state, bound) for _ in range(draws))
    assert set(drawn) == set(range(bound))
    assert sum((count - 300) ** 2 / 300 for count in drawn.values()) < bound + 5 * (2 * bound) ** 0.5
