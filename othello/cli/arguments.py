"""The command line's arguments, and `--help`."""

import argparse
import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Final, NoReturn, TypeAlias

import othello
from othello.aliases import renamed, renamed_arguments
from othello.cli.messages import print_message
from othello.config import MAX_SEED, ExistingOutput
from othello.errors import CommandError, ConfigError, Reason
from othello.numbers import parse_whole
from othello.players.player_registry import COMPUTERS, OPTIONS, unused
from othello.resources import asset
from othello.schema import Option, first_fault, listing, nearest, object_schema
from othello.strict_json import parse as parse_json

_DESCRIPTION: Final = """\
Play Othello, watch computer players, and measure them against each other.

Without a command, othello plays what its config file says: in a window, with --terminal in the
terminal, or with --headless in neither, and prints the results."""

# Short names of options on the command line.
PLAYER_OPTIONS: Final = {"--depth": "depth", "--simulations": "simulation_count", "--level": "level"}
# The options of a command's player, without its time.
SERVED_OPTIONS: Final = {
    f"--{key.replace('_', '-')}": option
    for key, option in OPTIONS.items()
    if key not in ("name", "player_color", "time_limit_seconds", "clock_seconds", "increment_seconds")
}
# All commands in the order of `--help`: the module, which is imported only if the command is given, and what it does.
# The module has a function with the name of the command, and one named `declare_COMMAND`, which adds the arguments to a
# parser. A command with actions declares their functions instead.
COMMANDS: Final = {
    "perft": ("position_commands", "count the leaves of the game tree, to check and time the move generator"),
    "analyse": ("position_commands", "search a position, or the last position of every game in a file"),
    "trace": ("trace", "write every step of one search to a file"),
    "solve": ("position_commands", "solve positions exactly: the score, the best move and the line of best play"),
    "convert": ("game_commands", "write games in another format, named by the suffix of OUT"),
    "archive": ("game_commands", "keep games in an archive, and find them by player, year or position"),
    "repertoire": ("game_commands", "list, add and remove the openings that you learn in the window"),
    "bench": ("position_commands", "measure the speed of every kernel and search on this machine"),
    "compile": ("position_commands", "compile the code of all games and players, to avoid waiting later"),
    "report": ("experiments", "show who is stronger, with intervals, from results files"),
    "book": ("book_commands", "make, extend, merge, export and check opening books"),
    "gtp": ("gtp", "play in another program by the Go Text Protocol, on standard input and output"),
    "nboard": ("nboard", "play in another program by the protocol of NBoard, on standard input and output"),
    "programs": ("program_commands", "list, add, test or remove external programs, such as Edax"),
    "check-player": (
        "program_commands",
        "test a player: legal moves, time limits, stopping, pausing, two at once, repeatability",
    ),
    "tune": ("experiments", "search for the best values of a player's options, by games against itself (SPSA)"),
}

Run: TypeAlias = Callable[[argparse.Namespace], object]


class Parser(argparse.ArgumentParser):
    """Reports errors in one line, like everything else in the program."""

    def error(self, message: str) -> NoReturn:
        raise CommandError("usage", reason=Reason(message), program=self.prog)

    @property
    def options(self) -> list[str]:
        """The options of this parser and its subcommands. The program's own commands do not count."""
        below = [] if self.prog == "othello" or self._subparsers is None else self._subparsers._group_actions
        parsers = [parser for action in below for parser in dict(action.choices or {}).values()]
        return [*self._option_string_actions, *chain.from_iterable(parser.options for parser in parsers)]

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            words = list(action.choices)
            hint = nearest(value, words) or Reason("allowed", {"words": listing(words)})
            raise argparse.ArgumentError(action, str(Reason("unknown_word", {"word": value, "hint": hint})))


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Parse the arguments. The result's `command` is the function that carries them out.

    Raises:
        CommandError: an argument is unknown, missing or out of range.
    """
    words = _with_board_joined(argv)
    is_quoting = words[:1] == ["programs"] and "--" in words  # another program's command line follows
    end = words.index("--") if is_quoting else len(words)
    words[:end] = renamed_arguments(words[:end])
    parser, commands = _parser(words)
    if words[:2] == ["programs", "add"] and not is_quoting:
        arguments, rest = parser.parse_known_args(words)
        if rest and not rest[0].startswith("-"):
            raise CommandError("programs_dashes", name=arguments.name, words=shlex.join(rest))
    _check_options(parser, commands, words[:end])
    arguments = parser.parse_args(words[:end])
    arguments.words = words[end + 1 :]
    return arguments


def _check_options(parser: Parser, commands: Mapping[str, Parser], argv: Sequence[str]) -> None:
    """Refuse an unknown option, before argparse takes its value for a command."""
    if argv and not argv[0].startswith("-") and argv[0] not in commands:
        return  # an unknown command: its options are unknown, too
    command = next((commands[word] for word in argv if word in commands), parser)
    for word in argv:
        option = word.partition("=")[0]
        if option.startswith("--") and option not in ("--", *parser.options, *command.options):
            command.error(str(Reason("unknown_word", {"word": option, "hint": nearest(option, command.options)})))


def _with_board_joined(argv: Sequence[str]) -> list[str]:
    """Join `--board` and its text with `=`, because argparse takes a text that begins with a dash for an option."""
    words = list(argv)
    while "--board" in words[:-1]:
        place = words.index("--board")
        words[place : place + 2] = [f"--board={words[place + 1]}"]
    return words


def _parser(words: Sequence[str]) -> tuple[Parser, Mapping[str, Parser]]:
    """Return the parser, and those of all commands. Only commands among the words have arguments."""
    usage = "othello [options]\n       othello COMMAND ..."
    epilog = asset("texts/command-line.txt").read_text(encoding="utf-8")
    parser = Parser(prog="othello", usage=usage, description=_DESCRIPTION, epilog=epilog, allow_abbrev=False)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.set_defaults(command=partial(_run, "othello.cli.experiments:play"))
    add = parser.add_argument
    add("--version", action="version", version=f"othello {othello.__version__}")
    add("--config", type=Path, metavar="FILE", help="what to play (default: config.json)")
    place = parser.add_mutually_exclusive_group().add_argument
    place("--headless", action="store_true", help="play without a window, show progress, print the results")
    place("--terminal", action="store_true", help="play in this terminal; asks what to play if --config is missing")
    text = "open a file with a game, moves or a position in the window; without FILE, open the window as usual"
    place("--open", type=Path, nargs="?", const=False, metavar="FILE", help=text)
    add_run_options(parser)
    add("--game-seed", type=parse_seed, metavar="N", help="play only the game whose record has the seed N")
    title = "commands (othello COMMAND --help tells more)"
    commands = parser.add_subparsers(title=title, metavar="COMMAND", prog="othello")
    for name, (module, text) in COMMANDS.items():
        command = _subparser(commands, name, text)
        if name in words:
            function = name.replace("-", "_")
            command.set_defaults(command=partial(_run, f"othello.cli.{module}:{function}"))
            resolve_name(f"othello.cli.{module}:declare_{function}")(command)
    return parser, commands.choices


def _run(path: str, arguments: argparse.Namespace) -> None:
    resolve_name(path)(arguments)


def _subparser(parsers: "argparse._SubParsersAction[Parser]", name: str, text: str, run: Run | None = None) -> Parser:
    """Add the parser of a command or an action, which calls `run`."""
    description = f"{text[0].upper()}{text[1:]}."
    parser = parsers.add_parser(name, help=text, description=description, allow_abbrev=False)
    if run is not None:
        parser.set_defaults(command=run)
    return parser


def actions(parser: Parser) -> Callable[[str, str, Run], Parser]:
    """Return a function that adds an action to a command: its name, its help text, and the function to call."""
    return partial(_subparser, parser.add_subparsers(title="actions", dest="action", metavar="ACTION", required=True))


def add_run_options(parser: Parser) -> None:
    """Add the options of `othello` and `othello tune`."""
    add = parser.add_argument
    add("--seed", type=parse_seed, metavar="N", help="seed for all games: the same seed and config play the same games")
    add("--output", type=Path, metavar="FILE", help="write a record of every game to FILE, a .csv or .jsonl")
    existing = partial(parser.add_mutually_exclusive_group().add_argument, dest="existing", action="store_const")
    existing("--overwrite", const=ExistingOutput.OVERWRITE, help="replace the games in FILE")
    existing("--resume", const=ExistingOutput.RESUME, help="play only the games of a tournament that are not in FILE")
    trusted = "let the config start the programs that it describes; only for configs that you trust"
    add("--allow-programs", action="store_true", help=trusted)
    add("--cluster", metavar="ADDRESS", help="play a tournament on a Dask cluster at an address like tls://host:8786")


def add_position(parser: Parser) -> None:
    """Add the options for a position and its game."""
    add = parser.add_argument
    add("--board", metavar="TEXT", help="the position (default: the start of the game; othello --help explains TEXT)")
    add("--moves", metavar="TEXT", help="moves to play first, such as f5d6c3")
    add("--config", type=Path, metavar="FILE", help="a config file, for its game and rules")


def add_player(parser: Parser, default: str, arguments: str = "") -> None:
    """Add `--player` and the options of players; `arguments`: those of the command, for its usage."""
    types = f"{', '.join(COMPUTERS)} (default: %(default)s)"
    parser.add_argument("--player", choices=COMPUTERS, default=default, metavar="TYPE", help=types)
    parser.usage = f"%(prog)s [options]{arguments}"  # the list of all options would be long
    for option in SERVED_OPTIONS.values():
        add_option(parser, option, *(short for short, key in PLAYER_OPTIONS.items() if key == option.name))


def player_entry(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the options of the player as an entry of `players`, and print a message for those that it ignores."""
    given = {option.name: getattr(arguments, option.name) for option in SERVED_OPTIONS.values()}
    for name, option in SERVED_OPTIONS.items():
        if (reason := unused(option.name, arguments.player)) and given[option.name] is not None:
            short = next((short for short, key in PLAYER_OPTIONS.items() if key == option.name), name)
            print_message(f"{short}: {reason}")
    return {key: value for key, value in given.items() if value is not None}


def add_option(parser: Parser, option: Option, *short: str) -> None:
    """Add an option of the schema, which may also have a short name."""
    names, text = {*short, f"--{option.name.replace('_', '-')}"}, option.schema["description"].replace("%", "%%")
    parser.add_argument(*sorted(names), dest=option.name, type=_value(option), metavar="VALUE", help=text)


def whole_number(minimum: int, maximum: int) -> Callable[[str], int]:
    """Return a converter for a whole number in a range."""

    def convert(text: str) -> int:
        number = parse_whole(text, minimum, maximum)
        if number is None:
            parts = {"text": text, "minimum": minimum, "maximum": maximum}
            raise argparse.ArgumentTypeError(str(Reason("no_whole_number", parts)))
        return number

    return convert


def _value(option: Option) -> Callable[[str], object]:
    """Return a converter for an option of a player: texts are taken as they are, other values are JSON."""

    def convert(text: str) -> object:
        value: object = text
        if option.kind is not str:
            with suppress(ConfigError):
                value = parse_json(text)
        value = renamed(value, option.name)
        fault = first_fault({option.name: value}, object_schema([option]))
        if fault is not None:
            raise argparse.ArgumentTypeError(str(fault))
        return value

    return convert


def parse_seconds(text: str) -> float:
    with suppress(ValueError):
        if 0.001 <= float(text) <= 86400:
            return float(text)
    raise argparse.ArgumentTypeError(str(Reason("no_seconds", {"text": text, "minimum": 0.001, "maximum": 86400})))


parse_seed: Final = whole_number(0, MAX_SEED)
