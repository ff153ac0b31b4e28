"""The player without a plan."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from othello.game import AnyGame
from othello.players.player import move_seed
from othello.search.report import MoveStats, SearchReport, Unit
from othello.search.stop import StopFlag


class RandomPlayer:
    """Uniform over the legal moves."""

    def __init__(self, name: str, seed: int) -> None:
        self.name = name
        self._seed = seed

    def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        moves = game.legal_moves()
        move = moves[int(np.random.default_rng(move_seed(self._seed, game)).integers(len(moves)))]
        yield SearchReport(
            player="random",
            move=move,
            value=None,
            moves=tuple(MoveStats(other, 0, None) for other in moves),
            unit=Unit.NONE,
            pv=(move,),
            final=True,
        )

    def close(self) -> None:
        """Nothing to keep."""

    def warm_up(self) -> None:
        """Nothing to compile."""
