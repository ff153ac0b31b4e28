"""A screen reader's view of the programs on a desktop: AT-SPI by D-Bus, as a client speaks it.

`python -m tests.gui.atspi CONFIG` starts the program with a game of tic-tac-toe, plays it, and says what it hears.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, Final, Self

from jeepney import DBusAddress, Message, MessageType, Properties, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection

_ROLES: Final = {16: "dialog", 23: "frame", 32: "list item", 43: "button", 44: "radio button", 54: "status", 56: "cell"}
_PATIENCE: Final = 120.0
_STATES: Final = {"enabled": 8, "focused": 12, "checked": 4, "selected": 23}


class Item:
    """Something that a program tells of."""

    def __init__(self, bus: DBusConnection, name: str, path: str) -> None:
        self._bus, self._name, self._path = bus, name, path

    def _call(self, interface: str, method: str, signature: str | None = None, *values: object) -> Any:
        address = DBusAddress(self._path, self._name, f"org.a11y.atspi.{interface}")
        return self._told(new_method_call(address, method, signature, values))

    def _get(self, interface: str, name: str) -> Any:
        address = DBusAddress(self._path, self._name, f"org.a11y.atspi.{interface}")
        return self._told(Properties(address).get(name))[0][1]

    def _told(self, question: Message) -> Any:
        reply = self._bus.send_and_get_reply(question, timeout=20)
        if reply.header.message_type is MessageType.error:
            raise LookupError(self._path)  # it is gone meanwhile
        return reply.body

    @property
    def name(self) -> str:
        return str(self._get("Accessible", "Name"))

    @property
    def role(self) -> str:
        return _ROLES.get(self._call("Accessible", "GetRole")[0], "")

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


class Desktop:
    """All programs, as a screen reader sees them; use as a context manager."""

    def __enter__(self) -> Self:
        with open_dbus_connection("SESSION") as session:
            address = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Bus")
            reply = session.send_and_get_reply(new_method_call(address, "GetAddress"), timeout=20)
            if reply.header.message_type is MessageType.error:
                raise SystemExit("no accessibility bus")
            where = reply.body[0]
            status = Properties(DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Status"))
            session.send_and_get_reply(status.set("IsEnabled", "b", True), timeout=20)
        self._bus = open_dbus_connection(where)
        self.root = Item(self._bus, "org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
        return self

    def __exit__(self, *error: object) -> None:
        self._bus.close()

    def until(self, find: Callable[[], Any]) -> Any:
        """Look until something is found."""
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            with contextlib.suppress(LookupError):
                if found := find():
                    return found
            time.sleep(0.1)
        raise TimeoutError

    def named(self, role: str) -> list[str]:
        """The names of all that has a role."""
        return [each.name for each in self.root.walk() if each.role == role]

    def item(self, role: str, name: str) -> Item:
        """What has a role, and a name that begins so; waits until there is such a thing."""
        found: Item = self.until(
            lambda: next((each for each in self.root.walk() if each.role == role and each.name.startswith(name)), None)
        )
        return found


def play(config: str) -> None:
    """Play a game of tic-tac-toe, and go through a dialog, without a look at the screen."""
    with Desktop() as desktop:
        program = subprocess.Popen([sys.executable, "-m", "othello", "--config", config])
        try:
            desktop.item("button", "New game").press()
            desktop.item("radio button", "Connect Four")
            desktop.item("button", "Cancel").press()
            desktop.item("cell", "b2").focus()
            desktop.until(lambda: desktop.item("cell", "b2").has("focused"))
            for name in ("b2", "a1", "c1", "a3", "a2", "b1", "c2"):
                desktop.item("cell", f"{name}, empty").press()
                print(desktop.item("cell", f"{name}, X" if name in ("b2", "c1", "a2", "c2") else f"{name}, O").name)
            print(desktop.until(lambda: next((each for each in desktop.named("status") if "wins" in each), "")))
        finally:
            program.terminate()
            program.wait(30)


if __name__ == "__main__":
    play(sys.argv[1])
