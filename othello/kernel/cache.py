"""Files of compiled code, with a digest of their content that detects damaged files."""

import functools
import hashlib
import logging
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from othello.errors import OutputError
from othello.files import write_bytes

_log = logging.getLogger(__name__)

DIGEST_BYTES: Final = hashlib.sha256().digest_size

# The files that this process has loaded or written.
files_in_use: Final[set[Path]] = set()


@functools.cache
def warn_unwritable(folder: Path, reason: str) -> None:
    """Log once that compiled code cannot be stored."""
    _log.warning("kernels are compiled anew at every start: cannot write to %s (%s)", folder, reason)


def with_digest(content: bytes) -> bytes:
    """Return the content of a file that holds this code."""
    return hashlib.sha256(content).digest() + content


def is_intact(entry: bytes) -> bool:
    """Return whether the content of a file is what `with_digest` made."""
    return with_digest(entry[DIGEST_BYTES:]) == entry


def files_below(folder: Path) -> dict[str, bytes]:
    """Return the content of the files in use below a cache folder, by relative path."""
    with suppress(OSError):  # the user may have emptied the cache
        files = [file for file in files_in_use if file.is_relative_to(folder)]
        return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}
    return {}


def install_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files that a machine of the same kind has compiled. Damaged and existing files are skipped."""
    for name, content in files.items():
        file = folder / name
        is_inside = file.parent.parent == folder and ".." not in file.parts
        if is_inside and not file.exists() and is_intact(content):
            with suppress(OSError, OutputError):
                file.parent.mkdir(exist_ok=True)
                write_bytes(file, content)
