"""Games as rows, and the index of positions: one entry for every position of every game, sorted by key.

A segment has the entries of some games of one source, divided into chunks. A chunk is a row of the database with the
key of its first entry. A million positions thus take a few hundred rows, and a lookup reads one or two chunks per
segment.
"""

import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from othello.errors import OthelloError
from othello.records.formats.normalise import words_of
from othello.records.formats.parsed_game import MoveInfo, ParsedGame
from othello.records.formats.replaying import replayed
from othello.records.game_file import document_of, game_of, parse_game
from othello.rules.protocol import Position
from othello.rules.registry import rules_of, spec_of, unusual_options
from othello.store.store_file import damage

ENTRY: Final = np.dtype(
    [
        ("key", "<i8"),  # of the position, from `Rules.key_of`
        ("game", "<u4"),  # row in `games`
        ("year", "<i2"),  # 0 if unknown
        ("move", "u1"),  # next move, numbered as in `Rules.key_of`; NO_MOVE at the end of the game
        ("ply", "u1"),  # moves before the position
        ("result", "u1"),  # of the game, an index of RESULTS
        ("discs", "i1"),  # black's final disc lead, or UNKNOWN
    ]
)
Entries: TypeAlias = NDArray[Any]  # of dtype ENTRY

RESULTS: Final = ("", "black", "draw", "white")
UNKNOWN: Final = -128
_CHUNK: Final = 2048  # entries: 36 KiB
FULL: Final = 16384  # games in a segment that is not merged any further


class GameResult(NamedTuple):
    """The end of a game."""

    winner: str  # one of RESULTS
    points: tuple[int, int] | None  # of black and white; None if unknown

    @property
    def difference(self) -> int:
        return UNKNOWN if self.points is None else max(-127, min(127, self.points[0] - self.points[1]))


def _end_of(parsed: ParsedGame, end: Position) -> GameResult:
    """Return the result in the file, or else that of the last position."""
    result = parsed.result
    if "winner" in result and "black" in result and "white" in result:
        return GameResult(result["winner"], None if "fault" in result else (int(result["black"]), int(result["white"])))
    outcome = parsed.rules.outcome(end)
    if outcome is None:
        return GameResult(result.get("winner", ""), None)
    winner = "draw" if outcome.winner is None else outcome.winner.label
    return GameResult(result.get("winner", winner), outcome.counted)


def year_of(parsed: ParsedGame) -> int:
    """Return the year of a game, 0 if unknown."""
    return int(parsed.date[:4]) if parsed.date[:4].isdecimal() else 0


def entries_of(parsed_games: Sequence[ParsedGame]) -> tuple[Entries, list[GameResult]]:
    """Return the index entries of games, numbered from 0, and how the games ended."""
    parts: list[Entries] = [np.zeros(0, ENTRY)]
    ended: dict[int, GameResult] = {}
    groups: dict[int, list[int]] = {}
    for number, parsed in enumerate(parsed_games):
        groups.setdefault(id(parsed.rules), []).append(number)
    for numbers in groups.values():
        group = [parsed_games[number] for number in numbers]
        keyed = group[0].rules.keyed([(parsed.begun, parsed.moves) for parsed in group])
        results = [_end_of(parsed, end) for parsed, end in zip(group, keyed.ends, strict=True)]
        ended |= zip(numbers, results, strict=True)
        counts = np.array([len(parsed.moves) + 1 for parsed in group])
        entries = np.zeros(len(keyed.keys), ENTRY)
        entries["key"], entries["move"] = keyed.keys, keyed.moves
        entries["ply"] = np.arange(len(entries)) - np.repeat(np.cumsum(counts) - counts, counts)
        entries["game"] = np.repeat(numbers, counts)
        entries["year"] = np.repeat([year_of(parsed) for parsed in group], counts)
        entries["result"] = np.repeat([RESULTS.index(result.winner) for result in results], counts)
        entries["discs"] = np.repeat([result.difference for result in results], counts)
        parts.append(entries)
    return np.concatenate(parts), [ended[number] for number in range(len(parsed_games))]


def write_segment(database: sqlite3.Connection, source: int, entries: Entries, games: int) -> None:
    """Add the entries of new games. Small segments are merged to keep their number low."""
    grown = [entries]
    newest = "SELECT number, CAST(games AS INTEGER) FROM segments WHERE source = ? ORDER BY number DESC LIMIT 1"
    while games < FULL:
        last = database.execute(newest, (source,)).fetchone()
        if last is None or last[1] > games:
            break
        grown += _chunks(database, "segment = ?", (last[0],))
        games += last[1]
        _delete(database, last[0])
    _write(database, source, np.concatenate(grown), games)


def new_search(database: sqlite3.Connection, lost: Sequence[int], source: int) -> None:
    """Remove the entries of games from the segments of their source."""
    for (number,) in database.execute("SELECT number FROM segments WHERE source = ?", (source,)).fetchall():
        chunks = [*_chunks(database, "segment = ?", (number,))]
        if not chunks:
            raise damage("a segment of the index is lost")
        entries = np.concatenate(chunks)
        is_lost = np.isin(entries["game"], np.array(lost, np.uint32))
        if is_lost.any():
            _delete(database, number)
            remaining = entries[~is_lost]
            if len(remaining):
                _write(database, source, remaining, len(np.unique(remaining["game"])))


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
    """Return the entries of a chunk; raise an sqlite3.DatabaseError if it is damaged."""
    if not isinstance(data, bytes) or len(data) % ENTRY.itemsize or checksum != crc32(data):
        raise damage("a row of the index is damaged")
    return np.frombuffer(data, ENTRY)


_OF_KEY: Final = """
SELECT entries, checksum FROM segments JOIN chunks ON segment = segments.number
WHERE first <= :key AND first >= coalesce(
    (SELECT max(first) FROM chunks WHERE segment = segments.number AND first < :key), :key)
"""


def entries_at(database: sqlite3.Connection, key: int, sources: frozenset[int] | None) -> Entries:
    """Return the entries of a position in the given sources, or in all."""
    text = _OF_KEY if sources is None else f"{_OF_KEY} AND source IN ({', '.join(map(str, sorted(sources)))})"
    parts = [np.zeros(0, ENTRY)]
    for row in database.execute(text, {"key": key}):
        chunk = _chunk(*row)
        keys = chunk["key"]
        parts.append(chunk[np.searchsorted(keys, key) : np.searchsorted(keys, key, "right")])
    return np.concatenate(parts)


_COLUMNS: Final = (
    *("source", "year", "date", "black", "white", "event", "winner", "black_points", "white_points"),
    *("game", "rules", "start", "moves", "more", "file"),
)
_DOCUMENT: Final = "(SELECT document FROM own_games JOIN documents USING (number) WHERE own_games.game = games.number)"
WHOLE: Final = f"SELECT number, {', '.join(_COLUMNS[:-1])}, {_DOCUMENT} FROM games"
"""Selects all columns of a game, and the document if it is one of the user's own."""

DAMAGED: Final = (OthelloError, TypeError, ValueError, zlib.error)
"""The exceptions that damaged rows raise."""

_INSERT: Final = f"INSERT INTO games (number, {', '.join(_COLUMNS)}) VALUES ({', '.join('?' * (len(_COLUMNS) + 1))})"
_words_of: Final = lru_cache(maxsize=10_000)(words_of)  # names recur in many games


def row_of(source: int, file: int | None, parsed: ParsedGame, end: GameResult) -> tuple[Any, ...]:
    """Return a game as a row without its number; `file` is its row in `files`, if any."""
    black_points, white_points = (None, None) if end.points is None else end.points
    spec, (black, white, event) = parsed.rules.spec, map(_words_of, (*parsed.players, parsed.event))
    start = "" if parsed.start is None else parsed.rules.format_position(parsed.start)
    more: dict[str, Any] = {}
    if parsed.file is not None:
        more["game"] = document_of(parsed.file)
    elif parsed.details or "fault" in parsed.result:
        more = {"details": [*map(list, parsed.details)], "result": dict(parsed.result)}
    return (
        *(source, year_of(parsed), parsed.date, black, white, event, end.winner, black_points, white_points),
        *(spec.game, unusual_options(spec), start, parsed.rules.pack(parsed.moves)),
        *(zlib.compress(json.dumps(more, separators=(",", ":")).encode()) if more else None, file),
    )


def parse_row(row: Sequence[Any], is_bare: bool = False) -> ParsedGame:
    """Return the game in a row of `WHOLE`; the inverse of `row_of`.

    Args:
        row: the row.
        is_bare: leave out everything that is not indexed.

    Raises:
        Exception: one of DAMAGED.
    """
    columns = dict(zip(("number", *_COLUMNS[:-1], "document"), row, strict=True))
    _check_types(columns)
    number, black, white = (columns[name] for name in ("number", "black_points", "white_points"))
    if columns["document"] and not is_bare:
        return ParsedGame.of(parse_game(zlib.decompress(columns["document"]).decode()), number)
    more = json.loads(zlib.decompress(columns["more"])) if columns["more"] and not is_bare else {}
    if "game" in more:
        return ParsedGame.of(game_of(more["game"]), number)
    rules = rules_of(spec_of(columns["game"], columns["rules"]))
    result = {"winner": columns["winner"]} if columns["winner"] else {}
    if result and black is not None:
        result |= {"black": black, "white": white}
    return ParsedGame(
        rules,
        rules.unpack(columns["moves"]),
        start=rules.parse_position(columns["start"]) if columns["start"] else None,
        players=(columns["black"], columns["white"]),
        date=columns["date"],
        event=columns["event"],
        result=more.get("result") or result,
        details=[MoveInfo(*detail) for detail in more.get("details", ())],
        number=number,
    )


def _check_types(columns: Mapping[str, Any]) -> None:
    """Raise a ValueError if a column of a game has a wrong type or is out of range."""
    number, black, white = (columns[name] for name in ("number", "black_points", "white_points"))
    texts = (columns[name] for name in ("black", "white", "date", "event", "winner"))
    if not (
        all(type(text) is str for text in texts)
        and all(type(value) is int for value in (number, columns["source"], black or 0, white or 0))
        and type(columns["moves"]) is bytes
        and (black is None) is (white is None)
        and columns["winner"] in RESULTS
        and 0 < number < 1 << 32
    ):
        raise ValueError


def _indexed_part(row: Sequence[Any]) -> ParsedGame | None:
    """Return the indexed part of a game, None if the row is damaged."""
    try:
        return parse_row(row, is_bare=True)
    except DAMAGED:
        return None


def source_number(database: sqlite3.Connection, name: str, kind: str) -> int:
    """Return the number of a source, which is created if necessary."""
    database.execute("INSERT OR IGNORE INTO sources (name, kind) VALUES (?, ?)", (name, kind))
    return int(database.execute("SELECT number FROM sources WHERE name = ?", (name,)).fetchone()[0])


def insert(database: sqlite3.Connection, source: int, rows: Sequence[Sequence[Any]], entries: Entries) -> int:
    """Write games and their entries, and return the number of the first game."""
    last = database.execute("SELECT seq FROM sqlite_sequence WHERE name = 'games'").fetchone()
    first = 1 if last is None else last[0] + 1
    database.executemany(_INSERT, ((number, *row) for number, row in enumerate(rows, first)))
    _add_names(database, (name for row in rows for name in row[3:5]))
    entries["game"] += first
    write_segment(database, source, entries, len(rows))
    return int(first)


def is_like(database: sqlite3.Connection, number: int, row: Sequence[Any]) -> bool:
    """Return whether a game in the store has the same row."""
    stored = database.execute(f"SELECT {', '.join(_COLUMNS)} FROM games WHERE number = ?", (number,)).fetchone()
    return bool(stored == row)


def delete_games(database: sqlite3.Connection, source: int, numbers: str, value: object) -> None:
    """Remove games of a source, given an SQL query for their numbers."""
    lost = [number for (number,) in database.execute(numbers, (value,)) if number is not None]
    database.executemany("DELETE FROM games WHERE number = ?", ((number,) for number in lost))
    if lost:
        new_search(database, lost, source)


def delete_file(database: sqlite3.Connection, source: int, file: int) -> None:
    """Remove a file with its games."""
    delete_games(database, source, "SELECT number FROM games WHERE file = ?", file)
    database.execute("DELETE FROM files WHERE number = ?", (file,))


def rebuild(database: sqlite3.Connection) -> None:
    """Rebuild the index and the names from the games, and remove damaged games."""
    of_kind = "source IN (SELECT number FROM sources WHERE kind = ?)"
    database.execute(f"DELETE FROM games WHERE file NOT IN (SELECT number FROM files) AND {of_kind}", ("tournament",))
    rows = database.execute(f"{WHOLE} ORDER BY source, number")
    while batch := rows.fetchmany(FULL):
        for source in {row[1] for row in batch}:
            _rebuild_games(database, source, [row for row in batch if row[1] == source])
    # A file with lost games counts as changed: adding it again restores them.
    lost_games = "done - left_out != (SELECT count(*) FROM games WHERE file = files.number)"
    changed = f"UPDATE files SET digest = randomblob(32) WHERE path != '' AND {lost_games} AND {of_kind}"
    database.execute(changed, ("archive",))
    # Results files may have grown. They are read again from the beginning, without being asked for.
    damaged = database.execute(f"SELECT number, source FROM files WHERE {lost_games} AND {of_kind}", ("tournament",))
    for file, source in damaged.fetchall():
        delete_file(database, source, file)
    database.execute("DELETE FROM taken WHERE kind = 'tournament'")
    highest = "SELECT coalesce(max(number), 0) FROM games"
    database.execute(f"UPDATE sqlite_sequence SET seq = ({highest}) WHERE name = 'games'")


def _rebuild_games(database: sqlite3.Connection, source: int, rows: Sequence[Sequence[Any]]) -> None:
    """Rebuild the index and the names from the rows of games of one source, and remove damaged games."""
    read = [parsed for row in rows if (parsed := _indexed_part(row)) is not None]
    valid = [parsed for parsed in replayed(read) if isinstance(parsed, ParsedGame)]
    entries, _ = entries_of(valid)
    entries["game"] = np.array([parsed.number for parsed in valid], np.uint32)[entries["game"]]
    database.execute("BEGIN")
    lost = {row[0] for row in rows} - {parsed.number for parsed in valid}
    database.executemany("DELETE FROM games WHERE number = ?", ((number,) for number in lost))
    database.execute("INSERT OR IGNORE INTO sources VALUES (?, ?, 'archive')", (source, f"recovered {source}"))
    _add_names(database, (name for parsed in valid for name in parsed.players))
    if valid:
        write_segment(database, source, entries, len(valid))
    database.execute("COMMIT")


def _add_names(database: sqlite3.Connection, names: Iterable[str]) -> None:
    database.executemany("INSERT OR IGNORE INTO names VALUES (?)", ((name,) for name in {*names} - {""}))
