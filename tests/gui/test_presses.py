"""Every 20th pixel of every mode and dialog is pressed: what is seen there hears of the press, and nothing else."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from othello.game import Game
from othello.gui import commands as gui
from othello.gui import modes
from othello.gui.commands import Toggle
from othello.gui.dialogs.notices import Question
from othello.gui.room import Room
from othello.gui.toolkit.card import Card
from othello.gui.toolkit.inputs import Point, PressAt, PressRight, Release
from othello.gui.toolkit.panel import Canvas, Hand, Panel, Placed
from othello.play import commands as play
from othello.play.referee import Job
from othello.play.worker import Worker
from othello.rules.othello import Othello
from othello.rules.registry import game_spec
from othello.tournament.watched import PersonInvited, WatchedTournament
from tests.gui.desk import Desk
from tests.gui.hall import PLAYERS, Hall, config_for
from tests.gui.mistakes import played_badly, review
from tests.play.faulty import PERSON, computer
from tests.play.table import PASS_AHEAD
from tests.positions import RULES, parse_board

_STEP = 20
_NOTHING = (255, 0, 255)
SIZES = [pytest.param((1280, 800), marks=pytest.mark.slow), (900, 600)]
DIALOGS = [*modes.DIALOGS, "new_game_forms", "open", "save", "menu", "keys", "question"]

Sit = Callable[..., Desk]


def kinds(base: type[Panel] = Panel) -> Iterator[type[Panel]]:
    """All kinds of panels."""
    yield base
    for kind in base.__subclasses__():
        yield from kinds(kind)


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[Panel]:
    """The panels that have had an answer to a press."""
    found: list[Panel] = []

    def noting(press: Callable[..., object]) -> Callable[..., object]:
        def press_and_note(self: Panel, at: Point, on: Canvas) -> object:
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
    """What is seen of a window: of each point, which panel was drawn there last."""

    def __init__(self, room: Room) -> None:
        self.room, self.window = room, room.window
        self.points = [(x, y) for x in range(7, self.window.width, _STEP) for y in range(7, self.window.height, _STEP)]
        self.tree = list(room.stage.panels(are_covered=True))
        self.order = {id(each.panel): index for index, each in enumerate(self.tree)}
        self.around: dict[int, tuple[Placed, ...]] = {}
        self._go_in(self.tree[0], ())
        self.seen = dict.fromkeys(self.points, self.tree[0])
        surface = pygame.Surface(self.window.size)
        for placed in self.tree:
            self._draw(placed, surface)

    def _go_in(self, placed: Placed, around: tuple[Placed, ...]) -> None:
        self.around[id(placed.panel)] = (placed, *around)
        for part in placed.parts:
            self._go_in(part, (placed, *around))

    def canvas(self, placed: Placed, surface: pygame.Surface) -> Canvas:
        inner = placed.parts[0].rect if placed.parts else None
        return Canvas(surface, self.room.style, placed.rect, inner=inner, hand=Hand(self.window))

    def _draw(self, placed: Placed, surface: pygame.Surface) -> None:
        points = [point for point in self.points if placed.extent.collidepoint(point)]
        if points:
            surface.set_clip(placed.extent)
            surface.fill(_NOTHING)
            placed.panel.draw(self.canvas(placed, surface))
            is_ground = isinstance(placed.panel, Card) and placed.panel.fill is not None  # with round corners
            self.seen |= {point: placed for point in points if is_ground or surface.get_at(point)[:3] != _NOTHING}

    def hearer(self, at: Point, ask: str) -> Panel | None:
        """Who is to hear of a press at a point: what is seen there, else what that lies in."""
        for placed in self.around[id(self.seen[at].panel)]:
            if getattr(placed.panel, ask)(at, self.canvas(placed, pygame.Surface((1, 1)))) is not None:
                return placed.panel
            if placed.panel.takes_focus or placed.panel.is_modal:
                return None
        return None

    def is_inside(self, panel: Panel, other: Panel) -> bool:
        """Whether a panel is another one, or lies inside: a part may be seen through."""
        return any(each.panel is other for each in self.around[id(panel)])

    def hides(self, panel: Panel, at: Point) -> bool:
        """Whether something else is seen over a panel at a point."""
        seen = self.seen[at].panel
        return self.order[id(seen)] > self.order[id(panel)] and not self.is_inside(seen, panel)


def press_everywhere(room: Room, answers: list[Panel]) -> int:
    """Press both buttons at every 20th pixel, and say how often something followed."""
    picture, count = Picture(room), 0
    places = {id(each.panel): each for each in picture.tree}
    for at in picture.points:
        for ask, done in (("press", PressAt(at)), ("press_right", PressRight(at))):
            wanted = picture.hearer(at, ask)
            answers.clear()
            room.stage.take(done, 0.0)
            heard = list(answers)
            room.stage.take(Release(), 0.0)
            room.stage.opened = ""
            assert len(heard) <= 1
            assert wanted is None or (heard and picture.is_inside(heard[0], wanted)), (at, ask, wanted)
            for panel in heard:
                place = places[id(panel)]
                assert place.rect.collidepoint(at), (at, ask, panel)
                assert place.clip.collidepoint(at), (at, ask, panel)
                assert not picture.hides(panel, at), (at, ask, panel, picture.seen[at].panel)
            count += len(heard)
    return count


def underway(sit_down: Sit, size: tuple[int, int]) -> Desk:
    desk = sit_down(PERSON, PERSON, size)
    desk.type("d3c3c4c5")
    desk.session.do(play.Browse(-2), 0.0)
    desk.settle()
    return desk


def offered(sit_down: Sit, size: tuple[int, int]) -> Desk:
    desk = underway(sit_down, size)
    desk.scene.do(gui.Offer(desk.session.view.shown.legal_moves()[0]), 0.0)
    desk.turn()
    return desk


def passing(sit_down: Sit, size: tuple[int, int]) -> Desk:
    desk = sit_down(PERSON, PERSON, size, start=Game.new(Othello(), parse_board(PASS_AHEAD)))
    desk.type("a1")
    desk.until(lambda: desk.session.announces_pass)
    desk.settle()
    return desk


def failed(sit_down: Sit, size: tuple[int, int]) -> Desk:
    desk = sit_down(computer("raising"), PERSON, size)
    desk.until(lambda: desk.session.worker.failure is not None)
    desk.settle()
    return desk


def over(sit_down: Sit, size: tuple[int, int]) -> Desk:
    desk = sit_down(PERSON, PERSON, size, start=Game.new(Othello(), parse_board("X" * 57 + "O" * 6 + "-X")))
    desk.type("h8")
    desk.settle()
    assert desk.has("again")
    return desk


def mistaken(sit_down: Sit, size: tuple[int, int]) -> Desk:
    """A game that was judged, so that there is something to review and to train."""
    desk = played_badly(sit_down)
    review(desk)
    desk.resize(size)
    return desk


STATES: list[tuple[str, Callable[..., Desk]]] = [
    *(("play", state) for state in (underway, over, offered, passing, failed)),
    *((mode, state) for mode in modes.MODES if mode != "play" for state in (underway, over)),
    *((mode, mistaken) for mode in ("review", "train")),
]


@pytest.mark.parametrize(("mode", "state"), STATES)
@pytest.mark.parametrize("size", SIZES)
def test_only_what_is_seen_of_a_table_hears_of_a_press(
    sit_down: Sit, answers: list[Panel], size: tuple[int, int], mode: str, state: Callable[..., Desk]
) -> None:
    desk = state(sit_down, size)
    desk.scene.do(gui.SwitchMode(mode), 0.0)
    desk.scene.do(Toggle("shows_values"), 0.0)
    desk.turn()
    assert press_everywhere(desk.scene, answers) > 20


def asked(room: Room, name: str) -> None:
    """Open a dialog."""
    if name == "question":
        room.enter_dialog(Question("Really?", "Nothing can be taken back.", "Yes", gui.Quit()))
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
    sit_down: Sit,
    answers: list[Panel],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    size: tuple[int, int],
    name: str,
) -> None:
    monkeypatch.setenv("OTHELLO_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    desk = over(sit_down, size)
    asked(desk.scene, name)
    desk.turn()
    dialog = desk.scene.dialog
    assert dialog is not None
    assert press_everywhere(desk.scene, answers) > 2
    title, beside = (dialog.rect.left + 40, dialog.rect.top + 8), (dialog.rect.left // 2, dialog.rect.centery)
    for button in (pygame.BUTTON_LEFT, pygame.BUTTON_RIGHT):
        desk.click(title, button)
        assert desk.scene.dialog is dialog
    desk.click(beside)
    assert (desk.scene.dialog is None) == (name == "keys"), "the list of keys is closed by a click beside it, too"


@pytest.mark.parametrize("state", ["watched", "invited", "asked", "over"])
@pytest.mark.parametrize("size", SIZES)
def test_only_what_is_seen_of_a_tournament_hears_of_a_press(
    enter: Callable[..., Hall],
    answers: list[Panel],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    size: tuple[int, int],
    state: str,
) -> None:
    monkeypatch.setattr(Worker, "prepare", lambda *_: None)
    players = (PERSON, PLAYERS[1]) if state == "invited" else PLAYERS
    if state != "over":
        monkeypatch.setattr(WatchedTournament, "start", lambda _: None)
    hall = enter(replace(config_for(tmp_path, 1), players=players), size)
    if state == "invited":
        job = Job(1, 1, (players[0], players[1]), game_spec(), 1)
        hall.scene.following.invitation = PersonInvited(job, Game.new(RULES))
    elif state == "asked":
        hall.press("stop")
    elif state == "over":
        hall.until_end()
    hall.turn()
    assert press_everywhere(hall.front, answers) > 2


def test_what_is_seen_beside_the_result_can_be_used(sit_down: Sit) -> None:
    desk = over(sit_down, (1280, 800))
    desk.press("undo")
    assert not desk.session.referee.is_over


def test_a_press_on_the_result_beside_its_buttons_changes_nothing(sit_down: Sit) -> None:
    desk = over(sit_down, (1280, 800))
    card = desk.placed("again").rect
    desk.click((card.left - desk.scene.style.px(10), card.centery))
    assert desk.has("again")
    assert desk.session.view.is_at_latest


def test_a_press_beside_an_offer_takes_the_offer_back(sit_down: Sit) -> None:
    desk = offered(sit_down, (1280, 800))
    desk.click(desk.placed("play_offered").rect.move(0, -40).midleft)
    assert desk.has("play_offered"), "on the card itself nothing follows"
    desk.click_square("a1")
    assert not desk.has("play_offered")


def test_a_right_press_is_not_for_what_lies_below_an_open_list(sit_down: Sit, answers: list[Panel]) -> None:
    desk = underway(sit_down, (1280, 800))
    desk.scene.do(gui.SwitchMode("analyse"), 0.0)
    desk.turn()
    desk.press("engine")
    assert desk.scene.stage.opened == "engine"
    for each in Picture(desk.scene).points:
        assert desk.scene.stage.take(PressRight(each), 0.0) == []
