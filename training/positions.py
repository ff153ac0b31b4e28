"""Files of positions with scores."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from othello.errors import FileError
from othello.files import write_bytes

HELD_OUT: Final = 20
"""Each such game is held out: never used for training."""


Column: TypeAlias = NDArray[Any]


class Positions(NamedTuple):
    """Columns of equal length, one row per position."""

    own: Column  # uint64, discs of the side to move, a1 is the lowest bit
    opponent: Column  # uint64
    score: Column  # int8, final disc difference for the side to move; empty squares count for the winner
    empties: Column  # uint8
    game: Column  # uint32

    def where(self, chosen: Column) -> Positions:
        """Return the selected rows; `rows`: a mask or row numbers."""
        return Positions(*(column[chosen] for column in self))

    @property
    def held_out(self) -> NDArray[np.bool_]:
        paused: NDArray[np.bool_] = self.game % HELD_OUT == 0
        return paused


def read(files: Sequence[Path], least_empties: int = 0, most_empties: int = 60) -> Positions:
    """Read the positions with so many empty squares from several files; games are numbered consecutively.

    Raises:
        FileError: a file does not contain positions.
        OSError: a file cannot be read.
    """
    parts, games = [], 0
    for file in files:
        try:
            with np.load(file, allow_pickle=False) as columns:
                part = Positions(*(columns[name] for name in Positions._fields))
            count = int(part.game.max()) + 1
        except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile, zlib.error) as error:
            raise FileError(f"{file}: is no file of positions") from error
        part = part._replace(game=part.game + np.uint32(games))
        parts.append(part.where((part.empties >= least_empties) & (part.empties <= most_empties)))
        games += -(-count // HELD_OUT) * HELD_OUT  # the same games are held out in any order of the files
    return Positions(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def write(file: Path, data: Positions) -> None:
    """Write a file completely or not at all."""
    content = io.BytesIO()
    np.savez_compressed(content, **data._asdict())
    write_bytes(file, content.getvalue())
