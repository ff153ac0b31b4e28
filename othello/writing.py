"""Files that the program writes for a person: whole or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from othello.errors import OutputError, reason_of


def write_text(path: Path, text: str) -> None:
    """Write a text as a file; see `write_bytes`."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file; where that fails, the one that was there stays as it was.

    Raises:
        OutputError: it cannot be written.
    """
    path = path.resolve()  # a link stays one
    draft: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        draft = Path(name)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
        draft.replace(path)
    except OSError as error:
        if draft is not None:
            with suppress(OSError):
                draft.unlink()
        raise OutputError(
            "{path}: cannot be written: {reason}", "unwritable", path=path, reason=reason_of(error)
        ) from None


def set_aside(path: Path) -> str:
    """Give a damaged file another name, so that nothing in it is lost; what it is called now."""
    aside = path.with_name(f"{path.stem}.damaged{path.suffix}")
    with suppress(OSError):
        path.replace(aside)
    return str(aside)
