"""Q-learning and Sarsa: updates by an episode, and a full table."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from othello.game import Game
from othello.players import learning_player
from othello.players.player import Player, choose
from othello.players.player_registry import configure, create_player
from othello.rules.protocol import GameSpec, Move, Rules
from othello.rules.registry import game_spec, rules_of
from othello.search.learner import Learner
from othello.search.report import MoveStats
from othello.search.stop import StopFlag
from othello.search.store import NOT_EXPANDED
from othello.search.value_tree import BEST_REPLY, OUTCOME, TAKEN_REPLY, LearningParameters
from tests.positions import line, random_game_of
from tests.simulators import set_root

SMALL = rules_of(game_spec("tictactoe", {}))
OTHELLO = rules_of(game_spec("othello", {}))
ULTIMATE = rules_of(game_spec("ultimate_tictactoe", {}))
LESSONS = LearningParameters(OUTCOME, 0.1, 0.05, 0.5, 1.0)
Line = tuple[int, ...]


def lines(learner: Learner) -> dict[Line, tuple[float, int]]:
    """Value and visits of every visited line of moves from the root."""
    fields = {name: field.tolist() for name, field in learner.snapshot().items()}

    def below(node: int, line: Line) -> Iterator[tuple[Line, tuple[float, int]]]:
        first, count = fields["first_edge"][node], fields["edges"][node]
        for child in range(first, first + (0 if count == NOT_EXPANDED else count)):
            if fields["visits"][child]:
                here = (*line, fields["edge_move"][child])
                yield here, (fields["value"][child], fields["visits"][child])
                yield from below(child, here)

    return dict(below(0, ()))


@pytest.mark.parametrize("target", [OUTCOME, BEST_REPLY, TAKEN_REPLY])
def test_updates_are_those_of_a_slow_learner(target: int) -> None:
    first_rate, last_rate, discount = 0.05, 0.5, 0.9
    learner = Learner(SMALL, LearningParameters(target, 0.3, first_rate, last_rate, discount), 10**5, keeps_all=True)
    set_root(learner, Game.new(SMALL))
    values: dict[Line, float] = {}
    before: dict[Line, tuple[float, int]] = {}
    for _ in range(60):
        assert learner.learn(1, StopFlag()) == 1
        after = lines(learner)
        path = sorted((moves for moves in after if after[moves][1] > before.get(moves, (0.0, 0))[1]), key=len)
        assert [*map(len, path)] == list(range(1, len(path) + 1))
        game = Game.new(SMALL).after(line(*path[-1]))
        assert game.outcome is not None
        result = 0 if game.outcome.winner is None else 1  # of the last move, which never loses
        last = len(path) - 1
        for depth in range(last, -1, -1):
            moves = path[depth]
            if target == OUTCOME or depth == last:
                goal = result * (-1.0) ** (last - depth)
            elif target == TAKEN_REPLY:
                goal = -discount * values[path[depth + 1]]
            else:
                goal = -discount * max(values.get((*moves, reply), 0.0) for reply in game.at(depth + 1).legal_moves())
            rate = first_rate * (last_rate / first_rate) ** (depth / last)
            values[moves] = values.get(moves, 0.0) + rate * (goal - values.get(moves, 0.0))
        assert {moves: value for moves, (value, _) in after.items()} == pytest.approx(values, abs=1e-5)
        before = after


def test_the_only_move_has_the_last_rate() -> None:
    learner = Learner(SMALL, LESSONS, 0, keeps_all=False)
    set_root(learner, Game.new(SMALL).after(line(0, 3, 1, 4, 5, 6, 7, 8)))
    learner.learn(1, StopFlag())
    assert learner.root_moves() == [MoveStats(Move(2), 1, 0.75)]  # halfway from even to won


@pytest.mark.parametrize("keeps_all", [True, False])
@pytest.mark.parametrize("rules", [SMALL, OTHELLO, ULTIMATE], ids=lambda rules: str(rules.name))
def test_a_full_table_still_has_every_move(rules: Rules[Any], keeps_all: bool) -> None:
    learner = Learner(rules, LESSONS, 0, keeps_all=keeps_all)
    draw = np.random.default_rng(1)
    for turn in range(4):
        game = Game.new(rules)
        if not keeps_all:
            learner.clear()
        while not game.is_over:
            set_root(learner, game, turn)
            assert learner.learn(40, StopFlag()) == 40
            moves = learner.root_moves()
            assert [stats.move for stats in moves] == list(game.legal_moves())
            assert sum(stats.visits for stats in moves) >= 40
            game = game.play(Move(int(draw.choice(game.legal_moves()))))


def passes(known: dict[Line, tuple[float, int]]) -> dict[Line, int]:
    """Return the number of episodes through each position."""
    totals: dict[Line, int] = {}
    for moves, (_, visits) in known.items():
        totals[moves[:-1]] = totals.get(moves[:-1], 0) + visits
    return totals


@pytest.mark.parametrize(("rules", "kept"), [(SMALL, 355), (OTHELLO, 3587), (ULTIMATE, 4482)])
def test_a_smaller_table_keeps_the_most_visited_lines(rules: Rules[Any], kept: int) -> None:
    author, reader = (Learner(rules, LESSONS, capacity, keeps_all=True) for capacity in (5_000_000, 0))
    set_root(author, Game.new(rules))
    author.learn(1000, StopFlag())
    all_lines = lines(author)
    reader.load_snapshot(author.snapshot())
    set_root(reader, Game.new(rules))
    known = lines(reader)
    assert known.items() <= all_lines.items()
    assert reader.nodes == kept < author.nodes
    assert reader.root_moves() == author.root_moves()
    rest, episodes = passes(known), passes(all_lines)
    assert min(episodes[moves] for moves in rest) > max(episodes[moves] for moves in episodes if moves not in rest)
    assert reader.learn(100, StopFlag()) == 100


def test_removing_nodes_ends_when_the_time_is_up_and_a_full_table_has_room_for_the_game() -> None:
    learner = Learner(OTHELLO, LESSONS, 0, keeps_all=True)
    set_root(learner, Game.new(OTHELLO))
    learner.learn(2000, StopFlag())
    full, stop = learner.nodes, StopFlag()
    stop.time_is_up()
    assert learner.learn(10, stop) == 1
    assert learner.nodes == full
    set_root(learner, random_game_of(OTHELLO, 0).at(40))
    assert learner.nodes > full
    set_root(learner, Game.new(OTHELLO))
    assert learner.learn(10, StopFlag()) == 10
    assert learner.nodes < 0.7 * full
    learner.learn(2000, StopFlag())
    assert len(learner.snapshot()["value"]) < 0.7 * full
    learner = Learner(SMALL, LESSONS, 0, keeps_all=True)
    set_root(learner, Game.new(SMALL))
    learner.learn(2000, StopFlag())
    for game in (random_game_of(SMALL, seed).at(6) for seed in range(4)):
        set_root(learner, game)
        assert [stats.move for stats in learner.root_moves()] == list(game.legal_moves()), "there is room for its path"
    assert learner.nodes < 500, "half of the table was dropped"


def test_removing_nodes_between_two_moves_ends_when_the_time_is_up() -> None:
    learner = Learner(OTHELLO, LESSONS, 500_000, keeps_all=False)
    game = Game.new(OTHELLO)
    set_root(learner, game)
    learner.learn(500, StopFlag())
    stop = StopFlag()
    stop.time_is_up()
    set_root(learner, game.play(game.legal_moves()[0]))
    assert learner.learn(10, stop) == 1
    assert [stats.move for stats in learner.root_moves()] == list(game.play(game.legal_moves()[0]).legal_moves())
    assert learner.nodes < 1000


def player_of(path: Path, name: str, spec: GameSpec, episodes: int) -> Player:
    return create_player(configure(name, learning_file=str(path), learning_episodes=episodes), spec)


@pytest.mark.parametrize("name", ["q_learning", "sarsa"])
def test_the_next_game_continues_with_the_learned_values(name: str, tmp_path: Path) -> None:
    path, game = tmp_path / "learned.npz", Game.new(SMALL)
    with player_of(path, name, SMALL.spec, 300) as player:
        before = choose(player, game)
        player.game_over(game)
    with np.load(path) as file:
        assert set(file) == {"header", "value", "visits", "first_edge", "edges", "edge_move"}
    with player_of(path, name, SMALL.spec, 20) as player:
        after = choose(player, game)
    assert sum(stats.visits for stats in before.moves) == 300
    assert sum(stats.visits for stats in after.moves) == 320


def test_matches_go_on_when_the_table_is_full(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(learning_player, "_MAX_NODES", 1000)
    for seed in range(2):
        with player_of(tmp_path / "learned.npz", "q_learning", ULTIMATE.spec, 30) as player:
            player.new_game(seed)
            game = Game.new(ULTIMATE)
            while not game.is_over:
                report = choose(player, game)
                assert [stats.move for stats in report.moves] == list(game.legal_moves())
                game = game.play(report.move)
            player.game_over(game)
