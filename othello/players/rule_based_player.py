"""The player that follows a few rules, as people are taught tic-tac-toe."""

from __future__ import annotations

from collections.abc import Sequence

from othello.errors import Reason
from othello.game import AnyGame
from othello.players.random_player import RandomPlayer
from othello.rules.protocol import Color, Move, Position, Rules


class RuleBasedPlayer(RandomPlayer):
    """Wins, else stops a win, else extends its longest open line where boards are large, else takes the best place."""

    player_type = "rule_based"
    title = "Rules"
    description = "wins, stops a win, or takes a corner, the centre or a side"

    @classmethod
    def plays(cls, rules: Rules[Position]) -> Reason | None:
        return None if rules.lines else Reason("it is for games that a row of marks wins", "for_rows")

    def _wanted(self, game: AnyGame) -> Sequence[Move]:
        """The moves of the first rule that applies."""
        rules, marks, mover = self.rules, self.rules.marks(game.position), game.to_move
        for side in (mover, mover.opponent):
            most, squares = _longest(rules, marks, side)
            if most == len(rules.lines[0]) - 1:
                return squares
        most, squares = _longest(rules, marks, mover)
        if most and len(rules.lines[0]) < len(marks) // 3:  # with three squares a side, places matter more
            return squares
        free = game.legal_moves()
        for place in _places(rules.columns, rules.rows):
            if found := [square for square in free if square in place]:
                return found
        return free


def _longest(rules: Rules[Position], marks: Sequence[Color | None], side: Color) -> tuple[int, list[Move]]:
    """How many marks one side has on its longest line that the other has none on, and the squares that extend such."""
    most, squares = 0, set[Move]()
    for line in rules.lines:
        own = sum(marks[square] is side for square in line)
        free = [square for square in line if marks[square] is None]
        if own + len(free) == len(line) and free and own >= most:
            squares = (squares if own == most else set()) | set(free)
            most = own
    return most, sorted(squares)


def _places(columns: int, rows: int) -> tuple[set[Move], ...]:
    """Corners, centre and sides of a board, which is wanted first."""
    corners = {0, columns - 1, (rows - 1) * columns, rows * columns - 1}
    middle_rows, middle_columns = ({(size - 1) // 2, size // 2} for size in (rows, columns))
    centre = {row * columns + column for row in middle_rows for column in middle_columns}
    sides = {square for square in range(rows * columns) if square % columns in (0, columns - 1)}
    sides |= {square for square in range(rows * columns) if square // columns in (0, rows - 1)}
    return corners, centre, sides
