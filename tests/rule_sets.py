"""Every rule set of every registered game, as the games' options have them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from othello.rules.protocol import GameSpec, Rules
from othello.rules.registry import GAMES, game_spec, unusual_options


def every_spec() -> Iterator[GameSpec]:
    for name, game in GAMES.items():
        options = game.options
        for choices in product(*(option.choices for option in options)):
            yield game_spec(name, {option.name: choice for option, choice in zip(options, choices, strict=True)})


def names(rule_sets: Sequence[Rules[Any]]) -> list[str]:
    """What tests call them."""
    return [f"{rules.spec.game} {unusual_options(rules.spec)}".strip() for rules in rule_sets]
