"""Errors of the command line are reported in one line."""

import sys
from pathlib import Path
from typing import Any

import pygame
import pytest

import othello
from othello.cli import main
from tests.command_line import RANDOM, START, error_of, write_config


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["--nonsense"], "--nonsense"),
        (["perf", "3"], "did you mean perft?"),
        (["analyze", "--board", START], "did you mean analyse?"),
        (["play"], "allowed: perft, analyse, solve, convert, archive, repertoire, bench, compile"),
        (["--headles"], "--headles is not known; did you mean --headless?"),
        (["--confg", "config.json"], "--confg is not known; did you mean --config?"),
        (["perft", "3", "--devide"], "did you mean --divide?"),
        (["perft", "3", "--headless"], "--headless"),
        (["perft", "3", "4"], "unrecognized arguments: 4"),
        (["perft"], "DEPTH"),
        (["perft", "-1"], "-1"),
        (["perft", "x"], "from 0 to 60"),
        (["perft", "3", "--board", "XO X"], "64 squares"),
        (["--overwrite", "--resume"], "not allowed with"),
        (["--seed", "-4"], "-4"),
        (["--seed", "1.5"], "whole number"),
        (["analyse", "--board", START, "--player", "user"], "mcts_uct"),
        (["analyse", "--board", START, "--player", "mcts_utc"], "did you mean mcts_uct?"),
        (["analyse", "--board", START, "--depth", "0"], "from 1 to 100"),
        (["analyse", "--board", START, "--time", "nan"], "from 0.001"),
        (["analyse", "--board", START[:-1] + "?"], "side to move"),
        (["analyse", "--board", "?" + START[1:]], "“?”"),
        (["analyse", "--board", "X" * 64 + " O"], "the game is over: black wins, 64 : 0"),
    ],
)
def test_invalid_arguments_are_refused(argv: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert words in error_of(argv, capsys)


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    for argv in (["--help"], ["perft", "--help"], ["analyse", "--help"], ["--version"]):
        with pytest.raises(SystemExit) as exit_:
            main(argv)
        assert exit_.value.code == 0
    assert othello.__version__ in capsys.readouterr().out


@pytest.mark.parametrize("option", ["--overwrite", "--resume"])
def test_options_for_a_results_file_need_one(
    option: str, config_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "needs a results file" in error_of(["--config", str(config_file), option], capsys)


def test_a_match_is_not_for_a_cluster(config_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    error = error_of(["--config", str(config_file), "--cluster", "tcp://127.0.0.1:1"], capsys)
    assert "--cluster plays tournaments" in error


def test_a_match_is_not_resumed(config_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["--config", str(config_file), "--output", "games.csv", "--resume"]
    assert "--resume continues a tournament" in error_of(argv, capsys)
    assert not Path("games.csv").exists()


def test_a_user_needs_the_window(config_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_config(config_file.parent, players=[RANDOM, {"player_type": "user"}])
    error = error_of(["--config", str(config_file), "--headless"], capsys)
    assert "players[1]" in error
    assert "window" in error


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a display")
@pytest.mark.parametrize("game_type", ["match", "tournament"])
def test_without_a_display_the_error_names_what_helps(
    game_type: str, config_file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for variable in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(variable, raising=False)
    pygame.display.quit()  # a display that another test opened would show the window
    argv = ["--config", str(config_file)]
    write_config(config_file.parent, game_type=game_type, show_visualisation=True)
    error = error_of(argv, capsys)
    assert "no window can be opened here" in error
    assert error.endswith("; --headless plays without a window\n")
    assert main([*argv, "--headless"]) == 0
    capsys.readouterr()
    write_config(config_file.parent, game_type=game_type, players=[RANDOM, {"player_type": "user"}])
    error = error_of(argv, capsys)
    way_out = {
        "match": "; --terminal plays in the terminal, --headless plays computers only\n",
        "tournament": "; a tournament with a person needs a window; --headless plays computers only\n",
    }
    assert error.endswith(way_out[game_type])
    assert "or name a config of computer players: --config FILE" in error_of([*argv, "--headless"], capsys)


@pytest.mark.parametrize("option", [["--headless"], ["--cluster", "tcp://127.0.0.1:9"]])
def test_a_tournament_with_a_user_is_played_at_this_window(
    config_file: Path, capsys: pytest.CaptureFixture[str], option: list[str]
) -> None:
    write_config(config_file.parent, game_type="tournament", players=[RANDOM, {"player_type": "user"}])
    error = error_of(["--config", str(config_file), *option], capsys)
    assert "players[1] is a user" in error
    assert f"leave out {option[0]}" in error


@pytest.mark.parametrize(
    ("config", "options", "words"),
    [
        ({"game_type": "tournament", "seed": None}, ["--game-seed", "3"], "--seed N"),
        ({"game_type": "tournament"}, ["--game-seed", "3", "--seed", "1"], "has no game with the seed 3"),
        ({"game_type": "tournament"}, ["--game-seed", "3", "--resume", "--output", "a.csv"], "leave out --resume"),
        ({}, ["--game-seed", "x"], "--game-seed"),
    ],
)
def test_game_seed_is_refused_without_such_a_game(
    config: dict[str, Any], options: list[str], words: str, config_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_config(config_file.parent, **config)
    assert words in error_of(["--config", str(config_file), *options], capsys)
