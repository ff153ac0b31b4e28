"""Presses every 20th pixel of every mode and dialog: the press reaches the visible widget there, and no other."""

from collections.abc import Callable, Iterator
from itertools import product

import pygame
import pytest

from othello.gui.dialogs.help import HelpDialog
from othello.gui.screen import Screen
from othello.gui.toolkit.inputs import MousePressed, MouseReleased, Point, RightMousePressed
from othello.gui.toolkit.layout import Card
from othello.gui.toolkit.widget import InputContext, LaidOutWidget, PaintContext, Widget
from tests.gui.scenes import SCENES, Opener, in_mode, offered, over

_STEP = 20
_NOTHING = (255, 0, 255)
SIZES = [pytest.param((1280, 800), marks=pytest.mark.slow), (900, 600)]


def kinds(base: type[Widget] = Widget) -> Iterator[type[Widget]]:
    yield base
    for kind in base.__subclasses__():
        yield from kinds(kind)


@pytest.fixture
def received(monkeypatch: pytest.MonkeyPatch) -> list[Widget]:
    found: list[Widget] = []

    def noting(press: Callable[..., object]) -> Callable[..., object]:
        def press_and_note(self: Widget, at: Point, on: PaintContext) -> object:
            answer = press(self, at, on)
            found.extend([] if answer is None else [self])
            return answer

        return press_and_note

    for kind in kinds():
        for name in ("press", "press_right"):
            if name in vars(kind):
                monkeypatch.setattr(kind, name, noting(vars(kind)[name]))
    return found


class Picture:
    """A window as a map: for each point, the widget that was drawn there last."""

    def __init__(self, screen: Screen) -> None:
        self.screen, self.window = screen, screen.window
        self.points = [(x, y) for x in range(7, self.window.width, _STEP) for y in range(7, self.window.height, _STEP)]
        self.tree = list(screen.widgets.walk(are_covered=True))
        self.order = {id(each.widget): index for index, each in enumerate(self.tree)}
        self.around: dict[int, tuple[LaidOutWidget, ...]] = {}
        self._go_in(self.tree[0], ())
        self.seen = dict.fromkeys(self.points, self.tree[0])
        surface = pygame.Surface(self.window.size)
        for placed in self.tree:
            self._draw(placed, surface)

    def _go_in(self, placed: LaidOutWidget, around: tuple[LaidOutWidget, ...]) -> None:
        self.around[id(placed.widget)] = (placed, *around)
        for part in placed.parts:
            self._go_in(part, (placed, *around))

    def canvas(self, placed: LaidOutWidget, surface: pygame.Surface) -> PaintContext:
        inner = placed.parts[0].rect if placed.parts else None
        return PaintContext(surface, self.screen.style, placed.rect, inner=inner, input=InputContext(self.window))

    def _draw(self, placed: LaidOutWidget, surface: pygame.Surface) -> None:
        points = [point for point in self.points if placed.extent.collidepoint(point)]
        if points:
            surface.set_clip(placed.extent)
            surface.fill(_NOTHING)
            placed.widget.draw(self.canvas(placed, surface))
            is_ground = isinstance(placed.widget, Card) and placed.widget.fill is not None  # with round corners
            self.seen |= {point: placed for point in points if is_ground or surface.get_at(point)[:3] != _NOTHING}

    def receiver(self, at: Point, ask: str) -> Widget | None:
        """Return the widget that must receive a press at a point: the visible one or its closest parent that does."""
        for placed in self.around[id(self.seen[at].widget)]:
            if getattr(placed.widget, ask)(at, self.canvas(placed, pygame.Surface((1, 1)))) is not None:
                return placed.widget
            if placed.widget.takes_focus or placed.widget.is_modal:
                return None
        return None

    def is_inside(self, panel: Widget, other: Widget) -> bool:
        """Return whether a widget is another one or inside it, because a part may be transparent."""
        return any(each.widget is other for each in self.around[id(panel)])

    def hides(self, panel: Widget, at: Point) -> bool:
        seen = self.seen[at].widget
        return self.order[id(seen)] > self.order[id(panel)] and not self.is_inside(seen, panel)


def press_everywhere(screen: Screen, received: list[Widget]) -> int:
    """Press both buttons at every 20th pixel, and return how many presses had a receiver."""
    picture, count = Picture(screen), 0
    places = {id(each.widget): each for each in picture.tree}
    for at in picture.points:
        for ask, done in (("press", MousePressed(at)), ("press_right", RightMousePressed(at))):
            wanted = picture.receiver(at, ask)
            received.clear()
            screen.widgets.take(done, 0.0)
            reached = list(received)
            screen.widgets.take(MouseReleased(), 0.0)
            screen.widgets.open_overlay = ""
            assert len(reached) <= 1
            assert wanted is None or (reached and picture.is_inside(reached[0], wanted)), (at, ask, wanted)
            for panel in reached:
                place = places[id(panel)]
                assert place.rect.collidepoint(at), (at, ask, panel)
                assert place.clip.collidepoint(at), (at, ask, panel)
                assert not picture.hides(panel, at), (at, ask, panel, picture.seen[at].widget)
            count += len(reached)
    return count


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("size", SIZES)
def test_only_the_visible_widget_receives_a_press(
    opener: Opener, received: list[Widget], size: tuple[int, int], scene: str
) -> None:
    driver = SCENES[scene](opener._replace(size=size))
    opened = driver.screen.dialog
    assert press_everywhere(driver.screen, received) > 1
    if opened is not None:
        outside = opened.rect.left // 2, opened.rect.centery
        for at, button in product(((opened.rect.left + 40, opened.rect.top + 8), outside), (1, 3)):
            if at != outside or button == pygame.BUTTON_LEFT:
                driver.click(at, button)
            assert (driver.screen.dialog is None) == (at == outside and isinstance(opened, HelpDialog)), (
                "only the help is closed by a click beside it"
            )


def test_clicks_on_the_card_of_a_result_or_an_offer_stay_there(opener: Opener) -> None:
    driver = over(opener)
    card = driver.placed("again").rect
    driver.click((card.left - driver.scene.style.px(10), card.centery))
    assert driver.has("again")
    assert driver.session.view.is_at_latest
    driver.press("undo")
    assert not driver.session.referee.is_over, "buttons beside the result work"
    driver = offered(opener)
    driver.click(driver.placed("play_offered").rect.move(0, -40).midleft)
    assert driver.has("play_offered")
    driver.click_square("a1")
    assert not driver.has("play_offered")


def test_a_right_click_does_not_reach_widgets_below_an_open_list(opener: Opener) -> None:
    driver = in_mode("analyse", opener)
    driver.press("engine")
    assert driver.scene.widgets.open_overlay == "engine"
    for each in Picture(driver.scene).points:
        assert driver.scene.widgets.take(RightMousePressed(each), 0.0) == []
