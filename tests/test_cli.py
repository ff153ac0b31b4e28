"""The command line from its arguments to its exit status."""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

import othello
from othello.cli import main
from othello.errors import OutputError
from othello.records.results import ResultsReader, ResultsWriter
from othello.rules.othello import format_board
from tests.positions import RULES

START = format_board(RULES.start())


@pytest.mark.parametrize("redirection", [">/dev/full", ">&-", ">&- 2>&-"])
@pytest.mark.parametrize("command", ["perft 3", "--version", "--headless --seed 1"])
def test_an_output_that_cannot_be_written_is_no_traceback(command: str, redirection: str, tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    config = tmp_path / "config.json"
    config.write_text('{"players": [{"player_type": "random"}, {"player_type": "random"}]}')
    line = f'PYTHONUNBUFFERED= "{sys.executable}" -m othello {command} {redirection}'
    if "headless" in command:
        line = f'PYTHONUNBUFFERED= "{sys.executable}" -m othello --config "{config}" {command} {redirection}'
    done = subprocess.run(["bash", "-c", line], check=False, stderr=subprocess.PIPE, text=True, timeout=300)
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") <= 1
    if "full" in redirection:
        assert done.returncode == 2


RANDOM = {"player_type": "random"}


@pytest.fixture
def config_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A match of two random players in an otherwise empty current folder."""
    monkeypatch.chdir(tmp_path)
    return write_config(tmp_path)


def write_config(folder: Path, **changes: Any) -> Path:
    file = folder / "config.json"
    file.write_text(json.dumps({"players": [RANDOM, RANDOM], "show_visualisation": False, "seed": 5, **changes}))
    return file


def error_of(argv: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The one line that a refused command writes."""
    assert main(argv) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert error.startswith("othello: ")
    assert error.count("\n") == 1
    return error


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["--nonsense"], "--nonsense"),
        (["perf", "3"], "did you mean perft?"),
        (["analyze", "--board", START], "did you mean analyse?"),
        (["play"], "allowed: perft, analyse, solve, bench, report"),
        (["--headles"], "--headles is unknown; did you mean --headless?"),
        (["--confg", "config.json"], "--confg is unknown; did you mean --config?"),
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
        (["analyse", "--board", "?" + START[1:]], "'?'"),
        (["analyse", "--board", "X" * 64 + " O"], "the game is over: black wins, 64 to 0"),
    ],
)
def test_arguments_that_make_no_sense(argv: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert words in error_of(argv, capsys)


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    for argv in (["--help"], ["perft", "--help"], ["analyse", "--help"], ["--version"]):
        with pytest.raises(SystemExit) as exit_:
            main(argv)
        assert exit_.value.code == 0
    assert othello.__version__ in capsys.readouterr().out


def test_perft(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "6"]) == 0
    assert "8200" in capsys.readouterr().out.split()
    assert main(["perft", "0"]) == 0
    assert capsys.readouterr().out.split()[1] == "1"


def test_perft_of_a_board_that_begins_with_a_dash_and_has_a_pass(capsys: pytest.CaptureFixture[str]) -> None:
    board = "-" * 62 + "XO" + " X"  # black cannot move, white can
    assert main(["perft", "1", "--board", board, "--divide"]) == 0
    assert capsys.readouterr().out.split()[:2] == ["pass", "1"]


def test_perft_divide_adds_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "5", "--divide"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line[0] for line in lines[:4]] == ["d3", "c4", "f5", "e6"]
    assert sum(int(line[1]) for line in lines[:4]) == int(lines[4][1]) == 1396


@pytest.mark.parametrize(("rules", "leaves"), [({}, 8200), ({"start": "alternate"}, 9696), ({"start": "reversi"}, 320)])
def test_perft_by_the_rules_of_a_config(
    rules: dict[str, str], leaves: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["perft", "6", "--config", str(config_with(rules, tmp_path))]) == 0
    assert capsys.readouterr().out.split()[1] == str(leaves)


def config_with(rules: dict[str, str], folder: Path) -> Path:
    file = folder / "config.json"
    file.write_text(json.dumps({"players": [{"player_type": "random"}] * 2, "rules": rules}))
    return file


def test_moves_before_a_position_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "4", "--moves", "f5 d6"]) == 0
    position = RULES.play(RULES.play(RULES.start(), RULES.parse_move("f5")), RULES.parse_move("d6"))
    assert main(["perft", "4", "--board", format_board(position)]) == 0
    first, second = capsys.readouterr().out.split("leaves ")[1:]
    assert first.split()[0] == second.split()[0]
    assert main(["perft", "4", "--moves", "f5f5"]) == 2


def test_analyse_and_solve_by_the_rules_of_a_config(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The only move wins everything by the usual rules, and so loses everything where the fewest discs win."""
    board = "X" + "O" * 6 + "-" + "X" * 56 + " X"
    problem = tmp_path / "one.obf"
    problem.write_text(board)
    config = str(config_with({"goal": "fewest"}, tmp_path))
    more: list[str]
    for more, score in (([], 64), (["--config", config], -64)):
        assert main(["solve", str(problem), "--json", *more]) == 0
        assert json.loads(capsys.readouterr().out)["score"] == score
        assert main(["analyse", "--board", board, "--json", *more]) == 0
        assert json.loads(capsys.readouterr().out)["value"] == (10_064 if score > 0 else -10_064)


def test_perft_of_a_finished_game(capsys: pytest.CaptureFixture[str]) -> None:
    for divide in ([], ["--divide"]):
        assert main(["perft", "4", "--board", "X" * 64 + " O", *divide]) == 0
        assert capsys.readouterr().out.split()[1] == "1"


def test_analyse_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "--board", START, "--player", "random", "--seed", "3", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert list(report) == [
        "player", "board", "move", "value", "moves", "simulations", "nodes", "depth", "pv", "seconds",
    ]  # fmt: skip
    assert report["board"] == START
    assert [stats["move"] for stats in report["moves"]] == ["d3", "c4", "f5", "e6"]
    assert all(list(stats) == ["move", "visits", "value"] for stats in report["moves"])
    assert report["move"] in ("d3", "c4", "f5", "e6")


def test_analyse_of_a_forced_pass(capsys: pytest.CaptureFixture[str]) -> None:
    board = "OX" + "-" * 62 + " X"
    assert main(["analyse", "--board", board, "--player", "random", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["move"] == "pass"


def test_analyse_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "--board", START.lower().replace("-", "."), "--player", "random"]) == 0
    assert "random plays" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "notice"),
    [
        (["--player", "random", "--simulations", "5"], "--simulations: random does not use it; it is for mcts_uct, "),
        (["--player", "simple_heuristic", "--depth", "5"], "--depth: simple_heuristic does not use it; it is for heu"),
        (["--player", "heuristic", "--depth", "2"], ""),
        (["--player", "random", "--time", "1", "--seed", "3"], ""),
    ],
)
def test_options_without_effect_are_told(options: list[str], notice: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "--board", START, "--json", *options]) == 0
    out, error = capsys.readouterr()
    assert json.loads(out)["player"] == options[1]
    assert error.count("\n") == bool(notice)
    assert notice in error


def test_keys_without_effect_are_told_and_the_games_are_played(
    config_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_config(config_file.parent, players=[RANDOM, {**RANDOM, "depth": 3}])
    assert main(["--config", str(config_file)]) == 0
    out, error = capsys.readouterr()
    assert error == f"othello: {config_file}: players[1].depth: random does not use it; it is for heuristic, engine\n"
    assert "Ranking" in out


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


def test_results_are_not_overwritten_unasked(config_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["--config", str(config_file), "--output", "games.jsonl"]
    assert main(argv) == 0
    before = Path("games.jsonl").read_bytes()
    capsys.readouterr()
    assert "already holds games" in error_of(argv, capsys)
    assert Path("games.jsonl").read_bytes() == before
    assert main([*argv, "--overwrite", "--seed", "99"]) == 0
    after = Path("games.jsonl").read_bytes()
    assert after.count(b"\n") == before.count(b"\n")
    assert after != before


def test_old_results_outlive_a_run_that_is_refused(config_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
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
    assert "--resume goes on with a tournament" in error_of(argv, capsys)
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
    argv = ["--config", str(config_file)]
    write_config(config_file.parent, game_type=game_type, show_visualisation=True)
    error = error_of(argv, capsys)
    assert "no window can be opened here" in error
    assert error.endswith("; --headless plays without one\n")
    assert main([*argv, "--headless"]) == 0
    capsys.readouterr()
    write_config(config_file.parent, game_type=game_type, players=[RANDOM, {"player_type": "user"}])
    error = error_of(argv, capsys)
    way_out = {
        "match": "; --terminal plays in a terminal, and computers alone play with --headless\n",
        "tournament": "; a person's tournament needs one; computers alone play theirs with --headless\n",
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
    assert f"leave {option[0]} out" in error


@pytest.mark.parametrize("name", ["games.txt", "games", ".csv", "folder.csv", "absent/games.csv"])
def test_output_paths_are_checked_first(name: str, config_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("folder.csv").mkdir()
    assert "output_file" in error_of(["--config", str(config_file), "--output", name], capsys)
    assert sorted(path.name for path in Path().iterdir()) == ["config.json", "folder.csv"]


def test_a_disk_that_fills_up_is_one_line(
    config_file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    Path("games.jsonl").symlink_to("/dev/full")
    assert main(["--config", str(config_file), "--output", "games.jsonl"]) == 2
    error = capsys.readouterr().err
    assert "No space left on device" in error
    assert error.count("\n") == 1


def test_a_disk_that_fills_up_later_keeps_what_was_written(
    config_file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write = ResultsWriter.append

    def append(self: ResultsWriter, record: Any) -> None:
        if record.game == 3:
            raise OutputError("output_file: 'games.csv' cannot be written: No space left on device")
        write(self, record)

    monkeypatch.setattr(ResultsWriter, "append", append)
    write_config(config_file.parent, game_repetitions=5)
    assert main(["--config", str(config_file), "--output", "games.csv"]) == 2
    assert len(Path("games.csv").read_text().splitlines()) == 3
    assert "No space left" in capsys.readouterr().err


def test_a_tournament_prints_the_three_tables(config_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_config(config_file.parent, game_type="tournament", players=[RANDOM] * 3, game_repetitions=2)
    assert main(["--config", str(config_file), "--output", "games.jsonl"]) == 0
    out = capsys.readouterr().out
    assert all(title in out for title in ("Ranking", "Thinking time", "Colours", "random 3"))
    assert "not shown to be stronger than random" in out
    assert out.splitlines()[-2].startswith("This rests on 1")
    assert 12 <= len(Path("games.jsonl").read_text().splitlines()) <= 18


def test_a_game_of_a_tournament_is_played_again_by_its_seed(config_file: Path) -> None:
    """By the tournament's own config, and by that of a match with its players and colours."""
    players = [RANDOM, {"player_type": "mcts_uct", "simulation_count": 20}, {"player_type": "heuristic", "depth": 1}]
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
        by_name = {"random": players[0], "mcts_uct": players[1], "heuristic": players[2]}
        pair = [by_name[record.black], by_name[record.white]]
        write_config(config_file.parent, players=pair, tournament={"opening_plies": record.opening_plies})
        assert replayed(record.seed) == record.transcript


@pytest.mark.parametrize(
    ("config", "options", "words"),
    [
        ({"game_type": "tournament", "seed": None}, ["--game-seed", "3"], "--seed N"),
        ({"game_type": "tournament"}, ["--game-seed", "3", "--seed", "1"], "has no game with the seed 3"),
        ({"game_type": "tournament"}, ["--game-seed", "3", "--resume", "--output", "a.csv"], "leave --resume out"),
        ({}, ["--game-seed", "x"], "--game-seed"),
    ],
)
def test_games_that_cannot_be_played_again(
    config: dict[str, Any], options: list[str], words: str, config_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_config(config_file.parent, **config)
    assert words in error_of(["--config", str(config_file), *options], capsys)


@pytest.mark.parametrize("what", ["leaves", "a search", "a deep game", "games"])
def test_ctrl_c_ends_with_130(what: str, tmp_path: Path) -> None:
    games = tmp_path / "games.csv"
    match = ["--config", str(write_config(tmp_path, game_repetitions=100_000)), "--output", str(games)]
    start = "-" * 27 + "OX------XO" + "-" * 27 + " X"
    deep = ["analyse", "--board", start, "--player", "heuristic", "--depth", "30"]
    folder = tmp_path / "deep"
    folder.mkdir()
    endless = write_config(folder, heuristic_simulation_depth=40, players=[{"player_type": "heuristic"}, RANDOM])
    game = ["--config", str(endless), "--headless"]
    argv = {"games": match, "leaves": ["perft", "30"], "a search": deep, "a deep game": game}[what]
    script = f"""
import pathlib, signal, threading, time
from othello.cli import main
from tests.written import lines_in

def interrupt():
    games = pathlib.Path({str(games)!r})
    while {what == "games"} and lines_in(games) < 2:
        time.sleep(0.01)
    signal.raise_signal(signal.SIGINT)

main(["perft", "2"])  # the kernel is loaded now
threading.Timer(0.2, interrupt).start()
raise SystemExit(main({argv!r}))
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode == 130
    assert ran.stderr == ""
    assert ("Ranking" in ran.stdout) == (what == "games")


def run_interrupted(script: str, *argv: str) -> subprocess.CompletedProcess[str]:
    """A process of its own, in which `interrupt(SIGNAL)` sends it a signal from within."""
    program = f"""
import os, signal, sys, threading, time
sys.path.append({str(Path(__file__).parents[1])!r})  # for what tests share
from othello.cli import main
sys.argv = ["othello", *{argv!r}]
{script}
raise SystemExit(main())
"""
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120)


SIGNALS = pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])


INTERRUPTER = """
class Interrupter:
    def find_spec(self, name, *rest):
        if name == "{module}":
            signal.raise_signal(signal.{name})

sys.meta_path.insert(0, Interrupter())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
@SIGNALS
@pytest.mark.parametrize("module", ["othello.cli.arguments", "othello.errors", "numpy.random", "numba", "llvmlite"])
def test_an_interrupt_is_no_traceback_however_early(module: str, name: str) -> None:
    ran = run_interrupted(INTERRUPTER.format(module=module, name=name), "perft", "3")
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
@SIGNALS
def test_an_interrupt_does_not_break_into_the_beginning_of_a_process(name: str, config_file: Path) -> None:
    write_config(config_file.parent, game_type="tournament", game_repetitions=1000, tournament={"processes": 2})
    ran = run_interrupted(
        f"""
from multiprocessing import util
spawn = util.spawnv_passfds

def interrupted(path, arguments, descriptors):
    process = spawn(path, arguments, descriptors)
    if "spawn_main" in str(arguments):
        signal.raise_signal(signal.{name})
    return process

util.spawnv_passfds = interrupted
""",
        *["--headless", "--config", str(config_file)],
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
@SIGNALS
def test_interrupts_one_after_the_other_are_one(name: str, config_file: Path) -> None:
    write_config(config_file.parent, game_repetitions=1_000_000)
    ran = run_interrupted(
        f"""
from tests.written import lines_in
from pathlib import Path

def interrupt():
    while lines_in(Path("games.jsonl")) < 2:
        time.sleep(0.01)
    while True:
        os.kill(os.getpid(), signal.{name})
        time.sleep(0.05)

threading.Thread(target=interrupt, daemon=True).start()
""",
        *["--config", str(config_file), "--output", "games.jsonl", "--headless"],
    )
    assert (ran.returncode, ran.stderr) == (130, "")
    assert "Ranking" in ran.stdout
    assert ran.stdout.rstrip().endswith(f"of {1_000_000} games.")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_who_asks_again_after_a_while_ends_what_hangs() -> None:
    ran = run_interrupted(
        """
import othello.cli.arguments

def hang(arguments):
    threading.Thread(target=interrupt, daemon=True).start()
    try:
        time.sleep(600)
    finally:
        time.sleep(600)

def interrupt():
    while True:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.2)

parsed = othello.cli.arguments.parse(["perft", "3"])
parsed.command = hang
othello.cli.arguments.parse = lambda argv: parsed
"""
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_who_is_started_not_to_hear_does_not(tmp_path: Path) -> None:
    ran = run_interrupted(
        """
signal.signal(signal.SIGINT, signal.SIG_IGN)
threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
""",
        "perft",
        "6",
    )
    assert ran.returncode == 0
    assert "8200" in ran.stdout


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (PermissionError(13, "Permission denied", "some/file"), "othello: some/file: Permission denied\n"),
        (BrokenPipeError(32, "Broken pipe"), "othello: the system: Broken pipe\n"),
    ],
)
def test_not_every_error_of_the_system_is_one_of_the_output(
    error: OSError, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(arguments: argparse.Namespace) -> None:
        raise error

    monkeypatch.setattr("othello.cli.arguments.parse", lambda _: argparse.Namespace(command=fail))
    assert main(["perft", "3"]) == 2
    assert capsys.readouterr() == ("", words)


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "othello", "perft", "4", "--divide"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    assert process.wait(timeout=60) == 0


def test_all_three_ways_to_start_are_the_same_program(tmp_path: Path) -> None:
    main_file = Path(othello.__file__).parents[1] / "main.py"
    script = Path(sysconfig.get_path("scripts"), "othello")  # which need not be on the PATH
    for command in ([sys.executable, str(main_file)], [sys.executable, "-m", "othello"], [str(script)]):
        ran = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True, cwd=tmp_path)
        assert ran.stdout.strip() == f"othello {othello.__version__}"
