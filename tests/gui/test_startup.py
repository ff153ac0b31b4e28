"""The first game of the window, and questions before it opens."""

import json
from contextlib import closing, nullcontext
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from othello import texts
from othello.config import Config, ExistingOutput
from othello.config_file import load
from othello.errors import ConfigError
from othello.gui.app import app, loop
from othello.gui.app.startup import StartupGame, startup_game
from othello.gui.dialogs.file_dialogs import ResumeGameDialog
from othello.gui.dialogs.notices import MessageDialog
from othello.gui.preferences import PreferencesFile
from othello.gui.screens.tournament.results_file_exists import ResultsFileExistsDialog, StartupPromptScreen
from othello.players.compilation import compiler
from othello.rules.registry import game_spec
from othello.study.library import Library
from othello.study.store_writer import StoreWriter
from othello.tournament.executor import SerialExecutor
from othello.tournament.experiment import Experiment
from tests.gui.tournament_driver import config_for
from tests.gui.window_driver import EventDriver, WindowDriver
from tests.play.test_game_file_conversion import WIPE_OUT, played
from tests.play.test_library import begun

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


@pytest.mark.parametrize("last", [{"players": [3]}, {"game": "chess"}, {**LAST, "game_type": "tournament", "x": 1}])
def test_the_last_players_are_used_if_they_are_valid(config: Path, last: dict[str, object]) -> None:
    first, preferences = start(config)
    assert (opponent(first), first.words) == ("mcts_uct", "")
    preferences.change(usual=last)
    assert opponent(start(config)[0]) == "mcts_uct"
    preferences.change(usual=LAST)
    second, _ = start(config)
    assert (opponent(second), second.config.game.game) == ("random", "tictactoe")
    assert second.words == "Same players as last time."


@pytest.mark.parametrize("is_named", [False, True])
def test_an_edited_or_named_config_file_comes_first_and_says_so(config: Path, is_named: bool) -> None:
    start(config)[1].change(usual=LAST)
    if not is_named:
        write(config, "heuristic")
    decided, _ = start(config, is_named=is_named)
    assert opponent(decided) == ("mcts_uct" if is_named else "heuristic")
    assert decided.words == "Players from config.json."
    afterwards, _ = start(config)
    assert opponent(afterwards) == ("random" if is_named else "heuristic")


def test_the_last_players_come_before_a_tournament_of_the_config_file(config: Path) -> None:
    write(config, "random", game_type="tournament", move_delay_seconds=3)
    first, preferences = start(config)
    assert first.config.game_type == "tournament"
    preferences.change(usual=LAST)
    second, _ = start(config)
    assert (second.config.game_type, second.config.move_delay_seconds) == ("match", 3)
    assert second.words == "Same players as last time."


def test_a_level_has_its_name_in_the_language_of_the_window(config: Path) -> None:
    level = {"player_type": "engine", "level": 3, "name": "Casual"}
    start(config)[1].change(usual={"players": [{"player_type": "user"}, level]})
    texts.use("pl")
    assert start(config)[0].config.players[1].name == texts.tr("levels.3") != "Casual"


def test_the_source_of_the_players_is_shown_until_the_first_move(driver: WindowDriver) -> None:
    driver.scene.view_state.introduce("Players from config.json.", driver.session)
    driver.settle()
    assert driver.status.endswith("Players from config.json.")
    assert not driver.status.startswith("Players")
    driver.type("f5")
    driver.settle()
    assert "config.json" not in driver.status


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # a crash leaves its lock file open
def test_an_unfinished_game_is_offered_with_opponent_and_move(tmp_path: Path) -> None:
    with closing(StoreWriter(tmp_path / "games.sqlite")) as store_writer:
        Library(store_writer).follow(played(WIPE_OUT[:8]), 0.0)
    with closing(StoreWriter(tmp_path / "games.sqlite")) as store_writer:
        afterwards = begun(store_writer)
        assert afterwards.abandoned_game is not None
        words = ResumeGameDialog(afterwards.abandoned_game, afterwards)._text
        assert words.startswith("Othello · Your game against Deep, move 5, started 20")


@pytest.mark.parametrize("is_named", [False, True])
@pytest.mark.parametrize("game_type", ["match", "tournament"])
def test_a_named_config_file_starts_without_a_question(
    is_named: bool, game_type: str, config: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[bool] = []
    monkeypatch.setenv("OTHELLO_CONFIG_DIR", str(tmp_path / "settings"))
    monkeypatch.setattr(app, "open_window", lambda *_: None)
    monkeypatch.setattr(app, "_start_workers", lambda *_: nullcontext())
    monkeypatch.setattr(compiler, "begin", lambda *_: None)
    monkeypatch.setattr(loop, "play", lambda first, *_: asked.append(first.offers_left))
    write(config, "random", game_type=game_type)
    app.run(load(config), config, lambda _: None, lambda _: None, is_named=is_named)
    assert asked == [not is_named]


class PromptDriver(EventDriver):
    """Drives a dialog that is shown before the window opens."""

    scene: StartupPromptScreen

    def __init__(self, prompt: StartupPromptScreen) -> None:
        self.scene = prompt
        self.turn()


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
def question(experiment: Config, monkeypatch: pytest.MonkeyPatch) -> tuple[ResultsFileExistsDialog, PromptDriver]:
    """Ask what to do with the results file."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode((1280, 800))
    pygame.event.clear()
    dialog = ResultsFileExistsDialog(experiment)
    return dialog, PromptDriver(StartupPromptScreen(dialog, game_spec(), PreferencesFile(), (1280, 800)))


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
    experiment: Config,
    question: tuple[ResultsFileExistsDialog, PromptDriver],
    button: str,
    name: str,
    existing: ExistingOutput,
) -> None:
    assert experiment.output_file is not None
    before = experiment.output_file.read_bytes()
    dialog, driver = question
    driver.press(button)
    assert driver.scene.wants_to_quit
    output = experiment.output_file.with_name(name or "none")
    assert dialog.answer == (replace(experiment, output_file=output, existing_output=existing) if name else None)
    assert experiment.output_file.read_bytes() == before, "no file changes before the end of a game"
    assert not experiment.output_file.with_name("games-2.jsonl").exists()


def test_games_are_not_added_to_a_file_of_another_kind(
    experiment: Config, question: tuple[ResultsFileExistsDialog, PromptDriver]
) -> None:
    assert experiment.output_file is not None
    experiment.output_file.write_text('{"x": 1}\n')
    dialog, driver = question
    driver.press("add")
    assert (driver.scene.wants_to_quit, dialog.answer) == (False, None)
    assert driver.shows_words("line 1")
    driver.press("replace")
    assert dialog.answer is not None


def test_an_error_at_the_start_is_shown_until_it_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    shown: list[str] = []

    def show(prompt: StartupPromptScreen, _preferences: PreferencesFile) -> None:
        driver = PromptDriver(prompt)
        assert isinstance(prompt.dialog, MessageDialog)
        shown.extend(driver.words())
        driver.press("understood")
        assert prompt.wants_to_quit

    monkeypatch.setattr(loop, "run", show)
    app.show_error(ConfigError("in_file", path=Path("config.json"), reason="nothing is right"))
    assert {"Othello cannot start", "config.json: nothing is right."} <= set(shown)
