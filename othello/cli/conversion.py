"""`othello convert`: write games in another format."""

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Final

from othello.cli.messages import tell
from othello.errors import CommandError, GameFileError, OthelloError, Reason
from othello.files import refuse_existing
from othello.records.formats.format import Format
from othello.records.formats.parsed_game import Found, ParsedGame, in_game
from othello.records.formats.replaying import with_ends
from othello.records.game_file import SUFFIX
from othello.records.readers import WRITTEN, format_of, read_games
from othello.rules.registry import game_spec
from othello.schema import nearest
from othello.texts import tr

_MAX_ERRORS: Final = 20  # further errors are only counted


def convert(arguments: argparse.Namespace) -> None:
    """Write the games of files to another file.

    Raises:
        FileError: a file cannot be read, or has no games.
        OutputError: see `write_games`.
        CommandError: see `write_games`.
    """
    games = ((file, found) for file in arguments.files for found in read_games(file, game_spec()))
    write_games(arguments, games, CommandError("no_games", path=arguments.files[0]))


def write_games(arguments: argparse.Namespace, games: Iterable[tuple[Path, Found]], nothing: CommandError) -> None:
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

    def parsed_games(self, games: Iterable[tuple[Path, Found]]) -> Iterator[ParsedGame]:
        """Yield the games that can be written."""
        for file, found in games:
            if isinstance(found, OthelloError):
                self._report(file, found)
            elif (reason := self._format.refusal(found)) is not None:
                self._report(file, in_game(found, GameFileError(reason)))
            else:
                self.written += 1
                self.lost.update(found.features - self._format.supports)
                yield found

    def _report(self, file: Path, error: OthelloError) -> None:
        self.errors += 1
        if self.errors <= _MAX_ERRORS:
            tell(str(Reason("in_file", {"path": file, "reason": error.reason})))
