"""The ten levels in games that the engine does not play: which search, how far, and how strong.

The figures are in `assets/levels-mcts.json`, which `training.counts` measures.
"""

from dataclasses import replace
from functools import cache
from operator import itemgetter
from typing import Any, Final

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


@cache
def all_mcts_levels(spec: GameSpec) -> tuple[MctsLevel, ...]:
    """Return the ten levels of a game, the weakest first.

    Rules without a measurement get the levels of the nearest rules.

    Raises:
        KnowledgeError: the file with the figures cannot be read.
    """
    measured = measured_levels("levels-mcts.json", _measured)
    of_game = [(_distance(rules, spec), levels) for game, rules, levels in measured if game == spec.game]
    if not of_game:
        return tuple(map(MctsLevel, _USUAL))
    distance, levels = min(of_game, key=itemgetter(0))
    return tuple(replace(level, elo=0, margin=0, games=0) for level in levels) if distance else levels


def _distance(rules: dict[str, Value], spec: GameSpec) -> int:
    """Return how far rules are from measured rules: 1 for a different choice, or the difference of two numbers."""
    pairs = ((value, rules.get(name, value)) for name, value in spec.options)
    return sum(abs(a - b) if isinstance(a, int) and isinstance(b, int) else a != b for a, b in pairs)


def _measured(document: Any) -> list[tuple[str, dict[str, Value], tuple[MctsLevel, ...]]]:
    """Return the game, the rules and the levels of each measurement."""
    return [
        (entry["game"], entry["rules"], tuple(MctsLevel(**level) for level in entry["levels"]))
        for entry in document["games"]
    ]
