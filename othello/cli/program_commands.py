"""`othello programs`: external programs as players; `othello check-player`: the test of a player."""

import argparse
import shlex
from pathlib import Path
from typing import Any, Final

from othello.cli.arguments import Parser, add_option, whole_number
from othello.config import PlayerConfig
from othello.errors import CommandError, PlayerError
from othello.players.conformance import POSITIONS, ConformanceCheck, try_out
from othello.players.player_registry import COMPUTERS, configure
from othello.programs.program_registry import (
    Program,
    entry_of,
    find,
    installed,
    program_of,
    programs as registered,
    register,
    remove,
)
from othello.rules.registry import GAMES, OWN_GAMES, game_spec, rules_of
from othello.schema import options_of

_SHOWN_FIRST: Final = ("class", "command", "protocol", "environment")
_SETTINGS: Final = ("protocol", "folder", "depth", "start_seconds", "move_seconds", "game_seconds", "memory_mb")


def declare_programs(parser: Parser) -> None:
    parser.usage = """othello programs list
       othello programs add NAME [options] -- PROGRAM [ARGUMENT ...]
       othello programs add NAME [options] --class MODULE:CLASS
       othello programs {test,remove} NAME"""
    add = parser.add_argument
    add("action", choices=("list", "add", "test", "remove"), metavar="ACTION", help="list, add, test or remove")
    add("name", nargs="?", metavar="NAME", help="the program's name in configs and games")
    for key in _SETTINGS:
        add_option(parser, options_of(Program)[key])
    add("--class", dest="class_name", metavar="MODULE:CLASS", help="a Python class that plays, instead of a program")
    add("--env", action="append", metavar="NAME=TEXT", help="an environment variable of the program; may be repeated")


def programs(arguments: argparse.Namespace) -> None:
    """List the registered programs, or add, test or remove one."""
    action, name = arguments.action, arguments.name
    if (name is None) != (action == "list"):
        raise CommandError("programs_list_name" if name else "programs_name", action=action)
    if (action == "add") != (bool(arguments.words) ^ bool(arguments.class_name)):
        raise CommandError("programs_command", action=action)
    {"list": _list, "add": _add, "test": _test, "remove": _remove}[action](arguments)


def _list(_arguments: argparse.Namespace) -> None:
    known = registered()
    for name, program in known.items():
        print(f"{name}  {_described(program)}")
    for name, class_name in installed().items():
        print(f"{name}  {class_name}, installed")
    if not known and not installed():
        print("No program is registered. othello programs add NAME -- PROGRAM [ARGUMENT ...] registers one.")


def _described(program: Program) -> str:
    entry = entry_of(program)
    settings = (f"{key} {value}" for key, value in entry.items() if key not in _SHOWN_FIRST)
    first = program.class_name or f"{program.protocol}  {shlex.join(program.command)}"
    return ", ".join([first, *settings])


def _add(arguments: argparse.Namespace) -> None:
    given = {key: getattr(arguments, key) for key in _SETTINGS}
    entry: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    variables = [text.partition("=") for text in arguments.env or ()]
    if any(not key or not sign for key, sign, _ in variables):
        raise CommandError("programs_env")
    entry["environment"] = {key: value for key, _, value in variables}
    if arguments.class_name:
        program = program_of(arguments.name, {"folder": str(Path.cwd()), **entry, "class": arguments.class_name})
    else:
        program = _command_of(arguments, entry)
    register(program)
    print(f"{program.name} is registered; othello programs test {shlex.quote(program.name)} tries it.")


def _command_of(arguments: argparse.Namespace, entry: dict[str, Any]) -> Program:
    first, *rest = arguments.words
    if Path(first).name == first:  # on the PATH; its arguments may name files in the current folder
        entry.setdefault("folder", str(Path.cwd()))
    else:
        first = str(Path(first).expanduser().absolute())
    return program_of(arguments.name, {"protocol": "gtp", **entry, "command": [first, *rest]})


def _test(arguments: argparse.Namespace) -> None:
    program = find(arguments.name)
    program_test = try_out(program, rules_of(game_spec()))
    assert program_test is not None
    if program_test.program != program:
        register(program_test.program)
        print(f"It speaks {program_test.program.protocol}, not {program.protocol}, and is registered so.")
    depth = f", depth {program_test.first_depth}" if program_test.first_depth else ""
    print("It answers and plays by the rules.")
    print(f"calls itself   {program_test.name or '-'}")
    print(f"started in     {program_test.start_seconds:.2f} s")
    print(f"first move     {program_test.first} in {program_test.first_seconds:.2f} s{depth}")
    print(f"{f'{program_test.moves} moves':<14} all legal, {program_test.move_seconds:.2f} s a move")


def _remove(arguments: argparse.Namespace) -> None:
    remove(arguments.name)
    print(f"{arguments.name} was removed.")


def declare_check_player(parser: Parser) -> None:
    add = parser.add_argument
    add("name", metavar="NAME", help="a type of player, a registered or installed name, or MODULE:CLASS")
    text = f"only this game: {', '.join(OWN_GAMES)}, or one of an installed package"
    add("--game", choices=GAMES, metavar="GAME", help=text)
    text = "number of positions of each game (default: %(default)s)"
    add("--positions", type=whole_number(1, 100_000), metavar="N", default=POSITIONS, help=text)


def check_player(arguments: argparse.Namespace) -> None:
    """Test a player against the contract of players, in every game that it plays."""
    config = _named(arguments.name)
    games = GAMES if arguments.game is None else [arguments.game]
    is_kept, parts = True, 0
    for game in games:
        for finding in ConformanceCheck(config, rules_of(game_spec(game)), arguments.positions).findings():
            parts += 1
            is_kept = is_kept and finding.is_kept is not False
            verdict = {True: "yes", False: "NO", None: "-"}[finding.is_kept]
            print(f"{game:<20} {finding.part:<12} {verdict:<4} {finding.detail}", flush=True)
    if not parts:
        raise PlayerError("contract_nothing", name=arguments.name)
    if not is_kept:
        raise PlayerError("contract_broken", name=arguments.name)


def _named(name: str) -> PlayerConfig:
    """Return the config of a player type, of a registered program or class, or of MODULE:CLASS."""
    if name in COMPUTERS:
        return configure(name)
    if ":" in name:
        inline_program = program_of(name, {"class": name, "folder": str(Path.cwd())})
        return configure("python", program=name, inline_program=inline_program)
    return configure("python" if find(name).class_name else "external", program=name)
