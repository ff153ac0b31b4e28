"""The plan of the tour through the window; `python -m tests.tour` makes it."""

from itertools import combinations, product

from othello.gui.dialogs.dialog_registry import DIALOGS
from othello.gui.mode_registry import MODES
from tests import tour


def test_every_two_values_meet() -> None:
    columns = (("a", "b", "c"), (1, 2), ("x", "y", "z", "w"))
    rows = tour.pairwise(columns)
    assert len(rows) == 12
    for one, other in combinations(range(3), 2):
        assert {(row[one], row[other]) for row in rows} == set(product(columns[one], columns[other]))


def test_every_screen_is_visited_with_every_theme_language_and_size() -> None:
    plan = tour.stops()
    visits = tour.itineraries(plan)
    assert tour.screens().keys() >= MODES.keys() | DIALOGS.keys() | {"play", "help", "open", "save"}
    for screen in tour.screens():
        seen = [stop for stop, there in zip(plan, visits, strict=True) if screen in there]
        assert {stop.size for stop in seen} == set(tour.SIZES)
        for field in ("theme", "language", "text_size", "game"):
            assert {getattr(stop, field) for stop in seen} == {getattr(stop, field) for stop in plan}
