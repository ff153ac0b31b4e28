"""Plain minimax on the plain rules: the judge of every search that promises a value."""

from __future__ import annotations

from othello.rules.othello import OthelloPosition, squares
from othello.rules.protocol import Move
from tests.positions import RULES, final_difference

# fmt: off
WEIGHTS = (
    120, -20,  20,   5,   5,  20, -20, 120,
    -20, -40,  -5,  -5,  -5,  -5, -40, -20,
     20,  -5,  15,   3,   3,  15,  -5,  20,
      5,  -5,   3,   3,   3,   3,  -5,   5,
      5,  -5,   3,   3,   3,   3,  -5,   5,
     20,  -5,  15,   3,   3,  15,  -5,  20,
    -20, -40,  -5,  -5,  -5,  -5, -40, -20,
    120, -20,  20,   5,   5,  20, -20, 120,
)
# fmt: on

Known = dict[tuple[OthelloPosition, int], int]


def positional_score(position: OthelloPosition) -> int:
    """For the side to move."""
    own = sum(WEIGHTS[square] for square in squares(position.own))
    return own - sum(WEIGHTS[square] for square in squares(position.opponent))


def final_value(position: OthelloPosition) -> int:
    """What a finished game counts for the side to move."""
    difference = final_difference(position)
    return 0 if difference == 0 else difference + (10_000 if difference > 0 else -10_000)


def minimax(position: OthelloPosition, depth: int, known: Known) -> int:
    """The value for the side to move; a position that comes up twice at one depth is looked at once."""
    if (position, depth) not in known:
        moves = RULES.legal_moves(position)
        if not moves:
            value = final_value(position)
        elif depth == 0:
            value = positional_score(position)
        else:
            value = max(-minimax(RULES.play(position, move), depth - 1, known) for move in moves)
        known[position, depth] = value
    return known[position, depth]


def move_values(position: OthelloPosition, depth: int) -> dict[Move, int]:
    """The value of every legal move for the side that makes it, `depth` >= 1 plies deep."""
    known: Known = {}
    return {move: -minimax(RULES.play(position, move), depth - 1, known) for move in RULES.legal_moves(position)}


def final_differences(position: OthelloPosition) -> dict[Move, int]:
    """The disc difference that every legal move leads to for the side that makes it, if both play perfectly."""
    values = move_values(position, 2 * position.empties + 2)
    return {move: 0 if value == 0 else value - (10_000 if value > 0 else -10_000) for move, value in values.items()}
