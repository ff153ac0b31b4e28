"""Games as rows of the store, and their entries in its index."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np

from othello.errors import OthelloError
from othello.records.formats.replaying import replayed
from othello.records.formats.sheet import Detail, Sheet
from othello.records.formats.written import words_of
from othello.records.game_file import document_of, game_of, parse_game
from othello.rules.registry import rules_of, spec_of, unusual_options
from othello.store.entries import FULL, RESULTS, Ended, Entries, entries_of, forget, write_segment, year_of

_COLUMNS: Final = (
    *("source", "year", "date", "black", "white", "event", "winner", "black_points", "white_points"),
    *("game", "rules", "start", "moves", "more", "file"),
)
_DOCUMENT: Final = "(SELECT document FROM own_games JOIN documents USING (number) WHERE own_games.game = games.number)"
WHOLE: Final = f"SELECT number, {', '.join(_COLUMNS[:-1])}, {_DOCUMENT} FROM games"
"""All of a game; where the game is the person's own, the document that tells the rest of it."""

DAMAGED: Final = (OthelloError, TypeError, ValueError, zlib.error)
"""What a damaged row raises."""

_INSERT: Final = f"INSERT INTO games (number, {', '.join(_COLUMNS)}) VALUES ({', '.join('?' * (len(_COLUMNS) + 1))})"
_words_of: Final = lru_cache(maxsize=1 << 14)(words_of)  # the same names come again and again


def row_of(source: int, file: int | None, sheet: Sheet, end: Ended) -> tuple[Any, ...]:
    """A game as a row without its number; `file`: of `files`, None where the game is in none."""
    black_points, white_points = (None, None) if end.points is None else end.points
    spec, (black, white, event) = sheet.rules.spec, map(_words_of, (*sheet.players, sheet.event))
    start = "" if sheet.start is None else sheet.rules.format_position(sheet.start)
    more: dict[str, Any] = {}
    if sheet.file is not None:
        more["game"] = document_of(sheet.file)
    elif sheet.details or "fault" in sheet.result:
        more = {"details": [*map(list, sheet.details)], "result": dict(sheet.result)}
    return (
        *(source, year_of(sheet), sheet.date, black, white, event, end.winner, black_points, white_points),
        *(spec.game, unusual_options(spec), start, sheet.moves),
        *(zlib.compress(json.dumps(more, separators=(",", ":")).encode()) if more else None, file),
    )


def sheet_of(row: Sequence[Any], is_bare: bool = False) -> Sheet:
    """The inverse of `row_of`, for a row of `WHOLE`; a bare one is without what is not indexed.

    Raises one of DAMAGED.
    """
    told = dict(zip(("number", *_COLUMNS[:-1], "document"), row, strict=True))
    number, black, white = (told[name] for name in ("number", "black_points", "white_points"))
    texts = (told[name] for name in ("black", "white", "date", "event", "winner"))
    if not (
        all(type(text) is str for text in texts)
        and all(type(each) is int for each in (number, told["source"], black or 0, white or 0))
        and type(told["moves"]) is bytes
        and (black is None) is (white is None)
        and told["winner"] in RESULTS
        and 0 < number < 1 << 32
    ):
        raise ValueError
    if told["document"] and not is_bare:
        return Sheet.of(parse_game(zlib.decompress(told["document"]).decode()), number)
    more = json.loads(zlib.decompress(told["more"])) if told["more"] and not is_bare else {}
    if "game" in more:
        return Sheet.of(game_of(more["game"]), number)
    rules = rules_of(spec_of(told["game"], told["rules"]))
    result = {"winner": told["winner"]} if told["winner"] else {}
    if result and black is not None:
        result |= {"black": black, "white": white}
    return Sheet(
        rules,
        told["moves"],
        start=rules.parse_position(told["start"]) if told["start"] else None,
        players=(told["black"], told["white"]),
        date=told["date"],
        event=told["event"],
        result=more.get("result") or result,
        details=[Detail(*detail) for detail in more.get("details", ())],
        number=number,
    )


def _bare(row: Sequence[Any]) -> Sheet | None:
    """The sheet of a row as far as it is indexed, None where the row is damaged."""
    try:
        return sheet_of(row, is_bare=True)
    except DAMAGED:
        return None


def source_number(database: sqlite3.Connection, name: str, kind: str) -> int:
    """The number of a source, which is made where there is none of that name."""
    database.execute("INSERT OR IGNORE INTO sources (name, kind) VALUES (?, ?)", (name, kind))
    return int(database.execute("SELECT number FROM sources WHERE name = ?", (name,)).fetchone()[0])


def insert(database: sqlite3.Connection, source: int, rows: Sequence[Sequence[Any]], entries: Entries) -> int:
    """Write games and their entries; the number of the first one."""
    last = database.execute("SELECT seq FROM sqlite_sequence WHERE name = 'games'").fetchone()
    first = 1 if last is None else last[0] + 1
    database.executemany(_INSERT, ((number, *row) for number, row in enumerate(rows, first)))
    _name(database, (name for row in rows for name in row[3:5]))
    entries["game"] += first
    write_segment(database, source, entries, len(rows))
    return int(first)


def is_like(database: sqlite3.Connection, number: int, row: Sequence[Any]) -> bool:
    """Whether a game of that number has the same row."""
    return bool(
        database.execute(f"SELECT {', '.join(_COLUMNS)} FROM games WHERE number = ?", (number,)).fetchone() == row
    )


def lose(database: sqlite3.Connection, source: int, numbers: str, value: object) -> None:
    """Take games of a source out of the store, by the SQL for their numbers."""
    lost = [number for (number,) in database.execute(numbers, (value,)) if number is not None]
    database.executemany("DELETE FROM games WHERE number = ?", ((number,) for number in lost))
    if lost:
        forget(database, lost, source)


def rebuild(database: sqlite3.Connection) -> None:
    """Make the index and the names again out of the games, and leave out those that are none."""
    of_kind = "source IN (SELECT number FROM sources WHERE kind = ?)"
    database.execute(f"DELETE FROM games WHERE file NOT IN (SELECT number FROM files) AND {of_kind}", ("tournament",))
    rows = database.execute(f"{WHOLE} ORDER BY source, number")
    while batch := rows.fetchmany(FULL):
        for source in {row[1] for row in batch}:
            read = [sheet for row in batch if row[1] == source and (sheet := _bare(row)) is not None]
            sound = [sheet for sheet in replayed(read) if isinstance(sheet, Sheet)]
            entries, _ = entries_of(sound)
            entries["game"] = np.array([sheet.number for sheet in sound], np.uint32)[entries["game"]]
            database.execute("BEGIN")
            lost = {row[0] for row in batch if row[1] == source} - {sheet.number for sheet in sound}
            database.executemany("DELETE FROM games WHERE number = ?", ((number,) for number in lost))
            database.execute("INSERT OR IGNORE INTO sources VALUES (?, ?, 'archive')", (source, f"recovered {source}"))
            _name(database, (name for sheet in sound for name in sheet.players))
            if sound:
                write_segment(database, source, entries, len(sound))
            database.execute("COMMIT")
    # A file that has lost games counts as changed: whoever adds it again gets them back.
    lost_games = "done - left_out != (SELECT count(*) FROM games WHERE file = files.number)"
    database.execute(
        f"UPDATE files SET digest = randomblob(32) WHERE path != '' AND {lost_games} AND {of_kind}", ("archive",)
    )
    # To a results file more may have been written since. It is read again from its beginning, and without being asked.
    damaged = database.execute(f"SELECT number, source FROM files WHERE {lost_games} AND {of_kind}", ("tournament",))
    for file, source in damaged.fetchall():
        lose(database, source, "SELECT number FROM games WHERE file = ?", file)
        database.execute("DELETE FROM files WHERE number = ?", (file,))
    database.execute("DELETE FROM taken WHERE kind = 'tournament'")
    database.execute(
        "UPDATE sqlite_sequence SET seq = (SELECT coalesce(max(number), 0) FROM games) WHERE name = 'games'"
    )


def _name(database: sqlite3.Connection, names: Iterable[str]) -> None:
    """Add names of players."""
    database.executemany("INSERT OR IGNORE INTO names VALUES (?)", ((name,) for name in {*names} - {""}))
