"""`othello programs`: the programs that this person has registered as players."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import Any, Final

from othello.errors import CommandError
from othello.players.trial import try_out
from othello.programs.registered import Program, entry_of, find, program_of, register, remove
from othello.programs.registered import programs as registered
from othello.rules.registry import game_spec, rules_of

SETTINGS: Final = ("protocol", "folder", "depth", "start_seconds", "move_seconds", "game_seconds", "megabytes")


def programs(arguments: argparse.Namespace) -> None:
    """List the registered programs, or add, test or remove one."""
    action, name = arguments.action, arguments.name
    if (name is None) != (action == "list"):
        raise CommandError("programs_list_name" if name else "programs_name", action=action)
    if bool(arguments.words) != (action == "add"):
        raise CommandError("programs_command", action=action)
    {"list": _list, "add": _add, "test": _test, "remove": _remove}[action](arguments)


def _list(_arguments: argparse.Namespace) -> None:
    known = registered()
    for name, program in known.items():
        print(f"{name}  {_described(program)}")
    if not known:
        print("No program is registered. othello programs add NAME -- PROGRAM [ARGUMENT ...] registers one.")


def _described(program: Program) -> str:
    entry = entry_of(program)
    told = (f"{key} {value}" for key, value in entry.items() if key not in ("command", "protocol", "environment"))
    return ", ".join([f"{program.protocol}  {shlex.join(program.command)}", *told])


def _add(arguments: argparse.Namespace) -> None:
    given = {key: getattr(arguments, key) for key in SETTINGS}
    entry: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    variables = [text.partition("=") for text in arguments.env or ()]
    if any(not key or not sign for key, sign, _ in variables):
        raise CommandError("programs_env")
    entry["environment"] = {key: value for key, _, value in variables}
    first, *rest = arguments.words
    if Path(first).name == first:  # found on the way: what else it names lies here
        entry.setdefault("folder", str(Path.cwd()))
    else:
        first = str(Path(first).expanduser().absolute())
    program = program_of(arguments.name, {"protocol": "gtp", **entry, "command": [first, *rest]})
    register(program)
    print(f"{program.name} is registered; othello programs test {shlex.quote(program.name)} tries it.")


def _test(arguments: argparse.Namespace) -> None:
    trial = try_out(find(arguments.name), rules_of(game_spec()))
    assert trial is not None
    depth = f", depth {trial.first_depth}" if trial.first_depth else ""
    print("It answers and plays by the rules.")
    print(f"calls itself   {trial.name or '-'}")
    print(f"started in     {trial.start_seconds:.2f} s")
    print(f"first move     {trial.first} in {trial.first_seconds:.2f} s{depth}")
    print(f"{f'{trial.moves} moves':<14} all legal, {trial.move_seconds:.2f} s a move")


def _remove(arguments: argparse.Namespace) -> None:
    remove(arguments.name)
    print(f"{arguments.name} is no longer registered.")
