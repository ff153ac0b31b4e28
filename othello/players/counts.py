"""How long a tree search thinks at ten levels, game by game, and how strong that is: where the engine does not play.

The figures are in `assets/levels-mcts.json`, which `training.counts` measures.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from othello.resources import asset
from othello.rules.protocol import GameSpec
from othello.schema import Value

COUNT: Final = 10
_USUAL: Final = (8, 20, 50, 120, 300, 800, 2_000, 5_000, 12_000, 30_000)  # in games of which nothing was measured


@dataclass(frozen=True, slots=True)
class CountedLevel:
    """A level, and how strong it was found to be.

    Attributes:
        simulations: a move.
        elo: measured strength, random play being 0.
        margin: half of its 95 % interval.
        games: from which it was measured; 0: it was not.
    """

    simulations: int
    elo: int = 0
    margin: int = 0
    games: int = 0


@cache
def counted_levels(spec: GameSpec) -> tuple[CountedLevel, ...]:
    """The ten levels of a game, the weakest first. By rules that were not measured they are those of the nearest."""
    entries = [entry for entry in _entries() if entry["game"] == spec.game]
    if not entries:
        return tuple(map(CountedLevel, _USUAL))
    nearest = min(entries, key=lambda entry: _distance(entry["rules"], spec))
    levels = [CountedLevel(**level) for level in nearest["levels"]]
    if _distance(nearest["rules"], spec):
        levels = [CountedLevel(level.simulations) for level in levels]
    return tuple(levels)


def _distance(rules: dict[str, Value], spec: GameSpec) -> int:
    """How far rules are from those that were measured: 1 a choice, or the difference of two numbers."""
    pairs = ((value, rules[name]) for name, value in spec.options)
    return sum(abs(a - b) if isinstance(a, int) and isinstance(b, int) else a != b for a, b in pairs)


@cache
def _entries() -> list[dict[str, Any]]:
    games: list[dict[str, Any]] = json.loads(asset("levels-mcts.json").read_text(encoding="utf-8"))["games"]
    return games
