"""For every window size, text size, theme and language: nothing is cut off, overlaps or is out of reach."""

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pygame
import pytest
from pygame import Rect

from othello import texts
from othello.game import Game
from othello.gui import actions, commands as gui, labels, ui
from othello.gui.actions import Context
from othello.gui.boards.renderer import renderer_for
from othello.gui.dialogs.dialog import Dialog
from othello.gui.modes.analyse.curve import CURVE
from othello.gui.modes.editor.editor_widgets import PieceChoice
from othello.gui.modes.review.review_widgets import ScoreCard
from othello.gui.modes.train.exercise_text import Verdict
from othello.gui.modes.train.train_widgets import StepBox
from othello.gui.platform.window import scale_for
from othello.gui.preferences import palette_named, theme_names
from othello.gui.screens.tournament.standings_widgets import LiveBoard, TournamentScreenLayout
from othello.gui.toolbar import Logo, Toolbar
from othello.gui.widgets.board_widget import BOARD
from othello.gui.widgets.move_list import MOVES
from othello.gui.widgets.side_cards import ScoreBar, SideCard
from othello.play import session_commands as cmd
from othello.play.referee import GameJob
from othello.players.player_registry import configure, type_title
from othello.rules.protocol import Color
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.tournament.background import PersonInvited
from tests.gui.mistakes import played_badly, review
from tests.gui.scenes import DIALOG_CHANGES, Changes, Opener, add_programs, offered, open_dialog, passing, unplayed
from tests.gui.window_driver import EventDriver, OpenWindow, WindowDriver, draw_part
from tests.play.fake_players import PERSON, FirstMove, computer
from tests.positions import RULES, SPEC, parse_board
from tests.tour import pairwise

SIZES = ((900, 600), (900, 548), (1280, 736), (2560, 1600), (900, 1500))
TEXTS = (80, 120, 150, 200)
LANGUAGES = "en", "de"  # German has the longest words
OTHERS = tuple(language for language in texts.languages() if language not in LANGUAGES)
IN_ALL_LANGUAGES = pytest.mark.parametrize(
    "languages", [pytest.param(LANGUAGES, id="longest"), pytest.param(OTHERS, id="others", marks=pytest.mark.slow)]
)
WINDOWS: tuple[Any, ...] = (((900, 600), 200), ((900, 600), 100), ((1280, 736), 120), ((1280, 800), 150))
WINDOWS += (((2560, 1600), 150), ((2560, 1600), 80), ((900, 1500), 200))
LARGE = (((900, 600), 200), ((1280, 800), 150), ((1280, 800), 200), ((2560, 1600), 150), ((2560, 1600), 200))
_CANVAS = pygame.Surface((1, 1))
_LEARNERS: Changes = (("who", "computers"), ("black.by_level", False), ("white.by_level", False))
_LEARNERS += (("black.type", "q_learning"), ("white.type", "mcts_grouping"), ("black.more", 1), ("white.more", 1))
DIALOGS: dict[str, tuple[str, Changes]] = {
    **DIALOG_CHANGES,
    "new_game_computer": ("new_game", (("opponent.by_level", False), ("clock", "other"), ("rules", True))),
    "new_game_computers": ("new_game", _LEARNERS),
    "tournament_more": ("tournament", (("player0.player_type", "sarsa"), ("player0.more", True))),
    "programs_tried": ("programs", (("program", 0), ("more_arguments", True))),
    "programs_failed": ("programs", (("program", 1), ("more_arguments", True))),
}


@cache
def all_rows(columns: tuple[tuple[Any, ...], ...]) -> list[tuple[Any, ...]]:
    return pairwise(columns)


def rows(*columns: tuple[Any, ...], last: object) -> list[tuple[Any, ...]]:
    """Return the rows that end with a value, of a table in which every two values of two columns meet."""
    return [row[:-1] for row in all_rows(columns) if row[-1] == last]


@pytest.fixture(autouse=True)
def _unpainted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lay out windows without painting them."""
    monkeypatch.setattr(ui.WidgetTree, "draw", lambda *_: [])


def look(driver: EventDriver, size: tuple[int, int], text: int = 100, language: str = "en", **wanted: object) -> None:
    """Resize the window, and change the size and the language of its text."""
    driver.screen.do(gui.Resize(size), driver.screen.now)
    driver.prefer(text_size=text, language=language, **wanted)


def cut_in(driver: EventDriver, part: ui.LaidOutWidget, shortened: list[str]) -> list[str]:
    """Return the texts that are cut where a part of the window is painted."""
    shortened.clear()
    draw_part(driver.screen, part, _CANVAS)
    return shortened


def overlapping(places: Mapping[str, Rect]) -> list[tuple[str, str]]:
    pairs = itertools.combinations(places, 2)
    return [(one, two) for one, two in pairs if places[one].inflate(-2, -2).colliderect(places[two])]


def buttons_in(placed: ui.LaidOutWidget) -> dict[str, ui.LaidOutWidget]:
    found = (each for each in placed.walk() if isinstance(each.widget, ui.Button))
    return {each.widget.name: each for each in found if not isinstance(each.widget, LiveBoard)}


def too_wide(style: ui.Style, buttons: Mapping[str, ui.LaidOutWidget], where: Context) -> list[str]:
    narrow = []
    for name, each in buttons.items():
        assert isinstance(each.widget, ui.Button)
        if type(each.widget) is not ui.Button:
            continue  # a choice of the editor leaves its words out where its picture says enough
        size, is_bold = each.widget._letters
        if any(style.width(word, size, is_bold) > each.rect.width - style.px(6) for word in actions.words(name, where)):
            narrow.append(name)
    return narrow


def scrolled(driver: EventDriver) -> Iterator[None]:
    driver.screen.widgets.to_top()
    yield
    while driver.screen.widgets.scroll_rows(1):
        yield


def assert_reached(
    driver: EventDriver, find: Callable[[], ui.LaidOutWidget], where: Context, row: object, **fixed: Rect
) -> dict[str, ui.LaidOutWidget]:
    """Assert that the buttons in a part of the window can be scrolled to, lie apart and have whole labels."""
    seen: set[str] = set()
    for _ in scrolled(driver):
        shown = {name: each.rect for name, each in buttons_in(find()).items() if each.clip.contains(each.rect)}
        assert [name for name, rect in shown.items() if not driver.screen.window.contains(rect)] == [], row
        assert overlapping({**shown, **fixed}) == [], row
        seen |= shown.keys()
    buttons = buttons_in(find())
    assert buttons.keys() - {"hand_black", "hand_white"} <= seen, row  # these are parts of cards
    assert too_wide(driver.screen.style, buttons, where) == [], row
    return buttons


@IN_ALL_LANGUAGES
@pytest.mark.parametrize("game", GAMES)
def test_a_game_fits_or_scrolls(open_window: OpenWindow, languages: tuple[str, ...], game: str) -> None:
    driver = open_window(PERSON, PERSON, spec=game_spec(game))
    scene, widgets, referee = driver.scene, driver.scene.widgets, driver.session.referee
    places = Context.GAME, Context.TOURNAMENT_GAME
    for size, text, language, where in rows(SIZES, TEXTS, languages, places, tuple(GAMES), last=game):
        row = size, text, language, where
        referee.job = replace(referee.job, time_margin_seconds=0.0 if where is Context.TOURNAMENT_GAME else None)
        look(driver, size, text, language)
        assert scene.base_context is where
        assert scene.style.scale == scale_for(size) * text / 100, "nothing is smaller than asked for"
        bar = next(each for each in widgets.walk() if isinstance(each.widget, Toolbar))
        board, status = driver.placed(BOARD).rect, driver.placed("status").rect
        assert board.width > 0.4 * min(size[0], size[1] - bar.rect.height - status.height), row
        assert_reached(driver, lambda: next(widgets.walk()), where, row, board=board, status=status)
        kinds = [each for each in widgets.walk() if isinstance(each.widget, SideCard | ScoreBar)]
        cards = {str(index): each.rect for index, each in enumerate([*kinds, driver.placed(MOVES)])}
        assert overlapping(cards) == [], row
        for _ in range(2):
            assert driver.placed(MOVES).rect.height >= scene.style.px(80), row
            driver.do(gui.Toggle("shows_values"))


def page(driver: EventDriver) -> ui.LaidOutWidget:
    return next(each for each in driver.screen.widgets.walk() if isinstance(each.widget, TournamentScreenLayout))


@IN_ALL_LANGUAGES
@pytest.mark.parametrize("count", [2, 12])
@pytest.mark.parametrize("where", [Context.STANDINGS, Context.STANDINGS_WITH_PERSON])
def test_a_tournament_fits_or_scrolls(opener: Opener, languages: tuple[str, ...], count: int, where: Context) -> None:
    others = (configure("random", name=f"player {number}") for number in range(count - 1))
    has_person = where is Context.STANDINGS_WITH_PERSON
    players = (PERSON if has_person else configure("random"), *others)
    driver = unplayed(opener, *players)
    scene = driver.scene
    if has_person:
        job = GameJob(1, 1, (players[0], players[1]), game_spec(), 1)
        scene.state.invitation = PersonInvited(job, Game.new(RULES))
    for size, text, language in rows(SIZES, TEXTS, languages, (2, 12), last=count):
        row = size, text, language
        look(driver, size, text, language)
        assert scene.base_context is where
        assert scene.style.scale == scale_for(size) * text / 100
        buttons = assert_reached(driver, lambda: page(driver), where, row)
        assert buttons.keys() == {"hold", "stop", "games", "report", *["begin"] * has_person}
        for card in (each for each in page(driver).walk() if isinstance(each.widget, ui.Card)):
            assert all(card.rect.contains(each.rect) for each in card.walk()), row


def check(dialog: Dialog, window: Rect) -> None:
    """Assert that all of a dialog is visible or can be scrolled to, and that nothing overlaps."""
    assert window.contains(dialog.rect)
    tree = dialog.widgets.find("dialog")
    assert tree is not None
    leaves = [each for each in tree.walk() if not each.parts and not isinstance(each.widget, ui.Spacer)]
    across = dialog.rect.left, dialog.rect.right
    assert [each.widget for each in leaves if each.rect.left < across[0] or each.rect.right > across[1]] == []
    assert [each.widget.name for each in leaves if each.widget.takes_focus and not each.rect.width] == []
    places = [each.rect for each in leaves]
    for index, one in enumerate(leaves, start=1):
        for other in one.rect.inflate(-2, -4).collidelistall(places[index:]):
            below = leaves[index + other]
            is_help = one.widget.name == "game" and below.widget.name.startswith("help.")
            assert is_help or one.clip != below.clip, (one, below)  # also if both are scrolled away


@IN_ALL_LANGUAGES
@pytest.mark.parametrize("name", DIALOGS)
def test_a_dialog_fits_or_scrolls(opener: Opener, shortened: list[str], languages: tuple[str, ...], name: str) -> None:
    if name.startswith("programs_"):
        add_programs(opener)
    driver = opener.start(PERSON, computer("first"))
    table = rows(WINDOWS, languages, tuple(theme_names()), tuple(DIALOGS), last=name)
    for (size, text), language, theme in sorted(table, key=lambda row: languages.index(row[1])):
        if driver.screen.dialog is None or language != texts.language():
            driver.do(gui.PlainCommand.CLOSE_DIALOG)
            driver.prefer(language=language)
            open_dialog(driver, *DIALOGS[name])
        look(driver, size, text, language, theme=theme)
        check(driver.dialog(), driver.scene.window)
        cut = cut_in(driver, driver.placed("dialog"), shortened)
        may_be = "d" * 40, str(opener.folder)  # names of a program and of a folder
        cut = [words for words in cut if not (Path(words).is_absolute() or any(part in words for part in may_be))]
        assert cut == [], (size, text, language, theme)


@IN_ALL_LANGUAGES
@pytest.mark.parametrize("mode", ["analyse", "edit", "train"])
def test_the_buttons_of_a_mode_fit_and_are_all_reached(
    driver: WindowDriver, languages: tuple[str, ...], mode: str
) -> None:
    driver.switch(mode)
    for (size, text), language in rows(WINDOWS, languages, ("analyse", "edit", "train"), last=mode):
        look(driver, size, text, language)
        assert assert_reached(driver, lambda: driver.placed("column"), Context.GAME, (size, text, language))


ESSENTIAL = {
    "play": ("undo", "hint"),
    "train": ("retry", "exercise_next"),
    "edit": ("edit_cancel", "edit_play"),
    "review": ("play_again",),
}


@IN_ALL_LANGUAGES
@pytest.mark.parametrize("mode", ESSENTIAL)
def test_with_large_text_the_main_buttons_are_visible_and_no_word_is_cut(
    open_window: OpenWindow, shortened: list[str], languages: tuple[str, ...], mode: str
) -> None:
    driver = played_badly(open_window)
    if mode in ("review", "train"):
        review(driver)
    driver.switch(mode)
    windows, languages = (LARGE[::2], LANGUAGES) if languages is LANGUAGES else (LARGE[1::2], (*LANGUAGES, *OTHERS))
    table = rows(windows, languages, tuple(ESSENTIAL), last=mode)
    if mode == "review":
        table.append((((2560, 1600), 150), "pl"))  # the longest labels of moves
    for step in range(1 + (mode == "train")):
        for (size, text), language in table:
            look(driver, size, text, language)
            driver.scene.widgets.to_top()
            cards = [each for each in driver.scene.widgets.walk() if isinstance(each.widget, SideCard)]
            for placed in [*map(driver.placed, ESSENTIAL[mode]), *cards]:
                assert placed.clip.contains(placed.rect), (size, text, language, placed.widget)
                assert driver.scene.window.contains(placed.rect), (size, text, language, placed.widget)
            for _ in scrolled(driver):
                window = next(driver.scene.widgets.walk())
                assert cut_in(driver, window, shortened) == [], (size, text, language)
        if not step:
            driver.keys("Ctrl+K")


def test_the_analyst_is_named_and_no_word_is_cut_with_large_text(open_window: OpenWindow, shortened: list[str]) -> None:
    driver = open_window(PERSON, PERSON, players=lambda config, spec: FirstMove(config, rules_of(spec)))
    driver.type("f5d6")
    driver.switch("analyse")
    for size, language in (((900, 600), "pl"), ((1280, 800), "en")):
        look(driver, size, 200, language)
        driver.settle()
        assert cut_in(driver, driver.placed("column"), shortened) == []
        assert texts.tr("analysis.curve", judge=type_title("engine")) in driver.words()
        assert driver.placed(CURVE).rect.height > 60
        assert driver.placed("engine").rect.height > 20


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_choices_of_the_editor_are_labelled_where_there_is_room(shortened: list[str], language: str) -> None:
    texts.use(language)
    style, renderer = ui.Style(1.0, palette_named()), renderer_for(SPEC, palette_named())
    for chosen, width in itertools.product((*Color, None), range(90, 240, 10)):
        label = texts.tr("editor.empty") if chosen is None else labels.side(RULES, chosen)
        piece = PieceChoice(label, chosen=True, renderer=renderer, key_name="1", mark=chosen)
        shortened.clear()
        piece.draw(ui.PaintContext(_CANVAS, style, Rect(0, 0, width, 48)))
        assert shortened == [] or piece.min_width(style) > width, (chosen, width)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_main_choices_of_a_new_game_are_visible(driver: WindowDriver, language: str) -> None:
    for size in ((1280, 800), (1280, 728), (1280, 656), (900, 600)):
        look(driver, size, language=language)
        driver.open("new_game")
        driver.use(("who", "computer"))
        for name in ("game", "who", "opponent.level", "side", "clock", "rules"):
            placed = driver.placed(name)
            assert placed.clip.contains(placed.rect), (size, name)
        driver.press("start")
        assert not driver.session.players.is_between_computers
        assert driver.session.players[Color.WHITE].player_type != "user"


def test_the_board_keeps_a_fair_size_with_the_largest_text(driver: WindowDriver) -> None:
    for mode in ("play", "analyse", "edit"):
        driver.switch(mode)
        for size, min_height in (((1280, 656), 480), ((1280, 800), 540), ((880, 520), 360)):
            look(driver, size, 200)
            assert driver.placed(BOARD).rect.height >= min_height, (mode, size)


def test_dialogs_use_the_height_of_the_window(driver: WindowDriver) -> None:
    for size in ((1280, 728), (900, 600)):
        driver.resize(size)
        driver.open("menu")
        page = driver.placed("page")
        assert all(part.rect.height <= page.rect.height for part in page.parts), "the menu needs no scrolling"
        driver.keys("Esc")
    driver.resize((1920, 1080))
    for name in ("settings", "open"):
        driver.open(name)
        assert driver.placed("dialog").rect.height > 1040, name
        driver.keys("Esc")


def test_a_window_on_a_small_screen_shows_the_main_buttons(driver: WindowDriver) -> None:
    for size in ((800, 600), (800, 528), (640, 408)):
        look(driver, size, language="de")
        driver.assert_laid_out()
        for name in ("hint", "undo", "captures", "new", "play"):
            assert driver.scene.window.contains(driver.placed(name).rect), (size, name)


def test_the_note_on_a_past_position_lies_below_the_last_row(driver: WindowDriver) -> None:
    driver.type("d3c3")
    for size, text in LARGE:
        look(driver, size, text, "pl")
        place = driver.board_place
        row = place.square_rect(60).union(place.square_rect(63))
        driver.settle()
        before = draw_part(driver.screen, driver.placed(BOARD)).subsurface(row)
        driver.do(cmd.Browse(-2))
        driver.settle()
        assert driver.board_panel.history_label
        after = draw_part(driver.screen, driver.placed(BOARD)).subsurface(row)
        assert (pygame.surfarray.array2d(after) == pygame.surfarray.array2d(before)).all(), (size, text)
        driver.do(cmd.Browse(2))


def test_every_step_of_the_trainer_says_something() -> None:
    style, surface = ui.Style(2.0, palette_named()), pygame.Surface((400, 40))
    for language, count, verdict in itertools.product(LANGUAGES, (3, 10), (None, Verdict.RIGHT)):
        texts.use(language)
        width = (388 - 6 * (count - 1)) // count
        step = StepBox(texts.tr("training.now"), verdict, count, True)
        surface.fill("black")
        step.draw(ui.PaintContext(surface, style, Rect(0, 0, width, 40)))
        blank = surface.copy()
        replace(step, words="", number=0, verdict=None).draw(ui.PaintContext(blank, style, Rect(0, 0, width, 40)))
        assert surface.get_buffer().raw != blank.get_buffer().raw


def over_with_long_score(opener: Opener) -> WindowDriver:
    return opener.start(start=Game.new(RULES, parse_board("X" * 40 + "O" * 24 + " X")))


# Notices, and how many buttons they have.
NOTICES: dict[Callable[[Opener], WindowDriver], int] = {offered: 2, passing: 0, over_with_long_score: 3}


@IN_ALL_LANGUAGES
@pytest.mark.parametrize("scene", NOTICES)
def test_a_notice_over_the_board_is_whole(
    opener: Opener, shortened: list[str], languages: tuple[str, ...], scene: Callable[[Opener], WindowDriver]
) -> None:
    driver = scene(opener)
    windows = (*WINDOWS, ((900, 548), 200))
    for (size, text), language in rows(windows, languages, tuple(NOTICES), last=scene):
        row = size, text, language
        look(driver, size, text, language)
        assert driver.has(BOARD)
        (notice,) = (each for each in driver.scene.widgets.walk() if type(each.widget) is ui.Align)
        assert cut_in(driver, notice, shortened) == [], row
        buttons = buttons_in(notice)
        assert len(buttons) == NOTICES[scene]
        assert scene is not over_with_long_score or "40 : 24" in driver.words()
        if buttons:
            assert all(driver.scene.window.contains(each.rect) for each in buttons.values()), row
            card = notice.parts[0].rect
            assert driver.scene.window.contains(card), row
            top = card.top + driver.scene.style.px(28)
            assert min(each.rect.top for each in buttons.values()) >= top, f"{row}: the title has no room"


@pytest.mark.parametrize("loss", ["", "2.4"])
def test_a_name_in_a_review_is_whole(shortened: list[str], loss: str) -> None:
    texts.use("pl")
    style = ui.Style(1.0, palette_named())
    card = ScoreCard(renderer_for(SPEC, style.palette), Color.WHITE, "Komputer", ("średni",), loss)
    card.draw(ui.PaintContext(pygame.Surface((400, 136)), style, Rect(0, 0, 400, 136)))
    assert "Komputer" not in shortened


@pytest.mark.parametrize("game", GAMES)
def test_the_name_of_a_game_is_whole(game: str) -> None:
    for language, scale in itertools.product(("en", "pl"), (0.75, 1.0, 1.5, 2.0)):
        texts.use(language)
        style = ui.Style(scale, palette_named())
        logo = Logo(renderer_for(game_spec(game), style.palette), labels.title(rules_of(game_spec(game))))
        size = style.largest(logo.title, logo.sizes, style.px(logo.room), bold=True)
        assert style.width(logo.title, size, bold=True) <= style.px(logo.room), (language, scale)
