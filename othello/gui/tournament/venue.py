"""A tournament with all that it takes to show it: its games, its results file, who writes reports, its rooms."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from othello.config import Config, ExistingOutput
from othello.gui.commands import Point
from othello.gui.preferences import PreferencesFile
from othello.gui.tournament.contest import Contest
from othello.gui.tournament.hall import Hall
from othello.gui.tournament.report_desk import ReportDesk
from othello.play.thinking import Searcher
from othello.records.results import check_output
from othello.tournament.report import write_report
from othello.tournament.watched import WatchedTournament


class Venue:
    """One tournament, from its setting up to its end.

    Attributes:
        tournament: its games.
        is_kept: whether its results are there when the window is closed.
    """

    def __init__(self, config: Config) -> None:
        """Read what was played before; nothing is played yet.

        Raises:
            FileError: the results file cannot be read.
            OutputError: it cannot be written.
            ResultsError: it is damaged, or of another experiment.
        """
        self.is_kept = config.output_file is not None
        with contextlib.ExitStack() as stack:
            self._results = stack.enter_context(_results_file(config))
            self.tournament = WatchedTournament(replace(config, output_file=self._results))
            stack.callback(self._close_tournament)
            write = partial(write_report, compare=config.tournament.compare)
            self._desk = stack.enter_context(contextlib.closing(ReportDesk(self._results, write)))
            self._stack = stack.pop_all()

    def go_on(self) -> None:
        """Get ready to play what a stopped tournament has left.

        Raises:
            OthelloError: the results file cannot be gone on with.
        """
        self.tournament.close()
        before = self.tournament.experiment
        config = replace(before.config, seed=before.seed, existing_output=ExistingOutput.RESUME)
        self.tournament = WatchedTournament(config)

    def begin(self, searcher: Searcher, size: Point, now: float, preferences: PreferencesFile | None = None) -> Contest:
        """Begin to play, and show it in a window of that size; a person's opponents think in the searcher."""
        hall = Hall(self.tournament, self._desk, size, now, preferences, is_kept=self.is_kept)
        return Contest(hall, searcher)

    def _close_tournament(self) -> None:
        self.tournament.close()

    def close(self) -> None:
        """Stop, and wait until everything is written and every process has ended. Closing twice is fine."""
        self._stack.close()


@contextlib.contextmanager
def _results_file(config: Config) -> Iterator[Path]:
    """The config's results file, or one that is gone afterwards: reports are made from a file."""
    if config.output_file is not None:
        check_output(config.output_file, config.existing_output)  # before anything appears
        yield config.output_file
        return
    folder = Path(tempfile.mkdtemp(prefix="othello-"))
    try:
        yield folder / "games.jsonl"
    finally:
        if not any(folder.glob("*-report")):  # a report that was opened may still be read
            shutil.rmtree(folder, ignore_errors=True)
