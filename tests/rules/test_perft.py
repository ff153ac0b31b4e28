"""Counting leaves: the numbers that others published, and the slow way."""

import pytest

from othello.rules.compiled import perft as perft_of_any_game
from othello.rules.othello import OthelloPosition
from othello.rules.registry import game_spec, rules_of
from othello.schema import Value
from tests.positions import DRAWN, RULES, WIPED_OUT, format_board, with_empties, with_forced_pass
from tests.rules import reference

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


def slow_perft(position: OthelloPosition, depth: int, passes: bool = True) -> int:
    grid = tuple(format_board(position)[:64].replace("-", reference.EMPTY))
    return reference.perft(grid, reference.WHITE if position.to_move else reference.BLACK, depth, passes=passes)


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


@pytest.mark.parametrize("depth", range(5))
def test_without_passes_a_side_without_moves_ends_the_game(depth: int) -> None:
    rules = rules_of(game_spec(options={"no_legal_move": "game_over"}))
    for position in with_forced_pass(4, most_empties=12):
        assert rules.perft(position, depth) == 1
    for position in with_empties(4, 8):
        assert rules.perft(position, depth) == slow_perft(position, depth, passes=False)


@pytest.mark.parametrize("depth", range(4))
@pytest.mark.parametrize("position", [*with_forced_pass(4), *with_empties(4, 5), WIPED_OUT, DRAWN])
def test_passes_and_finished_games_count_as_in_the_reference(position: OthelloPosition, depth: int) -> None:
    assert RULES.perft(position, depth) == slow_perft(position, depth)
