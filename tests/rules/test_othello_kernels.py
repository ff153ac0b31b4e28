"""The compiled rules against the plain ones, the reference and games that people played."""

from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from othello.kernel.bits import nth_bit
from othello.rules.othello import Othello, OthelloPosition, scalar_bits as plain
from othello.rules.othello.othello_kernels import OthelloState, flips, mobility, othello_state
from othello.rules.protocol import Color
from tests import compiled_rules
from tests.minimax import positional_score
from tests.positions import START, final_difference, random_game

RULES = Othello()

BOARDS = st.tuples(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1)).map(
    lambda words: (words[0] & ~words[1], words[1] & ~words[2])
)
"""Disjoint boards with about a quarter of the squares each, most of which no game reaches."""


@given(BOARDS)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_mobility_and_flips_of_any_boards_equal_the_plain_rules(boards: tuple[int, int]) -> None:
    own, opponent = boards
    state = othello_state(own, opponent)
    assert mobility(state.own, state.opponent) == plain.mobility(own, opponent)
    for square in plain.squares(~(own | opponent) & (2**64 - 1)):
        captured = flips(state.own, state.opponent, np.uint64(1 << square))
        assert captured == plain.flips(own, opponent, square)


@pytest.mark.parametrize("seed", range(40))
def test_evaluation_and_result_of_a_game_and_of_single_discs_equal_the_plain_rules(seed: int) -> None:
    single = [OthelloPosition(1 << square, 0, Color.BLACK) for square in range(seed, 64, 40)]
    for position in random_game(seed) + single:
        state = RULES.kernel_state(position)
        assert compiled_rules.evaluate(state) == positional_score(position)
        assert compiled_rules.final_difference(state) == final_difference(position)


@given(st.integers(0, 2**64 - 1))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_the_nth_bit_counts_from_the_lowest(board: int) -> None:
    for rank, square in enumerate(plain.squares(board)):
        assert int(nth_bit(np.uint64(board), np.uint64(rank))) == 1 << square
    assert nth_bit(np.uint64(0), np.uint64(0)) == 0


def test_boards_stay_unsigned_and_counts_stay_whole() -> None:
    """A constant of the wrong type turns a board into a float without a word, and the search with it."""
    state = RULES.kernel_state(START)
    move = np.uint64(1 << 19)
    boards = (numba.uint64, numba.uint64)
    calls: tuple[tuple[Any, tuple[Any, ...], Any], ...] = (
        (mobility, state, numba.uint64),
        (flips, (*state, move), numba.uint64),
        (nth_bit, (state.own, move), numba.uint64),
        (compiled_rules.write_moves, (state, np.zeros(34, np.uint8)), numba.int64),
        (compiled_rules.is_over, (state,), numba.boolean),
        (compiled_rules.is_possible, (state,), numba.boolean),
        (compiled_rules.play, (state, 19), boards),
        (compiled_rules.packed_and_unpacked, (state, np.zeros(2, np.uint64)), boards),
        (compiled_rules.final_difference, (state,), numba.int64),
        (compiled_rules.evaluate, (state,), numba.int64),
        (compiled_rules.original_move, (state, 19, 1), numba.int64),
    )
    for function, arguments, result in calls:
        function(*arguments)
        for signature in function.nopython_signatures:
            if getattr(signature.args[0], "instance_class", OthelloState) is not OthelloState:
                continue  # another game's, or a variant's
            found = signature.return_type
            assert (tuple(found) if result is boards else found) == result, function


def test_made_up_boards_have_more_moves_than_games() -> None:
    state = othello_state(0x2020740802340800, 0x5A026648027600)
    assert 34 < len(compiled_rules.legal_moves(state, RULES.max_moves)) <= RULES.max_moves
    assert RULES.max_moves == 64 - 2, "a move needs a disc of either side"
