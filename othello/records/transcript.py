"""Transcripts: a game as its moves in a row, such as "f5d6c3d3c4".

Passes are left out because they follow from the rules.
"""

import re
from typing import Final

from othello.errors import TranscriptError
from othello.game import AnyGame, Game
from othello.rules.protocol import P, Rules

_SEPARATORS: Final = " \t\r\n,;"
_BEFORE_MOVE: Final = re.compile(rf"[{_SEPARATORS}]*(\d+\.+[{_SEPARATORS}]*)?")  # and its number, as "12." or "12..."
_SHOWN: Final = 12


def format_transcript(game: Game[P]) -> str:
    """Return the moves of a game in lower case, without passes."""
    rules = game.rules
    played = zip(game.positions, game.moves, strict=False)
    texts = (rules.move_text(position, move) for position, move in played if not rules.is_pass(move))
    return rules.move_separator.join(texts)


def parse_transcript(text: str, rules: Rules[P], start: P | None = None) -> Game[P]:
    """Parse a transcript; the inverse of `format_transcript`.

    Upper case, spaces and commas, move numbers and explicit passes are accepted. Forced passes at the end are played.

    Args:
        text: the moves.
        rules: of the game.
        start: the start position; None: the usual one.

    Raises:
        TranscriptError: a part of the text is not a move, or not a legal one.
    """
    game = Game.new(rules, start)
    pattern = re.compile(rules.move_pattern)
    moves = _at_move(text.lower()).rstrip(_SEPARATORS)
    number = 0
    while moves:
        match = pattern.match(moves)
        number += 1
        if match is None:
            raise TranscriptError("no_move_there", number=number, text=moves[:_SHOWN])
        if not rules.is_pass(rules.parse_move(game.position, match[0])):
            game = forced_passes(game)
        move = rules.parse_move(game.position, match[0])
        if move not in game.legal_moves():
            raise not_legal(game, game.text_of(move), number)
        game = game.play(move)
        moves = _at_move(moves[match.end() :])
    return forced_passes(game)


def begins_with_move(text: str, rules: Rules[P]) -> bool:
    """Return whether a text can be a transcript."""
    return re.match(rules.move_pattern, _at_move(text.lower())) is not None


def _at_move(text: str) -> str:
    """Return the text from the next move on, without separators and the move number."""
    return _BEFORE_MOVE.sub("", text, count=1)


def play_text(game: AnyGame, text: str) -> AnyGame:
    """Return the game after a move given as text; raise a TranscriptError if the move is invalid or illegal."""
    rules, number = game.rules, game.ply + 1
    try:
        move = rules.parse_move(game.position, text)
    except TranscriptError as error:
        raise TranscriptError("at_move", number=number, reason=error.reason) from None
    if move not in game.legal_moves():
        raise not_legal(game, text, number)
    return game.play(move)


def not_legal(game: Game[P], move: str, number: int) -> TranscriptError:
    """Return the error for an illegal move, which is the game's `number`-th."""
    legal = ", ".join(map(game.text_of, game.legal_moves()))
    return TranscriptError("illegal_move" if legal else "game_over", number=number, move=move, legal=legal)


def forced_passes(game: Game[P]) -> Game[P]:
    """Return the game after all passes that are forced now."""
    while game.must_pass:
        game = game.play(game.legal_moves()[0])
    return game
