"""From a player's configuration to the player."""

from __future__ import annotations

from dataclasses import replace

from othello.config import MCTS_TYPES, PlayerConfig
from othello.players.player import Player
from othello.players.random_player import RandomPlayer
from othello.rules.protocol import GameSpec
from othello.rules.registry import rules_of


def create_player(config: PlayerConfig, spec: GameSpec, seed: int, analyse: bool = False) -> Player:
    """The computer player that `config` describes, for one game.

    Args:
        config: any player but `user`, who is no player but a state of the session.
        spec: what it plays.
        seed: 0 .. 2**63 - 1; with the same seed the player makes the same decisions.
        analyse: judge every root move exactly, also where less is needed to find the best. The move is the same.

    Raises:
        ValueError: no computer player has this type.
    """
    if config.endgame_empties:
        from othello.players.endgame_player import EndgamePlayer

        otherwise = create_player(replace(config, endgame_empties=0), spec, seed, analyse)
        return EndgamePlayer(config, otherwise, judge_all=analyse)
    name = config.name or config.player_type
    if config.player_type == "random":
        return RandomPlayer(name, seed)

    # Searches are imported here and not above: the compiler takes longer to import than the window to open.
    if config.player_type in ("simple_heuristic", "heuristic"):
        from othello.players.heuristic_player import HeuristicPlayer, SimpleHeuristicPlayer

        if config.player_type == "simple_heuristic":
            return SimpleHeuristicPlayer(name, rules_of(spec), seed)
        return HeuristicPlayer(name, rules_of(spec), seed, config.depth, config.time_limit_seconds, analyse)
    if config.player_type in MCTS_TYPES:
        from othello.players.mcts_player import MctsPlayer

        return MctsPlayer(config, rules_of(spec), seed)
    raise ValueError(f"no computer player is called {config.player_type!r}")
