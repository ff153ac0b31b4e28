"""A position as it is set up, square by square; it need not be one that can be played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from othello.rules.protocol import Color, Position, Rules

Mark: TypeAlias = Color | None


@dataclass(frozen=True, slots=True)
class Setup:
    """What is on the board that is edited.

    Attributes:
        marks: whose every square is, row by row.
        to_move: whose turn it is.
        rest: what else the game's board text says.
    """

    marks: tuple[Mark, ...]
    to_move: Color
    rest: str = ""

    @classmethod
    def of(cls, rules: Rules[Position], position: Position) -> Setup:
        """The same as a position."""
        words = rules.format_position(position).split()
        return cls(tuple(rules.marks(position)), position.to_move, " ".join(words[2:]))

    @property
    def text(self) -> str:
        """The board text."""
        squares = "".join("-" if mark is None else "XO"[mark] for mark in self.marks)
        return f"{squares} {'XO'[self.to_move]} {self.rest}".rstrip()

    def changed(self, change: str, rules: Rules[Position], piece: Mark) -> Setup:
        """The whole board after a change of that name; `piece` is what fills the empty squares."""
        marks, columns = self.marks, rules.columns
        rows = [marks[start : start + columns] for start in range(0, len(marks), columns)]
        match change:
            case "start":
                return Setup.of(rules, rules.start())
            case "clear":
                return replace(self, marks=(None,) * len(marks))
            case "fill":
                return replace(self, marks=tuple(piece if mark is None else mark for mark in marks))
            case "swap":
                return replace(self, marks=tuple(None if mark is None else mark.opponent for mark in marks))
            case "mirror":
                return replace(self, marks=_joined([row[::-1] for row in rows]))
            case "rotate":
                is_square = len(rows) == columns
                turned = [column[::-1] for column in zip(*rows, strict=True)] if is_square else [marks[::-1]]
                return replace(self, marks=_joined(turned))
            case _:
                return replace(self, to_move=self.to_move.opponent)


def _joined(rows: Sequence[Sequence[Mark]]) -> tuple[Mark, ...]:
    return tuple(mark for row in rows for mark in row)
