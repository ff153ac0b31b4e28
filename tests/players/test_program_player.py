"""Programs and classes of users as players: they play like ours, and what they do wrong is their own."""

import json
import pickle
import shutil
import sys
import threading
import time
from dataclasses import replace
from io import StringIO
from pathlib import Path
from queue import Queue
from typing import Any
from unittest.mock import Mock, call, patch

import psutil
import pytest

from othello.config import PlayerConfig
from othello.errors import ConfigError, ForfeitError, OthelloError, PlayerError, ProgramError, TournamentError
from othello.game import Game
from othello.play.referee import GameJob
from othello.players import conformance, host as host_module
from othello.players.compilation import compiler
from othello.players.conformance import ConformanceCheck, ProgramTestRun, try_out
from othello.players.host import Host
from othello.players.player import Player, choose, final_report
from othello.players.player_registry import configure, create_player
from othello.players.program_player import ProgramPlayer
from othello.players.python_class_player import GameView
from othello.programs.engine_connection import EngineConnection
from othello.programs.program_registry import Program, entry_of, find, program_of
from othello.records.record import GameRecord
from othello.records.transcript import parse_transcript
from othello.rules.protocol import GameSpec, Move
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.search.report import SearchReport, Unit
from othello.search.stop import StopFlag
from othello.tournament.executor import play_game
from tests.positions import RULES, SPEC, START
from tests.programs.classes import Thinker
from tests.programs.registered import SCRIPT, external_player, opponent, registered, registered_class
from tests.waiting import wait_until

GOOD = [*("gtp", "nboard", "json"), *("gtp spaced", "gtp unnumbered", "gtp junk", "gtp complain", "nboard spaced")]
QUICK_FAULTS = {
    "gtp occupied": "answered with d4, which is not legal; legal: ",
    "gtp chatter": "20000 lines",
    "gtp nothing": "no valid answer within 1.5 s; expected: a legal move",
    "nboard crash": "ended with status 3; last output: Segmentation fault",
    "json infinite": "a JSON object",
    "gtp huge": "more than 65536 bytes",
}
FAULTS = {
    "gtp illegal": "answered with a1",
    "gtp pass": "answered with pass",
    "gtp words": "“=1007 hello world”; expected: a legal move",
    "gtp binary": "expected: a legal move",
    "gtp resign": "resigned",
    "gtp silent": "no valid answer within 1.5 s; expected: a legal move",
    "gtp crash": "last output: Segmentation fault",
    "gtp leave": "ended with status 0",
    "gtp close": "closed its output",
    "gtp flood": "more than 65536 bytes without a line end, starting with xxx",
    "gtp twice": "",
    "gtp unasked": "",
    "gtp late": "sent a late answer",
    "nboard illegal": "answered with a1",
    "nboard words": "expected: a legal move",
    "nboard pass": "answered with pass",
    "nboard silent": "expected: a legal move",
    "nboard flood": "without a line end",
    "nboard leave": "ended with status",
    "nboard unasked": "“=== a1”; expected: ",
    "json illegal": "answered with a1",
    "json silent": "expected: a legal move",
    "json crash": "ended with status 3",
    "json flood": "without a line end",
    "json words": "expected: a legal move",
    "json late": "expected: a legal move",
    "json twice": "",
    "json pass": "answered with pass",
}
AT_THE_START = {
    "gtp exit": "ended with status 1; last output: no evaluation file",
    "gtp refuse": "rejected “boardsize 8”: “?1004 unknown command”",
    "gtp mute": "no valid answer within 0.5 s; expected: a reply to the last command",
    "nboard wrong pong": "expected: pong",
    "nboard mute": "expected: pong",
    "json mute": "expected: a JSON object of type ready, on one line",
    "json greedy": "MemoryError",
}


def play(*players: PlayerConfig, spec: GameSpec = SPEC) -> GameRecord:
    return play_game(GameJob(1, 1, players, spec, 7))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow if " " in name else ()) for name in GOOD])
def test_a_program_plays_a_whole_game(name: str) -> None:
    record = play(external_player(*name.split(" ", 1)), configure("random"))
    assert (record.reason, record.black) == ("", name)


@pytest.mark.parametrize(
    ("name", "words"),
    [*QUICK_FAULTS.items(), *(pytest.param(*fault, marks=pytest.mark.slow) for fault in FAULTS.items())],
)
def test_a_faulty_program_loses_its_game(name: str, words: str) -> None:
    seconds = 30.0 if name == "gtp chatter" else 1.0  # it writes many lines first
    record = play(configure("random"), external_player(*name.split(" ", 1), start_seconds=5.0, move_seconds=seconds))
    assert record.winner_name == "random"
    assert record.reason.startswith("white failed: ")
    assert words in record.reason
    alive = (each for each in psutil.Process().children(recursive=True) if each.status() != psutil.STATUS_ZOMBIE)
    assert not [child for child in alive if str(SCRIPT) in child.cmdline()]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "words"), AT_THE_START.items())
def test_a_program_that_cannot_start_is_one_line(name: str, words: str) -> None:
    program = external_player(*name.split(" ", 1), start_seconds=0.5 if "mute" in name else 5.0, memory_mb=300)
    with pytest.raises(TournamentError) as caught:
        play(configure("random"), program)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_trial_ends_with_one_line_about_a_failure_or_when_it_is_stopped() -> None:
    gone = replace(opponent("gtp"), name="gone", command=("/no/such/program",))
    missing = "gone: /no/such/program is not on this computer, or is not executable"
    with pytest.raises(TournamentError, match=missing):
        play(configure("random"), configure("external", program="gone", inline_program=gone))
    runs = [ProgramTestRun(program, RULES) for program in (gone, opponent("gtp", "refuse"), opponent("gtp", "silent"))]
    runs[2].stop()
    wait_until(lambda: all(run.is_over for run in runs))
    failure, tried, result = (getattr(run.result, "english", run.result) for run in runs)
    first = "its first line: “?1001 unknown command”. Tried: GTP, NBoard and JSON"
    assert (failure, result) == (missing, None)
    assert tried == f"gtp refuse: the program {AT_THE_START['gtp refuse']}; {first}"


def player_of(protocol: str, fault: str = "", **more: float) -> Player:
    player = create_player(external_player(protocol, fault, **more), SPEC)
    player.new_game(3)
    return player


@pytest.mark.parametrize("protocol", ["nboard", "json"])
def test_evaluations_of_a_program_are_reported(protocol: str) -> None:
    game = parse_transcript("f5d6", RULES)
    with player_of(protocol) as player:
        chosen = choose(player, game)
        judged = final_report(player, player.analyse(game, StopFlag()))
    assert (chosen.value, chosen.unit) == ({"nboard": 4.0, "json": 1.5}[protocol], Unit.EXPECTED)
    assert chosen.nodes == {"nboard": 42, "json": 9}[protocol]
    assert all(stats.value is not None for stats in judged.moves)
    if protocol == "nboard":  # it names no move: the best value is its choice
        assert judged.value == max(stats.value or 0 for stats in judged.moves)


def test_a_program_is_told_its_clock_and_paused_only_with_its_search() -> None:
    config = replace(external_player("json", game_seconds=60.0), clock_seconds=1000.0, increment_seconds=100.0)
    ask = patch.object(EngineConnection, "ask", autospec=True, side_effect=EngineConnection.ask)
    pause = patch.object(EngineConnection, "set_paused", side_effect=AssertionError)
    with ask as asked, pause, create_player(config, SPEC) as player:
        player.new_game(3)
        for line in ("", "f5d6", "f5d6c3d3"):
            choose(player, game := parse_transcript(line, RULES))
        player.game_over(game)  # raises an error if the program does not confirm it
    assert asked.mock_calls[0].args[0].child._process.returncode == 0, "it has the time to end by itself"
    first, second, third = (each.args[1].seconds for each in asked.mock_calls)
    assert 60 == first > second > third > 10, "its own limit includes the time that it has used"
    clocks = [each.args[1].clock for each in asked.mock_calls]
    assert [main for main, _ in clocks] == [1000.0] * 3
    assert all(0 <= 1000 + 100 * moves - left < 50 for moves, (_, left) in enumerate(clocks)), "less than it began with"


def test_progress_of_a_program_is_reported_before_its_answer() -> None:
    with player_of("nboard", "slow") as player:
        *earlier, answer = player.think(Game.new(RULES), StopFlag())
    assert {(report.move, report.depth, report.final) for report in earlier} == {(answer.move, 3, False)}


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["gtp", "nboard", "json"])
def test_a_program_answers_after_a_cancelled_search_and_in_any_line(protocol: str) -> None:
    stop = StopFlag()
    with player_of(protocol, "slow") as player:
        threading.Timer(0.05, stop.cancel).start()
        assert [report for report in player.think(Game.new(RULES), stop) if report.final] == []
        for line in ("f5d6", "f5", "f5d6", "f5d6c3d3", "f5f6", "", "d3c5"):
            game = parse_transcript(line, RULES)
            assert choose(player, game).move in game.legal_moves()


@pytest.mark.slow
def test_an_answered_search_that_is_closed_late_does_not_stop_the_next_one() -> None:
    """Profilers and tracebacks keep a search alive."""
    with player_of("json", "slow", move_seconds=3.0) as player:
        first = player.think(Game.new(RULES), StopFlag())
        assert next(report for report in first if report.final)
        later: list[SearchReport] = []
        asking = threading.Thread(target=lambda: later.append(choose(player, parse_transcript("f5d6", RULES))))
        asking.start()
        time.sleep(0.1)
        first.close()  # type: ignore[attr-defined]
        asking.join()
    assert later


@pytest.mark.slow
def test_a_paused_program_is_stopped() -> None:
    stop, found = StopFlag(), list[SearchReport]()
    with player_of("json", "busy") as player:
        thread = threading.Thread(target=lambda: found.extend(player.think(Game.new(RULES), stop)))
        thread.start()
        time.sleep(0.2)
        stop.set_paused(True)
        time.sleep(0.1)
        (program,) = [each for each in psutil.Process().children(recursive=True) if "busy" in each.cmdline()[-1:]][-1:]
        before = sum(program.cpu_times()[:2])
        assert program.status() == psutil.STATUS_STOPPED
        stop.set_paused(False)
        thread.join(10)
        assert found[-1].final
        assert sum(program.cpu_times()[:2]) >= before


@pytest.mark.slow
def test_games_that_a_protocol_cannot_express_are_refused() -> None:
    small = game_spec("othello", {"size": 6})
    for spec in (small, game_spec("othello", {"start": "reversi"})):
        with pytest.raises(ProgramError, match="gtp does not play Othello by these rules"):
            create_player(external_player("gtp"), spec)
    for spec in (small, game_spec("tictactoe")):
        rules = rules_of(spec)
        with create_player(external_player("json"), spec) as player:
            player.new_game(1)
            assert choose(player, Game.new(rules)).move in rules.legal_moves(rules.start())
    position = RULES.play(RULES.start(), Move(19))
    with player_of("gtp") as player, pytest.raises(PlayerError, match="gtp: GTP cannot set up a position"):
        choose(player, Game.new(RULES, position))
    with player_of("nboard") as player:
        assert choose(player, Game.new(RULES, position)).move in RULES.legal_moves(position)


@pytest.mark.parametrize(("name", "depth"), [("nboard spaced", 3), ("gtp", 0)])
def test_a_trial_reports_how_a_program_plays(monkeypatch: pytest.MonkeyPatch, name: str, depth: int) -> None:
    monkeypatch.setattr(conformance, "final_report", lambda *asked: replace(final_report(*asked), seconds=2.0))
    trial = try_out(find(registered(*name.split(" "))), RULES)
    assert trial is not None
    called = "Opponent" + r"\x1b[31m" * (depth > 0)
    assert (trial.name, trial.first, trial.first_depth, trial.moves) == (called, "d3", depth, 10)
    assert (trial.first_seconds, trial.move_seconds) == (2.0, 2.0)
    assert 0 < trial.start_seconds < 600


@pytest.mark.slow
@pytest.mark.parametrize(("language", "runs"), [("python", sys.executable), ("javascript", "node")])
def test_the_programs_of_the_documentation_play(language: str, runs: str, tmp_path: Path) -> None:
    if shutil.which(runs) is None:
        pytest.skip(f"no {runs} here")
    page = (Path(__file__).parents[2] / "docs" / "programs.md").read_text()
    file = tmp_path / "anna"
    file.write_text(page.partition(f"```{language}\n")[2].partition("```")[0])
    for spec in (SPEC, game_spec("ultimate_tictactoe")):
        anna = configure("external", program="anna", inline_program=Program("anna", (runs, str(file)), protocol="json"))
        assert play(anna, configure("random"), spec=spec).reason == ""


def class_player(name: str, options: str = "", *, in_process: bool = True, game: str = "othello") -> Player:
    config = configure("python", program=registered_class(name), class_options=options, in_process=in_process)
    player = create_player(config, game_spec(game))
    player.new_game(3)
    return player


def test_a_class_plays_the_same_game_in_a_process_of_its_own() -> None:
    records = []
    compiler.end()
    before = psutil.Process().children()
    for in_process in (False, True):
        player = configure("python", program=registered_class("Greedy"), class_options="sign=-1", in_process=in_process)
        records.append(play_game(GameJob(1, 1, (player, configure("random")), SPEC, 7)))
    assert [(record.reason, record.black) for record in records] == [("", "Greedy")] * 2
    assert records[0].replayed() == records[1].replayed()
    assert psutil.Process().children() == before


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("raise", r"ZeroDivisionError: .* \(line \d+ of classes.py\)"),
        pytest.param("illegal", "z9", marks=pytest.mark.slow),
        pytest.param("nothing", "None", marks=pytest.mark.slow),
        pytest.param("crash", "ended with status 139", marks=pytest.mark.slow),
        pytest.param("exit", "ended with status 3", marks=pytest.mark.slow),
    ],
)
def test_a_faulty_class_loses_its_game(what: str, words: str) -> None:
    for in_process in (False,) if what in ("crash", "exit") else (False, True):
        player = class_player("Wrong", f"what={what}", in_process=in_process)
        with player, pytest.raises(ForfeitError, match=words):
            choose(player, Game.new(RULES))


@pytest.mark.slow
def test_a_class_that_hangs_is_ended() -> None:
    stop, before = StopFlag(), psutil.Process().children()
    with class_player("Wrong", "what=hang", in_process=False) as player:
        thinking = player.think(Game.new(RULES), stop, 0.2)
        stop.cancel()
        assert list(thinking) == []
        player.new_game(4)
    assert psutil.Process().children() == before


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("Wrong", "what=begin", "RuntimeError: no weights"),
        ("Wrong", "what", "“what” is not an option of a class"),
        ("Wrong", "2=what", "“2=what” is not an option of a class"),
        ("Wrong", "who=me", "TypeError"),
        ("Nobody", "", "has no attribute 'Nobody'"),
        ("Thinker", "depht=3", "depht: unknown key; did you mean depth"),
        ("Thinker", "depth=False", "depth: is false; allowed: a whole number from 1 to 100"),
    ],
)
def test_a_class_that_cannot_start_is_one_line(name: str, options: str, words: str) -> None:
    with pytest.raises(OthelloError, match=words) as caught:
        class_player(name, options)
    assert "\n" not in str(caught.value)


def test_a_class_plays_the_games_that_it_declares() -> None:
    with class_player("Greedy", game="tictactoe") as player:
        stop = Mock(is_cancelled=False, clock=iter((1.0, 3.0)).__next__)
        report = final_report(player, player.think(Game.new(rules_of(game_spec("tictactoe"))), stop))
        assert (report.move, report.seconds, stop.wait.call_count) == (0, 2.0, 2)
    with pytest.raises(ProgramError, match="does not play Connect Four"):
        class_player("Greedy", game="connect_four")


def test_a_search_that_was_stopped_does_not_stop_the_next_one() -> None:
    game, stop = Game.new(RULES).play(Move(19)), StopFlag()
    stop.time_is_up()
    with class_player("Thinker", "depth=14", in_process=False) as hosted:
        assert final_report(hosted, hosted.analyse(game, stop)).depth < 14
        assert final_report(hosted, hosted.analyse(game, StopFlag())).depth == 14


def test_a_class_speaks_the_protocol_of_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    calls, answers = Mock(), StringIO()
    for method in ("prepare", "new_game", "game_over"):
        monkeypatch.setattr(Thinker, method, getattr(calls, method))
    host, game = Host(f"{Thinker.__module__}:Thinker", "depth=2", answers), {"start": RULES.format_position(START)}
    go = {"type": "go", "id": 3, "seed": 7, "seconds": None, "analyse": True, "moves": ["d3"], **game}
    end = {"type": "game_over", "moves": ["d3"], **game}
    for message in ({"type": "hello", "game": "othello", "rules": {}}, go, go | {"id": 4, "moves": ["a1"]}, end, go):
        host.answer(message, StopFlag())
    sent = [json.loads(line) for line in answers.getvalue().splitlines()]
    ready, move, illegal, done, again = (message for message in sent if message["type"] != "info")
    assert (ready["deterministic"], ready["capabilities"]) == (True, ["pause", "game_over"])
    assert (
        again
        == move
        == {
            **{"type": "move", "id": 3, "move": "c3", "value": -13.0, "unit": "engine_score", "depth": 2, "nodes": 17},
            **{"line": ["c3", "b3"], "values": {"c3": -13.0, "e3": -27.0, "c5": -21.0}},
            "visits": {"c3": 5, "e3": 6, "c5": 6},
        }
    )
    assert sent[1] == move | {"type": "info"}, "the first report is sent at once"
    assert (illegal["type"], illegal["id"], done) == ("error", 4, {"type": "done"})
    played = Game.new(RULES).play(Move(19))
    assert calls.mock_calls == [call.prepare(), call.new_game(7), call.game_over(played)]


def test_a_class_is_stopped_and_paused_by_the_lines_of_its_input(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = (json.dumps({"type": word, "id": 7}) for word in ("go", "pause", "resume", "stop", "hello", "quit", "go"))
    monkeypatch.setattr(sys, "stdin", StringIO("\n".join(lines)))
    host, waiting = Mock(), Queue[Any]()
    host_module._listen(host, waiting)
    (go, first), (hello, second), end = (waiting.get_nowait() for _ in range(3))
    assert (go["type"], hello["type"], end, waiting.empty()) == ("go", "hello", None, True)
    flags = first.is_set, first.is_cancelled, second.is_cancelled
    assert (flags, host.say.mock_calls) == ((True, False, True), [call("paused", id=7)])


def test_a_program_is_given_time_and_paused() -> None:
    player = create_player(external_player("json"), SPEC)
    assert isinstance(player, ProgramPlayer)
    assert [player._timeout(*limits) for limits in ((None, None), (2.0, None), (2.0, 1.0))] == [600.0, 14.0, 1.5]
    player.config = replace(player.config, clock_seconds=20.0)
    assert player._timeout(2.0, None) == 30.0
    parts = Mock(**{"stop.is_paused": True, "stop.is_set": False})
    assert ProgramPlayer._pause(parts.connection, parts.stop) is parts.connection.set_paused.return_value
    assert parts.mock_calls == [call.connection.set_paused(), call.stop.wait(), call.connection.resume()]
    assert ProgramPlayer._pause(parts, StopFlag()) == []


def test_reports_are_the_same_from_another_process() -> None:
    game, reports = Game.new(RULES).play(Move(19)), list[SearchReport]()
    for in_process in (False, True):
        with class_player("Thinker", "depth=2", in_process=in_process) as player:
            reports.append(final_report(player, player.analyse(game, StopFlag())))
            assert player.is_deterministic
    assert (reports[0].player, reports[0].unit, reports[0].depth) == ("python", Unit.SCORE, 2)
    assert replace(reports[0], seconds=0.0) == replace(reports[1], seconds=0.0)


@pytest.mark.slow
def test_the_end_of_a_game_is_reported_to_a_class(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    diary = tmp_path / "diary"
    monkeypatch.setenv("OTHELLO_TEST_DIARY", str(diary))
    players = [configure("python", program=registered_class("Diarist"), in_process=here) for here in (False, True)]
    job = GameJob(1, 1, (players[0], replace(players[1], name="here")), SPEC, 7)
    record = play_game(job)
    assert record.reason == ""
    end = RULES.format_position(record.replayed().position)
    assert diary.read_text().splitlines() == [end, end]
    monkeypatch.setenv("OTHELLO_TEST_DIARY", str(tmp_path))  # cannot be written, which loses no game
    assert play_game(job).replayed() == record.replayed()
    with class_player("Diarist", in_process=False) as player, pytest.raises(ForfeitError, match="it is a folder"):
        player.game_over(Game.new(RULES))


@pytest.mark.slow
@pytest.mark.parametrize("in_process", [True, False])
def test_no_time_passes_for_a_paused_class(in_process: bool) -> None:
    stop, found, game = StopFlag(), list[SearchReport](), Game.new(RULES)
    with class_player("Sleeper", in_process=in_process) as player:
        thread = threading.Thread(target=lambda: found.extend(player.think(game, stop, 1.0)))
        thread.start()
        time.sleep(0.1)
        stop.set_paused(True)
        time.sleep(1.5)
        stop.set_paused(False)
        thread.join(10)
    assert found[-1].move == game.legal_moves()[0]


def test_a_view_shows_the_game() -> None:
    for name in GAMES:
        game = GameView.of(game=name, seed=5)
        before = game.board
        while not game.is_over:
            after = game.play(game.moves[0])
            place = game.place(game.moves[0])
            assert place is None or after.board[place[0]][place[1]] == game.to_move
            assert after.seed != game.seed
            assert after.history == (*game.history, game.moves[0])
            assert GameView.of(game.text, name).moves == game.moves
            game = after
        assert (game.name, game.result in ("X", "O", "draw"), game.to_move in "XO") == (name, True, True)
        assert (GameView.of(game=name).board, GameView.of().seed) == (before, 2341692149257169983)
    assert GameView.of("-" * 27 + "OX------XO" + "-" * 27 + " X").score == {"X": 2, "O": 2}
    timed = pickle.loads(pickle.dumps(GameView.of(seconds=1.0)))
    assert (0 < (timed.seconds or 0) <= 1, timed.moves) == (True, GameView.of().moves)
    with pytest.raises(OthelloError):
        GameView.of().play("a1")


def test_only_a_class_is_a_python_player() -> None:
    program = find(registered_class("Greedy"))
    assert program_of("Greedy", entry_of(program)) == program
    inline_program = program_of("edax", {"command": ["edax"], "protocol": "gtp"})
    with pytest.raises(OthelloError, match="edax is an external program, not a Python class"):
        create_player(configure("python", program="edax", inline_program=inline_program), SPEC)
    for wrong in ("classes", "classes:", "os.system('x'):y", "../classes:Greedy"):
        with pytest.raises(ConfigError, match="class: is"):
            program_of("x", {"class": wrong})


QUICK = {key: f"not tried: it answers too quickly to be {how}" for key, how in (("stop", "stopped"), ("hold", "held"))}
NO_REPEAT = {"same again": "not tried: it does not say that it repeats its moves"}
ZERO = "ZeroDivisionError: integer division or modulo by zero (line 45 of classes.py)"
MOVE_0, FIRST = "plays square 0 in", RULES.format_position(START)
LAST = "-------------O-----X-O-----XXO-----XOO-------O------------------ X; legal: g2, g4, g5, e6, g6, g7"
SILENT = dict.fromkeys(("time", "stop", "two at once", "same again"), "a search ends without an answer")
SILENT |= {"moves": "Silent finished its search without choosing a move", "hold": QUICK["hold"]}
FORGETFUL = QUICK | {"moves": f"expects a line that does not begin with its move in {FIRST}"}
FORGETFUL |= {"two at once": f"reports other moves than the legal ones in {LAST.partition(';')[0]}"}
STUBBORN = NO_REPEAT | {"stop": "a cancelled search gives an answer", "hold": "a paused search gives an answer"}
DEAF = {"time": "a search exceeds its limit of 0.05 s", "two at once": "two searches at the same time do not end"}
DEAF |= dict.fromkeys(("stop", "hold"), "a cancelled search goes on")


@pytest.mark.parametrize(
    ("name", "options", "broken"),
    [
        pytest.param("Greedy", "", QUICK, marks=pytest.mark.slow),
        pytest.param("Deaf", "depth=1", DEAF, marks=pytest.mark.slow),
        ("Stubborn", "", STUBBORN),
        ("Silent", "", SILENT),
        ("Forgetful", "", FORGETFUL),
        ("Fickle", "", QUICK | {"same again": "plays different moves with the same seed"}),
        ("Cheat", "", QUICK | {"moves": f"{MOVE_0} {FIRST}; legal: d3, c4, f5, e6", "two at once": f"{MOVE_0} {LAST}"}),
        ("Wrong", "what=raise", QUICK | NO_REPEAT | dict.fromkeys(("moves", "time", "stop", "two at once"), ZERO)),
    ],
)
def test_violations_of_the_contract_are_found(name: str, options: str, broken: dict[str, str]) -> None:
    config = configure("python", program=registered_class(name), class_options=options, in_process=True)
    timeout = 0.25 if name == "Deaf" else 10.0
    findings = list(ConformanceCheck(config, RULES, positions=5, timeout=timeout, pause=0.25).findings())
    assert {finding.part: finding.detail for finding in findings if not finding.is_kept} == broken
    untried = {finding.part for finding in findings if finding.is_kept is None}
    assert untried == {part for part, words in broken.items() if words.startswith("not tried: ")}


def test_a_game_that_is_not_played_is_no_violation() -> None:
    greedy, wrong = (configure("python", program=registered_class(one), in_process=True) for one in ("Greedy", "Wrong"))
    assert not list(ConformanceCheck(greedy, rules_of(game_spec("connect_four"))).findings())
    assert [finding.part for finding in ConformanceCheck(wrong, RULES).findings()] == ["starts"]
