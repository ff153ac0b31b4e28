"""How players play, ply by ply: their choice of moves, what they capture, how far they lead."""

from collections import defaultdict
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from othello.game import AnyGame
from othello.records.record import GameRecord
from othello.rules.protocol import Color, Move, Position, Rules

MEASURES: Final = ("mobility", "captured", "lead", "corners")
"""Moves that the player could choose from; squares that its move took from the other side; then, after the move, its
points minus the other side's, and the same of corners."""
MEANINGS: Final = ("moves to choose from", "squares taken", "points ahead", "corners ahead")
"""The same in words for people."""


class PlayingStyle:
    """Sums over the moves that players chose themselves, without passes and set openings."""

    def __init__(self) -> None:
        # by name, an array of (plies, 1 + measures): the number of moves, and the sum of each measure
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
        """The places of the measures that say anything. Some games have no captures, or no points."""
        sums = sum(np.abs(player).sum(axis=0) for player in self.players.values())
        return [measure for measure in range(len(MEASURES)) if np.any(sums) and sums[1 + measure]]

    def mean(self, name: str) -> tuple[float, ...]:
        """Every measure of a player, averaged over all its moves."""
        number, *sums = self.players[name].sum(axis=0)
        return tuple(total / max(number, 1) for total in sums)

    def course(self, name: str, measure: int) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """The plies at which a player moved, counted from 1, and its average of a measure at each."""
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
