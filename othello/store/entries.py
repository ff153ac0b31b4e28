"""The index of positions: an entry for every position of every game, sorted by the position's key.

A segment holds the entries of some games of one source, cut into chunks. A chunk is a row of the database, found by the
key of its first entry. So a million positions are written in some hundred rows, and a position is found by reading
one or two chunks of every segment.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from othello.records.formats.sheet import Sheet
from othello.rules.protocol import Position
from othello.store.file import damage

ENTRY: Final = np.dtype(
    [
        ("key", "<i8"),  # of the position, as `Rules.key_of` tells
        ("game", "<u4"),  # its number
        ("year", "<i2"),  # of the game, 0 where nobody knows
        ("move", "u1"),  # that was played, as `Rules.key_of` numbers moves; NO_MOVE at the end of the game
        ("ply", "u1"),  # how many moves came before
        ("result", "u1"),  # of the game, as in RESULTS
        ("discs", "i1"),  # black's minus white's at the end of the game, or UNKNOWN
    ]
)
Entries: TypeAlias = NDArray[Any]  # of ENTRY

RESULTS: Final = ("", "black", "draw", "white")
UNKNOWN: Final = -128
_CHUNK: Final = 2048  # entries: 36 KiB
FULL: Final = 16384  # games of a segment that is left as it is; smaller ones grow together


class Ended(NamedTuple):
    """How a game ended."""

    winner: str  # one of RESULTS
    points: tuple[int, int] | None  # of black and white, None where nobody knows

    @property
    def difference(self) -> int:
        return UNKNOWN if self.points is None else max(-127, min(127, self.points[0] - self.points[1]))


def _ended(sheet: Sheet, end: Position) -> Ended:
    """As the game's file tells, or else as its last position does."""
    told = sheet.result
    if "winner" in told and "black" in told and "white" in told:
        return Ended(told["winner"], None if "fault" in told else (int(told["black"]), int(told["white"])))
    outcome = sheet.rules.outcome(end)
    if outcome is None:
        return Ended(told.get("winner", ""), None)
    winner = "draw" if outcome.winner is None else outcome.winner.label
    return Ended(told.get("winner", winner), outcome.counted)


def year_of(sheet: Sheet) -> int:
    """The year of a game, 0 where nobody knows."""
    return int(sheet.date[:4]) if sheet.date[:4].isdecimal() else 0


def entries_of(sheets: Sequence[Sheet]) -> tuple[Entries, list[Ended]]:
    """The entries of games, which are numbered from 0, and how the games ended."""
    found: list[Entries] = [np.zeros(0, ENTRY)]
    ended: dict[int, Ended] = {}
    groups: dict[int, list[int]] = {}
    for number, sheet in enumerate(sheets):
        groups.setdefault(id(sheet.rules), []).append(number)
    for numbers in groups.values():
        group = [sheets[number] for number in numbers]
        keyed = group[0].rules.keyed([(sheet.begun, sheet.moves) for sheet in group])
        results = [_ended(sheet, end) for sheet, end in zip(group, keyed.ends, strict=True)]
        ended |= zip(numbers, results, strict=True)
        counts = np.array([len(sheet.moves) + 1 for sheet in group])
        entries = np.zeros(len(keyed.keys), ENTRY)
        entries["key"], entries["move"] = keyed.keys, keyed.moves
        entries["ply"] = np.arange(len(entries)) - np.repeat(np.cumsum(counts) - counts, counts)
        entries["game"] = np.repeat(numbers, counts)
        entries["year"] = np.repeat([year_of(sheet) for sheet in group], counts)
        entries["result"] = np.repeat([RESULTS.index(result.winner) for result in results], counts)
        entries["discs"] = np.repeat([result.difference for result in results], counts)
        found.append(entries)
    return np.concatenate(found), [ended[number] for number in range(len(sheets))]


def write_segment(database: sqlite3.Connection, source: int, entries: Entries, games: int) -> None:
    """Add the entries of new games of a source. Small segments grow together, so that their number stays small."""
    grown = [entries]
    while games < FULL:
        last = database.execute(
            "SELECT number, CAST(games AS INTEGER) FROM segments WHERE source = ? ORDER BY number DESC LIMIT 1",
            (source,),
        ).fetchone()
        if last is None or last[1] > games:
            break
        grown += _chunks(database, "segment = ?", (last[0],))
        games += last[1]
        _delete(database, last[0])
    _write(database, source, np.concatenate(grown), games)


def forget(database: sqlite3.Connection, lost: Sequence[int], source: int) -> None:
    """Take the entries of some games out of the segments of their source."""
    for (number,) in database.execute("SELECT number FROM segments WHERE source = ?", (source,)).fetchall():
        chunks = [*_chunks(database, "segment = ?", (number,))]
        if not chunks:
            raise damage("a segment of the index is lost")
        entries = np.concatenate(chunks)
        kept = entries[~np.isin(entries["game"], np.array(lost, np.uint32))]
        if len(kept) < len(entries):
            _delete(database, number)
            if len(kept):
                _write(database, source, kept, len(np.unique(kept["game"])))


def _delete(database: sqlite3.Connection, segment: int) -> None:
    database.execute("DELETE FROM chunks WHERE segment = ?", (segment,))
    database.execute("DELETE FROM segments WHERE number = ?", (segment,))


def _write(database: sqlite3.Connection, source: int, entries: Entries, games: int) -> None:
    entries = entries[np.argsort(entries["key"])]
    segment = database.execute("INSERT INTO segments (source, games) VALUES (?, ?)", (source, games)).lastrowid
    starts = range(0, len(entries), _CHUNK)
    chunks = ((int(entries["key"][first]), entries[first : first + _CHUNK].tobytes()) for first in starts)
    rows = ((segment, key, data, crc32(data)) for key, data in chunks)
    database.executemany("INSERT INTO chunks (segment, first, entries, checksum) VALUES (?, ?, ?, ?)", rows)


def _chunks(database: sqlite3.Connection, where: str, values: Sequence[int]) -> Iterator[Entries]:
    for row in database.execute(f"SELECT entries, checksum FROM chunks WHERE {where}", values):
        yield _chunk(*row)


def _chunk(data: object, checksum: object) -> Entries:
    """The entries of a row; sqlite3.DatabaseError where the row is damaged."""
    if not isinstance(data, bytes) or len(data) % ENTRY.itemsize or checksum not in (None, crc32(data)):
        raise damage("a row of the index is damaged")
    return np.frombuffer(data, ENTRY)


_OF_KEY: Final = """
SELECT entries, checksum FROM segments JOIN chunks ON segment = segments.number
WHERE first <= :key AND first >= coalesce(
    (SELECT max(first) FROM chunks WHERE segment = segments.number AND first < :key), :key)
"""


def entries_at(database: sqlite3.Connection, key: int, sources: frozenset[int] | None) -> Entries:
    """The entries of a position in all games of some sources, or of all."""
    text = _OF_KEY if sources is None else f"{_OF_KEY} AND source IN ({', '.join(map(str, sorted(sources)))})"
    found = [np.zeros(0, ENTRY)]
    for row in database.execute(text, {"key": key}):
        chunk = _chunk(*row)
        keys = chunk["key"]
        found.append(chunk[np.searchsorted(keys, key) : np.searchsorted(keys, key, "right")])
    return np.concatenate(found)
