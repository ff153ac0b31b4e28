"""A tournament is set up, played, stopped and resumed from the game screen, driven by real events."""

import json
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pygame
import pytest

from othello.config_file import load
from othello.gui.app.screen_manager import ScreenManager
from othello.gui.dialogs.dialog import Dialog
from othello.gui.dialogs.help import HelpDialog
from othello.gui.dialogs.notices import AboutDialog, ConfirmDialog, MenuDialog, MessageDialog
from othello.gui.dialogs.saving import ConfigDialog
from othello.gui.dialogs.settings import SettingsDialog
from othello.gui.dialogs.tournament_setup import TournamentDialog
from othello.gui.platform.window import DESIGN_SIZE
from othello.gui.preferences import PreferencesFile
from othello.gui.screens.tournament.tournament_screen import TournamentScreen
from othello.gui.toolkit.controls import MenuItem
from othello.gui.widgets.board_widget import Status
from othello.players.compilation import Compiler
from othello.records.record import COLUMNS
from othello.records.results import ResultsReader
from othello.rules.protocol import Move
from othello.rules.registry import game_spec
from othello.search.report import SearchReport, Unit
from othello.store.store_file import StoreFile
from othello.study.library import Library
from othello.study.store_writer import StoreWriter
from tests.gui.window_driver import EventDriver, OpenWindow, WindowDriver
from tests.play.fake_players import PERSON, computer
from tests.play.test_library import full


class ScreenManagerDriver(EventDriver):
    """A person in the window of a game, from which a tournament can be set up."""

    scene: ScreenManager

    def __init__(self, driver: WindowDriver) -> None:
        self.searcher = driver.analyst
        self.scene = ScreenManager(driver.scene, self.searcher, PreferencesFile())
        self.wake = None

    @property
    def standings(self) -> TournamentScreen:
        assert isinstance(self.scene.active_screen, TournamentScreen)
        return self.scene.active_screen

    @property
    def games(self) -> int:
        assert self.scene.tournament_screen is not None
        return self.scene.tournament_screen.state.standings.games


@pytest.fixture
def driver(open_window: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ScreenManagerDriver]:
    monkeypatch.setenv("OTHELLO_DATA_DIR", str(tmp_path))
    driver = ScreenManagerDriver(open_window(PERSON, computer("first"), DESIGN_SIZE))
    yield driver
    driver.scene.close()


def test_the_number_of_games_and_the_expected_time_stand_beside_start(driver: ScreenManagerDriver) -> None:
    set_up(driver, rounds=50, results="")
    dialog = driver.dialog(TournamentDialog)
    analysis = driver.scene.game_screen.session.analysis
    assert analysis is not None
    analysis.trials.clear()
    assert dialog.footer_note() == "100 games"
    spec = game_spec()
    for seconds, told in ((0.5, "50 min"), (0.0001, "10 s")):  # 100 games of 60 moves, one game at a time
        report = SearchReport("random", Move(19), None, (), Unit.REWARD, seconds=seconds)
        analysis.trials |= {(player, spec): report for player in dialog._settings.config().players}
        assert dialog.footer_note() == f"100 games · about {told}"
    assert dialog.update() is None


def set_up(driver: ScreenManagerDriver, *, rounds: int = 1, results: str | None = None) -> None:
    """Two random players, one game at a time."""
    driver.keys("Ctrl+T")
    dialog = driver.dialog(TournamentDialog)
    driver.press("player2.remove")
    for name, value in (("player0.player_type", "random"), ("player1.player_type", "random")):
        dialog.on_control_changed(name, value)
    for name, amount in (("format", "paired"), ("rounds", rounds), ("processes", 1)):
        dialog.on_control_changed(name, amount)
    if results is not None:
        driver.use(("results", results))


def test_a_tournament_is_set_up_played_and_left_for_the_board(driver: ScreenManagerDriver, tmp_path: Path) -> None:
    set_up(driver, results="cup")
    driver.keys("Enter")
    driver.until(lambda: driver.standings.state.end is not None)
    assert driver.games == 2
    results = tmp_path / "tournaments" / "cup.jsonl"
    assert len(list(ResultsReader(results))) == 2
    assert load(results.with_name("cup.config.json")).game_type == "tournament"
    driver.keys("Ctrl+1")
    assert driver.scene.active_screen is driver.scene.game_screen
    driver.keys("Ctrl+T")
    assert driver.scene.active_screen is not driver.scene.game_screen


class Compiling(Compiler):
    """It is always as far, unless it is held."""

    is_busy = True
    is_paused = False

    @property
    def share(self) -> float | None:
        return None if self.is_paused else 0.429

    def set_paused(self, is_paused: bool) -> None:
        self.is_paused = is_paused


def test_how_much_is_compiled_is_written_and_not_said_and_a_tournament_comes_first(driver: ScreenManagerDriver) -> None:
    compiler, table = Compiling(), driver.scene.game_screen
    driver.scene = ScreenManager(table, driver.searcher, PreferencesFile(), compiler=compiler)

    def is_told() -> bool:
        """Return whether the window says it; a screen reader must not start again each second."""
        (status,) = (each.widget for each in table.widgets.walk() if isinstance(each.widget, Status))
        assert "Preparing" not in status.words
        return "Preparing other games" in status.background_status

    driver.until(is_told)
    set_up(driver)
    driver.keys("Enter")
    assert compiler.is_paused
    driver.until(lambda: driver.standings.state.end is not None)
    driver.turn()
    assert not compiler.is_paused


def test_a_game_of_a_tournament_is_analysed_on_the_board(driver: ScreenManagerDriver) -> None:
    set_up(driver, results="")
    driver.keys("Enter")
    driver.until(lambda: driver.standings.state.end is not None)
    driver.press("board0")
    live = driver.standings.state.watched
    assert live is not None
    driver.press("analyse")
    driver.until(lambda: driver.scene.active_screen is driver.scene.game_screen)
    assert driver.scene.game_screen.session.game.moves == live.game.moves
    assert driver.scene.active_screen.name == "Analyse"


def test_it_is_stopped_when_asked_twice_and_goes_on(driver: ScreenManagerDriver) -> None:
    set_up(driver, rounds=50, results="")
    driver.press("start")
    driver.until(lambda: driver.games > 2)
    driver.keys("s")
    assert isinstance(driver.standings.dialog, ConfirmDialog)
    driver.keys("Esc")
    assert driver.standings.is_running
    driver.keys("s", "Enter")
    driver.until(lambda: driver.standings.state.end is not None)
    played = driver.games
    driver.keys("Space")
    assert driver.standings.is_running
    assert driver.games == played
    driver.until(lambda: driver.games == 100)


@pytest.mark.parametrize(
    ("key", "mod", "dialog"),
    [
        (pygame.K_COMMA, pygame.KMOD_CTRL, SettingsDialog),
        (pygame.K_F1, pygame.KMOD_CTRL, AboutDialog),
        (pygame.K_t, pygame.KMOD_CTRL, TournamentDialog),
        (pygame.K_F10, 0, MenuDialog),
        (pygame.K_F1, 0, HelpDialog),
    ],
)
def test_what_is_for_every_room_opens_in_the_hall(
    driver: ScreenManagerDriver, key: int, mod: int, dialog: type[Dialog]
) -> None:
    set_up(driver, results="")
    driver.press("start")
    driver.key(key, mod=mod)
    assert isinstance(driver.standings.dialog, dialog)
    driver.keys("Esc")
    assert driver.standings.dialog is None


def test_games_that_nobody_keeps_are_not_lost_unasked(driver: ScreenManagerDriver) -> None:
    set_up(driver, rounds=100, results="")
    driver.press("start")
    driver.until(lambda: driver.games > 0)
    driver.keys("Ctrl+Q")
    assert isinstance(driver.standings.dialog, ConfirmDialog)
    assert not driver.standings.wants_to_quit
    driver.keys("Enter")
    assert not driver.standings.wants_to_quit
    driver.keys("Ctrl+Q")
    driver.press("yes")
    assert driver.standings.wants_to_quit


def test_a_game_that_cannot_be_saved_is_marked_and_not_lost_unasked(
    driver: ScreenManagerDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def status() -> str:
        return next(each.widget.words for each in table.widgets.walk() if isinstance(each.widget, Status))

    def quit_window() -> None:
        driver.keys("Ctrl+Q")

    table = driver.scene.game_screen
    with closing(StoreWriter(tmp_path / "games.sqlite")) as store_writer:
        table.files.library = library = Library(store_writer)
        with monkeypatch.context() as patched:
            patched.setattr(StoreFile, "writing", full)
            driver.type("f5")
            driver.until(lambda: table.dialog is not None)
            driver.keys("Esc")
            driver.until(lambda: table.session.game.ply == 2 and status().startswith("Not saved: "))
            for key in (pygame.K_ESCAPE, pygame.K_RETURN):
                quit_window()
                assert isinstance(table.dialog, ConfirmDialog)
                driver.key(key)
                assert table.dialog is None
                assert not table.wants_to_quit
        quit_window()  # which saves the game first: there is room now
        assert table.wants_to_quit
        assert library.notice is None
        assert len(library.games()) == 1


def test_a_results_file_is_gone_on_with(driver: ScreenManagerDriver, tmp_path: Path) -> None:
    set_up(driver, rounds=50, results="long")
    driver.press("start")
    driver.until(lambda: driver.games > 2)
    driver.keys("s", "Enter")
    driver.until(lambda: driver.standings.state.end is not None)
    played = driver.games
    finished = tmp_path / "tournaments" / "short.csv"
    finished.write_text(",".join(COLUMNS) + "\n" + 100 * "a game\n")
    finished.with_name("short.config.json").write_bytes(finished.with_name("long.config.json").read_bytes())
    driver.keys("Ctrl+T")
    driver.press("tab")  # its middle
    dialog = driver.standings.dialog
    assert dialog is not None
    driver.use(("tab", "kept"))
    (row,) = (each.widget for each in driver.standings.widgets.walk() if isinstance(each.widget, MenuItem))
    assert f"{played} of 100 games" in row.right
    assert "Two games per pair" in row.right
    assert "Random 1 – Random 2" in row.label
    assert time.strftime("%Y-%m-%d") in row.label
    driver.press("kept:0")
    assert driver.standings.is_running
    assert driver.games >= played
    driver.until(lambda: driver.games == 100 and driver.standings.state.end is not None)
    results = tmp_path / "tournaments" / "long.jsonl"
    assert len(list(ResultsReader(results))) == 100
    driver.keys("Ctrl+1")
    pygame.event.post(pygame.event.Event(pygame.DROPFILE, file=str(results)))
    driver.turn()
    driver.until(lambda: driver.standings.state.end is not None)
    assert driver.games == 100
    pygame.event.post(pygame.event.Event(pygame.DROPFILE, file=str(tmp_path / "strange.jsonl")))
    driver.turn()
    assert isinstance(driver.scene.active_screen.dialog, MessageDialog)


def test_a_config_file_is_chosen_by_name_and_keeps_its_other_keys(
    driver: ScreenManagerDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"players": [{"player_type": "user"}] * 2, "move_delay_seconds": 2}))
    monkeypatch.setattr("othello.gui.dialogs.saving.default_config", lambda: config)
    set_up(driver, rounds=3)
    driver.press("save")
    assert isinstance(driver.scene.active_screen.dialog, ConfigDialog)
    driver.scene.active_screen.dialog.on_control_changed("name", "config")
    driver.turn()
    driver.keys("Enter")
    assert load(config).game_type == "match", "Enter alone replaces nothing"
    driver.press("replace")
    saved = load(config)
    assert (saved.game_type, saved.game_repetitions, saved.move_delay_seconds) == ("tournament", 3, 2)
    assert [player.player_type for player in saved.players] == ["random", "random"]
    assert isinstance(driver.scene.active_screen.dialog, TournamentDialog)
    assert str(config) in driver.scene.active_screen.dialog.subtitle
