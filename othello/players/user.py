"""The person at the window."""

from __future__ import annotations

from othello.config import PlayerConfig
from othello.players.player import Player


class User(Player):
    """Described for config files and lists, and never made: a person is a state of the session, fed by commands."""

    player_type = "user"
    title = "Human"
    description = "the person at the window"
    config_type = PlayerConfig
