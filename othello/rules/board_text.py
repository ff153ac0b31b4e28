"""Boards as text: every square row by row as `X`, `O` or `-`. The side to move, and more in some games, follows."""

from __future__ import annotations

from othello.errors import BoardTextError
from othello.rules.protocol import Color


def marks_of(black: int, white: int, squares: int) -> tuple[Color | None, ...]:
    """The owner of every square, from the boards of both sides."""
    return tuple(
        Color.BLACK if black >> square & 1 else Color.WHITE if white >> square & 1 else None
        for square in range(squares)
    )


def parse_marks(text: str, squares: int) -> tuple[tuple[int, int], str]:
    """The boards of X and of O out of a text that begins with every square, and the rest of the text in upper case.

    Raises:
        BoardTextError: there are too few squares, or other signs than X, O, - and full stops.
    """
    symbols = "".join(text.upper().split())
    boards = {"X": 0, "O": 0, "-": 0, ".": 0}
    for square, symbol in enumerate(symbols[:squares]):
        if symbol not in boards:
            raise BoardTextError("board_symbol", symbol=symbol, square=square + 1, allowed="X, O, -, .")
        boards[symbol] |= 1 << square
    if len(symbols) < squares:
        raise BoardTextError("board_length", given=len(symbols), squares=squares)
    return (boards["X"], boards["O"]), symbols[squares:]


def format_marks(marks: tuple[Color | None, ...]) -> str:
    """The inverse of the first part of `parse_marks`."""
    return "".join("-" if mark is None else "XO"[mark] for mark in marks)


def parse_side(text: str) -> Color:
    """The side to move out of the rest of a text.

    Raises:
        BoardTextError: the rest says anything else.
    """
    if text not in ("X", "O"):
        raise BoardTextError("board_side", side=text)
    return Color("XO".index(text))
