"""The table that all searches of the engine share."""

import numpy as np
import pytest

from othello.engine import transposition_table
from othello.kernel.jit import kernel
from tests.positions import random_game

POSITION = random_game(1)[20]
OWN, OPPONENT = np.uint64(POSITION.own), np.uint64(POSITION.opponent)


@kernel
def _probe(place: transposition_table.Table, own: np.uint64, opponent: np.uint64) -> tuple[int, ...]:
    known = transposition_table.probe(place, own, opponent)
    return (
        *transposition_table.bounds_of(known),
        *transposition_table.moves_of(known),
        transposition_table.is_usable(known, 4, 2),
        transposition_table.is_usable(known, 6, 2),
    )


def known(*stores: tuple[int, ...]) -> tuple[int, ...]:
    """Return what a table contains after the stores (alpha, beta, value, move, depth, confidence, age)."""
    table = transposition_table.new_table(16)
    for stored in stores:
        transposition_table.store(table, OWN, OPPONENT, *stored)
    return _probe(table, OWN, OPPONENT)


FIRST = (3, 4, 6, 19, 6, 2, 1)
DEEP, SHALLOW, LATER = (-64, 64, 6, 19, 8, 2, 1), (-64, 64, 2, 20, 4, 5, 1), (-64, 64, 2, 20, 4, 5, 2)


@pytest.mark.parametrize(
    ("stores", "expected"),
    [
        pytest.param([FIRST], (6, 64, 19, 64, True, True), id="a lower bound"),
        pytest.param([FIRST, (9, 10, 8, 20, 6, 2, 1)], (6, 8, 19, 20, True, True), id="bounds; no move was better"),
        pytest.param([FIRST, (7, 8, 8, 20, 6, 2, 1)], (8, 64, 20, 19, True, True), id="the last better move is best"),
        pytest.param([DEEP, SHALLOW], (6, 6, 19, 64, True, True), id="a deeper search stays"),
        pytest.param([DEEP, SHALLOW, LATER], (2, 2, 20, 19, True, False), id="until it is old"),
    ],
)
def test_bounds_and_moves(stores: list[tuple[int, ...]], expected: tuple[int, ...]) -> None:
    assert known(*stores) == expected


def test_entries_of_two_writers_are_not_mixed() -> None:
    tables = [transposition_table.new_table(2) for _ in range(2)]
    for table, value, move in zip(tables, (6, -6), (19, 20), strict=True):
        transposition_table.store(table, OWN, OPPONENT, -64, 64, value, move, 8, 2, 1)
    tables[0][:, 2] = tables[1][:, 2]
    assert _probe(tables[0], OWN, OPPONENT)[:3] == (-64, -64, 0)
