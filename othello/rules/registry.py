"""All games by name, and their rules by spec."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache, cached_property, lru_cache
from typing import Any, Final

from othello.aliases import renamed
from othello.errors import ConfigError
from othello.rules.connect_four import ConnectFour
from othello.rules.installed_games import installed_games, package_of
from othello.rules.othello import Othello
from othello.rules.protocol import GameSpec, Position, Rules
from othello.rules.tictactoe import TicTacToe
from othello.rules.ultimate_tictactoe import UltimateTicTacToe
from othello.schema import Option, Value, check, object_schema


class _Games(Mapping[str, type[Rules[Any]]]):
    """The program's own games, followed by those of installed packages, which are loaded when they are needed."""

    def __getitem__(self, name: str) -> type[Rules[Any]]:
        return OWN_GAMES[name] if name in OWN_GAMES else self._all[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    @cached_property
    def _all(self) -> Mapping[str, type[Rules[Any]]]:
        return {**OWN_GAMES, **installed_games(OWN_GAMES)}


# Each game has its own type of positions. Other packages do not depend on it, so `rules_of` hides it.
OWN_GAMES: Final[Mapping[str, type[Rules[Any]]]] = {
    game.name: game for game in (Othello, TicTacToe, UltimateTicTacToe, ConnectFour)
}
GAMES: Final[Mapping[str, type[Rules[Any]]]] = _Games()
DEFAULT_GAME: Final = Othello.name


def game_spec(game: str = DEFAULT_GAME, options: Mapping[str, Value] | None = None) -> GameSpec:
    """Return a game with these options, and defaults for the others.

    Raises:
        ConfigError: the game, an option or a value does not exist.
    """
    if game not in GAMES:
        raise ConfigError("no_game", game=game, allowed=", ".join(GAMES))
    known, options = GAMES[game].options, renamed(options)
    if options:
        check({"rules": options}, {"properties": {"rules": object_schema(known)}}, ConfigError)
    chosen = {option.name: (options or {}).get(option.name, option.default) for option in known}
    return GameSpec(game, tuple(GAMES[game].complete(chosen).items()))


@cache
def rules_of(spec: GameSpec) -> Rules[Position]:
    """Return the rules of a game."""
    return GAMES[spec.game](spec)


@cache
def unusual_options(spec: GameSpec) -> str:
    """Return the options that differ from the defaults, such as "start=alternate goal=fewest"."""
    options = dict(spec.options)
    for name in reversed(list(options)):
        rest = {other: value for other, value in options.items() if other != name}
        with suppress(ConfigError):  # another option requires this one
            options = rest if game_spec(spec.game, rest) == spec else options
    return " ".join(f"{name}={value}" for name, value in options.items())


@lru_cache(maxsize=64)
def spec_of(game: str, options: str) -> GameSpec:
    """Return the spec for the result of `unusual_options`.

    Raises:
        ConfigError: the game, an option or a value does not exist.
    """
    pairs = (word.partition("=")[::2] for word in options.split())
    numbers = {option.name for option in GAMES[game].options if option.kind is int} if game in GAMES else set()
    return game_spec(
        game,
        {name: int(value) if name in numbers and re.fullmatch("[0-9]{1,9}", value) else value for name, value in pairs},
    )


def package_of_game(game: str) -> str | None:
    """Return the package that brings a game, None for a game of this program."""
    return None if game in OWN_GAMES else package_of(GAMES[game])


def all_variants() -> list[GameSpec]:
    """Return all games with default options, then a variant for each other type of state."""
    variants: list[tuple[str, dict[str, Value]]] = [(game, {}) for game in GAMES]
    for game, kind in GAMES.items():
        variants += ((game, {option.name: value}) for option in kind.options for value in _ends(option))
    known: dict[object, GameSpec] = {}
    for game, options in variants:
        with suppress(ConfigError):  # this option requires another one
            spec = game_spec(game, options)
            rules = rules_of(spec)
            known.setdefault(_shape(rules.kernel_state(rules.start())), spec)
    return list(known.values())


def _ends(option: Option) -> Iterable[Value]:
    """Return all choices of an option, or its minimum and maximum."""
    return option.choices or (int(end) for end in (option.minimum, option.maximum) if end is not None)


def _shape(state: object) -> object:
    """Return the type of a state, with the types of its members."""
    return type(state), tuple(map(_shape, state)) if isinstance(state, tuple) else ()
