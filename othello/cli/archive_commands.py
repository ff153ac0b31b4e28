"""`othello archive`: add games to the store, list and count them, and write them to files."""

import argparse
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Final

from othello.cli.conversion import write_games
from othello.cli.messages import tell
from othello.cli.position_commands import game_from
from othello.errors import CommandError, FileError, OthelloError, Reason, ResultsError
from othello.game import AnyGame
from othello.records.opening_names import opening_name_of
from othello.store.database import GameFilter, Store
from othello.store.import_job import ImportProgress
from othello.store.own_games import OWN
from othello.texts import tr

_MAX_ERRORS: Final = 20  # further errors are only counted


@contextmanager
def _opened() -> Iterator[Store]:
    store = Store()
    if store.notice is not None:
        tell(str(store.notice))
    with store:
        store.add_tournaments()
        yield store


def add(arguments: argparse.Namespace) -> None:
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
            tell(str(error if names_file else Reason("in_file", {"path": path, "reason": error.reason})))

    with _opened() as store, show_games() as show:
        before = {source.name: source.games for source in store.sources()}
        last = ImportProgress(0, None, "")

        def progress(now: ImportProgress) -> None:
            nonlocal last
            last = now
            show(now.games, now.of, now.file)

        source = store.add(arguments.files, arguments.name, progress, fault=report)
    added = source.games - before.get(source.name, 0)
    print(tr("archive.added", count=added, name=source.name, total=source.games))
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
        wanted, game = _wanted(store, arguments), _game(arguments)
        if game is None:
            lines = store.search(wanted, arguments.offset, arguments.limit)
        else:
            lines = store.games(game.rules.spec, game.position, wanted, arguments.offset, arguments.limit)
        names = {source.number: source.name for source in store.sources()}
    for line in lines:
        move = None if line.move is None or game is None else game.text_of(line.move)
        if arguments.json:
            entry = asdict(line) | {"winner": line.winner or None, "move": move, "source": names[line.source]}
            entry = {key: value for key, value in entry.items() if key != "move" or value is not None}
            print(json.dumps(entry, ensure_ascii=False))
        else:
            discs = "" if line.discs is None else f"{line.discs[0]} - {line.discs[1]}"
            head = f"{line.number:>8} {line.year or '':>4} " + (f"{move or '':<5}" if game is not None else "")
            print(f"{head}{line.black:<20} {discs:>7} {line.white:<20} {line.event}")
    if not lines and not arguments.json:
        print(tr("archive.none"))


def count_moves(arguments: argparse.Namespace) -> None:
    """Count the moves played in a position and its mirror images."""
    game = game_from(arguments)
    with _opened() as store:
        wanted = _wanted(store, arguments)
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
            parsed_games = store.parsed_games(_wanted(store, arguments), spec, position)
        write_games(arguments, ((store.path, found) for found in parsed_games), CommandError("store_nothing"))


def remove(arguments: argparse.Namespace) -> None:
    """Remove the games of a source from the store."""
    with _opened() as store:
        source = store.source(arguments.name)
        store.remove(source.number)
    print(tr("archive.removed", name=source.name, count=source.games))


def _wanted(store: Store, arguments: argparse.Namespace) -> GameFilter:
    """Return the filters of the arguments."""
    names = arguments.source
    sources = None if names is None else frozenset(store.source(name).number for name in names)
    return GameFilter(sources, arguments.years, arguments.player or "", arguments.result, arguments.event or "")


def _game(arguments: argparse.Namespace) -> AnyGame | None:
    """Return the game that leads to the position of the arguments, None if they have no position."""
    return None if arguments.board is None and arguments.moves is None else game_from(arguments)
