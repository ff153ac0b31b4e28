"""The ten levels of opponents in every game, and the levels that other players correspond to."""

from __future__ import annotations

from bisect import bisect
from functools import cache
from itertools import pairwise
from math import log
from typing import TYPE_CHECKING, Final

from othello.config import PlayerConfig
from othello.engine import knows
from othello.files import measured_levels
from othello.players import mcts_levels
from othello.players.player_registry import configure
from othello.rules.protocol import GameSpec
from othello.rules.registry import rules_of
from othello.schema import options_of

if TYPE_CHECKING:
    from othello.engine.engine_levels import Level

COUNT: Final = mcts_levels.COUNT


def opponent(level: int, name: str) -> PlayerConfig:
    """Return the player of a level."""
    return configure("engine", level=level, name=name, number=None)


def measured(level: int, spec: GameSpec) -> Level | mcts_levels.MctsLevel | None:
    """Return the measured strength of a level in such games, or None if the level was not measured."""
    from othello.engine.engine_levels import levels

    found = (levels() if knows(rules_of(spec)) else mcts_levels.all_mcts_levels(spec))[level - 1]
    return found if found.games else None


def level_of(player: PlayerConfig, spec: GameSpec) -> int | None:
    """Return the level that is about as strong as a player, 0 if the player is weaker than all; None: unknown.

    In Othello, `training.places` has measured the other players. In other games the levels themselves are searches.
    """
    strength = player.strength
    if "level" in strength:
        return strength["level"]
    if len(strength) > 1 or player.time_limit_seconds is not None or not _is_usual(player):
        return None
    value = next(iter(strength.values()), None)
    if knows(rules_of(spec)):
        from othello.engine.engine_levels import levels

        elo = _rating(player.player_type, value)
        return None if elo is None else _nearest([0.0, *(float(level.elo) for level in levels())], elo)
    sizes = [level.simulations for level in mcts_levels.all_mcts_levels(spec)]
    if player.player_type != "mcts_uct" or value is None or not all(sizes):
        return None
    return max(1, _nearest([0.0, *map(log, sizes)], log(value)))


def _is_usual(player: PlayerConfig) -> bool:
    """Return whether a player differs from the measured one only in its strength and in options of all players."""
    own = options_of(type(player)).keys() - options_of(PlayerConfig).keys() - player.strength.keys()
    return all(getattr(player, key) == options_of(type(player))[key].default for key in own)


@cache
def _ratings() -> dict[str, list[tuple[int | None, float]]]:
    """Return measured Elo ratings: for each player type pairs of the strength option's value and the rating.

    Raises:
        KnowledgeError: the file cannot be read.
    """
    return measured_levels(
        "places.json",
        lambda document: {kind: [(value, elo) for value, elo in rows] for kind, rows in document.items()},
    )


def _rating(player_type: str, value: int | None) -> float | None:
    """Interpolate the rating between the nearest measured values; outside of these, return the nearest rating."""
    import numpy as np

    rows = _ratings().get(player_type, [])
    if value is None:
        return next((rating for known, rating in rows if known is None), None)
    known = {log(known): rating for known, rating in rows if known is not None}
    return float(np.interp(log(value), list(known), list(known.values()))) if known else None


def _nearest(scale: list[float], rating: float) -> int:
    """Return the index of the nearest number of a rising scale."""
    middles = [(low + high) / 2 for low, high in pairwise(scale)]
    return bisect(middles, rating)
