"""The program used through a screen reader alone: by roles, names and states."""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final, Self

import pytest

pytest.importorskip("accesskit")
pytest.importorskip("jeepney")

from jeepney import DBusAddress, MatchRule, Message, MessageType, Properties, message_bus, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection

from benchmarks.screen import Screen
from othello.gui.platform.window import DESIGN_SIZE

NEEDED = ("Xvfb", "dbus-daemon")
PEOPLE = 2 * [{"player_type": "user"}]
WITH_A_PASS = "d3 c3 f5 d2 d1 e1 b2 c1"
A_MISTAKE = "b2 a1 c1 a3 a2 b1"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not all(map(shutil.which, NEEDED)), reason=f"needs {' and '.join(NEEDED)}"),
]

_ROLES = {7: "check box", 11: "combo box", 16: "dialog", 23: "frame", 32: "list item", 35: "menu item", 39: "panel"}
_ROLES |= {43: "button", 44: "radio button", 51: "slider", 54: "status", 55: "table", 56: "cell", 62: "toggle button"}
_ROLES |= {79: "entry"}
_STATES: Final = {"active": 1, "checked": 4, "enabled": 8, "expanded": 10, "focused": 12, "pressed": 20, "selected": 23}
_WORD: Final = 1  # of AT-SPI's granularities
_TIMEOUT_SECONDS: Final = 120.0


class Item:
    """An accessible object of a program."""

    def __init__(self, bus: DBusConnection, name: str, path: str) -> None:
        self._bus, self._name, self._path = bus, name, path

    def _call(self, interface: str, method: str, signature: str | None = None, *values: object) -> Any:
        address = DBusAddress(self._path, self._name, f"org.a11y.atspi.{interface}")
        return self._send(new_method_call(address, method, signature, values))

    def _get(self, interface: str, name: str) -> Any:
        address = DBusAddress(self._path, self._name, f"org.a11y.atspi.{interface}")
        return self._send(Properties(address).get(name))[0][1]

    def _send(self, call: Message) -> Any:
        reply = self._bus.send_and_get_reply(call, timeout=20)
        if reply.header.message_type is MessageType.error:
            raise LookupError(self._path)  # the object has disappeared
        return reply.body

    @property
    def name(self) -> str:
        return str(self._get("Accessible", "Name"))

    @property
    def about(self) -> str:
        return str(self._get("Accessible", "Description"))

    @property
    def role(self) -> str:
        number = self._call("Accessible", "GetRole")[0]
        return _ROLES.get(number, str(number))

    def has(self, state: str) -> bool:
        low, high = self._call("Accessible", "GetState")[0]
        return bool((low | high << 32) >> _STATES[state] & 1)

    @property
    def children(self) -> list[Item]:
        return [Item(self._bus, name, path) for name, path in self._call("Accessible", "GetChildren")[0]]

    def walk(self) -> Iterator[Item]:
        yield self
        for child in self.children:
            yield from child.walk()

    def press(self) -> None:
        self._call("Action", "DoAction", "i", 0)

    def focus(self) -> None:
        self._call("Component", "GrabFocus")

    @property
    def value(self) -> float:
        return float(self._get("Value", "CurrentValue"))

    def put(self, value: float) -> None:
        address = DBusAddress(self._path, self._name, "org.a11y.atspi.Value")
        self._send(Properties(address).set("CurrentValue", "d", value))

    @property
    def text(self) -> str:
        return str(self._call("Text", "GetText", "ii", 0, -1)[0])

    def word(self, at: int) -> str:
        """Return the word of the text in which a letter is."""
        return str(self._call("Text", "GetStringAtOffset", "iu", at, _WORD)[0])

    @property
    def caret(self) -> int:
        return int(self._get("Text", "CaretOffset"))

    def go_to(self, at: int) -> None:
        """Put the caret before a letter of the text."""
        self._call("Text", "SetCaretOffset", "i", at)


class Desktop:
    """All programs, as a screen reader sees them; use as a context manager.

    Args:
        session: the address of the session's bus.
    """

    def __init__(self, session: str) -> None:
        self._session = session

    def __enter__(self) -> Self:
        with open_dbus_connection(self._session) as session:
            address = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Bus")
            reply = session.send_and_get_reply(new_method_call(address, "GetAddress"), timeout=20)
            if reply.header.message_type is MessageType.error:
                raise LookupError("no accessibility bus")
            where = reply.body[0]
            status = Properties(DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Status"))
            session.send_and_get_reply(status.set("IsEnabled", "b", True), timeout=20)
        self._bus, self._ear = open_dbus_connection(where), open_dbus_connection(where)
        said = MatchRule(type="signal", interface="org.a11y.atspi.Event.Object", member="Announcement")
        self._ear.send_and_get_reply(message_bus.AddMatch(said), timeout=20)
        self._said: deque[Message] = deque()
        self._filter = self._ear.filter(said, queue=self._said)
        self.root = Item(self._bus, "org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
        return self

    def __exit__(self, *error: object) -> None:
        self._filter.close()
        self._ear.close()
        self._bus.close()

    def heard(self) -> list[str]:
        """Return the texts read since the last call, once no more arrive."""
        with contextlib.suppress(TimeoutError):
            while True:
                self._ear.recv_messages(timeout=0.4)
        words = [message.body[3][1] for message in self._said]
        self._said.clear()
        return words

    def until(self, find: Callable[[], Any]) -> Any:
        """Call a function until it returns something."""
        end = time.monotonic() + _TIMEOUT_SECONDS
        while time.monotonic() < end:
            with contextlib.suppress(LookupError):
                if found := find():
                    return found
            time.sleep(0.05)
        raise TimeoutError

    def items(self, role: str, name: str = "", state: str = "") -> list[Item]:
        """Return the objects with a role, a state and the beginning of a name."""
        while True:
            with contextlib.suppress(LookupError):
                found = (each for each in self.root.walk() if each.role == role and each.name.startswith(name))
                return [each for each in found if not state or each.has(state)]

    def named(self, role: str) -> list[str]:
        """Return the names of all objects with a role."""
        return [each.name for each in self.items(role)]

    def item(self, role: str, name: str = "", state: str = "") -> Item:
        """Wait for an object with a role, a state and the beginning of a name, and return it."""
        found: list[Item] = self.until(lambda: self.items(role, name, state))
        return found[0]

    def wait_without(self, role: str, name: str = "", state: str = "") -> None:
        """Wait until there is no such object."""
        self.until(lambda: not self.items(role, name, state))

    def hear(self, words: str) -> str:
        """Wait until a text with these words is read, and return all texts read."""
        return str(self.until(lambda: next((each for each in self.heard() if words in each), "")))


Start = Callable[..., Desktop]


@pytest.fixture(scope="module")
def session() -> Iterator[tuple[Desktop, dict[str, str]]]:
    with Screen(*DESIGN_SIZE) as screen:
        environment, command = screen.environment(), ["dbus-daemon", "--session", "--nofork", "--print-address"]
        bus = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            assert bus.stdout is not None
            address = bus.stdout.readline().strip()
            with Desktop(address) as desktop:
                yield desktop, {**environment, "DBUS_SESSION_BUS_ADDRESS": address}
        except LookupError as error:
            pytest.skip(str(error))
        finally:
            bus.terminate()
            bus.wait(30)


@pytest.fixture
def start(session: tuple[Desktop, dict[str, str]], tmp_path: Path) -> Iterator[Start]:
    """Start the program with a config, and show only this program to the screen reader."""
    desktop, environment = session
    programs: list[subprocess.Popen[bytes]] = []

    def started(**config: object) -> Desktop:
        file = tmp_path / "config.json"
        file.write_text(json.dumps({"seed": 1, "move_delay_seconds": 0, "players": PEOPLE, **config}))
        (tmp_path / "settings.json").write_text(json.dumps({"motion": "none"}))
        own = dict.fromkeys(("OTHELLO_CONFIG_DIR", "OTHELLO_DATA_DIR"), str(tmp_path))
        command = [sys.executable, "-m", "othello", "--config", str(file)]
        programs.append(subprocess.Popen(command, env={**environment, **own}))
        desktop.item("button", "New game")
        desktop.heard()
        return desktop

    yield started
    for program in programs:
        program.terminate()
        program.wait(30)
    desktop.wait_without("frame")


def play_to_end(desktop: Desktop) -> str:
    """Play the first legal moves, and return the result."""
    board = desktop.item("table", "Board").children

    def has_changed(names: list[str]) -> bool:
        return [cell.name for cell in board] != names

    while True:
        status = desktop.named("status")[0]
        if "wins" in status or "draw" in status.lower():
            return status
        names = [cell.name for cell in board]
        legal = next((cell for cell, name in zip(board, names, strict=True) if ", legal" in name), None)
        if legal is None:
            board[0].press()  # any square acknowledges the pass
        else:
            legal.press()
        desktop.until(partial(has_changed, names))


def play(desktop: Desktop, moves: str) -> None:
    for move in moves.split():
        desktop.item("cell", f"{move}, empty, legal").press()
        desktop.wait_without("cell", f"{move}, empty")


def test_a_game_of_othello_is_played_to_its_end_and_passes_are_read(start: Start) -> None:
    desktop = start(game="othello")
    assert desktop.named("frame") == ["Black – White – Othello"]
    assert len(desktop.named("cell")) == 64
    desktop.item("toggle button", "Captures", "enabled")
    assert desktop.item("button", "Redo").about.startswith("Not available.")
    assert not desktop.item("button", "New game").about.startswith("Not available")
    play(desktop, WITH_A_PASS)
    desktop.hear("White played c1. Black has no legal move and passes.")
    desktop.item("cell", "a1").press()
    assert desktop.hear("Black passed") == "Black passed. White to move."
    result = play_to_end(desktop)
    assert desktop.hear("wins") == result


@pytest.mark.parametrize(("game", "cells"), [("ultimate_tictactoe", 81), ("connect_four", 42)])
def test_a_game_is_played_to_its_end(start: Start, game: str, cells: int) -> None:
    desktop = start(game=game)
    assert len(desktop.named("cell")) == cells
    result = play_to_end(desktop)
    assert desktop.hear(result) == result


def test_a_new_game_is_chosen_and_each_move_of_the_computer_is_read_once(start: Start) -> None:
    desktop = start(game="othello")
    desktop.item("button", "New game").press()
    assert desktop.item("dialog", "New game")
    desktop.item("radio button", "Othello", "focused")
    desktop.item("radio button", "Tic-tac-toe").press()
    desktop.item("radio button", "You against the computer").press()
    desktop.item("radio button", "First steps").press()
    desktop.item("radio button", "X, first").press()
    for name in ("Tic-tac-toe", "First steps", "X, first"):
        desktop.item("radio button", name, "checked")
    desktop.item("button", "Start").press()
    read: list[str] = []
    while not any(word in each for each in read for word in ("win", "lose", "draw")):
        read += desktop.until(desktop.heard)
        legal = [cell for cell in desktop.items("cell") if ", legal" in cell.name]
        if "Your move" in read[-1] and legal:
            legal[0].press()
    answers = [item.split()[-1] for item in desktop.named("list item") if " O " in item]
    assert answers
    assert all(sum(f"played {move}." in each for each in read) == 1 for move in answers), read


def test_settings_are_changed_up_to_the_language(start: Start) -> None:
    desktop = start(game="tictactoe")
    desktop.item("button", "Settings").press()
    desktop.item("dialog", "Settings")

    desktop.item("radio button", "Dark", "focused")
    desktop.item("check box", "Coordinates", "checked").press()
    desktop.wait_without("check box", "Coordinates", "checked")
    desktop.item("radio button", "Light").press()
    desktop.item("radio button", "Light", "checked")
    desktop.item("slider", "Text size").put(120)
    desktop.until(lambda: desktop.item("slider", "Text size").value == 120)
    assert desktop.item("entry", "blunder").text == "12"
    desktop.item("combo box", "Language").press()
    desktop.item("menu item", "System: English", "focused")
    desktop.item("menu item", "Polski").press()
    desktop.item("button", "Gotowe", "enabled").press()
    assert desktop.item("cell", "b2").name == "b2, puste, dozwolone"


def test_a_text_is_read_by_words_and_the_caret_is_put_anywhere(start: Start) -> None:
    desktop = start(game="tictactoe")
    desktop.item("button", "Save").press()
    field = desktop.item("entry", "File name")
    text = field.text
    assert text.startswith("X – O ")
    assert [field.word(at).strip() for at in (0, 2, 5, len(text) - 2)] == text.split()
    assert field.has("focused")
    field.go_to(2)
    assert desktop.until(lambda: field.caret == 2)


def test_a_hint_is_taken_a_game_reviewed_and_a_mistake_tried_again(start: Start) -> None:
    desktop = start(game="tictactoe")
    play(desktop, A_MISTAKE)
    desktop.item("toggle button", "Hint").press()
    desktop.hear("c2 is best and wins.")
    desktop.item("cell", "c2, empty, legal, hint").press()
    assert desktop.hear("wins") == "X played c2. X wins."
    desktop.item("toggle button", "Review").press()
    worst = desktop.item("panel", "Move 6 blunder, played b1, best c2")
    curve = desktop.item("slider", "Graph of the evaluation, move by move")
    curve.put(2)
    assert "No loss" in desktop.hear("Move 2: a1.")
    curve.put(6)
    assert "Move 6: b1 blunder. Lost 50% of winning chance. Better: c2." in desktop.hear("Move 6")
    worst.press()
    desktop.hear("Move 5: a2.")
    assert desktop.item("cell", "c2, empty, legal, value =50.0%, best value")
    assert desktop.item("list item", "6 O b1 blunder")
    desktop.item("toggle button", "Review").press()
    desktop.item("button", "Practise these").press()
    assert "In the game you played b1" in desktop.hear("Find a better move.")
    desktop.item("cell", "b3").press()
    desktop.hear("b3: not better")
    desktop.item("cell", "c2").press()
    assert "No other move is as good." in desktop.hear("c2 is right")
