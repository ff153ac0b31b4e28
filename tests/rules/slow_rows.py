"""Slow, obvious implementations of tic-tac-toe, ultimate tic-tac-toe and Connect Four."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

Cell = tuple[int, int]  # (row, column), from 0


def has_row(marks: frozenset[Cell], length: int) -> bool:
    """Return whether so many marks are in a row, column or diagonal."""
    for row, column in marks:
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if all((row + down * step, column + right * step) in marks for step in range(length)):
                return True
    return False


@dataclass(frozen=True)
class Rows:
    """A game of tic-tac-toe: the marks of both sides, X first."""

    size: int
    length: int
    marks: tuple[frozenset[Cell], frozenset[Cell]] = (frozenset(), frozenset())
    turn: int = 0

    def result(self) -> int | None:
        """Return the side that has won, -1 for a draw, None for an unfinished game."""
        for side in (0, 1):
            if has_row(self.marks[side], self.length):
                return side
        return None if self.free_cells() else -1

    def free_cells(self) -> list[Cell]:
        cells = [(row, column) for row in range(self.size) for column in range(self.size)]
        return [cell for cell in cells if cell not in self.marks[0] | self.marks[1]]

    def moves(self) -> list[Cell]:
        return self.free_cells() if self.result() is None else []

    def play(self, cell: Cell) -> Self:
        marks = list(self.marks)
        marks[self.turn] |= {cell}
        return replace(self, marks=(marks[0], marks[1]), turn=1 - self.turn)


class Drops(Rows):
    """A game of Connect Four, on the upper six rows of a board of 7 x 7 squares."""

    def __init__(self, size: int = 7, length: int = 4, **position: Any) -> None:
        super().__init__(size, length, **position)

    def free_cells(self) -> list[Cell]:
        """Return the lowest free cell of each column."""
        free = [cell for cell in super().free_cells() if cell[0] < 6]
        return sorted({column: (row, column) for row, column in free}.values())


@dataclass(frozen=True)
class Ultimate:
    """A game of ultimate tic-tac-toe: nine games of tic-tac-toe, and the one that is to be played in."""

    boards: tuple[Rows, ...] = (Rows(3, 3),) * 9
    target: int | None = None
    turn: int = 0

    def result(self) -> int | None:
        """Return the side with three boards in a row, -1 for a draw, None for an unfinished game."""
        results = [board.result() for board in self.boards]
        for side in (0, 1):
            if has_row(frozenset(divmod(board, 3) for board in range(9) if results[board] == side), 3):
                return side
        return None if None in results else -1

    def moves(self) -> list[Cell]:
        """Row and column of the whole board."""
        if self.result() is not None:
            return []
        open_boards = [board for board in range(9) if self.boards[board].result() is None]
        if self.target in open_boards:
            open_boards = [self.target]
        return sorted(
            (board // 3 * 3 + row, board % 3 * 3 + column)
            for board in open_boards
            for row, column in self.boards[board].moves()
        )

    def play(self, cell: Cell) -> Ultimate:
        row, column = cell
        board = row // 3 * 3 + column // 3
        boards = list(self.boards)
        small = boards[board]
        boards[board] = Rows(3, 3, small.marks, self.turn).play((row % 3, column % 3))
        return Ultimate(tuple(boards), row % 3 * 3 + column % 3, 1 - self.turn)


SlowGame = Rows | Ultimate


def perft(game: SlowGame, depth: int) -> int:
    """Leaves of the game tree; a finished game counts as one."""
    moves = game.moves()
    if depth == 0 or not moves:
        return 1
    return sum(perft(game.play(move), depth - 1) for move in moves)
