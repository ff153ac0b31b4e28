"""Where the keyboard's cursor on the board goes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Final

from othello.game import AnyGame
from othello.rules.othello import SIZE
from othello.rules.protocol import Move

_FIRST: Final = 3 * SIZE + 3  # where it appears when there is nothing to choose


def moved(cursor: Move | None, game: AnyGame, columns: int, rows: int) -> Move:
    """The square so many columns and rows on, round the edges; a cursor that was hidden appears on a legal square."""
    if cursor is None:
        return next(iter(_legal_squares(game)), _FIRST)
    row, column = divmod(cursor, SIZE)
    return (row + rows) % SIZE * SIZE + (column + columns) % SIZE


def next_legal(cursor: Move | None, game: AnyGame, steps: int) -> Move | None:
    """The legal square after the cursor (`steps` 1) or before it (-1), row by row and round the ends."""
    legal = _legal_squares(game)
    if not legal:
        return cursor
    if cursor is None:
        return legal[0 if steps > 0 else -1]
    index = bisect_right(legal, cursor) if steps > 0 else bisect_left(legal, cursor) - 1
    return legal[index % len(legal)]


def _legal_squares(game: AnyGame) -> list[Move]:
    return sorted(move for move in game.legal_moves() if move < SIZE * SIZE)
