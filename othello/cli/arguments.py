"""The command line's arguments, and `--help`."""

import argparse
import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Final, NoReturn, TypeAlias

import othello
from othello.aliases import renamed, renamed_arguments
from othello.config import ExistingOutput
from othello.errors import CommandError, ConfigError, Reason
from othello.numbers import parse_whole
from othello.players.conformance import POSITIONS
from othello.players.player_registry import COMPUTERS, OPTIONS
from othello.programs.program_registry import Program
from othello.records.readers import WRITTEN
from othello.resources import asset
from othello.rules.registry import GAMES, OWN_GAMES
from othello.schema import Option, first_fault, listing, nearest, object_schema, options_of
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
PROGRAM_SETTINGS: Final = ("protocol", "folder", "depth", "start_seconds", "move_seconds", "game_seconds", "memory_mb")

_Subparsers: TypeAlias = "argparse._SubParsersAction[_Parser]"


class _Parser(argparse.ArgumentParser):
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
    parser, commands = _parser()
    words = _with_board_joined(argv)
    is_quoting = words[:1] == ["programs"] and "--" in words  # another program's command line follows
    end = words.index("--") if is_quoting else len(words)
    words[:end] = renamed_arguments(words[:end])
    if words[:2] == ["programs", "add"] and not is_quoting:
        arguments, rest = parser.parse_known_args(words)
        if rest and not rest[0].startswith("-"):
            raise CommandError("programs_dashes", name=arguments.name, words=shlex.join(rest))
    _check_options(parser, commands, words[:end])
    arguments = parser.parse_args(words[:end])
    arguments.words = words[end + 1 :]
    return arguments


def _check_options(parser: _Parser, commands: Mapping[str, _Parser], argv: Sequence[str]) -> None:
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


def _parser() -> tuple[_Parser, Mapping[str, _Parser]]:
    usage = "othello [options]\n       othello COMMAND ..."
    epilog = asset("texts/command-line.txt").read_text(encoding="utf-8")
    parser = _Parser(prog="othello", usage=usage, description=_DESCRIPTION, epilog=epilog, allow_abbrev=False)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.set_defaults(command=partial(_run, "experiments", "play"))
    add = parser.add_argument
    add("--version", action="version", version=f"othello {othello.__version__}")
    add("--config", type=Path, metavar="FILE", help="what to play (default: config.json)")
    place = parser.add_mutually_exclusive_group().add_argument
    place("--headless", action="store_true", help="play without a window, show progress, print the results")
    place("--terminal", action="store_true", help="play in this terminal; asks what to play if --config is missing")
    text = "open a file with a game, moves or a position in the window; without FILE, open the window as usual"
    place("--open", type=Path, nargs="?", const=False, metavar="FILE", help=text)
    _add_run_options(parser)
    add("--game-seed", type=_seed, metavar="N", help="play only the game whose record has the seed N")
    title = "commands (othello COMMAND --help tells more)"
    commands = parser.add_subparsers(title=title, metavar="COMMAND", prog="othello")
    _add_commands(commands)
    return parser, commands.choices


def _add_run_options(parser: _Parser) -> None:
    """Add the options of `othello` and `othello tune`."""
    add = parser.add_argument
    add("--seed", type=_seed, metavar="N", help="seed for all games: the same seed and config play the same games")
    add("--output", type=Path, metavar="FILE", help="write a record of every game to FILE, a .csv or .jsonl")
    existing = partial(parser.add_mutually_exclusive_group().add_argument, dest="existing", action="store_const")
    existing("--overwrite", const=ExistingOutput.OVERWRITE, help="replace the games in FILE")
    existing("--resume", const=ExistingOutput.RESUME, help="play only the games of a tournament that are not in FILE")
    trusted = "let the config start the programs that it describes; only for configs that you trust"
    add("--allow-programs", action="store_true", help=trusted)
    add("--cluster", metavar="ADDRESS", help="play a tournament on a Dask cluster at an address like tls://host:8786")


def _subcommand(commands: _Subparsers, module: str, name: str, text: str, function: str = "") -> _Parser:
    """Add a command. Its module is imported only if it runs, and its function has its name unless another is given."""
    description = f"{text[0].upper()}{text[1:]}."
    parser = commands.add_parser(name, help=text, description=description, allow_abbrev=False)
    parser.set_defaults(command=partial(_run, module, function or name.replace("-", "_")))
    return parser


def _run(module: str, function: str, arguments: argparse.Namespace) -> None:
    getattr(import_module(f"othello.cli.{module}"), function)(arguments)


def _add_position(parser: _Parser) -> None:
    add = parser.add_argument
    add("--board", metavar="TEXT", help="the position (default: the start of the game; othello --help explains TEXT)")
    add("--moves", metavar="TEXT", help="moves to play first, such as f5d6c3")
    add("--config", type=Path, metavar="FILE", help="a config file, for its game and rules")


def _add_player_options(parser: _Parser, arguments: str = "") -> None:
    parser.usage = f"%(prog)s [options]{arguments}"  # the list of all options would be long
    for name, option in SERVED_OPTIONS.items():
        names = {name, *(short for short, key in PLAYER_OPTIONS.items() if key == option.name)}
        text = option.schema["description"].replace("%", "%%")
        parser.add_argument(*sorted(names), dest=option.name, type=_value(option), metavar="VALUE", help=text)


def _add_commands(commands: _Subparsers) -> None:
    game_command = partial(_subcommand, commands, "game_commands")
    position_command = partial(_subcommand, commands, "position_commands")
    program_command = partial(_subcommand, commands, "program_commands")
    experiment_command = partial(_subcommand, commands, "experiments")

    parser = position_command("perft", "count the leaves of the game tree, to check and time the move generator")
    add = parser.add_argument
    add("depth", type=_whole(0, 60), metavar="DEPTH", help="plies; a pass is a ply")
    _add_position(parser)
    add("--divide", action="store_true", help="show the number of leaves after every first move")

    parser = position_command("analyse", "search a position, or the last position of every game in a file")
    add = parser.add_argument
    add("file", type=Path, nargs="?", metavar="FILE", help="positions or games in any format of othello convert")
    _add_position(parser)
    players = f"{', '.join(COMPUTERS)} (default: %(default)s)"
    add("--player", choices=COMPUTERS, default="heuristic", metavar="TYPE", help=players)
    _add_player_options(parser, " [FILE]")
    add("--time", type=_seconds, metavar="S", help="seconds to think, instead of or besides the bounds above")
    add("--seed", type=_seed, metavar="N", default=0, help="the same seed gives the same result (default: %(default)s)")
    add("--json", action="store_true", help="one line of JSON instead of a table")

    add = _subcommand(commands, "trace", "trace", "write every step of one search to a file", "run").add_argument
    add("--config", type=Path, metavar="FILE", default=Path("config.json"), help="the players (default: %(default)s)")
    text = "number of the player in the config (default: %(default)s)"
    add("--player", type=_whole(1, 1000), metavar="N", default=1, help=text)
    add("--moves", metavar="TEXT", help="moves to play first, such as f5d6c3")
    text = "number of simulations or episodes to write (default: all)"
    add("--simulations", type=_whole(1, 1_000_000), metavar="N", help=text)
    add("--seed", type=_seed, metavar="N", help="seed of the game (default: that of the config, or 0)")
    text = "the file to write: .jsonl, .html (a page to step through) or .gif (an animation)"
    add("--out", type=Path, metavar="FILE", required=True, help=text)
    add("--overwrite", action="store_true", help="replace FILE")

    parser = position_command("solve", "solve positions exactly: the score, the best move and the line of best play")
    add = parser.add_argument
    add("file", type=Path, nargs="?", metavar="FILE.obf", help="positions as TEXT, one per line")
    _add_position(parser)
    limit = "seconds for each position (default: no limit in Othello, 60 in other games)"
    add("--time", type=_seconds, metavar="S", help=limit)
    add("--json", action="store_true", help="one line of JSON per position instead of a table")

    add = game_command("convert", "write games in another format, named by the suffix of OUT").add_argument
    formats = "GGF, WTHOR, SGF, PGN and PlayOK, OBF, sites' JSON and links, moves, positions, our own"
    add("files", type=Path, nargs="+", metavar="IN", help=f"files with one game or many: {formats}")
    add("out", type=Path, metavar="OUT", help=f"the file to write: {', '.join(WRITTEN)}")
    add("--overwrite", action="store_true", help="replace OUT")

    _add_archive(game_command("archive", "keep games in an archive, and find them by player, year or position"))

    _add_repertoire(game_command("repertoire", "list, add and remove the openings that you learn in the window"))

    add = position_command("bench", "measure the speed of every kernel and search on this machine").add_argument
    add("--quick", action="store_true", help="take some seconds instead of half a minute")
    add("--json", action="store_true", help="one line of JSON per figure instead of a table")

    text = "compile the code of all games and players, to avoid waiting later"
    add = position_command("compile", text, "compile_kernels").add_argument
    add("--processes", type=_whole(1, 256), metavar="N", help="number of processes (default: one per core)")

    add = experiment_command("report", "show who is stronger, with intervals, from results files").add_argument
    add("results", type=Path, nargs="+", metavar="RESULTS", help="results files, .csv or .jsonl")
    add("--out", type=Path, metavar="DIR", help="write a page with plots and all games to DIR")
    add("--json", action="store_true", help="one line of JSON instead of sentences and tables")
    add("--overwrite", action="store_true", help="replace a page in DIR")
    add("--config", type=Path, metavar="FILE", help="also show the figures of tournament.compare in FILE")

    _add_book(_subcommand(commands, "book_commands", "book", "make, extend, merge, export and check opening books"))

    for name, protocol in (("gtp", "the Go Text Protocol"), ("nboard", "the protocol of NBoard")):
        text = f"play in another program by {protocol}, on standard input and output"
        parser = _subcommand(commands, name, name, text, "run")
        add = parser.add_argument
        add("--player", choices=COMPUTERS, default="engine", metavar="TYPE", help=players)
        add("--time", type=_seconds, metavar="S", help="maximum seconds for a move")
        add("--seed", type=_seed, metavar="N", help="seed of the first game; each further game adds 1")
        add("--config", type=Path, metavar="FILE", help="a config file, for its game and rules")
        _add_player_options(parser)

    _add_programs(program_command("programs", "list, add, test or remove external programs, such as Edax"))

    text = "test a player: legal moves, time limits, stopping, pausing, two at once, repeatability"
    add = program_command("check-player", text).add_argument
    add("name", metavar="NAME", help="a type of player, a registered or installed name, or MODULE:CLASS")
    add(
        "--game",
        choices=GAMES,
        metavar="GAME",
        help=f"only this game: {', '.join(OWN_GAMES)}, or one of an installed package",
    )
    text = "number of positions of each game (default: %(default)s)"
    add("--positions", type=_whole(1, 100_000), metavar="N", default=POSITIONS, help=text)

    text = "search for the best values of a player's options, by games against itself (SPSA)"
    parser = experiment_command("tune", text)
    parser.add_argument("config", type=Path, metavar="CONFIG", help="a config file whose key tune lists the options")
    _add_run_options(parser)
    text = "write the best config, the path and its plot to DIR; --overwrite or --resume replaces older ones"
    parser.add_argument("--out", type=Path, metavar="DIR", help=text)


def _add_book(parser: _Parser) -> None:
    parser.usage = """othello book {make,extend} BOOK [options]
       othello book merge BOOK ... OUT [options]
       othello book export BOOK OUT.{obf,txt}
       othello book check BOOK [options]"""
    add = parser.add_argument
    actions = ("make", "extend", "merge", "export", "check")
    add("action", choices=actions, metavar="ACTION", help=", ".join(actions))
    text = "a book; merge also reads books of Edax and text files, and writes the last file"
    add("files", type=Path, nargs="+", metavar="BOOK", help=text)
    text = "number of positions to reach (default: %(default)s)"
    add("--positions", type=_whole(1, 100_000_000), metavar="N", default=10_000, help=text)
    text = "search depth in plies (default: 12, or the book's); for merge, the depth of values without one"
    add("--depth", type=_whole(1, 40), metavar="N", help=text)
    add("--seed", type=_seed, metavar="N", help="chooses among equal positions; for check, the sample (default: 0)")
    add("--processes", type=_whole(1, 256), metavar="N", default=1, help="number of processes (default: %(default)s)")
    add("--cluster", metavar="ADDRESS", help="search on a Dask cluster, such as tls://host:8786")
    text = "size of the sample (default: %(default)s)"
    add("--sample", type=_whole(1, 1_000_000), metavar="N", default=200, help=text)
    add("--overwrite", action="store_true", help="replace OUT; for make, start the book again")


def _add_programs(parser: _Parser) -> None:
    parser.usage = """othello programs list
       othello programs add NAME [options] -- PROGRAM [ARGUMENT ...]
       othello programs add NAME [options] --class MODULE:CLASS
       othello programs {test,remove} NAME"""
    add = parser.add_argument
    add("action", choices=("list", "add", "test", "remove"), metavar="ACTION", help="list, add, test or remove")
    add("name", nargs="?", metavar="NAME", help="the program's name in configs and games")
    for key in PROGRAM_SETTINGS:
        option = options_of(Program)[key]
        kind = {int: _whole(int(option.minimum or 0), int(option.maximum or 0)), float: _seconds}.get(option.kind, str)
        text = f"{option.description[0].lower()}{option.description[1:].removesuffix('.')}"
        choices = list(option.choices) or None
        add(f"--{key.replace('_', '-')}", type=kind, choices=choices, metavar=None if choices else "X", help=text)
    add("--class", dest="class_name", metavar="MODULE:CLASS", help="a Python class that plays, instead of a program")
    add("--env", action="append", metavar="NAME=TEXT", help="an environment variable of the program; may be repeated")


def _actions(parser: _Parser) -> Callable[..., _Parser]:
    """Return a function that adds an action of a command."""
    actions = parser.add_subparsers(title="actions", dest="action", metavar="ACTION", required=True)
    return partial(_subcommand, actions, "game_commands")


def _add_archive(parser: _Parser) -> None:
    action = _actions(parser)

    def add_filters(parser: _Parser) -> None:
        add = parser.add_argument
        add("--source", action="append", metavar="NAME", help="only games of this source; may be repeated")
        add("--years", type=_years, metavar="A-B", help="only games of these years: 1990-1999, 2016, or from 2020- on")
        add("--player", metavar="NAME", help="only games of a player with these words in the name")
        add("--event", metavar="NAME", help="only games of a tournament with these words in the name")
        results = ("black", "draw", "white")
        add("--result", choices=results, metavar="R", help="only games with this result: black, draw, white")
        _add_position(parser)

    parser = action("add", "add the games of files, without those that are already there")
    add = parser.add_argument
    add("files", type=Path, nargs="+", metavar="FILE", help="files in any format of othello convert, or folders")
    text = "the name of the source (default: the files' own without a year, or their folder's)"
    add("--name", metavar="NAME", help=text)

    parser = action("list", "list the sources with their games", "list_sources")
    parser.add_argument("--json", action="store_true", help="print JSON")

    parser = action("search", "list games, the newest first")
    add = parser.add_argument
    add_filters(parser)
    add("--limit", type=_whole(1, 1_000_000), default=20, metavar="N", help="number of games (default: %(default)s)")
    add("--offset", type=_whole(0, 1_000_000_000), default=0, metavar="N", help="games to skip (default: %(default)s)")
    add("--json", action="store_true", help="one line of JSON per game")

    parser = action("moves", "count the moves played in a position and its mirror images", "count_moves")
    add_filters(parser)
    parser.add_argument("--json", action="store_true", help="one line of JSON")

    parser = action("export", "write games to a file, in the format that its suffix names")
    parser.add_argument("out", type=Path, metavar="OUT", help=f"the file to write: {', '.join(WRITTEN)}")
    add_filters(parser)
    parser.add_argument("--overwrite", action="store_true", help="replace OUT")

    parser = action("remove", "remove a source and its games")
    parser.add_argument("name", metavar="NAME", help="the source, as othello archive list names it")


def _add_repertoire(parser: _Parser) -> None:
    action = _actions(parser)
    add = action("list", "list the openings", "list_lines").add_argument
    add("--json", action="store_true", help="one line of JSON per opening")
    for name in ("add", "remove"):
        add = action(name, f"{name} openings", f"{name}_lines").add_argument
        add("openings", nargs="+", metavar="OPENING", help="names such as Tiger, or moves such as f5d6c3d3c4")
        add("--color", choices=("black", "white"), required=True, help="the side that you play")


def _years(text: str) -> tuple[int, int]:
    """Return the first and the last year of a range such as "1990-1999", "2016", "2020-" or "-1980"."""
    first, dash, last = text.partition("-")
    read = _whole(1, 9999)
    begin = read(first) if first or not last else 1
    years = begin, read(last) if last else 9999 if dash else begin
    if years[0] > years[1]:
        raise argparse.ArgumentTypeError(str(Reason("years_order", {"text": text})))
    return years


def _whole(minimum: int, maximum: int) -> Callable[[str], int]:
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


def _seconds(text: str) -> float:
    with suppress(ValueError):
        if 0.001 <= float(text) <= 86400:
            return float(text)
    raise argparse.ArgumentTypeError(str(Reason("no_seconds", {"text": text, "minimum": 0.001, "maximum": 86400})))


_seed = _whole(0, (1 << 63) - 1)
