"""Othello as one would explain it: a grid, eight directions, one disc at a time.

Slow, obvious, and the judge of everything fast.
"""

from __future__ import annotations

EMPTY, BLACK, WHITE = ".", "X", "O"
Grid = tuple[str, ...]  # 64 squares from a1, row by row
Square = tuple[int, int]  # (row, column), both 0-7

DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


def start() -> Grid:
    grid = [EMPTY] * 64
    grid[3 * 8 + 3] = grid[4 * 8 + 4] = WHITE  # d4, e5
    grid[3 * 8 + 4] = grid[4 * 8 + 3] = BLACK  # e4, d5
    return tuple(grid)


def other(side: str) -> str:
    return WHITE if side == BLACK else BLACK


def on_board(row: int, column: int) -> bool:
    return 0 <= row < 8 and 0 <= column < 8


def captured(grid: Grid, side: str, square: Square) -> list[Square]:
    """The opposing discs that a disc of `side` on `square` would capture; empty when the move is illegal."""
    row, column = square
    if grid[row * 8 + column] != EMPTY:
        return []
    discs: list[Square] = []
    for down, right in DIRECTIONS:
        run = []
        r, c = row + down, column + right
        while on_board(r, c) and grid[r * 8 + c] == other(side):
            run.append((r, c))
            r, c = r + down, c + right
        if on_board(r, c) and grid[r * 8 + c] == side:
            discs += run
    return discs


def legal_squares(grid: Grid, side: str) -> list[Square]:
    return [(r, c) for r in range(8) for c in range(8) if captured(grid, side, (r, c))]


def place(grid: Grid, side: str, square: Square) -> Grid:
    """The grid after a legal move."""
    cells = list(grid)
    for row, column in [square, *captured(grid, side, square)]:
        cells[row * 8 + column] = side
    return tuple(cells)


def is_over(grid: Grid) -> bool:
    return not legal_squares(grid, BLACK) and not legal_squares(grid, WHITE)


def count(grid: Grid, side: str) -> int:
    return grid.count(side)


def perft(grid: Grid, side: str, depth: int) -> int:
    """Leaves of the game tree; a pass is a ply of its own and a finished game counts as one leaf."""
    if depth == 0 or is_over(grid):
        return 1
    squares = legal_squares(grid, side)
    if not squares:
        return perft(grid, other(side), depth - 1)
    return sum(perft(place(grid, side, square), other(side), depth - 1) for square in squares)
