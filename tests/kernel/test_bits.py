"""The single instructions against plain Python."""

import threading
from collections import Counter
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from othello.kernel import bits
from othello.kernel.bits import is_stopped
from othello.kernel.jit import kernel
from othello.kernel.random import below, next_random, next_random_lane, random_lanes, random_state
from othello.search.stop import StopFlag
from tests.chi_square import assert_likely

BOARDS = st.integers(0, 2**64 - 1)


@kernel
def facts_of(board: Any) -> tuple[Any, ...]:
    return bits.popcount(board), bits.lowest_square(board), bits.byteswap(board)


@given(BOARDS)
@settings(max_examples=100, deadline=None, derandomize=True)
def test_bits_of_any_board(board: int) -> None:
    lowest = (board & -board).bit_length() - 1 if board else 64
    upside_down = int.from_bytes(board.to_bytes(8, "little"), "big")
    assert facts_of(np.uint64(board)) == (board.bit_count(), lowest, upside_down)


def test_a_kernel_stops_if_the_flag_is_not_zero_and_waits_while_it_is_paused() -> None:
    assert [is_stopped(np.array([value])) for value in (0, 1, 2, 3, -1, 1 << 40)] == [False, *[True] * 5]
    stop, answers = StopFlag(), list[bool]()
    stop.set_paused(True)
    thread = threading.Thread(target=lambda: answers.append(is_stopped(stop.cell)), daemon=True)
    thread.start()
    thread.join(0.02)
    assert thread.is_alive()
    stop.set_paused(False)
    thread.join(60.0)
    assert answers == [False]


def test_a_signed_board_is_refused_and_not_counted_wrongly() -> None:
    with pytest.raises(numba.TypingError):
        facts_of(-1)


@pytest.mark.parametrize("number", [np.uint8(200), np.int32(-7), np.uint64(5), 3])
def test_any_number_becomes_a_whole_signed_one(number: Any) -> None:
    function: Any = bits.as_int64
    called: Any = numba.njit(function.py_func)  # without the cache: code that is loaded has no types
    assert called(number) == int(number)
    assert {signature.return_type for signature in called.nopython_signatures} == {numba.int64}


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


def test_the_numbers_are_the_published_ones_and_every_lane_is_a_generator_of_its_own() -> None:
    state = random_state(np.random.SeedSequence(1))
    words = [int(word) for word in state]
    assert words != [int(word) for word in random_state(np.random.SeedSequence(2))]
    assert [int(next_random(state)) for _ in range(50)] == [published(words) for _ in range(50)]
    lanes = random_lanes(np.random.SeedSequence(1), 16)
    states = lanes.T.tolist()
    for _ in range(5):
        for lane in range(16):
            assert int(next_random_lane(lanes, lane)) == published(states[lane])
    assert len({tuple(pair) for pair in states}) == 16


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 33])
def test_all_numbers_below_a_bound_are_as_likely(bound: int) -> None:
    state = random_state(np.random.SeedSequence(bound))
    assert_likely(Counter(below(state, bound) for _ in range(300 * bound)), dict.fromkeys(range(bound), 300.0))
