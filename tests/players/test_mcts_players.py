"""The players with simulations: they agree with brute force, and follow the rule for the final move."""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from othello.config import PlayerConfig
from othello.game import Game
from othello.players import mcts_player
from othello.players.mcts_player import BATCH, SLICE, GroupingConfig, MctsConfig, batch_size, create_simulator
from othello.players.player import choose, move_seed
from othello.players.player_registry import configure, create_player
from othello.players.slicing_player import FINAL_MOVES, pick_move
from othello.records.transcript import parse_transcript
from othello.rules.protocol import Move
from othello.rules.registry import game_spec, rules_of
from othello.search.mcts import LANES
from othello.search.report import MoveStats
from othello.search.stop import StopFlag
from tests.minimax import results
from tests.player_factory import MCTS_TYPES, answer, fitting, game_at, marks_of, ready
from tests.positions import RULES, START, random_game, with_empties

EACH = pytest.mark.parametrize("player", MCTS_TYPES)


@EACH
def test_values_converge_to_the_result(player: str) -> None:
    position = with_empties(1, 5, seed=2)[0]
    report = answer(configure(player, simulation_count=50_000), position)
    assert report.value == pytest.approx((1 + max(results(position).values())) / 2, abs=0.05)


STATS = (
    MoveStats(Move(10), 50, 0.50),
    MoveStats(Move(20), 4, 0.80),
    MoveStats(Move(30), 30, 0.70),
    MoveStats(Move(40), 0, None),
)


@pytest.mark.parametrize(
    ("final_move", "move"),
    [("robust", 10), ("max", 20), ("max_robust", 10), ("secure", 30)],  # 0.5 - 0.14, 0.8 - 0.5, 0.7 - 0.18
)
@pytest.mark.parametrize("seed", range(5))
def test_each_rule_chooses_its_move(final_move: str, move: Move, seed: int) -> None:
    assert pick_move(STATS, final_move, np.random.SeedSequence(seed)) == move


@pytest.mark.parametrize("final_move", FINAL_MOVES)
def test_only_equal_moves_are_drawn(final_move: str) -> None:
    values = (10, 20, 0.6), (11, 9, 0.4), (12, 20, 0.6), (13, 0, None)
    stats = [MoveStats(Move(move), visits, value) for move, visits, value in values]
    drawn = [pick_move(stats, final_move, np.random.SeedSequence(seed)) for seed in range(60)]
    assert set(drawn) == {10, 12}
    assert drawn == [pick_move(stats, final_move, np.random.SeedSequence(seed)) for seed in range(60)]


@pytest.mark.parametrize("player", [*MCTS_TYPES, "sarsa"])
def test_the_first_of_equal_moves_is_played_with_the_option(player: str) -> None:
    options = {"simulation_count": 4, "learning_episodes": 4, "mcts_final_move": "max"}
    are_first = []
    for ties in ("first", "random"):
        reports = [answer(fitting(player, tie_break=ties, **options), START, seed) for seed in range(20)]
        firsts = [max(report.moves, key=lambda move: -1.0 if move.value is None else move.value) for report in reports]
        are_first.append([report.move == first.move for report, first in zip(reports, firsts, strict=True)])
    assert all(are_first[0])
    assert not all(are_first[1])


@EACH
def test_max_robust_continues_while_the_moves_differ(player: str) -> None:
    searching_on = fitting(player, simulation_count=100, grouping_opening_plies=0, mcts_final_move="max_robust")
    seen = set()
    for position in with_empties(20, 30):
        moves = answer(fitting(player, simulation_count=100, grouping_opening_plies=0), position).moves
        most = max(stats.visits for stats in moves)
        highest = max(stats.value or 0.0 for stats in moves)
        agree = any((stats.visits, stats.value) == (most, highest) for stats in moves)
        report = answer(searching_on, position)
        assert report.simulations == 100 if agree else 100 < report.simulations <= 150
        assert sum(stats.visits for stats in report.moves) == report.simulations
        seen.add(agree)
    assert seen == {False, True}


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(config, marks=marks_of(config), id=f"{kind}-{name}")
        for kind, (name, value) in product(MCTS_TYPES, {"mcts_tie_break": "random", "mcts_playout_plies": 2}.items())
        for config in [fitting(kind, simulation_count=500, **{name: value})]
    ],
)
def test_equal_moves_are_drawn_and_playouts_are_cut_with_the_option(other: PlayerConfig) -> None:
    position = with_empties(1, 8)[0]
    first = answer(fitting(other.player_type, simulation_count=500), position)
    usual = fitting(other.player_type, simulation_count=500, mcts_tie_break="first")
    assert first.moves == answer(usual, position).moves
    assert answer(other, position).moves == answer(other, position).moves != first.moves


@pytest.mark.parametrize("threads", [1, 3])
def test_sequential_halving_visits_the_chosen_move_most(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcts_player, "SLICE", 40)
    options = {"mcts_root": "sequential_halving", "mcts_final_move": "secure", "mcts_playouts": 2}
    for position in with_empties(3, 40):
        player = ready(configure("mcts_uct", search_threads=threads, **options))
        *earlier, report = player.think(game_at(position), StopFlag())
        assert np.diff([each.simulations for each in earlier]).min() >= 40, "at least a slice between two reports"
        most = sorted(stats.visits for stats in report.moves)
        assert sum(most) == 2 * report.simulations == 600
        assert next(stats for stats in report.moves if stats.move == report.move).visits >= most[-2] - 2 * threads
        assert most[-1] > 3 * most[0]


def test_sequential_halving_shares_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = []

    @contextmanager
    def at_once(seconds: float | None, stop: StopFlag) -> Iterator[None]:
        if seconds is not None:
            ends.append(seconds)
            stop.time_is_up()
        yield

    monkeypatch.setattr(mcts_player, "Deadline", at_once)
    position = with_empties(1, 40)[0]
    moves, count = len(RULES.legal_moves(position)), 20_000
    rounds = math.ceil(math.log2(moves))
    config = configure("mcts_uct", mcts_root="sequential_halving", time_limit_seconds=600.0, simulation_count=count)
    report = answer(config, position)
    assert ends == pytest.approx([600 * number / rounds for number in range(1, rounds)], abs=60)
    assert report.simulations == count
    assert sorted(stats.visits for stats in report.moves)[-3] < BATCH * rounds


def test_sequential_halving_plays_a_proven_win_and_no_proven_loss() -> None:
    rules = rules_of(game_spec("tictactoe"))
    for moves, best in (("a1 b1 a2 b2", "a3"), ("a1 b2 a2", "a3"), ("a1 b2 c3 b1", "b3")):
        game = parse_transcript(moves, rules, rules.start())
        for count in (9, 30, 300):
            config = configure("mcts_uct", mcts_root="sequential_halving", simulation_count=count)
            player = create_player(config, rules.spec)
            assert rules.move_text(game.position, choose(player, game).move) == best or count < 30


@pytest.mark.parametrize("simulations", [1, 2, 31, 32, 63, 64, 300, 511, 512, 1000, 10**4, 10**9])
def test_a_batch_is_a_small_part_of_the_whole(simulations: int) -> None:
    assert BATCH <= LANES
    size = batch_size(simulations)
    assert 1 <= size <= BATCH
    assert size & size - 1 == 0
    assert size == 1 or 32 * size <= simulations
    assert size == BATCH or 64 * size > simulations


def test_grouping_searches_less_in_the_opening() -> None:
    config = GroupingConfig("mcts_grouping", simulation_count=300)
    game = random_game(1)
    assert [config.simulations_for(RULES, game[ply]) for ply in (0, 11, 12, 59)] == [210, 210, 300, 300]
    other = replace(config, grouping_opening_plies=3, grouping_opening_share=0.001)
    assert [other.simulations_for(RULES, game[ply]) for ply in (0, 2, 3)] == [1, 1, 300]
    small = rules_of(game_spec("tictactoe"))
    assert config.simulations_for(small, small.start()) == 300
    for player in ("mcts_uct", "mcts_ucb1"):
        assert answer(configure(player, simulation_count=300), START).simulations == 300
    assert answer(config, START).simulations == 210


@EACH
@pytest.mark.parametrize(
    ("count", "playouts"), [(1, 1), (2, 1), (10, 1), (300, 1), (3000, 1), (200, 3), (200, 16), (200, 40), (50, 1000)]
)
def test_there_is_room_for_the_simulations_and_playouts_of_a_move(player: str, count: int, playouts: int) -> None:
    batch = {"mcts_batch": 64} if playouts == 1000 else {}
    config = fitting(player, simulation_count=count, mcts_playouts=playouts, grouping_opening_plies=0, **batch)
    for empties in (60, 40, 6):
        report = answer(config, START if empties == 60 else with_empties(1, empties)[0])
        assert report.simulations == count
        assert sum(stats.visits for stats in report.moves) == playouts * count
        assert all(stats.visits % playouts == 0 for stats in report.moves)
        assert report.nodes > count / 2 or empties == 6


def test_the_game_decides_whether_proofs_are_used() -> None:
    for solver, expected in ((None, (False, True)), (True, (True, True)), (False, (False, False))):
        config = configure("mcts_uct", mcts_solver=solver)
        assert isinstance(config, MctsConfig)
        assert (config.proves(RULES), config.proves(rules_of(game_spec("tictactoe")))) == expected


@EACH
def test_a_batch_has_the_size_of_the_option(player: str) -> None:
    position = with_empties(1, 40)[0]

    def moves(count: int, **batch: int) -> Sequence[MoveStats]:
        return answer(fitting(player, simulation_count=count, grouping_opening_plies=0, **batch), position).moves

    assert moves(300) == moves(300, mcts_batch=batch_size(300)) != moves(300, mcts_batch=1)
    assert moves(300, mcts_batch=64) != moves(300, mcts_batch=63)


@pytest.mark.slow
@EACH
def test_slices_have_whole_batches(player: str) -> None:
    config, game = fitting(player, simulation_count=2 * SLICE, mcts_batch=63), Game.new(RULES, with_empties(1, 40)[0])
    assert isinstance(config, MctsConfig)
    search = create_simulator(config, RULES)
    search.set_root((), RULES.kernel_state(with_empties(1, 40)[0]), move_seed(1, game).spawn(2)[0])
    count = config.simulations_for(RULES, game.position)
    assert search.simulate(count, 63, StopFlag()) == count > SLICE
    assert answer(config, with_empties(1, 40)[0]).moves == tuple(search.root_moves())


@EACH
@pytest.mark.parametrize("threads", [1, 4, 16, 64])
def test_memory_and_visits_are_limited_for_all_threads_together(player: str, threads: int) -> None:
    config = configure(player, simulation_count=10**9, search_threads=threads)
    assert isinstance(config, MctsConfig)
    assert 2**29 < create_simulator(config, RULES).memory <= 2**30
    playouts = replace(config, mcts_playouts=1000)
    assert 10**9 < 1000 * playouts.simulations_for(RULES, START) <= 4 * 10**9, "visits are counted in 32 bits"
    assert 2**25 < create_simulator(replace(config, mcts_memory_mb=64), RULES).memory <= 2**26


@EACH
def test_exploration_is_taken_from_the_config(player: str) -> None:
    position = with_empties(1, 40)[0]
    little, much = (answer(fitting(player, simulation_count=2000, mcts_exploration=c), position) for c in (0.1, 5.0))
    spread = [max(stats.visits for stats in report.moves) for report in (little, much)]
    assert spread[0] == spread[1] if player == "mcts_ucb1" else spread[0] > 1.5 * spread[1]
