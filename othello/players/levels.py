"""Ten opponents for every game, from 1, for whoever plays it for the first time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from othello.config import PlayerConfig
from othello.players.registry import configure, refusal
from othello.rules.protocol import GameSpec

if TYPE_CHECKING:
    from othello.engine.levels import Level

_SIMULATIONS: Final = (8, 20, 50, 120, 300, 800, 2_500, 8_000, 30_000, 120_000)
"""Of a search that plays every game: what the engine does not play."""

COUNT: Final = len(_SIMULATIONS)


def opponent(level: int, spec: GameSpec, name: str) -> PlayerConfig:
    """The player that a level stands for in such games."""
    engine = configure("engine", level=level, name=name, number=None)
    if not refusal(engine, spec):
        return engine
    return configure("mcts_uct", simulation_count=_SIMULATIONS[level - 1], name=name, number=None)


def measured(level: int, spec: GameSpec) -> Level | None:
    """How strong a level was found to be in such games; None where nobody has measured it."""
    from othello.engine.levels import levels

    found = levels()[level - 1]
    return found if found.games and opponent(level, spec, "x").player_type == "engine" else None
