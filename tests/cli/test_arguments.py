"""Errors of the command line are reported in one line."""

import sys
from pathlib import Path
from typing import Any

import pygame
import pytest

from othello.cli import main
from tests.command_line import RANDOM, START, CommandLine, write_config

TOURNAMENT = {"game_type": "tournament"}
WITH_USER = {"players": [RANDOM, {"player_type": "user"}]}


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["--nonsense"], "--nonsense"),
        (["perf", "3"], "did you mean perft?"),
        (["analyze", "--board", START], "did you mean analyse?"),
        (["play"], "allowed: perft, analyse, trace, solve, convert, archive, repertoire, bench, compile"),
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
        (["analyse", "--board", "X" * 32 + "O" * 32 + " O"], "the game is over: a draw, 32 : 32"),
    ],
)
def test_invalid_arguments_are_refused(argv: list[str], words: str, cli: CommandLine) -> None:
    assert words in cli.error(*argv)


@pytest.mark.parametrize("words", [["--help"], ["perft", "--help"], ["analyse", "--help"]])
def test_help_is_no_error(words: list[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(words)
    assert exit_.value.code == 0


@pytest.mark.parametrize(
    ("config", "options", "words"),
    [
        ({}, "--overwrite", "needs a results file"),
        ({}, "--resume", "needs a results file"),
        ({}, "--cluster tcp://127.0.0.1:1", "--cluster plays tournaments"),
        ({}, "--output games.csv --resume", "--resume continues a tournament"),
        (WITH_USER, "--headless", "players[1] is a user, who needs the window"),
        ({**TOURNAMENT, **WITH_USER}, "--headless", "leave out --headless"),
        ({**TOURNAMENT, **WITH_USER}, "--cluster tcp://127.0.0.1:9", "players[1] is a user"),
        ({**TOURNAMENT, "seed": None}, "--game-seed 3", "--seed N"),
        (TOURNAMENT, "--game-seed 3 --seed 1", "has no game with the seed 3"),
        (TOURNAMENT, "--game-seed 3 --resume --output a.csv", "leave out --resume"),
        ({}, "--game-seed x", "--game-seed"),
    ],
)
def test_options_that_a_config_does_not_allow_are_refused(
    config: dict[str, Any], options: str, words: str, config_file: Path, cli: CommandLine
) -> None:
    write_config(config_file.parent, **config)
    assert words in cli.error("--config", config_file, *options.split())
    assert [path.name for path in config_file.parent.iterdir()] == ["config.json"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a display")
@pytest.mark.parametrize(
    ("game_type", "way_out"),
    [
        ("match", "; --terminal plays in the terminal; --headless is for games between computers\n"),
        ("tournament", "; a tournament with a person needs a window; --headless plays computers only\n"),
    ],
)
def test_without_a_display_the_error_names_what_helps(
    game_type: str, way_out: str, config_file: Path, monkeypatch: pytest.MonkeyPatch, cli: CommandLine
) -> None:
    for variable in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(variable, raising=False)
    pygame.display.quit()  # a display that another test opened would show the window
    write_config(config_file.parent, game_type=game_type, show_visualisation=True)
    error = cli.error("--config", config_file)
    assert "no window can be opened here" in error
    assert error.endswith("; --headless plays without a window\n")
    cli("--config", config_file, "--headless")
    write_config(config_file.parent, game_type=game_type, **WITH_USER)
    assert cli.error("--config", config_file).endswith(way_out)
    assert "or name a config of computer players: --config FILE" in cli.error("--config", config_file, "--headless")
