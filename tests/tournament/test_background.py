"""A tournament in a thread, and tournaments in which the user plays."""

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from othello.config import Config, ExistingOutput, TournamentConfig
from othello.errors import OutputError, Reason
from othello.game import Game
from othello.play.referee import GameJob
from othello.players.player_registry import configure
from othello.records.record import GameRecord
from othello.records.results import ResultsReader, ResultsWriter
from othello.rules.protocol import Color
from othello.tournament.background import (
    BackgroundTournament,
    Event,
    GameFinished,
    InteractiveExecutor,
    PositionShown,
    StandingsShown,
    TournamentEnded,
)
from othello.tournament.executor import SerialExecutor
from othello.tournament.experiment import Experiment
from tests.positions import RULES, SPEC
from tests.tournament.game_records import PLAYERS, timeless
from tests.waiting import wait_until


def config_for(file: Path, repetitions: int) -> Config:
    form = TournamentConfig("paired", processes=1)
    return Config(PLAYERS[:2], "tournament", repetitions, seed=1, output_file=file, tournament=form)


@contextmanager
def started(config: Config) -> Iterator[BackgroundTournament]:
    with closing(BackgroundTournament(config)) as tournament:
        tournament.start()
        yield tournament


def watch(tournament: BackgroundTournament, until: type[Event]) -> list[Event]:
    """Return the events up to the first one of a type."""
    seen: list[Event] = []

    def has_come() -> bool:
        seen.extend(tournament.events())
        return any(isinstance(event, until) for event in seen)

    wait_until(has_come)
    return seen


def test_events_from_the_first_game_to_the_end(tmp_path: Path) -> None:
    with started(config_for(tmp_path / "games.jsonl", 10)) as tournament:
        seen = watch(tournament, TournamentEnded)
    assert seen[-1] == TournamentEnded()
    assert any(isinstance(event, PositionShown) for event in seen)
    records = [event.record for event in seen if isinstance(event, GameFinished)]
    assert records == list(ResultsReader(tmp_path / "games.jsonl"))
    assert len(records) == tournament.experiment.max_games == 20
    shown = [event.findings.games for event in seen if isinstance(event, StandingsShown)]
    assert (shown[0], shown[-1]) == (0, 20)


def test_pause_and_stop(tmp_path: Path) -> None:
    with started(config_for(tmp_path / "games.jsonl", 100_000)) as tournament:
        watch(tournament, GameFinished)
        tournament.control.pause()
        last = time.monotonic()

        def is_quiet() -> bool:
            nonlocal last
            if tournament.events():  # games under way are played to their end
                last = time.monotonic()
            return time.monotonic() > last + 0.5

        wait_until(is_quiet, 60.0)
        tournament.control.resume()
        watch(tournament, GameFinished)
    assert isinstance(tournament.events()[-1], TournamentEnded)


def test_errors_end_the_tournament_with_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: object, record: object) -> None:
        raise OutputError("the disk is full")

    monkeypatch.setattr(ResultsWriter, "append", fail)
    with started(config_for(tmp_path / "games.csv", 2)) as tournament:
        end = watch(tournament, TournamentEnded)[-1]
    assert end == TournamentEnded(broke_off=True, error=Reason("the disk is full"))


WITH_USER = (PLAYERS[0], configure("user"), PLAYERS[1])


def config_with_user(file: Path) -> Config:
    return Config(WITH_USER, "tournament", seed=1, output_file=file, tournament=TournamentConfig(processes=1))


def won_by_user(job: GameJob) -> GameRecord:
    """Return the record of a user's game whose opponent never moved."""
    black, white = (player.name for player in job.players)
    ended = (Color.BLACK if black == "user" else Color.WHITE, "hangs")
    record = GameRecord.of(Game.new(RULES), (black, white), job.seed, (0.0, 0.0), ended=ended, game=job.number)
    return replace(record, series=job.series, experiment=job.experiment)


def play_as_user(experiment: Experiment, max_games: int = 100) -> list[GameRecord]:
    """Play up to `max_games` games. The user wins at once."""
    executor = InteractiveExecutor(lambda job, _: executor.answer(won_by_user(job)), SerialExecutor, max_lookahead=1)
    with closing(executor), closing(experiment.play(executor)) as games:
        return list(islice(games, max_games))


def test_a_user_plays_first_and_decided_games_are_left_out(tmp_path: Path) -> None:
    played = play_as_user(Experiment(config_with_user(tmp_path / "games.jsonl")))
    names = [{record.black, record.white} for record in played]
    assert names[:4] == [{"A", "user"}] * 2 + [{"user", "B"}] * 2
    assert all(pair == {"A", "B"} for pair in names[4:])
    assert [record.game for record in played[:4]] == [1, 2, 7, 8]
    assert list(ResultsReader(tmp_path / "games.jsonl")) == played


@pytest.mark.parametrize("stopped_after", [1, 3, 5])
def test_resuming_after_any_game_gives_the_same_results(tmp_path: Path, stopped_after: int) -> None:
    whole = play_as_user(Experiment(config_with_user(tmp_path / "whole.jsonl")))
    config = config_with_user(tmp_path / "games.jsonl")
    play_as_user(Experiment(config), stopped_after)
    play_as_user(Experiment(replace(config, existing_output=ExistingOutput.RESUME)))
    assert timeless(whole) == timeless(ResultsReader(tmp_path / "games.jsonl"))


def test_a_user_gets_one_game_at_a_time() -> None:
    jobs: list[GameJob] = []
    executor = InteractiveExecutor(lambda job, _: jobs.append(job), SerialExecutor, max_lookahead=8)
    executor.submit(GameJob(1, 1, WITH_USER[:2], SPEC, seed=3))
    assert executor.free_slots == 0
    assert executor.collect(0.0) == []
    executor.answer(won_by_user(jobs[0]))
    assert [(record.game, record.seed) for record in executor.collect(0.0)] == [(1, 3)]
    assert executor.free_slots == 1
    executor.submit(GameJob(2, 1, (PLAYERS[0], PLAYERS[1]), SPEC, seed=3))
    assert executor.free_slots == 0


def test_the_number_of_games_falls_with_those_that_are_left_out(tmp_path: Path) -> None:
    config = replace(config_with_user(tmp_path / "games.jsonl"), players=WITH_USER[:2])
    experiment = Experiment(config)
    assert experiment.max_games == 3
    assert len(play_as_user(experiment)) == 2
    assert experiment.max_games == 2
    resumed = Experiment(replace(config, existing_output=ExistingOutput.RESUME))
    assert not play_as_user(resumed)
    assert resumed.max_games == 2
