"""Counting leaves: the numbers that others published, and the slow way."""

from __future__ import annotations

import pytest

from othello.rules import reference
from othello.rules.othello import OthelloPosition, format_board
from othello.rules.perft import perft
from tests.positions import DRAWN, RULES, START, WIPED_OUT, with_empties, with_forced_pass

FROM_THE_START = (4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284)
"""Depths 1 to 10. Depth 9 is the first that a wrong pass changes, 10 the first that a wrong end changes."""


def slow_perft(position: OthelloPosition, depth: int) -> int:
    grid = tuple(format_board(position)[:64].replace("-", reference.EMPTY))
    return reference.perft(grid, reference.WHITE if position.to_move else reference.BLACK, depth)


@pytest.mark.parametrize(("depth", "leaves"), list(enumerate((1, *FROM_THE_START))))
def test_leaves_from_the_start(depth: int, leaves: int) -> None:
    assert perft(START.own, START.opponent, depth) == leaves


def test_the_reference_counts_the_same() -> None:
    assert tuple(slow_perft(START, depth) for depth in range(1, 6)) == FROM_THE_START[:5]


@pytest.mark.parametrize("position", with_forced_pass(4) + with_empties(4, 5))
@pytest.mark.parametrize("depth", range(4))
def test_passes_and_ends_count_as_in_the_reference(position: OthelloPosition, depth: int) -> None:
    assert perft(position.own, position.opponent, depth) == slow_perft(position, depth)


@pytest.mark.parametrize("position", [WIPED_OUT, DRAWN])
@pytest.mark.parametrize("depth", [0, 1, 2, 5])
def test_a_finished_game_is_one_leaf(position: OthelloPosition, depth: int) -> None:
    assert perft(position.own, position.opponent, depth) == 1


def leaves_behind(position: OthelloPosition, depth: int) -> list[int]:
    """Those `depth` plies below a position, a move of it each."""
    after = [RULES.play(position, move) for move in RULES.legal_moves(position)]
    return [perft(child.own, child.opponent, depth - 1) for child in after]


@pytest.mark.parametrize("position", [START, *with_empties(2, 30), *with_forced_pass(2)])
def test_the_moves_share_the_leaves(position: OthelloPosition) -> None:
    for depth in (1, 2, 5):
        assert sum(leaves_behind(position, depth)) == perft(position.own, position.opponent, depth)


def test_all_first_moves_are_alike() -> None:
    assert leaves_behind(START, 8) == [390216 // 4] * 4
