"""The player that plays random moves."""

from collections.abc import Iterator, Sequence

from othello.game import AnyGame
from othello.players.player import Player, draw, move_seed
from othello.rules.protocol import Move
from othello.search.report import SearchReport
from othello.search.stop import StopFlag


class RandomPlayer(Player):
    """Plays each legal move with the same probability."""

    player_type = "random"
    title = "Random"
    description = "any legal move"

    def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        yield self._unsearched(game, draw(self._candidates(game), move_seed(self.seed, game)))

    def _candidates(self, game: AnyGame) -> Sequence[Move]:
        """Return the moves of which one is drawn."""
        return game.legal_moves()
