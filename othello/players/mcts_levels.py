"""The ten levels in games that the engine does not play: which search, how far, and how strong.

The figures are in `assets/levels-mcts.json`, which `training.counts` measures.
"""

from dataclasses import replace
from functools import cache
from typing import Any, Final, NamedTuple

from othello.files import measured_levels
from othello.frozen_dataclass import FrozenDataclass
from othello.rules.protocol import GameSpec
from othello.schema import Value

COUNT: Final = 10
_USUAL: Final = (8, 20, 50, 120, 300, 800, 2_000, 5_000, 12_000, 30_000)  # simulations in games without measured levels


class MctsLevel(FrozenDataclass):
    """A level and its measured strength."""

    simulations: int = 0  # per move of `mcts_uct`; 0: the level uses alpha-beta
    depth: int = 0  # of alpha-beta, in plies
    temperature: float = 0.0  # a move worth this much less than the best is played 1/e times as often
    elo: int = 0  # measured strength; random play is 0
    margin: int = 0  # half of the 95 % interval of `elo`
    games: int = 0  # from which `elo` was measured; 0: not measured


class _Measured(NamedTuple):
    game: str
    rules: dict[str, Value]
    levels: tuple[MctsLevel, ...]


@cache
def all_mcts_levels(spec: GameSpec) -> tuple[MctsLevel, ...]:
    """Return the ten levels of a game, the weakest first.

    Rules without a measurement get the levels of the nearest rules.

    Raises:
        KnowledgeError: the file with the figures cannot be read.
    """
    of_game = [measured for measured in measured_levels("levels-mcts.json", _measured) if measured.game == spec.game]
    if not of_game:
        return tuple(map(MctsLevel, _USUAL))
    nearest = min(of_game, key=lambda measured: _distance(measured.rules, spec))
    if _distance(nearest.rules, spec):
        return tuple(replace(level, elo=0, margin=0, games=0) for level in nearest.levels)
    return nearest.levels


def _distance(rules: dict[str, Value], spec: GameSpec) -> int:
    """Return how far rules are from measured rules: 1 for a different choice, or the difference of two numbers."""
    pairs = ((value, rules.get(name, value)) for name, value in spec.options)
    return sum(abs(a - b) if isinstance(a, int) and isinstance(b, int) else a != b for a, b in pairs)


def _measured(document: Any) -> list[_Measured]:
    return [
        _Measured(entry["game"], entry["rules"], tuple(MctsLevel(**level) for level in entry["levels"]))
        for entry in document["games"]
    ]
