"""The accessibility tree, the texts that are announced, and the actions of a screen reader."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pygame
import pytest
from pygame import Rect

from othello.gui import ui
from othello.gui.platform.screen_reader import ScreenReader
from othello.gui.preferences import palette_named
from othello.gui.screens.tournament.standings_text import COLUMNS
from othello.gui.screens.tournament.standings_widgets import CrossTable, Standing, StandingsTable
from othello.gui.toolkit.accessibility_tree import ROOT, AccessibilityTree, AccessibleItem
from othello.gui.toolkit.inputs import AccessibilityAction
from othello.gui.toolkit.style import Style
from othello.gui.toolkit.widget import AccessibleNode, PaintContext, Widget
from tests.gui.window_driver import WindowDriver


def test_actions_of_a_screen_reader_play_and_move_the_focus(driver: WindowDriver) -> None:
    def find(role: str, name: str = "") -> tuple[str, AccessibleNode]:
        voices = driver.scene.accessibility_tree().voices.items()
        found = ((key, each.node) for key, each in voices if each.node.role == role)
        return next((key, node) for key, node in found if node.name.startswith(name))

    def do(act: str, role: str, name: str) -> None:
        command = AccessibilityAction(find(role, name)[0], act)
        pygame.event.post(pygame.event.Event(ScreenReader.EVENT, command=command))
        driver.turn()

    def focused() -> str:
        tree = driver.scene.accessibility_tree()
        return tree.voices[tree.focus].node.name

    do("press", "cell", "d3")
    assert [find("cell", square)[1].name for square in ("d3", "a1")] == ["d3, Black, last move", "a1, empty"]
    status = find("status")[1]
    assert status.name.startswith("Black played d3. White to move.")
    assert status.live
    do("focus", "cell", "c3")
    assert focused().startswith("c3, empty")
    driver.keys("Right")
    assert focused().startswith("d3, Black")
    do("press", "button", "Undo")
    assert find("cell", "d3")[1].name.startswith("d3, empty")


def test_cells_of_tables_are_described_by_their_columns() -> None:
    cells = (("1", "Ann", "2"), ("2", "Bob", "0"))
    rows = tuple(Standing(each, against) for each, against in zip(cells, (("", "2"), ("0", "")), strict=True))
    canvas = PaintContext(pygame.Surface((9, 9)), Style(1.0, palette_named()), Rect(0, 0, 9, 9))
    for panel in (StandingsTable(rows, 0, COLUMNS), CrossTable(rows, 0)):
        table = panel.accessible(canvas)
        columns = {head.name for head in table.parts[0].parts}
        assert {cell.description for row in table.parts[1:] for cell in row.parts} <= columns


def test_a_screen_reader_knows_200_rows_of_a_list_around_those_in_sight() -> None:
    rows = ui.ListView([ui.ListItem(str(row)) for row in range(1000)], ui.Selection(500, 500), name="rows")
    style = Style(1.0, palette_named())
    canvas = PaintContext(pygame.Surface((9, 9)), style, Rect(0, 0, 300, round(rows.measure(style, 300).height)))
    parts = rows.accessible(canvas).parts
    assert [parts[0].name, parts[-1].name, len(parts)] == ["300", "704", 405]
    assert [part.name for part in parts if part.selected and part.is_active] == ["500"]


def tree_with(status: str) -> AccessibilityTree:
    def item(parts: tuple[str, ...], **more: Any) -> AccessibleItem:
        return AccessibleItem(AccessibleNode(**more), Rect(0, 0, 9, 9), parts, Widget())

    window = item(("line",), role="window", name="Othello")
    return AccessibilityTree({ROOT: window, "line": item((), role="status", name=status, live="polite")})


class Adapter:
    """Records the arguments and updates of AccessKit's adapter."""

    def __init__(self, *made_of: Any) -> None:
        self.made_of, self.accessibility_tree, self.raise_events = made_of, list[Any](), Mock()

    def update_if_active(self, update: Callable[[], Any]) -> Adapter:
        self.accessibility_tree.append(update())
        return self

    def update_view_focus_state(self, has_focus: bool) -> Adapter:
        self.accessibility_tree.append(has_focus)
        return self

    @property
    def read(self) -> list[str]:
        """The names of all that has changed with the latest update, but for the window."""
        return [node.label for number, node in self.accessibility_tree[-1].nodes if number]


@pytest.fixture
def accesskit(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return AccessKit with adapters for Windows and macOS, in an invisible window."""
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


def opened_reader(platform: str, monkeypatch: pytest.MonkeyPatch) -> tuple[ScreenReader, Any]:
    monkeypatch.setattr(sys, "platform", platform)
    reader = ScreenReader()
    reader.open()
    return reader, reader._adapter


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_windows_and_macos_get_updates_and_send_actions(
    platform: str, accesskit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader, adapter = opened_reader(platform, monkeypatch)
    window, come, ask = adapter.made_of
    assert window == 4711
    assert not reader.is_wanted(0.0, has_changed=True)  # no screen reader runs yet
    assert come() is None
    assert reader.is_wanted(0.0, has_changed=False)
    reader.show(tree_with("Your move."), 0.0)
    assert (adapter.read, adapter.raise_events.call_count) == (["Your move."], 1)
    ask(SimpleNamespace(action=accesskit.Action.CLICK, target=adapter.accessibility_tree[-1].nodes[1][0], data=None))
    events = [event.command for event in pygame.event.get(ScreenReader.EVENT)]
    assert events == [None, AccessibilityAction("line", "press")]
    reader.handle_event(pygame.WINDOWFOCUSGAINED)
    assert adapter.raise_events.call_count == (2 if platform == "darwin" else 1)


def test_quick_changes_are_read_once(accesskit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    reader, adapter = opened_reader("win32", monkeypatch)
    adapter.made_of[1]()
    reader.show(tree_with("Black to move."), 10.0)
    reader.show(tree_with("Black played d3."), 11.0)
    assert adapter.read == ["Black played d3."]
    assert reader.next_wake() is None
    for words in ("White played c3.", "Black played c4."):
        reader.show(tree_with(words), 11.2)
    assert adapter.read == ["Black played d3."]
    wake = reader.next_wake()
    assert wake is not None
    assert not reader.is_wanted(11.9, has_changed=False)
    assert reader.is_wanted(wake, has_changed=False)
    reader.show(tree_with("Black played c4."), wake)
    assert adapter.read == ["Black played c4."]
    assert reader.next_wake() is None


def test_a_field_is_read_by_letters_and_words(accesskit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    reader, adapter = opened_reader("win32", monkeypatch)
    adapter.made_of[1]()
    field = AccessibleNode("text_input", name="Name", value="é  d3", selection=(1, 4))
    item = AccessibleItem(field, Rect(0, 0, 9, 9), (), ui.TextField(""))
    reader.show(AccessibilityTree({ROOT: tree_with("").voices[ROOT], "line": item}), 0.0)
    _, (_, node), (number, text) = adapter.accessibility_tree[-1].nodes
    lengths = [*text.character_lengths], [*text.word_lengths]
    assert (text.value, lengths) == ("é  d3", ([2, 1, 1, 1, 1], [3, 2]))
    chosen = [(end.node, end.character_index) for end in (node.text_selection.anchor, node.text_selection.focus)]
    assert (node.children, chosen) == ([number], [(number, 1), (number, 4)])
    acts = accesskit.Action
    possible = acts.FOCUS, acts.SET_VALUE, acts.SET_TEXT_SELECTION, acts.CLICK, acts.INCREMENT
    assert [node.supports_action(act) for act in possible] == [True, True, True, False, False]


@pytest.mark.parametrize(("platform", "about"), [("win32", "loud"), ("linux", "Not available. loud")])
def test_states_are_passed_on(accesskit: Any, monkeypatch: pytest.MonkeyPatch, platform: str, about: str) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    slider = AccessibleNode("slider", description="loud", is_enabled=False, value_range=(5, 1, 9), live="polite")
    check = AccessibleNode("check_box", checked=True, selected=False, is_open=True, press="x")
    items = (AccessibleItem(each, Rect(1, 2, 30, 40), (), ui.Button()) for each in (slider, check))
    one, two = map(ScreenReader()._node, items)
    assert (one.description, one.is_disabled, one.supports_action(accesskit.Action.INCREMENT)) == (about, True, False)
    assert (one.numeric_value, one.min_numeric_value, one.max_numeric_value, one.numeric_value_step) == (5, 1, 9, 1)
    assert (two.toggled, two.is_selected, two.is_expanded) == (accesskit.Toggled.TRUE, False, True)
    assert (two.is_disabled, two.is_modal, two.live, two.bounds.x1) == (False, False, None, 31)


def test_a_result_is_not_read_again_after_a_dialog(accesskit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    reader, adapter = opened_reader("win32", monkeypatch)
    adapter.made_of[1]()
    result, window = tree_with("White wins."), tree_with("").voices[ROOT]
    dialog = AccessibilityTree({ROOT: window._replace(parts=())})
    live: list[str] = []
    for tree in (result, dialog, result, dialog, tree_with("Black to move.")):
        reader.show(tree, 10.0 * (len(live) + 1))
        live += [str(node.live).rpartition(".")[2] for number, node in adapter.accessibility_tree[-1].nodes if number]
    assert live == ["POLITE", "None", "POLITE"]
