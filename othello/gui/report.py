"""The report about a tournament, written and opened beside the window."""

from __future__ import annotations

import logging
import threading
import webbrowser
from importlib.util import find_spec
from pathlib import Path

from othello.errors import OthelloError
from othello.tournament.report import write_report

_log = logging.getLogger(__name__)


class ReportDesk:
    """Writes one report at a time, in a thread of its own.

    Attributes:
        message: how far it is, or what went wrong; empty before the first report.
        failed: whether something went wrong.
        has_written: whether there has been a report.
    """

    def __init__(self, results: Path) -> None:
        self._results = results
        self._thread: threading.Thread | None = None
        self.message = ""
        self.failed = False
        self.has_written = False

    @property
    def folder(self) -> Path:
        """Where the report goes: beside the results."""
        return self._results.with_name(f"{self._results.stem}-report")

    @property
    def is_busy(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def open(self) -> None:
        """Begin to write the report of all games so far, to be shown in the browser."""
        if self.is_busy:
            return
        if find_spec("matplotlib") is None:
            self.failed, self.message = True, "A report needs: python -m pip install 'othello-lab[report]'"
            return
        self.failed, self.message = False, "Writing the report…"
        self._thread = threading.Thread(target=self._write, name="report", daemon=True)
        self._thread.start()

    def _write(self) -> None:
        try:
            write_report([self._results], self.folder)
        except OthelloError as error:
            _log.exception("the report could not be written")
            self.failed, self.message = True, str(error)
            return
        self.has_written = True
        page = self.folder / "report.html"
        opened = webbrowser.open(page.resolve().as_uri())
        self.message = f"The report is in {page}" + ("." if opened else "; no browser could be opened.")
