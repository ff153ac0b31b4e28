"""Configs played without a window."""

import csv
import io
import json
import sys
from pathlib import Path

import pytest

from othello import config_file as config_file_module
from othello import strict_json, texts
from othello.cli import main, progress
from othello.errors import OthelloError
from othello.players.random_player import RandomPlayer
from othello.records.results import ResultsReader
from tests.command_line import RANDOM, error_of, write_config


def test_keys_without_effect_give_notices(config_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_config(config_file.parent, players=[RANDOM, {**RANDOM, "depth": 3}])
    assert main(["--config", str(config_file)]) == 0
    out, error = capsys.readouterr()
    assert error == f"othello: {config_file}: players[1].depth: ignored for random; only used by heuristic, engine\n"
    assert "Ranking" in out


def test_a_config_in_the_current_folder_is_read_once(config_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []
    read_json = strict_json.read

    def spy(path: Path, **options: bool) -> object:
        read.append(path)
        return read_json(path, **options)

    monkeypatch.setattr(config_file_module, "read_json", spy)
    monkeypatch.setattr(config_file_module, "default_config", lambda: config_file)
    assert main(["--headless"]) == 0
    assert read == [config_file]


def test_a_match_is_written_and_printed(config_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_config(config_file.parent, game_repetitions=3, output_file="games.csv")
    assert main(["--config", str(config_file)]) == 0
    out = capsys.readouterr().out
    assert "seed 5" in out
    assert out.count("game ") == 3
    assert "Ranking" in out
    with Path("games.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 3
    assert {row["black"] for row in rows} == {"random 1"}
    assert len({row["seed"] for row in rows}) == 3


def test_games_are_printed_in_the_language_of_the_system(
    config_file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_config(config_file.parent, game_repetitions=1, output_file="games.csv")
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    monkeypatch.setitem(texts._chosen, "language", texts.language())  # so that it is English again afterwards
    assert main(["--config", str(config_file)]) == 0
    seed, game, *_ = capsys.readouterr().out.splitlines()
    assert seed == "シード 5"
    assert game.startswith("第 1 局: random 1 (黒) ")


def test_standings_are_printed_from_time_to_time_without_a_terminal(
    config_file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    argv = ["--config", str(config_file), "--headless"]
    write_config(config_file.parent, game_type="tournament", game_repetitions=2)
    assert main(argv) == 0
    assert capsys.readouterr().err == ""  # it takes no half a minute
    monkeypatch.setattr(progress, "_PLAIN_SECONDS", 0.0)
    assert main(argv) == 0
    told = capsys.readouterr().err
    assert "3/6  " in told
    assert told.count("Ranking") >= 4


def test_options_win_over_the_config(config_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_config(config_file.parent, output_file="config.csv")
    assert main(["--config", str(config_file), "--seed", "9", "--output", "option.jsonl", "--headless"]) == 0
    assert "seed 9" in capsys.readouterr().out
    assert Path("option.jsonl").exists()
    assert not Path("config.csv").exists()


def test_the_same_seed_plays_the_same_games(config_file: Path) -> None:
    def transcripts(name: str, seed: str) -> list[str]:
        assert main(["--config", str(config_file), "--seed", seed, "--output", name]) == 0
        return [json.loads(line)["transcript"] for line in Path(name).read_text().splitlines()]

    assert transcripts("a.jsonl", "11") == transcripts("b.jsonl", "11") != transcripts("c.jsonl", "12")


def test_a_seed_is_drawn_and_reported(config_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_config(config_file.parent, seed=None)
    seeds = []
    for _ in range(2):
        assert main(["--config", str(config_file)]) == 0
        seeds.append(capsys.readouterr().out.split()[1])
    assert seeds[0] != seeds[1]


def test_results_are_not_overwritten_by_default(config_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["--config", str(config_file), "--output", "games.jsonl"]
    assert main(argv) == 0
    before = Path("games.jsonl").read_bytes()
    capsys.readouterr()
    assert "already contains games" in error_of(argv, capsys)
    assert Path("games.jsonl").read_bytes() == before
    assert main([*argv, "--overwrite", "--seed", "99"]) == 0
    after = Path("games.jsonl").read_bytes()
    assert after.count(b"\n") == before.count(b"\n")
    assert after != before


def test_a_refused_run_keeps_old_results(config_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["--config", str(config_file), "--output", "games.csv"]
    assert main(argv) == 0
    before = Path("games.csv").read_bytes()
    Path("damaged.npz").write_bytes(b"damaged")
    for tree in ("damaged.npz", "missing/tree.npz"):
        capsys.readouterr()
        write_config(config_file.parent, players=[RANDOM, {"player_type": "mcts_uct", "mcts_tree_file": tree}])
        assert main([*argv, "--overwrite"]) == 2
        assert f"{tree}: " in capsys.readouterr().err
        assert Path("games.csv").read_bytes() == before
        assert main([*argv[:-1], "new.csv"]) == 2
        assert not Path("new.csv").exists()


def test_a_tournament_prints_the_three_tables(config_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_config(config_file.parent, game_type="tournament", players=[RANDOM] * 3, game_repetitions=2)
    assert main(["--config", str(config_file), "--output", "games.jsonl"]) == 0
    out = capsys.readouterr().out
    assert all(title in out for title in ("Ranking", "Thinking time", "Colours", "random 3"))
    assert "not shown to be stronger than random" in out
    assert out.splitlines()[-2].startswith("Based on 1")
    assert 12 <= len(Path("games.jsonl").read_text().splitlines()) <= 18


@pytest.mark.slow
def test_game_seed_repeats_a_game_of_a_tournament(config_file: Path) -> None:
    """By the tournament's own config, and by that of a match with its players and colours."""
    players = [RANDOM, {"player_type": "simple_heuristic"}, {"player_type": "heuristic", "depth": 1}]
    opening = {"format": "paired", "opening_plies": 8, "processes": 1}
    games = {"players": players, "game_type": "tournament", "tournament": opening}
    write_config(config_file.parent, **games)
    whole, again = Path("whole.jsonl"), Path("again.jsonl")

    def replayed(seed: int, *options: str) -> str:
        argv = ["--config", str(config_file), "--game-seed", str(seed), "--output", str(again), "--overwrite", *options]
        assert main(argv) == 0
        (record,) = ResultsReader(again)
        assert record.seed == seed
        return record.transcript

    assert main(["--config", str(config_file), "--seed", "7", "--output", str(whole)]) == 0
    records = list(ResultsReader(whole))
    assert len({record.transcript for record in records}) == len(records) == 6
    for record in (records[1], records[4]):
        write_config(config_file.parent, **games)
        assert replayed(record.seed, "--seed", "7") == record.transcript
        by_name = {"random": players[0], "simple_heuristic": players[1], "heuristic": players[2]}
        pair = [by_name[record.black], by_name[record.white]]
        match = {"game_type": "match", "players": pair, "tournament": {"opening_plies": record.opening_plies}}
        write_config(config_file.parent, **match)
        assert replayed(record.seed) == record.transcript


@pytest.mark.parametrize(
    ("raised", "status"), [(ZeroDivisionError("by zero"), 1), (OSError(28, "No space left on device"), 2)]
)
def test_a_failing_player_is_one_line_and_loses_no_game(
    config_file: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    raised: Exception,
    status: int,
) -> None:
    games: list[int] = []

    def fail_in_the_second_game(self: RandomPlayer, seed: int) -> None:
        games.append(seed)
        if len(games) > 2:
            raise raised

    monkeypatch.setattr(RandomPlayer, "new_game", fail_in_the_second_game)
    players = [{**RANDOM, "name": "A"}, {**RANDOM, "name": "B"}]
    write_config(config_file.parent, players=players, game_repetitions=3)
    assert main(["--config", str(config_file), "--output", "games.jsonl"]) == status
    out, error = capsys.readouterr()
    assert "Stopped after 1 of 3 games" in out
    assert error.startswith("othello: game 2: A failed: ")
    assert error.count("\n") == 1
    assert [record.reason for record in ResultsReader(Path("games.jsonl"))] == [""]


@pytest.mark.parametrize(
    ("content", "is_ours"),
    [
        ('{"players": 3}', True),
        ('{"$schema": "https://example.org/config-schema.json"}', True),
        ('{"players": [{"player_type": "random"},]}', True),  # a fault that its user wants to see
        ('{"$schema": "https://example.org/compiler.json", "include": []}', False),
        ('{"name": "something", }', False),
        ("[]", False),
        ("", False),
        (b"\xff\xfe", False),
        (" " * (2 << 20), False),
    ],
)
def test_a_config_of_another_program_is_ignored(
    content: str | bytes,
    is_ours: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shipped = write_config(tmp_path)
    found = tmp_path / "here" / "config.json"
    found.parent.mkdir()
    found.write_bytes(content if isinstance(content, bytes) else content.encode())
    monkeypatch.setattr(config_file_module, "default_config", lambda: found)
    monkeypatch.setattr(config_file_module, "shipped_config", lambda: shipped)
    assert main(["--headless"]) == (2 if is_ours else 0)
    notice = f"othello: {found} belongs to another program; using the built-in settings\n"
    assert (capsys.readouterr().err == notice) != is_ours


@pytest.mark.parametrize(
    ("more", "is_terminal", "is_shown"), [(["--open"], False, True), (["--open"], True, False), ([], False, False)]
)
def test_the_desktop_shows_errors_in_a_window(
    more: list[str],
    is_terminal: bool,
    is_shown: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown: list[OthelloError] = []
    monkeypatch.setattr("othello.gui.app.app.show_error", shown.append)
    monkeypatch.setattr(sys, "__stderr__", io.StringIO())
    monkeypatch.setattr(sys.__stderr__, "isatty", lambda: is_terminal)
    file = write_config(tmp_path, players=[])
    assert "players" in error_of(["--config", str(file), *more], capsys)
    assert bool(shown) == is_shown
