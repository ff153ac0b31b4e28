"""Opens and closes the window. Its contents are imported after it is open, because that takes longer."""

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
from othello.gui.app.startup import StartupGame, startup_game
from othello.gui.platform import desktop
from othello.gui.platform.log import write_log
from othello.gui.platform.window import open_window
from othello.gui.preferences import PreferencesFile, preferences_path
from othello.players import levels
from othello.players.compilation import compiler, configure_malloc
from othello.players.player_registry import configure, create_player
from othello.records.results import check_output
from othello.rules.protocol import GameSpec
from othello.rules.registry import game_spec
from othello.texts import tr

if TYPE_CHECKING:
    from othello.gui.app.loop import Workers
    from othello.gui.dialogs.dialog import Dialog
    from othello.play.worker import Ready, Worker
    from othello.tournament.experiment import Experiment

SWITCH_SECONDS: Final = 0.001  # thread switch interval: the window must not wait while the engine is compiled

_CLOSE_SECONDS: Final = 0.2
_LEVEL: Final = 3  # of the opponent in the game beside a tournament


def run(
    config: Config,
    path: Path,
    begin: Callable[[Experiment], None],
    end: Callable[[Experiment], None],
    *,
    is_named: bool,
    file: Path | None = None,
) -> None:
    """Open the window with the game of a config file, or with the user's last game; see `startup_game`.

    Args:
        config: the contents of the config file.
        path: the config file.
        begin: called for a tournament, as in `run_tournament`.
        end: called for a tournament, as in `run_tournament`.
        is_named: the command line says what to play.
        file: a game file to open.
    """
    write_log()
    desktop.ask()
    preferences = PreferencesFile(preferences_path())
    texts.use(preferences.value.language)
    texts.set_user(preferences.value.player_name)
    first = startup_game(config, path, preferences, is_named=is_named)
    wanted = _asked(first.config, preferences)
    if wanted is None:
        return
    first = first._replace(config=wanted, file=file, offers_left=not is_named)
    if first.config.game_type == "match":
        run_window(first, preferences)
    else:
        run_tournament(first, preferences, begin, end)


def _asked(config: Config, preferences: PreferencesFile) -> Config | None:
    """Ask what to do with a results file that holds games; return the changed config, or None to play nothing.

    Raises:
        DisplayError: no window can be opened.
        OutputError: the results file cannot be written.
    """
    try:
        if config.output_file is not None:
            check_output(config.output_file, config.existing_output)
        return config
    except OutputError as error:
        if error.reason.name != "taken":
            raise
    open_window(preferences.value.window)

    from othello.gui.screens.tournament.results_file_exists import ResultsFileExistsDialog

    question = ResultsFileExistsDialog(config)
    _show_dialog(question, config.game, preferences)
    return question.answer


def show_error(error: OthelloError) -> None:
    """Show why the program ends, until the user closes the window.

    Raises:
        DisplayError: no window can be opened.
    """
    preferences = PreferencesFile(preferences_path())
    texts.use(preferences.value.language)
    open_window(preferences.value.window)

    from othello.gui.dialogs.notices import MessageDialog

    _show_dialog(MessageDialog(tr("start.failed"), error.reason.sentence()), game_spec(), preferences)


def _show_dialog(dialog: Dialog, spec: GameSpec, preferences: PreferencesFile) -> None:
    """Show a dialog alone in the open window until it is closed."""
    from othello.gui.app.loop import run as show
    from othello.gui.screens.tournament.results_file_exists import StartupPromptScreen

    show(StartupPromptScreen(dialog, spec, preferences, pygame.display.get_window_size()), preferences)


def run_window(first: StartupGame, preferences: PreferencesFile) -> None:
    """Play a game in a window, until it is closed.

    A computer player that is being compiled, or that hangs, cannot be interrupted. If one still runs when the window is
    closed, the process exits at once, after all files are written and closed.

    Raises:
        DisplayError: no window can be opened.
        TreeFileError: the stored tree of a player cannot be read.
    """
    config, game = first.config, first.config.game
    # Players with stored trees are created, and read their trees, before the window opens.
    ready = {(player, game): create_player(player, game) for player in config.players if player.memory_files}
    open_window(preferences.value.window)
    compiler.begin([(player, game) for player in config.players if not player.is_user], game)
    sys.setswitchinterval(SWITCH_SECONDS)

    from othello.gui.app.loop import play

    with _start_workers(ready) as workers:
        play(first, workers, preferences)


def run_tournament(
    first: StartupGame,
    preferences: PreferencesFile,
    begin: Callable[[Experiment], None],
    end: Callable[[Experiment], None],
) -> None:
    """Play a tournament in a window until that is closed. Unfinished games are dropped then.

    Args:
        first: the tournament.
        preferences: the user's settings.
        begin: called when the window is open, before the first game.
        end: called when all files are written and the window is closed, also after an interrupt.

    Raises:
        DisplayError: no window can be opened.
        OutputError: the results file cannot be written.
        ResultsError: the results file is damaged, or of another experiment.
        TournamentError: games could not be played.
    """
    from othello.gui.screens.tournament.tournament_handle import TournamentHandle

    config = first.config
    with contextlib.closing(TournamentHandle(config)) as handle:  # before the window opens
        open_window(preferences.value.window)
        sys.setswitchinterval(SWITCH_SECONDS)
        begin(handle.tournament.experiment)

        from othello.gui.app.loop import play

        opponent = levels.opponent(_LEVEL, tr(f"levels.{_LEVEL}"))
        game = Config((configure("user"), opponent), game=config.game, move_delay_seconds=config.move_delay_seconds)
        with _start_workers() as workers:
            try:
                play(first._replace(config=game, words=""), workers, preferences, handle)
            finally:
                with _undisturbed():
                    pygame.display.quit()
                    handle.close()
                end(handle.tournament.experiment)
            if handle.tournament.error is not None:
                raise handle.tournament.error


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Ignore Ctrl-C for a block that must be completed."""
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


@contextlib.contextmanager
def _start_workers(ready: Ready | None = None) -> Iterator[Workers]:
    """Start the worker threads, and close them at the end."""
    from othello.gui.app.loop import Workers
    from othello.play.worker import Worker

    configure_malloc()
    analysing = partial(Worker, analyses=True)
    workers = Worker(ready=ready), analysing(), analysing(), Worker()
    try:
        yield Workers(*workers, compiler)
    except KeyboardInterrupt:
        _close(workers, status=130)
        raise
    _close(workers, status=0)


def _close(workers: Sequence[Worker], status: int) -> None:
    """Close the workers; exit the process if one of their players cannot be stopped."""
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
