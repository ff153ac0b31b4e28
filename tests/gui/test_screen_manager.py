"""A tournament is set up, played, stopped and resumed from the game screen, driven by real events."""

import json
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from othello.config_file import load
from othello.gui.app.screen_manager import ScreenManager
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
from tests.gui.window_driver import COMPILE_TIMEOUT, EventDriver, OpenWindow, WindowDriver
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
    def tournament(self) -> TournamentScreen:
        assert isinstance(self.screen, TournamentScreen)
        return self.screen

    @property
    def games(self) -> int:
        assert self.scene.tournament_screen is not None
        return self.scene.tournament_screen.state.standings.games

    def set_up(self, *, rounds: int = 1, results: str | None = None) -> TournamentDialog:
        """Set up a tournament of two random players."""
        self.keys("Ctrl+Shift+T")
        self.press("player2.remove")
        self.use(("player0.player_type", "random"), ("player1.player_type", "random"))
        self.use(("format", "paired"), ("rounds", rounds), ("processes", 1))
        if results is not None:
            self.use(("results", results))
        return self.dialog(TournamentDialog)

    def until_end(self) -> None:
        self.until(lambda: self.tournament.state.end is not None)


@pytest.fixture
def driver(open_window: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ScreenManagerDriver]:
    monkeypatch.setenv("OTHELLO_DATA_DIR", str(tmp_path))
    driver = ScreenManagerDriver(open_window(PERSON, computer("first"), DESIGN_SIZE))
    yield driver
    driver.scene.close()


def test_the_number_of_games_and_the_expected_time_stand_beside_start(driver: ScreenManagerDriver) -> None:
    dialog = driver.set_up(rounds=50, results="")
    analysis = driver.scene.game_screen.session.analysis
    assert analysis is not None
    analysis.trials.clear()
    assert dialog.footer_note() == "100 games"
    spec = game_spec()
    for seconds, time_text in ((0.5, "50 min"), (0.0001, "10 s")):  # 100 games of 60 moves, one game at a time
        report = SearchReport("random", Move(19), None, (), Unit.REWARD, seconds=seconds)
        analysis.trials |= {(player, spec): report for player in dialog._settings.config().players}
        assert dialog.footer_note() == f"100 games · about {time_text}"
    assert dialog.update() is None


def test_a_tournament_is_set_up_played_and_analysed_on_the_game_screen(
    driver: ScreenManagerDriver, tmp_path: Path
) -> None:
    driver.set_up(results="cup")
    driver.keys("Enter")
    driver.until_end()
    assert driver.games == 2
    results = tmp_path / "tournaments" / "cup.jsonl"
    assert len(list(ResultsReader(results))) == 2
    assert load(results.with_name("cup.config.json")).game_type == "tournament"
    driver.keys("Ctrl+1")
    assert driver.screen is driver.scene.game_screen
    driver.keys("Ctrl+Shift+T")
    driver.press("board0")
    live = driver.tournament.state.watched
    assert live is not None
    driver.press("analyse")
    driver.until(lambda: driver.screen is driver.scene.game_screen)
    assert driver.scene.game_screen.session.game.moves == live.game.moves
    assert driver.screen.name == "Analyse"


class Compiling(Compiler):
    """A compiler that makes no progress, and none at all while it is paused."""

    is_busy = True
    is_paused = False

    @property
    def share(self) -> float | None:
        return None if self.is_paused else 0.429

    def set_paused(self, is_paused: bool) -> None:
        self.is_paused = is_paused


def test_the_progress_of_the_compiler_is_shown_and_a_tournament_pauses_it(driver: ScreenManagerDriver) -> None:
    compiler, game_screen = Compiling(), driver.scene.game_screen
    driver.scene = ScreenManager(game_screen, driver.searcher, PreferencesFile(), compiler=compiler)

    def shows_progress() -> bool:
        """Return whether the window shows it, but not to a screen reader, which would start again each second."""
        (status,) = driver.panels(Status)
        assert "Preparing" not in status.words
        return "Preparing other games" in status.background_status

    driver.until(shows_progress)
    driver.set_up()
    driver.keys("Enter")
    assert compiler.is_paused
    driver.until_end()
    driver.turn()
    assert not compiler.is_paused


def test_a_running_tournament_opens_dialogs_and_asks_before_it_stops_or_loses_games(
    driver: ScreenManagerDriver,
) -> None:
    driver.set_up(rounds=1000, results="")
    driver.press("start")
    for key, dialog in (
        ("Ctrl+,", SettingsDialog),
        ("Ctrl+F1", AboutDialog),
        ("Ctrl+Shift+T", TournamentDialog),
        ("F10", MenuDialog),
        ("F1", HelpDialog),
    ):
        driver.keys(key)
        assert isinstance(driver.tournament.dialog, dialog)
        driver.keys("Esc")
        assert driver.tournament.dialog is None
    driver.until(lambda: driver.games > 2)
    driver.keys("s")
    assert isinstance(driver.tournament.dialog, ConfirmDialog)
    driver.keys("Esc")
    assert driver.tournament.is_running
    driver.keys("s", "Enter")
    driver.until_end()
    played = driver.games
    driver.keys("Space")
    assert driver.tournament.is_running, "a stopped tournament continues"
    assert driver.games == played
    driver.keys("Ctrl+Q")
    assert isinstance(driver.tournament.dialog, ConfirmDialog), "the games are not saved"
    assert not driver.tournament.wants_to_quit
    driver.keys("Enter")
    assert not driver.tournament.wants_to_quit
    driver.until(lambda: driver.games > played)
    driver.keys("Ctrl+Q")
    driver.press("yes")
    assert driver.tournament.wants_to_quit


def test_a_game_that_cannot_be_saved_is_marked_and_not_lost_without_a_question(
    driver: ScreenManagerDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = driver.scene.game_screen
    with closing(StoreWriter(tmp_path / "games.sqlite")) as store_writer:
        screen.files.library = library = Library(store_writer)
        with monkeypatch.context() as patched:
            patched.setattr(StoreFile, "writing", full)
            driver.type("f5")
            driver.until(lambda: screen.dialog is not None)
            driver.keys("Esc")
            driver.until(lambda: screen.session.game.ply == 2)
            driver.until(lambda: driver.panels(Status)[0].words.startswith("Not saved: "))
            for key in ("Esc", "Enter"):
                driver.keys("Ctrl+Q")
                assert isinstance(screen.dialog, ConfirmDialog)
                driver.keys(key)
                assert screen.dialog is None
                assert not screen.wants_to_quit
        driver.keys("Ctrl+Q")  # saves the game first: there is room again
        assert screen.wants_to_quit
        assert library.notice is None
        assert len(library.games()) == 1


def test_a_stopped_tournament_continues_from_its_results_file(driver: ScreenManagerDriver, tmp_path: Path) -> None:
    driver.set_up(rounds=50, results="long")
    driver.press("start")
    driver.until(lambda: driver.games > 2)
    driver.keys("s", "Enter")
    driver.until_end()
    played = driver.games
    finished = tmp_path / "tournaments" / "short.csv"
    finished.write_text(",".join(COLUMNS) + "\n" + 100 * "a game\n")
    finished.with_name("short.config.json").write_bytes(finished.with_name("long.config.json").read_bytes())
    driver.keys("Ctrl+Shift+T")
    driver.use(("tab", "kept"))
    (row,) = driver.panels(MenuItem)
    assert f"{played} of 100 games" in row.right
    assert "Two games per pair" in row.right
    assert "Random 1 – Random 2" in row.label
    assert time.strftime("%Y-%m-%d") in row.label
    driver.press("kept:0")
    assert driver.tournament.is_running
    assert driver.games >= played
    driver.keys("Ctrl+Q")
    assert driver.tournament.wants_to_quit, "no question, because the results are saved"
    driver.until(lambda: driver.games == 100, COMPILE_TIMEOUT)
    driver.until_end()
    results = tmp_path / "tournaments" / "long.jsonl"
    assert len(list(ResultsReader(results))) == 100
    driver.keys("Ctrl+1")
    driver.drop(results)
    driver.until_end()
    assert driver.games == 100
    driver.drop(tmp_path / "strange.jsonl")
    assert isinstance(driver.screen.dialog, MessageDialog)


def test_a_config_file_is_chosen_by_name_and_keeps_its_other_keys(
    driver: ScreenManagerDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"players": [{"player_type": "user"}] * 2, "move_delay_seconds": 2}))
    monkeypatch.setattr("othello.gui.dialogs.saving.default_config", lambda: config)
    driver.set_up(rounds=3)
    driver.press("save")
    assert isinstance(driver.screen.dialog, ConfigDialog)
    driver.use(("name", "config"))
    driver.keys("Enter")
    assert load(config).game_type == "match", "Enter alone replaces nothing"
    driver.press("replace")
    saved = load(config)
    assert (saved.game_type, saved.game_repetitions, saved.move_delay_seconds) == ("tournament", 3, 2)
    assert [player.player_type for player in saved.players] == ["random", "random"]
    assert str(config) in driver.dialog(TournamentDialog).subtitle
