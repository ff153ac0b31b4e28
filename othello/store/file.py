"""The file of the store: an SQLite database, made and mended when it is opened."""

import errno
import os
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from othello.errors import OutputError, Reason, StoreError, quoted, reason_of
from othello.file_lock import alone
from othello.reading import read_start
from othello.writing import claim

_PATIENCE: Final = 10.0  # seconds for which another window may be writing
_LONG_PATIENCE: Final = 600.0  # seconds for which another window may be mending a large store
_BESIDE: Final = ("-wal", "-shm")  # files of SQLite's own, which belong to the database
# The last two: a table, a column or its kind is not what this program has made.
_DAMAGED: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISMATCH)
# The second: SQLite quotes a damaged definition of a table, which is no text any more.
_FAULTS: Final = (sqlite3.DatabaseError, UnicodeDecodeError)
_UNWRITABLE: Final = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL)
_ROOM: Final = 1 << 18  # bytes that SQLite needs at least to open a database and change it
_PAGE: Final = 4096  # bytes, as SQLite has it
_MOST_VERSIONS: Final = 1000  # more are no version
_MOST_PAGES: Final = 1 << 20  # that a damaged file is given
# tables whose rows cannot be made again
_TABLES: Final = ("sources", "files", "games", "names", "own_games", "documents", "kept", "taken")

_VERSION: Final = 5  # of the tables
_SCHEMA: Final = f"""
BEGIN IMMEDIATE;
CREATE TABLE sources (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL);
CREATE TABLE files (  -- that were added, or partly
    number INTEGER PRIMARY KEY, source INTEGER NOT NULL, name TEXT NOT NULL, digest BLOB NOT NULL,
    done INTEGER NOT NULL, left_out INTEGER NOT NULL, is_whole INTEGER NOT NULL, path TEXT NOT NULL,
    UNIQUE (source, digest)
);
CREATE TABLE games (
    number INTEGER PRIMARY KEY AUTOINCREMENT, source INTEGER NOT NULL, year INTEGER NOT NULL, date TEXT NOT NULL,
    black TEXT NOT NULL, white TEXT NOT NULL, event TEXT NOT NULL,
    winner TEXT NOT NULL, black_points INTEGER, white_points INTEGER,
    game TEXT NOT NULL, rules TEXT NOT NULL, start TEXT NOT NULL, moves BLOB NOT NULL,
    more BLOB,  -- compressed JSON of what else is known
    file INTEGER  -- of `files`
);
CREATE INDEX games_black ON games (black);
CREATE INDEX games_white ON games (white);
CREATE INDEX games_source ON games (source, year);
CREATE INDEX games_year ON games (year);
CREATE INDEX games_file ON games (file);
CREATE TABLE names (name TEXT PRIMARY KEY) WITHOUT ROWID;  -- of all players
CREATE TABLE segments (number INTEGER PRIMARY KEY AUTOINCREMENT, source INTEGER NOT NULL, games INTEGER NOT NULL);
CREATE TABLE chunks (
    segment INTEGER NOT NULL, first INTEGER NOT NULL, entries BLOB NOT NULL, checksum INTEGER NOT NULL  -- of `entries`
);
CREATE INDEX chunks_first ON chunks (segment, first);
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
CREATE TABLE taken (  -- files that are added without being asked for
    kind TEXT NOT NULL, name TEXT NOT NULL, stamp TEXT NOT NULL, PRIMARY KEY (kind, name)
) WITHOUT ROWID;
PRAGMA user_version = {_VERSION};
COMMIT;
"""


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
        if not path.exists():
            self._refusal = StoreError("closed_folder", folder=path.parent)
        self._has_failed = False  # the file could not be written, although that is allowed
        self._own = threading.local()
        self._all: list[_Use] = []
        self._counting = threading.Lock()
        if self.path.is_dir():
            raise StoreError("folder", path=self.path)
        self.can_write = self._is_writable()
        with self.told():
            self._open()

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
                raise StoreError(self.notice or _reason(error, self.path)) from None
            raise StoreError("in_file", path=self.path, reason=_reason(error, self.path)) from None

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
            self._open_again()
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

    def _open(self) -> None:
        """Open the file to write it, or only to read it if it cannot be written."""
        try:
            self._prepare()
        except (sqlite3.OperationalError, OSError) as error:
            if not self.can_write or (isinstance(error, sqlite3.Error) and _code(error) not in _UNWRITABLE):
                raise
            self.close()
            self.can_write, self._has_failed = False, True
            self._refusal = StoreError("in_file", path=self.path, reason=_reason(error, self.path))
            self._prepare()

    def _open_again(self) -> None:
        """Open a file that could not be written, if the disk has room now; StoreError if not."""
        if not self._has_failed or _disk_fault(self.path) is not None:
            raise self._refusal
        self.close()
        self.can_write = True
        with self.told():
            self._open()
        if not self.can_write:
            raise self._refusal

    def _is_writable(self) -> bool:
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
        return os.access(self.path.parent, os.W_OK) and (not self.path.exists() or os.access(self.path, os.W_OK))

    def _connected(self) -> sqlite3.Connection:
        if self.can_write:
            connection = _connect(self.path, "mode=rwc")
            try:
                if connection.execute("PRAGMA page_count").fetchone() == (0,):  # else it would wait for who writes
                    connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = NORMAL")
            except sqlite3.Error:
                connection.close()
                raise
            return connection
        if not self._has_tables():
            connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
            connection.executescript(_SCHEMA)
            return connection
        try:
            connection = _connect(self.path, "mode=ro")
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.OperationalError:  # a folder in which SQLite can make no files beside it
            connection = _connect(self.path, "mode=ro&immutable=1")
        return connection

    def _has_tables(self) -> bool:
        """Whether there is a database. A full disk leaves one that has only begun."""
        if not self.path.exists():
            return False
        with suppress(sqlite3.Error), closing(_connect(self.path, "mode=ro&immutable=1")) as connection:
            return bool(connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
        return True

    def _prepare(self) -> None:
        """Make the tables of a new database, and mend a damaged one."""
        if not self.can_write:
            self._check_version(_version(self.connection))
            return
        with alone(self.path, _LONG_PATIENCE):
            try:
                connection = self.connection
                version = _version(connection)
                (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
                if bool(version) != bool(tables) or version not in (0, *range(_VERSION, _MOST_VERSIONS)):
                    raise damage("its first page is damaged")
                self._check_version(version)
            except _FAULTS as error:
                if _code(error) not in _DAMAGED:
                    raise
                self._recover()
                return
            if not version:
                _create_tables(connection)

    def _check_version(self, version: int) -> None:
        if version > _VERSION:
            raise StoreError("store_newer", path=self.path, version=version, known=_VERSION)

    # Mending.

    def _mend(self, error: Exception) -> None:
        if not self.can_write:
            self.notice = Reason("store_damaged_here", {"path": self.path, "reason": _reason(error, self.path)})
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
            reason = _reason(failure, self.path)
            raise OutputError("unwritable", path=self.path, reason=reason) from None
        finally:
            for each in drafts:
                each.unlink(missing_ok=True)

    def _replace(self, draft: Path, copy: Path) -> None:
        with closing(sqlite3.connect(draft, isolation_level=None)) as target:
            target.execute("PRAGMA auto_vacuum = INCREMENTAL")
            _create_tables(target)
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


def _create_tables(connection: sqlite3.Connection) -> None:
    try:
        connection.executescript(_SCHEMA)
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


def _reason(error: Exception, path: Path) -> Reason:
    """Return why SQLite failed. The disk is asked about errors of files, which SQLite does not explain."""
    known = {sqlite3.SQLITE_FULL: errno.ENOSPC, sqlite3.SQLITE_BUSY: errno.EBUSY}.get(_code(error))
    if known:
        error = OSError(known, os.strerror(known))
    elif _code(error) in _UNWRITABLE:
        error = _disk_fault(path) or error
    return reason_of(error) if isinstance(error, OSError) else quoted(str(error))


def _disk_fault(path: Path) -> OSError | None:
    """Return why there is no room for changes beside a file, None if there is."""
    try:
        with tempfile.TemporaryFile(dir=path.parent) as file:
            file.write(bytes(_ROOM))
    except OSError as error:
        return error
    return None


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
            if _version(found) == _VERSION and found.execute(tables).fetchall() == sound.execute(tables).fetchall():
                return
    with copy.open("r+b") as file:
        first[28:32] = (copy.stat().st_size // _PAGE).to_bytes(4, "big")
        file.write(first)


def _salvage(source: sqlite3.Connection, target: sqlite3.Connection) -> int:
    """Copy all rows that can be read, and count the games."""
    target.execute("BEGIN")
    for table in _TABLES:
        columns = [row[1] for row in target.execute(f"PRAGMA table_info({table})")]
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
