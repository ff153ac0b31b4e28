"""What can be asked for on the command line, and `--help`."""

import argparse
import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final, NoReturn, TypeAlias

import othello
from othello.cli.converting import convert
from othello.cli.experiments import play, report, tune
from othello.cli.positions import PLAYER_OPTIONS, SERVED_OPTIONS, analyse, bench, perft, prepare
from othello.cli.programs import SETTINGS, check_player, programs
from othello.cli.solving import solve
from othello.config import ExistingOutput
from othello.errors import CommandError, ConfigError, Reason
from othello.numbers import parse_whole
from othello.players.contract import POSITIONS
from othello.players.registry import COMPUTERS
from othello.programs.registered import Program
from othello.records.recognition import WRITTEN
from othello.rules.registry import GAMES
from othello.schema import Option, first_fault, listing, nearest, object_schema, options_of
from othello.strict_json import parse as parse_json

_DESCRIPTION: Final = """\
Play Othello, watch computer players, and measure them against each other.

Without a command, othello plays what its config file says: in the window, with --terminal in the
terminal, or with --headless without either, and prints the results."""

_EPILOG: Final = """\
examples, with {"players": [{"player_type": "mcts_uct"}, {"player_type": "heuristic"}]} in the file duel.json:
  othello                                                     play in the window
  othello --terminal                                          play in this terminal, over ssh too
  othello --config duel.json --headless --output games.jsonl  play without a window, and keep a record of the game
  othello --config duel.json --headless --game-seed 7         play the game that has seed 7 in the records again
  othello report games.jsonl --out page                       write a page with tables and plots
  othello convert games.jsonl games.ggf                       write the games in another format
  othello archive add games.ggf                               put games into your archive
  othello archive stats --moves f5d6                          count what was played in a position
  othello analyse --moves f5d6c3 --player mcts_uct            show what a search finds about every move
  othello perft 9                                             check and time the move generator
  othello gtp --player engine --time 1                        answer another program that speaks GTP
  othello tune examples/tune-exploration-ultimate.json        look for a better value of an option

TEXT is a position: all squares X (black), O (white) or - (empty) row by row from a1, a space, and the side to move;
ultimate tic-tac-toe adds the board to play in, 1 to 9 or any. In Othello * is black too, as in OBF files.
A full stop is also empty, lower case is allowed, and blanks may stand anywhere.
exit status: 0 done, 1 the program itself has failed, 2 it cannot do what you asked (one line says why),
130 interrupted (Ctrl-C, SIGTERM)."""

_Commands: TypeAlias = "argparse._SubParsersAction[_Parser]"


def gtp(arguments: argparse.Namespace) -> None:
    """Answer commands of the Go Text Protocol."""
    from othello.cli.gtp import Gtp
    from othello.cli.serving import ServedPlayer, serve

    player = ServedPlayer(arguments)
    serve(Gtp(player), player)


def nboard(arguments: argparse.Namespace) -> None:
    """Answer what NBoard says."""
    from othello.cli.nboard import NBoard
    from othello.cli.serving import ServedPlayer, serve

    player = ServedPlayer(arguments)
    serve(NBoard(player), player)


def archive(arguments: argparse.Namespace) -> None:
    """Do something with the store of games."""
    from othello.cli.archiving import ACTIONS

    ACTIONS[arguments.action](arguments)


def repertoire(arguments: argparse.Namespace) -> None:
    """Do something with the openings that the person learns."""
    from othello.cli.learning import ACTIONS

    ACTIONS[arguments.action](arguments)


def book(arguments: argparse.Namespace) -> None:
    """Make the engine's opening book, or do something with books."""
    from othello.cli.books import ACTIONS

    ACTIONS[arguments.action](arguments)


class _Parser(argparse.ArgumentParser):
    """Reports errors in one line, like everything else in the program."""

    def error(self, message: str) -> NoReturn:
        raise CommandError("usage", reason=Reason(message), program=self.prog)

    @property
    def options(self) -> list[str]:
        """Those of commands below this one too, but for the commands of the program."""
        below = [] if self.prog == "othello" or self._subparsers is None else self._subparsers._group_actions
        parsers = (
            parser for action in below if isinstance(action.choices, Mapping) for parser in action.choices.values()
        )
        return [*self._option_string_actions, *chain.from_iterable(parser.options for parser in parsers)]

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            words = list(action.choices)
            hint = nearest(value, words) or Reason("allowed", {"words": listing(words)})
            raise argparse.ArgumentError(action, str(Reason("unknown_word", {"word": value, "hint": hint})))


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """The arguments; `command` is the function that carries them out. CommandError: they make no sense."""
    parser, commands = _parser()
    words = _with_board_joined(argv)
    is_quoting = words[:1] == [programs.__name__] and "--" in words  # what follows is another program's
    end = words.index("--") if is_quoting else len(words)
    if words[:2] == [programs.__name__, "add"] and not is_quoting:
        arguments, rest = parser.parse_known_args(words)
        if rest and not rest[0].startswith("-"):
            raise CommandError("programs_dashes", name=arguments.name, words=shlex.join(rest))
    _check_options(parser, commands, words[:end])
    arguments = parser.parse_args(words[:end])
    arguments.words = words[end + 1 :]
    return arguments


def _check_options(parser: _Parser, commands: Mapping[str, _Parser], argv: Sequence[str]) -> None:
    """Name a misspelt option before the word behind it is taken for a command."""
    if argv and not argv[0].startswith("-") and argv[0] not in commands:
        return  # a misspelt command, whose options nobody knows
    command = next((commands[word] for word in argv if word in commands), parser)
    for word in argv:
        option = word.partition("=")[0]
        if option.startswith("--") and option not in ("--", *parser.options, *command.options):
            command.error(str(Reason("unknown_word", {"word": option, "hint": nearest(option, command.options)})))


def _with_board_joined(argv: Sequence[str]) -> list[str]:
    """`--board TEXT` as one word: a text may begin with a dash, which argparse takes for an option."""
    joined: list[str] = []
    for argument in argv:
        if joined and joined[-1] == "--board":
            joined[-1] = f"--board={argument}"
        else:
            joined.append(argument)
    return joined


def _parser() -> tuple[_Parser, Mapping[str, _Parser]]:
    parser = _Parser(
        prog="othello",
        usage="othello [options]\n       othello COMMAND ...",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(command=play)
    add = parser.add_argument
    add("--version", action="version", version=f"othello {othello.__version__}")
    add("--config", type=Path, metavar="FILE", help="what to play (default: config.json)")
    place = parser.add_mutually_exclusive_group().add_argument
    place("--headless", action="store_true", help="play without a window, show progress, print the results")
    place("--terminal", action="store_true", help="play in this terminal; asks what to play unless a config says it")
    text = "open a game in the window, or moves, or a position; without FILE nothing else is opened than usual"
    place("--open", type=Path, nargs="?", const=False, metavar="FILE", help=text)
    _add_games(parser)
    add("--game-seed", type=_seed, metavar="N", help="play the game again that has seed N in the results")
    commands = parser.add_subparsers(
        title="commands (othello COMMAND --help tells more)", metavar="COMMAND", prog="othello", parser_class=_Parser
    )
    _add_commands(commands)
    return parser, commands.choices


def _add_games(parser: _Parser) -> None:
    """What can be said of games without a window: their seed, the results file, who plays them."""
    add = parser.add_argument
    add("--seed", type=_seed, metavar="N", help="seed for all games: the same seed and config play the same games")
    add("--output", type=Path, metavar="FILE", help="write a record of every game to FILE, a .csv or .jsonl")
    existing = partial(parser.add_mutually_exclusive_group().add_argument, dest="existing", action="store_const")
    existing("--overwrite", const=ExistingOutput.OVERWRITE, help="replace the games in FILE")
    existing("--resume", const=ExistingOutput.RESUME, help="play only the games of a tournament that are not in FILE")
    trusted = "let the config start the programs that it describes; for configs that you trust"
    add("--allow-programs", action="store_true", help=trusted)
    add("--cluster", metavar="ADDRESS", help="play a tournament on a Dask cluster, such as tls://host:8786")


def _add_commands(commands: _Commands) -> None:
    def parser_of(command: Callable[[argparse.Namespace], None], text: str) -> _Parser:
        """A command's parser, with what the list of commands says of it."""
        description = f"{text[0].upper()}{text[1:]}."
        parser = commands.add_parser(
            command.__name__.replace("_", "-"), help=text, description=description, allow_abbrev=False
        )
        parser.set_defaults(command=command)
        return parser

    def begin(command: Callable[[argparse.Namespace], None], text: str) -> Callable[..., argparse.Action]:
        """What adds arguments to a command's parser."""
        return parser_of(command, text).add_argument

    def add_position() -> None:
        add("--board", metavar="TEXT", help="the position; the start of the game by default")
        add("--moves", metavar="TEXT", help="moves to make first, such as f5d6c3")
        add("--config", type=Path, metavar="FILE", help="a config file, for its game and rules")

    def add_options() -> None:
        for name, option in SERVED_OPTIONS.items():
            names = {name, *(short for short, key in PLAYER_OPTIONS.items() if key == option.name)}
            told = option.schema["description"].replace("%", "%%")
            add(*sorted(names), dest=option.name, type=_value(option), metavar="VALUE", help=told)

    add = begin(perft, "count the leaves of the game tree, to check and time the move generator")
    add("depth", type=_whole(0, 60), metavar="DEPTH", help="plies; a pass is a ply")
    add_position()
    add("--divide", action="store_true", help="show the leaves behind every first move")
    add = begin(analyse, "search a position, or the last one of every game of a file, and tell what was found")
    add("file", type=Path, nargs="?", metavar="FILE", help="positions or games as othello convert reads them")
    add_position()
    players = f"{', '.join(COMPUTERS)} (%(default)s)"
    add("--player", choices=COMPUTERS, default="heuristic", metavar="TYPE", help=players)
    add_options()
    add("--time", type=_seconds, metavar="S", help="seconds to think, instead of or besides the bounds above")
    add("--seed", type=_seed, metavar="N", default=0, help="the same seed gives the same result (%(default)s)")
    add("--json", action="store_true", help="one line of JSON instead of a table")
    add = begin(solve, "solve positions exactly: the score with best play, the best move, the line to the end")
    add("file", type=Path, nargs="?", metavar="FILE.obf", help="positions as TEXT, one per line")
    add_position()
    patience = "seconds for each position (default: no limit in Othello, 60 in other games)"
    add("--time", type=_seconds, metavar="S", help=patience)
    add("--json", action="store_true", help="one line of JSON per position instead of a table")
    add = begin(convert, "write the games of files in another format, which the suffix of OUT names")
    formats = "GGF, WTHOR, SGF, PGN and PlayOK, OBF, sites' JSON and links, moves, positions, our own"
    add("files", type=Path, nargs="+", metavar="IN", help=f"files with one game or many: {formats}")
    add("out", type=Path, metavar="OUT", help=f"the file to write: {', '.join(WRITTEN)}")
    add("--overwrite", action="store_true", help="replace OUT")
    _add_archive(parser_of(archive, "keep games of files where all are found by player, year or position"))
    _add_repertoire(parser_of(repertoire, "list the openings that you learn in the window, add some, remove some"))
    add = begin(bench, "measure the speed of every kernel and search on this machine")
    add("--quick", action="store_true", help="take some seconds instead of half a minute")
    add("--compile", action="store_true", help="measure what compiling each kernel takes instead")
    add("--json", action="store_true", help="one line of JSON per figure instead of a table")
    add = begin(prepare, "compile everything now, for all games and players, so that nobody waits for that later")
    add("--processes", type=_whole(1, 256), metavar="N", help="so many at once (default: one a core)")
    add = begin(report, "say what results files show: who is stronger, how sure that is, colours, time")
    add("results", type=Path, nargs="+", metavar="RESULTS", help="results files, .csv or .jsonl")
    add("--out", type=Path, metavar="DIR", help="write a page with plots and all games to DIR")
    add("--json", action="store_true", help="one line of JSON instead of sentences and tables")
    add("--overwrite", action="store_true", help="replace a page in DIR")
    add("--config", type=Path, metavar="FILE", help="also show the figures of tournament.compare in FILE")
    books = parser_of(book, "make the engine's opening book, search more of it, merge, export and check books")
    books.usage = "othello book {make,extend} BOOK [options]\n       othello book merge BOOK ... OUT [options]\n"
    books.usage += "       othello book export BOOK OUT.{obf,txt}\n       othello book check BOOK [options]"
    add = books.add_argument
    actions = ("make", "extend", "merge", "export", "check")
    add("action", choices=actions, metavar="ACTION", help=", ".join(actions))
    told = "the book to make or extend; books of ours, of Edax or in text to merge, and the book to write"
    add("files", type=Path, nargs="+", metavar="BOOK", help=told)
    add(
        "--positions",
        type=_whole(1, 100_000_000),
        metavar="N",
        default=10_000,
        help="until it has so many (%(default)s)",
    )
    told = "plies that each is searched (12, or as the book was); what values of a text count as that tells no depth"
    add("--depth", type=_whole(1, 40), metavar="N", help=told)
    add("--seed", type=_seed, metavar="N", help="decides between equals; of check, which positions (0)")
    add("--processes", type=_whole(1, 256), metavar="N", default=1, help="so many at once (%(default)s)")
    add("--cluster", metavar="ADDRESS", help="search on a Dask cluster, such as tls://host:8786")
    add("--sample", type=_whole(1, 1_000_000), metavar="N", default=200, help="positions to check (%(default)s)")
    add("--overwrite", action="store_true", help="replace OUT, or begin a book anew")
    for serve, protocol in ((gtp, "the Go Text Protocol"), (nboard, "the protocol of NBoard")):
        add = begin(serve, f"answer another program that speaks {protocol}, by standard input and output")
        add("--player", choices=COMPUTERS, default="engine", metavar="TYPE", help=players)
        add("--time", type=_seconds, metavar="S", help="seconds to think about a move at most")
        add("--seed", type=_seed, metavar="N", help="seed of the first game, one more for each game that follows")
        add("--config", type=Path, metavar="FILE", help="a config file, for its game and rules")
        add_options()
    listed = parser_of(programs, "list, add, test or remove other programs that play, such as Edax")
    listed.usage = "othello programs list\n       othello programs add NAME [options] -- PROGRAM [ARGUMENT ...]\n"
    listed.usage += "       othello programs add NAME [options] --class MODULE:CLASS\n"
    listed.usage += "       othello programs {test,remove} NAME"
    add = listed.add_argument
    add("action", choices=("list", "add", "test", "remove"), metavar="ACTION", help="list, add, test or remove")
    add("name", nargs="?", metavar="NAME", help="the name by which configs and games name the program")
    for key in SETTINGS:
        option = options_of(Program)[key]
        kind = {int: _whole(int(option.minimum or 0), int(option.maximum or 0)), float: _seconds}.get(option.kind, str)
        told = f"{option.description[0].lower()}{option.description[1:].removesuffix('.')}"
        choices = list(option.choices) or None
        add(f"--{key.replace('_', '-')}", type=kind, choices=choices, metavar=None if choices else "X", help=told)
    add("--class", dest="class_name", metavar="MODULE:CLASS", help="a class in Python that plays, instead of a program")
    add("--env", action="append", metavar="NAME=TEXT", help="a variable of the program's environment; more than once")
    add = begin(check_player, "try whether a player is sound: legal moves, time, stop, hold, two at once, repetition")
    add("name", metavar="NAME", help="a type of player, a registered or installed name, or MODULE:CLASS")
    add("--game", choices=GAMES, metavar="GAME", help=f"only this game: {', '.join(GAMES)}")
    add(
        "--positions",
        type=_whole(1, 100_000),
        metavar="N",
        default=POSITIONS,
        help="positions of each game (%(default)s)",
    )
    tuned = parser_of(tune, "look for the best values of a player's options, by games against itself (SPSA)")
    tuned.add_argument("config", type=Path, metavar="CONFIG", help="a config file with tune, which names the options")
    _add_games(tuned)
    told = "write the found config and a plot of the path to DIR; with --overwrite or --resume in place of older ones"
    tuned.add_argument("--out", type=Path, metavar="DIR", help=told)


def _add_archive(parser: _Parser) -> None:
    """What can be done with the store of games."""
    actions = parser.add_subparsers(title="actions", dest="action", metavar="ACTION", required=True)

    def begin(action: str, text: str) -> Callable[..., argparse.Action]:
        description = f"{text[0].upper()}{text[1:]}."
        return actions.add_parser(action, help=text, description=description, allow_abbrev=False).add_argument

    def add_wanted() -> None:
        add("--source", action="append", metavar="NAME", help="only games of this source; more than once")
        add("--years", type=_years, metavar="A-B", help="only games of these years: 1990-1999, 2016, or from 2020- on")
        add("--player", metavar="NAME", help="only games of a player with these words in the name")
        add("--event", metavar="NAME", help="only games of a tournament with these words in the name")
        add(
            "--result",
            choices=("black", "draw", "white"),
            metavar="R",
            help="only games that ended so: black, draw, white",
        )
        add("--board", metavar="TEXT", help="the position; the start of the game by default")
        add("--moves", metavar="TEXT", help="the moves that lead to the position, such as f5d6c3d3c4")
        add("--config", type=Path, metavar="FILE", help="a config file, for its game and rules")

    add = begin("add", "add the games of files; what is there already is left out, what was interrupted goes on")
    add("files", type=Path, nargs="+", metavar="FILE", help="files as othello convert reads them, or folders of such")
    add(
        "--name",
        metavar="NAME",
        help="the name of the source (default: the files' own without a year, or their folder's)",
    )
    add = begin("list", "list the sources with their games")
    add("--json", action="store_true", help="one line of JSON")
    add = begin("search", "list games, the newest first")
    add_wanted()
    add("--limit", type=_whole(1, 1_000_000), default=20, metavar="N", help="so many games (%(default)s)")
    add("--offset", type=_whole(0, 1_000_000_000), default=0, metavar="N", help="leave out so many games (%(default)s)")
    add("--json", action="store_true", help="one line of JSON per game")
    add = begin("stats", "count what was played in a position, whichever way the board was turned")
    add_wanted()
    add("--json", action="store_true", help="one line of JSON")
    add = begin("export", "write games to a file, in the format that its suffix names")
    add("out", type=Path, metavar="OUT", help=f"the file to write: {', '.join(WRITTEN)}")
    add_wanted()
    add("--overwrite", action="store_true", help="replace OUT")
    add = begin("remove", "take a source and its games out of the store")
    add("name", metavar="NAME", help="the source, as othello archive list names it")


def _add_repertoire(parser: _Parser) -> None:
    """What can be done with the openings that the person learns."""
    actions = parser.add_subparsers(title="actions", dest="action", metavar="ACTION", required=True)
    for action, text in (("list", "list them"), ("add", "learn openings"), ("remove", "learn openings no longer")):
        description = f"{text[0].upper()}{text[1:]}."
        add = actions.add_parser(action, help=text, description=description, allow_abbrev=False).add_argument
        if action == "list":
            add("--json", action="store_true", help="one line of JSON per line")
        else:
            add("openings", nargs="+", metavar="OPENING", help="names such as Tiger, or moves such as f5d6c3d3c4")
            add("--color", choices=("black", "white"), required=True, help="the side that learns them")


def _years(text: str) -> tuple[int, int]:
    first, dash, last = text.partition("-")
    read = _whole(1, 9999)
    begin = read(first) if first or not last else 1
    years = begin, read(last) if last else 9999 if dash else begin
    if years[0] > years[1]:
        raise argparse.ArgumentTypeError(str(Reason("years_order", {"text": text})))
    return years


def _whole(low: int, high: int) -> Callable[[str], int]:
    def convert(text: str) -> int:
        number = parse_whole(text, low, high)
        if number is None:
            raise argparse.ArgumentTypeError(str(Reason("no_whole_number", {"text": text, "least": low, "most": high})))
        return number

    return convert


def _value(option: Option) -> Callable[[str], object]:
    """Reads an option of a player: a text as it is, anything else as JSON has it."""

    def convert(text: str) -> object:
        value: object = text
        if option.kind is not str:
            with suppress(ConfigError):
                value = parse_json(text)
        fault = first_fault({option.name: value}, object_schema([option]))
        if fault is not None:
            raise argparse.ArgumentTypeError(str(fault))
        return value

    return convert


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.001 <= seconds <= 86400:
        raise argparse.ArgumentTypeError(str(Reason("no_seconds", {"text": text, "least": 0.001, "most": 86400})))
    return seconds


_seed = _whole(0, (1 << 63) - 1)
