"""A screen reader for tests: a client of AT-SPI over D-Bus."""

from __future__ import annotations

import contextlib
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Final, Self

from jeepney import DBusAddress, MatchRule, Message, MessageType, Properties, message_bus, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection

_ROLES: Final = {
    7: "check box",
    11: "combo box",
    16: "dialog",
    23: "frame",
    32: "list item",
    35: "menu item",
    39: "panel",
    43: "button",
    44: "radio button",
    51: "slider",
    54: "status",
    55: "table",
    56: "cell",
    62: "toggle button",
    79: "entry",
}
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
