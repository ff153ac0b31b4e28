"""Every kernel that Python can call: all players in all games, by all rules that have code of their own."""

from __future__ import annotations

from collections.abc import Sequence

from othello.players.registry import configure, create_player
from othello.rules.registry import game_spec


def play_all(players: Sequence[str] = (), games: Sequence[str] = ()) -> None:
    """Have every kernel called; of some players and games alone, where some are named."""
    for name in players or ["mcts_uct"]:
        for game in games or ["othello"]:
            with create_player(configure(name), game_spec(game)) as player:
                player.prepare()
