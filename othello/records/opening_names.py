"""Named openings of Othello: which one a game follows, and which one a move leads to.

An opening is identified by its position, regardless of the order of moves and of symmetry.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any, Final, TypeAlias

from othello.frozen_dataclass import FrozenDataclass
from othello.game import AnyGame
from othello.records.openings import has_names, named_lines
from othello.records.transcript import parse_transcript
from othello.rules.protocol import Color, Move, Position
from othello.rules.registry import game_spec, rules_of
from othello.rules.symmetry import square_images

_SPEC: Final = game_spec("othello")
_SIZE: Final = 8
_NEARLY_ALL: Final = 0.9  # share of the named lines through a position
_Key: TypeAlias = tuple[Color, tuple[Any, ...]]


class Opening(FrozenDataclass):
    """A named opening."""

    names: tuple[str, ...]  # the usual name first
    ply: int  # moves to its position

    @property
    def name(self) -> str:
        return self.names[0]


class _OpeningTable(FrozenDataclass):
    """Named openings at or after a position."""

    opening: Opening | None  # the opening that ends in this position
    # the next opening, if nearly all named lines lead to the same one; at the end of an opening, that opening
    ahead: Opening | None


def opening_name_of(game: AnyGame) -> Opening | None:
    """Return the longest named opening that a game has reached, None if it has reached none."""
    return next((opening for opening in opening_names_of(game, newest_first=True)), None)


def opening_names_of(game: AnyGame, *, newest_first: bool = False) -> Iterator[Opening]:
    """Yield all named openings that a game has reached."""
    for position in (reversed if newest_first else iter)(_opening_positions(game)):
        known = _look_up(position)
        if known is not None and known.opening is not None:
            yield known.opening


def leads_to(game: AnyGame, move: Move) -> Opening | None:
    """Return the named opening that a legal move leads to, at once or later; None if there is none or several."""
    if not has_names(game.rules):
        return None
    known = _look_up(game.rules.play(game.position, move))
    return None if known is None else known.ahead


def left_book_at(game: AnyGame) -> int | None:
    """Return the number of the move that left all named openings for good, None if no move has."""
    known = [ply for ply, each in enumerate(_opening_positions(game), 1) if _look_up(each) is not None]
    return known[-1] + 1 if known and known[-1] < game.ply else None


def _opening_positions(game: AnyGame) -> tuple[Position, ...]:
    """Return the positions of a game that can belong to a named opening."""
    return game.positions[1 : _book()[1] + 1] if game.ply and has_names(game.rules) else ()


@lru_cache(maxsize=4096)
def _look_up(position: Position) -> _OpeningTable | None:
    return _book()[0].get(_key(position))


@lru_cache(maxsize=1024)
def _key(position: Position) -> _Key:
    """Return a key that is equal for all symmetric images of a position."""
    marks = [-1 if color is None else int(color) for color in rules_of(_SPEC).marks(position)]
    return position.to_move, min(tuple(map(marks.__getitem__, image)) for image in square_images(_SIZE))


@cache
def _book() -> tuple[dict[_Key, _OpeningTable], int]:
    """Return all positions of named openings, and the number of moves of the longest opening."""
    lines = [(parse_transcript(moves, rules_of(_SPEC)), names) for moves, names in named_lines()]
    named = {_key(game.position): Opening(names, game.ply) for game, names in lines}
    ways: defaultdict[_Key, Counter[Opening]] = defaultdict(Counter)
    for game, _ in lines:
        ahead = None
        for key in map(_key, reversed(game.positions[1:])):
            ahead = named.get(key, ahead)
            if ahead is not None:
                ways[key][ahead] += 1
    known = {}
    for key, openings in ways.items():
        (most, times), *_ = openings.most_common(1)
        known[key] = _OpeningTable(named.get(key), most if times >= _NEARLY_ALL * openings.total() else None)
    return known, max(game.ply for game, _ in lines)
