"""A game's history. It never changes: a move makes a longer one, undo is a shorter one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic

from othello.errors import IllegalMoveError
from othello.rules.protocol import Color, Move, Outcome, P, Rules


@dataclass(frozen=True, slots=True)
class Game(Generic[P]):
    """Start position and moves, with every position on the way.

    Attributes:
        rules: the game that is played.
        positions: `positions[n]` is the position after n moves, so there is one more than moves.
        moves: every move from the start, passes included.
    """

    rules: Rules[P]
    positions: tuple[P, ...]
    moves: tuple[Move, ...] = ()

    @classmethod
    def new(cls, rules: Rules[P], start: P | None = None) -> Game[P]:
        return cls(rules, (rules.start() if start is None else start,))

    @property
    def position(self) -> P:
        return self.positions[-1]

    @property
    def ply(self) -> int:
        """How many moves were played, passes included."""
        return len(self.moves)

    @property
    def to_move(self) -> Color:
        return self.position.to_move

    @property
    def is_over(self) -> bool:
        return not self.legal_moves()

    @property
    def outcome(self) -> Outcome | None:
        return self.rules.outcome(self.position)

    def legal_moves(self) -> tuple[Move, ...]:
        return self.rules.legal_moves(self.position)

    @property
    def must_pass(self) -> bool:
        moves = self.legal_moves()
        return len(moves) == 1 and self.rules.is_pass(moves[0])

    def play(self, move: Move) -> Game[P]:
        """The game after one more move.

        Raises:
            IllegalMoveError: the rules do not allow it.
        """
        legal = self.legal_moves()
        if move not in legal:
            text = self.rules.move_text
            raise IllegalMoveError(text(move), self.ply, [text(other) for other in legal])
        position = self.rules.play(self.position, move)
        return Game(self.rules, (*self.positions, position), (*self.moves, move))

    def at(self, ply: int) -> Game[P]:
        """The game as it stood after `ply` moves, 0 <= ply <= self.ply."""
        if not 0 <= ply <= self.ply:
            raise IndexError(f"ply {ply} is outside 0..{self.ply}")
        return Game(self.rules, self.positions[: ply + 1], self.moves[:ply])


AnyGame = Game[Any]
"""A game whose rules do not matter to the code that holds it."""
