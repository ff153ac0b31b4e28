"""The file of the store: an SQLite database, made, brought up to date and mended when it is opened."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from othello.errors import OutputError, Reason, StoreError, quoted, reason_of
from othello.reading import read_start
from othello.records.lock import alone
from othello.writing import claim

_PATIENCE: Final = 10.0  # seconds for which another window may be writing
_LONG_PATIENCE: Final = 600.0  # seconds for which another window may be mending a large store
_BESIDE: Final = ("-wal", "-shm")  # files of SQLite's own, which belong to the database
# The last two: a table, a column or its kind is not what this program has made.
_DAMAGED: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISMATCH)
# The second: SQLite quotes a damaged definition of a table, which is no text any more.
_FAULTS: Final = (sqlite3.DatabaseError, UnicodeDecodeError)
_UNWRITABLE: Final = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL)
_PAGE: Final = 4096  # bytes, as SQLite has it
_MOST_VERSIONS: Final = 1000  # more are no version
_MOST_PAGES: Final = 1 << 20  # that a damaged file is given
_TABLES: Final = (
    "sources",
    "files",
    "games",
    "names",
    "own_games",
    "documents",
    "kept",
    "taken",
)  # whose rows cannot be made again

MIGRATIONS: Final[Sequence[str]] = (
    """
    CREATE TABLE sources (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL);
    CREATE TABLE files (  -- that were added, or partly
        number INTEGER PRIMARY KEY, source INTEGER NOT NULL, name TEXT NOT NULL, digest BLOB NOT NULL,
        done INTEGER NOT NULL, left_out INTEGER NOT NULL, is_whole INTEGER NOT NULL, UNIQUE (source, digest)
    );
    CREATE TABLE games (
        number INTEGER PRIMARY KEY AUTOINCREMENT, source INTEGER NOT NULL, year INTEGER NOT NULL, date TEXT NOT NULL,
        black TEXT NOT NULL, white TEXT NOT NULL, event TEXT NOT NULL,
        winner TEXT NOT NULL, black_points INTEGER, white_points INTEGER,
        game TEXT NOT NULL, rules TEXT NOT NULL, start TEXT NOT NULL, moves BLOB NOT NULL,
        more BLOB  -- compressed JSON of what else is known
    );
    CREATE INDEX games_black ON games (black);
    CREATE INDEX games_white ON games (white);
    CREATE INDEX games_year ON games (source, year);
    CREATE TABLE names (name TEXT PRIMARY KEY) WITHOUT ROWID;  -- of all players
    CREATE TABLE segments (number INTEGER PRIMARY KEY AUTOINCREMENT, source INTEGER NOT NULL, games INTEGER NOT NULL);
    CREATE TABLE chunks (segment INTEGER NOT NULL, first INTEGER NOT NULL, entries BLOB NOT NULL);
    CREATE INDEX chunks_first ON chunks (segment, first);
    """,
    """
    DROP INDEX games_year;
    CREATE INDEX games_source ON games (source, year);
    CREATE INDEX games_year ON games (year);
    CREATE TABLE own (  -- games of the person's own, each a file; those that have not ended are in no list
        name TEXT PRIMARY KEY, stamp TEXT NOT NULL, game INTEGER
    ) WITHOUT ROWID;
    """,
    """
    ALTER TABLE files ADD COLUMN path TEXT NOT NULL DEFAULT '';
    ALTER TABLE games ADD COLUMN file INTEGER;  -- of `files`
    CREATE INDEX games_file ON games (file);
    """,
    # Own games are no files any more. What is known of the files is found again as they are taken over.
    """
    CREATE TABLE own_games (
        number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL DEFAULT '', date TEXT NOT NULL,
        head TEXT NOT NULL,  -- what a list tells of the game
        game INTEGER,  -- of `games`, once the game has ended
        version INTEGER NOT NULL DEFAULT 0,  -- grows whenever the game is written
        written REAL NOT NULL DEFAULT 0,  -- when that was
        playing TEXT NOT NULL DEFAULT '', deleted TEXT NOT NULL DEFAULT ''  -- the windows that do so
    );
    CREATE INDEX own_games_game ON own_games (game);
    CREATE TABLE documents (number INTEGER PRIMARY KEY, document BLOB NOT NULL);  -- compressed files of `own_games`
    CREATE TABLE kept (name TEXT PRIMARY KEY, value BLOB NOT NULL);
    CREATE TABLE taken (  -- files that are taken over without being asked for
        kind TEXT NOT NULL, name TEXT NOT NULL, stamp TEXT NOT NULL, PRIMARY KEY (kind, name)
    ) WITHOUT ROWID;
    INSERT INTO taken SELECT 'tournament', name, stamp FROM own WHERE name NOT LIKE '%.othello.json';
    DROP TABLE own;
    DELETE FROM games WHERE source IN (SELECT number FROM sources WHERE kind = 'own');
    DELETE FROM chunks WHERE segment IN (
        SELECT number FROM segments WHERE source IN (SELECT number FROM sources WHERE kind = 'own')
    );
    DELETE FROM segments WHERE source IN (SELECT number FROM sources WHERE kind = 'own');
    """,
    "ALTER TABLE chunks ADD COLUMN checksum INTEGER",  # of the entries; rows of older versions have none
)
"""What makes version 1 of an empty database, version 2 of version 1, and so on."""

_MISSING: Final = {
    4: """
    CREATE TEMP TABLE own_games (number, name, date, head, game, version, written, playing, deleted);
    CREATE TEMP TABLE documents (number, document);
    CREATE TEMP TABLE kept (name, value);
    CREATE TEMP TABLE taken (kind, name, stamp);
    """,
    5: "CREATE TEMP VIEW chunks AS SELECT *, NULL AS checksum FROM main.chunks",
}
"""What questions need of later versions, where a database can only be read."""


@dataclass(eq=False, slots=True)
class _Use:
    """What a thread does with the file."""

    connection: sqlite3.Connection | None = None
    file: int = 0  # that the connection has opened, as the system numbers files
    depth: int = 0  # how often the thread is reading or writing it, one within the other


class StoreFile:
    """The database. Every thread has a connection of its own.

    Attributes:
        notice: what was wrong with the file when it was opened, None where all was well.
        can_write: whether it can be changed.
    """

    def __init__(self, path: Path, rebuild: Callable[[sqlite3.Connection], None]) -> None:
        """Open the file, or make it; StoreError where a newer program has written it.

        `rebuild` fills the tables that follow from others.
        """
        self.path = path
        self.notice: Reason | None = None
        self._rebuild = rebuild
        self._refusal = StoreError("store_read_only", path=path)
        self._own = threading.local()
        self._all: list[_Use] = []
        self._counting = threading.Lock()
        if self.path.is_dir():
            raise StoreError("folder", path=self.path)
        self.can_write = self._is_writable()
        with self.told():
            try:
                self._prepare()
            except (sqlite3.OperationalError, OSError) as error:
                if not self.can_write or (isinstance(error, sqlite3.Error) and _code(error) not in _UNWRITABLE):
                    raise
                self.close()
                self.can_write = False
                if _code(error) == sqlite3.SQLITE_FULL or isinstance(error, OSError):
                    why = reason_of(error) if isinstance(error, OSError) else _reason(error)
                    self._refusal = StoreError("in_file", path=path, reason=why)
                self._prepare()

    def close(self) -> None:
        """Close all connections but those that other threads are using: SQLite would crash.

        Such a thread sees that the file is another one when it asks the next time.
        """
        with self._counting:
            for use in self._all:
                if use.connection is not None and (use is self._use or not use.depth):
                    with suppress(sqlite3.Error):
                        use.connection.close()
                    use.connection = None

    # Asking and writing.

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection of this thread."""
        use = self._use
        if use.connection is None:
            use.file = self._number_of_file()
            use.connection = self._connected()
            use.file = self._number_of_file()  # it may be new
        return use.connection

    @property
    def _use(self) -> _Use:
        """What this thread does with the file."""
        use: _Use | None = getattr(self._own, "use", None)
        if use is None:
            use = self._own.use = _Use()
            self._all.append(use)
        return use

    @contextmanager
    def told(self) -> Iterator[None]:
        """Say what goes wrong inside in the program's words; a damaged file is mended."""
        try:
            yield
        except _FAULTS as error:
            if _code(error) in _DAMAGED:
                self._mend(error)
                raise StoreError(self.notice or _reason(error)) from None
            raise StoreError("in_file", path=self.path, reason=_reason(error)) from None

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        use = self._use
        with self._counting:
            use.depth += 1
        try:
            with self.told():
                if use.file and self._number_of_file() != use.file:  # mended by another window or thread, or removed
                    self.close()
                    self._prepare()
                yield self.connection
        finally:
            with self._counting:
                use.depth -= 1

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction: all that is written inside is there afterwards, or nothing. StoreError: nothing can be."""
        if not self.can_write:
            raise self._refusal
        with self.reading() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise

    # Opening.

    def _is_writable(self) -> bool:
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
        return os.access(self.path.parent, os.W_OK) and (not self.path.exists() or os.access(self.path, os.W_OK))

    def _connected(self) -> sqlite3.Connection:
        if self.can_write:
            connection = _connect(self.path, "mode=rwc")
            if connection.execute("PRAGMA page_count").fetchone() == (0,):  # else it would wait for who writes
                connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            return connection
        if not self.path.exists():
            connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
            for script in MIGRATIONS:
                connection.executescript(script)
            return connection
        try:
            connection = _connect(self.path, "mode=ro")
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.OperationalError:  # a folder in which SQLite can make no files beside it
            connection = _connect(self.path, "mode=ro&immutable=1")
        version = _version(connection)
        for script in (script for number, script in _MISSING.items() if 0 < version < number):
            connection.executescript(script)
        return connection

    def _prepare(self) -> None:
        """Bring the database up to date, whoever has written it."""
        if not self.can_write:
            self._check_version(_version(self.connection))
            return
        with alone(self.path, _LONG_PATIENCE):
            try:
                connection = self.connection
                version = _version(connection)
                (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
                if bool(version) != bool(tables) or not 0 <= version < _MOST_VERSIONS:
                    raise damage("its first page is damaged")
                self._check_version(version)
                if 0 < version < len(MIGRATIONS):
                    self._keep_copy(connection, version)
            except _FAULTS as error:
                if _code(error) not in _DAMAGED:
                    raise
                self._recover()
                return
            _migrate(connection, version)

    def _check_version(self, version: int) -> None:
        if version > len(MIGRATIONS):
            raise StoreError("store_newer", path=self.path, version=version, known=len(MIGRATIONS))

    def _keep_copy(self, connection: sqlite3.Connection, version: int) -> None:
        """Leave the database as it was beside the one that is brought up to date."""
        found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if found != "ok":
            raise damage(found)
        copy = self.path.with_name(f"{self.path.stem}.version-{version}{self.path.suffix}")
        draft = copy.with_name(f"{copy.name}.new")
        draft.unlink(missing_ok=True)
        with closing(sqlite3.connect(draft)) as target:
            connection.backup(target)
        draft.replace(copy)

    # Mending.

    def _mend(self, error: Exception) -> None:
        if not self.can_write:
            self.notice = Reason("store_damaged_here", {"path": self.path, "reason": _reason(error)})
            return
        with alone(self.path, _LONG_PATIENCE):
            if self._number_of_file() == self._use.file:
                self._recover()
            else:  # another window has mended it
                self.close()

    def _number_of_file(self) -> int:
        """As the system numbers files."""
        try:
            return self.path.stat().st_ino
        except OSError:
            return 0

    def _recover(self) -> None:
        """Set a damaged file aside, and take over all that can be read of it."""
        self.close()
        draft, copy = (self.path.with_name(f"{self.path.name}.{name}") for name in ("new", "copy"))
        drafts = [draft, *(copy.with_name(copy.name + suffix) for suffix in ("", *_BESIDE))]
        try:
            draft.unlink(missing_ok=True)
            self._replace(draft, copy)
        except (OSError, sqlite3.OperationalError) as failure:
            reason = reason_of(failure) if isinstance(failure, OSError) else _reason(failure)
            raise OutputError("unwritable", path=self.path, reason=reason) from None
        finally:
            for each in drafts:
                each.unlink(missing_ok=True)

    def _replace(self, draft: Path, copy: Path) -> None:
        with closing(sqlite3.connect(draft, isolation_level=None)) as target:
            target.execute("PRAGMA auto_vacuum = INCREMENTAL")
            _migrate(target, 0)
            _make_readable(self.path, copy, draft)
            with closing(_connect(copy, "mode=rw")) as source:
                games = _salvage(source, target)
            self._rebuild(target)
        # A name is always that of a whole store, or of the damaged one: whoever is killed here begins again.
        aside = claim(self.path.with_name(f"{self.path.stem}.damaged{self.path.suffix}"), self.path.suffix)
        shutil.copyfile(self.path, aside)
        for suffix in _BESIDE:
            with suppress(FileNotFoundError):
                self.path.with_name(self.path.name + suffix).replace(aside.with_name(aside.name + suffix))
        draft.replace(self.path)
        self.notice = Reason("store_damaged", {"path": self.path, "file": aside.name, "count": games})


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{mode}", _PATIENCE, isolation_level=None, check_same_thread=False, uri=True
    )
    connection.text_factory = lambda data: data.decode(errors="replace")
    return connection


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _migrate(connection: sqlite3.Connection, version: int) -> None:
    for number, script in enumerate(MIGRATIONS[version:], version + 1):
        try:
            connection.executescript(f"BEGIN IMMEDIATE; {script}; PRAGMA user_version = {number}; COMMIT;")
        except sqlite3.Error:
            connection.rollback()
            raise


def damage(told: str) -> sqlite3.DatabaseError:
    """What is raised where SQLite sees no damage."""
    error = sqlite3.DatabaseError(told)
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


def _code(error: Exception) -> int:
    """What went wrong, as SQLite numbers it."""
    unknown = sqlite3.SQLITE_CORRUPT if isinstance(error, UnicodeDecodeError) else 0
    return int(getattr(error, "sqlite_errorcode", unknown)) & 0xFF


def _reason(error: Exception) -> Reason:
    known = {sqlite3.SQLITE_FULL: errno.ENOSPC, sqlite3.SQLITE_BUSY: errno.EBUSY}.get(_code(error))
    return reason_of(OSError(known, os.strerror(known))) if known else quoted(str(error))


def _make_readable(path: Path, copy: Path, new: Path) -> None:
    """Copy a damaged database, so that SQLite reads what it can of the copy.

    A file that was cut off gets its length again, for SQLite reads nothing of a file that is too short. Where its first
    page is damaged, it gets that of a new database: all have their tables in the same places.
    """
    shutil.copyfile(path, copy)
    with suppress(OSError):
        shutil.copyfile(f"{path}{_BESIDE[0]}", f"{copy}{_BESIDE[0]}")
    head, first = read_start(copy, 32), bytearray(read_start(new, _PAGE))
    size = max(copy.stat().st_size, _PAGE * min(int.from_bytes(head[28:32], "big"), _MOST_PAGES))
    os.truncate(copy, size + -size % _PAGE)
    with suppress(*_FAULTS), closing(_connect(copy, "mode=rw")) as found:
        tables = "SELECT type, name, sql FROM sqlite_master"
        with closing(_connect(new, "mode=ro")) as sound:
            is_current = found.execute(tables).fetchall() == sound.execute(tables).fetchall()
        if 0 < _version(found) < len(MIGRATIONS) + is_current:
            return
    with copy.open("r+b") as file:
        first[28:32] = (copy.stat().st_size // _PAGE).to_bytes(4, "big")
        file.write(first)


def _salvage(source: sqlite3.Connection, target: sqlite3.Connection) -> int:
    """Copy all rows that can be read, and count the games."""
    target.execute("BEGIN")
    for table in _TABLES:
        columns = _columns(target, table)
        with suppress(*_FAULTS):  # an older version may have fewer
            there = _columns(source, table)
            columns = [name for name in columns if name in there] or columns
        text = f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
        for row in _rows(source, table, columns):
            with suppress(sqlite3.IntegrityError):
                target.execute(text, row)
    target.execute("COMMIT")
    counts = (
        target.execute(f"SELECT count(*) FROM {text}").fetchone()[0]
        for text in ("games", "own_games WHERE game IS NULL")
    )
    return sum(counts)


def _columns(database: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in database.execute(f"PRAGMA table_info({table})")]


def _rows(source: sqlite3.Connection, table: str, columns: Sequence[str]) -> Iterator[Sequence[Any]]:
    """The rows of a table, as far as they can be read: forwards to the first damage, backwards, and one by one."""
    names = ", ".join(columns)
    if "number" not in columns:
        with suppress(*_FAULTS):
            yield from source.execute(f"SELECT {names} FROM {table}")
        return
    last = first = None
    for order in ("ASC", "DESC"):
        with suppress(*_FAULTS):
            for row in source.execute(f"SELECT {names} FROM {table} ORDER BY number {order}"):
                if order == "ASC":
                    last = row[0]
                else:
                    first = row[0]
                yield row
            return
    for number in range((last or 0) + 1, first or 0):
        with suppress(*_FAULTS):
            yield from source.execute(f"SELECT {names} FROM {table} WHERE number = ?", (number,))
