"""Everything for Othello alone: patterns, evaluation, middle game, end game, levels."""

from othello.rules.othello import Othello, OthelloPosition
from othello.rules.protocol import Position, Rules


def solves(rules: Rules[Position]) -> bool:
    """Whether the end of such a game can be solved: of Othello, by any rules."""
    return isinstance(rules, Othello)


def knows(rules: Rules[Position]) -> bool:
    """Whether the engine plays such games: Othello on 8 x 8 with passes, most discs, and a centre that is not empty."""
    spec = rules.spec
    usual = {"no_legal_move": "pass", "goal": "most", "size": 8}
    return solves(rules) and spec["start"] != "reversi" and all(spec[name] == value for name, value in usual.items())


def discs_of(position: Position) -> tuple[int, int]:
    """The boards of the side to move and of the other side, in a game that the engine `knows`."""
    assert isinstance(position, OthelloPosition)
    return position.own, position.opponent
