"""The openings of Othello that have names: which of them a game is of, and where a move leads.

A position is what names an opening, whatever the order of the moves and however the board is turned.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any, Final, TypeAlias

from othello.frozen import Frozen
from othello.game import AnyGame
from othello.records.openings import has_names, named_lines
from othello.records.transcript import parse_transcript
from othello.rules.protocol import Color, Move, Position
from othello.rules.registry import game_spec, rules_of
from othello.rules.symmetry import square_images

_SPEC: Final = game_spec("othello")
_SIZE: Final = 8
_NEARLY_ALL: Final = 0.9  # of the lines through a position
_Key: TypeAlias = tuple[Color, tuple[Any, ...]]


class Opening(Frozen):
    """A named opening."""

    names: tuple[str, ...]  # the usual one first
    ply: int  # how many moves lead there

    @property
    def name(self) -> str:
        return self.names[0]


class _Known(Frozen):
    """What is known of a position on the way to a named opening, or at its end."""

    opening: Opening | None  # whose end it is
    ahead: Opening | None  # the next one, which nearly all lines come to; the position's own where it is the end of one


def named(game: AnyGame) -> Opening | None:
    """The longest named opening that a game has gone through, None where it has gone through none."""
    return next((opening for opening in passed(game, newest_first=True)), None)


def passed(game: AnyGame, *, newest_first: bool = False) -> Iterator[Opening]:
    """All named openings that a game has gone through."""
    for position in (reversed if newest_first else iter)(_opening_positions(game)):
        known = _known(position)
        if known is not None and known.opening is not None:
            yield known.opening


def leads_to(game: AnyGame, move: Move) -> Opening | None:
    """The named opening to which a legal move leads, at once or by further moves; None where it leads to none alone."""
    if not has_names(game.rules):
        return None
    known = _known(game.rules.play(game.position, move))
    return None if known is None else known.ahead


def left_at(game: AnyGame) -> int | None:
    """The number of the move that has left all named openings for good, None where no move has."""
    known = [ply for ply, each in enumerate(_opening_positions(game), 1) if _known(each) is not None]
    return known[-1] + 1 if known and known[-1] < game.ply else None


def _opening_positions(game: AnyGame) -> tuple[Position, ...]:
    """The positions of a game that may be of a named opening."""
    return game.positions[1 : _book()[1] + 1] if game.ply and has_names(game.rules) else ()


@lru_cache(maxsize=4096)
def _known(position: Position) -> _Known | None:
    return _book()[0].get(_key(position))


@lru_cache(maxsize=1024)
def _key(position: Position) -> _Key:
    """The same for all positions that look the same once the board is turned or mirrored."""
    marks = [-1 if color is None else int(color) for color in rules_of(_SPEC).marks(position)]
    return position.to_move, min(tuple(map(marks.__getitem__, image)) for image in square_images(_SIZE))


@cache
def _book() -> tuple[dict[_Key, _Known], int]:
    """All positions of named openings, and how many moves the longest one has."""
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
    for key, found in ways.items():
        (most, times), *_ = found.most_common(1)
        known[key] = _Known(named.get(key), most if times >= _NEARLY_ALL * found.total() else None)
    return known, max(game.ply for game, _ in lines)
