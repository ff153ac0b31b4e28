"""Openings that games are to begin with: by name or by moves, one by one or a file of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from othello.errors import TranscriptError
from othello.game import AnyGame
from othello.reading import read_text
from othello.records.transcript import begins_with_move, format_transcript, parse_transcript
from othello.resources import asset
from othello.rules.protocol import Position, Rules
from othello.schema import nearest
from othello.texts import say

_SIZE: Final = 8  # of the board on which openings have names
MOST_WEIGHT: Final = 100  # of an opening
_MOST_BYTES: Final = 1 << 24  # of a file


@cache
def named_lines() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Moves and names of all named openings."""
    lines = asset("openings.tsv").read_text(encoding="utf-8").splitlines()
    parts = (line.split("\t") for line in lines if not line.startswith("#"))
    return tuple((moves, tuple(names.split("|"))) for moves, names in parts)


def has_names(rules: Rules[Position]) -> bool:
    """Whether the openings of a game have names."""
    return rules.name == "othello" and rules.columns == _SIZE


def opening_of(text: str, rules: Rules[Position]) -> AnyGame:
    """The opening of a name, such as Tiger, or of moves, such as f5d6c3d3c4.

    Raises:
        TranscriptError: it is neither, or the game is over after these moves.
    """
    known = {name: moves for moves, names in named_lines() for name in names} if has_names(rules) else {}
    moves = next((moves for name, moves in known.items() if name.lower() == text.strip().lower()), None)
    if moves is None and known and not begins_with_move(text, rules):
        raise TranscriptError("no_opening", name=text.strip(), hint=nearest(text, known))
    game = parse_transcript(moves or text, rules)
    if game.is_over:
        raise TranscriptError("opening_over")
    return game


def book_of(openings: Mapping[str, int], rules: Rules[Position]) -> tuple[str, ...]:
    """The transcripts of openings, each as often as its weight; TranscriptError where one is none."""
    found: list[str] = []
    for text, weight in openings.items():
        found += [format_transcript(opening_of(text, rules))] * weight
    return tuple(found)


def weighed(text: str) -> dict[str, int]:
    """The openings of a line such as "Tiger: 2; f5d6c4", with their weights. Names in the language in use are known."""
    found: dict[str, int] = {}
    names = {say(f"openings.{name}", name).lower(): name for _, names in named_lines() for name in names}
    for part in filter(None, (part.strip() for part in text.split(";"))):
        name, _, weight = part.rpartition(":")
        is_weighed = bool(name) and weight.strip().isdecimal() and 0 < int(weight) <= MOST_WEIGHT
        name = name.strip() if is_weighed else part
        found[names.get(name.lower(), name)] = int(weight) if is_weighed else 1
    return found


def read_openings(path: Path, rules: Rules[Position]) -> tuple[str, ...]:
    """The transcripts of a file of openings, a line each.

    Raises:
        FileError: the file cannot be read.
        TranscriptError: a line is no opening, or there is none.
    """
    found = []
    for number, line in enumerate(read_text(path, _MOST_BYTES).splitlines(), 1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        try:
            found.append(format_transcript(opening_of(text, rules)))
        except TranscriptError as error:
            raise TranscriptError("opening_line", path=path, line=number, reason=error.reason) from None
    if not found:
        raise TranscriptError("no_openings", path=path)
    return tuple(found)
