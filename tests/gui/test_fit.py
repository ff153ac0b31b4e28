"""Whatever the size, the text, the theme and the language: nothing is cut, nothing overlaps, all can be reached."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pygame
import pytest
from othello.gui.bars import PRIMARY, PRIMARY_TEXT, SMALL_TEXT, TEXT_SIZE
from othello.gui.layout import arrange, scale_for
from pygame import Rect

from othello import texts
from othello.gui import actions, theme
from othello.gui import commands as gui
from othello.gui.actions import Where
from othello.gui.dialogs.dialog import Dialog
from othello.gui.faces.registry import face_of
from othello.gui.hall_layout import arrange_hall
from othello.gui.preferences import theme_names
from othello.gui.theme import Style
from othello.gui.toolkit.layout import Space
from othello.gui.views import panels
from othello.rules.protocol import Color
from othello.rules.registry import GAMES, game_spec
from tests.gui.desk import FACE, Desk
from tests.play.faulty import PERSON, computer
from tests.tour import pairwise

SIZES = [(900, 600), (900, 548), (1280, 736), (2560, 1600), (900, 1500)]
TEXTS = [0.8, 1.2, 1.5, 2.0]
LANGUAGES = ["en", "pl"]
PLACES = [Where.GAME, Where.RATED]
WINDOWS = [
    ((900, 600), 200),
    ((900, 600), 100),
    ((1280, 736), 120),
    ((2560, 1600), 80),
    ((900, 1500), 200),
]
DIALOGS = ["new_game", "new_game_forms", "new_game_more", "settings", "about", "tournament", "tournament_more"]
DIALOGS += ["open", "save", "menu", "keys"]


@pytest.fixture(autouse=True)
def as_usual() -> Iterator[None]:
    yield
    texts.use("en")
    theme.use(theme.USUAL)


def overlapping(places: dict[str, Rect]) -> list[tuple[str, str]]:
    return [
        (one, two)
        for one, two in itertools.combinations(places, 2)
        if places[one].inflate(-2, -2).colliderect(places[two])
    ]


def too_wide(style: Style, places: dict[str, Rect], where: Where) -> list[str]:
    """The buttons that have no room for their words."""
    narrow = []
    for name, rect in places.items():
        is_bold = name in PRIMARY or name in ("play", "analyse", "review", "train")
        size = SMALL_TEXT if name.startswith("hand_") else PRIMARY_TEXT if name in PRIMARY else TEXT_SIZE
        words = actions.words(name, where)
        if any(style.width(word, size, bold=is_bold) > rect.width - style.px(6) for word in words):
            narrow.append(name)
    return narrow


@pytest.mark.parametrize(
    ("size", "text", "language", "where", "game"), pairwise((SIZES, TEXTS, LANGUAGES, PLACES, [*GAMES]))
)
def test_a_game_fits_or_scrolls(size: tuple[int, int], text: float, language: str, where: Where, game: str) -> None:
    texts.use(language)
    face = face_of(game_spec(game), theme.palette())
    first = arrange(size, face, where, text)
    assert first.style.scale == scale_for(size) * text  # nothing is smaller than asked for
    assert first.board.width > 0.4 * min(size[0], size[1] - first.toolbar.bar.height - first.status.height)
    seen: set[str] = set()
    for scroll in range(0, first.longest + 1, max(1, first.style.px(20))):
        layout = arrange(size, face, where, text, scroll=scroll)
        offered = {name: rect for name, rect in layout.buttons.items() if not name.startswith("hand_")} | {
            "turn": layout.turn
        }
        shown = layout.seen(offered)
        seen |= shown.keys()
        outside = [name for name, rect in shown.items() if not layout.window.contains(rect)]
        assert outside == []
        assert overlapping({**shown, "board": layout.board, "status": layout.status}) == []
    last = arrange(size, face, where, text, scroll=first.longest)
    assert seen | last.seen(last.buttons | {"turn": last.turn}).keys() >= first.buttons.keys() - {
        "hand_black",
        "hand_white",
    }
    assert too_wide(first.style, first.buttons, where) == []
    assert overlapping(dict(zip("abcd", (*first.cards, first.score_bar, first.side), strict=True))) == []
    assert min(moves.height for moves, _ in map(first.side_panels, (False, True))) >= first.style.px(80)


@pytest.mark.parametrize(
    ("size", "text", "language", "players", "where"),
    pairwise((SIZES, TEXTS, LANGUAGES, [2, 12], [Where.HALL, Where.CONTEST])),
)
def test_a_tournament_fits_or_scrolls(
    size: tuple[int, int], text: float, language: str, players: int, where: Where
) -> None:
    texts.use(language)
    face = face_of(game_spec(), theme.palette())
    first = arrange_hall(size, face, where, text, players)
    assert first.style.scale == scale_for(size) * text
    places = first.buttons | ({"begin": first.play} if where is Where.CONTEST else {})
    assert too_wide(first.style, places, where) == []
    assert overlapping(places) == []
    seen: set[str] = set()
    for scroll in range(0, first.longest + first.style.px(20), first.style.px(20)):
        layout = arrange_hall(size, face, where, text, players, scroll)
        seen |= layout.seen(layout.buttons | {"begin": layout.play}).keys()
    assert seen >= places.keys()
    for board in first.boards:
        assert first.live.contains(board.place.board)


@pytest.fixture
def shortened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The words that had to be cut, or made smaller."""
    cut: list[str] = []
    fit = Style.fit

    def noted(self: Style, text: str, size: float, width: int, bold: bool = False) -> str:
        result = fit(self, text, size, width, bold)
        if result != text:
            cut.append(text)
        return result

    def largest(self: Style, text: str, sizes: Sequence[float], width: int, bold: bool = False) -> float:
        if self.width(text, sizes[0], bold) > width:
            cut.append(text)
        return sizes[0]

    monkeypatch.setattr(Style, "fit", noted)
    monkeypatch.setattr(Style, "largest", largest)
    return cut


def check(dialog: Dialog, window: Rect) -> None:
    """All of a dialog is in the window or can be scrolled to, apart from all else."""
    assert window.contains(dialog.rect)
    tree = dialog.stage.find("dialog")
    assert tree is not None
    leaves = [each for each in tree.walk() if not each.parts and not isinstance(each.panel, Space)]
    across = dialog.rect.left, dialog.rect.right
    assert [each.panel for each in leaves if each.rect.left < across[0] or each.rect.right > across[1]] == []
    assert [each.panel.name for each in leaves if each.panel.takes_focus and not each.rect.width] == []
    pairs = itertools.combinations(leaves, 2)
    beside = ((one, other) for one, other in pairs if one.clip == other.clip)  # what is scrolled away counts, too
    assert [pair for pair in beside if pair[0].rect.inflate(-2, -4).colliderect(pair[1].rect)] == []


@pytest.mark.parametrize(
    ("window", "language", "colors", "name"), pairwise((WINDOWS, LANGUAGES, [*theme_names()], DIALOGS))
)
def test_a_dialog_fits_or_scrolls(
    sit_down: Callable[..., Desk],
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
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    desk = sit_down(PERSON, computer("first"), size)
    scene = desk.scene
    scene.preferences.value = replace(scene.preferences.value, text_size=text, language=language, theme=colors)
    scene.do(gui.ApplyPreferences(), 0.0)
    scene.do(gui.ToggleHelp() if name == "keys" else gui.Open(name.removesuffix("_forms").removesuffix("_more")), 0.0)
    dialog = scene.dialog
    assert dialog is not None
    uses: list[tuple[str, Any]] = [("forms", True)] if name in ("new_game_forms", "new_game_more") else []
    if name == "new_game_more":
        uses += [("black.type", "q_learning"), ("white.type", "mcts_grouping"), ("black.more", 1), ("white.more", 1)]
    if name == "tournament_more":
        uses += [("player0.player_type", "sarsa"), ("player0.more", True)]
    for use in uses:
        dialog.use(*use)
    desk.turn()
    check(dialog, scene.window)
    shortened.clear()
    dialog.resize(scene.style, scene.window)
    dialog.draw(pygame.Surface(size))
    assert [words for words in shortened if str(tmp_path) not in words] == []


@pytest.mark.parametrize(("window", "language", "mode"), pairwise((WINDOWS, LANGUAGES, ["analyse", "edit", "train"])))
def test_the_buttons_of_a_mode_fit_and_are_all_reached(
    sit_down: Callable[..., Desk], window: tuple[tuple[int, int], int], language: str, mode: str
) -> None:
    size, text = window
    desk = sit_down(PERSON, PERSON, size)
    scene = desk.scene
    scene.preferences.value = replace(scene.preferences.value, text_size=text, language=language)
    scene.do(gui.ApplyPreferences(), 0.0)
    scene.do(gui.SwitchMode(mode), 0.0)
    assert scene.mode is not None
    places = {**scene.mode.buttons(scene.layout)}
    assert overlapping(places) == []
    assert too_wide(scene.style, places, Where.GAME) == []
    seen: set[str] = set()
    for _ in range(60):
        shown = scene.layout.seen(scene.mode.buttons(scene.layout))
        assert [name for name, rect in shown.items() if not scene.window.contains(rect)] == []
        seen |= shown.keys()
        scene.do(gui.Scroll(1), 0.0)
    assert seen == places.keys()


@pytest.mark.parametrize(("window", "language"), pairwise(([*WINDOWS, ((900, 548), 200)], LANGUAGES)))
def test_what_lies_over_the_window_is_whole(
    shortened: list[str], window: tuple[tuple[int, int], int], language: str
) -> None:
    size, text = window
    texts.use(language)
    layout, surface = arrange(size, FACE, text=text / 100), pygame.Surface(size)
    move = texts.say("offer.title", move="d3", number=30)
    panels.draw_offer(surface, layout, panels.Offer(move, texts.say("offer.text")))
    panels.draw_banner(
        surface,
        layout,
        FACE,
        panels.Banner(texts.say("pass.your_title"), texts.say("pass.your_text", other="O"), texts.say("pass.advice")),
    )
    panels.draw_result(surface, layout, FACE, panels.Result("You win", Color.BLACK, 40, 24, ("You", "UCT"), ()))
    assert shortened == []
    buttons = panels.result_buttons(layout)
    assert all(map(layout.window.contains, [*buttons.values(), *panels.offer_buttons(layout).values()]))
    top = panels.result_rect(layout).top + layout.style.px(28)
    assert min(button.top for button in buttons.values()) >= top, "the title has no room"
