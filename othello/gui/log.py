"""The file in the user's state folder that tells what went wrong."""

import logging
import sys
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final

import platformdirs

import othello

_log = logging.getLogger("othello")

_MOST_BYTES: Final = 500_000
_FORMAT: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def log_path() -> Path:
    """Where it lies."""
    return platformdirs.user_log_path("othello", appauthor=False) / "othello.log"


def write_log() -> None:
    """Send there from now on what the program says of its troubles, and the error that ends it."""
    _log.addHandler(_LogFile(log_path()))
    _log.setLevel(logging.INFO)
    _log.info("version %s, Python %s, %s", othello.__version__, sys.version.split()[0], sys.platform)
    sys.excepthook = _tell_the_end


def _tell_the_end(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    _log.critical("the program ends here", exc_info=(kind, error, trace))
    sys.__excepthook__(kind, error, trace)


class _LogFile(logging.FileHandler):
    """A file that begins with what is first written to it. When full it becomes the old one, and another begins.

    Where nothing can be written, nothing is, and the program goes on all the same.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, encoding="utf-8", delay=True)
        self.setFormatter(logging.Formatter(_FORMAT))

    def emit(self, record: logging.LogRecord) -> None:
        path = Path(self.baseFilename)
        with suppress(OSError):
            if path.exists() and not path.is_file():
                return  # a pipe would wait for a reader
            path.parent.mkdir(parents=True, exist_ok=True)
            super().emit(record)
            if path.stat().st_size > _MOST_BYTES:
                self.close()
                path.replace(path.with_suffix(".old.log"))

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 (the library's name)
        """The disk is full, for one; there is nobody to tell."""
