"""Moves and positions as people write them: a game, or a game a line.

A game is a transcript, a board text, or a board text and what followed on it. It is of the game that is named with the
text where nothing says otherwise, else of one of the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from othello.errors import BoardTextError, GameFileError, OthelloError, Reason, TranscriptError
from othello.game import AnyGame, Game, GameTree
from othello.records.formats.format import Format, Source, plain_size, squares_of
from othello.records.formats.sheet import Found, Sheet, fault_at
from othello.records.formats.written import lines_of
from othello.records.game_file import GameFile, Known
from othello.records.transcript import begins_with_move, format_transcript, parse_transcript
from othello.rules.protocol import GameSpec, Position, Rules
from othello.rules.registry import DEFAULT_GAME, GAMES, game_spec, rules_of

_LONGEST: Final = 20_000  # characters of a game
_SQUARES: Final = re.compile(r"[-.*xo\s]{9}", re.IGNORECASE)
_SHOWN: Final = 30
_TRIED: Final = 5  # lines, to find out whether each is a game
_USUAL: Final = re.compile(r"[\s,;]*(?:(?:\d+\.+[\s,;]*)?(?:[a-h][1-8]|pass|ps|pa|--)[\s,;]*)+", re.IGNORECASE)
_MOVE: Final = re.compile(r"[a-h][1-8]|pass|ps|pa|--")


class Plain(Format):
    """Transcripts and board texts."""

    name = "TXT"
    suffixes = (".txt",)
    holds = frozenset({"moves"})

    def knows(self, source: Source) -> bool:
        return True

    def written(self, source: Source) -> Iterator[Found]:
        text = source.text.strip().removeprefix("\ufeff")
        if not text:
            raise GameFileError("nothing")
        specs = source.spec, *(usual for usual in map(game_spec, GAMES) if usual != source.spec)
        rules = _rules_of_lines(text, specs)
        if rules is None:
            yield Sheet.of(GameFile(GameTree.of(_game(text, specs), Known())))
            return
        for number, (line, words) in enumerate(_lines(text), 1):
            try:
                yield _sheet(words, rules, number, line)
            except OthelloError as error:
                yield fault_at(number, line, error)

    def refusal(self, sheet: Sheet) -> Reason | None:
        is_usual = plain_size(sheet.rules) == 8 or sheet.rules.spec == game_spec(sheet.rules.spec.game)
        return None if is_usual else Reason("format_rules", {"format": self.name})

    def text_of(self, sheet: Sheet) -> str:
        if sheet.rules.spec.game != DEFAULT_GAME:
            return f"{format_text(sheet.opened.tree.game)}\n".replace("\n", " ").strip() + "\n"
        usual = rules_of(game_spec())
        names = [usual.move_text(usual.start(), square) for square in range(usual.columns**2)]
        moves = "".join(names[move] for move in sheet.moves if not usual.is_pass(move))
        start = "" if moves and sheet.begun == usual.start() else sheet.rules.format_position(sheet.begun)
        return f"{start} {moves}".strip() + "\n"


def format_text(game: AnyGame) -> str:
    """A game as its moves, below the position in which it began where that is not the usual one."""
    moves, start = format_transcript(game), game.positions[0]
    return moves if start == game.rules.start() else f"{game.rules.format_position(start)}\n{moves}".rstrip()


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines with something in them, with their numbers; what follows a # is a remark."""
    for line, words in lines_of(text):
        if words := words.partition("#")[0].strip():
            yield line, words


def _rules_of_lines(text: str, specs: tuple[GameSpec, ...]) -> Rules[Position] | None:
    """The rules where every line is a game of its own: a later one is a game, and all together are none."""
    first: list[str] = []
    for _, words in _lines(text[:_LONGEST]):
        first.append(words)
        if len(first) == _TRIED:
            break
    for rules in map(rules_of, specs):
        if not _is_game("\n".join(first), rules) and any(_is_game(later, rules) for later in first[1:]):
            return rules if _is_like_game(first[0], rules) else None
    return None


def _is_game(text: str, rules: Rules[Position]) -> bool:
    try:
        _plain(text, rules)
    except (BoardTextError, TranscriptError):
        return False
    return True


def _is_like_game(text: str, rules: Rules[Position]) -> bool:
    return begins_with_move(text, rules) or _is_game(text, rules)


def _sheet(text: str, rules: Rules[Position], number: int, line: int) -> Sheet:
    if len(text) > _LONGEST:
        raise GameFileError("too_long", count=len(text))
    if rules.spec == game_spec() and _USUAL.fullmatch(text):
        squares = squares_of(rules.columns)
        moves = bytes(squares[move] for move in _MOVE.findall(text.lower()))
        return Sheet(rules, moves, number=number, line=line)
    return Sheet.of(GameFile(GameTree.of(_plain(text, rules), Known())), number, line)


def _game(text: str, specs: tuple[GameSpec, ...]) -> AnyGame:
    """The one game that a text is; the error of the first reading where it is none."""
    if len(text) > _LONGEST:
        raise GameFileError("too_long", count=len(text))
    first: OthelloError | None = None
    for part in dict.fromkeys((text, text.rpartition("\n\n")[2])):  # what stands below a diagram is enough
        for rules in map(rules_of, specs):
            try:
                return _plain(part, rules)
            except (BoardTextError, TranscriptError) as error:
                first = first or error
    assert first is not None
    raise first


def _plain(text: str, rules: Rules[Position]) -> AnyGame:
    """A position, or moves, or a position and moves from there."""
    if not _SQUARES.match(text):
        if not begins_with_move(text, rules):
            start = text[:_SHOWN] + ("..." if len(text) > _SHOWN else "")
            raise TranscriptError("unknown_text", text=start)
        return parse_transcript(text, rules)
    try:
        return Game.new(rules, rules.parse_position(text))
    except BoardTextError:
        words = re.split(r"(\s+)", text)
        sides = (word for word, each in enumerate(words) if word and each.upper() not in ("X", "O", "*"))
        for word in sides:
            if begins_with_move(words[word], rules):
                return parse_transcript("".join(words[word:]), rules, rules.parse_position("".join(words[:word])))
        raise
