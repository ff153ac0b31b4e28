"""The players that judge positions: their values are minimax's, their moves are best ones."""

import pytest

from othello.players.player_registry import configure, unsupported_reason
from othello.rules.othello import OthelloPosition
from othello.rules.registry import GAMES, game_spec
from othello.search.report import Unit
from tests.minimax import final_differences, move_values, positional_score
from tests.player_factory import answer
from tests.positions import RULES, SPEC, START, with_empties, with_forced_pass

POSITIONS = [
    START,
    *(position for empties in (50, 40, 30, 20, 10) for position in with_empties(2, empties, seed=4)),
    *with_forced_pass(2, seed=4),
    *with_empties(3, 6, seed=4),
]
SEEDS = range(12)


@pytest.mark.parametrize("analyse", [False, True])
@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("position", POSITIONS)
def test_heuristic_plays_a_best_move_and_tells_its_value(position: OthelloPosition, depth: int, analyse: bool) -> None:
    values = move_values(position, depth)
    best = max(values.values())
    report = answer(configure("heuristic", depth=depth), position, analyse=analyse)
    assert (report.value, values[report.move]) == (best, best)
    assert report.unit is Unit.SCORE
    assert [stats.move for stats in report.moves] == list(values)
    for stats in report.moves:
        assert stats.value is not None
        assert stats.value == values[stats.move] if stats.exact else values[stats.move] <= stats.value < best
    assert not analyse or all(stats.exact for stats in report.moves)
    assert report.best_value is not None
    assert report.best_value.value == best


@pytest.mark.parametrize("depth", [1, 4, 6])
@pytest.mark.parametrize("position", [START, *with_empties(2, 40), *with_empties(2, 6)])
def test_analysing_changes_no_move(position: OthelloPosition, depth: int) -> None:
    config = configure("heuristic", depth=depth)
    for seed in range(4):
        plain, analysed = answer(config, position, seed), answer(config, position, seed, analyse=True)
        assert (plain.move, plain.value) == (analysed.move, analysed.value)


def test_heuristic_plays_all_equal_moves_in_the_course_of_seeds_or_the_first() -> None:
    equal = set(RULES.legal_moves(START))
    for ties, played in (("random", equal), ("first", {min(equal)})):
        config = configure("heuristic", depth=3, tie_break=ties)
        assert {answer(config, START, seed).move for seed in range(40)} == played


@pytest.mark.parametrize("position", with_empties(6, 6))
def test_heuristic_wins_what_can_be_won(position: OthelloPosition) -> None:
    values = final_differences(position)
    report = answer(configure("heuristic", depth=20), position)
    assert values[report.move] == max(values.values())


@pytest.mark.parametrize(("evaluation", "ends"), [("own", "result"), ("difference", "squares"), ("own", "squares")])
def test_heuristic_judges_by_squares_and_ends_as_it_is_told(evaluation: str, ends: str) -> None:
    """With every other way to judge, values and best moves are those of plain minimax."""
    for position in POSITIONS[::3]:
        for depth in (1, 2, 3):
            values = move_values(position, depth, evaluation=evaluation, ends=ends)
            config = configure("heuristic", depth=depth, heuristic_evaluation=evaluation, heuristic_terminal_value=ends)
            analysed, played = (answer(config, position, analyse=analyse) for analyse in (True, False))
            assert {stats.move: stats.value for stats in analysed.moves} == values
            assert analysed.move == played.move
            assert values[played.move] == played.value == max(values.values())


@pytest.mark.parametrize("key", ["heuristic_evaluation", "heuristic_terminal_value"])
def test_squares_count_in_othello_only(key: str) -> None:
    config = configure("heuristic", **{key: "own" if key == "heuristic_evaluation" else "squares"})
    assert unsupported_reason(config, SPEC) is None
    for game in set(GAMES) - {SPEC.game}:
        assert str(unsupported_reason(config, game_spec(game))) == f"{key}: only for Othello"


@pytest.mark.parametrize("position", POSITIONS)
def test_simple_heuristic_looks_one_ply_ahead(position: OthelloPosition) -> None:
    scores = {move: -positional_score(RULES.play(position, move)) for move in RULES.legal_moves(position)}
    best = [move for move, score in scores.items() if score == max(scores.values())]
    reports = [answer(configure("simple_heuristic"), position, seed) for seed in SEEDS]
    assert {report.move for report in reports} <= set(best)
    for report in reports:
        assert report.value == scores[report.move]
        assert {stats.move: stats.value for stats in report.moves} == scores
        assert report.depth == 1


def test_simple_heuristic_plays_all_equal_moves_in_the_course_of_seeds() -> None:
    moves = {answer(configure("simple_heuristic"), START, seed).move for seed in range(40)}
    assert moves == set(RULES.legal_moves(START))
