"""Ten opponents for every game, from 1, for beginners."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from othello.config import PlayerConfig
from othello.engine import knows
from othello.players import counts
from othello.players.registry import configure
from othello.rules.protocol import GameSpec
from othello.rules.registry import rules_of

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
