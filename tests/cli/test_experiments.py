"""Configs played without a window."""

import io
import itertools
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from rich.console import Console

from othello import config_file as config_file_module, strict_json
from othello.cli import progress
from othello.players.random_player import RandomPlayer
from othello.records.results import ResultsReader
from tests.command_line import RANDOM, CommandLine, write_config

Play = Callable[..., str]


def test_a_config_found_is_read_once(config_file: Path, cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    read_json = Mock(wraps=strict_json.read)
    monkeypatch.setattr(config_file_module, "read_json", read_json)
    monkeypatch.setattr(config_file_module, "default_config", lambda: config_file)
    cli("--headless")
    assert [call.args for call in read_json.call_args_list] == [(config_file,)]


def test_a_match_is_written_and_printed(play: Play, config_file: Path, cli: CommandLine) -> None:
    out = play(players=[RANDOM, {**RANDOM, "depth": 3}], game_repetitions=3, output_file="games.csv")
    notice = "players[1].depth: ignored for random; only used by heuristic, engine"
    assert cli.errors == f"othello: {config_file}: {notice}\n"
    assert out.startswith("seed 5\n")
    assert sum(line.startswith("game ") for line in out.splitlines()) == 3
    assert "Ranking" in out
    records = list(ResultsReader(Path("games.csv")))
    assert len(records) == len({record.seed for record in records}) == 3
    assert {record.black for record in records} == {"random 1"}


@pytest.mark.usefixtures("restored_language")
def test_games_are_printed_in_the_language_of_the_system(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    seed, game, *_ = play().splitlines()
    assert seed == "シード 5"
    assert game.startswith("第 1 局: random 1 (黒) ")


def set_clock(monkeypatch: pytest.MonkeyPatch, step: float) -> None:
    """Let this many seconds pass between two games."""
    times = itertools.count(1000.0, step)
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: next(times)))


def test_standings_appear_without_a_terminal(play: Play, cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    """The standings are printed every half a minute."""
    set_clock(monkeypatch, 15.0)
    paired = {"processes": 1, "format": "paired", "sprt": {"elo0": 0, "elo1": 10}}
    play("--headless", game_type="tournament", game_repetitions=3, tournament=paired)
    shown = [part for games in (2, 4, 6) for part in (f"{games}/6  0.1 games/s", "Ranking", "SPRT")]
    assert re.findall("(?m)^([0-9]/.*|Ranking|SPRT)", cli.errors) == shown
    assert len(re.findall("balance +Elo", cli.errors)) == 3, "lines can be long"


def test_a_terminal_shows_a_live_table(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    set_clock(monkeypatch, 0.25)
    monkeypatch.setattr(progress, "Console", lambda **_: Console(file=screen, force_terminal=True, width=100))
    monkeypatch.setattr("rich.live._RefreshThread", None)  # only games refresh the screen
    play("--headless", game_repetitions=120)
    assert screen.getvalue().count("Ranking") == 61, "twice a second, and at the end"
    assert all(f" {games}/120" in screen.getvalue() for games in (0, 60))
    assert "\x1b[?25h" in screen.getvalue(), "the cursor is shown again"
    assert screen.getvalue().endswith("\x1b[1A\x1b[2K"), "the table is removed"
    assert screen.getvalue().count(" 4.0 games/s") == 61


def test_the_same_seed_plays_the_same_games(play: Play) -> None:
    def transcripts(name: str, seed: str) -> list[str]:
        assert f"seed {seed}" in play("--seed", seed, "--output", name, "--headless", output_file="config.csv")
        return [record.transcript for record in ResultsReader(Path(name))]

    assert transcripts("a.jsonl", "11") == transcripts("b.jsonl", "11") != transcripts("c.jsonl", "12")
    assert not Path("config.csv").exists(), "options win over the config"
    assert play("--terminal", "--game-seed", 3, "--output", "one.jsonl", game_repetitions=5).count("game ") == 1
    assert [record.seed for record in ResultsReader(Path("one.jsonl"))] == [3]
    assert play(seed=None).split()[1] != play(seed=None).split()[1], "a seed is drawn and reported"


def test_results_are_not_overwritten_by_default(config_file: Path, cli: CommandLine) -> None:
    argv = ["--config", config_file, "--output", "games.jsonl"]
    cli(*argv)
    before = Path("games.jsonl").read_bytes()
    assert "already contains games" in cli.error(*argv)
    assert Path("games.jsonl").read_bytes() == before
    cli(*argv, "--overwrite", "--seed", 99)
    after = Path("games.jsonl").read_bytes()
    assert after.count(b"\n") == before.count(b"\n")
    assert after != before


def test_a_refused_run_keeps_old_results(play: Play, cli: CommandLine) -> None:
    play("--output", "games.csv")
    before = Path("games.csv").read_bytes()
    Path("damaged.npz").write_bytes(b"damaged")
    for tree in ("damaged.npz", "missing/tree.npz"):
        players = [RANDOM, {"player_type": "mcts_uct", "mcts_tree_file": tree}]
        assert play("--output", "games.csv", "--overwrite", status=2, players=players) == ""
        assert f"{tree}: " in cli.errors
        assert Path("games.csv").read_bytes() == before
        play("--output", "new.csv", status=2, players=players)
        assert not Path("new.csv").exists()


@pytest.mark.slow
def test_game_seed_repeats_a_game_of_a_tournament(play: Play) -> None:
    """Repeat it with the tournament's config, and with that of a match between its players."""
    players = [RANDOM, {"player_type": "simple_heuristic"}, {"player_type": "heuristic", "depth": 1}]
    opening = {"format": "paired", "opening_plies": 8, "processes": 1}
    games: dict[str, Any] = {"players": players, "game_type": "tournament", "tournament": opening}
    whole, again = Path("whole.jsonl"), Path("again.jsonl")

    def replayed(seed: int, *options: str, **config: Any) -> str:
        play("--game-seed", seed, "--output", again, "--overwrite", *options, **config)
        (record,) = ResultsReader(again)
        assert record.seed == seed
        return record.transcript

    play("--seed", 7, "--output", whole, **games)
    records = list(ResultsReader(whole))
    assert len({record.transcript for record in records}) == len(records) == 6
    by_name = dict(zip(("random", "simple_heuristic", "heuristic"), players, strict=True))
    for record in (records[1], records[4]):
        assert replayed(record.seed, "--seed", "7", **games) == record.transcript
        pair = [by_name[record.black], by_name[record.white]]
        plies = {"opening_plies": record.opening_plies}
        assert replayed(record.seed, game_type="match", players=pair, tournament=plies) == record.transcript


@pytest.mark.parametrize(("raised", "status"), [(ZeroDivisionError("by zero"), 1), (OSError(28, "disk full"), 2)])
def test_a_failing_player_is_one_line_and_loses_no_game(
    play: Play, cli: CommandLine, monkeypatch: pytest.MonkeyPatch, raised: Exception, status: int
) -> None:
    monkeypatch.setattr(RandomPlayer, "new_game", Mock(side_effect=[None, None, raised]))  # in the second game
    players = [{**RANDOM, "name": "A"}, {**RANDOM, "name": "B"}]
    out = play("--output", "games.jsonl", status=status, players=players, game_repetitions=3)
    assert "Stopped after 1 of 3 games" in out
    assert cli.errors.startswith("othello: game 2: A failed: ")
    assert cli.errors.count("\n") == 1
    assert [record.reason for record in ResultsReader(Path("games.jsonl"))] == [""]


@pytest.mark.parametrize(
    ("content", "is_ours"),
    [
        (b'{"players": 3}', True),
        (b'{"$schema": "https://example.org/config-schema.json"}', True),
        (b'{"players": [{"player_type": "random"},]}', True),  # a fault that its user wants to see
        (b'{"$schema": "https://example.org/compiler.json", "include": []}', False),
        (b'{"name": "something", }', False),
        (b"[]", False),
        (b"", False),
        (b"\xff\xfe", False),
        (b" " * (2 << 20), False),
    ],
)
def test_a_config_of_another_program_is_ignored(
    content: bytes, is_ours: bool, config_file: Path, monkeypatch: pytest.MonkeyPatch, cli: CommandLine
) -> None:
    found = Path("here.json")
    found.write_bytes(content)
    monkeypatch.setattr(config_file_module, "default_config", lambda: found)
    monkeypatch.setattr(config_file_module, "shipped_config", lambda: config_file)
    cli("--headless", status=2 if is_ours else 0)
    notice = f"othello: {found} belongs to another program; using the built-in settings\n"
    assert (cli.errors == notice) != is_ours


def test_a_desktop_shows_an_error_window(config_file: Path, monkeypatch: pytest.MonkeyPatch, cli: CommandLine) -> None:
    write_config(config_file.parent, players=[])
    for options, is_terminal, number in (["--open"], False, 1), (["--open"], True, 0), ([], False, 0):
        monkeypatch.setattr("othello.gui.app.app.show_error", show := Mock())
        monkeypatch.setattr(sys, "__stderr__", SimpleNamespace(isatty=lambda is_terminal=is_terminal: is_terminal))
        assert "players" in cli.error("--config", config_file, *options)
        assert show.call_count == number


def test_the_window_opens_with_options(config_file: Path, monkeypatch: pytest.MonkeyPatch, cli: CommandLine) -> None:
    monkeypatch.setattr("othello.gui.app.app.run", run := Mock())
    write_config(config_file.parent, show_visualisation=True)
    for options, file in ([], None), (["--open"], None), (["--open", "game.ggf"], Path("game.ggf")):
        cli("--config", config_file, *options)
        assert run.call_args.kwargs == {"is_named": True, "file": file}
