"""`othello convert`, `archive` and `repertoire`: games in files and in the store, and openings to learn."""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Final

from othello.cli.arguments import Parser, actions, add_position, whole_number
from othello.cli.messages import print_message
from othello.cli.position_commands import game_from
from othello.errors import CommandError, FileError, GameFileError, OthelloError, OutputError, Reason, ResultsError
from othello.files import refuse_existing
from othello.game import AnyGame
from othello.records.formats.format import Format
from othello.records.formats.parsed_game import FileItem, ParsedGame, in_game
from othello.records.formats.replaying import with_ends
from othello.records.game_file import SUFFIX
from othello.records.openings import opening_name_of, opening_of
from othello.records.readers import WRITTEN, format_of, read_games
from othello.records.transcript import format_transcript
from othello.rules.protocol import Color
from othello.rules.registry import game_spec, rules_of
from othello.schema import nearest
from othello.store.database import GameFilter, GameLine, Store
from othello.store.import_job import ImportProgress
from othello.store.own_games import OWN
from othello.study.repertoire import Repertoire, RepertoireLine
from othello.study.store_writer import StoreWriter
from othello.texts import side_name, tr

_MAX_ERRORS: Final = 20  # further errors are only counted


def declare_convert(parser: Parser) -> None:
    add = parser.add_argument
    formats = "GGF, WTHOR, SGF, PGN and PlayOK, OBF, sites' JSON and links, moves, positions, our own"
    add("files", type=Path, nargs="+", metavar="IN", help=f"files with one game or many: {formats}")
    add("out", type=Path, metavar="OUT", help=f"the file to write: {', '.join(WRITTEN)}")
    add("--overwrite", action="store_true", help="replace OUT")


def convert(arguments: argparse.Namespace) -> None:
    """Write the games of files to another file.

    Raises:
        FileError: a file cannot be read, or has no games.
        OutputError: see `write_games`.
        CommandError: see `write_games`.
    """
    games = ((file, parsed) for file in arguments.files for parsed in read_games(file, game_spec()))
    write_games(arguments, games, CommandError("no_games", path=arguments.files[0]))


def write_games(arguments: argparse.Namespace, games: Iterable[tuple[Path, FileItem]], nothing: CommandError) -> None:
    """Write games to the file `out`, or to a file each if `out` is a folder. Errors in games are printed.

    Args:
        arguments: `out` and `overwrite`.
        games: pairs of a file and a game or an error.
        nothing: the error to raise if there are no games.

    Raises:
        OutputError: the file cannot be written, or exists already.
        CommandError: no format has such a suffix, or some games were left out.
    """
    out: Path = arguments.out
    is_folder = out.is_dir()
    format_ = WRITTEN[SUFFIX] if is_folder else format_of(out)
    if format_ is None:
        suffixes = ", ".join(WRITTEN)
        raise CommandError("games_suffix", path=out, suffixes=suffixes, hint=nearest(out.suffix.lower(), [*WRITTEN]))
    if not (is_folder or arguments.overwrite):
        refuse_existing(*format_.files(out))
    work = _Conversion(format_)
    parsed_games = work.parsed_games(games)
    first = next(parsed_games, None)
    if first is not None:
        (format_.save_each if is_folder else format_.save)(out, with_ends(chain((first,), parsed_games)))
        print(tr("convert.written", n=work.written, count=work.written, file=out))
        if work.lost:
            what = ", ".join(f"{tr(f'lost.{name}')} ({count})" for name, count in sorted(work.lost.items()))
            print(tr("convert.lost", format=format_.name, what=what))
    if work.errors:
        raise CommandError("games_left_out", count=work.errors, total=work.errors + work.written)
    if first is None:
        raise nothing


class _Conversion:
    """Counts the games, errors and lost features of a conversion."""

    def __init__(self, format_: Format) -> None:
        self.written = self.errors = 0
        self.lost: Counter[str] = Counter()
        self._format = format_

    def parsed_games(self, games: Iterable[tuple[Path, FileItem]]) -> Iterator[ParsedGame]:
        """Yield the games that can be written."""
        for file, parsed in games:
            if isinstance(parsed, OthelloError):
                self._report(file, parsed)
            elif (reason := self._format.unsupported_reason(parsed)) is not None:
                self._report(file, in_game(parsed, GameFileError(reason)))
            else:
                self.written += 1
                self.lost.update(parsed.features - self._format.supports)
                yield parsed

    def _report(self, file: Path, error: OthelloError) -> None:
        self.errors += 1
        if self.errors <= _MAX_ERRORS:
            print_message(str(Reason("in_file", {"path": file, "reason": error.reason})))


def declare_archive(parser: Parser) -> None:
    action = actions(parser)
    add = action("add", "add the games of files, without those that are already there", add_games).add_argument
    add("files", type=Path, nargs="+", metavar="FILE", help="files in any format of othello convert, or folders")
    text = "the name of the source (default: the files' own without a year, or their folder's)"
    add("--name", metavar="NAME", help=text)
    add = action("list", "list the sources with their games", list_sources).add_argument
    add("--json", action="store_true", help="print JSON")
    add = _add_filters(action("search", "list games, the newest first", search)).add_argument
    text = "number of games (default: %(default)s)"
    add("--limit", type=whole_number(1, 1_000_000), default=20, metavar="N", help=text)
    text = "games to skip (default: %(default)s)"
    add("--offset", type=whole_number(0, 1_000_000_000), default=0, metavar="N", help=text)
    add("--json", action="store_true", help="one line of JSON per game")
    text = "count the moves played in a position and its mirror images"
    add = _add_filters(action("moves", text, count_moves)).add_argument
    add("--json", action="store_true", help="one line of JSON")
    parser = action("export", "write games to a file, in the format that its suffix names", export)
    parser.add_argument("out", type=Path, metavar="OUT", help=f"the file to write: {', '.join(WRITTEN)}")
    _add_filters(parser).add_argument("--overwrite", action="store_true", help="replace OUT")
    add = action("remove", "remove a source and its games", remove).add_argument
    add("name", metavar="NAME", help="the source, as othello archive list names it")


def _add_filters(parser: Parser) -> Parser:
    add = parser.add_argument
    add("--source", action="append", metavar="NAME", help="only games of this source; may be repeated")
    add("--years", type=_years, metavar="A-B", help="only games of these years: 1990-1999, 2016, or from 2020- on")
    add("--player", metavar="NAME", help="only games of a player with these words in the name")
    add("--event", metavar="NAME", help="only games of a tournament with these words in the name")
    results = ("black", "draw", "white")
    add("--result", choices=results, metavar="R", help="only games with this result: black, draw, white")
    add_position(parser)
    return parser


def _years(text: str) -> tuple[int, int]:
    """Return the first and the last year of a range such as "1990-1999", "2016", "2020-" or "-1980"."""
    first, dash, last = text.partition("-")
    read = whole_number(1, 9999)
    begin = read(first) if first or not last else 1
    years = begin, read(last) if last else 9999 if dash else begin
    if years[0] > years[1]:
        raise argparse.ArgumentTypeError(str(Reason("years_order", {"text": text})))
    return years


@contextmanager
def _opened() -> Iterator[Store]:
    store = Store()
    if store.notice is not None:
        print_message(str(store.notice))
    with store:
        store.add_tournaments()
        yield store


def add_games(arguments: argparse.Namespace) -> None:
    """Add the games of files to the store.

    Raises:
        CommandError: some games or files were left out.
    """
    from othello.cli.progress import show_games

    errors = {False: 0, True: 0}  # in games, and in whole files

    def report(path: Path, error: OthelloError) -> None:
        names_file = isinstance(error, FileError | ResultsError)
        errors[names_file] += 1
        if sum(errors.values()) <= _MAX_ERRORS:
            print_message(str(error if names_file else Reason("in_file", {"path": path, "reason": error.reason})))

    with _opened() as store, show_games() as show:
        before = {source.name: source.games for source in store.sources()}
        last = ImportProgress(0, None, "")

        def progress(now: ImportProgress) -> None:
            nonlocal last
            last = now
            show(now.games, now.of, now.file)

        source = store.add(arguments.files, arguments.name, progress, fault=report)
    added = source.games - before.get(source.name, 0)
    print(tr("archive.added", n=added, count=added, name=source.name, total=source.games))
    if errors[False]:
        raise CommandError("games_left_out", count=errors[False], total=errors[False] + last.games)
    if errors[True]:
        raise CommandError("files_left_out", count=errors[True])


def list_sources(arguments: argparse.Namespace) -> None:
    """List the sources of the store."""
    with _opened() as store:
        sources = store.sources()
    if arguments.json:
        entries = [{key: value for key, value in asdict(source).items() if key != "number"} for source in sources]
        print(json.dumps(entries, ensure_ascii=False))
        return
    for source in sources:
        years = "" if source.first_year is None else f"  {source.first_year}-{source.last_year}"
        print(f"{source.name:<24} {source.kind:<10} {source.games:>9}{years}")
    if not sources:
        print(tr("archive.empty"))


def search(arguments: argparse.Namespace) -> None:
    """List games, the newest first."""
    with _opened() as store:
        wanted, game = _game_filter(store, arguments), _game(arguments)
        if game is None:
            lines = store.search(wanted, arguments.offset, arguments.limit)
        else:
            lines = store.games(game.rules.spec, game.position, wanted, arguments.offset, arguments.limit)
        names = {source.number: source.name for source in store.sources()}
    for line in lines:
        moves = {} if line.move is None or game is None else {"move": game.text_of(line.move)}
        if arguments.json:
            entry = asdict(line) | {"winner": line.winner or None, "source": names[line.source]}
            del entry["move"]
            print(json.dumps(entry | moves, ensure_ascii=False))
        else:
            column = "" if game is None else f"{moves.get('move', ''):<5}"
            print(f"{line.number:>8} {line.year or '':>4} {column}{_players_text(line)} {line.event}")
    if not lines and not arguments.json:
        print(tr("archive.none"))


def _players_text(line: GameLine) -> str:
    discs = "" if line.discs is None else f"{line.discs[0]} - {line.discs[1]}"
    return f"{line.black:<20} {discs:>7} {line.white:<20}"


def count_moves(arguments: argparse.Namespace) -> None:
    """Count the moves played in a position and its mirror images."""
    game = game_from(arguments)
    with _opened() as store:
        wanted = _game_filter(store, arguments)
        moves = store.played(game.rules.spec, game.position, wanted)
        count = store.count(game.rules.spec, game.position, wanted)
    opening = opening_name_of(game)
    name = None if opening is None else opening.name
    if arguments.json:
        entries = [
            asdict(move)
            | {"move": game.text_of(move.move), "discs": None if move.discs is None else round(move.discs, 3)}
            for move in moves
        ]
        print(json.dumps({"opening": name, "games": count, "moves": entries}, ensure_ascii=False))
        return
    print(tr("archive.games" if name is None else "archive.named", count=count, opening=name or ""))
    for move in moves:
        discs = "" if move.discs is None else f"{move.discs:+.2f}"
        won = f"{move.black:>8} {move.draws:>6} {move.white:>8}"
        print(f"{game.text_of(move.move):<5} {move.games:>8} {won} {discs:>7}")


def export(arguments: argparse.Namespace) -> None:
    """Write games to a file by `write_games`."""
    with _opened() as store:
        game, others = _game(arguments), (arguments.years, arguments.player, arguments.event, arguments.result)
        spec, position = (None, None) if game is None else (game.rules.spec, game.position)
        if game is None and arguments.source == [OWN] and not any(others):
            parsed_games = store.own.parsed_games()  # including unfinished games
        else:
            parsed_games = store.parsed_games(_game_filter(store, arguments), spec, position)
        write_games(arguments, ((store.path, parsed) for parsed in parsed_games), CommandError("store_nothing"))


def remove(arguments: argparse.Namespace) -> None:
    """Remove the games of a source from the store."""
    with _opened() as store:
        source = store.source(arguments.name)
        store.remove(source.number)
    print(tr("archive.removed", n=source.games, name=source.name, count=source.games))


def _game_filter(store: Store, arguments: argparse.Namespace) -> GameFilter:
    """Return the filter of games that the arguments define."""
    names = arguments.source
    sources = None if names is None else frozenset(store.source(name).number for name in names)
    return GameFilter(sources, arguments.years, arguments.player or "", arguments.result, arguments.event or "")


def _game(arguments: argparse.Namespace) -> AnyGame | None:
    """Return the game that leads to the position of the arguments, None if they have no position."""
    return None if arguments.board is None and arguments.moves is None else game_from(arguments)


def declare_repertoire(parser: Parser) -> None:
    action = actions(parser)
    add = action("list", "list the openings", list_lines).add_argument
    add("--json", action="store_true", help="one line of JSON per opening")
    for name, run in (("add", add_lines), ("remove", remove_lines)):
        add = action(name, f"{name} openings", run).add_argument
        add("openings", nargs="+", metavar="OPENING", help="names such as Tiger, or moves such as f5d6c3d3c4")
        add("--color", choices=("black", "white"), required=True, help="the side that you play")


@contextmanager
def _opened_repertoire() -> Iterator[Repertoire]:
    """Open the user's repertoire. Raises an OutputError if it cannot be read or written."""
    with closing(StoreWriter()) as store_writer:
        repertoire = Repertoire(store_writer)
        yield repertoire
    if repertoire.notice is not None:
        notice = repertoire.notice
        if isinstance(notice, OthelloError):
            raise notice
        raise OutputError("in_file", path=notice.name, reason=notice.reason)


def list_lines(arguments: argparse.Namespace) -> None:
    """List all lines with the number of positions that are due."""
    with _opened_repertoire() as repertoire:
        all_due = {*repertoire.due()}
        lines = [(line, len(all_due & line.cards.keys())) for line in repertoire.lines]
    for line, due in lines:
        opening, moves = opening_name_of(line.game), format_transcript(line.game)
        name = None if opening is None else opening.name
        if arguments.json:
            entry = {"game": line.game.rules.spec.game, "color": line.color.label, "opening": name, "moves": moves}
            print(json.dumps(entry | {"positions": len(line.cards), "due": due}, ensure_ascii=False))
        else:
            print(f"{line.color.label}  {due:>3} due  {moves}{'' if name is None else f'  {name}'}")
    if not lines and not arguments.json:
        print("There are no lines yet. othello repertoire add Tiger --color black adds one.")


def add_lines(arguments: argparse.Namespace) -> None:
    """Add openings.

    Raises:
        CommandError: the side has no move in one of them.
    """
    games, color = _openings(arguments), Color[arguments.color.upper()]
    with _opened_repertoire() as repertoire:
        for text, game in games.items():
            line = repertoire.add(game, color)
            if line is None:
                raise CommandError("not_learnt", line=text, color=color.label)
            side, count = side_name(game.rules.name, color.label), len(line.cards)
            print(tr("repertoire.added", name=text, side=side, n=count))


def remove_lines(arguments: argparse.Namespace) -> None:
    """Remove openings.

    Raises:
        CommandError: an opening is not in the repertoire of the side.
    """
    color = Color[arguments.color.upper()]
    with _opened_repertoire() as repertoire:
        for text, game in _openings(arguments).items():
            line = next((line for line in repertoire.lines if line == RepertoireLine.of(game, color)), None)
            if line is None:
                raise CommandError("no_line", line=text, color=color.label)
            repertoire.remove(line)
            print(tr("repertoire.removed", name=text, side=side_name(game.rules.name, color.label)))


def _openings(arguments: argparse.Namespace) -> dict[str, AnyGame]:
    """Return the games of the arguments by their text."""
    return {text: opening_of(text, rules_of(game_spec())) for text in arguments.openings}
