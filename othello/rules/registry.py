"""The games that can be played, by name, and their rules by spec."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cache, lru_cache
from typing import Any, Final

from othello.errors import ConfigError
from othello.rules.connect_four import ConnectFour
from othello.rules.othello import Othello
from othello.rules.protocol import GameSpec, Position, Rules
from othello.rules.tictactoe import TicTacToe
from othello.rules.ultimate import UltimateTicTacToe
from othello.schema import Value, check, object_schema

# Every game has its own kind of positions. Nobody above the rules looks into them, so `rules_of` hides the kind.
GAMES: Final[Mapping[str, type[Rules[Any]]]] = {
    game.name: game for game in (Othello, TicTacToe, UltimateTicTacToe, ConnectFour)
}
DEFAULT_GAME: Final = Othello.name


def game_spec(game: str = DEFAULT_GAME, options: Mapping[str, Value] | None = None) -> GameSpec:
    """A game by these options, and as usual otherwise; ConfigError: there is no such game, option or choice."""
    if game not in GAMES:
        raise ConfigError("no_game", game=game, allowed=", ".join(GAMES))
    known = GAMES[game].options
    if options:
        check({"rules": options}, {"properties": {"rules": object_schema(known)}}, ConfigError)
    chosen = {option.name: (options or {}).get(option.name, option.default) for option in known}
    return GameSpec(game, tuple(GAMES[game].complete(chosen).items()))


@cache
def rules_of(spec: GameSpec) -> Rules[Position]:
    """The rules of a game."""
    return GAMES[spec.game](spec)


@cache
def unusual_options(spec: GameSpec) -> str:
    """The options that differ from the usual ones, such as "start=alternate goal=fewest"."""
    told = dict(spec.options)
    for name in reversed(list(told)):
        rest = {other: value for other, value in told.items() if other != name}
        with suppress(ConfigError):  # the others need this option
            told = rest if game_spec(spec.game, rest) == spec else told
    return " ".join(f"{name}={value}" for name, value in told.items())


@lru_cache(maxsize=64)
def spec_of(game: str, options: str) -> GameSpec:
    """The inverse of `unusual_options`; ConfigError: there is no such game, option or choice."""
    pairs = (word.partition("=")[::2] for word in options.split())
    known = {option.name: option.kind for option in GAMES[game].options} if game in GAMES else {}
    return game_spec(
        game, {name: int(value) if known.get(name) is int and value.isdecimal() else value for name, value in pairs}
    )
