"""Nothing is cut off and nothing overlaps at any window size."""

from itertools import combinations

import pytest

from othello.gui.actions import Context, offered
from othello.gui.commands import Toggle
from othello.gui.platform import window
from othello.gui.platform.window import scale_for
from othello.gui.toolkit.layout import Card
from othello.gui.toolkit.text import Label
from othello.gui.widgets.board_widget import BOARD
from othello.gui.widgets.move_list import MOVES
from othello.gui.widgets.side_cards import ScoreBar, SideCard
from othello.texts import tr
from tests.gui.window_driver import SIZES, OpenWindow
from tests.play.fake_players import PERSON


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("with_search", [False, True])
def test_everything_is_inside_and_apart(open_window: OpenWindow, size: tuple[int, int], with_search: bool) -> None:
    driver = open_window(PERSON, PERSON, size)
    if with_search:
        driver.do(Toggle("shows_values"))
    placed = [*driver.scene.widgets.walk()]
    kinds = (SideCard, ScoreBar)
    title = [each for each in placed if isinstance(each.widget, Label) and each.widget.words == tr("search.title")]
    search = [each for each in placed if isinstance(each.widget, Card) and any(part in title for part in each.walk())]
    names = {BOARD, MOVES, "status"} | {name for name in offered(Context.GAME) if not name.startswith("hand_")}
    areas = [each.rect for each in placed if isinstance(each.widget, kinds) or each.widget.name in names]
    areas += [each.rect for each in search[-1:]]
    assert len(search) == with_search
    assert len(areas) > 25
    for area in areas:
        assert driver.scene.window.contains(area), area
        assert area.width > 0
        assert area.height > 0
    for one, other in combinations(areas, 2):
        assert not one.colliderect(other), (one, other)
    cards = [each.rect for each in placed if isinstance(each.widget, SideCard)]
    for color, card in zip(("black", "white"), cards, strict=True):
        assert card.contains(driver.scene.widgets.place_of(f"hand_{color}"))


@pytest.mark.parametrize("size", SIZES)
def test_the_board_is_as_large_as_there_is_room(open_window: OpenWindow, size: tuple[int, int]) -> None:
    driver = open_window(PERSON, PERSON, size)
    board, place = driver.placed(BOARD).rect, driver.board_place
    assert board.contains(place.grid)
    assert place.grid.width == 8 * place.cell
    assert board.height > 0.5 * min(size[1], size[0] - driver.placed(MOVES).rect.width)


def test_squares_are_found_where_they_are_drawn(open_window: OpenWindow) -> None:
    place = open_window(PERSON, PERSON).board_place
    for square in range(64):
        rect = place.square_rect(square)
        for point in (rect.topleft, rect.center, (rect.right - 1, rect.bottom - 1)):
            assert place.square_at(point) == square
    assert place.square_at((place.grid.left - 1, place.grid.top)) is None
    assert place.square_at(place.grid.bottomright) is None


def test_text_grows_with_the_desktops_scale_alone(open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [scale_for(size) for size in ((900, 600), (1280, 800), (2560, 1600))] == [1.0, 1.0, 1.0]
    monkeypatch.setattr(window, "desktop_scale", lambda: 2.0)
    assert [scale_for(size) for size in ((900, 600), (1280, 800), (1920, 1200), (5120, 3200))] == [1.0, 1.0, 1.5, 2.0]
    assert open_window(PERSON, PERSON, (2560, 1600)).scene.style.scale == 2.0


@pytest.mark.parametrize(
    ("variable", "text", "scale"),
    [
        ("GDK_SCALE", "2", 2.0),
        ("QT_SCALE_FACTOR", "1.5", 1.5),
        ("GDK_SCALE", "-1", 1.0),
        ("GDK_SCALE", "1e9", 1.0),
        ("QT_SCALE_FACTOR", "90", 4.0),
    ],
)
def test_the_desktop_may_say_its_scale(monkeypatch: pytest.MonkeyPatch, variable: str, text: str, scale: float) -> None:
    monkeypatch.setenv(variable, text)
    window.desktop_scale.cache_clear()
    assert window.desktop_scale() == scale
    window.desktop_scale.cache_clear()
