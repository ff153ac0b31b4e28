"""Openings: those that games start with, by name, by moves or from a file, and the named ones that games follow."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, TypeAlias

from othello.errors import OthelloError, Reason, TranscriptError, errors_as
from othello.files import read_text
from othello.frozen_dataclass import FrozenDataclass
from othello.game import AnyGame, Game
from othello.numbers import parse_whole
from othello.records.game_file import MAX_BYTES
from othello.records.readers import format_of, read_games
from othello.records.transcript import begins_with_move, format_transcript, parse_transcript
from othello.resources import asset
from othello.rules.protocol import Color, Move, Position, Rules
from othello.rules.registry import game_spec, rules_of
from othello.schema import nearest
from othello.texts import tr

_SPEC: Final = game_spec("othello")
_SIZE: Final = 8  # of boards whose openings have names
MAX_WEIGHT: Final = 100  # of an opening in a book
_POSITION: Final = re.compile(r"\s*[-.*xo_]{9}", re.IGNORECASE)
_NEARLY_ALL: Final = 0.9  # share of the named lines through a position
_Key: TypeAlias = tuple[Color, tuple[Any, ...]]


@cache
def named_lines() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the moves and names of all named openings."""
    lines = asset("openings.tsv").read_text(encoding="utf-8").splitlines()
    parts = (line.split("\t") for line in lines if not line.startswith("#"))
    return tuple((moves, tuple(names.split("|"))) for moves, names in parts)


def has_names(rules: Rules[Position]) -> bool:
    """Return whether the openings of a game have names."""
    return rules.name == "othello" and rules.columns == _SIZE


def book_text(game: AnyGame) -> str:
    """Return an opening as text: its moves, preceded by the position and a semicolon if the start is unusual."""
    start, moves = game.positions[0], format_transcript(game)
    return moves if start == game.rules.start() else f"{game.rules.format_position(start)}; {moves}"


def book_game(text: str, rules: Rules[Position]) -> AnyGame:
    """Return the opening that `book_text` has formatted."""
    board, _, moves = text.rpartition(";")
    return parse_transcript(moves.strip(), rules, rules.parse_position(board) if board else None)


def opening_of(text: str, rules: Rules[Position]) -> AnyGame:
    """Return the opening given by a name (Tiger), by moves (f5d6c3d3c4) or by a position.

    A position can be followed by a semicolon and moves.

    Raises:
        BoardTextError: the position is invalid.
        TranscriptError: the name or a move is unknown, or the game ends in the opening.
    """
    known = {name: moves for moves, names in named_lines() for name in names} if has_names(rules) else {}
    moves = next((moves for name, moves in known.items() if name.lower() == text.strip().lower()), None)
    is_position = moves is None and _POSITION.match(text) is not None
    if moves is None and known and not is_position and not begins_with_move(text, rules):
        raise TranscriptError("no_opening", name=text.strip(), hint=nearest(text, known))
    game = book_game(f"{text};" if is_position and ";" not in text else moves or text, rules)
    if game.is_over:
        raise TranscriptError("opening_over")
    return game


def book_of(openings: Mapping[str, int], rules: Rules[Position]) -> tuple[str, ...]:
    """Return the transcripts of openings, each repeated according to its weight.

    Raises:
        TranscriptError: an opening is invalid.
    """
    transcripts: list[str] = []
    for text, weight in openings.items():
        try:
            transcripts += [book_text(opening_of(text, rules))] * weight
        except OthelloError as error:
            if error.reason.name == "no_opening":
                raise  # this reason already contains the name
            raise TranscriptError("in_name", name=text, reason=error.reason) from None
    return tuple(transcripts)


def weighed(text: str) -> dict[str, int]:
    """Parse a line such as "Tiger: 2; f5d6c4" into openings and weights. Names in the user's language are accepted."""
    weights: dict[str, int] = {}
    names = {tr(f"openings.{name}", name).lower(): name for _, names in named_lines() for name in names}
    for part in filter(None, (part.strip() for part in text.split(";"))):
        name, _, weight = part.rpartition(":")
        number = parse_whole(weight, 1, MAX_WEIGHT) if name else None
        name = part if number is None else name.strip()
        weights[names.get(name.lower(), name)] = 1 if number is None else number
    return weights


def read_openings(path: Path, rules: Rules[Position]) -> tuple[str, ...]:
    """Read a text file with one opening per line, or the games of a file in another format, such as PGN.

    Raises:
        FileError: the file cannot be read.
        TranscriptError: a line or a game is not an opening, or the file has none.
    """
    transcripts = []
    if path.suffix != ".txt" and format_of(path) is not None:
        for parsed in read_games(path, rules.spec):
            if isinstance(parsed, OthelloError):
                raise TranscriptError("in_file", path=path, reason=parsed.reason)
            if parsed.rules != rules or rules.outcome(parsed.end) is not None:
                reason = Reason("opening_over" if parsed.rules == rules else "opening_rules")
                raise TranscriptError("in_file", path=path, reason=reason)
            transcripts.append(book_text(Game.new(rules, parsed.start).after(parsed.moves)))
        return tuple(transcripts)
    for number, line in enumerate(read_text(path, MAX_BYTES).splitlines(), 1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        with errors_as(TranscriptError, "opening_line", path=path, line=number):
            transcripts.append(book_text(opening_of(text, rules)))
    if not transcripts:
        raise TranscriptError("no_openings", path=path)
    return tuple(transcripts)


# The named opening that a game follows. It is identified by its position, whatever the order of moves and symmetry.


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
    known = [ply for ply, position in enumerate(_opening_positions(game), 1) if _look_up(position) is not None]
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
    rules = rules_of(_SPEC)
    owners = [-1 if color is None else int(color) for color in rules.owners(position)]
    return position.to_move, min(tuple(map(owners.__getitem__, symmetry)) for symmetry in rules.symmetries)


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
        ((opening, times),) = openings.most_common(1)
        known[key] = _OpeningTable(named.get(key), opening if times >= _NEARLY_ALL * openings.total() else None)
    return known, max(game.ply for game, _ in lines)
