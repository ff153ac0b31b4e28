"""The end-game solver against brute force, random play and published positions."""

import random
from dataclasses import replace
from functools import cache
from typing import Any, cast
from unittest.mock import patch

import numpy as np
import pytest

from othello.engine.endgame import EndgameResult, solve
from othello.engine.stable_discs import stable_discs
from othello.players.endgame_player import EndgamePlayer
from othello.players.player_registry import configure
from othello.rules.othello import Othello, OthelloPosition
from othello.rules.protocol import Color, Rules
from othello.rules.registry import rules_of
from othello.search.report import Unit
from othello.search.stop import StopFlag
from tests.player_factory import answer, game_at, ready
from tests.positions import RULES, WIPED_OUT, parse_board, random_game, random_game_of, with_empties, with_forced_pass
from tests.published import EndGame, end_games
from tests.rule_sets import every_spec, names

LATE = [
    *(position for empties in range(1, 9) for position in with_empties(5, empties)),
    *with_forced_pass(6, most_empties=8),
    WIPED_OUT,
    parse_board("X" * 40 + "O" * 24 + " O"),
]


@cache
def brute_force(position: OthelloPosition, rules: Any = RULES) -> int:
    """Return the score by exhaustive search."""
    moves = rules.legal_moves(position)
    if not moves:
        outcome = rules.outcome(position)
        assert outcome is not None
        black, white = outcome.counted
        score: int = abs(black - white)
        return score if outcome.winner is position.to_move else -score
    return max(-brute_force(rules.play(position, move), rules) for move in moves)


def solved(position: OthelloPosition, judge_all: bool = False, rules: Rules[Any] = RULES) -> EndgameResult:
    result = solve(position, StopFlag(), judge_all, rules)
    assert result is not None
    return result


def check_against_brute_force(position: OthelloPosition, rules: Any) -> None:
    """See that score, scores of all moves and line are right."""
    result = solved(position, True, rules)
    moves = rules.legal_moves(position)
    assert result.score == brute_force(position, rules)
    assert result.scores == {move: -brute_force(rules.play(position, move), rules) for move in moves}
    end = position
    for move in result.pv:
        assert move in rules.legal_moves(end)
        end = rules.play(end, move)
    assert rules.outcome(end) is not None
    score = brute_force(end, rules)
    assert (score if end.to_move is position.to_move else -score) == result.score


VARIANTS = [rules_of(spec) for spec in every_spec() if spec.game == Othello.name]


def late(rules: Rules[Any]) -> list[OthelloPosition]:
    """Positions of the last eight moves."""
    if rules.columns == RULES.columns:
        return LATE if rules == RULES else LATE[3::5]
    played = [(seed % 8, position) for seed in range(16) for position in random_game_of(rules, seed).positions]
    return [cast(OthelloPosition, position) for left, position in played if rules.moves_left(position) == left]


@pytest.mark.parametrize("rules", VARIANTS, ids=names(VARIANTS))
def test_solutions_equal_brute_force_and_lines_lead_to_the_score(rules: Rules[Any]) -> None:
    for position in late(rules):
        check_against_brute_force(position, rules)


LARGE = [rules for rules in VARIANTS if rules.columns == RULES.columns]


@pytest.mark.parametrize("rules", LARGE, ids=names(LARGE))
def test_an_unfilled_centre_is_filled_first(rules: Rules[Any]) -> None:
    """Six empty squares of which some are the centre's, which only the reversi start fills first."""
    for hole in range(1, 4):
        draw = random.Random(hole)
        squares = draw.sample((27, 28, 35, 36), hole) + draw.sample((0, 7, 10, 42, 56, 63), 6 - hole)
        empty = sum(1 << square for square in squares)
        own = draw.getrandbits(64) & ~empty
        check_against_brute_force(OthelloPosition(own, ~own & ~empty & ((1 << 64) - 1), Color.BLACK), rules)


def test_a_solution_does_not_depend_on_the_one_before() -> None:
    first, second = with_empties(2, 12)
    expected = solved(second)
    solved(first)
    again = solved(second)
    assert (again.score, again.pv, again.nodes) == (expected.score, expected.pv, expected.nodes)


@pytest.mark.parametrize(
    "known", [known for known in end_games() if known.board.count("-") <= 19], ids=lambda known: f"ffo{known.number}"
)
def test_published_positions(known: EndGame) -> None:
    result = solved(parse_board(known.board))
    assert result.score == max(known.scores.values())
    assert known.scores[RULES.move_text(RULES.start(), result.pv[0])] == result.score


def _slow_stable_discs(own: int, opponent: int) -> int:
    """Return the discs that are safe along all four lines, by the definition of `stable_discs`."""
    squares = {divmod(square, 8) for square in range(64)}
    occupied = {(row, column) for row, column in squares if (own | opponent) >> (8 * row + column) & 1}

    def line_of(square: tuple[int, int], down: int, right: int) -> list[tuple[int, int]]:
        return [at for n in range(-7, 8) if (at := (square[0] + n * down, square[1] + n * right)) in squares]

    def is_safe(square: tuple[int, int], down: int, right: int) -> bool:
        ends = {(square[0] + sign * down, square[1] + sign * right) for sign in (-1, 1)}
        return not ends <= squares or bool(ends & stable) or occupied.issuperset(line_of(square, down, right))

    stable: set[tuple[int, int]] = set()
    candidates = {(row, column) for row, column in squares if own >> (8 * row + column) & 1}
    ways = (0, 1), (1, 0), (1, 1), (1, -1)
    while more := {at for at in candidates - stable if all(is_safe(at, *way) for way in ways)}:
        stable |= more
    return sum(1 << (8 * row + column) for row, column in stable)


@pytest.mark.parametrize("seed", range(10))
def test_stable_discs_are_those_of_a_slow_search(seed: int) -> None:
    for position in random_game(seed)[20::4]:
        found = int(stable_discs(np.uint64(position.black), np.uint64(position.white)))
        assert found == _slow_stable_discs(position.black, position.white)


@pytest.mark.parametrize("player_type", ["random", "heuristic", "mcts_uct"])
def test_players_play_the_end_perfectly(player_type: str) -> None:
    config = configure(player_type, endgame_empties=8)
    position = with_empties(1, 8)[0]
    report = answer(config, position, analyse=True)
    assert report.unit is Unit.DISCS
    assert report.value == brute_force(position)
    assert {stats.move: stats.value for stats in report.moves} == {
        move: -brute_force(RULES.play(position, move)) for move in RULES.legal_moves(position)
    }
    assert report.most_visited is None
    assert answer(config, with_empties(1, 9)[0]).unit is not Unit.DISCS


def test_a_long_solution_reports_progress_and_can_be_cancelled() -> None:
    game, stop = game_at(with_empties(1, 24)[0]), StopFlag()
    player = ready(configure("random", endgame_empties=24))
    solving = player.think(game, stop)
    first, second = next(solving), next(solving)
    assert 0 < first.nodes < second.nodes
    assert not second.final
    assert second.move in game.legal_moves()
    stop.cancel()
    assert not [report for report in solving if report.final]


def test_the_player_moves_if_there_is_no_time_to_solve() -> None:
    position, config = with_empties(1, 24)[0], configure("mcts_uct", endgame_empties=24)
    with patch.object(EndgamePlayer, "_ask_inner", autospec=True, side_effect=EndgamePlayer._ask_inner) as asked:
        report = answer(replace(config, time_limit_seconds=0.05), position)
    assert 0 < asked.call_args.args[3] < 0.05, "a part of the time is over"
    assert report.unit is Unit.REWARD
    assert report.simulations > 0
    stop = StopFlag()
    solving = ready(config).think(game_at(position), stop)
    next(solving)
    stop.time_is_up()
    *_, last = solving
    assert (last.final, last.unit) == (True, Unit.REWARD)
