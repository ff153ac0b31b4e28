"""The start of the program, the event loop after errors, and tournaments that are set up in the window."""

import json
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from dataclasses import replace
from itertools import chain, repeat
from pathlib import Path
from typing import Any, TypeAlias
from unittest.mock import DEFAULT, Mock, create_autospec

import pygame
import pytest

from othello import texts
from othello.config import Config, ExistingOutput
from othello.config_file import load
from othello.errors import ConfigError, DisplayError
from othello.gui import commands as gui
from othello.gui.app import app, loop
from othello.gui.app.screen_manager import ScreenManager
from othello.gui.app.startup import StartupGame, startup_game
from othello.gui.dialogs.help import HelpDialog
from othello.gui.dialogs.notices import AboutDialog, ConfirmDialog, MenuDialog, MessageDialog
from othello.gui.dialogs.saving import ConfigDialog
from othello.gui.dialogs.settings import SettingsDialog
from othello.gui.dialogs.tournament_setup import TournamentDialog, proposed_settings
from othello.gui.modes.play.play_mode import PlayMode
from othello.gui.modes.train.train import TrainMode
from othello.gui.platform import window
from othello.gui.platform.window import DESIGN_SIZE
from othello.gui.preferences import PreferencesFile
from othello.gui.screens.tournament.results_file_exists import ResultsFileExistsDialog, StartupPromptScreen
from othello.gui.screens.tournament.tournament_screen import TournamentScreen
from othello.gui.toolkit.controls import MenuItem
from othello.gui.widgets.board_widget import Status
from othello.play.session_commands import Annotate, PlayMove, TogglePause
from othello.play.worker import Worker
from othello.players.compilation import Compiler, compiler
from othello.records.record import COLUMNS
from othello.records.results import ResultsReader
from othello.rules.protocol import Move
from othello.rules.registry import game_spec
from othello.search.report import SearchReport, Unit
from othello.store.database import STORE_NAME, Store
from othello.store.store_file import StoreFile
from othello.study.library import Library
from othello.study.store_writer import StoreWriter
from othello.tournament.executor import SerialExecutor
from othello.tournament.experiment import Experiment
from tests.golden.dialogues import assert_answers
from tests.gui.mistakes import mode_of
from tests.gui.tournament_driver import config_for
from tests.gui.window_driver import COMPILE_TIMEOUT, EventDriver, OpenWindow, WindowDriver
from tests.play.fake_players import PERSON, computer, make_player
from tests.play.test_library import full, settle

Question: TypeAlias = tuple[ResultsFileExistsDialog, EventDriver]
LAST = {"game": "tictactoe", "players": [{"player_type": "user"}, {"player_type": "random"}]}


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "config.json"
    write(path, "mcts_uct")
    return path


def write(path: Path, *opponents: str, **more: object) -> None:
    players = [{"player_type": kind} for kind in ("user", *opponents)]
    path.write_text(json.dumps({"players": players, **more}), encoding="utf-8")


def start(config: Path, *, is_named: bool = False) -> tuple[StartupGame, PreferencesFile]:
    preferences = PreferencesFile(config.with_name("settings.json"))
    return startup_game(load(config), config, preferences, is_named=is_named), preferences


def opponent(first: StartupGame) -> str:
    return first.config.players[1].player_type


@pytest.mark.parametrize(
    ("last", "edited", "is_named", "player", "words"),
    [
        ({"players": [3]}, "", False, "mcts_uct", ""),
        ({"game": "chess"}, "", False, "mcts_uct", ""),
        ({**LAST, "game_type": "tournament", "x": 1}, "", False, "mcts_uct", ""),
        (LAST, "", False, "random", "Same players as last time."),
        (LAST, "heuristic", False, "heuristic", "Players from config.json."),
        (LAST, "", True, "mcts_uct", "Players from config.json."),
    ],
)
def test_valid_last_players_come_before_a_config_file_that_is_neither_edited_nor_named(
    config: Path, last: dict[str, object], edited: str, is_named: bool, player: str, words: str
) -> None:
    first, preferences = start(config)
    assert (opponent(first), first.words) == ("mcts_uct", "")
    preferences.change(usual=last)
    if edited:
        write(config, edited)
    decided, _ = start(config, is_named=is_named)
    assert (opponent(decided), decided.words) == (player, words)
    assert opponent(start(config)[0]) == ("random" if is_named else player)


def test_the_last_players_come_before_a_tournament_of_the_config_file(config: Path) -> None:
    write(config, "random", game_type="tournament", move_delay_seconds=3)
    first, preferences = start(config)
    assert first.config.game_type == "tournament"
    preferences.change(usual=LAST)
    second, _ = start(config)
    assert (second.config.game_type, second.config.game.game) == ("match", "tictactoe")
    assert (second.config.move_delay_seconds, second.words) == (3, "Same players as last time.")


def test_a_last_player_with_a_damaged_tree_is_not_chosen(config: Path) -> None:
    tree = {"player_type": "mcts_uct", "mcts_tree_file": str(config.with_name("tree.npz"))}
    config.with_name("tree.npz").write_text("no tree")
    start(config)[1].change(usual={"players": [tree, {"player_type": "user"}]})
    assert start(config)[0].words == ""


def test_a_level_has_its_name_in_the_language_of_the_window(config: Path) -> None:
    level = {"player_type": "engine", "level": 3, "name": "Casual"}
    start(config)[1].change(usual={"players": [{"player_type": "user"}, level]})
    texts.use("pl")
    assert start(config)[0].config.players[1].name == texts.tr("levels.3") != "Casual"


def test_the_source_of_the_players_is_shown_until_the_first_move(driver: WindowDriver) -> None:
    driver.scene.view_state.introduce("Players from config.json.", driver.session)
    driver.settle()
    assert driver.status == "Black to move. Numbers: how many discs each move captures. Players from config.json."
    driver.type("f5")
    driver.settle()
    assert "config.json" not in driver.status


@pytest.mark.parametrize("is_named", [False, True])
@pytest.mark.parametrize("game_type", ["match", "tournament"])
def test_a_named_config_file_starts_without_a_question(
    is_named: bool, game_type: str, config: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[object] = []
    monkeypatch.setenv("OTHELLO_CONFIG_DIR", str(tmp_path / "settings"))
    monkeypatch.setattr(app, "open_window", lambda *_: None)
    monkeypatch.setattr(app, "_start_workers", lambda *_: nullcontext())
    monkeypatch.setattr(compiler, "begin", lambda *_: None)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(loop, "play", lambda first, *_: asked.append(first.offers_left))
    write(config, "random", game_type=game_type)
    app.run(load(config), config, lambda _: None, lambda _: asked.extend(tmp_path.glob("othello-*")), is_named=is_named)
    assert asked == [not is_named], "the files of a tournament are removed before it is reported"


@pytest.mark.parametrize("name", ["", "game.txt"])
def test_the_window_opens_a_file_or_an_unfinished_game_and_stores_what_changes(
    config: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    seen, prepared, surface = list[object](), set[str](), pygame.display.set_mode(DESIGN_SIZE)

    def run(screens: ScreenManager, preferences: PreferencesFile) -> None:
        screen, session = screens.game_screen, screens.game_screen.session
        seen.extend((session.game.ply, screen.view_state.introduced(session), any(surface.get_at((9, 9))[:3])))
        screens.show_game()
        session.do(PlayMove(session.game.legal_moves()[0]), 0.0)
        screen.update(0.0)  # stores the move
        session.do(Annotate("a note"), 0.0)

    monkeypatch.setenv("OTHELLO_DATA_DIR", str(config.parent))
    monkeypatch.setattr(loop, "gc", collector := Mock())
    monkeypatch.setattr(Worker, "prepare", lambda _, new, *__: prepared.update(each.player_type for each in new))
    monkeypatch.setattr(loop, "run", run)
    monkeypatch.setattr(Library, "begin", lambda _: seen.append("begin"))
    config.with_name("game.txt").write_text("f5d6", encoding="utf-8")
    player, analyst, judge, opponent = threads = [Worker(make_player) for _ in range(4)]
    workers = loop.Workers(player, analyst, judge, opponent, create_autospec(Compiler, instance=True))
    first, preferences = start(config, is_named=True)
    loop.play(first._replace(file=config.with_name(name) if name else None), workers, preferences)
    assert [worker.close(10.0) for worker in threads] == [True] * 4
    assert (seen, prepared) == ([2, "", True] if name else ["begin", 0, first.words, True], {"mcts_uct"})
    known = PreferencesFile(preferences.path).value.window
    assert (known["size"], [name for name, *_ in collector.mock_calls]) == ([*DESIGN_SIZE], ["freeze", "set_threshold"])
    with Store(config.with_name(STORE_NAME)) as store:
        (tree,) = (store.own.read(listed.number)[0].tree for listed in store.own.listed())
    assert (tree.game.ply, tree.known(tree.game).note) == (3 if name else 1, "a note")


def shown(prompt: StartupPromptScreen) -> EventDriver:
    """Show a question before the window opens."""
    driver = EventDriver()
    driver.scene = prompt
    driver.turn()
    return driver


@pytest.fixture(params=["match", "tournament"])
def experiment(request: pytest.FixtureRequest, tmp_path: Path) -> Config:
    """Return the config of an experiment with one game in its results file."""
    config = replace(config_for(tmp_path, 2), game_type=request.param)
    experiment = Experiment(config)
    games = experiment.play(SerialExecutor())
    next(games)
    games.close()
    experiment.close()
    return config


@pytest.fixture
def question(experiment: Config, driver: WindowDriver) -> Question:
    """Ask what to do with the results file."""
    dialog = ResultsFileExistsDialog(experiment)
    return dialog, shown(StartupPromptScreen(dialog, game_spec(), PreferencesFile(), driver.scene.window.size))


@pytest.mark.parametrize(
    ("button", "name", "existing"),
    [
        ("add", "games.jsonl", ExistingOutput.RESUME),
        ("replace", "games.jsonl", ExistingOutput.OVERWRITE),
        ("rename", "games-2.jsonl", ExistingOutput.REFUSE),
        ("cancel", "", ExistingOutput.REFUSE),
    ],
)
def test_a_button_decides_about_an_existing_results_file(
    experiment: Config, question: Question, button: str, name: str, existing: ExistingOutput
) -> None:
    assert experiment.output_file is not None
    before = experiment.output_file.read_bytes()
    dialog, driver = question
    driver.press(button)
    output = experiment.output_file.with_name(name or "none")
    assert dialog.answer == (replace(experiment, output_file=output, existing_output=existing) if name else None)
    assert (driver.screen.wants_to_quit, experiment.output_file.read_bytes()) == (True, before), "no file has changed"
    assert not experiment.output_file.with_name("games-2.jsonl").exists()


def test_games_are_not_added_to_a_file_of_another_kind(experiment: Config, question: Question) -> None:
    assert experiment.output_file is not None
    experiment.output_file.write_text('{"x": 1}\n')
    dialog, driver = question
    driver.press("add")
    assert (driver.screen.wants_to_quit, dialog.answer, driver.shows_words("line 1")) == (False, None, True)
    driver.press("replace")
    assert dialog.answer is not None


def test_an_error_at_the_start_is_shown_until_it_is_closed(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words: list[str] = []

    def show(prompt: StartupPromptScreen, _preferences: PreferencesFile) -> None:
        driver = shown(prompt)
        words.extend(driver.words())
        driver.press("understood")
        assert prompt.wants_to_quit

    monkeypatch.setattr(loop, "run", show)
    monkeypatch.setattr(app, "preferences_path", lambda: config.with_name("settings.json"))
    start(config)[1].change(language="pl")
    app.show_error(ConfigError("in_file", path=Path("config.json"), reason="nothing is right"))
    assert {texts.tr("start.failed"), "config.json: nothing is right."} <= set(words) - {"Othello cannot start"}


def failing(method: Callable[..., Any], times: int) -> Mock:
    error = RuntimeError("the disk is made of cheese")
    return Mock(wraps=method, side_effect=chain([error] * times, repeat(DEFAULT)))


@pytest.fixture
def playing(driver: WindowDriver, tmp_path: Path) -> Iterator[WindowDriver]:
    with closing(StoreWriter(tmp_path / "games.sqlite")) as store_writer:
        driver.scene.files.library = Library(store_writer)
        driver.type("f5d6")
        yield driver
        driver.scene.files.library = None


def saved(playing: WindowDriver) -> list[str]:
    library = playing.scene.files.library
    assert library is not None
    settle(library.store_writer)
    (listed,) = library.games()
    game = library.game(listed.number)[0].tree.game
    return [game.text_of(move) for move in game.moves]


def press_f10() -> None:
    for kind in (pygame.KEYDOWN, pygame.KEYUP):
        pygame.event.post(pygame.event.Event(kind, key=pygame.K_F10, unicode="", mod=0))


@pytest.mark.parametrize("name", ["update", "draw", "do", "next_wake"])
@pytest.mark.parametrize("times", [1, 2])
def test_the_window_continues_after_an_error(
    playing: WindowDriver, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, name: str, times: int
) -> None:
    seen: list[object] = []
    recover = playing.scene.recover

    def watch(title: str, reason: str, now: float) -> None:
        recover(title, reason, now)
        seen.append(playing.scene.dialog)
        pygame.event.post(pygame.event.Event(pygame.QUIT))

    playing.keys("Ctrl+5")
    mode_of(playing, TrainMode)
    monkeypatch.setattr(playing.scene, "recover", watch)
    monkeypatch.setattr(playing.scene, name, failing(getattr(playing.scene, name), times))
    press_f10()
    with caplog.at_level(logging.ERROR):
        loop.run(playing.scene)
    assert {type(dialog) for dialog in seen} == {MessageDialog}
    mode_of(playing, PlayMode)
    assert not playing.session.pace.paused
    assert "the disk is made of cheese" in caplog.text
    assert saved(playing) == ["f5", "d6"]


def test_a_repeated_error_closes_the_window(playing: WindowDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing.scene, "draw", draw := failing(playing.scene.draw, 1000))
    press_f10()
    with pytest.raises(DisplayError, match="the disk is made of cheese"):
        loop.run(playing.scene)
    assert draw.call_count == 4
    assert saved(playing) == ["f5", "d6"]


def test_the_loop_draws_nothing_while_nothing_changes_and_what_follows_from_an_event_before_it_sleeps(
    playing: WindowDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    playing.session.do(TogglePause(), time.monotonic())  # a person's clock would tick
    playing.settle()
    drawn: list[object] = []
    monkeypatch.setattr(pygame.display, "update", drawn.append)
    assert [loop.turn(playing.scene, time.monotonic() + 0.005) for _ in range(20)] == [None] * 20
    assert drawn == []
    monkeypatch.setattr(playing.scene, "follow", lambda _: playing.scene.issue(gui.Open("about")))
    assert loop.turn(playing.scene, 0.0) is not None
    for name, waits in (("x11", True), ("dummy", False)):
        monkeypatch.setattr(pygame.display, "get_driver", lambda name=name: name)
        assert (loop._sleep.__wrapped__() is not None) is waits, "only some of SDL's drivers wait for events"


class ScreenManagerDriver(EventDriver):
    """A person in the window of a game, from which a tournament can be set up."""

    scene: ScreenManager

    def __init__(self, driver: WindowDriver) -> None:
        self.searcher = driver.analyst
        self.scene = ScreenManager(driver.scene, self.searcher, PreferencesFile())

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
def manager(open_window: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ScreenManagerDriver]:
    monkeypatch.setenv("OTHELLO_DATA_DIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    manager = ScreenManagerDriver(open_window(PERSON, computer("first"), DESIGN_SIZE))
    yield manager
    manager.scene.close()
    assert [*tmp_path.glob("othello-*")] == [], "temporary results are removed"


def test_the_number_of_games_and_the_expected_time_stand_beside_start(manager: ScreenManagerDriver) -> None:
    dialog = manager.set_up(rounds=50, results="")
    analysis = manager.scene.game_screen.session.analysis
    assert analysis is not None
    assert analysis._trial is not None, "the speed of a player is measured"
    analysis.trials.clear()
    assert dialog.footer_note() == "100 games"
    for seconds, time_text in ((0.5, "50 min"), (0.0001, "10 s")):  # 100 games of 60 moves, one game at a time
        report = SearchReport("random", Move(19), None, (), Unit.REWARD, seconds=seconds)
        analysis.trials |= {(player, game_spec()): report for player in dialog._settings.config().players}
        assert (dialog.footer_note(), dialog.update()) == (f"100 games · about {time_text}", None)


def test_a_tournament_is_set_up_played_and_then_analysed(manager: ScreenManagerDriver, tmp_path: Path) -> None:
    manager.set_up(results="cup")
    manager.keys("Enter")
    manager.until_end()
    assert manager.games == 2
    results = tmp_path / "tournaments" / "cup.jsonl"
    assert len(list(ResultsReader(results))) == 2
    assert load(results.with_name("cup.config.json")).game_type == "tournament"
    surface = pygame.display.get_surface()
    assert surface is not None
    for key, screen in 2 * (("Ctrl+1", manager.scene.game_screen), ("Ctrl+Shift+T", manager.scene.tournament_screen)):
        surface.fill((255, 0, 255))
        manager.keys(key)
        assert manager.screen is screen
        assert surface.get_at((3, 3))[:3] != (255, 0, 255), "the other screen is drawn completely"
    manager.press("board0")
    live = manager.tournament.state.watched
    assert live is not None
    manager.press("analyse")
    manager.until(lambda: manager.screen is manager.scene.game_screen)
    assert manager.scene.game_screen.session.game.moves == live.game.moves
    assert manager.screen.name == "Analyse"


def test_the_progress_of_the_compiler_is_shown_and_a_tournament_pauses_it(manager: ScreenManagerDriver) -> None:
    compiler = create_autospec(Compiler, instance=True, is_busy=True, share=0.429)
    manager.scene = ScreenManager(manager.scene.game_screen, manager.searcher, PreferencesFile(), compiler=compiler)

    def shows_progress() -> bool:
        """Return whether the window shows it, but not to a screen reader, which would start again each second."""
        (status,) = manager.panels(Status)
        assert "Preparing" not in status.words
        return "Preparing other games" in status.background_status

    manager.until(shows_progress)
    manager.set_up()
    manager.keys("Enter")
    compiler.set_paused.assert_called_with(True)
    manager.until_end()
    manager.turn()
    compiler.set_paused.assert_called_with(False)


def test_a_tournament_opens_dialogs_and_asks_before_it_stops_or_loses_games(
    manager: ScreenManagerDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager.set_up(rounds=1000, results="")
    manager.press("start")
    dialogs = SettingsDialog, AboutDialog, TournamentDialog, MenuDialog, HelpDialog
    for key, dialog in zip(("Ctrl+,", "Ctrl+F1", "Ctrl+Shift+T", "F10", "F1"), dialogs, strict=True):
        manager.keys(key)
        assert isinstance(manager.tournament.dialog, dialog)
        manager.keys("Esc")
        assert manager.tournament.dialog is None
    manager.keys("Ctrl+Shift+T")
    manager.press("start")
    assert isinstance(manager.tournament.dialog, MessageDialog), "one tournament at a time"
    manager.keys("Esc")
    monkeypatch.setattr(window, "toggle_full_screen", toggle := Mock())
    manager.scene.do(gui.WindowMaximised(True), 0.0)
    for screen in (manager.scene.game_screen, manager.tournament):
        screen.do(gui.PlainCommand.TOGGLE_FULL_SCREEN, 0.0)
        toggle.assert_called_with(is_maximised=True)
    manager.until(lambda: manager.games > 2)
    manager.keys("s")
    assert isinstance(manager.tournament.dialog, ConfirmDialog)
    manager.keys("Esc")
    assert manager.tournament.is_running
    manager.keys("s", "Enter")
    manager.until_end()
    played = manager.games
    manager.keys("Space")
    assert (manager.tournament.is_running, manager.games) == (True, played), "a stopped tournament continues"
    manager.keys("Ctrl+Q")
    assert isinstance(manager.tournament.dialog, ConfirmDialog), "the games are not saved"
    manager.keys("Enter")
    assert not manager.tournament.wants_to_quit
    manager.until(lambda: manager.games > played)
    manager.keys("Ctrl+Q")
    manager.press("yes")
    assert manager.tournament.wants_to_quit
    for screen in (manager.tournament, manager.scene.game_screen):
        screen.widgets.state["moves"] = "damaged"
        manager.scene.recover("first", "reason", 0.0)
        assert (manager.screen, manager.dialog(MessageDialog).title, screen.widgets.state) == (screen, "first", {})


def test_a_game_that_cannot_be_saved_is_marked_and_not_lost_without_a_question(
    manager: ScreenManagerDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = manager.scene.game_screen
    with closing(StoreWriter(tmp_path / "games.sqlite")) as store_writer:
        screen.files.library = library = Library(store_writer)
        with monkeypatch.context() as patched:
            patched.setattr(StoreFile, "writing", full)
            manager.type("f5")
            manager.until(lambda: screen.dialog is not None)
            manager.keys("Esc")
            manager.until(lambda: screen.session.game.ply == 2)
            manager.until(lambda: manager.panels(Status)[0].words.startswith("Not saved: "))
            assert screen.dialog is None, "reported once"
            for key in ("Esc", "Enter"):
                manager.keys("Ctrl+Q")
                assert isinstance(screen.dialog, ConfirmDialog)
                manager.keys(key)
                assert (screen.dialog, screen.wants_to_quit) == (None, False)
        manager.keys("Ctrl+Q")  # saves the game first: there is room again
        assert (screen.wants_to_quit, library.notice, len(library.games())) == (True, None, 1)


def test_a_stopped_tournament_continues_from_its_results_file(manager: ScreenManagerDriver, tmp_path: Path) -> None:
    manager.set_up(rounds=50, results="long")
    manager.press("start")
    manager.until(lambda: manager.games > 2)
    manager.keys("s", "Enter")
    manager.until_end()
    played = manager.games
    finished = tmp_path / "tournaments" / "short.csv"
    finished.write_text(",".join(COLUMNS) + "\n" + 100 * "a game\n")
    finished.with_name("short.config.json").write_bytes(finished.with_name("long.config.json").read_bytes())
    manager.keys("Ctrl+Shift+T")
    manager.use(("tab", "kept"))
    (row,) = manager.panels(MenuItem)
    assert all(words in row.right for words in (f"{played} of 100 games", "Two games per pair"))
    assert all(words in row.label for words in ("Random 1 – Random 2", time.strftime("%Y-%m-%d")))
    manager.press("kept:0")
    assert manager.tournament.is_running
    assert manager.games >= played
    manager.keys("Ctrl+Q")
    assert manager.tournament.wants_to_quit, "no question, because the results are saved"
    manager.until(lambda: manager.games == 100, COMPILE_TIMEOUT)
    manager.until_end()
    results = tmp_path / "tournaments" / "long.jsonl"
    assert len(list(ResultsReader(results))) == 100
    manager.keys("Ctrl+1")
    manager.drop(results)
    manager.until_end()
    assert manager.games == 100
    manager.drop(tmp_path / "strange.jsonl")
    assert isinstance(manager.screen.dialog, MessageDialog)


def test_a_config_file_is_chosen_by_name_and_keeps_its_other_keys(
    manager: ScreenManagerDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"players": [{"player_type": "user"}] * 2, "move_delay_seconds": 2}))
    monkeypatch.setattr("othello.gui.dialogs.saving.default_config", lambda: config)
    manager.set_up(rounds=3)
    manager.press("save")
    assert isinstance(manager.screen.dialog, ConfigDialog)
    manager.use(("name", "config"))
    manager.keys("Enter")
    assert load(config).game_type == "match", "Enter alone replaces nothing"
    manager.press("replace")
    saved = load(config)
    assert (saved.game_type, saved.game_repetitions, saved.move_delay_seconds) == ("tournament", 3, 2)
    assert [player.player_type for player in saved.players] == ["random", "random"]
    assert str(config) in manager.dialog(TournamentDialog).subtitle


def test_settings_of_a_tournament_become_the_stored_config(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(question: str) -> str:
        """Return the choices that have an effect, and the config, for a number of players and changes."""
        count, _, changes = question.partition(" ")
        proposed = proposed_settings(game_spec())
        settings = replace(proposed, forms=proposed.forms[: int(count)], **json.loads(changes))
        choices = {name: list(values()) for name, values in settings.lists.items()}
        return "\n".join(f"{name}: {json.dumps(value)}" for name, value in {**choices, **settings.parts()}.items())

    monkeypatch.setattr("os.sched_getaffinity", lambda _: (0, 1))
    assert_answers("tournament_settings.txt", answer)
