"""The player that follows the rules that people learn tic-tac-toe with."""

from collections.abc import Sequence

from othello.errors import Reason
from othello.game import AnyGame
from othello.players.random_player import RandomPlayer
from othello.rules.protocol import Color, Move, Position, Rules


class RuleBasedPlayer(RandomPlayer):
    """Wins, else blocks a win, else extends its longest open line on large boards, else takes the best place."""

    player_type = "rule_based"
    title = "Rules"
    description = "wins, stops a win, or takes a corner, the centre or a side"

    @classmethod
    def plays(cls, rules: Rules[Position]) -> Reason | None:
        return None if rules.lines else Reason("for_rows")

    def _candidates(self, game: AnyGame) -> Sequence[Move]:
        """Return the moves of the first rule that applies."""
        rules, length = self.rules, len(self.rules.lines[0])
        legal = game.legal_moves()
        own, others = (_extending(rules, game, side) for side in (game.to_move, game.to_move.opponent))
        for extending in (own, others):
            if length - 1 in extending:
                return extending[length - 1]
        longest = max(own, default=0)
        if longest and rules.columns > 3:  # on 3 x 3, places matter more than lines
            return own[longest]
        for place in _places(rules.columns, rules.rows):
            if wanted := [move for move in legal if move in place]:
                return wanted
        return legal


def _extending(rules: Rules[Position], game: AnyGame, side: Color) -> dict[int, list[Move]]:
    """Return the legal squares on lines without an opposing mark, by the number of own marks on the line."""
    marks, legal = rules.owners(game.position), set(game.legal_moves())
    moves: dict[int, set[Move]] = {}
    for line in rules.lines:
        squares = legal.intersection(line)
        if squares and all(marks[square] is not side.opponent for square in line):
            moves.setdefault(sum(marks[square] is side for square in line), set()).update(squares)
    return {count: sorted(squares) for count, squares in moves.items()}


def _places(columns: int, rows: int) -> tuple[set[int], ...]:
    """Return the corners, the centre and the sides of a board, the best places first."""
    corners = {0, columns - 1, (rows - 1) * columns, rows * columns - 1}
    middle_rows, middle_columns = ({(size - 1) // 2, size // 2} for size in (rows, columns))
    centre = {row * columns + column for row in middle_rows for column in middle_columns}
    sides = {square for square in range(rows * columns) if square % columns in (0, columns - 1)}
    sides |= {square for square in range(rows * columns) if square // columns in (0, rows - 1)}
    return corners, centre, sides
