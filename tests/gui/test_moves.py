"""The list of moves."""

from __future__ import annotations

import pytest

from othello.gui.layout import arrange
from othello.gui.views.moves import MoveGrid
from tests.gui.desk import FACE
from tests.gui.test_layout import SIZES


def grid_of(size: tuple[int, int], with_search: bool) -> MoveGrid:
    layout = arrange(size, FACE)
    return MoveGrid(layout.style, layout.side_panels(with_search)[0], FACE.squares)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("with_search", [False, True])
def test_moves_lie_inside_the_panel_and_are_found_where_they_are_drawn(
    size: tuple[int, int], with_search: bool
) -> None:
    grid = grid_of(size, with_search)
    assert grid.columns % 2 == 0
    last_row = grid.last_first_row(70)
    for first_row in (0, last_row):
        for ply in range(1, 71):
            cell = grid.cell(ply, first_row)
            if cell is not None:
                assert grid.panel.contains(cell)
                assert grid.ply_at(cell.center, 70, first_row) == ply
    assert grid.cell(70, last_row) is not None


@pytest.mark.parametrize("with_search", [False, True])
def test_a_whole_game_is_seen_at_once_in_a_window_of_the_usual_size(with_search: bool) -> None:
    assert grid_of((1280, 800), with_search).last_first_row(64) == 0
