"""From a player's configuration to the player."""

from __future__ import annotations

from othello.config import PlayerConfig
from othello.players.player import Player
from othello.players.random_player import RandomPlayer


def create_player(config: PlayerConfig, seed: int) -> Player:
    """The computer player that `config` describes, for one game.

    Args:
        config: any player but `user`, who is no player but a state of the session.
        seed: 0 .. 2**63 - 1; with the same seed the player makes the same decisions.

    Raises:
        ValueError: no computer player has this type.
    """
    name = config.name or config.player_type
    if config.player_type == "random":
        return RandomPlayer(name, seed)
    raise ValueError(f"no computer player is called {config.player_type!r}")
