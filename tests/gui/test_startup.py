"""The first game of the window: from a config file, or the last game played."""

import json
from contextlib import closing, nullcontext
from pathlib import Path

import pytest

from othello import texts
from othello.config_file import load
from othello.gui.app import app, loop
from othello.gui.app.startup import StartupGame, startup_game
from othello.gui.dialogs.file_dialogs import ResumeGameDialog
from othello.gui.preferences import PreferencesFile
from othello.players.compilation import compiler
from othello.study.library import Library
from othello.study.store_writer import StoreWriter
from tests.gui.window_driver import WindowDriver
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
