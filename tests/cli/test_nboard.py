"""`othello nboard`: the answers to NBoard; and the players for external programs, connected to our servers."""

import random
import re
import subprocess
import sys
import threading
import time
from unittest.mock import Mock

import psutil
import pytest

from othello.cli.nboard import NBoard
from othello.game import Game
from othello.play.clock import move_time
from othello.players.conformance import try_out
from othello.players.player import Player, choose, final_report
from othello.players.player_registry import configure, create_player
from othello.programs.program_registry import Program
from othello.search.report import MoveStats, SearchReport, Unit
from othello.search.stop import StopFlag
from tests.cli.servers import ask, program, server
from tests.golden.dialogues import assert_answers
from tests.positions import RULES, SPEC

START = "---------------------------O*------*O--------------------------- *"
GAME = f"(;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TI[15:00]TY[8]BO[8 {START}]B[F5//1.2]W[F6]B[D3]W[C5];)"


def test_answers_are_the_golden_words(complaints: list[str]) -> None:
    nboard = server(NBoard, "--player", "heuristic", "--seed", "1")

    def answer(line: str) -> str:
        complaints.clear()
        told = re.sub(r"(?m)(?<=/)\d\.\d\d$|(?<=nodestats) (\d+) .*", r" \1 TIME", ask(nboard, line))
        return "\n".join([*told.splitlines(), *complaints])

    assert_answers("nboard.txt", answer)


def test_go_plays_no_move_and_reports_passes() -> None:
    nboard = server(NBoard, "--player", "random", "--seed", "5")
    drawn, passes = random.Random(0), 0
    for _ in range(12):
        ask(nboard, f"set game (;GM[Othello]BO[8 {START}];)")
        while answer := ask(nboard, "go"):
            first, again = (re.findall("=== ([A-H][1-8]|PA)", text)[0] for text in (answer, ask(nboard, "go")))
            assert (first == "PA") == (again == "PA")
            passes += first == "PA"
            ask(nboard, f"move {drawn.choice((first, first.lower()))}//3.1")
    assert passes


def test_a_pass_is_requested_unless_it_was_sent() -> None:
    nboard, board = server(NBoard, "--player", "random"), "8 " + "-" * 24 + "XO------" + "-" * 24 + "-OXXXXXX *"
    for sent, answer in (("", "PA"), ("W[PA]", "A8")):
        ask(nboard, f"set game (;GM[Othello]TY[8]BO[{board}]B[C4/1.5/2]{sent};)")
        assert f"=== {answer}" in ask(nboard, "go")


@pytest.fixture
def complaints(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list to which the server's error messages are added."""
    messages = list[str]()
    monkeypatch.setattr("othello.cli.nboard.print_message", messages.append)
    return messages


@pytest.mark.parametrize("line", ["set game (;", "hint x", "żółw", "\x00", "9" * 5000])
def test_wrong_input_is_one_line(line: str, complaints: list[str]) -> None:
    nboard = server(NBoard, "--player", "random")
    assert ask(nboard, line) == ask(nboard, "") == ""
    (complaint,) = complaints
    assert len(complaint.splitlines()) == 1


def test_a_depth_of_the_command_line_stays() -> None:
    nboard = server(NBoard, "--player", "heuristic", "--depth", "3")
    assert ask(nboard, "set depth 9") == "set myname Othello-heuristic-depth-3\n"


def test_a_search_that_is_stopped_before_it_begins_has_found_a_move() -> None:
    nboard, stop = server(NBoard, "--player", "heuristic", "--depth", "60"), StopFlag()
    stop.time_is_up()
    assert re.search("^=== [A-H][1-8]/", ask(nboard, "go", stop), re.MULTILINE)


@pytest.mark.parametrize(
    ("unit", "value", "shown"),
    [
        (Unit.REWARD, 0.75, "32.00"),
        (Unit.SCORE, 10_030, "30.00"),
        (Unit.SCORE, -10_012, "-12.00"),
        (Unit.SCORE, -99, "-64.00"),
        (Unit.EXPECTED, 7.5, "7.50"),
        (Unit.DISCS, -4, "-4.00"),
        (Unit.NONE, None, ""),
    ],
)
def test_values_are_discs(unit: Unit, value: float | None, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first, other = RULES.legal_moves(RULES.start())[:2]
    stats = MoveStats(first, 9, value and value + 1, exact=False), MoveStats(other, 5, value)
    report = SearchReport("random", other, value, stats, unit, nodes=7, depth=0, pv=(other,), seconds=0.5, final=True)
    nboard = server(NBoard, "--player", "random")
    monkeypatch.setattr(nboard._player, "search", lambda *_, **__: iter([report]))
    depth = "100%" if unit is Unit.DISCS else 1
    hints = [f"search C4 {shown or '0.00'} 0 {depth}", "nodestats 7 0.50", "status"]
    assert ask(nboard, "go").splitlines()[1:] == [*hints, f"=== C4/{shown}/0.50"]
    assert ask(nboard, "hint 2").splitlines()[1:] == hints, "the bound of the other move is no hint"
    assert ask(nboard, "analyze").splitlines()[1:] == ([f"analysis 0 {shown}"] if shown else []) + ["status"]


@pytest.mark.slow
@pytest.mark.parametrize("options", [("--player", "engine"), ("--player", "mcts_uct", "--time", "60")])
def test_pings_end_a_search(options: tuple[str, ...]) -> None:
    with program("nboard", *options) as nboard:
        for line in ("nboard 2", "set depth 60", f"set game {GAME}", "ping 1"):
            nboard.say(line)
        nboard.until("pong 1")
        for number, search in enumerate(("go", "hint 3", "analyze", "go"), 2):
            nboard.say(search)
            nboard.until("status")
            nboard.say("")
            time.sleep(0.3)
            nboard.say(f"ping {number}")
            lines = nboard.until(f"pong {number}")
            assert (search == "go") == any(line.startswith("===") for line in lines)
        nboard.say("go")
        nboard.until("search")
        began = time.monotonic()
    assert time.monotonic() - began < 10  # it ends with its input


@pytest.mark.slow
def test_a_flood_of_nonsense_ends() -> None:
    with program("gtp", "--player", "random") as gtp:
        gtp.say("x" * 10_000_000)
        for number in range(2000):
            gtp.say(f"{number} nonsense")
        for number in ("", *range(2000)):
            assert gtp.hears.readline() + gtp.hears.readline() == f"?{number} unknown command\n\n"


def test_after_a_refused_game_nothing_is_answered_for_the_old_one(complaints: list[str]) -> None:
    nboard = server(NBoard, "--player", "random")
    ask(nboard, f"set game {GAME}")
    assert "===" in ask(nboard, "go")
    assert ask(nboard, f"set game {GAME.replace('F5', 'A1')}") == ""
    for line in ("go", "hint 2", "analyze", "move d3", "D3"):
        complaints.clear()
        assert ask(nboard, line) == ""
        assert "set game" in complaints.pop()
    assert ask(nboard, "ping 4") == "pong 4\n"
    ask(nboard, f"set game {GAME}")
    assert "===" in ask(nboard, "go")


@pytest.mark.parametrize(
    ("clock", "left"),
    [("15:00", 880.0), ("01:00", 40.0), ("1:00:00", 3580.0), ("05:00/10//02:00", 290.0), ("0", None), ("", None)],
)
def test_go_respects_the_clock_of_the_game(clock: str, left: float | None, monkeypatch: pytest.MonkeyPatch) -> None:
    nboard = server(NBoard, "--player", "random")
    allot, search = Mock(wraps=move_time), Mock(wraps=nboard._player.search)
    monkeypatch.setattr("othello.cli.nboard.move_time", allot)
    monkeypatch.setattr(nboard._player, "search", search)
    ask(nboard, f"set game (;GM[Othello]PB[a]PW[b]TI[{clock}]TY[8]BO[8 {START}]B[F5//10]W[F6//20]B[D3//30];)")
    ask(nboard, "go")
    assert [call.args[0] for call in allot.call_args_list] == ([] if left is None else [left])
    if left is None:
        assert search.call_args.args[2] is None
        return
    assert 0 < search.call_args.args[2] < left / 4
    ask(nboard, "move c5/1.00/7.5")
    ask(nboard, "go")
    assert allot.call_args.args[0] == left - (10 if "/10" in clock else 20), "black has made two moves"
    ask(nboard, "move b6//1")
    ask(nboard, "go")
    assert allot.call_args.args[0] == left - 7.5 + (10 if "/10" in clock else 0)
    ask(nboard, "hint 1")
    assert search.call_args.args[2] is None


def served(protocol: str, *options: str) -> Program:
    command = (sys.executable, "-m", "othello", protocol, *options)
    return Program("ours", command, protocol=protocol, start_seconds=120.0)


def external(protocol: str, *options: str) -> Player:
    return create_player(configure("external", program="ours", inline_program=served(protocol, *options)), SPEC)


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
def test_a_served_player_plays_as_it_does_here(protocol: str) -> None:
    options, here = {
        "gtp": ("--player heuristic --depth 2", configure("heuristic", depth=2)),
        "nboard": ("--player mcts_uct --simulations 80", configure("mcts_uct", simulation_count=80)),
    }[protocol]
    drawn = random.Random(4)
    with external(protocol, *options.split(), "--seed", "7") as there, create_player(here, SPEC) as player:
        player.prepare()
        for seed in (7, 8, 9):
            there.new_game(seed)
            player.new_game(seed)
            game = Game.new(RULES)
            while not game.is_over:
                if game.ply % 2 == seed % 2:
                    game = game.play(drawn.choice(game.legal_moves()))
                else:
                    move = choose(player, game).move
                    assert choose(there, game).move == move
                    game = game.play(move)


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
def test_the_engine_passes_the_trial(protocol: str) -> None:
    trial = try_out(served(protocol, "--level", "2"), RULES)
    assert trial is not None
    assert trial.name.startswith("Othello-engine-level-2")
    assert trial.moves == 10


@pytest.mark.slow
def test_a_served_player_analyses_and_is_stopped() -> None:
    with external("nboard", "--player", "engine") as player:
        player.prepare()
        player.new_game(1)
        game = Game.new(RULES).play(RULES.legal_moves(RULES.start())[0])
        judged = final_report(player, player.analyse(game, StopFlag(), 1.0))
        assert all(stats.value is not None for stats in judged.moves)
        stop = StopFlag()
        threading.Timer(0.3, stop.time_is_up).start()
        began = time.monotonic()
        assert final_report(player, player.think(game, stop)).move in game.legal_moves()
        assert time.monotonic() - began < 10


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
def test_a_server_ends_with_its_client(protocol: str) -> None:
    """The process that asked is killed in the middle of a search."""
    search = "genmove b" if protocol == "gtp" else "go"
    script = (
        "import subprocess, sys\n"
        f"command = [sys.executable, '-m', 'othello', '{protocol}', '--depth', '100']\n"
        "served = subprocess.Popen(command, stdin=subprocess.PIPE, text=True, bufsize=1)\n"
        f"served.stdin.write('{search}\\n')\n"
        "print(served.pid, flush=True)\n"
        "served.wait()\n"
    )
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as asking:
        assert asking.stdout is not None
        served_process = psutil.Process(int(asking.stdout.readline()))
        time.sleep(2.0)
        asking.kill()
        served_process.wait(60)  # the very first time all is compiled
