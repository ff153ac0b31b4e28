"""The keyboard's cursor."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from othello.game import Game
from othello.gui.scenes.cursor import moved, next_legal
from othello.rules.othello import Othello, parse_board
from tests.gui.desk import square

START = Game.new(Othello())
LEGAL = [square(name) for name in ("d3", "c4", "f5", "e6")]


def test_it_appears_on_a_legal_square() -> None:
    assert moved(None, START, 1, 0) == square("d3")
    assert next_legal(None, START, 1) == square("d3")
    assert next_legal(None, START, -1) == square("e6")


def test_it_goes_round_the_edges() -> None:
    assert moved(square("a1"), START, -1, -1) == square("h8")
    assert moved(square("h8"), START, 1, 0) == square("a8")


@given(st.integers(0, 63))
def test_every_legal_square_comes_in_turn_from_anywhere(start: int) -> None:
    for steps in (1, -1):
        cursor: int | None = start
        visited = [cursor := next_legal(cursor, START, steps) for _ in LEGAL]
        assert sorted(move for move in visited if move is not None) == LEGAL
        assert next_legal(next_legal(start, START, steps), START, -steps) == visited[-1]


def test_where_nothing_is_legal_it_stays() -> None:
    passing = Game.new(Othello(), parse_board("XO" + "-" * 62 + " O"))
    assert passing.must_pass
    assert next_legal(square("a5"), passing, 1) == square("a5")
    assert next_legal(None, passing, 1) is None
