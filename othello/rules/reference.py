"""Othello as one would explain it: a grid, eight directions, one disc at a time.

Slow, obvious, and the judge of everything fast.
"""

from __future__ import annotations

EMPTY, BLACK, WHITE = ".", "X", "O"
Grid = tuple[str, ...]  # 64 squares from a1, row by row
Square = tuple[int, int]  # (row, column), both 0-7

DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


CENTRE = [(3, 3), (3, 4), (4, 3), (4, 4)]  # d4, e4, d5, e5
STARTS = {
    "standard": [WHITE, BLACK, BLACK, WHITE],
    "alternate": [WHITE, WHITE, BLACK, BLACK],
    "reversi": [EMPTY, EMPTY, EMPTY, EMPTY],
}


def start(name: str = "standard") -> Grid:
    grid = [EMPTY] * 64
    for (row, column), disc in zip(CENTRE, STARTS[name], strict=True):
        grid[row * 8 + column] = disc
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


def legal_squares(grid: Grid, side: str, fills_centre: bool = False) -> list[Square]:
    """Where a side may play. With the rule `fills_centre`, empty squares of the centre come first."""
    free = [(row, column) for row, column in CENTRE if grid[row * 8 + column] == EMPTY]
    if fills_centre and free:
        return free
    return [(r, c) for r in range(8) for c in range(8) if captured(grid, side, (r, c))]


def place(grid: Grid, side: str, square: Square, fills_centre: bool = False) -> Grid:
    """The grid after a legal move."""
    is_filling = fills_centre and any(grid[row * 8 + column] == EMPTY for row, column in CENTRE)
    cells = list(grid)
    for row, column in [square] if is_filling else [square, *captured(grid, side, square)]:
        cells[row * 8 + column] = side
    return tuple(cells)


def is_over(grid: Grid, side: str, fills_centre: bool = False, passes: bool = True) -> bool:
    """Whether the game is over with `side` to move; without the rule `passes`, a side without a move ends the game."""
    if legal_squares(grid, side, fills_centre):
        return False
    return not passes or not legal_squares(grid, other(side), fills_centre)


def final_score(grid: Grid, side: str, fewest_wins: bool = False) -> int:
    """By how many discs `side` has won, below 0: has lost. Empty squares count as discs of the winner."""
    lead = grid.count(side) - grid.count(other(side))
    if fewest_wins:
        lead = -lead
    empties = grid.count(EMPTY)
    return lead + empties if lead > 0 else lead - empties if lead < 0 else 0


def perft(grid: Grid, side: str, depth: int, fills_centre: bool = False, passes: bool = True) -> int:
    """Leaves of the game tree; a pass is a ply of its own and a finished game counts as one leaf."""
    if depth == 0 or is_over(grid, side, fills_centre, passes):
        return 1
    squares = legal_squares(grid, side, fills_centre)
    if not squares:
        return perft(grid, other(side), depth - 1, fills_centre, passes)
    after = [place(grid, side, square, fills_centre) for square in squares]
    return sum(perft(child, other(side), depth - 1, fills_centre, passes) for child in after)
