"""The player without a plan."""

from collections.abc import Iterator, Sequence

from othello.game import AnyGame
from othello.players.player import Player, draw, move_seed
from othello.rules.protocol import Move
from othello.search.report import MoveStats, SearchReport
from othello.search.stop import StopFlag


class RandomPlayer(Player):
    """Uniform over the legal moves."""

    player_type = "random"
    title = "Random"
    description = "any legal move"

    def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        move = draw(self._wanted(game), move_seed(self.seed, game))
        yield SearchReport(
            player=self.player_type,
            move=move,
            value=None,
            moves=tuple(MoveStats(other, 0, None) for other in game.legal_moves()),
            unit=self.unit,
            pv=(move,),
            final=True,
        )

    def _wanted(self, game: AnyGame) -> Sequence[Move]:
        """The moves among which one is drawn."""
        return game.legal_moves()
