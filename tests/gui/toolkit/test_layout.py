"""Rows, columns, grids, flows, stacks, pages and tables: places of widgets, which never overlap."""

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import example, given, strategies as st
from pygame import Rect

from othello.gui.toolkit.layout import Align, Column, FirstThatFits, Flow, Grid, Row, ScrollView, Spacer, Stack
from othello.gui.toolkit.style import Box, Style
from othello.gui.toolkit.table import TableColumn, column_places
from othello.gui.toolkit.text import Label
from othello.gui.toolkit.widget import LaidOutWidget, Widget, lay_out
from tests.gui.toolkit.widget_driver import PALETTE, SCALES, Brick

WIDE, HIGH = 300.0, 200.0
BRICKS = (Brick(), Brick())


def laid_out(panel: Widget, scale: float = 1.0, offset: float = 0.0, high: float = HIGH) -> LaidOutWidget:
    style = Style(scale, PALETTE)
    window = style.rect(Box(-50, -50, WIDE + 100, high + 100))
    return lay_out(panel, style, Box(0, 0, WIDE, high), window, {"page": offset})


def rects(panel: Widget, scale: float = 1.0) -> list[tuple[int, int, int, int]]:
    return [(*part.rect.topleft, *part.rect.size) for part in laid_out(panel, scale).parts]


def leaves(placed: LaidOutWidget) -> list[Rect]:
    return [each.rect for each in placed.walk() if not each.parts and each.rect.width and each.rect.height]


LAYOUTS: dict[str, tuple[Widget, list[tuple[int, int, int, int]]]] = {
    "growing widgets share the room of a row": (
        Row((Brick(wide=50), Spacer(grow=1), Spacer(grow=3), Brick(wide=40, high=30)), gap=10),
        [(0, 95, 50, 10), (60, 100, 45, 0), (115, 100, 135, 0), (260, 85, 40, 30)],
    ),
    "a row is as wide as its growing widgets need": (
        Align(Row((Brick(wide=40, grow=2), Brick(wide=30, grow=1)), gap=5), 0, 0),
        [(0, 0, 95, 10)],
    ),
    "growing widgets of a full column shrink": (
        Column((Brick(high=150), ScrollView(Brick(high=100), name="page", grow=1), Brick(high=20)), gap=0),
        [(0, 0, 300, 150), (0, 150, 300, 30), (0, 180, 300, 20)],
    ),
    "a growing column ends where its room ends": (
        Column((Brick(), Spacer(grow=1), *BRICKS), gap=6),
        [(0, 0, 300, 10), (0, 16, 300, 152), (0, 174, 300, 10), (0, 190, 300, 10)],
    ),
    "a growing column without gaps": (Column((Brick(), Spacer(grow=1)), gap=0), [(0, 0, 300, 10), (0, 10, 300, 190)]),
    "row, top": (Row((Brick(),), align="top"), [(0, 0, 10, 10)]),
    "row, middle": (Row((Brick(),), align="middle"), [(0, 95, 10, 10)]),
    "row, bottom": (Row((Brick(),), align="bottom"), [(0, 190, 10, 10)]),
    "row, fill": (Row((Brick(),), align="fill"), [(0, 0, 10, 200)]),
    "column, left": (Column(BRICKS, gap=5, align="left"), [(0, 0, 10, 10), (0, 15, 10, 10)]),
    "column, middle": (Column(BRICKS, gap=5, align="middle"), [(145, 0, 10, 10), (145, 15, 10, 10)]),
    "column, right": (Column(BRICKS, gap=5, align="right"), [(290, 0, 10, 10), (290, 15, 10, 10)]),
    "column, fill": (Column(BRICKS, gap=5, align="fill"), [(0, 0, 300, 10), (0, 15, 300, 10)]),
    "stack": (Stack((Brick(), Brick(20, 5))), [(0, 0, 300, 200)] * 2),
    "top right": (Align(Brick(), 1, 0), [(290, 0, 10, 10)]),
    "too large to align": (Align(Brick(400, 400)), [(0, 0, 300, 200)]),
    "too wide for a flow": (Flow([Brick(wide=400)]), [(0, 0, 300, 10)]),
    "gaps of a flow": (Flow([Brick(wide=100)] * 3, gap=5), [(0, 0, 148, 10), (153, 0, 147, 10), (0, 15, 300, 10)]),
    "a flow has as few rows as it can": (
        Flow([Brick(wide=80)] * 4, gap=0),
        [(0, 0, 150, 10), (150, 0, 150, 10), (0, 10, 150, 10), (150, 10, 150, 10)],
    ),
    "five in a flow": (
        Flow([Brick(wide=80)] * 5, gap=0),
        [(0, 0, 100, 10), (100, 0, 100, 10), (200, 0, 100, 10), (0, 10, 150, 10), (150, 10, 150, 10)],
    ),
    "a fixed width in a flow": (
        Flow((Spacer(width=100, height=10), Brick(wide=100)), gap=0),
        [(0, 0, 100, 10), (100, 0, 200, 10)],
    ),
    "a grid has equal cells": (
        Grid([Brick()] * 5, columns=3, gap=6),
        [(0, 0, 96, 97), (102, 0, 96, 97), (204, 0, 96, 97), (0, 103, 96, 97), (102, 103, 96, 97)],
    ),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_widgets_have_their_places(name: str) -> None:
    tree, expected = LAYOUTS[name]
    assert rects(tree) == expected


@pytest.mark.parametrize(
    ("tree", "size"),
    [
        (Grid([Brick()] * 5, columns=3, gap=6), (300, 26)),
        (Grid((), columns=3), (300, 0)),
        *((empty, (0, 0)) for empty in (Row(()), Column(()), Stack(()))),
        (Flow([Brick(wide=70)] * 4, gap=0), (300, 10)),
        (Flow([Brick(wide=80)] * 4, gap=0), (300, 20)),
        (FirstThatFits((Brick(301), Brick(300), Brick(200))), (300, 10)),
    ],
)
def test_widgets_have_their_sizes(tree: Widget, size: tuple[float, float]) -> None:
    assert tree.size(Style(1.0, PALETTE), 300) == size
    assert tree.min_width(Style(1.0, PALETTE)) <= size[0]


def test_words_at_the_right_of_a_row_shrink_first() -> None:
    words = Label("some words that take room")
    wide = words.size(Style(1.0, PALETTE), WIDE).width
    found = rects(Row((words, Spacer(width=WIDE - 1.5 * wide), words), gap=0))
    assert found[0][2] == round(wide)
    assert found[2][2] < wide


def test_the_first_widget_that_fits_is_used() -> None:
    assert laid_out(FirstThatFits((Brick(301), Brick(250, 201), Brick(200, 200)))).parts[0].widget == Brick(200, 200)
    assert laid_out(FirstThatFits((Brick(400), Brick(350)))).parts[0].widget == Brick(350)


@pytest.mark.parametrize("scale", SCALES)
def test_a_page_scrolls_to_the_end_of_its_content(scale: float) -> None:
    page = ScrollView(Column([Brick(high=100) for _ in range(5)], gap=0), name="page")
    for offset, top in ((0, 0), (130, -130), (9999, -300), (-5, 0)):
        found = laid_out(page, scale, offset)
        assert found.parts[0].rect.top == round(top * scale)
        assert all(each.clip == found.rect for each in found.parts[0].walk())
    below = laid_out(page, scale).parts[0].parts[4].rect
    assert laid_out(page, scale).path_to(below.center) == [], "hidden widgets get no clicks"
    short = laid_out(ScrollView(Brick(high=10), name="page"), scale, 50)
    assert short.parts[0].rect == short.rect


@given(st.floats(0.5, 3.0), st.floats(0, 500))
def test_adjacent_boxes_make_adjacent_rectangles_and_a_line_of_one_pixel_stays_visible(scale: float, x: float) -> None:
    style = Style(scale, PALETTE)
    assert abs(style.rect(Box(x, 0, 1, 1)).left - x * scale) <= 0.5
    one, two = style.rect(Box(x, x, 20, 20)), style.rect(Box(x + 20, x + 20, 10, 10))
    assert one.bottomright == two.topleft
    assert Style(1.0, PALETTE).rect(Box(0, round(x) / 2, 10, 1)).height == 1


def test_cached_sizes_belong_to_one_widget() -> None:
    style = Style(1.0, PALETTE)
    assert [Brick(wide=wide).size(style, 300).width for wide in range(100)] == [*range(100)]


SIZED = st.builds(Brick, wide=st.integers(1, 60), high=st.integers(1, 40), grow=st.sampled_from((0.0, 0.0, 1.0)))


def panels(children: st.SearchStrategy[Widget]) -> st.SearchStrategy[Widget]:
    lists, gaps = st.lists(children, min_size=1, max_size=4), st.sampled_from((0.0, 3.0, 8.0))
    aligns = st.sampled_from(("middle", "fill"))
    grow = st.just(1.0)  # a grid, for one, takes all the room that it is given
    return st.one_of(
        st.builds(Row, lists, gaps, aligns, grow=grow),
        st.builds(Column, lists, gaps, aligns, grow=grow),
        st.builds(Grid, lists, st.integers(1, 3), gaps, grow=grow),
        st.builds(Flow, lists, gaps, grow=grow),
        st.builds(ScrollView, children, name=st.just("page"), grow=grow),
        st.builds(Align, SIZED, grow=grow),
    )


TREES: st.SearchStrategy[Widget] = st.recursive(SIZED, panels, max_leaves=8)


def overlapping(found: Sequence[Rect]) -> list[tuple[Rect, Rect]]:
    return [pair for pair in itertools.combinations(found, 2) if pair[0].colliderect(pair[1])]


@example(
    Column([Row([Row([Brick(3, 1)], 0, grow=1), ScrollView(Brick(1, 1), name="page", grow=1)], 0, grow=1)], 0), 0.8
)
@given(TREES, st.sampled_from(SCALES))
def test_widgets_do_not_overlap_and_lie_inside_if_there_is_room(tree: Widget, scale: float) -> None:
    style = Style(scale, PALETTE)
    box = Box(0, 0, 4000, tree.size(style, 4000).height + 1)
    found = lay_out(tree, style, box, style.rect(box), {})
    assert overlapping(leaves(found)) == []
    assert [rect for rect in leaves(found) if not found.rect.contains(rect)] == []


TABLE = TableColumn("name", 0, 0, str, grows=True), *(TableColumn("", 0, 0, str, rank=rank) for rank in (2, 1))


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
    found = column_places(TABLE, (30, 20, 20), Rect(10, 0, width, 40), 5)
    assert {index: (place.left, place.width) for index, place in found.items()} == places


def test_a_column_without_a_text_is_named_by_its_declaration() -> None:
    assert TableColumn("newcomer", 0, 0, str).heading() == "newcomer"
    assert TableColumn("results", 0, 0, str).heading("Black", "White") == "Black – draw – White"
