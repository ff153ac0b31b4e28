"""The log file of the window."""

import logging
import sys
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final

import platformdirs

import othello

_log = logging.getLogger("othello")

_MAX_BYTES: Final = 500_000
_FORMAT: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def log_path() -> Path:
    """Return the path of the log file."""
    return platformdirs.user_log_path("othello", appauthor=False) / "othello.log"


def write_log() -> None:
    """Write log messages, and the error that ends the program, to the log file."""
    _log.addHandler(_LogFile(log_path()))
    _log.setLevel(logging.INFO)
    _log.info("version %s, Python %s, %s", othello.__version__, sys.version.split()[0], sys.platform)
    sys.excepthook = _tell_the_end


def _tell_the_end(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    _log.critical("the program ends here", exc_info=(kind, error, trace))
    sys.__excepthook__(kind, error, trace)


class _LogFile(logging.FileHandler):
    """A log file that is created by its first message, and renamed when it is full.

    Messages are lost if the file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, encoding="utf-8", delay=True)
        self.setFormatter(logging.Formatter(_FORMAT))

    def emit(self, record: logging.LogRecord) -> None:
        path = Path(self.baseFilename)
        with suppress(OSError):
            if path.exists() and not path.is_file():
                return  # a pipe would block
            path.parent.mkdir(parents=True, exist_ok=True)
            super().emit(record)
            if path.stat().st_size > _MAX_BYTES:
                self.close()
                path.replace(path.with_suffix(".old.log"))

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 (name of the base class)
        """Ignore errors such as a full disk."""
