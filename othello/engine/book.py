"""The opening book: positions with values that long searches found, in a small file that is mapped into memory.

A position is in the book once for all eight symmetries and both colours: as the smallest of its images, the side to
move first. The side to move has moves: where it must pass, the position after the pass stands for it. Nothing here is
compiled.

The file is a header with the SHA-256 of all that follows, then columns in the order of the positions: own discs, the
opponent's, values, depths, classes of error, and whether a position's moves are in the book.
"""

import hashlib
import struct
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello.errors import BookError, Reason, errors_as
from othello.resources import asset
from othello.rules.othello.scalar_bits import flips, mobility, squares
from othello.rules.protocol import Move
from othello.rules.symmetry import board_images
from othello.writing import write_bytes

START: Final = 1 << 28 | 1 << 35, 1 << 27 | 1 << 36

_MAGIC: Final = b"othello book 1\n\0"
_FACTS: Final = struct.Struct("<QII")  # seed, depth, positions
_DIGEST_SIZE: Final = 32
_COLUMNS: Final = ("<u8", "<u8", "i1", "u1", "u1", "?")

Boards = tuple[int, int]
"""The discs of the side to move and those of the other side."""


class BookEntry(NamedTuple):
    """What the book knows of a position, for the side to move, or of a move, for the side that makes it."""

    value: int  # discs at the end
    depth: int  # plies that were searched below it at least, where play is good
    error: int  # its class: the error to expect in discs, rounded up, 0 where the value is exact
    is_open: bool  # whether its moves are in the book


Known = dict[Boards, BookEntry]
"""Positions as `canonical` turns them."""


def _upside_down(board: int) -> int:
    return int.from_bytes(board.to_bytes(8), "little")


def learn(known: Known, own: int, opponent: int, entry: BookEntry) -> None:
    """Keep of two entries for a position the one that was searched deeper."""
    if not mobility(own, opponent):
        own, opponent, entry = opponent, own, entry._replace(value=-entry.value)  # after the pass
    former = known.setdefault(canonical(own, opponent), entry)
    deeper = former if former.depth >= entry.depth else entry
    known[canonical(own, opponent)] = deeper._replace(is_open=former.is_open or entry.is_open)


def canonical(own: int, opponent: int) -> Boards:
    """The smallest image of a position."""
    return min(zip(board_images(own, _upside_down), board_images(opponent, _upside_down), strict=True))


def legal(own: int, opponent: int) -> Iterator[Move]:
    """The moves of a position."""
    return squares(mobility(own, opponent))


def after(own: int, opponent: int, move: Move) -> tuple[int, int, int]:
    """The boards after a move for whoever moves next, and -1, or 1 where the other side must pass.

    Who moves next has moves unless the game is over.
    """
    turned = flips(own, opponent, move)
    own, opponent = own | turned | 1 << move, opponent ^ turned
    if mobility(opponent, own) or not mobility(own, opponent):
        return opponent, own, -1
    return own, opponent, 1


class Book:
    """A book that was read from a file."""

    def __init__(self, file: Path) -> None:
        """Map a file; BookError: it cannot be read, is no book, or is damaged."""
        with errors_as(BookError, "in_file", OSError, path=file), file.open("rb") as stream:
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
    def known(self) -> Known:
        """All that is in the book."""
        rows = zip(*(column.tolist() for column in self.columns), strict=True)
        return {(own, opponent): BookEntry(*facts) for own, opponent, *facts in rows}

    def look_up(self, own: int, opponent: int) -> BookEntry | None:
        """What is known of a position, whichever way the board is turned."""
        own, opponent = canonical(own, opponent)
        owns, opponents, *known = self.columns
        first, end = np.searchsorted(owns, np.uint64(own)), np.searchsorted(owns, np.uint64(own), "right")
        place = first + np.searchsorted(opponents[first:end], np.uint64(opponent))
        if place == end or opponents[place] != opponent:
            return None
        return BookEntry(*(column[place].item() for column in known))

    def moves(self, own: int, opponent: int) -> dict[Move, BookEntry]:
        """What is known of a position's moves, for the side to move, the best first."""
        found = {}
        for move in legal(own, opponent):
            *boards, side = after(own, opponent, move)
            known = self.look_up(*boards)
            if known is not None:
                found[move] = known._replace(value=side * known.value)
        return dict(sorted(found.items(), key=lambda each: -each[1].value))

    def line(self, own: int, opponent: int, move: Move) -> tuple[Move, ...]:
        """A move and the best replies, as far as the book goes, or until a side must pass."""
        moves = [move]
        own, opponent, side = after(own, opponent, move)
        while side < 0 and (found := self.moves(own, opponent)):
            moves.append(next(iter(found)))
            own, opponent, side = after(own, opponent, moves[-1])
        return tuple(moves)


def write(file: Path, known: Known, depth: int, seed: int) -> None:
    """Write a book whole or not at all; OutputError: that fails.

    Args:
        file: its name.
        known: its positions.
        depth: how deep most were searched.
        seed: by which they were chosen.
    """
    rows = sorted((*boards, *entry) for boards, entry in known.items())
    columns = zip(*rows, strict=True) if rows else [()] * len(_COLUMNS)
    body = _FACTS.pack(seed, depth, len(rows))
    body += b"".join(np.array(column, kind).tobytes() for column, kind in zip(columns, _COLUMNS, strict=True))
    write_bytes(file, _MAGIC + hashlib.sha256(body).digest() + body)


@cache
def shipped_book() -> Book:
    """The book that comes with the program; mapped once."""
    return Book(asset("book.bin"))
