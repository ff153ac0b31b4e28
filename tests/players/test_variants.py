"""Moves of players by usual and unusual rules, against plain minimax."""

from itertools import product
from typing import Any

import pytest

from othello.config import PlayerConfig
from othello.game import Game
from othello.players.player import final_report
from othello.players.player_registry import configure, unsupported_reason
from othello.rules.othello import OthelloPosition
from othello.rules.protocol import Rules
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.search.report import SearchReport
from othello.search.stop import StopFlag
from tests.minimax import move_values, positional_score, results
from tests.player_factory import MCTS_TYPES, answer, fitting, ready
from tests.positions import RULES, SPEC, START, random_game_of, with_empties
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
    """By the lead in squares and the results of games; two plies deep also by all other judgements."""
    judgements = list(product(("difference", "own"), ("result", "squares")))
    for position in positions(rules, 40, 20, 6):
        for evaluation, ends in judgements[: 4 if depth == 2 else 1]:
            config = configure("heuristic", depth=depth, heuristic_evaluation=evaluation, heuristic_terminal_value=ends)
            values = move_values(position, depth, rules, evaluation, ends)
            assert {stats.move: stats.value for stats in analysed(config, position, rules).moves} == values


@EACH_VARIANT
def test_the_greedy_player_evaluates_by_the_goal(rules: Rules[Any]) -> None:
    for position in positions(rules, 30):
        report = analysed(configure("simple_heuristic"), position, rules)
        scores = {
            move: -positional_score(rules.play(position, move), rules)
            for move in rules.legal_moves(position)
            if rules.legal_moves(rules.play(position, move))
        }
        assert {stats.move: stats.value for stats in report.moves if stats.move in scores} == scores
        assert report.value == max(stats.value or 0 for stats in report.moves)
        assert report.value == next(stats.value for stats in report.moves if stats.move == report.move)


@EACH_VARIANT
@pytest.mark.parametrize("player", MCTS_TYPES)
def test_simulations_find_a_winning_move(rules: Rules[Any], player: str) -> None:
    for position in positions(rules, 5)[1:]:
        best = results(position, rules)
        report = analysed(configure(player, simulation_count=4000), position, rules)
        assert best[report.move] == max(best.values())


@pytest.mark.parametrize("depth", [1, 4, 6])
@pytest.mark.parametrize("position", [START, *with_empties(2, 40), *with_empties(2, 6)])
def test_an_analysis_finds_the_same_move(position: OthelloPosition, depth: int) -> None:
    config = configure("heuristic", depth=depth)
    for seed in range(4):
        plain, analysed = answer(config, position, seed), answer(config, position, seed, analyse=True)
        assert (plain.move, plain.value) == (analysed.move, analysed.value)


@pytest.mark.parametrize(
    ("player", "ties"), [("simple_heuristic", "random"), ("heuristic", "random"), ("heuristic", "first")]
)
def test_equal_moves_are_drawn_or_the_first_is_played(player: str, ties: str) -> None:
    equal = set(RULES.legal_moves(START))
    config = fitting(player, depth=3, tie_break=ties)
    assert {answer(config, START, seed).move for seed in range(40)} == ({min(equal)} if ties == "first" else equal)


@pytest.mark.parametrize("key", ["heuristic_evaluation", "heuristic_terminal_value"])
def test_squares_count_in_othello_only(key: str) -> None:
    config = configure("heuristic", **{key: "own" if key == "heuristic_evaluation" else "squares"})
    assert unsupported_reason(config, SPEC) is None
    for game in set(GAMES) - {SPEC.game}:
        assert str(unsupported_reason(config, game_spec(game))) == f"{key}: only for Othello"
