"""Tic-tac-toe on 3 x 3, where everything is known."""

from functools import cache

from othello.rules.protocol import Position
from othello.rules.registry import game_spec, rules_of

SPEC = game_spec("tictactoe")
RULES = rules_of(SPEC)


@cache
def exact_value(position: Position) -> int:
    """Return 1 if the side to move wins with best play, -1 if it loses, 0 for a draw, by brute force."""
    outcome = RULES.outcome(position)
    if outcome is not None:
        return 0 if outcome.winner is None else 1 if outcome.winner is position.to_move else -1
    return max(-exact_value(RULES.play(position, move)) for move in RULES.legal_moves(position))


def reachable(position: Position, known: dict[Position, None]) -> dict[Position, None]:
    """Return this position and all that follow it, in a fixed order."""
    if position not in known:
        known[position] = None
        for move in RULES.legal_moves(position):
            reachable(RULES.play(position, move), known)
    return known
