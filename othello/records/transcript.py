"""A game as its moves in a row, such as "f5d6c3d3c4": passes are left out, for the rules tell where they were."""

from __future__ import annotations

import re
from typing import Final

from othello.errors import IllegalMoveError, TranscriptError
from othello.game import Game
from othello.rules.protocol import P, Rules

_SEPARATOR: Final = re.compile(r"[\s,;]+")
_MOVE: Final = re.compile(r"pass|ps|pa|--|[a-z]\d+")
_SHOWN: Final = 12


def format_transcript(game: Game[P]) -> str:
    """The moves of a game in lower case without passes."""
    rules = game.rules
    return "".join(rules.move_text(move) for move in game.moves if not rules.is_pass(move))


def parse_transcript(text: str, rules: Rules[P], start: P | None = None) -> Game[P]:
    """The inverse of `format_transcript`.

    Any case, blanks and commas between moves, and passes that are written out are accepted. A pass that the
    rules force at the very end of the text is played too.

    Args:
        text: moves in a row.
        rules: the game.
        start: where the game began, the rules' own start by default.

    Raises:
        TranscriptError: something in the text is no move, or no legal one.
    """
    game = Game.new(rules, start)
    moves = _SEPARATOR.sub("", text.lower())
    cursor = number = 0
    while cursor < len(moves):
        match = _MOVE.match(moves, cursor)
        number += 1
        if match is None:
            raise TranscriptError(f"move {number}: {moves[cursor : cursor + _SHOWN]!r} begins with no move")
        move = rules.parse_move(match[0])
        if not rules.is_pass(move):
            game = _forced_passes(game)
        try:
            game = game.play(move)
        except IllegalMoveError as error:
            raise TranscriptError(f"move {number}: {error}") from None
        cursor = match.end()
    return _forced_passes(game)


def _forced_passes(game: Game[P]) -> Game[P]:
    while game.must_pass:
        game = game.play(game.legal_moves()[0])
    return game
