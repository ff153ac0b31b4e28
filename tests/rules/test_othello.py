"""The plain rules against the slow reference, and against games that people played."""

import pytest
from hypothesis import given, settings, strategies as st

from othello.engine.endgame import solve
from othello.records.transcript import parse_transcript
from othello.rules.othello import Othello, OthelloPosition
from othello.rules.othello.scalar_bits import PASS
from othello.rules.protocol import Color, Move
from othello.rules.registry import game_spec, rules_of
from othello.search.stop import StopFlag
from tests import compiled_rules
from tests.positions import empties_to_winner, format_board, parse_board
from tests.published import PlayedGame, played_games
from tests.rules import reference

RULES = Othello()


def grid_of(position: OthelloPosition, rules: Othello = RULES) -> reference.Grid:
    return tuple(rules.format_position(position)[:-2].replace("-", reference.EMPTY))


@pytest.mark.parametrize("corners", range(5))
@pytest.mark.parametrize("size", [8, 6])
@given(st.lists(st.integers(0, 63), min_size=80, max_size=80))
@settings(max_examples=15, deadline=None)
def test_random_games_equal_the_reference(size: int, corners: int, choices: list[int]) -> None:
    rules = Othello(game_spec(options={"size": size, "handicap": corners}))
    position, side = rules.start(), reference.BLACK
    grid = reference.start("standard", size, corners)
    for choice in choices:
        assert grid_of(position, rules) == grid
        state = rules.kernel_state(position)
        assert int(state.own).bit_count() == grid.count(side)
        expected = tuple(size * row + column for row, column in reference.legal_squares(grid, side))
        legal = rules.legal_moves(position)
        assert compiled_rules.legal_moves(state, rules.max_moves) == legal
        assert rules.moves_left(position) == grid.count(reference.EMPTY)
        if reference.is_over(grid, side):
            assert legal == ()
            outcome = rules.outcome(position)
            assert outcome is not None
            assert (outcome.black, outcome.white) == (grid.count("X"), grid.count("O"))
            return
        assert rules.outcome(position) is None
        assert legal == (expected or (PASS,))
        move = legal[choice % len(legal)]
        if move != PASS:
            square = divmod(move, size)
            taken = {size * row + column for row, column in reference.captured(grid, side, square)}
            assert rules.captured(position, move) == tuple(sorted(taken))
            grid = reference.place(grid, side, square)
        side = reference.other(side)
        position = rules.play(position, move)
        after = rules.kernel_state(position)
        assert compiled_rules.play(state, move)[:2] == (after.own, after.opponent)
        assert (side == reference.WHITE) == (position.to_move is Color.WHITE)


@given(st.integers(0, (1 << 64) - 1), st.integers(0, (1 << 64) - 1))
def test_any_boards_equal_the_reference(one: int, two: int) -> None:
    position = OthelloPosition(one & ~two, two & ~one, Color.BLACK)
    expected = tuple(8 * row + column for row, column in reference.legal_squares(grid_of(position), reference.BLACK))
    assert RULES.legal_moves(position)[: len(expected) or None] in (expected, (PASS,), ())
    for move in expected:
        assert RULES.captured(position, Move(move))


def test_a_game_that_ends_with_a_wiped_out_side() -> None:
    position = parse_board("-OX" + "-" * 61 + " X")
    assert RULES.legal_moves(position) == (0,)
    after = RULES.play(position, Move(0))
    outcome = RULES.outcome(after)
    assert outcome is not None
    assert (outcome.winner, outcome.black, outcome.white) == (Color.BLACK, 3, 0)
    assert empties_to_winner(3, 0) == 64


@pytest.mark.parametrize("goal", ["most", "fewest"])
@pytest.mark.parametrize(
    "board", ["XXX" + "-" * 61 + " O", "OO" + "-" * 62 + " O", "XX--OO" + "-" * 58 + " X", "X" * 31 + "O" * 33 + " X"]
)
def test_empty_squares_count_as_the_reference_counts_them(board: str, goal: str) -> None:
    position, fewest_wins = parse_board(board), goal == "fewest"
    plain, shared = (
        rules_of(game_spec(options={"goal": goal, "empty_squares": kind})) for kind in ("ignored", "to_winner")
    )
    side = reference.WHITE if position.to_move else reference.BLACK
    score = reference.final_score(grid_of(position), side, fewest_wins)
    on_board, counted = plain.outcome(position), shared.outcome(position)
    assert on_board is not None
    assert counted is not None
    assert (
        (on_board.black, on_board.white) == plain.score(position) == (board.count("X", 0, 64), board.count("O", 0, 64))
    )
    assert (counted.black, counted.white) == shared.score(position) == on_board.counted == counted.counted
    assert counted.black + counted.white == 64
    assert counted.winner is on_board.winner
    assert counted.difference == score * (1 if side == reference.BLACK else -1) * (-1 if fewest_wins else 1)
    assert compiled_rules.final_difference(shared.kernel_state(position)) == score
    assert shared.can_end(counted.black, counted.white, counted.winner)
    assert shared.can_end(on_board.black, on_board.white, on_board.winner) == (not on_board.unclaimed)
    assert solve(position, StopFlag(), rules=shared).score == score  # type: ignore[union-attr]


def test_positions_round_trip() -> None:
    for text in (format_board(RULES.start()), "X" * 30 + "O" * 30 + "----" + " O"):
        assert format_board(parse_board(text)) == text
        assert parse_board(text.lower().replace("x", "*").replace("-", ".")) == parse_board(text)


@pytest.mark.parametrize("played", played_games(), ids=lambda played: played.transcript[:10])
def test_games_of_tournaments_replay(played: PlayedGame) -> None:
    game = parse_transcript(played.transcript, RULES)
    assert game.is_over
    assert 32 + empties_to_winner(*RULES.score(game.position)) // 2 == played.score
