"""Statistics of playing style by ply: mobility, captures, lead and corners."""

from collections import defaultdict
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from othello.game import AnyGame
from othello.records.record import GameRecord
from othello.rules.protocol import Color, Move, Position, Rules

# Legal moves; captured squares; after the move, own game points minus the opponent's, and own corners minus theirs.
MEASURES: Final = ("mobility", "captured", "lead", "corners")
MEANINGS: Final = ("moves to choose from", "squares taken", "points ahead", "corners ahead")


class PlayingStyle:
    """Sums over the moves that players chose, without passes and openings."""

    def __init__(self) -> None:
        # by name, an array of shape (plies, 1 + measures): the number of moves, and the sum of each measure
        self.players: defaultdict[str, NDArray[np.float64]] = defaultdict(lambda: np.zeros((0, 1 + len(MEASURES))))

    def add(self, record: GameRecord, game: AnyGame) -> None:
        for ply, move in enumerate(game.moves):
            if ply < record.opening_plies or game.rules.is_pass(move):
                continue
            before, after = game.positions[ply], game.positions[ply + 1]
            name = (record.black, record.white)[before.to_move]
            sums = self.players[name]
            if ply >= len(sums):
                sums = self.players[name] = np.vstack([sums, np.zeros((ply + 1 - len(sums), sums.shape[1]))])
            sums[ply] += (1, *_measured(game.rules, before, move, after))

    @property
    def known(self) -> list[int]:
        """The indices of the measures that are not always 0. Some games have no captures or no game points."""
        sums = sum(np.abs(player).sum(axis=0) for player in self.players.values())
        return [measure for measure in range(len(MEASURES)) if np.any(sums) and sums[1 + measure]]

    def mean(self, name: str) -> tuple[float, ...]:
        """Return the mean of every measure over all moves of a player."""
        number, *sums = self.players[name].sum(axis=0)
        return tuple(total / max(number, 1) for total in sums)

    def course(self, name: str, measure: int) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Return the plies at which a player moved, from 1, and the mean of a measure at each."""
        sums = self.players[name]
        plies = np.flatnonzero(sums[:, 0])
        return plies + 1, sums[plies, 1 + measure] / sums[plies, 0]


def _measured(rules: Rules[Position], before: Any, move: Move, after: Any) -> tuple[int, ...]:
    own: Color = before.to_move
    score = rules.score(after)
    marks = rules.marks(after)
    last_row, last_column = (rules.rows - 1) * rules.columns, rules.columns - 1
    corners = [marks[row + column] for row in (0, last_row) for column in (0, last_column)]
    return (
        len(rules.legal_moves(before)),
        len(rules.captured(before, move)),
        score[own] - score[own.opponent] if rules.points else 0,
        corners.count(own) - corners.count(own.opponent) if rules.corners_matter else 0,
    )
