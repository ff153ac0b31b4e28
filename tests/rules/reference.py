"""A slow, obvious implementation of Othello, one disc at a time, that all fast ones are checked against."""

import math

EMPTY, BLACK, WHITE = ".", "X", "O"
Grid = tuple[str, ...]  # the squares of a square board from a1, row by row
Square = tuple[int, int]  # (row, column), both from 0

DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


STARTS = {
    "standard": [WHITE, BLACK, BLACK, WHITE],
    "alternate": [WHITE, WHITE, BLACK, BLACK],
    "reversi": [EMPTY, EMPTY, EMPTY, EMPTY],
}


def size_of(grid: Grid) -> int:
    """Return the numbers of rows and columns of a grid."""
    return math.isqrt(len(grid))


def centre(size: int) -> list[Square]:
    """Return the four squares in the middle."""
    return [(row, column) for row in (size // 2 - 1, size // 2) for column in (size // 2 - 1, size // 2)]


def start(name: str = "standard", size: int = 8, corners: int = 0) -> Grid:
    """Return the grid before the first move. Handicap corners: top left, bottom right, top right, bottom left."""
    grid = [EMPTY] * size**2
    for (row, column), disc in zip(centre(size), STARTS[name], strict=True):
        grid[row * size + column] = disc
    for row, column in [(0, 0), (size - 1, size - 1), (0, size - 1), (size - 1, 0)][:corners]:
        grid[row * size + column] = BLACK
    return tuple(grid)


def other(side: str) -> str:
    return WHITE if side == BLACK else BLACK


def captured(grid: Grid, side: str, square: Square) -> list[Square]:
    """Return the discs that a disc of `side` on `square` would capture; empty if the move is illegal."""
    size = size_of(grid)

    def disc(row: int, column: int) -> str:
        return grid[row * size + column] if 0 <= row < size and 0 <= column < size else EMPTY

    row, column = square
    if disc(row, column) != EMPTY:
        return []
    discs: list[Square] = []
    for down, right in DIRECTIONS:
        run = []
        r, c = row + down, column + right
        while disc(r, c) == other(side):
            run.append((r, c))
            r, c = r + down, c + right
        if disc(r, c) == side:
            discs += run
    return discs


def legal_squares(grid: Grid, side: str, fills_centre: bool = False) -> list[Square]:
    """Return the squares that a side may play. With the rule `fills_centre`, empty squares of the centre come first."""
    size = size_of(grid)
    free = [(row, column) for row, column in centre(size) if grid[row * size + column] == EMPTY]
    if fills_centre and free:
        return free
    return [(r, c) for r in range(size) for c in range(size) if captured(grid, side, (r, c))]


def place(grid: Grid, side: str, square: Square, fills_centre: bool = False) -> Grid:
    """Return the grid after a legal move."""
    size = size_of(grid)
    is_filling = fills_centre and any(grid[row * size + column] == EMPTY for row, column in centre(size))
    cells = list(grid)
    for row, column in [square] if is_filling else [square, *captured(grid, side, square)]:
        cells[row * size + column] = side
    return tuple(cells)


def is_over(grid: Grid, side: str, fills_centre: bool = False, passes: bool = True) -> bool:
    """Return whether the game is over. Without the rule `passes`, a side without a move ends it."""
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
