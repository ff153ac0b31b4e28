"""How the window is opened and closed. What fills it is imported behind it: that takes longer than opening it."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pygame

from othello import texts
from othello.config import Config
from othello.errors import OthelloError, OutputError
from othello.gui import desktop
from othello.gui.log import write_log
from othello.gui.preferences import PreferencesFile, preferences_path
from othello.gui.usual import Beginning, beginning
from othello.gui.window import open_window
from othello.players import levels
from othello.players.compiling import compiler, keep_little
from othello.players.registry import configure, create_player
from othello.records.results import check_output
from othello.rules.registry import game_spec
from othello.texts import say

if TYPE_CHECKING:
    from othello.gui.loop import Staff
    from othello.play.worker import Ready, Worker
    from othello.tournament.experiment import Experiment

SWITCH_SECONDS: Final = 0.001
"""So often the interpreter's lock changes hands: the window must not wait while the engine is compiled."""

_CLOSE_SECONDS: Final = 0.2
_LEVEL: Final = 3  # of the opponent beside a tournament


def run(
    config: Config,
    path: Path,
    begin: Callable[[Experiment], None],
    end: Callable[[Experiment], None],
    *,
    is_named: bool,
    file: Path | None = None,
) -> None:
    """Open the window with what a config file says, or with the person's last choice; see `beginning`.

    Args:
        config: what the file says.
        path: the file.
        begin: called where that is a tournament; see `run_tournament`.
        end: likewise.
        is_named: whether the command line says what to play.
        file: of a game that is opened at once, None where nobody has named one.
    """
    write_log()
    desktop.ask()
    preferences = PreferencesFile(preferences_path())
    texts.use(preferences.value.language)
    texts.set_person(preferences.value.player_name)
    first = beginning(config, path, preferences, is_named=is_named)
    wanted = _asked(first.config, preferences)
    if wanted is None:
        return
    first = first._replace(config=wanted)
    if first.config.game_type == "match":
        run_window(first, preferences, file, offers_left=not is_named)
    else:
        run_tournament(first.config, preferences, begin, end, file, offers_left=not is_named)


def _asked(config: Config, preferences: PreferencesFile) -> Config | None:
    """The config with what a person wants of a results file that holds games; None: nothing is to be played.

    Raises:
        DisplayError: no window can be opened.
        OutputError: the results file cannot be written, whatever a person wants.
    """
    try:
        if config.output_file is not None:
            check_output(config.output_file, config.existing_output)
        return config
    except OutputError as error:
        if error.reason.name != "taken":
            raise
    open_window(preferences.value.window)

    from othello.gui.loop import run as show
    from othello.gui.tournament.taken import Doorway, TakenDialog

    question = TakenDialog(config)
    show(Doorway(question, config.game, preferences, pygame.display.get_window_size()), preferences)
    return question.answer


def show_error(error: OthelloError) -> None:
    """Show why the program ends, until the user closes the window.

    Raises:
        DisplayError: no window can be opened.
    """
    preferences = PreferencesFile(preferences_path())
    texts.use(preferences.value.language)
    open_window(preferences.value.window)

    from othello.gui.dialogs.notices import Notice
    from othello.gui.loop import run as show
    from othello.gui.tournament.taken import Doorway

    notice = Notice(say("start.failed"), error.reason.sentence())
    show(Doorway(notice, game_spec(), preferences, pygame.display.get_window_size()), preferences)


def run_window(
    first: Beginning, preferences: PreferencesFile, file: Path | None = None, *, offers_left: bool = True
) -> None:
    """Play a game in a window, until it is closed.

    A computer player that is being compiled, or that hangs, cannot be interrupted. Where one still runs when the
    window is closed, the process ends here and now, with everything written and closed, rather than waiting for it.

    Raises:
        DisplayError: no window can be opened.
        TreeFileError: what a player is to remember cannot be read.
    """
    config = first.config
    ready = _ready(config)
    compiler.begin([(player, config.game) for player in config.players if not player.is_user], config.game)
    open_window(preferences.value.window)
    sys.setswitchinterval(SWITCH_SECONDS)

    from othello.gui.loop import play

    with _staff(ready) as staff:
        play(config, staff, preferences, words=first.words, file=file, offers_left=offers_left)


def _ready(config: Config) -> Ready:
    """The players that remember something: their files are read before anything appears."""
    game = config.game
    return {(player, game): create_player(player, game) for player in config.players if player.memory_files}


def run_tournament(
    config: Config,
    preferences: PreferencesFile,
    begin: Callable[[Experiment], None],
    end: Callable[[Experiment], None],
    file: Path | None = None,
    *,
    offers_left: bool = True,
) -> None:
    """Play a config's tournament, and show it in a window until that is closed. Games under way are dropped then.

    Args:
        config: what is played; a person plays in the same window.
        preferences: how the person wants the window.
        begin: called when the window is there, before the first game.
        end: called when everything is written and the window is gone, also when that was interrupted.
        file: of a game that is opened first, None where nobody has named one.
        offers_left: as `loop.play` has it.

    Raises:
        DisplayError: no window can be opened.
        OutputError: the results file cannot be written.
        ResultsError: the results file is damaged, or of another experiment.
        TournamentError: games could not be played.
    """
    from othello.gui.tournament.contest import Venue

    with contextlib.closing(Venue(config)) as venue:  # before anything appears
        open_window(preferences.value.window)
        sys.setswitchinterval(SWITCH_SECONDS)
        begin(venue.tournament.experiment)

        from othello.gui.loop import play

        with _staff() as staff:
            try:
                play(_game_beside(config), staff, preferences, venue, file=file, offers_left=offers_left)
            finally:
                with _undisturbed():
                    pygame.display.quit()
                    venue.close()
                end(venue.tournament.experiment)
            if venue.tournament.error is not None:
                raise venue.tournament.error


def _game_beside(config: Config) -> Config:
    """The game that a person may play while a tournament goes on."""
    opponent = levels.opponent(_LEVEL, say(f"levels.{_LEVEL}"))
    return Config((configure("user"), opponent), game=config.game, move_delay_seconds=config.move_delay_seconds)


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Leave unheard that somebody presses Ctrl-C twice: what is done here takes a moment, and must be done."""
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


@contextlib.contextmanager
def _staff(ready: Ready | None = None) -> Iterator[Staff]:
    """What computers think in, closed at the end."""
    from othello.gui.loop import Staff
    from othello.play.worker import Worker

    keep_little()
    analysing = partial(Worker, analyses=True)
    workers = Worker(ready=ready), analysing(), analysing(), Worker()
    try:
        yield Staff(*workers, compiler)
    except KeyboardInterrupt:
        _close(workers, status=130)
        raise
    _close(workers, status=0)


def _close(workers: Sequence[Worker], status: int) -> None:
    """Close workers, and with them the process where one of their players cannot be stopped."""
    pygame.display.quit()
    compiler.end()
    for worker in workers:
        worker.cancel()
    end = time.monotonic() + _CLOSE_SECONDS
    if not all(worker.close(max(0.0, end - time.monotonic())) for worker in workers):
        logging.shutdown()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
