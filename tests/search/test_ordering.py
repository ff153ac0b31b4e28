"""Moves come one at a time in the order of their keys."""

import numpy as np
from hypothesis import given, strategies as st
from numpy.typing import NDArray

from othello.kernel.jit import kernel
from othello.search.ordering import least_first


@kernel
def _least_first(keys: NDArray[np.int64], turn: int, count: int) -> int:
    return least_first(keys, turn, count)


@given(st.lists(st.integers(-(2**40), 2**40), min_size=1, max_size=34), st.integers(0, 5))
def test_turn_by_turn_the_keys_are_sorted(numbers: list[int], beyond: int) -> None:
    keys = np.array(numbers + [-(2**50)] * beyond, np.int64)
    for turn, expected in enumerate(sorted(numbers)):
        assert _least_first(keys, turn, len(numbers)) == expected
        assert sorted(keys[: len(numbers)].tolist()) == sorted(numbers)
    assert keys.tolist() == sorted(numbers) + [-(2**50)] * beyond
