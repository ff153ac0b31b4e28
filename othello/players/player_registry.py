"""All types of players by their names in config files, their options, and what they are called."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from othello.config import PlayerConfig
from othello.errors import OthelloError, PlayerError, ProgramError, Reason
from othello.players.endgame_player import EndgamePlayer
from othello.players.engine_player import EnginePlayer
from othello.players.heuristic_player import HeuristicPlayer, SimpleHeuristicPlayer
from othello.players.learning_player import QLearningPlayer, SarsaPlayer
from othello.players.mcts_player import GroupingPlayer, Ucb1Player, UctPlayer
from othello.players.player import ComputerConfig, Player, PlayerWrapper, User
from othello.players.program_player import ProgramConfig, ProgramPlayer
from othello.players.python_player import PythonPlayer
from othello.players.random_player import RandomPlayer
from othello.players.rule_based_player import RuleBasedPlayer
from othello.programs.program_registry import installed, programs
from othello.rules.protocol import GameSpec
from othello.rules.registry import rules_of
from othello.schema import Option, options_of
from othello.texts import tr

PLAYERS: Final[Mapping[str, type[Player]]] = {
    kind.player_type: kind
    for kind in (
        User,
        RandomPlayer,
        SimpleHeuristicPlayer,
        RuleBasedPlayer,
        SarsaPlayer,
        QLearningPlayer,
        HeuristicPlayer,
        GroupingPlayer,
        Ucb1Player,
        UctPlayer,
        EnginePlayer,
        ProgramPlayer,
        PythonPlayer,
    )
}
# Wrappers around any player, the innermost first.
WRAPPERS: Final[Sequence[type[PlayerWrapper]]] = (EndgamePlayer,)
COMPUTERS: Final = tuple(name for name in PLAYERS if name != User.player_type)

# Player types with default options, in the order of their measured strength in Othello.
_FROM_WEAKEST: Final = (
    *("random", "sarsa", "simple_heuristic", "rule_based", "mcts_uct", "mcts_grouping", "mcts_ucb1", "q_learning"),
    *("heuristic", "engine"),
)
# The level of a player that needs one if none is chosen.
USUAL_LEVEL: Final = 3

_ALL_OPTIONS: Final = [option for kind in PLAYERS.values() for option in options_of(kind.config_type).values()]


def _first(options: Iterable[tuple[str, Option]]) -> Mapping[str, Option]:
    found: dict[str, Option] = {}
    for key, option in options:
        found.setdefault(key, option)
    return found


# Options of players by key. Players that share a key accept the same values.
OPTIONS: Final = _first((option.name, option) for option in _ALL_OPTIONS)
# Options that a config can set for all players at once, by key.
SHARED_OPTIONS: Final = _first((option.shared_key, option) for option in _ALL_OPTIONS if not option.is_personal)


def configure(kind: str, **options: Any) -> PlayerConfig:
    """Return the configuration of a player, with defaults for all other options; `kind`: see `PlayerConfig.kind`."""
    player_type, _, program = kind.partition(".")
    named: dict[str, Any] = {"program": program} if program else {}
    return PLAYERS[player_type].config_type(player_type, **named, **options)


def type_of(kind: str) -> type[Player]:
    return PLAYERS[kind.partition(".")[0]]


def type_title(kind: str) -> str:
    """Return the name of a kind of player for users, in the current language."""
    player_type, _, program = kind.partition(".")
    return program or tr(f"player_types.{player_type}", PLAYERS[player_type].title)


def kinds() -> list[str]:
    """Return all kinds of players to choose from: the built-in types, and each known program or class."""
    own = [name for name, player in PLAYERS.items() if not issubclass(player, ProgramPlayer)]
    with suppress(OthelloError):  # the programs dialog reports a list that cannot be read
        known = {**installed(), **{name: program.class_name for name, program in programs().items()}}
        types = {True: PythonPlayer.player_type, False: ProgramPlayer.player_type}
        own += [configure(types[bool(class_name)], program=name).kind for name, class_name in known.items()]
    return own


def computers(spec: GameSpec) -> list[str]:
    """Return the kinds of computer players that play such games, from the weakest; programs and classes come last."""
    known = [
        kind for kind in kinds() if kind != User.player_type and not unsupported_reason(configure_for(kind, spec), spec)
    ]
    return sorted(known, key=(*_FROM_WEAKEST, *(kind for kind in known if kind not in _FROM_WEAKEST)).index)


def advisers(spec: GameSpec) -> list[str]:
    """Return the kinds of computer players that search such games without a level, which bounds a search."""
    return [kind for kind in computers(spec) if not unsupported_reason(configure(kind), spec)]


def configure_for(kind: str, spec: GameSpec) -> PlayerConfig:
    """Return a player's usual configuration, with a level if the player needs one for such games."""
    player = configure(kind)
    needs_level = "level" in options_of(type_of(kind).config_type) and unsupported_reason(player, spec) is not None
    return configure(kind, level=USUAL_LEVEL) if needs_level else player


def counts_of(player_type: str) -> str:
    """Return what the reports of a type of player count: "simulations" or "episodes"."""
    return PLAYERS[player_type].counts if player_type in PLAYERS else Player.counts


def title_of(player: PlayerConfig) -> str:
    """Return the name of a player for users: the given name, else its program's name or its type's title.

    The title has a number if two players have it.
    """
    if player.is_named:
        return player.name
    name = player.usual_name
    title = name if name != player.player_type else type_title(name)
    return f"{title} {player.number}" if player.number else title


def create_player(config: PlayerConfig, spec: GameSpec) -> Player:
    """Create the computer player that `config` describes.

    Raises:
        PlayerError: the player does not play such games.
        ProgramError: the program is not registered here, or does not play such games.
        TreeFileError: the file with the player's search tree cannot be read.
        ValueError: `config` is of a user, not of a computer player.
    """
    if not isinstance(config, ComputerConfig):
        raise ValueError(f"{config.player_type} is no computer player, but a state of the session")
    reason = unsupported_reason(config, spec)
    if reason is not None:
        error = ProgramError if isinstance(config, ProgramConfig) else PlayerError
        raise error("in_name", name=config.name, reason=reason)
    player = PLAYERS[config.player_type].create(config, rules_of(spec))
    for wrapper in _wrappers(config):
        player = wrapper(config, player)
    return player


def _wrappers(config: PlayerConfig) -> Iterator[type[PlayerWrapper]]:
    """Yield the wrappers that a configuration asks for."""
    return (wrapper for wrapper in WRAPPERS if getattr(config, wrapper.key, None))


def unsupported_reason(config: PlayerConfig, spec: GameSpec) -> Reason | None:
    """Return why a player does not play such games, with the option that is responsible; None if it plays them."""
    rules = rules_of(spec)
    reason = PLAYERS[config.player_type].plays(rules)
    if reason is not None:
        return Reason("not_played", {"player": config.player_type, "reason": reason})
    refused = ((wrapper.key, wrapper.plays(rules)) for wrapper in _wrappers(config))
    for key, reason in (*refused, config.conflict(rules) or ("", None)):
        if reason is not None:
            return Reason("option", {"option": key, "reason": reason})
    return None


def unused(key: str, player_type: str) -> Reason | None:
    """Return why a key has no effect for a type of player, or None if it has one."""
    users = [name for name, kind in PLAYERS.items() if key in options_of(kind.config_type)]
    if player_type in users:
        return None
    return Reason("unused_key", {"player_type": player_type, "users": ", ".join(users)})
