"""A tournament that is watched."""

import time
from dataclasses import replace
from pathlib import Path

import pytest

from othello.config import Config, ExistingOutput, TournamentConfig
from othello.errors import OutputError, Reason
from othello.players.player_registry import configure
from othello.records.results import ResultsReader, ResultsWriter
from othello.tournament.background import (
    BackgroundTournament,
    Event,
    GameFinished,
    PositionShown,
    StandingsShown,
    TournamentEnded,
)
from tests.tournament.game_records import PLAYERS


def config_for(file: Path, repetitions: int) -> Config:
    return Config(
        PLAYERS[:2],
        "tournament",
        game_repetitions=repetitions,
        seed=1,
        output_file=file,
        tournament=TournamentConfig("paired", processes=1),
    )


def watch(tournament: BackgroundTournament, until: type[Event]) -> list[Event]:
    seen: list[Event] = []
    deadline = time.monotonic() + 30
    while not any(isinstance(event, until) for event in seen):
        assert time.monotonic() < deadline
        time.sleep(0.01)
        seen += tournament.events()
    return seen


def test_events_from_the_first_game_to_the_end(tmp_path: Path) -> None:
    tournament = BackgroundTournament(config_for(tmp_path / "games.jsonl", 10))
    tournament.start()
    seen = watch(tournament, TournamentEnded)
    tournament.close()
    assert seen[-1] == TournamentEnded()
    assert any(isinstance(event, PositionShown) for event in seen)
    records = [event.record for event in seen if isinstance(event, GameFinished)]
    assert records == list(ResultsReader(tmp_path / "games.jsonl"))
    assert len(records) == tournament.experiment.max_games == 20
    shown = [event.findings.games for event in seen if isinstance(event, StandingsShown)]
    assert shown[0] == 0
    assert shown[-1] == 20


def test_pause_and_stop(tmp_path: Path) -> None:
    tournament = BackgroundTournament(config_for(tmp_path / "games.jsonl", 100_000))
    tournament.start()
    watch(tournament, GameFinished)
    tournament.control.pause()
    quiet_since, deadline = time.monotonic(), time.monotonic() + 60
    while time.monotonic() < quiet_since + 0.5:  # games under way are played to their end
        assert time.monotonic() < deadline
        time.sleep(0.05)
        if tournament.events():
            quiet_since = time.monotonic()
    tournament.control.resume()
    watch(tournament, GameFinished)
    tournament.close()
    assert isinstance(tournament.events()[-1], TournamentEnded)


def test_errors_end_the_tournament_with_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(self: object, record: object) -> None:
        raise OutputError("the disk is full")

    monkeypatch.setattr(ResultsWriter, "append", fails)
    tournament = BackgroundTournament(replace(config_for(tmp_path / "games.csv", 2)))
    tournament.start()
    assert watch(tournament, TournamentEnded)[-1] == TournamentEnded(broke_off=True, error=Reason("the disk is full"))
    tournament.close()


@pytest.mark.slow
def test_a_failing_player_ends_a_tournament_that_can_be_resumed(tmp_path: Path) -> None:
    file, folder = tmp_path / "games.jsonl", tmp_path / "trees"
    learner = configure("mcts_uct", name="C", simulation_count=1, mcts_tree_file=str(folder / "tree.npz"))
    config = replace(config_for(file, 1), players=(*PLAYERS[:2], learner))
    tournament = BackgroundTournament(config)
    tournament.start()
    end = watch(tournament, TournamentEnded)[-1]
    tournament.close()
    assert isinstance(end, TournamentEnded)
    assert end.broke_off
    assert str(end.error).startswith("game 3: C failed: ")
    assert [(record.game, record.reason) for record in ResultsReader(file)] == [(1, ""), (2, "")]
    folder.mkdir()
    tournament = BackgroundTournament(replace(config, existing_output=ExistingOutput.RESUME))
    tournament.start()
    assert watch(tournament, TournamentEnded)[-1] == TournamentEnded()
    tournament.close()
    assert [(record.game, record.reason) for record in ResultsReader(file)] == [(game, "") for game in range(1, 7)]
