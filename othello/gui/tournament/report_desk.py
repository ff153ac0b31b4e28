"""The report about a tournament, written and opened by a process of its own: drawing plots would hold the window up."""

from __future__ import annotations

import multiprocessing
import os
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import TypeAlias

from othello.errors import OthelloError, Reason
from othello.texts import say
from othello.tournament.processes import hear_no_interrupts, without_interrupts
from othello.tournament.report import write_report

Write: TypeAlias = Callable[[list[Path], Path], object]
Browse: TypeAlias = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class _Told:
    """What the process has to say: the name of a text, and what is to be put into it."""

    text: str
    detail: str | Reason = ""
    failed: bool = False


class ReportDesk:
    """Writes one report at a time.

    Attributes:
        message: how far it is, or what went wrong; empty before the first report.
        failed: whether something went wrong.
    """

    def __init__(self, results: Path, write: Write = write_report, browse: Browse = webbrowser.open) -> None:
        """Write nothing yet.

        Args:
            results: the results file.
            write: writes the page, a function that other processes can import.
            browse: shows it, another one.
        """
        self.message = ""
        self.failed = False
        self._results = results
        self._functions = (write, browse)
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None

    @property
    def is_busy(self) -> bool:
        return self._process is not None

    def open(self) -> None:
        """Begin to write the report of all games so far, to be shown in the browser."""
        if self.is_busy:
            return
        if find_spec("matplotlib") is None:
            self.failed, self.message = True, say("report.needs")
            return
        self.failed, self.message = False, say("report.writing")
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe(duplex=False)
        folder = self._results.with_name(f"{self._results.stem}-report")  # beside the results
        arguments = (theirs, self._results, folder, *self._functions)
        self._process = context.Process(target=_work, args=arguments, name="othello-report", daemon=True)
        with without_interrupts():
            self._process.start()
        theirs.close()

    def update(self) -> None:
        """Hear what the process has to say."""
        while self._connection is not None and self._connection.poll():
            try:
                told: _Told = self._connection.recv()
                self.failed, self.message = told.failed, _words(told)
            except EOFError:  # it has ended
                if self.message == say("report.writing"):
                    self.failed, self.message = True, say("report.broken")
                self.close()

    def forget(self) -> None:
        """There is something newer to tell than what became of the last report."""
        if not self.is_busy:
            self.message, self.failed = "", False

    def close(self) -> None:
        """Give up what is still being written."""
        if self._process is not None and self._connection is not None:
            self._process.kill()
            self._process.join()
            self._connection.close()
        self._process = self._connection = None


def _words(told: _Told) -> str:
    detail = str(told.detail) if isinstance(told.detail, Reason) else told.detail
    return say(f"report.told.{told.text}", detail=detail)


def _work(connection: Connection, results: Path, folder: Path, write: Write, browse: Browse) -> None:
    """What the process does."""
    hear_no_interrupts()
    try:
        write([results], folder)
    except OthelloError as error:
        connection.send(_Told("none", error.reason, failed=True))
        return
    page = folder / "report.html"
    connection.send(_Told("written", str(page)))
    with Path(os.devnull).open("w") as nowhere:  # what browsers say to a terminal is no news
        for stream in (1, 2):
            os.dup2(nowhere.fileno(), stream)
    if not browse(page.resolve().as_uri()):
        connection.send(_Told("no_browser", str(page)))
