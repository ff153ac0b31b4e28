"""The games that can be played, by name, and their rules by spec."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from othello.errors import ConfigError
from othello.rules.othello import Othello
from othello.rules.protocol import GameSpec, Rules
from othello.schema import Value

GAMES: Final[Mapping[str, type[Rules[Any]]]] = {game.name: game for game in (Othello,)}
DEFAULT_GAME: Final = Othello.name


def game_spec(game: str = DEFAULT_GAME, options: Mapping[str, Value] | None = None) -> GameSpec:
    """A game with some options chosen and the usual choice for the others.

    Raises:
        ConfigError: there is no such game, option or choice.
    """
    if game not in GAMES:
        raise ConfigError(f"game: is {game!r}; allowed: {', '.join(GAMES)}")
    known = {option.name: option for option in GAMES[game].options}
    for name, value in (options or {}).items():
        if name not in known:
            raise ConfigError(f"rules.{name}: unknown key; allowed: {', '.join(known)}")
        if value not in known[name].choices:
            raise ConfigError(f"rules.{name}: is {value!r}; allowed: {', '.join(map(str, known[name].choices))}")
    return GameSpec(game, tuple((name, (options or {}).get(name, known[name].default)) for name in known))


@cache
def rules_of(spec: GameSpec) -> Rules[Any]:
    """The rules of a game."""
    return GAMES[spec.game](spec)


def unusual_options(spec: GameSpec) -> str:
    """The options that are not the usual ones, such as "start=alternate goal=fewest"; empty where all are."""
    usual = dict(game_spec(spec.game).options)
    return " ".join(f"{name}={value}" for name, value in spec.options if value != usual[name])
