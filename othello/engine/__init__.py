"""The Othello engine: patterns, evaluation, middle game, end game, opening book, levels."""

from othello.rules.othello import Othello, OthelloPosition
from othello.rules.protocol import Position, Rules


def solves(rules: Rules[Position]) -> bool:
    """Return whether end games of this game can be solved: Othello by any rules."""
    return isinstance(rules, Othello)


def knows(rules: Rules[Position]) -> bool:
    """Return whether the engine plays this game: Othello on 8 x 8 with passes, most discs win, and a filled centre."""
    spec = rules.spec
    usual = {"no_legal_move": "pass", "goal": "most", "size": 8}
    return solves(rules) and spec["start"] != "reversi" and all(spec[name] == value for name, value in usual.items())


def discs_of(position: Position) -> tuple[int, int]:
    """Return the boards of the side to move and of the other side."""
    assert isinstance(position, OthelloPosition)
    return position.own, position.opponent
