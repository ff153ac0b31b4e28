"""An external program while it is edited in a dialog."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from othello.errors import ConfigError, FileError
from othello.files import read_text
from othello.gui.dialogs.player_form import OTHER
from othello.programs.program_registry import Program, entry_of, program_of
from othello.schema import first_fault, options_of
from othello.texts import number, number_of

PYTHON: Final = "python"
PROTOCOLS: Final = (("nboard", "NBoard"), ("gtp", "GTP"), ("json", "JSON"), (PYTHON, "Python"))
"""Keys and names of the protocols. A class in Python needs no protocol."""
LIMITS: Final[Mapping[str, Sequence[float | None]]] = {
    "start_seconds": (2.0, 5.0, 10.0, 30.0, 60.0),
    "move_seconds": (None, 1.0, 5.0, 10.0, 30.0, 60.0),
    "memory_mb": (None, 256, 512, 1024, 2048, 4096),
}


@dataclass
class ProgramDraft:
    """An external program while it is edited. It is registered as soon as it is complete."""

    name: str
    command: str  # path of the program, or MODULE:CLASS
    arguments: list[str]
    speaks: str  # a key of `PROTOCOLS`
    entry: dict[str, Any]  # the other options, as in the file of programs
    registered: str | None = None  # the name that it is registered under
    typed: dict[str, str] = field(default_factory=dict)  # typed limits
    fault: str = ""  # why the program cannot be registered

    @classmethod
    def of(cls, program: Program) -> ProgramDraft:
        entry = entry_of(program)
        command, *arguments = entry.pop("command", None) or [entry.pop("class")]
        speaks = entry.pop("protocol", PYTHON)
        own = {
            key: number(entry[key], "")
            for key, values in LIMITS.items()
            if entry.get(key) is not None and entry[key] not in values
        }
        return cls(program.name, command, arguments, speaks, entry, program.name, own)

    @property
    def program(self) -> Program:
        """The finished program. Raises OthelloError if the draft is not complete."""
        if not self.command.strip():
            raise ConfigError("program_no_file")
        how: dict[str, Any] = {"class": self.command.strip()}
        if self.speaks != PYTHON:
            how = {"command": [self.command.strip(), *filter(None, self.arguments)], "protocol": self.speaks}
        return program_of(self.name.strip(), {**self.entry, **how})

    def take_file(self, path: Path) -> None:
        """Use a file as the program. A Python module that is not executable is used by its class."""
        self.command = str(path)
        if path.suffix == ".py" and not os.access(path, os.X_OK):
            self.speaks, self.entry["folder"] = PYTHON, str(path.parent)
            self.command = f"{path.stem}:{_class_in(path)}"
        elif self.speaks == PYTHON:
            self.speaks = PROTOCOLS[0][0]

    def change(self, key: str, part: str, value: Any) -> None:
        """Set a value.

        Args:
            key: the value's name.
            part: number of an argument; for a limit, not empty if the limit was typed.
            value: the new value.
        """
        if key == "argument":
            self.arguments[int(part)] = value
        elif key in LIMITS:
            self._change_limit(key, value, is_typed=bool(part))
        elif key in ("name", "command", "speaks"):
            setattr(self, key, value)
        else:
            self.entry[key] = value or None

    def _change_limit(self, key: str, value: Any, *, is_typed: bool) -> None:
        if value == OTHER:
            now = self.entry.get(key) or options_of(Program)[key].default or next(filter(None, LIMITS[key]))
            self.typed[key] = number(now, "")
        elif is_typed:
            self.typed[key] = value
            limit = limit_of(key, value)
            self.entry |= {} if limit is None else {key: limit}
        else:
            self.typed.pop(key, None)
            self.entry[key] = value


def _class_in(path: Path) -> str:
    """Return the name of the first public class of a module, or "Player"."""
    text = ""
    with suppress(FileError):
        text = read_text(path, 1 << 20)
    found = re.search(r"^class ([^\W_]\w*)", text, re.MULTILINE)
    return found[1] if found else "Player"


def limit_of(key: str, text: str) -> float | None:
    """Return a typed limit, or None if the text is not valid."""
    value, option = number_of(text), options_of(Program)[key]
    if value is not None and option.kind is int and value.is_integer():
        value = int(value)
    return None if value is None or first_fault(value, option.schema) is not None else value
