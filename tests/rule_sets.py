"""Every rule set of every registered game, as the games' options have them."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import product

import pytest

from othello.errors import ConfigError
from othello.rules.protocol import GameSpec, Position, Rules
from othello.rules.registry import GAMES, game_spec, rules_of, unusual_options
from othello.schema import Option, Value

_HALVES = (pytest.mark.slow, pytest.mark.rare)


def every_spec() -> Iterable[GameSpec]:
    """Every choice with every other; three at once would be too many."""
    return [spec for spec in dict.fromkeys(_specs()) if unusual_options(spec).count("=") <= 2]


def few_specs() -> Iterable[GameSpec]:
    """Return the usual rules of every game, and those with one other choice."""
    return (spec for spec in every_spec() if unusual_options(spec).count("=") <= 1)


def each_rule_set(specs: Iterable[GameSpec] | None = None) -> pytest.MarkDecorator:
    """Return a test of every rule set of every game, or of some; by other rules than the usual ones it is slow."""
    usual = {game_spec(game) for game in GAMES}
    rule_sets = [rules_of(spec) for spec in specs or every_spec()]
    return pytest.mark.parametrize(
        "rules",
        [
            pytest.param(rules, id=name, marks=() if rules.spec in usual else pytest.mark.slow)
            for rules, name in zip(rule_sets, names(rule_sets), strict=True)
        ],
    )


def each_pairing(players: Sequence[str]) -> pytest.MarkDecorator:
    """Return a test of every player in every game. Other rules than the default ones are slow or rare tests."""
    rule_sets, usual = [rules_of(spec) for spec in every_spec()], {game_spec(game) for game in GAMES}
    return pytest.mark.parametrize(
        ("player", "rules"),
        [
            pytest.param(
                player, rules, id=f"{player}-{name}", marks=() if rules.spec in usual else _HALVES[(row + column) % 2]
            )
            for column, player in enumerate(players)
            for row, (rules, name) in enumerate(zip(rule_sets, names(rule_sets), strict=True))
        ],
    )


def _specs() -> Iterator[GameSpec]:
    for name, game in GAMES.items():
        options = game.options
        for values in product(*map(_values, options)):
            with suppress(ConfigError):  # not every value goes with every other
                yield game_spec(name, {option.name: value for option, value in zip(options, values, strict=True)})


def _values(option: Option) -> Iterable[Value]:
    """All choices, or the default and the bounds of a number with one between them."""
    if option.choices:
        return option.choices if option.kind is str else (option.default, list(option.choices)[-1])
    low, high = int(option.minimum or 0), int(option.maximum or 0)
    return dict.fromkeys((option.default, low, low + (high - low) // 3, high))


def names(rule_sets: Sequence[Rules[Position]]) -> list[str]:
    """Return what tests call them."""
    return [f"{rules.spec.game} {unusual_options(rules.spec)}".strip() for rules in rule_sets]
