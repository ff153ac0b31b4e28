"""Any text that tells of a game: our own file, a transcript, a board text, or a board text and what followed on it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from othello.errors import BoardTextError, FileError, GameFileError, OthelloError, TranscriptError
from othello.game import AnyGame, Game, GameTree
from othello.reading import read_text
from othello.records.game_file import MOST_BYTES, GameFile, Known, parse_game
from othello.records.transcript import begins_with_move, format_transcript, parse_transcript
from othello.rules.protocol import GameSpec, Position, Rules
from othello.rules.registry import GAMES, game_spec, rules_of

_LONGEST: Final = 20_000  # characters of a text that is not JSON: longer than any game
_SQUARES: Final = re.compile(r"[-.*xo\s]{9}", re.IGNORECASE)
_SHOWN: Final = 30


def read_game(path: Path, spec: GameSpec) -> GameFile:
    """The game in a file of any of these kinds; FileError where it cannot be read, or holds none of them."""
    text = read_text(path, MOST_BYTES)
    try:
        return recognise(text, spec)
    except OthelloError as error:
        raise FileError("in_file", path=path, reason=error.reason) from None


def recognise(text: str, spec: GameSpec) -> GameFile:
    """The game that a text tells of: of this spec where nothing says otherwise, else of one of the other games.

    Raises:
        GameFileError: it is our own file with a fault, or nothing of a game.
        TranscriptError: it is a transcript with a fault.
        BoardTextError: it is a board text with a fault.
    """
    text = text.strip().removeprefix("\ufeff")
    if not text:
        raise GameFileError("nothing")
    if text.startswith("{"):
        return parse_game(text)
    if len(text) > _LONGEST:
        raise GameFileError("too_long", count=len(text))
    first: OthelloError | None = None
    specs = spec, *(usual for usual in map(game_spec, GAMES) if usual != spec)
    for part in dict.fromkeys((text, text.rpartition("\n\n")[2])):  # what stands below a diagram is enough
        for rules in map(rules_of, specs):
            try:
                return GameFile(GameTree.of(_plain(part, rules), Known()))
            except (BoardTextError, TranscriptError) as error:
                first = first or error
    assert first is not None
    raise first


def _plain(text: str, rules: Rules[Position]) -> AnyGame:
    """A position, or moves, or a position in the first line and moves from there in the others."""
    if not _SQUARES.match(text):
        if not begins_with_move(text, rules):
            start = text[:_SHOWN] + ("..." if len(text) > _SHOWN else "")
            raise TranscriptError("unknown_text", text=start)
        return parse_transcript(text, rules)
    try:
        return Game.new(rules, rules.parse_position(text))
    except BoardTextError:
        board, _, moves = text.partition("\n")
        if not begins_with_move(moves, rules):
            raise
        return parse_transcript(moves, rules, rules.parse_position(board))


def format_text(game: AnyGame) -> str:
    """A game as its moves, below the position in which it began where that is not the usual one."""
    moves, start = format_transcript(game), game.positions[0]
    return moves if start == game.rules.start() else f"{game.rules.format_position(start)}\n{moves}".rstrip()


def format_diagram(game: AnyGame) -> str:
    """The board as rows of squares with their names, black as X and white as O."""
    rules, marks = game.rules, game.rules.marks(game.position)
    signs = ["." if owner is None else "XO"[owner] for owner in marks]
    wide = max(map(len, (*rules.column_names, *rules.row_names)))
    rows = [("", *rules.column_names)]
    for number, name in enumerate(rules.row_names):
        rows.append((name, *signs[number * rules.columns : (number + 1) * rules.columns]))
    return "\n".join(" ".join(f"{cell:>{wide}}" for cell in row) for row in rows)
