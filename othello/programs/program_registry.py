"""The user's registered programs, by name, in `programs.json` of the settings folder.

Games and configs refer to programs only by name, so a file from somebody else cannot start anything. Well-known Othello
programs are also looked for in the search path.
"""

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import KW_ONLY
from functools import cache
from pathlib import Path
from typing import Any, Final

from othello.aliases import renamed
from othello.errors import ConfigError, MissingError, ProgramError, Reason, errors_as
from othello.files import exclusive_lock, write_text
from othello.frozen_dataclass import FrozenDataclass
from othello.resources import settings_folder
from othello.schema import check, listing, nearest, object_schema, option, options_of
from othello.strict_json import format_document, read as read_json

ENTRY_POINTS: Final = "othello.players"
LONGEST_NAME: Final = 40
USUAL_DEPTH: Final = 12  # of a program that speaks nboard
_MAX_PROGRAMS: Final = 200
_MAX_TEXT: Final = 4096
_NO_ANSWER: Final = {f"program_{how}" for how in ("missing", "not_started", "deaf", "silenced", "silent", "ended")}
"""Reasons why a program does not answer; for all other reasons it breaks a rule."""


class Program(FrozenDataclass):
    """An external program: its command, its protocol and its limits. Commands are not run in a shell."""

    name: str  # under which the user has registered it
    command: tuple[str, ...]  # with arguments
    _: KW_ONLY
    class_name: str = ""  # module:Class of a Python class; the command then runs its host process
    environment: tuple[tuple[str, str], ...] = ()  # added to the variables of this process
    protocol: str = option(
        "gtp",
        "The protocol of the program.",
        choices={
            "gtp": "the Go Text Protocol, as Edax, Egaroucid and GRhino do",
            "nboard": "the protocol of NBoard, as ntest and Edax do",
            "json": "one JSON object per line, described in docs/programs.md",
        },
    )
    folder: str | None = option(
        None,
        "The folder in which the program runs. null: the program's own folder.",
        words={"maxLength": _MAX_TEXT, "minLength": 1},
    )
    depth: int | None = option(
        None, f"The depth, or level, of a program that speaks nboard. null: {USUAL_DEPTH}.", 1, 100
    )
    start_seconds: float = option(10.0, "Time limit for the start, in seconds.", 0.1, 600)
    move_seconds: float | None = option(None, "Time limit for a move, in seconds. null: the game's clock.", 0.01, 86400)
    game_seconds: float | None = option(None, "Time limit for a game, in seconds. null: the game's clock.", 0.1, 86400)
    memory_mb: int | None = option(None, "Memory limit in megabytes. null: no limit.", 16, 1 << 20)


_CLASS_START_SECONDS: Final = 60.0  # a class may import large libraries
_HOST: Final = "import sys; sys.path.insert(0, sys.argv.pop(1)); from othello.players.host import main; main()"
"""Runs the host process of a class with the code of this program, in any folder."""
_TEXT: Final = {"type": "string", "minLength": 1, "maxLength": _MAX_TEXT}
COMMAND_KEYS: Final[Mapping[str, Any]] = {
    "command": {
        "description": "The program and its arguments. No shell reads them.",
        "type": "array",
        "minItems": 1,
        "maxItems": 100,
        "items": _TEXT,
    },
    "class": {
        "description": "A Python class that plays, instead of a command. docs/adding-a-player.md describes it.",
        "type": "string",
        "title": "module:Class",
        "pattern": r"^[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*$",
        "maxLength": 200,
    },
    "environment": {
        "description": "Environment variables, in addition to those of this program.",
        "type": "object",
        "additionalProperties": {"type": "string", "maxLength": _MAX_TEXT},
    },
    **object_schema(options_of(Program).values())["properties"],
}
"""The JSON schema of a program's entry, without the name."""


def _check(entry: Mapping[str, Any]) -> None:
    """Check an entry against the schema.

    Raises:
        ConfigError: the entry does not describe a program.
    """
    needed = ["class"] if "class" in entry else ["command", "protocol"]
    schema = {"type": "object", "additionalProperties": False, "required": needed, "properties": COMMAND_KEYS}
    check(entry, schema, ConfigError)


def program_of(name: str, entry: Mapping[str, Any]) -> Program:
    """Return the program that an entry of the file describes.

    Raises:
        ConfigError: the entry does not follow the schema.
    """
    _check(entry)
    values = {key: option.read(entry[key]) for key, option in options_of(Program).items() if entry.get(key) is not None}
    environment = tuple(sorted(entry.get("environment", {}).items()))
    if "class" in entry:
        values = {"start_seconds": _CLASS_START_SECONDS, **values, "protocol": "json", **_hosted(entry["class"])}
        return Program(name, environment=environment, **values)
    return Program(name, tuple(entry["command"]), environment=environment, **values)


def _hosted(class_name: str) -> dict[str, Any]:
    """Return the command that runs a class: with this Python, or with the frozen program, which contains one."""
    how = ("--host",) if hasattr(sys, "frozen") else ("-P", "-c", _HOST, str(Path(__file__).parents[2]))
    return {"command": (sys.executable, *how, class_name), "class_name": class_name}


def entry_of(program: Program) -> dict[str, Any]:
    """Return a program as an entry of the file, the inverse of `program_of`."""
    values = {key: getattr(program, key) for key, option in options_of(Program).items()}
    usual: dict[str, Any] = {key: option.default for key, option in options_of(Program).items()}
    begin: dict[str, Any] = {"command": list(program.command)}
    usual["protocol"] = None  # always written
    if program.class_name:
        begin = {"class": program.class_name}
        usual |= {"protocol": "json", "start_seconds": _CLASS_START_SECONDS}
    environment = {"environment": dict(program.environment)} if program.environment else {}
    return {**begin, **{key: value for key, value in values.items() if value != usual[key]}, **environment}


def programs_path() -> Path:
    return settings_folder() / "programs.json"


_read: Final[dict[Path, tuple[tuple[int, int], Mapping[str, Program]]]] = {}


def programs() -> Mapping[str, Program]:
    """Return all registered programs by name, in the order of their file.

    Raises:
        OthelloError: the file cannot be read.
    """
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
        document = renamed(read_json(path))
    except MissingError:
        return {}
    with errors_as(ConfigError, "in_file", ConfigError, path=path):
        entries = {"type": "object", "additionalProperties": {"type": "object"}}
        check(document, entries, ConfigError)
        return {name: _checked_program(name, entry) for name, entry in document.items()}


def _checked_program(name: str, entry: Mapping[str, Any]) -> Program:
    with errors_as(ConfigError, "in_name", ConfigError, name=name):
        check_name(name)
        return program_of(name, entry)


def check_name(name: str) -> None:
    """Check the name of a program.

    Raises:
        ConfigError: the name is empty, too long, or has other than printable characters.
    """
    if not (0 < len(name) <= LONGEST_NAME and name.isprintable() and name == name.strip()):
        raise ConfigError("program_name", maximum=LONGEST_NAME)


def is_mute(reason: object) -> bool:
    """Return whether a program failed because it did not answer."""
    return isinstance(reason, Reason) and (reason.name in _NO_ANSWER or any(map(is_mute, reason.parts.values())))


@cache
def installed() -> Mapping[str, str]:
    """Return the classes that installed packages offer as players, by the names of their entry points."""
    from importlib.metadata import entry_points  # slow to import, and seldom needed

    return {entry_point.name: entry_point.value.replace(" ", "") for entry_point in entry_points(group=ENTRY_POINTS)}


def find(name: str) -> Program:
    """Return the program that is registered or installed under a name.

    Raises:
        ProgramError: there is none.
    """
    known = programs()
    if name not in known and name in installed():
        return program_of(name, {"class": installed()[name]})
    if name not in known:
        allowed = Reason("allowed", {"words": listing(known)}) if known else None
        hint = nearest(name, [*known, *installed()]) or allowed
        raise ProgramError("program_unknown" if name else "program_unnamed", name=name, hint=hint)
    return known[name]


def register(program: Program, instead_of: str | None = None) -> None:
    """Store a program; it replaces `instead_of` and any program of the same name.

    Raises:
        OthelloError: the program is not valid, or the file cannot be written.
    """
    check_name(program.name)
    _check(entry_of(program))
    with _changing() as known:
        order = [program.name if name == instead_of else name for name in known]
        programs = {**known, program.name: program}
        known.clear()
        known.update({name: programs[name] for name in dict.fromkeys([*order, program.name])})


def remove(name: str) -> None:
    """Remove a program.

    Raises:
        ProgramError: no program has this name.
    """
    with _changing() as known:
        find(name)
        del known[name]


@contextmanager
def _changing() -> Iterator[dict[str, Program]]:
    """Yield all programs to be changed, then write them; nothing is written after an exception."""
    path = programs_path()
    with exclusive_lock(path):
        known = dict(programs())
        yield known
        if len(known) > _MAX_PROGRAMS:
            raise ConfigError("program_count", maximum=_MAX_PROGRAMS)
        document = {name: entry_of(program) for name, program in known.items()}
        write_text(path, format_document(document), is_private=True)


_GAME_FOLDERS: Final = ("/usr/games", "/usr/local/games")  # of Debian; not every session has them in PATH


_KNOWN: Final[Mapping[str, tuple[str, str, str]]] = {
    "GRhino": ("gtp", "", "gtp-rhino"),
    "Edax": ("gtp", "-gtp", "edax lEdax-x64-modern lEdax-x64 lEdax-x86-64-v3 lEdax-x86-64 mEdax wEdax-x64"),
    "Egaroucid": ("gtp", "-gtp", "egaroucid Egaroucid_for_Console.out Egaroucid_for_Console"),
    "ntest": ("nboard", "x", "ntest"),
}
"""Protocol, arguments, and possible file names of well-known programs."""


def which(command: str | Path, path: str | None = None) -> str | None:
    """Return the path of the program that a command starts, or None; `path` replaces PATH.

    Folders of games are searched last.
    """
    folders = os.environ.get("PATH", os.defpath) if path is None else path
    return shutil.which(command, path=os.pathsep.join((folders, *_GAME_FOLDERS)))


def installed_programs() -> Iterator[Program]:
    """Yield the well-known Othello programs that are installed, ready to be registered."""
    for name, (protocol, arguments, files) in _KNOWN.items():
        path = next(filter(None, map(which, files.split())), None)
        if path is not None:
            yield Program(name, (str(Path(path).absolute()), *arguments.split()), protocol=protocol)
