"""A tournament in the window: its files, its screen, and the screen of the user's games."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from othello.config import Config, ExistingOutput
from othello.game import AnyGame, GameTree
from othello.gui import commands as gui
from othello.gui import ui
from othello.gui.dialogs.tournament_setup import config_path_of, keep_rounds
from othello.gui.modes.mode import Registry
from othello.gui.preferences import PreferencesFile
from othello.gui.screen import Screen, ScreenGroup, earliest
from othello.gui.screens.game_screen import GameScreen
from othello.gui.screens.tournament import standings_text
from othello.gui.screens.tournament.standings_text import ReportWriter
from othello.gui.screens.tournament.tournament_screen import TournamentScreen
from othello.gui.screens.tournament.unfinished import UnfinishedGame
from othello.play.session import Session
from othello.play.worker import Worker
from othello.records.record import GameRecord
from othello.records.results import check_output
from othello.tournament.background import BackgroundTournament
from othello.tournament.experiment import count_games, fingerprint
from othello.tournament.report import write_report
from othello.writing import write_text


class TournamentHandle:
    """A tournament from its start to its end, with its results file, unfinished game and report.

    The results are kept when the window is closed if the config names a results file.
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
            self._unfinished = stack.enter_context(contextlib.closing(UnfinishedGame(self._results)))
            if config.existing_output is ExistingOutput.OVERWRITE:
                self._unfinished.drop()
            elif config.seed is None and not (self._results.exists() and count_games(self._results)):
                config = replace(config, seed=self._unfinished.seed(fingerprint(config)))
            self.tournament = BackgroundTournament(replace(config, output_file=self._results))
            stack.callback(self._close_tournament)
            if document:
                self._config_file = config_path_of(self._results)
                write_text(self._config_file, document)
            write = partial(write_report, compare=config.tournament.compare, overwrite=True)
            self._desk = stack.enter_context(contextlib.closing(ReportWriter(self._results, write)))
            self._stack = stack.pop_all()

    def resume(self, rounds: int = 0) -> None:
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

    def begin(
        self,
        worker: Worker,
        size: ui.Point,
        now: float,
        registry: Registry,
        preferences: PreferencesFile | None = None,
    ) -> TournamentController:
        """Start the tournament in a window of a size; the user's opponents search in `worker`."""
        hall = TournamentScreen(self.tournament, self._desk, size, now, preferences, is_kept=self.is_kept)
        return TournamentController(hall, worker, self._unfinished, registry)

    def _drop_config(self) -> None:
        """Remove the config file if no game was played."""
        if self._config_file is not None and not (self._results.exists() or self._unfinished.exists):
            with contextlib.suppress(OSError):
                self._config_file.unlink()

    def _close_tournament(self) -> None:
        self.tournament.close()  # another one than at first if it was resumed

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


class TournamentController(ScreenGroup):
    """The tournament screen, and the game screen of the user's games, whose opponents search in `worker`."""

    def __init__(self, hall: TournamentScreen, worker: Worker, unfinished: UnfinishedGame, registry: Registry) -> None:
        self.hall = hall
        self.table: GameScreen | None = None  # the user's current or last game
        self._worker, self._unfinished, self._registry = worker, unfinished, registry
        self._is_in_hall = False
        if hall.following.has_person:
            config = hall.tournament.experiment.config
            worker.prepare((player for player in config.players if not player.is_user), config.game)

    @property
    def session(self) -> Session | None:
        """The user's game; None between two games."""
        return None if self.table is None else self.table.session

    @property
    def active(self) -> Screen:
        return self.hall if self.table is None or self._is_in_hall else self.table

    @property
    def members(self) -> Sequence[Screen]:
        return [self.hall] if self.table is None else [self.hall, self.table]

    @property
    def _is_playing(self) -> bool:
        """True if the tournament waits for the end of the user's game."""
        return self.session is not None and not self.session.referee.is_over

    @property
    def _under_way(self) -> AnyGame | None:
        """The user's unfinished game, also that of an earlier run; None if no game has begun."""
        if self.session is not None and self._is_playing:
            return self.session.game
        invitation = self.hall.following.invitation
        left = None if invitation is None else self._unfinished.begin(invitation.job, invitation.start)
        return left.game if isinstance(left, GameTree) else None

    # Commands.

    @gui.handles(gui.PlainCommand.SHOW_STANDINGS)
    def _show_hall(self, command: gui.PlainCommand, now: float) -> None:
        self._is_in_hall = True
        self.hall.redraw()

    @gui.handles(gui.PlainCommand.BEGIN_GAME)
    def _begin(self, command: gui.PlainCommand, now: float) -> gui.Answer:
        """Show the user's running game, or start the next one."""
        hall = self.hall
        if self.active_screen is not hall:
            return gui.NOT_HANDLED
        self._is_in_hall = False
        invitation, config = hall.following.invitation, hall.tournament.experiment.config
        if self.table is not None and self._is_playing:
            self.table.redraw()
        elif invitation is not None:

            def finish(record: GameRecord) -> None:
                hall.following.invitation = None
                hall.tournament.answer(record)

            job = invitation.job
            own = Config(job.players, seed=job.seed, move_delay_seconds=config.move_delay_seconds)
            start = self._unfinished.begin(job, invitation.start)
            session = Session(own, self._worker, now, finish, start=start, job=job)
            occasion = standings_text.occasion(invitation, config, hall.following.standings)
            self.table = GameScreen(session, hall.window.size, now, self._registry, occasion, hall.preferences)
        return None

    # Time.

    def update(self, now: float) -> None:
        if self.table is not None:
            self.table.update(now)
            self._unfinished.keep(self.table.session.history)
            if self.table.session.is_left or (not self.hall.goes_on and self._is_playing):
                self.table = None
                self._worker.cancel()
                self.hall.redraw()
        self.hall.under_way = self._under_way
        if self.active_screen is self.hall or not self._is_playing:
            self.hall.update(now)
        if self.hall.is_complete:
            self._unfinished.drop()

    def next_wake(self, now: float) -> float | None:
        updated = [
            each for each in self.members if each is not self.hall or each is self.active_screen or not self._is_playing
        ]
        return earliest(*(each.next_wake(now) for each in updated))
