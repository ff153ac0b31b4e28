"""Plain and compiled rules against the slow reference, published numbers of leaves and games that people played."""

from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from othello.engine.endgame import solve
from othello.engine.stable_discs import captures
from othello.kernel.bits import nth_bit
from othello.kernel.jit import kernel
from othello.records.transcript import parse_transcript
from othello.rules.compiled import perft as perft_of_any_game
from othello.rules.othello import Othello, OthelloPosition, scalar_bits as plain
from othello.rules.othello.othello_kernels import OthelloState, flips, mobility, othello_state
from othello.rules.othello.scalar_bits import PASS
from othello.rules.protocol import Color, Rules
from othello.rules.registry import game_spec, rules_of
from othello.schema import Value
from othello.search.stop import StopFlag
from tests import compiled_rules, positions
from tests.minimax import positional_score
from tests.positions import RULES, START, final_difference, format_board, parse_board
from tests.published import PlayedGame, played_games
from tests.rules import reference

ALL = (1 << 64) - 1
BOARDS = st.tuples(st.integers(0, ALL), st.integers(0, ALL), st.integers(0, ALL)).map(
    lambda words: (words[0] & ~words[1], words[1] & ~words[2])
)
"""Disjoint boards with about a quarter of the squares each, most of which no game reaches."""


def grid_of(position: OthelloPosition, rules: Rules[Any] = RULES) -> reference.Grid:
    return tuple(rules.format_position(position)[:-2].replace("-", reference.EMPTY))


@pytest.mark.parametrize("corners", range(5))
@pytest.mark.parametrize("size", [8, 6])
@given(st.lists(st.integers(0, 63), min_size=80, max_size=80))
@settings(max_examples=8, deadline=None)
def test_random_games_equal_the_reference(size: int, corners: int, choices: list[int]) -> None:
    rules = Othello(game_spec(options={"size": size, "handicap": corners}))
    assert len(rules.symmetries) == 8
    position, side = rules.start(), reference.BLACK
    grid = reference.start("standard", size, corners)
    for choice in choices:
        assert grid_of(position, rules) == grid
        state = rules.kernel_state(position)
        assert int(state.own).bit_count() == grid.count(side)
        expected = tuple(size * row + column for row, column in reference.legal_squares(grid, side))
        legal = rules.legal_moves(position)
        assert compiled_rules.legal_moves(rules, state) == legal
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


@kernel
def _captures(own: np.uint64, opponent: np.uint64, square: int) -> np.uint64:
    return captures(own, opponent, square)


@given(BOARDS)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_moves_and_captures_on_any_boards_equal_the_reference(boards: tuple[int, int]) -> None:
    own, opponent = boards
    state, grid = othello_state(own, opponent), grid_of(OthelloPosition(own, opponent, Color.BLACK))
    legal = sum(1 << 8 * row + column for row, column in reference.legal_squares(grid, reference.BLACK))
    assert mobility(state.own, state.opponent) == plain.mobility(own, opponent) == legal
    for square in plain.squares(~(own | opponent) & ALL):
        captured = reference.captured(grid, reference.BLACK, divmod(square, 8))
        expected = sum(1 << 8 * row + column for row, column in captured)
        assert flips(state.own, state.opponent, np.uint64(1 << square)) == expected
        assert _captures(state.own, state.opponent, square) == plain.flips(own, opponent, square) == expected


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
    assert 32 + positions.empties_to_winner(*RULES.score(game.position)) // 2 == played.score


@pytest.mark.parametrize("seed", range(40))
def test_evaluation_and_result_of_a_game_and_of_single_discs_equal_the_plain_rules(seed: int) -> None:
    single = [OthelloPosition(1 << square, 0, Color.BLACK) for square in range(seed, 64, 40)]
    for position in positions.random_game(seed) + single:
        state = RULES.kernel_state(position)
        assert compiled_rules.evaluate(state) == positional_score(position)
        assert compiled_rules.final_difference(state) == final_difference(position)


@given(st.integers(0, ALL))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_the_nth_bit_counts_from_the_lowest(board: int) -> None:
    for rank, square in enumerate(plain.squares(board)):
        assert int(nth_bit(np.uint64(board), np.uint64(rank))) == 1 << square
    assert nth_bit(np.uint64(0), np.uint64(0)) == 0


def test_boards_stay_unsigned_and_counts_stay_whole() -> None:
    """A constant of the wrong type turns a board into a float without a word, and the search with it."""
    state: Any = RULES.kernel_state(START)
    move = np.uint64(1 << 19)
    boards = (numba.uint64, numba.uint64)
    calls: tuple[tuple[Any, tuple[Any, ...], Any], ...] = (
        (mobility, state, numba.uint64),
        (flips, (*state, move), numba.uint64),
        (nth_bit, (state.own, move), numba.uint64),
        (compiled_rules.write_moves, (state, np.zeros(34, np.uint8)), numba.int64),
        (compiled_rules.facts, (state,), (numba.boolean, numba.boolean, numba.int64, numba.int64)),
        (compiled_rules.play, (state, 19), boards),
        (compiled_rules.packed_and_unpacked, (state, np.zeros(2, np.uint64), state), boards),
        (compiled_rules.final_difference, (state,), numba.int64),
        (compiled_rules.evaluate, (state,), numba.int64),
        (compiled_rules.original_move, (state, 19, 1), numba.int64),
    )
    for function, arguments, result in calls:
        function(*arguments)
        for signature in function.nopython_signatures:
            if getattr(signature.args[0], "instance_class", OthelloState) is not OthelloState:
                continue  # another game's, or a variant's
            found = signature.return_type
            assert (tuple(found) if isinstance(result, tuple) else found) == result, function


def test_made_up_boards_have_more_moves_than_games() -> None:
    state = othello_state(0x2020740802340800, 0x5A026648027600)
    assert 34 < len(compiled_rules.legal_moves(RULES, state)) <= RULES.max_moves
    assert RULES.max_moves == 64 - 2, "a move needs a disc of either side"


FROM_THE_START = (4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284)
"""Depths 1 to 10. Depth 9 is the first that a wrong pass changes, 10 the first that a wrong end changes."""
VARIANTS: tuple[tuple[dict[str, Value], tuple[int, ...]], ...] = (
    ({}, FROM_THE_START),
    ({"start": "alternate"}, (4, 14, 68, 292, 1690, 9696, 64794, 450012, 3449900, 27711082)),
    ({"start": "reversi"}, (4, 12, 24, 24, 96, 320, 1536, 6624, 38208, 220736, 1477440, 10321920)),
    ({"no_legal_move": "game_over"}, (*FROM_THE_START[:9], 24571252, 212258632)),
    ({"start": "random"}, FROM_THE_START),
    ({"goal": "fewest"}, FROM_THE_START),
    ({"size": 6}, (4, 12, 56, 244, 1364, 7604, 47740)),
    ({"size": 6, "start": "alternate"}, (4, 14, 68, 292, 1634, 9020)),
    ({"size": 6, "start": "reversi", "no_legal_move": "game_over"}, (4, 12, 24, 24, 96, 320, 1536)),
    ({"handicap": 4}, (4, 12, 56, 244, 1400, 8192)),
    ({"size": 6, "handicap": 1}, (4, 12, 58, 244, 1356, 7356)),
)
"""Depths 1 and on, counted by another program, those of 6 x 6 and of handicaps by the slow reference. Random starts and
goals have no say in what may be played."""


@pytest.mark.parametrize(("options", "expected"), VARIANTS)
def test_leaves_equal_published_counts_and_the_reference(options: dict[str, Value], expected: tuple[int, ...]) -> None:
    rules = rules_of(game_spec(options=options))
    assert tuple(rules.perft(rules.start(), depth) for depth in range(1, len(expected) + 1)) == expected
    start = options.get("start", "standard")
    corners, size = int(options.get("handicap") or 0), int(options.get("size") or 8)
    grid = reference.start("standard" if start == "random" else str(start), size, corners)
    fills, passes = start == "reversi", options.get("no_legal_move") != "game_over"
    for depth in range(7 if fills else 5):
        slow = reference.perft(grid, reference.BLACK, depth, fills, passes)
        assert slow == rules.perft(rules.start(), depth)
        moves = rules.new_moves(depth + 1, rules.max_moves)
        assert slow == perft_of_any_game(rules.kernel_state(rules.start()), depth, moves)


@pytest.mark.parametrize("depth", range(4))
@pytest.mark.parametrize("no_move", ["pass", "game_over"])
def test_passes_and_finished_games_count_as_in_the_reference(no_move: str, depth: int) -> None:
    rules = rules_of(game_spec(options={"no_legal_move": no_move}))
    late = positions.with_forced_pass(4, most_empties=12) + positions.with_empties(4, 5) + positions.with_empties(4, 8)
    for position in (*positions.with_forced_pass(4), *late, positions.WIPED_OUT, positions.DRAWN):
        side = reference.WHITE if position.to_move else reference.BLACK
        assert rules.perft(position, depth) == reference.perft(grid_of(position), side, depth, passes=no_move == "pass")
