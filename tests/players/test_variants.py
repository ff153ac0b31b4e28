"""Moves of players by unusual rules, against plain minimax."""

from itertools import product
from typing import Any

import pytest

from othello.config import PlayerConfig
from othello.game import Game
from othello.players.player import final_report
from othello.players.player_registry import configure
from othello.rules.othello import OthelloPosition
from othello.rules.protocol import Rules
from othello.rules.registry import game_spec, rules_of
from othello.search.report import SearchReport
from othello.search.stop import StopFlag
from tests.minimax import final_differences, move_values, positional_score
from tests.player_factory import MCTS_TYPES, ready
from tests.positions import RULES, random_game_of, with_empties
from tests.rule_sets import names

VARIANTS = [
    rules_of(game_spec(options={"no_legal_move": no_move, "goal": goal, "start": start}))
    for no_move, goal, start in product(("pass", "game_over"), ("most", "fewest"), ("standard", "reversi"))
] + [
    rules_of(game_spec(options={"size": 6})),
    rules_of(game_spec(options={"size": 6, "goal": "fewest", "empty_squares": "to_winner"})),
    rules_of(game_spec(options={"empty_squares": "to_winner"})),
]
EACH_VARIANT = pytest.mark.parametrize("rules", VARIANTS, ids=names(VARIANTS))


def positions(rules: Rules[Any], *empties: int) -> list[OthelloPosition]:
    """Unfinished positions, two with so many empty squares and more with few; half as many on a small board."""
    if rules.columns == RULES.columns:
        found = [position for number in empties for position in with_empties(2 if number > 6 else 5, number, seed=5)]
    else:
        games: list[Any] = [random_game_of(rules, seed).positions for seed in range(2)]
        found = [game[len(game) - 2 - number // 2] for number in empties for game in games]
    return [position for position in (rules.start(), *found) if rules.legal_moves(position)]


def analysed(config: PlayerConfig, position: OthelloPosition, rules: Rules[Any]) -> SearchReport:
    player = ready(config, 1, rules.spec)
    return final_report(player, player.analyse(Game.new(rules, position), StopFlag()))


@EACH_VARIANT
@pytest.mark.parametrize("depth", [1, 2, pytest.param(4, marks=pytest.mark.slow)])
def test_alpha_beta_finds_the_values_of_minimax(rules: Rules[Any], depth: int) -> None:
    """By the lead in squares and the results of games; two plies deep also by its own squares and nothing else."""
    judgements = [("difference", "result"), ("own", "squares")]
    for position in positions(rules, 40, 20, 6):
        for evaluation, ends in judgements[: 1 + (depth == 2)]:
            config = configure("heuristic", depth=depth, heuristic_evaluation=evaluation, heuristic_terminal_value=ends)
            values = move_values(position, depth, rules, evaluation, ends)
            assert {stats.move: stats.value for stats in analysed(config, position, rules).moves} == values


@EACH_VARIANT
def test_the_greedy_player_judges_by_the_goal(rules: Rules[Any]) -> None:
    for position in positions(rules, 30):
        report = analysed(configure("simple_heuristic"), position, rules)
        scores = {
            move: -positional_score(rules.play(position, move), rules)
            for move in rules.legal_moves(position)
            if rules.legal_moves(rules.play(position, move))
        }
        assert {stats.move: stats.value for stats in report.moves if stats.move in scores} == scores


@EACH_VARIANT
@pytest.mark.parametrize("player", MCTS_TYPES)
def test_simulations_find_what_wins(rules: Rules[Any], player: str) -> None:
    for position in positions(rules, 5)[1:]:
        results = {move: (value > 0) - (value < 0) for move, value in final_differences(position, rules).items()}
        report = analysed(configure(player, simulation_count=4000), position, rules)
        assert results[report.move] == max(results.values())
