"""A tournament in the window: its files, from before the window opens until the end."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from othello.config import Config, ExistingOutput
from othello.files import write_text
from othello.gui.dialogs.tournament_setup import config_path_of, keep_rounds
from othello.gui.screens.tournament.standings_text import ReportWriter
from othello.gui.screens.tournament.unfinished import UnfinishedGame
from othello.records.results import check_output
from othello.tournament.background import BackgroundTournament
from othello.tournament.experiment import count_games, fingerprint
from othello.tournament.tournament_report import write_report


class TournamentHandle:
    """A tournament from its start to its end, with its results file, unfinished game and report.

    If the config names a results file, the results remain when the window is closed.
    """

    def __init__(self, config: Config, document: str = "") -> None:
        """Read the games that were played before; start nothing.

        Args:
            config: the tournament.
            document: the text of a config file to be written beside the results; empty: none.

        Raises:
            FileError: the results file cannot be read.
            OutputError: the results file or the config file cannot be written.
            ResultsError: the results file is damaged, or of another experiment.
        """
        self.is_kept = config.output_file is not None
        with contextlib.ExitStack() as stack:
            self._results = stack.enter_context(_results_file(config))
            self._config_file: Path | None = None  # written beside the results
            stack.callback(self._drop_config)
            self.unfinished = stack.enter_context(contextlib.closing(UnfinishedGame(self._results)))
            if config.existing_output is ExistingOutput.OVERWRITE:
                self.unfinished.drop()
            elif config.seed is None and not (self._results.exists() and count_games(self._results)):
                config = replace(config, seed=self.unfinished.seed(fingerprint(config)))
            self.tournament = BackgroundTournament(replace(config, output_file=self._results))
            stack.callback(lambda: self.tournament.close())  # noqa: PLW0108 (resume replaces the tournament)
            if document:
                self._config_file = config_path_of(self._results)
                write_text(self._config_file, document)
            write = partial(write_report, compare=config.tournament.compare, overwrite=True)
            self.report_writer = stack.enter_context(contextlib.closing(ReportWriter(self._results, write)))
            self._stack = stack.pop_all()

    def resume(self, rounds: int) -> None:
        """Prepare to play the remaining games of a stopped tournament, and `rounds` more rounds.

        Raises:
            OthelloError: the results file cannot be continued.
        """
        before = self.tournament.experiment
        self.tournament.close()
        config = replace(before.config, seed=before.seed, existing_output=ExistingOutput.RESUME)
        config = replace(config, game_repetitions=config.game_repetitions + rounds)
        self.tournament = BackgroundTournament(config)
        if rounds:
            keep_rounds(self._results, config.game_repetitions)

    def _drop_config(self) -> None:
        """Remove the config file if no game was played."""
        if self._config_file is not None and not (self._results.exists() or self.unfinished.exists):
            with contextlib.suppress(OSError):
                self._config_file.unlink()

    def close(self) -> None:
        """Stop the tournament, and wait until all files are written and all processes have ended. Idempotent."""
        self._stack.close()


@contextlib.contextmanager
def _results_file(config: Config) -> Iterator[Path]:
    """Yield the config's results file, or a temporary one: reports need a file."""
    if config.output_file is not None:
        check_output(config.output_file, config.existing_output)  # before the window opens
        yield config.output_file
        return
    folder = Path(tempfile.mkdtemp(prefix="othello-"))
    try:
        yield folder / "games.jsonl"
    finally:
        if not any(folder.glob("*-report")):  # the user may still read a report
            shutil.rmtree(folder, ignore_errors=True)
