"""The rule sets of all registered games, from the games' options."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import product

import pytest

from othello.errors import ConfigError
from othello.players.player_registry import COMPUTERS
from othello.rules.protocol import GameSpec, Position, Rules
from othello.rules.registry import GAMES, game_spec, rules_of, unusual_options
from othello.schema import Option, Value

USUAL = {game_spec(game) for game in GAMES}


def every_spec() -> Iterable[GameSpec]:
    """Return all rule sets with at most two options other than the default."""
    return [spec for spec in dict.fromkeys(_specs()) if unusual_options(spec).count("=") <= 2]


def few_specs() -> Iterable[GameSpec]:
    """Return the usual rules of every game, and those with one other choice."""
    return (spec for spec in every_spec() if unusual_options(spec).count("=") <= 1)


def each_rule_set(specs: Iterable[GameSpec] | None = None) -> pytest.MarkDecorator:
    """Return a test of every rule set of every game, or of some. Tests of unusual rules are slow."""
    rule_sets = [rules_of(spec) for spec in specs or every_spec()]
    return pytest.mark.parametrize(
        "rules",
        [
            pytest.param(rules, id=name, marks=() if rules.spec in USUAL else pytest.mark.slow)
            for rules, name in zip(rule_sets, names(rule_sets), strict=True)
        ],
    )


def each_pairing(
    players: Sequence[str],
    specs: Iterable[GameSpec] | None = None,
    unusual: Sequence[pytest.MarkDecorator] = (pytest.mark.slow, pytest.mark.rare),
) -> pytest.MarkDecorator:
    """Return a test of every player in every game.

    Quick are the usual rules: all players in Othello and Tic-tac-toe, and half of them in every larger game, because
    each is compiled for each game. `unusual` has the marks of the two halves of all tests of other rules.
    """
    rule_sets = [rules_of(spec) for spec in specs or every_spec()]

    def marks(player: str, row: int, spec: GameSpec) -> tuple[pytest.MarkDecorator, ...]:
        if spec not in USUAL:
            return (unusual[(row + COMPUTERS.index(player)) % 2],)
        is_quick = spec.game in ("othello", "tictactoe") or (list(GAMES).index(spec.game) + COMPUTERS.index(player)) % 2
        return () if is_quick else (pytest.mark.slow,)

    return pytest.mark.parametrize(
        ("player", "rules"),
        [
            pytest.param(player, rules, id=f"{player}-{name}", marks=marks(player, row, rules.spec))
            for player in players
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
    """Return the names of rule sets in tests."""
    return [f"{rules.spec.game} {unusual_options(rules.spec)}".strip() for rules in rule_sets]
