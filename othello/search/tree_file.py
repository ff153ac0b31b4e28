"""Files of search trees and learned values: `.npz` archives of plain arrays, with a version and no pickled objects."""

import math
import os
import zipfile
from collections.abc import Container
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from othello.errors import OutputError, Reason, TreeFileError, reason_of
from othello.files import replacing
from othello.search.tree_snapshot import Arrays

_FORMAT: Final = "othello-search"
_VERSION: Final = 1
_MAX_BYTES: Final = 1 << 32


def save(path: Path, kind: str, snapshot: Arrays) -> None:
    """Write a file completely or not at all.

    Raises:
        TreeFileError: the file cannot be written.
    """
    header = np.array([_FORMAT, str(_VERSION), kind])
    try:
        with replacing(path) as file:
            np.savez(file, header=header, **snapshot)  # type: ignore[arg-type]
    except OutputError as error:
        reason = error.reason.parts["reason"]
        raise TreeFileError("tree_file_unwritable", path=path, reason=reason) from error


def check_place(path: Path) -> None:
    """Raise TreeFileError if a file cannot be written at `path`."""
    if path.is_dir():
        raise TreeFileError("folder", path=path)
    folder = path.parent
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        reason = Reason("closed_folder" if folder.is_dir() else "no_folder", {"folder": folder})
        raise TreeFileError("tree_file_unwritable", path=path, reason=reason)


def load(path: Path, kind: str, fields: Container[str] | None = None) -> Arrays | None:
    """Read the file of a search of this kind; None if there is no file.

    Args:
        path: the file.
        kind: the search and its game.
        fields: the arrays to read; None: all. The size of the others is checked.

    Raises:
        TreeFileError: the file cannot be read, is damaged, or belongs to another kind of search.
    """
    if not path.exists():
        return None
    if not path.is_file():
        raise TreeFileError("folder" if path.is_dir() else "no_file", path=path)
    try:
        found = _unpacked(path, fields)
    except OSError as error:
        raise TreeFileError("unreadable", path=path, reason=reason_of(error)) from error
    except Exception as error:  # a changed bit can lead to any error in the standard library and numpy
        raise TreeFileError("tree_file_foreign", path=path) from error
    header = found.pop("header", np.array([])).tolist()
    is_text = isinstance(header, list) and all(str(word).isascii() for word in header)  # excludes invalid code points
    if not is_text or header[:1] != [_FORMAT]:
        raise TreeFileError("tree_file_foreign", path=path)
    if header[1:] != [str(_VERSION), kind]:
        other = " of ".join(map(str, header[1:]))
        raise TreeFileError("tree_file_version", path=path, found=other, version=_VERSION, kind=kind)
    return found


def check(path: Path, kind: str) -> None:
    """Check the kind of a file and that it can be written, without reading its large arrays.

    Raises:
        TreeFileError: the file is not of this kind or cannot be written.
    """
    check_place(path)
    load(path, kind, ("header",))


def _unpacked(path: Path, fields: Container[str] | None) -> dict[str, NDArray[Any]]:
    """Return arrays of an archive.

    Raises:
        ValueError: the archive is packed, or claims to be larger than its file.
    """
    size = path.stat().st_size
    with zipfile.ZipFile(path) as packed:
        entries = packed.infolist()
        if len({entry.filename for entry in entries}) < len(entries):
            raise ValueError("two fields of one name")
        if any(entry.compress_type != zipfile.ZIP_STORED for entry in entries):
            raise ValueError("packed: this program does not pack, and not every Python can unpack")
        if sum(entry.file_size for entry in entries) > min(size, _MAX_BYTES):
            raise ValueError("larger than it is: entries contain each other, or are not there")
        named = {entry.filename.removesuffix(".npy"): entry for entry in entries}
        return {name: _array(packed, entry) for name, entry in named.items() if fields is None or name in fields}


def _array(packed: zipfile.ZipFile, entry: zipfile.ZipInfo) -> NDArray[Any]:
    """Return an array. No memory is allocated unless its header fits its size."""
    with packed.open(entry) as data:
        if npy.read_magic(data) != (1, 0):
            raise ValueError("of another version")
        shape, _, dtype = npy.read_array_header_1_0(data)
        if data.tell() + math.prod(shape) * dtype.itemsize != entry.file_size:
            raise ValueError("an array of another size than its bytes")
        data.seek(0)
        array: NDArray[Any] = npy.read_array(data, allow_pickle=False)
        return array
