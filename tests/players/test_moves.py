"""Moves of players: against plain minimax by usual and unusual rules, and against brute force where all is known."""

from collections import Counter
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from othello.config import PlayerConfig
from othello.game import Game
from othello.play.referee import GameJob
from othello.players.player import choose, final_report
from othello.players.player_registry import configure, create_player, unsupported_reason
from othello.records.transcript import parse_transcript
from othello.rules.othello import OthelloPosition
from othello.rules.protocol import Color, Rules
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.search.report import SearchReport
from othello.search.stop import StopFlag
from othello.tournament.executor import play_game
from tests.chi_square import assert_likely
from tests.minimax import move_values, positional_score, results
from tests.player_factory import MCTS_TYPES, answer, fitting, ready
from tests.positions import RULES, SPEC, START, line, random_game_of, with_empties, with_many_moves
from tests.rule_sets import names
from tests.small_tictactoe import RULES as NINE, exact_value, reachable

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
@pytest.mark.parametrize(
    "player", ["mcts_uct", *(pytest.param(each, marks=pytest.mark.slow) for each in ("mcts_ucb1", "mcts_grouping"))]
)
def test_simulations_find_a_winning_move(rules: Rules[Any], player: str) -> None:
    for position in positions(rules, 5)[1:]:
        best = results(position, rules)
        assert best[analysed(configure(player, simulation_count=4000), position, rules).move] == max(best.values())


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


@pytest.mark.parametrize("position", [START, *with_empties(1, 30), *with_empties(1, 6), *with_many_moves(2, 20)])
def test_the_random_player_draws_all_moves_with_the_same_probability(position: OthelloPosition) -> None:
    moves, games = RULES.legal_moves(position), 3000
    played = Counter(int(answer(configure("random"), position, seed).move) for seed in range(games))
    assert_likely(played, dict.fromkeys(moves, games / len(moves)))


@pytest.mark.parametrize(
    ("game", "size", "rows"),
    [
        ("connect_four", None, ["172737:4", "17272:7", ":1 7", "17:1 2 3 4", "1734:1 3 4"]),
        ("tictactoe", 3, ["a1c3:c1 a3", "a1c3a3:a2", "a1b2c3:c1 a3", "a1b2c3a3c1:b1 c2"]),
        ("tictactoe", 4, ["a1d4d1:a4 b4 c4", "a1d4d1a4:b1 c1", "a1a2:b1 c1 d1 b2 c3 d4"]),
        ("tictactoe", 5, ["a1c1a5c5e1a3e5e3c3:b1 d1 a2 e2 a4 e4 b5 d5"]),
    ],
)
def test_the_first_rule_that_applies_decides(game: str, size: int | None, rows: list[str]) -> None:
    rules = rules_of(game_spec(game, {"size": size} if size else {}))
    players = [ready(configure("rule_based"), seed, rules.spec) for seed in range(100)]
    for row in rows:
        played = parse_transcript(row.partition(":")[0], rules)
        drawn = sorted({choose(player, played).move for player in players})
        assert " ".join(map(played.text_of, drawn)) == row.partition(":")[2]


@pytest.mark.parametrize("size", range(3, 16))
def test_rules_win_or_prevent_a_win_on_any_board_of_tictactoe(size: int) -> None:
    rules = rules_of(game_spec("tictactoe", {"size": size}))
    columns = rules.column_names[: rules.spec.number("win_length")]
    moves = [f"{column}{row}" for column in columns[:-1] for row in (1, 3)]
    player = ready(configure("rule_based"), 1, rules.spec)
    for played, wanted in ((moves, f"{columns[-1]}1"), (moves[:-1], f"{columns[-1]}1")):
        game = parse_transcript(" ".join(played), rules)
        assert game.text_of(choose(player, game).move) == wanted


def test_alpha_beta_finds_the_exact_value() -> None:
    positions = [*reachable(NINE.start(), {})]
    assert len(positions) == 5478, "as is known"
    player = ready(configure("heuristic", depth=9), 1, NINE.spec)
    for position in positions[::5]:
        if NINE.legal_moves(position):
            report = choose(player, Game.new(NINE, position))
            assert report.value is not None
            assert np.sign(report.value) == exact_value(position)
            assert -exact_value(NINE.play(position, report.move)) == exact_value(position)


def scores(first: PlayerConfig, second: PlayerConfig, games: int) -> list[float]:
    """Return the scores of the first player in games with alternating colours."""
    jobs = [GameJob(1, seed, ((first, second), (second, first))[seed % 2], NINE.spec, seed) for seed in range(games)]
    return [play_game(job).points(Color(seed % 2)) for seed, job in enumerate(jobs)]


@pytest.mark.rare
@pytest.mark.parametrize("searcher", MCTS_TYPES)
def test_tree_search_plays_perfectly(searcher: str) -> None:
    player = create_player(configure(searcher, simulation_count=2000), NINE.spec)
    for seed, position in enumerate(reachable(NINE.start(), {})):
        if NINE.legal_moves(position):
            player.new_game(seed)
            report = choose(player, Game.new(NINE, position))
            assert -exact_value(NINE.play(position, report.move)) == exact_value(position)


@pytest.mark.parametrize("searcher", MCTS_TYPES)
@pytest.mark.parametrize(("moves", "value"), [((0, 1), 1.0), ((0, 4), 0.5), ((0, 1, 4), 0.0)])
def test_a_search_ends_when_the_result_is_proven(searcher: str, moves: tuple[int, ...], value: float) -> None:
    game = Game.new(NINE).after(line(*moves))
    report = choose(ready(fitting(searcher, simulation_count=10**9, time_limit_seconds=3600.0), 1, NINE.spec), game)
    assert report.is_certain
    assert report.value == value


@pytest.mark.rare
@pytest.mark.parametrize("learner", ["q_learning", "sarsa"])
def test_learners_hardly_ever_lose_to_random_play_and_draw_against_themselves(learner: str) -> None:
    config = configure(learner, learning_episodes=20_000)
    assert scores(config, configure("random"), games=200).count(0.0) <= 2
    assert scores(config, replace(config, name="itself"), games=100).count(0.5) >= 95
