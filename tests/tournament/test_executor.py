"""Games in this process and in others: the same games, whatever processes and players do."""

import pickle
import re
import subprocess
import sys
from contextlib import closing, suppress
from dataclasses import replace
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from unittest.mock import ANY, MagicMock, Mock, call

import psutil
import pytest

from othello.config import Config, PlayerConfig, TournamentConfig
from othello.engine import engine, weights
from othello.errors import OthelloError, PlayerError, TournamentError, quoted
from othello.game import AnyGame, Game
from othello.play.referee import Fault, Forfeit, GameJob
from othello.play.start_positions import balanced_opening, opening_of
from othello.players.player import Player
from othello.players.player_registry import configure
from othello.records.record import GameRecord
from othello.records.transcript import parse_transcript
from othello.rules.protocol import Color, GameSpec
from othello.rules.registry import game_spec, rules_of
from othello.tournament import executor as executor_module, processes
from othello.tournament.executor import RunningGame, SerialExecutor, play_game
from othello.tournament.processes import ProcessExecutor
from othello.tournament.schedule import schedule
from othello.tournament.scheduler import RunControl, Scheduler, play
from tests.positions import RULES, SPEC, random_game_of
from tests.tournament import faulty_players
from tests.tournament.game_records import PLAYERS, play_all
from tests.waiting import wait_until

GOOD = configure("random", name="good")


def duel(black: PlayerConfig, white: PlayerConfig, seed: int = 1) -> GameJob:
    return GameJob(number=4, series=2, players=(black, white), game=SPEC, seed=seed, experiment="5-abc")


def test_a_game_is_played_and_shown_to_its_end() -> None:
    seen: list[AnyGame] = []
    record = RunningGame(duel(GOOD, configure("random", name="other"))).play(seen.append)
    game = parse_transcript(record.transcript, RULES)
    assert [game.at(ply) for ply in range(game.ply + 1)] == seen
    assert game.outcome is not None
    assert (record.black_points, record.white_points) == (game.outcome.black, game.outcome.white)
    assert (record.game, record.series, record.seed, record.experiment) == (4, 2, 1, "5-abc")
    assert (record.black, record.white, record.reason) == ("good", "other", "")
    assert record.black_seconds > 0


@pytest.mark.parametrize(
    ("fault", "reason"),
    [("foreign", "black failed: the program has gone"), ("slow", "s for a move; 0.05 s are allowed")],
)
def test_late_players_and_failing_external_programs_lose(fault: str, reason: str) -> None:
    faulty = configure("random", name=fault, time_limit_seconds=0.05)
    job = GameJob(number=1, series=1, players=(faulty, GOOD), game=SPEC, seed=3, time_margin_seconds=0.05)
    record = faulty_players.play(RunningGame(job), None)
    assert record.result == "white"
    assert reason in record.reason
    assert "\n" not in record.reason
    assert parse_transcript(record.transcript, RULES).ply == faulty_players.BEGINS_AT_PLY
    assert (record.black_seconds > 0.2) == (fault == "slow")


@pytest.mark.parametrize(
    ("fault", "error", "reason"),
    [
        ("raises", PlayerError, "ZeroDivisionError: by zero, of course"),
        ("illegal", PlayerError, "answered with d4, which is not legal; legal: "),
        ("nonsense", PlayerError, "TypeError"),
        ("silent", PlayerError, "silent finished its search without choosing a move"),
        ("cannot be made", PlayerError, "RuntimeError: no such engine"),
        ("forgets", PlayerError, "ValueError: nothing is kept"),
        ("full", TournamentError, "the disk is full"),
        ("unreadable", TournamentError, "learned.npz: is no tree"),
    ],
)
def test_a_failing_player_is_one_error_and_loses_no_game(fault: str, error: type[OthelloError], reason: str) -> None:
    live = RunningGame(duel(GOOD, configure("random", name=fault)))
    with pytest.raises(error, match=f"^game 4: {fault} failed: {re.escape(reason)}") as raised, closing(live):
        faulty_players.play(live, None)
    assert type(raised.value) is error
    assert "\n" not in str(raised.value)
    assert live.referee.forfeit is None
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)


def test_damaged_weights_lose_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "weights.bin"
    file.write_bytes(b"othello weights 1\n")
    monkeypatch.setattr(engine, "shipped_weights", lambda: weights.load(file))
    with pytest.raises(TournamentError, match=r"weights.bin: is damaged"):
        play_game(duel(GOOD, configure("engine", name="engine 1", level=1)))


@pytest.mark.parametrize("kind", ["good", "raises", pytest.param("slow", marks=pytest.mark.slow), "unreadable"])
def test_every_player_is_released_once(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made, released = list[Player](), list[Player]()

    def make(config: PlayerConfig, spec: GameSpec) -> Player:
        made.append(faulty_players.create_player(config, spec))
        return made[-1]

    def release(player: Player) -> None:
        released.append(player)

    monkeypatch.setattr(executor_module, "create_player", make)
    monkeypatch.setattr(faulty_players.FaultyPlayer, "release", release)
    with suppress(OthelloError):
        play_game(duel(configure("random", name=kind, time_limit_seconds=0.01), GOOD))
    assert len(made) >= 2
    assert sorted(map(id, released)) == sorted(map(id, made))


def test_games_of_a_series_have_one_random_opening() -> None:
    first, second = (play_game(replace(duel(GOOD, GOOD, seed=20 + number), opening_plies=8)) for number in (1, 2))
    assert (first.opening_plies, first.transcript[:16]) == (8, second.transcript[:16])
    assert first.transcript != second.transcript


@pytest.mark.parametrize("goal", ["most", pytest.param("fewest", marks=pytest.mark.slow)])
def test_random_openings_differ_from_game_to_game(goal: str) -> None:
    spec = game_spec(options={"start": "random", "goal": goal})
    config = Config((GOOD, configure("random", name="other")), game=spec, game_repetitions=6)
    openings = [opening_of(series.jobs[0]) for series in schedule(config, 1)]
    assert {opening.ply for opening in openings} == {8}
    assert len({opening.moves for opening in openings}) == 6


@pytest.mark.parametrize("plies", [0, 1, 8, 20])
def test_a_seed_draws_an_opening_of_some_plies(plies: int) -> None:
    first, again = ([balanced_opening(Game.new(RULES), plies, seed) for seed in range(8)] for _ in range(2))
    assert all(game.ply == plies and not game.is_over for game in first)
    assert first == again
    assert len({game.moves for game in first}) > 5 or plies < 8


def test_the_side_to_move_after_an_opening_has_a_choice() -> None:
    lines = (random_game_of(RULES, seed) for seed in range(40))
    starts = [Game.new(RULES, line.at(ply).position) for line in lines for ply in range(40, line.ply - 1)]
    passes = [sum(start.play(move).must_pass for move in start.legal_moves()) for start in starts]
    mixed = [start for start, count in zip(starts, passes, strict=True) if 0 < count < len(start.legal_moves())]
    assert len(mixed) > 20
    assert not any(balanced_opening(start, 1, 1).must_pass for start in mixed[:20])


@pytest.mark.slow
def test_an_opening_on_a_large_board_is_drawn_quickly() -> None:
    """A search six plies deep would take minutes: every move has two hundred replies."""
    opening = balanced_opening(Game.new(rules_of(game_spec("tictactoe", {"size": 15}))), 4, 1)
    assert opening.ply == 4


@pytest.mark.parametrize(
    "forfeit",
    [
        Forfeit(Color.BLACK, Fault.TOO_SLOW, 1.25, 0.5),
        Forfeit(Color.WHITE, Fault.OUT_OF_TIME),
        Forfeit(Color.WHITE, Fault.HANGS, allowed=12),
        Forfeit(Color.BLACK, Fault.FAILED, reason=quoted("ValueError: {x} (y)")),
    ],
)
def test_a_forfeit_is_read_from_its_record(forfeit: Forfeit) -> None:
    ended, fault = (forfeit.winner, str(forfeit)), forfeit.fault.name.lower()
    record = GameRecord.of(Game.new(RULES), ("a", "b"), 1, (0.0, 0.0), ended, fault=fault)
    assert Forfeit.of(record) == forfeit
    assert Forfeit.of(replace(record, fault="")) is None


def learner(file: Path) -> PlayerConfig:
    return configure("mcts_uct", name="learner", simulation_count=20, mcts_tree_file=str(file))


def test_a_record_survives_learned_values_that_cannot_be_written(tmp_path: Path) -> None:
    executor = SerialExecutor()
    (tmp_path / "folder").touch()
    executor.submit(GameJob(1, 1, (learner(tmp_path / "folder" / "tree.npz"), GOOD), SPEC, seed=1))
    with pytest.raises(TournamentError, match=r"game 1: learner failed: .* there is no folder"):
        executor.collect(0.0)  # known before the first move
    executor.submit(GameJob(1, 1, (learner(tmp_path / "gone" / "tree.npz"), GOOD), SPEC, seed=1))
    (tmp_path / "gone").mkdir()
    records = executor.collect(0.0)
    (tmp_path / "gone").rmdir()
    (tmp_path / "gone").touch()  # a folder that is only missing would be made again
    assert [record.game for record in records] == [1]
    with pytest.raises(TournamentError, match=r"game 1: learner failed: .* could not be saved"):
        executor.close()


def test_learned_values_are_saved_if_the_opponent_forfeits(tmp_path: Path) -> None:
    file = tmp_path / "tree.npz"
    executor = SerialExecutor()
    executor.submit(GameJob(1, 1, (learner(file), configure("random", name="late", clock_seconds=1e-9)), SPEC, seed=1))
    assert [record.reason for record in executor.collect(0.0)] == ["white has run out of time"]
    assert not file.exists()
    executor.close()
    assert file.exists()


CONFIG = Config(PLAYERS, "tournament", game_repetitions=2, tournament=TournamentConfig("best_of_3"))


def test_two_processes_play_the_games_of_one_even_if_they_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHELLO_TEST_FOLDER", str(tmp_path))
    alone = play_all(SerialExecutor(), CONFIG)
    assert 12 <= len(alone) <= 18
    for play_game_of in (RunningGame.play, faulty_players.die_once):
        assert play_all(ProcessExecutor(2, play=play_game_of), CONFIG) == alone
    assert list(tmp_path.iterdir())


def test_a_process_that_ends_is_replaced_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    others, seen, game = list[Connection](), list[AnyGame](), Game.new(RULES)
    quick = replace(play_game(duel(GOOD, GOOD)), black_seconds=0.1, white_seconds=0.0)

    def start(*words: object) -> tuple[Mock, Connection]:
        assert words == ("othello-games", processes._work, faulty_players.play, True, False)
        ours, other = Pipe()
        others.append(other)
        return Mock(exitcode=7), ours

    monkeypatch.setattr(processes, "start_process", start)
    executor = ProcessExecutor(1, lambda _, game: seen.append(game), faulty_players.play)
    executor.submit(duel(GOOD, GOOD))
    for news in ((4, game), (3, quick), (4, quick), (4, game)):  # the answer to game 3 comes too late
        others[0].send(news)
    assert [executor.collect(1.0) for _ in range(4)] == [[], [], [quick], []]
    assert (seen, executor.free_slots) == ([game], 2), "a process that plays quickly gets two games"
    others.pop().close()
    assert executor.collect(1.0) == []
    for number in (5, 6):
        executor.submit(replace(duel(GOOD, GOOD), number=number))
    for deaths in range(2):
        others[deaths].close()
        assert executor.collect(1.0) == []
        assert [others[-1].recv().number for _ in range(2)] == [5, 6]
    others[2].close()
    for named in ("game 5 with status 7", "before its first game with status 7"):
        with pytest.raises(TournamentError, match=named):
            executor.collect(1.0)
        executor = ProcessExecutor(1, Mock(), faulty_players.play)
        others[-1].close()  # before it has played


def test_a_process_sends_what_happens_in_its_games(monkeypatch: pytest.MonkeyPatch) -> None:
    connection, game, error = MagicMock(), Game.new(RULES), PlayerError("lost")
    connection.recv.side_effect = duel(GOOD, GOOD), replace(duel(GOOD, GOOD), number=5)
    monkeypatch.setattr(processes, "logging", logs := MagicMock())
    monkeypatch.setattr(processes, "threading", threads := MagicMock())
    monkeypatch.setattr(processes, "time", Mock(monotonic=Mock(side_effect=(1.0, 1.04, 1.0625, 2.0))))

    def play(live: RunningGame, show: Any) -> Any:
        for _ in range(3 if live.job.number == 4 else 1):
            show(game)
        if live.job.number == 5:
            raise error
        return "record"

    processes._work(connection, play, True, True)
    sent = [each.args[0] for each in connection.send.mock_calls]
    assert sent == [(4, game), (4, game), (4, "record"), (5, game), (5, error)]
    assert logs.mock_calls == [call.getLogger("othello"), call.getLogger().setLevel(logs.ERROR)]
    assert threads.Thread.mock_calls == [call(target=ANY, daemon=True), call().start()]


def test_a_process_ends_with_its_parent_or_its_hanging_player(monkeypatch: pytest.MonkeyPatch) -> None:
    connection, system, parent, live = Mock(), Mock(), Mock(), Mock()
    for name, fake in (("os", system), ("time", Mock()), ("multiprocessing", Mock(parent_process=lambda: parent))):
        monkeypatch.setattr(processes, name, fake)
    parent.is_alive.side_effect = True, True, True, False
    live.timeout_record.side_effect, live.job.number = (None, "lost"), 4
    outbox = processes._Outbox(connection)
    for outbox.live, exits in ((live, 1), (None, 2)):
        outbox.guard()
        assert (connection.mock_calls, system.mock_calls) == ([call.send((4, "lost"))], [call._exit(1)] * exits)
    assert live.timeout_record.mock_calls == [call(2.0)] * 2


@pytest.mark.parametrize(
    ("name", "error", "fault"),
    [
        pytest.param("unreadable", TournamentError, "is no tree", marks=pytest.mark.slow),
        pytest.param("damaged", TournamentError, "weights.bin: is damaged", marks=pytest.mark.slow),
        ("raises", PlayerError, "ZeroDivisionError"),
        ("forgets", PlayerError, "nothing is kept"),
    ],
)
def test_a_failing_player_ends_the_games_and_loses_none(name: str, error: type[OthelloError], fault: str) -> None:
    """The failing player has no part in the first game, whose record is yielded."""
    config = replace(CONFIG, players=(PLAYERS[0], PLAYERS[1], replace(PLAYERS[2], name=name)), game_repetitions=1)
    config = replace(config, tournament=TournamentConfig("round_robin", games_per_pair=1))
    with closing(ProcessExecutor(1, play=faulty_players.play)) as executor:
        games = play(Scheduler(schedule(config, 1), executor.max_lookahead), executor)
        assert (next(games).game, name == "forgets" and next(games).reason) == (1, name == "forgets" and "")
        with pytest.raises(error, match=f"game 2: {name} failed: .*{fault}"):
            next(games)


def test_a_game_that_ended_before_a_failure_has_a_record() -> None:
    with closing(ProcessExecutor(2, play=faulty_players.play)) as executor:
        assert executor.free_slots == 2
        for number, name in ((1, "raises"), (2, "A")):
            executor.submit(GameJob(number, 1, (replace(PLAYERS[0], name=name), PLAYERS[1]), SPEC, seed=1))
        assert executor.free_slots == 0
        wait_until(lambda: all(worker.connection.poll() for worker in executor._workers))
        assert [record.game for record in executor.collect(0.0)] == [2]
        with pytest.raises(PlayerError, match="game 1: raises failed"):
            executor.collect(0.0)


def test_a_player_that_hangs_loses_and_the_tournament_goes_on() -> None:
    hanging = replace(PLAYERS[0], name="hangs", time_limit_seconds=0.2)
    form = TournamentConfig("paired", time_margin_seconds=0.2)
    config = replace(CONFIG, players=(hanging, PLAYERS[1]), game_repetitions=1, tournament=form)
    records = play_all(ProcessExecutor(2, play=faulty_players.play), config)
    assert [(record.winner_name, record.reason) for record in records] == [
        ("B", "black hangs; 0.2 s per move are allowed"),
        ("B", "white hangs; 0.2 s per move are allowed"),
    ]


@pytest.mark.slow
def test_a_player_that_hangs_with_a_clock_has_run_out_of_time() -> None:
    hanging = replace(PLAYERS[0], name="hangs", clock_seconds=0.05)
    config = replace(CONFIG, game_type="match", game_repetitions=1, players=(hanging, PLAYERS[1]))
    (record,) = play_all(ProcessExecutor(1, play=faulty_players.play), config)
    assert record.reason == "black has run out of time"


def test_games_can_be_watched() -> None:
    seen: dict[int, int] = {}

    def watch(job: GameJob, game: AnyGame) -> None:
        assert game.ply >= seen.get(job.number, 0)
        seen[job.number] = game.ply

    records = play_all(ProcessExecutor(1, watcher=watch), CONFIG)
    assert seen
    assert set(seen) <= {record.game for record in records}


def test_a_tournament_can_be_stopped() -> None:
    control = RunControl()
    with closing(ProcessExecutor(1)) as executor:
        games = play(Scheduler(schedule(CONFIG, 1), executor.max_lookahead), executor, control)
        next(games)
        control.stop()
        assert len(list(games)) < 12


def test_no_process_outlives_the_one_that_started_it(tmp_path: Path) -> None:
    script = """
import os
from othello.tournament.processes import ProcessExecutor
if __name__ == "__main__":
    executor = ProcessExecutor(2)
    print(*(child.process.pid for child in executor._workers), flush=True)
    os.kill(os.getpid(), 9)
"""
    (tmp_path / "parent.py").write_text(script)
    ran = subprocess.run([sys.executable, tmp_path / "parent.py"], capture_output=True, text=True, check=False)
    children = [int(word) for word in ran.stdout.split()]
    assert len(children) == 2
    wait_until(lambda: all(not psutil.pid_exists(n) or psutil.Process(n).status() == "zombie" for n in children))
