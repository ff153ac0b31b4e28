"""Games in other processes: the same games, even if processes die."""

import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from othello.config import Config, TournamentConfig
from othello.errors import OthelloError, PlayerError, TournamentError
from othello.game import AnyGame
from othello.play.referee import GameJob
from othello.tournament.executor import SerialExecutor
from othello.tournament.processes import ProcessExecutor
from othello.tournament.schedule import schedule
from othello.tournament.scheduler import RunControl, Scheduler, play
from tests.tournament.faulty_players import die_always, die_once, play_with_faulty_players
from tests.tournament.game_records import PLAYERS, play_all
from tests.waiting import wait_until

CONFIG = Config(PLAYERS, "tournament", game_repetitions=2, tournament=TournamentConfig("best_of_3"))


def test_two_processes_play_the_games_of_one() -> None:
    alone = play_all(SerialExecutor(), CONFIG)
    assert 12 <= len(alone) <= 18
    assert play_all(ProcessExecutor(2), CONFIG) == alone


def test_a_process_that_ends_loses_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHELLO_TEST_FOLDER", str(tmp_path))
    assert play_all(ProcessExecutor(2, play=die_once), CONFIG) == play_all(SerialExecutor(), CONFIG)
    assert list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_game_that_kills_every_process_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHELLO_TEST_FOLDER", str(tmp_path))
    with pytest.raises(TournamentError, match="game 1 with status 7"):
        play_all(ProcessExecutor(1, play=die_always), CONFIG)
    assert 1 < len(list(tmp_path.iterdir())) < 5


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
    with closing(ProcessExecutor(1, play=play_with_faulty_players)) as executor:
        games = play(Scheduler(schedule(config, 1), executor.max_lookahead), executor)
        assert (next(games).game, name == "forgets" and next(games).reason) == (1, name == "forgets" and "")
        with pytest.raises(error, match=f"game 2: {name} failed: .*{fault}"):
            next(games)


def test_a_game_that_ended_before_a_failure_has_a_record() -> None:
    jobs = [
        GameJob(number, 1, (replace(PLAYERS[0], name=name), PLAYERS[1]), CONFIG.game, seed=1)
        for number, name in ((1, "raises"), (2, "A"))
    ]
    with closing(ProcessExecutor(2, play=play_with_faulty_players)) as executor:
        assert executor.free_slots == 2
        for job in jobs:
            executor.submit(job)
        assert executor.free_slots == 0
        wait_until(lambda: all(worker.connection.poll() for worker in executor._workers))
        assert [record.game for record in executor.collect(0.0)] == [2]
        with pytest.raises(PlayerError, match="game 1: raises failed"):
            executor.collect(0.0)


def test_a_player_that_hangs_loses_and_the_tournament_goes_on() -> None:
    hanging = replace(PLAYERS[0], name="hangs", time_limit_seconds=0.5)
    form = TournamentConfig("paired", time_margin_seconds=0.5)
    config = replace(CONFIG, players=(hanging, PLAYERS[1]), game_repetitions=1, tournament=form)
    records = play_all(ProcessExecutor(2, play=play_with_faulty_players), config)
    assert [(record.winner_name, record.reason) for record in records] == [
        ("B", "black hangs; 0.5 s per move are allowed"),
        ("B", "white hangs; 0.5 s per move are allowed"),
    ]


@pytest.mark.slow
def test_a_player_that_hangs_with_a_clock_has_run_out_of_time() -> None:
    hanging = replace(PLAYERS[0], name="hangs", clock_seconds=0.05)
    config = replace(CONFIG, game_type="match", game_repetitions=1, players=(hanging, PLAYERS[1]))
    (record,) = play_all(ProcessExecutor(1, play=play_with_faulty_players), config)
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


def test_a_tournament_that_was_paused_is_completed() -> None:
    control, executor = RunControl(), SerialExecutor()
    games = play(Scheduler(schedule(CONFIG, 1), executor.max_lookahead), executor, control)
    next(games)
    control.pause()
    assert control.is_paused
    control.resume()
    assert len(list(games)) >= 11


def test_no_process_outlives_the_one_that_started_it(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(
        "import os\n"
        "from othello.tournament.processes import ProcessExecutor\n"
        "if __name__ == '__main__':\n"
        "    executor = ProcessExecutor(2)\n"
        "    print(*(child.process.pid for child in executor._workers), flush=True)\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    children = [int(word) for word in ran.stdout.split()]
    assert len(children) == 2
    wait_until(lambda: not any(map(is_running, children)))


def is_running(process: int) -> bool:
    return bool(psutil.pid_exists(process) and psutil.Process(process).status() != psutil.STATUS_ZOMBIE)
