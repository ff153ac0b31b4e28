"""The accessibility tree, the texts that are announced, and the actions of a screen reader."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pygame
import pytest
from pygame import Rect

from othello.gui.platform.screen_reader import ScreenReader
from othello.gui.preferences import palette_named
from othello.gui.screens.tournament.standings_text import COLUMNS
from othello.gui.screens.tournament.standings_widgets import CrossTable, Standing, StandingsTable
from othello.gui.toolkit.accessibility_tree import ROOT, AccessibilityTree, AccessibleItem
from othello.gui.toolkit.inputs import AccessibilityAction
from othello.gui.toolkit.style import Style
from othello.gui.toolkit.widget import AccessibleNode, PaintContext, Widget
from othello.players.player_registry import configure
from othello.rules.registry import game_spec
from tests.gui.window_driver import OpenWindow, WindowDriver

CONTROLS = {"button", "cell", "check_box", "combo_box", "dialog", "list_box", "list_item", "menu_list_option"}
CONTROLS |= {"number_input", "radio_button", "radio_group", "slider", "text_input"}
GAMES = ("othello", "ultimate_tictactoe", "connect_four")


class ScreenReaderUser:
    """Stands for a screen reader: finds nodes of the accessibility tree, and requests actions."""

    def __init__(self, driver: WindowDriver) -> None:
        self.driver = driver

    def find(self, role: str, name: str) -> tuple[str, AccessibleItem]:
        voices = self.driver.scene.accessibility_tree().voices.items()
        return next((key, each) for key, each in voices if each.node.role == role and each.node.name.startswith(name))

    def hears(self, role: str, name: str = "") -> str:
        return self.find(role, name)[1].node.name

    def do(self, act: str, role: str, name: str, value: str | float = "") -> None:
        command = AccessibilityAction(self.find(role, name)[0], act, value)
        pygame.event.post(pygame.event.Event(ScreenReader.EVENT, command=command))
        self.driver.turn()

    @property
    def focused(self) -> str:
        told = self.driver.scene.accessibility_tree()
        return told.voices[told.focus].node.name


@pytest.fixture
def open_reader(open_window: OpenWindow) -> Callable[..., ScreenReaderUser]:
    return lambda game="othello": ScreenReaderUser(
        open_window(configure("user"), configure("user"), spec=game_spec(game))
    )


def test_whoever_hears_the_window_can_use_it(open_reader: Callable[..., ScreenReaderUser]) -> None:
    reader = open_reader()
    assert reader.hears("window") == "Black – White – Othello"
    assert reader.find("button", "New game")[1].node.key == "Ctrl+N"
    assert not reader.find("button", "Undo")[1].node.is_enabled
    assert reader.hears("cell", "d3") == "d3, empty, legal, captures 1"
    assert reader.hears("cell", "e4") == "e4, Black"
    assert reader.hears("cell", "a1") == "a1, empty"

    reader.do("press", "cell", "d3")
    assert reader.hears("cell", "d3") == "d3, Black, last move"
    assert reader.hears("status").startswith("Black played d3. White to move.")
    assert reader.find("status", "")[1].node.live
    assert reader.hears("list_item", "1") == "1 Black d3"

    reader.do("focus", "cell", "c3")
    assert reader.focused.startswith("c3, empty")
    reader.driver.key(pygame.K_RIGHT)
    assert reader.focused.startswith("d3, Black")  # what the arrow keys reach is said
    reader.do("press", "button", "Undo")
    assert reader.hears("cell", "d3").startswith("d3, empty")


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_by_names(game: str, open_reader: Callable[..., ScreenReaderUser]) -> None:
    reader = open_reader(game)
    driver = reader.driver
    while not driver.session.referee.is_over:
        items = driver.scene.accessibility_tree().voices.values()
        legal = next((each for each in items if ", legal" in each.node.name), None)
        if legal is None:
            driver.keys("Enter")  # a pass is acknowledged
        else:
            reader.do("press", "cell", legal.node.name)
        driver.settle()
    assert "wins" in reader.hears("status") or "draw" in reader.hears("status").lower()


def test_tables_have_names_columns_and_rows() -> None:
    cells = (("1", "Ann", "2"), ("2", "Bob", "0"))
    rows = tuple(Standing(each, against) for each, against in zip(cells, (("", "2"), ("0", "")), strict=True))
    canvas = PaintContext(pygame.Surface((9, 9)), Style(1.0, palette_named()), Rect(0, 0, 9, 9))
    panels = StandingsTable(rows, columns=COLUMNS), CrossTable(rows)
    tables = [panel.accessible(canvas) for panel in panels]
    assert [table.name for table in tables] == ["Standings", "Head to head"]
    assert [table.parts[1].name for table in tables] == ["Place 1, Player Ann, Points 2", "Player Ann, Bob 2"]
    for table in tables:
        columns = {head.name for head in table.parts[0].parts}
        assert {cell.description for row in table.parts[1:] for cell in row.parts} <= columns


def told(words: str) -> AccessibilityTree:
    window = AccessibleItem(AccessibleNode(role="window", name="Othello"), Rect(0, 0, 9, 9), ("line",), Widget())
    return AccessibilityTree(
        {
            ROOT: window,
            "line": AccessibleItem(
                AccessibleNode(role="status", name=words, live="polite"), Rect(0, 0, 9, 9), (), Widget()
            ),
        }
    )


class Adapter:
    """A stand-in for AccessKit's adapter, which records its arguments and updates."""

    def __init__(self, *made_of: Any) -> None:
        self.made_of, self.accessibility_tree, self.raised = made_of, list[Any](), 0

    def update_if_active(self, update: Callable[[], Any]) -> Adapter:
        self.accessibility_tree.append(update())
        return self

    def update_view_focus_state(self, has_focus: bool) -> Adapter:
        self.accessibility_tree.append(has_focus)
        return self

    def raise_events(self) -> None:
        self.raised += 1

    @property
    def read(self) -> list[str]:
        """The names of all that has changed with the latest update, but for the window."""
        return [node.label for number, node in self.accessibility_tree[-1].nodes if number]


@pytest.fixture
def accesskit(monkeypatch: pytest.MonkeyPatch) -> Any:
    """AccessKit, with adapters for Windows and macOS, in a window that is not seen."""
    found = pytest.importorskip("accesskit")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.display.init()
    for platform in ("windows", "macos"):
        mac = SimpleNamespace(SubclassingAdapter=Adapter, add_focus_forwarder_to_window_class=str)
        monkeypatch.setattr(found, platform, mac, raising=False)
    monkeypatch.setattr(Adapter, "for_window", staticmethod(Adapter), raising=False)
    monkeypatch.setattr(pygame.display, "get_driver", lambda: "some")
    monkeypatch.setattr(pygame.display, "get_wm_info", lambda: {"window": 4711})
    pygame.event.clear()
    return found


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_windows_and_macos_are_told_and_ask(platform: str, accesskit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    reader = ScreenReader()
    reader.open()
    adapter: Any = reader._adapter
    window, come, ask = adapter.made_of
    assert window == 4711
    assert not reader.is_wanted(0.0, has_changed=True)  # nobody listens yet
    assert come() is None
    assert reader.is_wanted(0.0, has_changed=False)
    reader.show(told("Your move."), 0.0)
    assert (adapter.read, adapter.raised) == (["Your move."], 1)
    ask(SimpleNamespace(action=accesskit.Action.CLICK, target=adapter.accessibility_tree[-1].nodes[1][0], data=None))
    events = [event.command for event in pygame.event.get(ScreenReader.EVENT)]
    assert events == [None, AccessibilityAction("line", "press")]
    reader.handle_event(pygame.WINDOWFOCUSGAINED)
    assert adapter.raised == (2 if platform == "darwin" else 1)


def test_what_changes_again_at_once_is_read_once_as_it_is_then(accesskit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    reader = ScreenReader()
    reader.open()
    adapter: Any = reader._adapter
    adapter.made_of[1]()
    reader.show(told("Black to move."), 10.0)
    reader.show(told("Black played d3."), 11.0)
    assert adapter.read == ["Black played d3."]
    assert reader.next_wake() is None
    for words in ("White played c3.", "Black played c4."):
        reader.show(told(words), 11.2)
    assert adapter.read == ["Black played d3."]
    wake = reader.next_wake()
    assert wake is not None
    assert not reader.is_wanted(11.9, has_changed=False)
    assert reader.is_wanted(wake, has_changed=False)
    reader.show(told("Black played c4."), wake)
    assert adapter.read == ["Black played c4."]
    assert reader.next_wake() is None


def test_a_result_that_a_dialog_has_covered_is_not_read_again(accesskit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    reader = ScreenReader()
    reader.open()
    adapter: Any = reader._adapter
    adapter.made_of[1]()
    result, window = told("White wins."), told("").voices[ROOT]
    dialog = AccessibilityTree({ROOT: window._replace(parts=())})
    live: list[str] = []
    for telling in (result, dialog, result, dialog, told("Black to move.")):
        reader.show(telling, 10.0 * (len(live) + 1))
        live += [str(node.live).rpartition(".")[2] for number, node in adapter.accessibility_tree[-1].nodes if number]
    assert live == ["POLITE", "None", "POLITE"]
