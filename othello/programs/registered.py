"""The programs that this person has registered, by name, in `programs.json` of the settings folder.

Games and configs name a program by this name, and only so: what somebody sends can start nothing. Well-known programs
for Othello are found without being named.
"""

import json
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import KW_ONLY
from functools import cache
from pathlib import Path
from typing import Any, Final

from othello.errors import ConfigError, MissingError, ProgramError, Reason, errors_as
from othello.file_lock import alone
from othello.frozen import Frozen
from othello.resources import settings_folder
from othello.schema import check, listing, nearest, object_schema, option, options_of
from othello.strict_json import read as read_json
from othello.writing import write_text

ENTRY_POINTS: Final = "othello.players"
LONGEST_NAME: Final = 40
_MOST: Final = 200
_LONGEST_TEXT: Final = 4096
_MUTE: Final = {f"program_{how}" for how in ("missing", "not_started", "deaf", "silenced", "silent", "ended")}
"""Why programs do not answer; for all other reasons they break a rule."""


class Program(Frozen):
    """How a program is started, what it speaks, and what it may take. Commands are never given to a shell."""

    name: str  # under which this person has registered it
    command: tuple[str, ...]  # the program and its arguments
    _: KW_ONLY
    class_name: str = ""  # module:Class, where the program is a class in Python, and the command its host
    environment: tuple[tuple[str, str], ...] = ()  # variables beside those that this program has
    protocol: str = option(
        "gtp",
        "What the program speaks.",
        choices={
            "gtp": "the Go Text Protocol, as Edax, Egaroucid and GRhino do",
            "nboard": "the protocol of NBoard, as ntest and Edax do",
            "json": "a line of JSON a message, as docs/programs.md tells",
        },
    )
    folder: str | None = option(
        None,
        "The folder in which the program runs. null: the folder that the program itself lies in.",
        words={"maxLength": _LONGEST_TEXT, "minLength": 1},
    )
    depth: int | None = option(
        None, "The depth, or level, that a program is told which speaks nboard. null: 12.", 1, 100
    )
    start_seconds: float = option(10.0, "How long the program may take to start.", 0.1, 600)
    move_seconds: float | None = option(
        None, "The longest that the program may think about a move. null: as the game's clock says.", 0.01, 86400
    )
    game_seconds: float | None = option(
        None, "The longest that the program may think in a game. null: as the game's clock says.", 0.1, 86400
    )
    megabytes: int | None = option(
        None, "The memory that the program may take, in megabytes. null: as much as there is.", 16, 1 << 20
    )


_CLASS_START_SECONDS: Final = 60.0  # libraries that classes need may take long to load
_HOST: Final = "import sys; sys.path.insert(0, sys.argv.pop(1)); from othello.players.host import main; main()"
"""Begins a class's host in whatever folder, with the code of this program."""
_TEXT: Final = {"type": "string", "minLength": 1, "maxLength": _LONGEST_TEXT}
COMMAND_KEYS: Final[Mapping[str, Any]] = {
    "command": {
        "description": "The program and its arguments. No shell reads them.",
        "type": "array",
        "minItems": 1,
        "maxItems": 100,
        "items": _TEXT,
    },
    "class": {
        "description": "A class in Python that plays, in place of a command: as docs/adding-a-player.md tells.",
        "type": "string",
        "title": "module:Class",
        "pattern": r"^[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*$",
        "maxLength": 200,
    },
    "environment": {
        "description": "Variables beside those that this program has.",
        "type": "object",
        "additionalProperties": {"type": "string", "maxLength": _LONGEST_TEXT},
    },
    **object_schema(options_of(Program).values())["properties"],
}
"""The JSON schema of all that describes a program but its name."""


def _check(entry: Mapping[str, Any]) -> None:
    """ConfigError where an entry describes no program."""
    needed = ["class"] if "class" in entry else ["command", "protocol"]
    schema = {"type": "object", "additionalProperties": False, "required": needed, "properties": COMMAND_KEYS}
    check(entry, schema, ConfigError)


def program_of(name: str, entry: Mapping[str, Any]) -> Program:
    """The program that an entry of the file describes; ConfigError where the entry does not."""
    _check(entry)
    values = {key: each.read(entry[key]) for key, each in options_of(Program).items() if entry.get(key) is not None}
    environment = tuple(sorted(entry.get("environment", {}).items()))
    if "class" in entry:
        values = {"start_seconds": _CLASS_START_SECONDS, **values, "protocol": "json", **_hosted(entry["class"])}
        return Program(name, environment=environment, **values)
    return Program(name, tuple(entry["command"]), environment=environment, **values)


def _hosted(class_name: str) -> dict[str, Any]:
    """Return the command that runs a class: this Python, or the download's own program, which contains one."""
    how = ("--host",) if hasattr(sys, "frozen") else ("-P", "-c", _HOST, str(Path(__file__).parents[2]))
    return {"command": (sys.executable, *how, class_name), "class_name": class_name}


def entry_of(program: Program) -> dict[str, Any]:
    """The inverse of `program_of`."""
    told = {key: getattr(program, key) for key, each in options_of(Program).items()}
    usual: dict[str, Any] = {key: each.default for key, each in options_of(Program).items()}
    begin: dict[str, Any] = {"command": list(program.command)}
    usual["protocol"] = None  # always told
    if program.class_name:
        begin = {"class": program.class_name}
        usual |= {"protocol": "json", "start_seconds": _CLASS_START_SECONDS}
    environment = {"environment": dict(program.environment)} if program.environment else {}
    return {**begin, **{key: value for key, value in told.items() if value != usual[key]}, **environment}


def programs_path() -> Path:
    return settings_folder() / "programs.json"


_read: Final[dict[Path, tuple[tuple[int, int], Mapping[str, Program]]]] = {}


def programs() -> Mapping[str, Program]:
    """All registered programs by name, in their order; OthelloError where their file cannot be read."""
    path = programs_path()
    try:
        state = path.stat()
    except OSError:
        return {}
    stamp = state.st_mtime_ns, state.st_size
    if path not in _read or _read[path][0] != stamp:
        _read[path] = stamp, _programs_in(path)
    return _read[path][1]


def _programs_in(path: Path) -> Mapping[str, Program]:
    try:
        document = read_json(path)
    except MissingError:
        return {}
    with errors_as(ConfigError, "in_file", ConfigError, path=path):
        entries = {"type": "object", "additionalProperties": {"type": "object"}}
        check(document, entries, ConfigError)
        return {name: _sound(name, entry) for name, entry in document.items()}


def _sound(name: str, entry: Mapping[str, Any]) -> Program:
    with errors_as(ConfigError, "in_name", ConfigError, name=name):
        check_name(name)
        return program_of(name, entry)


def check_name(name: str) -> None:
    """ConfigError where a program cannot have this name."""
    if not (0 < len(name) <= LONGEST_NAME and name.isprintable() and name == name.strip()):
        raise ConfigError("program_name", most=LONGEST_NAME)


def is_mute(reason: object) -> bool:
    """True if a program failed because it did not answer."""
    return isinstance(reason, Reason) and (reason.name in _MUTE or any(map(is_mute, reason.parts.values())))


@cache
def installed() -> Mapping[str, str]:
    """The classes that installed packages offer as players, by the names of their entry points."""
    from importlib.metadata import entry_points  # seldom needed

    return {each.name: each.value.replace(" ", "") for each in entry_points(group=ENTRY_POINTS)}


def find(name: str) -> Program:
    """The program that is registered or installed under a name; ProgramError: none is."""
    known = programs()
    if name not in known and name in installed():
        return program_of(name, {"class": installed()[name]})
    if name not in known:
        hint = nearest(name, [*known, *installed()]) or (
            Reason("allowed", {"words": listing(known)}) if known else None
        )
        raise ProgramError("program_unknown" if name else "program_unnamed", name=name, hint=hint)
    return known[name]


def register(program: Program, instead_of: str | None = None) -> None:
    """Keep a program, in place of one that it replaces or that has its name; OthelloError where that fails."""
    check_name(program.name)
    _check(entry_of(program))
    with _changing() as known:
        order = [program.name if name == instead_of else name for name in known]
        kept = {**known, program.name: program}
        known.clear()
        known.update({name: kept[name] for name in dict.fromkeys([*order, program.name])})


def remove(name: str) -> None:
    """Forget a program; ProgramError where none has this name."""
    with _changing() as known:
        find(name)
        del known[name]


@contextmanager
def _changing() -> Iterator[dict[str, Program]]:
    """All programs, to be changed and written; nothing is written where the change fails."""
    path = programs_path()
    with alone(path):
        known = dict(programs())
        yield known
        if len(known) > _MOST:
            raise ConfigError("program_count", most=_MOST)
        document = {name: entry_of(program) for name, program in known.items()}
        write_text(path, json.dumps(document, indent=2, ensure_ascii=False) + "\n", is_private=True)


_GAME_FOLDERS: Final = ("/usr/games", "/usr/local/games")  # of Debian; not every session has them in its PATH


_KNOWN: Final[Mapping[str, tuple[str, str, str]]] = {
    "GRhino": ("gtp", "", "gtp-rhino"),
    "Edax": ("gtp", "-gtp", "edax lEdax-x64-modern lEdax-x64 lEdax-x86-64-v3 lEdax-x86-64 mEdax wEdax-x64"),
    "Egaroucid": ("gtp", "-gtp", "egaroucid Egaroucid_for_Console.out Egaroucid_for_Console"),
    "ntest": ("nboard", "x", "ntest"),
}
"""Protocol, arguments, and the names that the program's file may have, by the program's name."""


def which(command: str | Path, path: str | None = None) -> str | None:
    """Return the program that a command starts, or None; `path` replaces PATH, and folders of games follow."""
    folders = os.environ.get("PATH", os.defpath) if path is None else path
    return shutil.which(command, path=os.pathsep.join((folders, *_GAME_FOLDERS)))


def installed_programs() -> Iterator[Program]:
    """Find well-known programs for Othello, each ready to be registered."""
    for name, (protocol, arguments, files) in _KNOWN.items():
        found = next(filter(None, map(which, files.split())), None)
        if found is not None:
            yield Program(name, (str(Path(found).absolute()), *arguments.split()), protocol=protocol)
