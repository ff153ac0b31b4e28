"""The opening book: positions with values from long searches, in a small memory-mapped file.

A position stands for its eight images and for both colours: the book contains the smallest image, the side to move
first. If the side to move must pass, the position after the pass is used instead. Nothing here is compiled.

The file is a header with the SHA-256 of the rest, followed by columns sorted by position: own discs, the opponent's,
values, depths, errors, and whether the position is expanded.
"""

import hashlib
import struct
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello.errors import BookError, Reason
from othello.files import open_file, write_bytes
from othello.resources import asset
from othello.rules.othello.scalar_bits import flips, mobility, squares
from othello.rules.protocol import Move
from othello.rules.symmetry import board_images

START: Final = 1 << 28 | 1 << 35, 1 << 27 | 1 << 36

_MAGIC: Final = b"othello book 1\n\0"
_FACTS: Final = struct.Struct("<QII")  # seed, depth, positions
_DIGEST_SIZE: Final = 32
_COLUMNS: Final = ("<u8", "<u8", "i1", "u1", "u1", "?")

# The discs of the side to move and those of the other side.
Boards = tuple[int, int]


class BookEntry(NamedTuple):
    """The book's facts about a position, for the side to move, or about a move, for the side that makes it."""

    value: int  # expected disc difference at the end
    depth: int  # minimum plies searched below, along good moves
    error: int  # expected error in discs, rounded up; 0: exact
    is_open: bool  # its moves are in the book


# Entries by `canonical` position.
BookEntries = dict[Boards, BookEntry]


def _upside_down(board: int) -> int:
    return int.from_bytes(board.to_bytes(8), "little")


def add_entry(known: BookEntries, own: int, opponent: int, entry: BookEntry) -> None:
    """Add an entry for a position, unless there is one from a deeper search."""
    if not mobility(own, opponent):
        own, opponent, entry = opponent, own, entry._replace(value=-entry.value)  # the position after the pass
    previous = known.setdefault(canonical(own, opponent), entry)
    deeper = previous if previous.depth >= entry.depth else entry
    known[canonical(own, opponent)] = deeper._replace(is_open=previous.is_open or entry.is_open)


def canonical(own: int, opponent: int) -> Boards:
    """Return the smallest image of a position."""
    return min(zip(board_images(own, _upside_down), board_images(opponent, _upside_down), strict=True))


def legal(own: int, opponent: int) -> Iterator[Move]:
    """Return the legal moves of a position."""
    return map(Move, squares(mobility(own, opponent)))


def after(own: int, opponent: int, move: int) -> tuple[int, int, int]:
    """Return the boards after a move, for the side that moves next, and -1, or 1 if the other side must pass.

    The side that moves next has a move unless the game is over.
    """
    turned = flips(own, opponent, move)
    own, opponent = own | turned | 1 << move, opponent ^ turned
    if mobility(opponent, own) or not mobility(own, opponent):
        return opponent, own, -1
    return own, opponent, 1


class Book:
    """An opening book read from a file."""

    def __init__(self, file: Path) -> None:
        """Map a file.

        Raises:
            UnreadableError: the file cannot be read.
            BookError: the file is no book, or is damaged.
        """
        with open_file(file) as stream:
            magic, digest = stream.read(len(_MAGIC)), stream.read(_DIGEST_SIZE)
            if magic != _MAGIC:
                raise BookError("in_file", path=file, reason=Reason("book_foreign"))
            if hashlib.file_digest(stream, "sha256").digest() != digest:  # a map would stay in memory
                raise BookError("in_file", path=file, reason=Reason("book_damaged"))
            mapped = np.memmap(stream, np.uint8, "r")
        data, start = mapped.data, len(_MAGIC) + _DIGEST_SIZE
        facts: tuple[int, int, int] = _FACTS.unpack_from(data, start)
        self.seed, self.depth, self._count = facts
        start += _FACTS.size
        self.columns: list[NDArray[Any]] = []
        for kind in map(np.dtype, _COLUMNS):
            end = start + self._count * kind.itemsize
            self.columns.append(mapped[start:end].view(kind))
            start = end

    def __len__(self) -> int:
        return self._count

    @property
    def known(self) -> BookEntries:
        """All entries."""
        rows = zip(*(column.tolist() for column in self.columns), strict=True)
        return {(own, opponent): BookEntry(*facts) for own, opponent, *facts in rows}

    def probe(self, own: int, opponent: int) -> BookEntry | None:
        """Return the entry of a position or of its images, or None."""
        own, opponent = canonical(own, opponent)
        owns, opponents, *known = self.columns
        first, end = np.searchsorted(owns, np.uint64(own)), np.searchsorted(owns, np.uint64(own), "right")
        place = first + np.searchsorted(opponents[first:end], np.uint64(opponent))
        if place == end or opponents[place] != opponent:
            return None
        return BookEntry(*(column[place].item() for column in known))

    def moves(self, own: int, opponent: int) -> dict[Move, BookEntry]:
        """Return the known entries of a position's moves, for the side to move, best first."""
        found = {}
        for move in legal(own, opponent):
            *boards, side = after(own, opponent, move)
            known = self.probe(*boards)
            if known is not None:
                found[move] = known._replace(value=side * known.value)
        return dict(sorted(found.items(), key=lambda item: -item[1].value))

    def line(self, own: int, opponent: int, move: Move) -> tuple[Move, ...]:
        """Return a move and the best replies, to the end of the book or to a pass."""
        moves = [move]
        own, opponent, side = after(own, opponent, move)
        while side < 0 and (found := self.moves(own, opponent)):
            moves.append(next(iter(found)))
            own, opponent, side = after(own, opponent, moves[-1])
        return tuple(moves)


def write(file: Path, known: BookEntries, depth: int, seed: int) -> None:
    """Write a book completely or not at all.

    Args:
        file: path of the file.
        known: the entries.
        depth: plies of most searches.
        seed: seed of the selection of positions.

    Raises:
        OutputError: the file cannot be written.
    """
    rows = sorted((*boards, *entry) for boards, entry in known.items())
    columns = zip(*rows, strict=True) if rows else [()] * len(_COLUMNS)
    body = _FACTS.pack(seed, depth, len(rows))
    body += b"".join(np.array(column, kind).tobytes() for column, kind in zip(columns, _COLUMNS, strict=True))
    write_bytes(file, _MAGIC + hashlib.sha256(body).digest() + body)


@cache
def shipped_book() -> Book:
    """Return the book that ships with the program. It is mapped once."""
    return Book(asset("book.bin"))
