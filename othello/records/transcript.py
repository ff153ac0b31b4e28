"""A game as its moves in a row, such as "f5d6c3d3c4": passes are left out, for the rules tell where they were."""

import re
from typing import Final

from othello.errors import TranscriptError
from othello.game import AnyGame, Game
from othello.rules.protocol import P, Rules

_SEPARATORS: Final = " \t\r\n,;"
_BEFORE_MOVE: Final = re.compile(rf"[{_SEPARATORS}]*(\d+\.+[{_SEPARATORS}]*)?")  # and its number, as "12." or "12..."
_SHOWN: Final = 12


def format_transcript(game: Game[P]) -> str:
    """The moves of a game in lower case without passes."""
    rules = game.rules
    played = zip(game.positions, game.moves, strict=False)
    texts = (rules.move_text(position, move) for position, move in played if not rules.is_pass(move))
    return rules.move_separator.join(texts)


def parse_transcript(text: str, rules: Rules[P], start: P | None = None) -> Game[P]:
    """The inverse of `format_transcript`; `start` is the rules' own by default.

    Any case, blanks and commas between moves, numbers of moves, and passes that are written out are accepted. A pass
    that the rules force at the very end of the text is played too.

    Raises:
        TranscriptError: something in the text is no move, or no legal one.
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
    """Whether a text may be a transcript."""
    return re.match(rules.move_pattern, _at_move(text.lower())) is not None


def _at_move(text: str) -> str:
    """The text from the next move on, without what may stand before it."""
    return _BEFORE_MOVE.sub("", text, count=1)


def play_text(game: AnyGame, text: str) -> AnyGame:
    """The game after a move as it is written; TranscriptError where it is no move, or not a legal one."""
    rules, number = game.rules, game.ply + 1
    try:
        move = rules.parse_move(game.position, text)
    except TranscriptError as error:
        raise TranscriptError("at_move", number=number, reason=error.reason) from None
    if move not in game.legal_moves():
        raise not_legal(game, text, number)
    return game.play(move)


def not_legal(game: Game[P], move: str, number: int) -> TranscriptError:
    """What is wrong with a move that cannot be made as the so-manyth."""
    legal = ", ".join(map(game.text_of, game.legal_moves()))
    return TranscriptError("illegal_move" if legal else "game_over", number=number, move=move, legal=legal)


def forced_passes(game: Game[P]) -> Game[P]:
    """The game with all passes that the rules force now."""
    while game.must_pass:
        game = game.play(game.legal_moves()[0])
    return game
