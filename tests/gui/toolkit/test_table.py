"""Columns of tables."""

import pytest
from pygame import Rect

from othello.gui.toolkit.table import TableColumn, column_places

COLUMNS = (
    TableColumn("name", 0, 0, str, grows=True),
    TableColumn("first", 0, 0, str, rank=2),
    TableColumn("second", 0, 0, str, rank=1),
)


@pytest.mark.parametrize(
    ("width", "places"),
    [
        (100, {0: (10, 50), 1: (65, 20), 2: (90, 20)}),  # the name has the spare room
        (80, {0: (10, 30), 1: (45, 20), 2: (70, 20)}),
        (79, {0: (10, 54), 1: (69, 20)}),  # the column with the lowest rank is omitted first
        (54, {0: (10, 54)}),
        (20, {0: (10, 20)}),
    ],
)
def test_columns_without_room_are_omitted(width: int, places: dict[int, tuple[int, int]]) -> None:
    found = column_places(COLUMNS, (30, 20, 20), Rect(10, 0, width, 40), 5)
    assert {index: (place.left, place.width) for index, place in found.items()} == places


def test_a_column_without_a_text_is_named_by_its_declaration() -> None:
    assert TableColumn("newcomer", 0, 0, str).heading() == "newcomer"
    assert TableColumn("results", 0, 0, str).heading("Black", "White") == "Black – draw – White"
