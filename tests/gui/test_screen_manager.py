"""A tournament is set up, played, stopped and resumed from the game screen, driven by real events."""

import json
import time
from collections.abc import Callable, Iterator
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
from tests.gui.window_driver import EventDriver, WindowDriver
from tests.play.fake_players import PERSON, computer
from tests.play.test_library import full


class ScreenManagerDriver(EventDriver):
    """A person in the window of a game, from which a tournament can be set up."""

    scene: ScreenManager

    def __init__(self, driver: WindowDriver) -> None:
        self._desk = driver
        self.searcher = driver.analyst
        self.scene = ScreenManager(driver.scene, self.searcher, PreferencesFile())
        self.wake = None

    def press(self, control: str) -> None:
        """Return a click on a control of the dialog that is open."""
        stage = self.scene.active_screen.widgets
        stage.reveal(control)
        self.click(stage.place_of(control).center)

    @property
    def hall(self) -> TournamentScreen:
        assert isinstance(self.scene.active_screen, TournamentScreen)
        return self.scene.active_screen

    @property
    def games(self) -> int:
        assert self.scene.tournament_screen is not None
        return self.scene.tournament_screen.state.standings.games


@pytest.fixture
def house(
    open_window: Callable[..., WindowDriver], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[ScreenManagerDriver]:
    monkeypatch.setenv("OTHELLO_DATA_DIR", str(tmp_path))
    house = ScreenManagerDriver(open_window(PERSON, computer("first"), DESIGN_SIZE))
    yield house
    house.scene.close()


def test_the_number_of_games_and_the_expected_time_stand_beside_start(house: ScreenManagerDriver) -> None:
    set_up(house, rounds=50, results="")
    dialog = house.scene.active_screen.dialog
    assert isinstance(dialog, TournamentDialog)
    analysis = house.scene.game_screen.session.analysis
    assert analysis is not None
    analysis.trials.clear()
    assert dialog.footer_note() == "100 games"
    spec = game_spec()
    for seconds, told in ((0.5, "50 min"), (0.0001, "10 s")):  # 100 games of 60 moves, one game at a time
        report = SearchReport("random", Move(19), None, (), Unit.REWARD, seconds=seconds)
        analysis.trials |= {(player, spec): report for player in dialog._settings.config().players}
        assert dialog.footer_note() == f"100 games · about {told}"
    assert dialog.update() is None


def set_up(house: ScreenManagerDriver, *, rounds: int = 1, results: str | None = None) -> None:
    """Two random players, one game at a time."""
    house.key(pygame.K_t, mod=pygame.KMOD_CTRL)
    dialog = house.scene.active_screen.dialog
    assert isinstance(dialog, TournamentDialog)
    house.press("player2.remove")
    for name, value in (("player0.player_type", "random"), ("player1.player_type", "random")):
        dialog.on_control_changed(name, value)
    for name, amount in (("format", "paired"), ("rounds", rounds), ("processes", 1)):
        dialog.on_control_changed(name, amount)
    if results is not None:
        dialog.on_control_changed("results", results)
    house.turn()


def ask_to_stop(house: ScreenManagerDriver, *, rounds: int, results: str = "") -> None:
    """Start a tournament, and press the key that asks whether to stop the tournament."""
    set_up(house, rounds=rounds, results=results)
    house.press("start")
    house.until(lambda: house.games > 2)
    house.key(pygame.K_s, "s")
    assert isinstance(house.hall.dialog, ConfirmDialog)


def test_a_tournament_is_set_up_played_and_left_for_the_board(house: ScreenManagerDriver, tmp_path: Path) -> None:
    set_up(house, results="cup")
    house.key(pygame.K_RETURN)
    house.until(lambda: house.hall.state.end is not None)
    assert house.games == 2
    results = tmp_path / "tournaments" / "cup.jsonl"
    assert len(list(ResultsReader(results))) == 2
    assert load(results.with_name("cup.config.json")).game_type == "tournament"
    house.key(pygame.K_1, "1", pygame.KMOD_CTRL)
    assert house.scene.active_screen is house.scene.game_screen
    house.key(pygame.K_t, mod=pygame.KMOD_CTRL)
    assert house.scene.active_screen is not house.scene.game_screen


class Compiling(Compiler):
    """It is always as far, unless it is held."""

    is_busy = True
    is_paused = False

    @property
    def share(self) -> float | None:
        return None if self.is_paused else 0.429

    def set_paused(self, is_paused: bool) -> None:
        self.is_paused = is_paused


def test_how_much_is_compiled_is_written_and_not_said_and_a_tournament_comes_first(house: ScreenManagerDriver) -> None:
    compiler, table = Compiling(), house.scene.game_screen
    house.scene = ScreenManager(table, house.searcher, PreferencesFile(), compiler=compiler)

    def is_told() -> bool:
        """Return whether the window says it; a screen reader must not start again each second."""
        (status,) = (each.widget for each in table.widgets.walk() if isinstance(each.widget, Status))
        assert "Preparing" not in status.words
        return "Preparing other games" in status.background_status

    house.until(is_told)
    set_up(house)
    house.key(pygame.K_RETURN)
    assert compiler.is_paused
    house.until(lambda: house.hall.state.end is not None)
    house.turn()
    assert not compiler.is_paused


def test_a_game_of_a_tournament_is_analysed_on_the_board(house: ScreenManagerDriver) -> None:
    set_up(house, results="")
    house.key(pygame.K_RETURN)
    house.until(lambda: house.hall.state.end is not None)
    house.press("board0")
    live = house.hall.state.watched
    assert live is not None
    house.press("analyse")
    house.until(lambda: house.scene.active_screen is house.scene.game_screen)
    assert house.scene.game_screen.session.game.moves == live.game.moves
    assert house.scene.active_screen.name == "Analyse"


def test_it_is_stopped_when_asked_twice_and_goes_on(house: ScreenManagerDriver) -> None:
    ask_to_stop(house, rounds=50)
    house.key(pygame.K_ESCAPE)
    assert house.hall.is_running
    house.key(pygame.K_s, "s")
    house.key(pygame.K_RETURN)
    house.until(lambda: house.hall.state.end is not None)
    played = house.games
    house.key(pygame.K_SPACE, " ")
    assert house.hall.is_running
    assert house.games == played
    house.until(lambda: house.games == 100)


def test_nobody_is_asked_to_stop_what_is_over(house: ScreenManagerDriver) -> None:
    ask_to_stop(house, rounds=20)
    house.until(lambda: house.hall.state.end is not None)
    assert house.hall.dialog is None


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
    house: ScreenManagerDriver, key: int, mod: int, dialog: type[Dialog]
) -> None:
    set_up(house, results="")
    house.press("start")
    house.key(key, mod=mod)
    assert isinstance(house.hall.dialog, dialog)
    house.key(pygame.K_ESCAPE)
    assert house.hall.dialog is None


def test_games_that_nobody_keeps_are_not_lost_unasked(house: ScreenManagerDriver) -> None:
    set_up(house, rounds=100, results="")
    house.press("start")
    house.until(lambda: house.games > 0)
    house.key(pygame.K_q, mod=pygame.KMOD_CTRL)
    assert isinstance(house.hall.dialog, ConfirmDialog)
    assert not house.hall.wants_to_quit
    house.key(pygame.K_RETURN)
    assert not house.hall.wants_to_quit
    house.key(pygame.K_q, mod=pygame.KMOD_CTRL)
    house.press("yes")
    assert house.hall.wants_to_quit


def test_a_game_that_cannot_be_saved_is_marked_and_not_lost_unasked(
    house: ScreenManagerDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def status() -> str:
        return next(each.widget.words for each in table.widgets.walk() if isinstance(each.widget, Status))

    def quit_window() -> None:
        house.key(pygame.K_q, mod=pygame.KMOD_CTRL)

    table = house.scene.game_screen
    with closing(StoreWriter(tmp_path / "games.sqlite")) as store_writer:
        table.files.library = library = Library(store_writer)
        with monkeypatch.context() as patched:
            patched.setattr(StoreFile, "writing", full)
            for letter in "f5":
                house.key(ord(letter), letter)
            house.until(lambda: table.dialog is not None)
            house.key(pygame.K_ESCAPE)
            house.until(lambda: table.session.game.ply == 2 and status().startswith("Not saved: "))
            for key in (pygame.K_ESCAPE, pygame.K_RETURN):
                quit_window()
                assert isinstance(table.dialog, ConfirmDialog)
                house.key(key)
                assert table.dialog is None
                assert not table.wants_to_quit
        quit_window()  # which saves the game first: there is room now
        assert table.wants_to_quit
        assert library.notice is None
        assert len(library.games()) == 1


def test_a_results_file_is_gone_on_with(house: ScreenManagerDriver, tmp_path: Path) -> None:
    ask_to_stop(house, rounds=50, results="long")
    house.key(pygame.K_RETURN)
    house.until(lambda: house.hall.state.end is not None)
    played = house.games
    finished = tmp_path / "tournaments" / "short.csv"
    finished.write_text(",".join(COLUMNS) + "\n" + 100 * "a game\n")
    finished.with_name("short.config.json").write_bytes(finished.with_name("long.config.json").read_bytes())
    house.key(pygame.K_t, mod=pygame.KMOD_CTRL)
    house.press("tab")  # its middle
    dialog = house.hall.dialog
    assert dialog is not None
    dialog.on_control_changed("tab", "kept")
    house.turn()
    (row,) = (each.widget for each in house.hall.widgets.walk() if isinstance(each.widget, MenuItem))
    assert f"{played} of 100 games" in row.right
    assert "Two games per pair" in row.right
    assert "Random 1 – Random 2" in row.label
    assert time.strftime("%Y-%m-%d") in row.label
    house.press("kept:0")
    assert house.hall.is_running
    assert house.games >= played
    house.until(lambda: house.games == 100 and house.hall.state.end is not None)
    results = tmp_path / "tournaments" / "long.jsonl"
    assert len(list(ResultsReader(results))) == 100
    house.key(pygame.K_1, "1", pygame.KMOD_CTRL)
    pygame.event.post(pygame.event.Event(pygame.DROPFILE, file=str(results)))
    house.turn()
    house.until(lambda: house.hall.state.end is not None)
    assert house.games == 100
    pygame.event.post(pygame.event.Event(pygame.DROPFILE, file=str(tmp_path / "strange.jsonl")))
    house.turn()
    assert isinstance(house.scene.active_screen.dialog, MessageDialog)


def test_a_config_file_is_chosen_by_name_and_keeps_its_other_keys(
    house: ScreenManagerDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"players": [{"player_type": "user"}] * 2, "move_delay_seconds": 2}))
    monkeypatch.setattr("othello.gui.dialogs.saving.default_config", lambda: config)
    set_up(house, rounds=3)
    house.press("save")
    assert isinstance(house.scene.active_screen.dialog, ConfigDialog)
    house.scene.active_screen.dialog.on_control_changed("name", "config")
    house.turn()
    house.key(pygame.K_RETURN)
    assert load(config).game_type == "match", "Enter alone replaces nothing"
    house.press("replace")
    saved = load(config)
    assert (saved.game_type, saved.game_repetitions, saved.move_delay_seconds) == ("tournament", 3, 2)
    assert [player.player_type for player in saved.players] == ["random", "random"]
    assert isinstance(house.scene.active_screen.dialog, TournamentDialog)
    assert str(config) in house.scene.active_screen.dialog.subtitle
