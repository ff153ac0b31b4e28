"""The squares of ultimate tic-tac-toe: small boards, their cells, and the 9 x 9 squares."""

from typing import Final

SQUARES: Final = 81
# The small board of each square.
BOARD_OF: Final = tuple(square // 27 * 3 + square % 9 // 3 for square in range(SQUARES))
# The cell of each square in its small board.
CELL_OF: Final = tuple(square // 9 % 3 * 3 + square % 3 for square in range(SQUARES))
# The square of each cell, by [board][cell].
SQUARE_OF: Final = tuple(
    tuple(board // 3 * 27 + board % 3 * 3 + cell // 3 * 9 + cell % 3 for cell in range(9)) for board in range(9)
)
