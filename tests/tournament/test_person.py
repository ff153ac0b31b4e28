"""Tournaments in which a person plays."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from othello.config import Config, ExistingOutput, TournamentConfig
from othello.game import Game
from othello.play.referee import GameJob
from othello.players.player_registry import configure
from othello.records.record import GameRecord
from othello.records.results import ResultsReader
from othello.rules.protocol import Color
from othello.rules.registry import rules_of
from othello.tournament.background import (
    InteractiveExecutor,
)
from othello.tournament.executor import SerialExecutor
from othello.tournament.experiment import Experiment
from tests.positions import SPEC
from tests.tournament.game_records import timeless

PLAYERS = (configure("random", name="A"), configure("user"), configure("random", name="B"))


def config_for(file: Path) -> Config:
    return Config(PLAYERS, "tournament", seed=1, output_file=file, tournament=TournamentConfig(processes=1))


def won(job: GameJob, name: str = "user") -> GameRecord:
    """Return the record of a user's game whose opponent never moved."""
    black, white = (player.name for player in job.players)
    record = GameRecord.of(
        Game.new(rules_of(job.game)),
        (black, white),
        job.seed,
        (0.0, 0.0),
        ended=(Color.BLACK if black == name else Color.WHITE, "hangs"),
        game=job.number,
    )
    return replace(record, series=job.series, experiment=job.experiment)


def play_all(config: Config, most: int = 100) -> list[GameRecord]:
    """Win all games of the person at once, as far as `most` games go."""
    executor = InteractiveExecutor(lambda job, _: executor.answer(won(job)), SerialExecutor, max_lookahead=1)
    played = []
    games = Experiment(config).play(executor)
    for record in games:
        played.append(record)
        if len(played) == most:
            break
    games.close()
    executor.close()
    return played


def names(records: Iterable[GameRecord]) -> list[set[str]]:
    return [{record.black, record.white} for record in records]


def test_a_user_plays_first_and_decided_games_are_left_out(tmp_path: Path) -> None:
    played = play_all(config_for(tmp_path / "games.jsonl"))
    assert names(played[:4]) == [{"A", "user"}] * 2 + [{"user", "B"}] * 2
    assert all(pair == {"A", "B"} for pair in names(played[4:]))
    assert [record.game for record in played[:4]] == [1, 2, 7, 8]
    assert list(ResultsReader(tmp_path / "games.jsonl")) == played


@pytest.mark.parametrize("stopped_after", [1, 3, 5])
def test_resuming_after_any_game_gives_the_same_results(tmp_path: Path, stopped_after: int) -> None:
    whole = play_all(config_for(tmp_path / "whole.jsonl"))
    config = config_for(tmp_path / "games.jsonl")
    play_all(config, most=stopped_after)
    play_all(replace(config, existing_output=ExistingOutput.RESUME))
    assert timeless(whole) == timeless(ResultsReader(tmp_path / "games.jsonl"))


def test_a_person_is_asked_for_one_game_at_a_time() -> None:
    asked: list[GameJob] = []
    executor = InteractiveExecutor(lambda job, _: asked.append(job), SerialExecutor, max_lookahead=8)
    executor.submit(GameJob(1, 1, PLAYERS[:2], SPEC, seed=3))
    assert executor.free_slots == 0
    assert executor.collect(0.0) == []
    executor.answer(won(asked[0]))
    assert [(record.game, record.seed) for record in executor.collect(0.0)] == [(1, 3)]
    assert executor.free_slots == 1


def test_unnecessary_games_are_left_out(tmp_path: Path) -> None:
    config = replace(config_for(tmp_path / "games.jsonl"), players=PLAYERS[:2])
    experiment = Experiment(config)
    assert experiment.max_games == 3
    executor = InteractiveExecutor(lambda job, _: executor.answer(won(job)), SerialExecutor, max_lookahead=1)
    assert len(list(experiment.play(executor))) == 2
    assert experiment.max_games == 2
    resumed = Experiment(replace(config, existing_output=ExistingOutput.RESUME))
    assert not list(resumed.play(executor))
    assert resumed.max_games == 2
