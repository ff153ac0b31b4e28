"""One game: the same in every process, and no player loses because of an error of this program."""

import contextlib
import pickle
import re
from dataclasses import replace
from pathlib import Path

import pytest

from othello.config import Config, PlayerConfig
from othello.engine import engine, weights
from othello.errors import OthelloError, PlayerError, TournamentError, quoted
from othello.game import AnyGame, Game
from othello.play.referee import Fault, Forfeit, GameJob
from othello.play.start_positions import balanced_opening, opening_of
from othello.players.player import Player
from othello.players.player_registry import configure
from othello.records.record import GameRecord
from othello.records.results import ResultsReader, ResultsWriter
from othello.records.transcript import parse_transcript
from othello.rules.protocol import Color, GameSpec
from othello.rules.registry import game_spec, rules_of
from othello.tournament import executor
from othello.tournament.executor import RunningGame, play_game
from othello.tournament.schedule import schedule
from tests.positions import RULES, SPEC, random_game_of
from tests.rule_sets import few_specs
from tests.tournament.faulty_players import BEGINS_AT_PLY, FaultyPlayer, create_player, play_with_faulty_players

GOOD = configure("random", name="good")
SPECS = list(few_specs())


def play_and_close(live: RunningGame) -> None:
    play_with_faulty_players(live, None)
    live.close()


def duel(black: PlayerConfig, white: PlayerConfig, seed: int = 1) -> GameJob:
    return GameJob(number=4, series=2, players=(black, white), game=SPEC, seed=seed, experiment="5-abc")


def test_a_game_is_played_to_its_end() -> None:
    record = play_game(duel(GOOD, configure("random", name="other")))
    game = parse_transcript(record.transcript, RULES)
    assert game.outcome is not None
    assert (record.black_points, record.white_points) == (game.outcome.black, game.outcome.white)
    assert (record.game, record.series, record.seed, record.experiment) == (4, 2, 1, "5-abc")
    assert (record.black, record.white, record.reason) == ("good", "other", "")
    assert record.black_seconds > 0


def test_the_same_job_is_the_same_game() -> None:
    job = duel(GOOD, GOOD)
    assert pickle.loads(pickle.dumps(job)) == job
    assert play_game(job).transcript == play_game(pickle.loads(pickle.dumps(job))).transcript
    assert play_game(job).transcript != play_game(duel(GOOD, GOOD, seed=2)).transcript


def test_positions_are_shown_from_the_first_to_the_last() -> None:
    seen: list[AnyGame] = []
    record = RunningGame(duel(GOOD, GOOD)).play(seen.append)
    assert [game.ply for game in seen] == list(range(seen[-1].ply + 1))
    assert seen[-1].is_over
    assert parse_transcript(record.transcript, seen[-1].rules) == seen[-1]


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("foreign", "black failed: the program has gone"),
        ("slow", "s for a move; 0.05 s are allowed"),
    ],
)
def test_late_players_and_failing_external_programs_lose(fault: str, reason: str) -> None:
    faulty = configure("random", name=fault, time_limit_seconds=0.05)
    job = GameJob(number=1, series=1, players=(faulty, GOOD), game=SPEC, seed=3, time_margin_seconds=0.05)
    record = play_with_faulty_players(RunningGame(job), None)
    assert record.result == "white"
    assert reason in record.reason
    assert "\n" not in record.reason
    assert parse_transcript(record.transcript, RULES).ply == BEGINS_AT_PLY
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
    with pytest.raises(error, match=f"^game 4: {fault} failed: {re.escape(reason)}") as raised:
        play_and_close(live)
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
    made: list[Player] = []
    released: list[Player] = []

    def make(config: PlayerConfig, spec: GameSpec) -> Player:
        made.append(create_player(config, spec))
        return made[-1]

    def release(player: Player) -> None:
        released.append(player)

    monkeypatch.setattr(executor, "create_player", make)
    monkeypatch.setattr(FaultyPlayer, "release", release)
    with contextlib.suppress(OthelloError):
        play_game(duel(configure("random", name=kind, time_limit_seconds=0.01), GOOD))
    assert len(made) >= 2
    assert sorted(map(id, released)) == sorted(map(id, made))


def test_openings_are_set_for_both_and_do_not_depend_on_the_players() -> None:
    jobs = [
        GameJob(number=number, series=1, players=(GOOD, GOOD), game=SPEC, seed=4 * 5 + number, opening_plies=8)
        for number in (1, 2)
    ]
    first, second = (play_game(job) for job in jobs)
    assert first.opening_plies == 8
    assert first.transcript[:16] == second.transcript[:16]
    assert first.transcript != second.transcript


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_every_rule_set_is_played_and_recorded(spec: GameSpec, tmp_path: Path) -> None:
    config = Config((GOOD, configure("random", name="other")), game=spec)
    record = play_game(next(schedule(config, 1)).jobs[0])
    rules = rules_of(spec)
    assert record.spec == spec
    assert record.opening_plies == rules.random_opening_plies
    outcome = parse_transcript(record.transcript, rules).outcome
    assert outcome is not None
    assert record.winner is outcome.winner
    with ResultsWriter(tmp_path / "games.csv") as writer:
        writer.append(record)
    assert list(ResultsReader(tmp_path / "games.csv")) == [record]


@pytest.mark.parametrize("goal", ["most", pytest.param("fewest", marks=pytest.mark.slow)])
def test_random_openings_differ_from_game_to_game(goal: str) -> None:
    spec = game_spec(options={"start": "random", "goal": goal})
    config = Config((GOOD, configure("random", name="other")), game=spec, game_repetitions=6)
    openings = [opening_of(series.jobs[0]) for series in schedule(config, 1)]
    assert {opening.ply for opening in openings} == {8}
    assert len({opening.moves for opening in openings}) == 6
    assert openings == [opening_of(series.jobs[0]) for series in schedule(config, 1)]


@pytest.mark.parametrize("plies", [0, 1, 7, 8, 20])
def test_openings(plies: int) -> None:
    start = Game.new(RULES)
    openings = [balanced_opening(start, plies, seed) for seed in range(10)]
    assert all(game.ply == plies and not game.is_over for game in openings)
    assert openings == [balanced_opening(start, plies, seed) for seed in range(10)]
    if plies >= 7:
        assert len({game.moves for game in openings}) > 5


def test_the_side_to_move_after_an_opening_has_a_choice() -> None:
    lines = (random_game_of(RULES, seed) for seed in range(40))
    starts = [Game.new(RULES, line.at(ply).position) for line in lines for ply in range(40, line.ply - 1)]
    passes = [sum(start.play(move).must_pass for move in start.legal_moves()) for start in starts]
    mixed = [start for start, count in zip(starts, passes, strict=True) if 0 < count < len(start.legal_moves())]
    assert len(mixed) > 20
    assert not any(balanced_opening(start, 1, 1).must_pass for start in mixed[:20])


@pytest.mark.slow
def test_an_opening_on_a_large_board_is_drawn_quickly() -> None:
    """Six plies deep, where every move has two hundred replies, that took minutes."""
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
def test_a_records_reason_is_read_again(forfeit: Forfeit) -> None:
    ended, fault = (forfeit.winner, str(forfeit)), forfeit.fault.name.lower()
    record = GameRecord.of(Game.new(rules_of(game_spec())), ("a", "b"), 1, (0.0, 0.0), ended, fault=fault)
    assert Forfeit.of(record) == forfeit
    assert Forfeit.of(replace(record, fault="")) is None
