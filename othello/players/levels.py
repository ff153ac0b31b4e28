"""Ten opponents for every game, from 1, for beginners; and where searches stand on the scale of these levels."""

from __future__ import annotations

from bisect import bisect
from functools import cache
from itertools import pairwise
from math import log
from typing import TYPE_CHECKING, Final

from othello.config import PlayerConfig
from othello.engine import knows
from othello.players import counts
from othello.players.registry import configure
from othello.reading import measured_levels
from othello.rules.protocol import GameSpec
from othello.rules.registry import rules_of
from othello.schema import options_of

if TYPE_CHECKING:
    from othello.engine.levels import Level

COUNT: Final = counts.COUNT


def opponent(level: int, name: str) -> PlayerConfig:
    """The player that a level stands for."""
    return configure("engine", level=level, name=name, number=None)


def measured(level: int, spec: GameSpec) -> Level | counts.CountedLevel | None:
    """How strong a level was found to be in such games; None where nobody has measured it."""
    from othello.engine.levels import levels

    found = (levels() if knows(rules_of(spec)) else counts.counted_levels(spec))[level - 1]
    return found if found.games else None


def place(player: PlayerConfig, spec: GameSpec) -> int | None:
    """Return the level that is about as strong as a player, 0 if it is weaker than all; None if nobody measured it.

    `training.places` measures searches in Othello. Elsewhere the levels are searches, too.
    """
    strength = player.strength
    if "level" in strength:
        return strength["level"]
    if len(strength) > 1 or player.time_limit_seconds is not None or not _is_usual(player):
        return None
    value = next(iter(strength.values()), None)
    if knows(rules_of(spec)):
        from othello.engine.levels import levels

        elo = _rating(player.player_type, value)
        return None if elo is None else _nearest([0.0, *(float(level.elo) for level in levels())], elo)
    sizes = [level.simulations for level in counts.counted_levels(spec)]
    if player.player_type != "mcts_uct" or value is None or not all(sizes):
        return None
    return max(1, _nearest([0.0, *map(log, sizes)], log(value)))


def _is_usual(player: PlayerConfig) -> bool:
    """Return whether only the player's strength and what all players have differ from what was measured."""
    own = options_of(type(player)).keys() - options_of(PlayerConfig).keys() - player.strength.keys()
    return all(getattr(player, key) == options_of(type(player))[key].default for key in own)


@cache
def _ratings() -> dict[str, list[tuple[int | None, float]]]:
    """Return Elo by player type and the value of its option; KnowledgeError: the file cannot be read."""
    return measured_levels(
        "places.json",
        lambda document: {kind: [(value, elo) for value, elo in rows] for kind, rows in document.items()},
    )


def _rating(player_type: str, value: int | None) -> float | None:
    """Return the rating between those of the nearest measured values; outside of these, the rating of the last."""
    import numpy as np

    rows = _ratings().get(player_type, [])
    if value is None:
        return next((rating for known, rating in rows if known is None), None)
    known = {log(known): rating for known, rating in rows if known is not None}
    return float(np.interp(log(value), list(known), list(known.values()))) if known else None


def _nearest(scale: list[float], rating: float) -> int:
    """Return the index of the nearest of some rising numbers."""
    middles = [(low + high) / 2 for low, high in pairwise(scale)]
    return bisect(middles, rating)
