"""Adds files of games to a source, some thousand games per transaction.

After an interruption, adding the file again continues after the last complete transaction.
"""

import os
import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Final

from othello.errors import FileError, OthelloError, ResultsError, StoreError
from othello.files import read_bytes, read_start
from othello.frozen_dataclass import FrozenDataclass
from othello.records.formats.format import MAX_BYTES
from othello.records.formats.parsed_game import FileItem, ParsedGame
from othello.records.readers import read_games
from othello.records.results import SUFFIXES
from othello.rules.registry import game_spec
from othello.store.game_rows import delete_file, entries_of, insert, row_of
from othello.store.store_file import StoreFile

_YEAR: Final = re.compile(r"[-_ ]*(19|20)\d\d$")
_BATCH: Final = 4096  # games per transaction; smaller ones take much longer
_TOLD: Final = 512  # games between two progress reports; divides _BATCH


class ImportProgress(FrozenDataclass):
    """Progress of adding files."""

    games: int  # games of all files in the store
    of: int | None  # games in all files; None if a format does not say
    file: str  # the file being read


@dataclass
class ImportJob:
    """Imports files of games into a source of the store."""

    file: StoreFile
    source: int  # number of the source
    done: ImportProgress  # progress over all files
    progress: Callable[[ImportProgress], None]  # called several times per transaction
    stopped: Callable[[], bool]  # polled; True ends the work
    fault: Callable[[Path, OthelloError], None]  # called for every invalid game

    def add_all(self, files: Sequence[Path]) -> None:
        """Add the games of files, and report those that cannot be read. If none can be, raise the last error."""
        refused = 0
        for file in files:
            try:
                self.add(file)
            except (FileError, ResultsError) as error:
                refused += 1
                if refused == len(files):
                    raise
                self.fault(file, error)
            if self.stopped():
                break

    def add(self, path: Path) -> None:
        """Add the games of a file that are not in the store yet."""
        self.done = replace(self.done, file=path.name)
        digest = _digest_of(path)
        with self.file.writing() as database:
            key = (self.source, digest)
            columns = "source, digest, name, path, done, left_out, is_whole"
            text = f"INSERT OR IGNORE INTO files ({columns}) VALUES (?, ?, ?, ?, 0, 0, 0)"
            database.execute(text, (*key, path.name, os.fsencode(path.absolute()).decode(errors="backslashreplace")))
            text = "SELECT number, done, left_out, is_whole FROM files WHERE source = ? AND digest = ?"
            number, done, left_out, is_whole = database.execute(text, key).fetchone()
        self.done = self._progress_after(done - left_out)
        if is_whole:
            return
        games = islice(read_games(path, game_spec()), done, None)
        while True:
            batch, faults = self._batch(path, games)
            is_whole = not self.stopped() and len(batch) + faults < _BATCH
            if batch or faults or is_whole:
                self._write(number, done, batch, faults, is_whole and not has_results(path))
            done += len(batch) + faults
            if is_whole or self.stopped():
                return

    def _batch(self, path: Path, games: Iterator[FileItem]) -> tuple[list[ParsedGame], int]:
        """Return the next games, and the number of invalid ones."""
        parsed_games: list[ParsedGame] = []
        faults = 0
        while len(parsed_games) + faults < _BATCH and not self.stopped():
            some = [*islice(games, _TOLD)]
            for game in some:
                if isinstance(game, ParsedGame):
                    parsed_games.append(game)
                else:
                    faults += 1
                    self.fault(path, game)
            self.progress(self._progress_after(len(parsed_games)))
            if not some:
                break
        return parsed_games, faults

    def _write(self, number: int, done: int, parsed_games: list[ParsedGame], faults: int, is_whole: bool) -> None:
        """Write games and the progress of their file in one transaction."""
        entries, ended = entries_of(parsed_games)
        rows = [row_of(self.source, number, parsed, end) for parsed, end in zip(parsed_games, ended, strict=True)]
        with self.file.writing() as database:
            text = "UPDATE files SET done = ?, left_out = left_out + ?, is_whole = ? WHERE number = ? AND done = ?"
            values = (done + len(parsed_games) + faults, faults, is_whole, number, done)
            if not database.execute(text, values).rowcount:
                raise StoreError("store_added_elsewhere")
            if parsed_games:
                insert(database, self.source, rows, entries)
            if is_whole:
                _remove_older(database, self.source, number)
        self.done = self._progress_after(len(parsed_games))

    def _progress_after(self, games: int) -> ImportProgress:
        return replace(self.done, games=self.done.games + games)


def _remove_older(database: sqlite3.Connection, source: int, file: int) -> None:
    """Remove the games of an older version of a file."""
    of_path = "SELECT old.number FROM files old JOIN files new USING (source, path)"
    text = f"{of_path} WHERE new.number = ? AND old.number != ?"
    for (older,) in database.execute(text, (file, file)).fetchall():
        delete_file(database, source, older)


def files_of(path: Path) -> list[Path]:
    """Return the file itself, or the files of a folder that may contain games."""
    if not path.is_dir():
        return [path]
    beside = (".jou", ".trn")
    return sorted(file for file in path.iterdir() if file.is_file() and file.suffix.lower() not in beside)


def name_of(files: Sequence[Path]) -> str:
    """Return the common part of the names before a year, such as WTH of WTH_1985.wtb, or else the folder's name."""
    names = {_YEAR.sub("", file.name.split(".")[0]) for file in files}
    return (names.pop() if len(names) == 1 else "") or files[0].absolute().parent.name or files[0].name


def _digest_of(path: Path) -> bytes:
    """Return a digest that identifies the content of a file. Results files grow, so only their first lines count."""
    if not has_results(path):
        return sha256(read_bytes(path, MAX_BYTES)).digest()
    first = read_start(path, 4096).splitlines()[: 2 if path.suffix.lower() == ".csv" else 1]  # up to the first game
    return sha256(b"\n".join((os.fsencode(path.absolute()), *first))).digest()


def has_results(path: Path) -> bool:
    return path.suffix.lower() in SUFFIXES
