"""Files of compiled code, each with a digest of its content, so that a damaged file is never loaded."""

import functools
import hashlib
import logging
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from othello.errors import OutputError
from othello.writing import write_bytes

_log = logging.getLogger(__name__)

_DIGEST_BYTES: Final = hashlib.sha256().digest_size

files_in_use: Final[set[Path]] = set()
"""The files that this process has loaded or written."""


@functools.cache
def warn_unwritable(folder: Path, reason: str) -> None:
    """Log once that compiled code cannot be kept."""
    _log.warning("kernels are compiled anew at every start: cannot write to %s (%s)", folder, reason)


def with_digest(content: bytes) -> bytes:
    """Return the content of a file for this code."""
    return hashlib.sha256(content).digest() + content


def read_verified(file: Path) -> bytes | None:
    """Return the code in a file, or None if the file is damaged. OSError: the file cannot be read."""
    entry = file.read_bytes()
    return entry[_DIGEST_BYTES:] if _is_intact(entry) else None


def _is_intact(entry: bytes) -> bool:
    return hashlib.sha256(entry[_DIGEST_BYTES:]).digest() == entry[:_DIGEST_BYTES]


def files_below(folder: Path | None) -> dict[str, bytes]:
    """Return the files in use below a cache folder, by relative path, for another machine of this kind."""
    if folder is None:
        return {}
    with suppress(OSError):  # the user may have emptied the cache
        files = [file for file in files_in_use if file.is_relative_to(folder)]
        return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}
    return {}


def install_files(folder: Path | None, files: Mapping[str, bytes]) -> None:
    """Write files from a machine of this kind to the cache folder, without those that are damaged or exist already."""
    for name, content in files.items():
        file = None if folder is None or ".." in Path(name).parts else folder / name
        if file is not None and not file.exists() and file.parent.parent == folder and _is_intact(content):
            with suppress(OSError, OutputError):
                file.parent.mkdir(exist_ok=True)
                write_bytes(file, content)
