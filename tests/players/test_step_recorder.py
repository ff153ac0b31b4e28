"""Steps of searches: they are those of the player's own search, and their numbers add up."""

import math
from dataclasses import replace
from itertools import groupby, product
from typing import Any

import pytest

from othello.config import PlayerConfig
from othello.errors import PlayerError
from othello.game import AnyGame, Game
from othello.players.player import choose
from othello.players.player_registry import configure, create_player
from othello.players.step_recorder import record_steps
from othello.rules.registry import game_spec, rules_of
from othello.search.report import Line
from othello.search.steps import (
    Backup,
    Choice,
    ExitReason,
    Expansion,
    MoveSelection,
    NodeExit,
    NodeValue,
    Playout,
    Step,
    Update,
)
from othello.study.search_trace import row_of
from othello.study.step_text import text_of

SEED = 7
MCTS = ("mcts_uct", "mcts_ucb1", "mcts_grouping")
OPTIONS: tuple[dict[str, Any], ...] = (
    {"mcts_batch": 1},
    {"mcts_batch": 8, "mcts_playouts": 3, "mcts_tie_break": "random"},
    {"mcts_batch": 2, "mcts_solver": True, "mcts_playout_plies": 4, "mcts_root": "sequential_halving"},
    {"mcts_batch": 1, "mcts_solver": True, "mcts_final_move": "max_robust", "mcts_reuse_tree": True},
)


def game_of(name: str, plies: int = 0, **options: Any) -> AnyGame:
    game: AnyGame = Game.new(rules_of(game_spec(name, **options)))
    for _ in range(plies):
        game = game.play(game.legal_moves()[0])
    return game


def steps_of(config: PlayerConfig, game: AnyGame, **limits: Any) -> list[Step]:
    steps: list[Step] = []
    record_steps(config, game, SEED, steps.append, **limits)
    return steps


@pytest.mark.parametrize(("kind", "options"), [*product(MCTS, OPTIONS)])
def test_a_search_in_steps_is_the_players_own(kind: str, options: dict[str, Any]) -> None:
    config, game = configure(kind, simulation_count=60, **options), game_of("tictactoe", 2)
    with create_player(config, game.rules.spec) as player:
        player.new_game(SEED)
        if options.get("mcts_reuse_tree"):
            choose(player, game.at(0))
        expected = choose(player, game)
    steps: list[Step] = []
    report = record_steps(config, game, SEED, steps.append)
    assert report is not None
    assert replace(report, seconds=0.0) == replace(expected, seconds=0.0)
    simulations = {step[0] for step in steps}
    assert simulations == set(range(1, report.simulations + 1))
    last = {stats.move: stats.visits for stats in expected.moves}
    if kind != "mcts_grouping" and not options.get("mcts_reuse_tree"):
        backups = [step for step in steps if isinstance(step, Backup)]
        visits = {value.path[0]: value.visits for step in backups for value in step.nodes if len(value.path) == 1}
        assert visits == {move: count for move, count in last.items() if count}


def check_text(step: Step, game: AnyGame, config: PlayerConfig) -> None:
    text = text_of(step, game, config)
    assert row_of(step, game)
    assert text.sentence
    assert {len(row) for row in text.rows} <= {len(text.header)}


def check_simulation(steps: list[Step], game: AnyGame, values: dict[Line, NodeValue]) -> None:
    """Recompute choices, playouts and means of a simulation without the search."""
    line: Line = ()
    for step in steps:
        match step:
            case MoveSelection():
                assert step.path == line
                bounds = {}
                for move, edge in step.children.items():
                    spread = math.log(step.visits) / edge.visits
                    bonus = math.sqrt(2.0) * math.sqrt(spread)
                    if not math.isnan(edge.variance):
                        squares = (edge.wins + edge.draws / 4) / edge.visits
                        mean = (edge.wins + edge.draws / 2) / edge.visits
                        variance = squares - mean * mean + math.sqrt(2 * spread)
                        assert edge.variance == pytest.approx(variance, abs=1e-5)
                        bonus = math.sqrt(spread * min(0.25, variance))
                    assert edge.bonus == pytest.approx(bonus, abs=1e-5)
                    assert edge.mean == pytest.approx((edge.wins + edge.draws / 2) / edge.node_visits, abs=1e-6)
                    bounds[move] = edge.bound
                    assert edge.mean == pytest.approx(values[(*line, move)].mean, abs=1e-6)
                assert bounds[step.chosen] == max(bounds.values())
                line = (*line, step.chosen)
            case Expansion():
                assert step.path == line
                assert step.move in game.after(line).legal_moves()
                line = (*line, step.move)
            case Playout():
                end = game.after(step.path).after(step.moves)
                assert step.path == line
                assert end.outcome is not None
                points = 0.5 if end.outcome.winner is None else float(end.outcome.winner is game.position.to_move)
                assert step.result == points
                result = step.result
            case Backup():
                assert [value.path for value in step.nodes] == [line[:ply] for ply in range(len(line) + 1)]
                for value, before in zip(step.nodes, step.before, strict=True):
                    for_mover = result if len(value.path) % 2 else 1 - result
                    assert value.visits == before.visits + 1
                    points = before.mean * before.visits if before.visits else 0.0
                    assert value.mean * value.visits == pytest.approx(points + for_mover)
                    values[value.path] = value


@pytest.mark.parametrize(
    ("name", "kind"), [("tictactoe", "mcts_uct"), ("tictactoe", "mcts_ucb1"), ("othello", "mcts_uct")]
)
def test_numbers_of_simulations_can_be_recomputed(name: str, kind: str) -> None:
    game, config = game_of(name), configure(kind, simulation_count=120, mcts_solver=False)
    values: dict[Line, NodeValue] = {}
    for _, group in groupby(steps_of(config, game), key=lambda step: step[0]):
        steps = list(group)
        check_simulation(steps, game, values)
        for step in steps:
            check_text(step, game, config)


@pytest.mark.parametrize(("name", "kind"), [*product(("othello", "tictactoe"), MCTS)])
def test_playouts_end_as_the_search_counted(name: str, kind: str) -> None:
    game = game_of(name, 3)
    playouts = [step for step in steps_of(configure(kind, simulation_count=40), game) if isinstance(step, Playout)]
    assert playouts
    for step in playouts:
        outcome = game.after(step.path).after(step.moves).outcome
        assert outcome is not None
        winner = outcome.winner
        assert step.result == (0.5 if winner is None else float(winner is game.position.to_move))


@pytest.mark.parametrize("kind", ["mcts_uct", "q_learning"])
def test_a_part_of_a_search_has_the_steps_of_the_whole(kind: str) -> None:
    counts = {"learning_episodes": 30} if kind == "q_learning" else {"simulation_count": 30, "mcts_batch": 4}
    config, game = configure(kind, **counts), game_of("tictactoe")
    whole = steps_of(config, game)
    part = steps_of(config, game, first=9, last=12)
    assert [repr(step) for step in part] == [repr(step) for step in whole if 9 <= step[0] <= 12]


@pytest.mark.parametrize("name", ["othello", "tictactoe"])
def test_alphabeta_has_a_step_for_each_position_that_it_visits(name: str) -> None:
    game, steps = game_of(name, 1), list[Step]()
    config = configure("heuristic", depth=4)
    report = record_steps(config, game, SEED, steps.append)
    nodes = [step for step in steps if isinstance(step, NodeExit)]
    assert report is not None
    assert report.nodes == sum(1 for node in nodes if node.path)
    assert nodes[-1].path == ()
    assert nodes[-1].value == report.value
    below: dict[Line, list[NodeExit]] = {}
    for node in nodes:
        children = below.pop(node.path, [])
        if node.reason in (ExitReason.SEARCHED, ExitReason.CUT_OFF):
            assert node.value == max(-child.value for child in children)
            assert (node.reason is ExitReason.CUT_OFF) == (node.beta is not None and node.value >= node.beta)
        elif node.terms:
            assert node.value == sum(node.terms.values())
        if node.path:
            below.setdefault(node.path[:-1], []).append(node)
        check_text(node, game, config)


def test_updates_follow_from_their_numbers() -> None:
    config, game = configure("sarsa", learning_episodes=20, learning_epsilon=0.3), game_of("tictactoe")
    values: dict[Line, float] = {}
    for step in steps_of(config, game):
        if isinstance(step, Choice):
            assert step.explores == (step.random < 0.3)
        else:
            assert isinstance(step, Update)
            line = (*step.path, step.move)
            assert step.old == values.get(line, 0.0)
            assert step.new == pytest.approx(step.old + step.rate * (step.target - step.old), abs=1e-6)
            values[line] = step.new
        check_text(step, game, config)


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        (configure("random"), "cannot be shown step by step"),
        (configure("mcts_uct", search_threads=2), "several threads"),
    ],
)
def test_players_without_steps_are_refused(config: PlayerConfig, reason: str) -> None:
    with pytest.raises(PlayerError, match=reason):
        steps_of(config, game_of("tictactoe"))
