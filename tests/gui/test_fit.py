"""For every window size, text size, theme and language: nothing is cut off, overlaps or is out of reach."""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pygame
import pytest
from pygame import Rect

from othello import texts
from othello.errors import Reason
from othello.game import Game
from othello.gui import actions, commands as gui, labels
from othello.gui.actions import Context
from othello.gui.boards.renderer import renderer_for
from othello.gui.commands import Toggle
from othello.gui.dialogs.dialog import Dialog
from othello.gui.dialogs.program_dialogs import ProgramsDialog
from othello.gui.modes.analyse.curve import CURVE
from othello.gui.modes.editor.editor_widgets import PieceChoice
from othello.gui.modes.review.review_widgets import ScoreCard
from othello.gui.modes.train.exercise_text import Verdict
from othello.gui.modes.train.train_widgets import StepBox
from othello.gui.platform.window import scale_for
from othello.gui.preferences import palette_named, theme_names
from othello.gui.screens.tournament.standings_widgets import LiveBoard, TournamentScreenLayout
from othello.gui.toolbar import Logo, Toolbar
from othello.gui.toolkit.controls import Button
from othello.gui.toolkit.layout import Align, Card, Spacer
from othello.gui.toolkit.style import Style
from othello.gui.toolkit.widget import LaidOutWidget, PaintContext
from othello.gui.widgets.board_widget import BOARD
from othello.gui.widgets.move_list import MOVES
from othello.gui.widgets.side_cards import ScoreBar, SideCard
from othello.play import session_commands as cmd
from othello.play.referee import GameJob
from othello.play.worker import Worker
from othello.players.conformance import ProgramTest
from othello.players.player_registry import configure, type_title
from othello.programs.program_registry import register
from othello.rules.othello import Othello
from othello.rules.protocol import Color
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.texts import tr
from othello.tournament.background import BackgroundTournament, PersonInvited
from tests.gui.mistakes import played_badly, review
from tests.gui.tournament_driver import OpenTournament, TournamentDriver, config_for
from tests.gui.window_driver import OpenWindow, WindowDriver, draw_part
from tests.play.fake_players import PERSON, FirstMove, computer
from tests.play.session_driver import PASS_AHEAD
from tests.positions import RULES, SPEC, parse_board
from tests.programs.registered import opponent
from tests.tour import pairwise

SIZES = [(900, 600), (900, 548), (1280, 736), (2560, 1600), (900, 1500)]
TEXTS = [0.8, 1.2, 1.5, 2.0]
LANGUAGES = ["en", "de"]  # German has the longest words
OTHERS = [language for language in texts.languages() if language not in LANGUAGES]
PLACES = [Context.GAME, Context.TOURNAMENT_GAME]
WINDOWS = [
    ((900, 600), 200),
    ((900, 600), 100),
    ((1280, 736), 120),
    ((1280, 800), 150),
    ((2560, 1600), 150),
    ((2560, 1600), 80),
    ((900, 1500), 200),
]
DIALOGS = [
    "new_game",
    "new_game_people",
    "new_game_forms",
    "new_game_more",
    "settings",
    "about",
    "tournament",
    "tournament_more",
]
DIALOGS += ["open", "save", "results", "menu", "keys", "how_to_play", "programs", "programs_tried"]


def combined(columns: Sequence[Sequence[Any]]) -> list[Any]:
    """Rows in which every two values meet. Other languages than the longest are left to the slow run."""
    return [*pairwise(columns), *slowly([OTHERS if column is LANGUAGES else column for column in columns])]


def slowly(columns: Sequence[Sequence[Any]]) -> list[Any]:
    """Such rows for the slow run."""
    return [pytest.param(*row, marks=pytest.mark.slow) for row in pairwise(columns)]


def overlapping(places: Mapping[str, Rect]) -> list[tuple[str, str]]:
    return [
        (one, two)
        for one, two in itertools.combinations(places, 2)
        if places[one].inflate(-2, -2).colliderect(places[two])
    ]


def buttons_in(placed: LaidOutWidget) -> dict[str, LaidOutWidget]:
    found = (each for each in placed.walk() if isinstance(each.widget, Button))
    return {each.widget.name: each for each in found if not isinstance(each.widget, LiveBoard)}


def rects(placed: Mapping[str, LaidOutWidget]) -> dict[str, Rect]:
    return {name: each.rect for name, each in placed.items()}


def too_wide(style: Style, buttons: Mapping[str, LaidOutWidget], where: Context) -> list[str]:
    narrow = []
    for name, each in buttons.items():
        assert isinstance(each.widget, Button)
        if type(each.widget) is not Button:
            continue  # a choice of the editor leaves its words out where its picture says enough
        size, is_bold = each.widget._letters
        if any(style.width(word, size, is_bold) > each.rect.width - style.px(6) for word in actions.words(name, where)):
            narrow.append(name)
    return narrow


def scrolled(driver: WindowDriver | TournamentDriver) -> Iterator[None]:
    driver.scene.widgets.to_top()
    yield
    while driver.scene.widgets.scroll_rows(1):
        yield


def seen_in(placed: LaidOutWidget) -> dict[str, Rect]:
    return {name: each.rect for name, each in buttons_in(placed).items() if each.clip.contains(each.rect)}


def window_with(
    open_window: OpenWindow, size: tuple[int, int], text: float, language: str, **more: Any
) -> WindowDriver:
    driver = open_window(PERSON, PERSON, size, **more)
    preferences = driver.scene.preferences
    preferences.value = replace(preferences.value, text_size=round(100 * text), language=language)
    driver.do(gui.PlainCommand.APPLY_PREFERENCES)
    return driver


@pytest.mark.parametrize(
    ("size", "text", "language", "where", "game"), combined((SIZES, TEXTS, LANGUAGES, PLACES, [*GAMES]))
)
def test_a_game_fits_or_scrolls(
    open_window: OpenWindow, size: tuple[int, int], text: float, language: str, where: Context, game: str
) -> None:
    driver = window_with(open_window, size, text, language, spec=game_spec(game))
    referee = driver.session.referee
    referee.job = replace(referee.job, time_margin_seconds=0.0 if where is Context.TOURNAMENT_GAME else None)
    driver.turn()
    scene, stage = driver.scene, driver.scene.widgets
    assert scene.base_context is where
    assert scene.style.scale == scale_for(size) * text  # nothing is smaller than asked for
    bar = next(each for each in stage.walk() if isinstance(each.widget, Toolbar))
    board, status = driver.placed(BOARD).rect, driver.placed("status").rect
    assert board.width > 0.4 * min(size[0], size[1] - bar.rect.height - status.height)

    def offered() -> dict[str, Rect]:
        return {name: rect for name, rect in seen_in(next(stage.walk())).items() if not name.startswith("hand_")}

    seen: set[str] = set()
    for _ in scrolled(driver):
        shown = offered()
        seen |= shown.keys()
        assert [name for name, rect in shown.items() if not scene.window.contains(rect)] == []
        assert overlapping({**shown, "board": board, "status": status}) == []
    buttons = buttons_in(next(stage.walk()))
    assert seen == buttons.keys() - {"hand_black", "hand_white"}
    assert too_wide(scene.style, buttons, where) == []
    kinds = [each for each in stage.walk() if isinstance(each.widget, SideCard | ScoreBar)]
    assert overlapping({str(index): each.rect for index, each in enumerate([*kinds, driver.placed(MOVES)])}) == []
    for _ in range(2):
        assert driver.placed(MOVES).rect.height >= scene.style.px(80)
        driver.do(Toggle("shows_values"))


@pytest.mark.parametrize(
    ("size", "text", "language", "count", "where"),
    combined((SIZES, TEXTS, LANGUAGES, [2, 12], [Context.STANDINGS, Context.STANDINGS_WITH_PERSON])),
)
def test_a_tournament_fits_or_scrolls(
    open_tournament: OpenTournament,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    size: tuple[int, int],
    text: float,
    language: str,
    count: int,
    where: Context,
) -> None:
    monkeypatch.setattr(BackgroundTournament, "start", lambda _: None)
    monkeypatch.setattr(Worker, "prepare", lambda *_: None)
    others = (configure("random", name=f"player {number}") for number in range(count - 1))
    players = (PERSON if where is Context.STANDINGS_WITH_PERSON else configure("random"), *others)
    driver = open_tournament(replace(config_for(tmp_path, 1), players=players), size)
    scene = driver.scene
    scene.preferences.value = replace(scene.preferences.value, text_size=round(100 * text), language=language)
    if where is Context.STANDINGS_WITH_PERSON:
        job = GameJob(1, 1, (players[0], players[1]), game_spec(), 1)
        scene.state.invitation = PersonInvited(job, Game.new(RULES))
    driver.do(gui.PlainCommand.APPLY_PREFERENCES)
    assert scene.base_context is where
    assert scene.style.scale == scale_for(size) * text

    def places() -> LaidOutWidget:
        return next(each for each in driver.screen.widgets.walk() if isinstance(each.widget, TournamentScreenLayout))

    buttons = buttons_in(places())
    assert buttons.keys() == {"hold", "stop", "games", "report"} | (
        {"begin"} if where is Context.STANDINGS_WITH_PERSON else set()
    )
    assert too_wide(scene.style, buttons, where) == []
    assert overlapping(rects(buttons)) == []
    seen: set[str] = set()
    for _ in scrolled(driver):
        seen |= seen_in(places()).keys()
    assert seen == buttons.keys()
    for card in (each for each in places().walk() if isinstance(each.widget, Card)):
        assert all(card.rect.contains(each.rect) for each in card.walk())


@pytest.fixture
def shortened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the words that had to be cut, or made smaller; in other languages than the usual ones, cut."""
    cut: list[str] = []
    fit, first_that_fits = Style.fit, Style.largest

    def noted(self: Style, text: str, size: float, width: int, bold: bool = False) -> str:
        result = fit(self, text, size, width, bold)
        if result != text:
            cut.append(text)
        return result

    def largest(self: Style, text: str, sizes: Sequence[float], width: int, bold: bool = False) -> float:
        if texts.language() not in LANGUAGES:
            return first_that_fits(self, text, sizes, width, bold)
        if self.width(text, sizes[0], bold) > width:
            cut.append(text)
        return sizes[0]

    monkeypatch.setattr(Style, "fit", noted)
    monkeypatch.setattr(Style, "largest", largest)
    return cut


def check(dialog: Dialog, window: Rect) -> None:
    """Assert that all of a dialog is visible or can be scrolled to, and that nothing overlaps."""
    assert window.contains(dialog.rect)
    tree = dialog.widgets.find("dialog")
    assert tree is not None
    leaves = [each for each in tree.walk() if not each.parts and not isinstance(each.widget, Spacer)]
    across = dialog.rect.left, dialog.rect.right
    assert [each.widget for each in leaves if each.rect.left < across[0] or each.rect.right > across[1]] == []
    assert [each.widget.name for each in leaves if each.widget.takes_focus and not each.rect.width] == []
    pairs = itertools.combinations(leaves, 2)
    beside = ((one, other) for one, other in pairs if one.clip == other.clip)  # what is scrolled away counts, too
    apart = (pair for pair in beside if not (pair[0].widget.name == "game" and pair[1].widget.name.startswith("help.")))
    assert [pair for pair in apart if pair[0].rect.inflate(-2, -4).colliderect(pair[1].rect)] == []


@pytest.mark.parametrize(
    ("window", "language", "colors", "name"), combined((WINDOWS, LANGUAGES, [*theme_names()], DIALOGS))
)
def test_a_dialog_fits_or_scrolls(
    open_window: OpenWindow,
    shortened: list[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    window: tuple[tuple[int, int], int],
    language: str,
    colors: str,
    name: str,
) -> None:
    size, text = window
    monkeypatch.setenv("OTHELLO_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("OTHELLO_CONFIG_DIR", str(tmp_path / "settings"))
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    driver = open_window(PERSON, computer("first"), size)
    scene = driver.scene
    if name == "programs_tried":
        tried = opponent("nboard"), opponent("gtp", move_seconds=7.5)
        results = ProgramTest(tried[0], "Opponent 1.0", 0.31, "f5", 0.04, 18, 10, 0.05), Reason("program_resigns")
        monkeypatch.setattr(ProgramsDialog, "results", dict(zip(tried, results, strict=True)))
        for program in tried:
            register(program)
    scene.preferences.value = replace(scene.preferences.value, text_size=text, language=language, theme=colors)
    driver.do(gui.PlainCommand.APPLY_PREFERENCES)
    opens = gui.Open(re.sub("_(forms|more|people|tried)$", "", name))
    driver.do(gui.PlainCommand.TOGGLE_HELP if name in ("keys", "how_to_play") else opens)
    dialog = scene.dialog
    assert dialog is not None
    uses: list[tuple[str, Any]] = []
    if name == "new_game_forms":
        uses += [("opponent.by_level", False), ("clock", "other"), ("rules", True)]
    if name == "new_game_more":
        uses += [("who", "computers"), ("black.by_level", False), ("white.by_level", False)]
        uses += [("black.type", "q_learning"), ("white.type", "mcts_grouping"), ("black.more", 1), ("white.more", 1)]
    if name == "new_game_people":
        uses += [("who", "people")]
    if name == "programs_tried":
        uses += [("program", text // 100 % 2), ("more_arguments", True)]
    if name == "how_to_play":
        uses += [("topic", "rules")]
    if name == "tournament_more":
        uses += [("player0.player_type", "sarsa"), ("player0.more", True)]
    for use in uses:
        dialog.on_control_changed(*use)
    driver.turn()
    check(dialog, scene.window)
    shortened.clear()
    draw_part(driver.screen, driver.placed("dialog"))
    assert [words for words in shortened if not Path(words).is_absolute()] == []


@pytest.mark.parametrize(("window", "language", "mode"), combined((WINDOWS, LANGUAGES, ["analyse", "edit", "train"])))
def test_the_buttons_of_a_mode_fit_and_are_all_reached(
    open_window: OpenWindow, window: tuple[tuple[int, int], int], language: str, mode: str
) -> None:
    size, text = window
    driver = window_with(open_window, size, text / 100, language)
    scene = driver.scene
    driver.do(gui.SwitchMode(mode))
    buttons = buttons_in(driver.placed("column"))
    assert buttons
    assert overlapping(rects(buttons)) == []
    assert too_wide(scene.style, buttons, Context.GAME) == []
    seen: set[str] = set()
    for _ in scrolled(driver):
        shown = seen_in(driver.placed("column"))
        assert [name for name, rect in shown.items() if not scene.window.contains(rect)] == []
        seen |= shown.keys()
    assert seen == buttons.keys()


ESSENTIAL = {
    "play": ("undo", "hint"),
    "train": ("retry", "exercise_next"),
    "edit": ("edit_cancel", "edit_play"),
    "review": ("play_again",),
}
LARGE = [((900, 600), 200), ((1280, 800), 150), ((1280, 800), 200), ((2560, 1600), 150), ((2560, 1600), 200)]


@pytest.mark.parametrize(
    ("window", "language", "mode"),
    [*combined((LARGE[::2], LANGUAGES, [*ESSENTIAL])), *slowly((LARGE[1::2], texts.languages(), [*ESSENTIAL]))],
)
def test_with_large_text_the_main_buttons_are_in_sight_and_no_word_is_cut(
    open_window: OpenWindow, shortened: list[str], window: tuple[tuple[int, int], int], language: str, mode: str
) -> None:
    size, text = window
    driver = played_badly(open_window)
    driver.resize(size)
    preferences = driver.scene.preferences
    preferences.value = replace(preferences.value, text_size=text, language=language)
    driver.do(gui.PlainCommand.APPLY_PREFERENCES)
    if mode in ("review", "train"):
        review(driver)
    driver.switch(mode)
    for step in range(2):
        driver.scene.widgets.to_top()
        cards = [each for each in driver.scene.widgets.walk() if isinstance(each.widget, SideCard)]
        for placed in [*map(driver.placed, ESSENTIAL[mode]), *cards]:
            name = placed.widget
            assert placed.clip.contains(placed.rect), name
            assert driver.scene.window.contains(placed.rect), name
        for _ in scrolled(driver):
            driver.scene.widgets.forget()
            shortened.clear()
            driver.turn()
            assert shortened == []
        if mode == "train" and not step:
            driver.keys("Ctrl+K")


@pytest.mark.parametrize(("window", "language"), [(((900, 600), 200), "pl"), (((1280, 800), 200), "en")])
def test_who_judges_is_told_and_no_word_is_cut_with_large_text(
    open_window: OpenWindow, shortened: list[str], window: tuple[tuple[int, int], int], language: str
) -> None:
    size, text = window
    driver = window_with(
        open_window, size, text / 100, language, players=lambda config, spec: FirstMove(config, rules_of(spec))
    )
    driver.type("f5d6")
    driver.switch("analyse")
    driver.settle()
    shortened.clear()
    draw_part(driver.screen, driver.placed("column"))
    assert shortened == []
    judge = tr("analysis.curve", judge=type_title("engine"))
    assert judge in driver.words()
    assert driver.placed(CURVE).rect.height > 60
    assert driver.placed("engine").rect.height > 20


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("chosen", [*Color, None])
@pytest.mark.parametrize("width", range(90, 240, 10))
def test_the_choices_of_the_editor_are_labelled_where_there_is_room(
    shortened: list[str], language: str, chosen: Color | None, width: int
) -> None:
    texts.use(language)
    style, renderer = Style(1.0, palette_named()), renderer_for(SPEC, palette_named())
    label = tr("editor.empty") if chosen is None else labels.side(RULES, chosen)
    piece = PieceChoice(label, chosen=True, renderer=renderer, key_name="1", mark=chosen)
    piece.draw(PaintContext(pygame.Surface((width, 48)), style, Rect(0, 0, width, 48)))
    assert shortened == [] or piece.min_width(style) > width


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(1280, 800), (1280, 728), (1280, 656), (900, 600)])
def test_game_level_side_clock_and_rules_of_a_new_game_are_in_sight(
    open_window: OpenWindow, size: tuple[int, int], language: str
) -> None:
    driver = window_with(open_window, size, 1.0, language)
    driver.open("new_game")
    assert driver.scene.dialog is not None
    driver.scene.dialog.on_control_changed("who", "computer")
    driver.turn()
    for name in ("game", "who", "opponent.level", "side", "clock", "rules"):
        placed = driver.placed(name)
        assert placed.clip.contains(placed.rect), name
    driver.press("start")
    assert not driver.session.players.is_between_computers
    assert driver.session.players[Color.WHITE].player_type != "user"


@pytest.mark.parametrize("mode", ["play", "analyse", "edit"])
@pytest.mark.parametrize(("size", "least"), [((1280, 656), 480), ((1280, 800), 540), ((880, 520), 360)])
def test_with_the_largest_text_the_board_keeps_a_fair_size(
    open_window: OpenWindow, size: tuple[int, int], least: int, mode: str
) -> None:
    driver = window_with(open_window, size, 2.0, "en")
    driver.switch(mode)
    assert driver.placed(BOARD).rect.height >= least


@pytest.mark.parametrize("size", [(1280, 728), (900, 600)])
def test_the_menu_needs_no_scrolling(open_window: OpenWindow, size: tuple[int, int]) -> None:
    driver = open_window(PERSON, PERSON, size)
    driver.open("menu")
    page = driver.placed("page")
    assert all(part.rect.height <= page.rect.height for part in page.parts)


@pytest.mark.parametrize("name", ["settings", "open"])
def test_a_dialog_with_much_in_it_uses_the_height_of_the_window(open_window: OpenWindow, name: str) -> None:
    driver = window_with(open_window, (1920, 1080), 1.0, "en")
    driver.open(name)
    assert driver.placed("dialog").rect.height > 1040


@pytest.mark.parametrize("size", [(800, 600), (800, 528), (640, 408)])
def test_a_window_on_a_small_screen_shows_all_that_the_least_window_does(
    open_window: OpenWindow, size: tuple[int, int]
) -> None:
    driver = window_with(open_window, size, 1.0, "de")
    driver.assert_laid_out()
    for name in ("hint", "undo", "captures", "new", "play"):
        placed = driver.placed(name)
        assert driver.scene.window.contains(placed.rect), name


@pytest.mark.parametrize(("size", "text"), LARGE)
def test_the_note_on_a_past_position_lies_below_the_last_row(
    open_window: OpenWindow, size: tuple[int, int], text: int
) -> None:
    driver = window_with(open_window, size, text / 100, "pl")
    driver.type("d3c3")
    row = driver.board_place.square_rect(60).union(driver.board_place.square_rect(63))
    before = driver.brightness(row).copy()
    driver.do(cmd.Browse(-1))
    driver.do(cmd.Browse(1))
    driver.settle()
    driver.do(cmd.Browse(-2))
    driver.settle()
    assert driver.board_panel.history_label
    assert (driver.brightness(row) == before).all()


@pytest.mark.parametrize("count", [3, 10])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_of_the_trainer_says_something(count: int, language: str) -> None:
    texts.use(language)
    style, surface = Style(2.0, palette_named()), pygame.Surface((400, 40))
    width = (388 - 6 * (count - 1)) // count
    for verdict in (None, Verdict.RIGHT):
        step = StepBox(tr("training.now"), verdict, count, True)
        surface.fill("black")
        step.draw(PaintContext(surface, style, Rect(0, 0, width, 40)))
        blank = surface.copy()
        replace(step, words="", number=0, verdict=None).draw(PaintContext(blank, style, Rect(0, 0, width, 40)))
        assert surface.get_buffer().raw != blank.get_buffer().raw


def offered(open_window: OpenWindow, size: tuple[int, int], text: float, language: str) -> WindowDriver:
    driver = window_with(open_window, size, text, language)
    driver.type("d3c3")
    driver.do(cmd.Browse(-1))
    driver.do(gui.OfferBranch(driver.session.view.shown.legal_moves()[0]))
    return driver


def passing(open_window: OpenWindow, size: tuple[int, int], text: float, language: str) -> WindowDriver:
    driver = window_with(open_window, size, text, language, start=Game.new(Othello(), parse_board(PASS_AHEAD)))
    driver.type("a1")
    driver.until(lambda: driver.session.announces_pass)
    driver.settle()
    return driver


def over(open_window: OpenWindow, size: tuple[int, int], text: float, language: str) -> WindowDriver:
    board = parse_board("X" * 40 + "O" * 24 + " X")
    return window_with(open_window, size, text, language, start=Game.new(Othello(), board))


@pytest.mark.parametrize(
    ("window", "language", "place"), combined(([*WINDOWS, ((900, 548), 200)], LANGUAGES, [offered, passing, over]))
)
def test_what_lies_over_the_window_is_whole(
    open_window: OpenWindow, shortened: list[str], window: tuple[tuple[int, int], int], language: str, place: OpenWindow
) -> None:
    size, text = window
    driver = place(open_window, size, text / 100, language)
    driver.turn()
    last = driver.placed(BOARD)
    lies_over = [each for each in driver.scene.widgets.walk() if type(each.widget) is Align]
    assert last
    assert len(lies_over) == 1
    shortened.clear()
    draw_part(driver.screen, lies_over[0])
    assert shortened == []
    buttons = buttons_in(lies_over[0])
    assert len(buttons) == {offered: 2, passing: 0, over: 3}[place]
    assert all(driver.scene.window.contains(each.rect) for each in buttons.values())
    assert place is not over or "40 : 24" in driver.words()
    if buttons:
        card = lies_over[0].parts[0].rect
        assert driver.scene.window.contains(card)
        top = card.top + driver.scene.style.px(28)
        assert min(each.rect.top for each in buttons.values()) >= top, "the title has no room"


@pytest.mark.parametrize("loss", ["", "2.4"])
def test_a_name_in_a_review_is_whole(monkeypatch: pytest.MonkeyPatch, loss: str) -> None:
    style, fit, cut = Style(1.0, palette_named()), Style.fit, dict[str, str]()

    def noted(self: Style, text: str, size: float, width: int, bold: bool = False) -> str:
        return cut.setdefault(text, fit(self, text, size, width, bold))

    monkeypatch.setattr(Style, "fit", noted)
    card = ScoreCard(renderer_for(SPEC, style.palette), Color.WHITE, "Komputer", ("średni",), loss)
    card.draw(PaintContext(pygame.Surface((400, 136)), style, Rect(0, 0, 400, 136)))
    assert cut["Komputer"] == "Komputer"


@pytest.mark.parametrize("language", ["en", "pl"])
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("scale", [0.75, 1.0, 1.5, 2.0])
def test_the_name_of_a_game_is_whole(game: str, scale: float, language: str) -> None:
    texts.use(language)
    style = Style(scale, palette_named())
    logo = Logo(renderer_for(game_spec(game), style.palette), labels.title(rules_of(game_spec(game))))
    size = style.largest(logo.title, logo.sizes, style.px(logo.room), bold=True)
    assert style.width(logo.title, size, bold=True) <= style.px(logo.room)
