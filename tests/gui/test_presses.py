"""Presses every 20th pixel of every mode and dialog: the press reaches the visible widget there, and no other."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from othello.game import Game
from othello.gui import commands as gui
from othello.gui.commands import Toggle
from othello.gui.dialogs import dialog_registry
from othello.gui.dialogs.notices import ConfirmDialog
from othello.gui.mode_registry import MODES
from othello.gui.screen import Screen
from othello.gui.toolkit.inputs import MousePressed, MouseReleased, Point, RightMousePressed
from othello.gui.toolkit.layout import Card
from othello.gui.toolkit.widget import InputContext, LaidOutWidget, PaintContext, Widget
from othello.play import session_commands as cmd
from othello.play.referee import GameJob
from othello.play.worker import Worker
from othello.rules.othello import Othello
from othello.rules.registry import game_spec
from othello.tournament.background import BackgroundTournament, PersonInvited
from tests.gui.mistakes import played_badly, review
from tests.gui.tournament_driver import PLAYERS, OpenTournament, config_for
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON, computer
from tests.play.session_driver import PASS_AHEAD
from tests.positions import RULES, parse_board

_STEP = 20
_NOTHING = (255, 0, 255)
SIZES = [pytest.param((1280, 800), marks=pytest.mark.slow), (900, 600)]
DIALOGS = [*dialog_registry.DIALOGS, "new_game_forms", "open", "save", "menu", "keys", "question"]


def kinds(base: type[Widget] = Widget) -> Iterator[type[Widget]]:
    """All kinds of panels."""
    yield base
    for kind in base.__subclasses__():
        yield from kinds(kind)


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[Widget]:
    """Return the panels that have had an answer to a press."""
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

    def __init__(self, room: Screen) -> None:
        self.room, self.window = room, room.window
        self.points = [(x, y) for x in range(7, self.window.width, _STEP) for y in range(7, self.window.height, _STEP)]
        self.tree = list(room.widgets.walk(are_covered=True))
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
        return PaintContext(surface, self.room.style, placed.rect, inner=inner, input=InputContext(self.window))

    def _draw(self, placed: LaidOutWidget, surface: pygame.Surface) -> None:
        points = [point for point in self.points if placed.extent.collidepoint(point)]
        if points:
            surface.set_clip(placed.extent)
            surface.fill(_NOTHING)
            placed.widget.draw(self.canvas(placed, surface))
            is_ground = isinstance(placed.widget, Card) and placed.widget.fill is not None  # with round corners
            self.seen |= {point: placed for point in points if is_ground or surface.get_at(point)[:3] != _NOTHING}

    def hearer(self, at: Point, ask: str) -> Widget | None:
        """Return the widget that has to get a press at a point: the visible one, or else its parent."""
        for placed in self.around[id(self.seen[at].widget)]:
            if getattr(placed.widget, ask)(at, self.canvas(placed, pygame.Surface((1, 1)))) is not None:
                return placed.widget
            if placed.widget.takes_focus or placed.widget.is_modal:
                return None
        return None

    def is_inside(self, panel: Widget, other: Widget) -> bool:
        """Return whether a widget is another one or lies inside it: a part may be transparent."""
        return any(each.widget is other for each in self.around[id(panel)])

    def hides(self, panel: Widget, at: Point) -> bool:
        """Return whether another widget covers a widget at a point."""
        seen = self.seen[at].widget
        return self.order[id(seen)] > self.order[id(panel)] and not self.is_inside(seen, panel)


def press_everywhere(room: Screen, answers: list[Widget]) -> int:
    """Press both buttons at every 20th pixel, and say how often something followed."""
    picture, count = Picture(room), 0
    places = {id(each.widget): each for each in picture.tree}
    for at in picture.points:
        for ask, done in (("press", MousePressed(at)), ("press_right", RightMousePressed(at))):
            wanted = picture.hearer(at, ask)
            answers.clear()
            room.widgets.take(done, 0.0)
            heard = list(answers)
            room.widgets.take(MouseReleased(), 0.0)
            room.widgets.open_overlay = ""
            assert len(heard) <= 1
            assert wanted is None or (heard and picture.is_inside(heard[0], wanted)), (at, ask, wanted)
            for panel in heard:
                place = places[id(panel)]
                assert place.rect.collidepoint(at), (at, ask, panel)
                assert place.clip.collidepoint(at), (at, ask, panel)
                assert not picture.hides(panel, at), (at, ask, panel, picture.seen[at].widget)
            count += len(heard)
    return count


def underway(open_window: OpenWindow, size: tuple[int, int]) -> WindowDriver:
    driver = open_window(PERSON, PERSON, size)
    driver.type("d3c3c4c5")
    driver.session.do(cmd.Browse(-2), 0.0)
    driver.settle()
    return driver


def offered(open_window: OpenWindow, size: tuple[int, int]) -> WindowDriver:
    driver = underway(open_window, size)
    driver.do(gui.OfferBranch(driver.session.view.shown.legal_moves()[0]))
    return driver


def passing(open_window: OpenWindow, size: tuple[int, int]) -> WindowDriver:
    driver = open_window(PERSON, PERSON, size, start=Game.new(Othello(), parse_board(PASS_AHEAD)))
    driver.type("a1")
    driver.until(lambda: driver.session.announces_pass)
    driver.settle()
    return driver


def failed(open_window: OpenWindow, size: tuple[int, int]) -> WindowDriver:
    driver = open_window(computer("raising"), PERSON, size)
    driver.until(lambda: driver.session.worker.failure is not None)
    driver.settle()
    return driver


def over(open_window: OpenWindow, size: tuple[int, int]) -> WindowDriver:
    driver = open_window(PERSON, PERSON, size, start=Game.new(Othello(), parse_board("X" * 57 + "O" * 6 + "-X")))
    driver.type("h8")
    driver.settle()
    assert driver.has("again")
    return driver


def mistaken(open_window: OpenWindow, size: tuple[int, int]) -> WindowDriver:
    """Return a game that was judged, so that there is something to review and to train."""
    driver = played_badly(open_window)
    review(driver)
    driver.resize(size)
    return driver


STATES: list[tuple[str, OpenWindow]] = [
    *(("play", state) for state in (underway, over, offered, passing, failed)),
    *((mode, state) for mode in MODES if mode != "play" for state in (underway, over)),
    *((mode, mistaken) for mode in ("review", "train")),
]


@pytest.mark.parametrize(("mode", "state"), STATES)
@pytest.mark.parametrize("size", SIZES)
def test_only_what_is_seen_of_a_table_hears_of_a_press(
    open_window: OpenWindow, answers: list[Widget], size: tuple[int, int], mode: str, state: OpenWindow
) -> None:
    driver = state(open_window, size)
    driver.switch(mode)
    driver.do(Toggle("shows_values"))
    assert press_everywhere(driver.scene, answers) > 20


def asked(room: Screen, name: str) -> None:
    """Open a dialog."""
    if name == "question":
        room.enter_dialog(ConfirmDialog("Really?", "Nothing can be taken back.", "Yes", gui.Quit()))
    elif name == "keys":
        room.do(gui.PlainCommand.TOGGLE_HELP, 0.0)
    else:
        room.do(gui.Open(name.removesuffix("_forms")), 0.0)
    assert room.dialog is not None
    if name == "new_game_forms":
        room.dialog.on_control_changed("opponent.by_level", False)


@pytest.mark.parametrize("name", DIALOGS)
@pytest.mark.parametrize("size", SIZES)
def test_only_a_dialog_hears_of_a_press_and_only_its_buttons_close_it(
    open_window: OpenWindow,
    answers: list[Widget],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    size: tuple[int, int],
    name: str,
) -> None:
    monkeypatch.setenv("OTHELLO_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    driver = over(open_window, size)
    asked(driver.scene, name)
    driver.turn()
    dialog = driver.dialog()
    assert press_everywhere(driver.scene, answers) > 2
    title, beside = (dialog.rect.left + 40, dialog.rect.top + 8), (dialog.rect.left // 2, dialog.rect.centery)
    for button in (pygame.BUTTON_LEFT, pygame.BUTTON_RIGHT):
        driver.click(title, button)
        assert driver.scene.dialog is dialog
    driver.click(beside)
    assert (driver.scene.dialog is None) == (name == "keys"), "the list of keys is closed by a click beside it, too"


@pytest.mark.parametrize("state", ["watched", "invited", "asked", "over"])
@pytest.mark.parametrize("size", SIZES)
def test_only_what_is_seen_of_a_tournament_hears_of_a_press(
    open_tournament: OpenTournament,
    answers: list[Widget],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    size: tuple[int, int],
    state: str,
) -> None:
    monkeypatch.setattr(Worker, "prepare", lambda *_: None)
    players = (PERSON, PLAYERS[1]) if state == "invited" else PLAYERS
    if state != "over":
        monkeypatch.setattr(BackgroundTournament, "start", lambda _: None)
    driver = open_tournament(replace(config_for(tmp_path, 1), players=players), size)
    if state == "invited":
        job = GameJob(1, 1, (players[0], players[1]), game_spec(), 1)
        driver.scene.state.invitation = PersonInvited(job, Game.new(RULES))
    elif state == "asked":
        driver.press("stop")
    elif state == "over":
        driver.until_end()
    driver.turn()
    assert press_everywhere(driver.active_screen, answers) > 2


def test_what_is_seen_beside_the_result_can_be_used(open_window: OpenWindow) -> None:
    driver = over(open_window, (1280, 800))
    driver.press("undo")
    assert not driver.session.referee.is_over


def test_a_press_on_the_result_beside_its_buttons_changes_nothing(open_window: OpenWindow) -> None:
    driver = over(open_window, (1280, 800))
    card = driver.placed("again").rect
    driver.click((card.left - driver.scene.style.px(10), card.centery))
    assert driver.has("again")
    assert driver.session.view.is_at_latest


def test_a_press_beside_an_offer_takes_the_offer_back(open_window: OpenWindow) -> None:
    driver = offered(open_window, (1280, 800))
    driver.click(driver.placed("play_offered").rect.move(0, -40).midleft)
    assert driver.has("play_offered"), "on the card itself nothing follows"
    driver.click_square("a1")
    assert not driver.has("play_offered")


def test_a_right_press_is_not_for_what_lies_below_an_open_list(open_window: OpenWindow, answers: list[Widget]) -> None:
    driver = underway(open_window, (1280, 800))
    driver.switch("analyse")
    driver.press("engine")
    assert driver.scene.widgets.open_overlay == "engine"
    for each in Picture(driver.scene).points:
        assert driver.scene.widgets.take(RightMousePressed(each), 0.0) == []
