"""The SQLite file of the store: created, checked and repaired when it is opened."""

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
from othello.files import claim, exclusive_lock, read_start

_LOCK_TIMEOUT: Final = 10.0  # seconds to wait for another window that writes
_REPAIR_TIMEOUT: Final = 600.0  # seconds to wait for another window that repairs a large store
_BESIDE: Final = ("-wal", "-shm")  # SQLite's files beside the database
# SQLITE_ERROR and SQLITE_MISMATCH: a table, a column or its type is not what this program has created
_DAMAGED: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISMATCH)
# UnicodeDecodeError: SQLite quotes a damaged table definition, which is not text
_FAULTS: Final = (sqlite3.DatabaseError, UnicodeDecodeError)
_UNWRITABLE: Final = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL)
_ROOM: Final = 1 << 18  # bytes that SQLite needs to open and change a database
_PAGE: Final = 4096  # bytes of a database page
_MAX_VERSIONS: Final = 1000  # larger numbers are damage, not a version
_MAX_PAGES: Final = 1 << 20  # upper limit when a damaged file is extended
# tables that cannot be rebuilt from others
_TABLES: Final = ("sources", "files", "games", "names", "own_games", "documents", "kept", "taken")

_VERSION: Final = 1  # version of the schema
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


@dataclass
class _Use:
    """A thread's use of the file."""

    connection: sqlite3.Connection | None = None
    file: int = 0  # inode that the connection has opened
    depth: int = 0  # nested reads and writes in progress


class StoreFile:
    """The database file, with one connection per thread.

    Attributes:
        notice: a message about a repair when the file was opened; None if there was none.
        can_write: False if the file is read-only.
    """

    def __init__(self, path: Path, rebuild: Callable[[sqlite3.Connection], None]) -> None:
        """Open or create the file.

        Args:
            path: the file.
            rebuild: fills the derived tables after a repair.

        Raises:
            StoreError: a newer version of the program has written the file.
        """
        self.path = path
        self.notice: Reason | None = None
        self._rebuild = rebuild
        read_only, no_folder = StoreError("store_read_only", path=path), StoreError("closed_folder", folder=path.parent)
        self._refusal = read_only if path.exists() else no_folder
        self._has_failed = False  # writing has failed although it is permitted
        self._own = threading.local()
        self._all: list[_Use] = []
        self._counting = threading.Lock()
        if self.path.is_dir():
            raise StoreError("folder", path=self.path)
        self.can_write = self._is_writable()
        with self.database_errors():
            self._open()

    def close(self) -> None:
        """Close all connections that no other thread is using: SQLite would crash.

        A thread that is using one reconnects at its next query if the file was replaced.
        """
        with self._counting:
            for use in self._all:
                if use.connection is not None and (use is self._use or not use.depth):
                    use.connection.close()
                    use.connection = None

    # Reading and writing.

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection of the current thread."""
        use = self._use
        if use.connection is None:
            use.file = self._inode()
            use.connection = self._open_connection()
            use.file = self._inode()  # the file may have been created
        return use.connection

    @property
    def _use(self) -> _Use:
        """The current thread's use of the file."""
        use: _Use | None = getattr(self._own, "use", None)
        if use is None:
            use = self._own.use = _Use()
            self._all.append(use)
        return use

    @contextmanager
    def database_errors(self) -> Iterator[None]:
        """Convert errors of SQLite into a StoreError, and repair a damaged file."""
        try:
            yield
        except _FAULTS as error:
            if _error_code(error) in _DAMAGED:
                self._repair(error)
                raise StoreError(self.notice or _reason(error, self.path)) from None
            raise StoreError("in_file", path=self.path, reason=_reason(error, self.path)) from None

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        use = self._use
        with self._counting:
            use.depth += 1
        try:
            with self.database_errors():
                if use.file and self._inode() != use.file:  # repaired by another window or thread, or removed
                    self.close()
                    self._prepare()
                yield self.connection
        finally:
            with self._counting:
                use.depth -= 1

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Run a transaction: all changes are committed, or none; raise a StoreError if the file cannot be written."""
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
        """Open the file for writing, or for reading if it cannot be written."""
        try:
            self._prepare()
        except (sqlite3.OperationalError, OSError) as error:
            if not self.can_write or (isinstance(error, sqlite3.Error) and _error_code(error) not in _UNWRITABLE):
                raise
            self.close()
            self.can_write, self._has_failed = False, True
            self._refusal = StoreError("in_file", path=self.path, reason=_reason(error, self.path))
            self._prepare()

    def _open_again(self) -> None:
        """Reopen a file for writing after a failure, if the disk has space again; raise a StoreError if not."""
        if not self._has_failed or _disk_fault(self.path) is not None:
            raise self._refusal
        self.close()
        self.can_write = True
        with self.database_errors():
            self._open()
        if not self.can_write:
            raise self._refusal

    def _is_writable(self) -> bool:
        with suppress(OSError):
            self.path.parent.mkdir(parents=True)
        return os.access(self.path.parent, os.W_OK) and (not self.path.exists() or os.access(self.path, os.W_OK))

    def _open_connection(self) -> sqlite3.Connection:
        if self.can_write:
            connection = _connect(self.path, "mode=rwc")
            try:
                # only for a new file: otherwise this would wait for another writer
                if connection.execute("PRAGMA page_count").fetchone() == (0,):
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
        except sqlite3.OperationalError:  # SQLite cannot create its files in this folder
            connection = _connect(self.path, "mode=ro&immutable=1")
        return connection

    def _has_tables(self) -> bool:
        """Return whether there is a database. A full disk leaves an empty one."""
        if not self.path.exists():
            return False
        with suppress(sqlite3.Error), closing(_connect(self.path, "mode=ro&immutable=1")) as connection:
            return bool(connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
        return True

    def _prepare(self) -> None:
        """Create the tables of a new database, and repair a damaged one."""
        if not self.can_write:
            self._check_version(_version(self.connection))
            return
        with exclusive_lock(self.path, _REPAIR_TIMEOUT):
            try:
                connection = self.connection
                version = _version(connection)
                (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
                if bool(version) != bool(tables) or version not in (0, *range(_VERSION, _MAX_VERSIONS)):
                    raise damage("its first page is damaged")
                self._check_version(version)
            except _FAULTS as error:
                if _error_code(error) not in _DAMAGED:
                    raise
                self._recover()
                return
            if not version:
                _create_tables(connection)

    def _check_version(self, version: int) -> None:
        if version > _VERSION:
            raise StoreError("store_newer", path=self.path, version=version, known=_VERSION)

    # Repair.

    def _repair(self, error: Exception) -> None:
        if not self.can_write:
            self.notice = Reason("store_damaged_here", {"path": self.path, "reason": _reason(error, self.path)})
            return
        with exclusive_lock(self.path, _REPAIR_TIMEOUT):
            if self._inode() == self._use.file:
                self._recover()
            else:  # repaired by another window
                self.close()

    def _inode(self) -> int:
        """Return the inode of the file, 0 if there is none."""
        with suppress(OSError):
            return self.path.stat().st_ino
        return 0

    def _recover(self) -> None:
        """Rename a damaged file, and copy everything readable into a new one."""
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
            for file in drafts:
                file.unlink(missing_ok=True)

    def _replace(self, draft: Path, copy: Path) -> None:
        with closing(sqlite3.connect(draft, isolation_level=None)) as target:
            target.execute("PRAGMA auto_vacuum = INCREMENTAL")
            _create_tables(target)
            _make_readable(self.path, copy, draft)
            with closing(_connect(copy, "mode=rw")) as source:
                games = _salvage(source, target)
            self._rebuild(target)
        # the name always belongs to a complete store or to the damaged one, so an interrupted repair starts again
        aside = claim(self.path.with_name(f"{self.path.stem}.damaged{self.path.suffix}"), self.path.suffix)
        shutil.copyfile(self.path, aside)
        for suffix in _BESIDE:
            with suppress(FileNotFoundError):
                self.path.with_name(self.path.name + suffix).replace(aside.with_name(aside.name + suffix))
        draft.replace(self.path)
        self.notice = Reason("store_damaged", {"path": self.path, "file": aside.name, "count": games})


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?{mode}"
    connection = sqlite3.connect(uri, _LOCK_TIMEOUT, isolation_level=None, check_same_thread=False, uri=True)
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


def damage(text: str) -> sqlite3.DatabaseError:
    """Return an error for damage that SQLite does not detect."""
    error = sqlite3.DatabaseError(text)
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


def _error_code(error: Exception) -> int:
    """Return SQLite's error code."""
    unknown = sqlite3.SQLITE_CORRUPT if isinstance(error, UnicodeDecodeError) else 0
    return int(getattr(error, "sqlite_errorcode", unknown)) & 0xFF


def _reason(error: Exception, path: Path) -> Reason:
    """Return why SQLite failed. For file errors, which SQLite does not explain, the disk is tested."""
    known = {sqlite3.SQLITE_FULL: errno.ENOSPC, sqlite3.SQLITE_BUSY: errno.EBUSY}.get(_error_code(error))
    if known:
        error = OSError(known, os.strerror(known))
    elif _error_code(error) in _UNWRITABLE:
        error = _disk_fault(path) or error
    return reason_of(error) if isinstance(error, OSError) else quoted(str(error))


def _disk_fault(path: Path) -> OSError | None:
    """Return why nothing can be written to the disk, None if it has space."""
    try:
        with tempfile.TemporaryFile(dir=path.parent) as file:
            file.write(bytes(_ROOM))
    except OSError as error:
        return error
    return None


def _make_readable(path: Path, copy: Path, new: Path) -> None:
    """Copy a damaged database and patch the copy to let SQLite read the rest.

    SQLite does not read a truncated file, so it is extended to its former length. A damaged first page is replaced with
    that of a new database: its tables have the same pages.
    """
    shutil.copyfile(path, copy)
    with suppress(OSError):
        shutil.copyfile(f"{path}{_BESIDE[0]}", f"{copy}{_BESIDE[0]}")
    declared, first = read_start(copy, 32)[28:], bytearray(read_start(new, _PAGE))
    pages = min(int.from_bytes(declared, "big"), _MAX_PAGES)
    os.truncate(copy, _PAGE * max(pages, -(-copy.stat().st_size // _PAGE)))
    with suppress(*_FAULTS), closing(_connect(copy, "mode=rw")) as old:
        tables = "SELECT type, name, sql FROM sqlite_master"
        with closing(_connect(new, "mode=ro")) as repaired:
            if _version(old) == _VERSION and old.execute(tables).fetchall() == repaired.execute(tables).fetchall():
                return
    with copy.open("r+b") as file:
        first[28:32] = (copy.stat().st_size // _PAGE).to_bytes(4, "big")
        file.write(first)


def _salvage(source: sqlite3.Connection, target: sqlite3.Connection) -> int:
    """Copy all readable rows, and return the number of games."""
    target.execute("BEGIN")
    for table in _TABLES:
        columns = [row[1] for row in target.execute(f"PRAGMA table_info({table})")]
        text = f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
        for row in _rows(source, table, columns):
            with suppress(sqlite3.IntegrityError):
                target.execute(text, row)
    target.execute("COMMIT")
    count = "SELECT (SELECT count(*) FROM games) + (SELECT count(*) FROM own_games WHERE game IS NULL)"
    return int(target.execute(count).fetchone()[0])


def _rows(source: sqlite3.Connection, table: str, columns: Sequence[str]) -> Iterator[Sequence[Any]]:
    """Yield the readable rows of a table, possibly one twice: forwards and backwards up to damage, then one by one."""
    names = ", ".join(columns)
    if "number" not in columns:
        with suppress(*_FAULTS):
            yield from source.execute(f"SELECT {names} FROM {table}")
        return
    ends = dict.fromkeys(("ASC", "DESC"), 0)  # the last readable number in each order
    for order in ends:
        with suppress(*_FAULTS):
            for row in source.execute(f"SELECT {names} FROM {table} ORDER BY number {order}"):
                ends[order] = row[0]
                yield row
            return
    for number in range(ends["ASC"], ends["DESC"]):
        with suppress(*_FAULTS):
            yield from source.execute(f"SELECT {names} FROM {table} WHERE number = ?", (number,))
