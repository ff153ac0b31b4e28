"""Plain minimax on the plain rules, the reference of all searches with exact values."""

from collections.abc import Callable
from typing import Any

from othello.rules.othello import OthelloPosition
from othello.rules.protocol import Color, Move, Rules
from tests.positions import RULES

QUARTER = (120, -20, 20, 5), (-20, -40, -5, -5), (20, -5, 15, 3), (5, -5, 3, 3)
"""The values of the squares from a corner on; the other quarters of the board mirror them."""

Known = dict[tuple[OthelloPosition, int], int]
Judge = Callable[[OthelloPosition, Rules[Any]], int]
"""Functions that evaluate a position for the side to move."""


def positional_score(position: OthelloPosition, rules: Rules[Any] = RULES) -> int:
    """Return the score for the side to move."""
    return squares_of(position, position.to_move, rules) - squares_of(position, position.to_move.opponent, rules)


def squares_of(position: OthelloPosition, side: Color, rules: Rules[Any] = RULES) -> int:
    """Return the sum of the values of one side's squares."""
    lines = [min(line, rules.columns - 1 - line) for line in range(rules.columns)]
    weights = [QUARTER[row][column] for row in lines for column in lines]
    score = sum(weight for weight, mark in zip(weights, rules.owners(position), strict=True) if mark is side)
    return -score if rules.spec["goal"] == "fewest" else score


def final_value(position: OthelloPosition, rules: Rules[Any]) -> int:
    """Return the value of a finished game for the side to move."""
    outcome = rules.outcome(position)
    assert outcome is not None
    value = abs(outcome.difference) + 10_000
    return 0 if outcome.winner is None else value if outcome.winner is position.to_move else -value


def minimax(
    position: OthelloPosition,
    depth: int,
    known: Known,
    rules: Rules[Any],
    score: Judge = positional_score,
    end: Judge = final_value,
) -> int:
    """Return the value for the side to move. Values of positions at a depth are stored in `known`."""
    if (position, depth) not in known:
        moves = rules.legal_moves(position)
        if not moves:
            value = end(position, rules)
        elif depth == 0:
            value = score(position, rules)
        else:
            value = max(-minimax(rules.play(position, move), depth - 1, known, rules, score, end) for move in moves)
        known[position, depth] = value
    return known[position, depth]


def move_values(
    position: OthelloPosition,
    depth: int,
    rules: Rules[Any] = RULES,
    evaluation: str = "difference",
    ends: str = "result",
) -> dict[Move, int]:
    """Return the value of every legal move for the side that makes it, `depth` >= 1 plies deep."""

    def own_alone(after: OthelloPosition, rules: Rules[Any]) -> int:
        return squares_of(after, position.to_move, rules) * (1 if after.to_move is position.to_move else -1)

    score = own_alone if evaluation == "own" else positional_score
    end = score if ends == "squares" else final_value
    known: Known = {}
    return {
        move: -minimax(rules.play(position, move), depth - 1, known, rules, score, end)
        for move in rules.legal_moves(position)
    }


def results(position: OthelloPosition, rules: Rules[Any] = RULES) -> dict[Move, int]:
    """Return 1 for every legal move that wins with best play, 0 for a draw, -1 for a loss."""
    return {move: (value > 0) - (value < 0) for move, value in final_differences(position, rules).items()}


def final_differences(position: OthelloPosition, rules: Rules[Any] = RULES) -> dict[Move, int]:
    """Return by how many discs each legal move wins for the side that makes it, if both play perfectly."""
    values = move_values(position, 2 * rules.moves_left(position) + 2, rules)
    return {move: 0 if value == 0 else value - (10_000 if value > 0 else -10_000) for move, value in values.items()}
