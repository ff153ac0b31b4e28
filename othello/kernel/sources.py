"""The source files of kernels. Compiled code is valid only for their exact content."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from hashlib import _Hash

_PACKAGE: Final = Path(__file__).parents[1]


def kernel_sources() -> list[Path]:
    """Return all files that kernels are compiled from."""
    folders = (_PACKAGE / folder for folder in ("engine", "kernel", "rules", "search"))
    return [_PACKAGE / "bench.py", *(source for folder in folders for source in sorted(folder.rglob("*.py")))]


def digest_of_sources() -> _Hash:
    """Return a SHA-256 object that has hashed all kernel sources; the caller may hash more."""
    digest = hashlib.sha256()
    for source in kernel_sources():
        digest.update(source.relative_to(_PACKAGE).as_posix().encode())
        digest.update(source.read_bytes())
    return digest
