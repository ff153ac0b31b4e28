"""Games of installed packages: entry points of the group `othello.games`, which name the class of a game's rules."""

import logging
import multiprocessing
import re
import sys
from collections.abc import Collection, Mapping
from importlib.resources import files
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from othello import texts
from othello.errors import reason_of
from othello.rules.protocol import GameSpec, Rules

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "othello.games"
_MAX_MOVES: Final = 254  # maximum legal moves of a position
_MAX_DIFFERENT_MOVES: Final = 65_535
_NAME: Final = re.compile("[a-z][a-z0-9_]{0,39}")  # used in texts, files and options

_log = logging.getLogger(__name__)


class _UnusableGameError(Exception):
    """A game of a package cannot be played. The message says why."""


def installed_games(own: Collection[str]) -> Mapping[str, type[Rules[Any]]]:
    """Return the rules that installed packages offer, by name, and add their texts. Others are logged and left out.

    `own`: the names of this program's games, which packages cannot replace.
    """
    from importlib.metadata import entry_points  # slow to import, and seldom needed

    found: dict[str, type[Rules[Any]]] = {}
    for entry_point in entry_points(group=GROUP):
        try:
            found[entry_point.name] = _load(entry_point, {*own, *found})
            texts.add_game(entry_point.name, files(package_of(found[entry_point.name])) / "texts")
        except Exception as error:  # a package can raise anything
            reason = error if isinstance(error, _UnusableGameError) else reason_of(error)
            if multiprocessing.current_process().name == "MainProcess":  # or each process warns
                _log.warning("the game %s (%s) is left out: %s", entry_point.name, entry_point.value, reason)
    return found


def package_of(game: type[Rules[Any]]) -> str:
    """Return the package that has a game's rules, and may have its renderer and texts."""
    module = sys.modules[game.__module__]
    return module.__package__ or module.__name__


def _load(entry_point: "EntryPoint", taken: Collection[str]) -> type[Rules[Any]]:
    """Return the rules that an entry point names, after a check that they can be used."""
    name = entry_point.name
    if name in taken:
        raise _UnusableGameError("there is a game of this name")
    if not _NAME.fullmatch(name):
        raise _UnusableGameError("a name has small letters, digits and underscores only")
    if find_spec("numba") is None:
        raise _UnusableGameError("this program comes without a compiler; install it with pip to add games")
    game: type[Rules[Any]] = entry_point.load()
    if Rules not in getattr(game, "__mro__", ()):
        raise _UnusableGameError("the entry point is not a class derived from Rules")
    if game.name != name:
        raise _UnusableGameError(f"the class has the name {game.name!r}")
    options = game.complete({option.name: option.default for option in game.options})
    rules = game(GameSpec(name, tuple(options.items())))
    if not rules.legal_moves(rules.start()):
        raise _UnusableGameError("the start position has no legal move")
    if rules.max_moves > _MAX_MOVES or rules.move_count > _MAX_DIFFERENT_MOVES:
        limits = f"{_MAX_MOVES} moves in a position and {_MAX_DIFFERENT_MOVES:,} different moves"
        raise _UnusableGameError(f"it has too many moves; allowed: {limits}")
    return game
