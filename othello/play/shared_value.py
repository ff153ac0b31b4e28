"""What a person learns from, as a value in the store that several windows share."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

from othello.errors import OthelloError, Reason
from othello.frozen import Frozen
from othello.play.keeper import Keeper

if TYPE_CHECKING:
    from othello.store.database import Store

T = TypeVar("T")


class Damage(Frozen):
    """A value that could not be read, what it is called now, and why."""

    name: str
    reason: Reason


class SharedValue(Generic[T]):
    """A value in the store. This window's changes are put into what is there.

    Args:
        keeper: where the value is kept, and read when it is needed; None: it lasts as long as the program runs.
        name: what it is called there.
        empty: the value where there is none.
        read: reads a text; OthelloError where that is damaged.
        text_of: what is kept of a value.
    """

    def __init__(
        self, keeper: Keeper | None, name: str, empty: T, read: Callable[[str], T], text_of: Callable[[T], str]
    ) -> None:
        self._keeper, self._name, self._empty, self._parse, self._text_of = keeper, name, empty, read, text_of
        # the value that was damaged, or why the value cannot be kept; None: all is well
        self.notice: Damage | OthelloError | None = None
        self._waiting: list[Callable[[T], T]] = []

    @cached_property
    def value(self) -> T:
        """The value as this window has it."""
        if self._keeper is None:
            return self._empty
        try:
            data = self._keeper.ask(lambda store: store.kept(self._name))
        except OthelloError as error:  # it lasts as long as the program runs
            self.notice, self._keeper = error, None
            return self._empty
        try:
            return self._read(data)
        except OthelloError as error:
            self.notice = Damage(self._keeper.store.aside(self._name), error.reason)
            self.value = self._empty
            self._keeper.do(self, self._write, self._told)
            return self._empty

    def change(self, change: Callable[[T], T]) -> None:
        """Change the value, here and in the store."""
        self.value = change(self.value)
        if self._keeper is not None:
            self._waiting.append(change)
            self._keeper.do(self, self._write, self._told)

    def _write(self, store: Store) -> None:
        """Put the changes into the store. Changes that cannot be written are tried again with the next change."""
        count = len(self._waiting)

        def changed(data: bytes | None) -> bytes:
            value = self.value if data is None else self._read(data)
            for change in self._waiting[:count]:
                value = change(value)
            return self._text_of(value).encode(errors="replace")

        store.keep(self._name, changed)
        del self._waiting[:count]

    def _told(self, error: OthelloError | None) -> None:
        self.notice = error or (None if isinstance(self.notice, OthelloError) else self.notice)

    def _read(self, data: bytes | None) -> T:
        """The value that is kept; OthelloError where it is damaged."""
        return self._empty if data is None else self._parse(data.decode(errors="replace").removeprefix("\ufeff"))
