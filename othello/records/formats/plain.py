"""Plain text: one game, one game per line, or games in blocks of lines.

A game is a transcript, a diagram, or a diagram followed by moves. A text that does not name its game is tried as the
caller's game, as Othello, and as every other game, which must be written exactly as this program writes it.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Final

from othello.errors import BoardTextError, GameFileError, OthelloError, Reason, SideMissingError, TranscriptError
from othello.game import AnyGame, Game, GameTree
from othello.records.formats import lenient
from othello.records.formats.format import Format, SourceText, moves_of, othello_of, plain_size, texts_of
from othello.records.formats.normalise import lines_of
from othello.records.formats.parsed_game import FileItem, ParsedGame, parse_each
from othello.records.game_file import GameFile, PositionData
from othello.records.transcript import begins_with_move, format_transcript, parse_transcript
from othello.rules.protocol import GameSpec, Position, Rules
from othello.rules.registry import DEFAULT_GAME, GAMES, game_spec, rules_of

_LONGEST: Final = 20_000  # characters of a game
_SQUARES: Final = re.compile(r"[-.*xo\s]{9}", re.IGNORECASE)
_SHOWN: Final = 30
_FEW: Final = 8  # with fewer moves, a 6 x 6 board cannot be told from a larger one
_TRIED: Final = 20  # parts of a text that are tried as games to find the best division
_USUAL: Final = re.compile(r"[\s,;]*(?:(?:[a-h][1-8]|pass|ps|pa|--)[\s,;]*)+", re.IGNORECASE)
_MOVE: Final = re.compile(r"[a-h][1-8]|pass|ps|pa|--")


class PlainFormat(Format):
    """Transcripts and diagrams."""

    name = "TXT"
    suffixes = (".txt",)
    supports = frozenset({"moves"})

    def matches(self, source: SourceText) -> bool:
        return True

    def parse(self, source: SourceText) -> Iterator[FileItem]:
        text = source.text.strip(" \r\n\ufeff")  # leading tabs may be empty cells
        if not text.strip():
            raise GameFileError("nothing")
        others = (game_spec(), game_spec(DEFAULT_GAME, {"size": 6}), *map(game_spec, GAMES))
        specs = tuple(dict.fromkeys((source.spec, *others)))
        fault: OthelloError = GameFileError("too_long", count=len(text))
        if len(text) <= _LONGEST:
            try:
                game = _read_game(text, specs)
            except OthelloError as error:
                fault = error
            else:
                yield ParsedGame.of(GameFile(GameTree.of(game, PositionData())))
                return
        rules, parts = _divide(text, specs)
        if rules is None:
            raise fault
        yield from parse_each(parts, partial(_parse_game, rules))

    def unsupported_reason(self, parsed: ParsedGame) -> Reason | None:
        is_usual = plain_size(parsed.rules) == 8 or parsed.rules.spec == game_spec(parsed.rules.spec.game)
        return None if is_usual else Reason("format_rules", {"format": self.name})

    def dump(self, parsed: ParsedGame) -> str:
        if parsed.rules.spec.game != DEFAULT_GAME:
            return f"{format_text(parsed.opened.tree.game)}\n".replace("\n", " ").strip() + "\n"
        moves = "".join(texts_of(8).get(move, "") for move in parsed.moves)
        start = "" if moves and parsed.begun == othello_of().start() else parsed.rules.format_position(parsed.begun)
        return f"{start} {moves}".strip() + "\n"


def format_text(game: AnyGame) -> str:
    """Return a game as its moves, below the start position if that is unusual."""
    moves, start = format_transcript(game), game.positions[0]
    return moves if start == game.rules.start() else f"{game.rules.format_position(start)}\n{moves}".rstrip()


def _divide(text: str, specs: tuple[GameSpec, ...]) -> tuple[Rules[Position] | None, Iterator[tuple[int, str]]]:
    """Return the rules and the parts of a text if most parts begin a game; None if the text cannot be divided."""
    for rules in map(rules_of, specs):
        ways: list[Callable[[str], Iterator[tuple[int, str]]]] = [_lines]
        if rules.spec.game == DEFAULT_GAME:
            ways = [partial(_lines, belongs=_may_be_game), *(partial(_blocks, belongs=belongs) for belongs in _BELONGS)]
        tried = [[part for _, part in islice(way(text[:_LONGEST]), _TRIED)] for way in ways]
        is_asked = rules.spec in (specs[0], game_spec())
        shares = [_share_of_games(parts, rules, 4 if number else 1, is_asked) for number, parts in enumerate(tried)]
        if any(shares):
            return rules, ways[shares.index(max(shares))](text)
    return None, iter(())


def _share_of_games(parts: list[str], rules: Rules[Position], minimum: int, is_asked: bool) -> float:
    """Return 1 plus the share of parts that are games; 0 unless most parts after the first begin a game.

    If the user did not name this game, a part with a single move is not a game: it may be one line of an Othello game.
    """
    plies = [_ply_of(part, rules) for part in parts]
    games = sum(ply is not None and (is_asked or ply != 1) for ply in plies)
    is_othello = rules.spec.game == DEFAULT_GAME
    begun = [lenient.begins_game(part, rules, minimum) if is_othello else 2 * games > len(parts) for part in parts[1:]]
    return 1 + games / len(parts) if 2 * sum(begun) > len(begun) else 0.0


def _ply_of(text: str, rules: Rules[Position]) -> int | None:
    """Return the number of moves of the game in a text, None if it is not a game."""
    with suppress(BoardTextError, TranscriptError):
        return _read_game(text, (rules.spec,)).ply
    return None


def _may_be_game(text: str) -> bool:
    return bool(_USUAL.fullmatch(text) or _SQUARES.match(text) or lenient.has_moves(text))


_BELONGS: Final = (lenient.has_moves, str.strip)  # tests for a line of a game of several lines


def _lines(text: str, belongs: Callable[[str], object] = bool) -> Iterator[tuple[int, str]]:
    """Yield the lines that belong to a game, with line numbers and without # comments."""
    for line, content in lines_of(text):
        words = content.partition("#")[0].strip()
        if words and belongs(words):
            yield line, words


def _blocks(text: str, belongs: Callable[[str], object]) -> Iterator[tuple[int, str]]:
    """Yield blocks of consecutive lines that belong to a game, with the number of the first line."""
    begun, block = 0, list[str]()
    for line, words in enumerate((*text.split("\n"), ""), 1):
        if belongs(words):
            begun = begun or line
            block.append(words)
        elif block:
            yield begun, "\n".join(block)
            begun, block = 0, []


def _parse_game(rules: Rules[Position], text: str, number: int, line: int) -> ParsedGame:
    if len(text) > _LONGEST:
        raise GameFileError("too_long", count=len(text))
    if rules.spec == game_spec() and _USUAL.fullmatch(text):
        return ParsedGame(rules, moves_of(_MOVE.findall(text.lower()), rules), number=number, line=line)
    return ParsedGame.of(GameFile(GameTree.of(_read_game(text, (rules.spec,)), PositionData())), number, line)


def _read_game(text: str, specs: tuple[GameSpec, ...]) -> AnyGame:
    """Return the single game in a text, or raise the error of the reading that understood most moves."""
    faults = list[OthelloError]()
    for rules in map(rules_of, specs):
        is_othello = rules.spec.game == DEFAULT_GAME
        # the moves below a diagram
        for part in dict.fromkeys((text, text if is_othello else text.rpartition("\n\n")[2])):
            try:
                game = (lenient.read_text(part, rules) if is_othello else None) or _parse_plain(part, rules)
            except (BoardTextError, TranscriptError) as error:
                faults += (error,) if not faults or rules.spec == game_spec() else ()
            else:
                if rules.spec == specs[0] or _is_certain(part, game):
                    return game
    raise max(faults, key=lambda fault: (isinstance(fault, SideMissingError), _count_understood(fault)))


def _is_certain(text: str, game: AnyGame) -> bool:
    """Return whether a text is surely of this game: on a small board, a few moves of chess can be legal, too."""
    if game.rules.spec.game == DEFAULT_GAME:
        return game.rules.columns != 6 or game.ply >= _FEW
    return _is_own_format(text, game)


def _is_own_format(text: str, game: AnyGame) -> bool:
    """Return whether a text is written exactly as this program writes the game."""
    lines, ours = text.lower().split(), format_text(game).lower().split()
    return lines == ours or (not game.ply and "".join(lines) == "".join(ours))


def _count_understood(fault: OthelloError) -> int:
    """Return the number of moves that were understood before an error."""
    number = fault.reason.parts.get("number", 0)
    return number if isinstance(number, int) else 0


def _parse_plain(text: str, rules: Rules[Position]) -> AnyGame:
    """Parse a position, a transcript, or a position followed by moves."""
    if not _SQUARES.match(text):
        if not begins_with_move(text, rules):
            start = text[:_SHOWN] + ("..." if len(text) > _SHOWN else "")
            raise TranscriptError("unknown_text", text=start)
        return parse_transcript(text, rules)
    try:
        return Game.new(rules, rules.parse_position(text))
    except BoardTextError:
        words = re.split(r"(\s+)", text)
        sides = (index for index, word in enumerate(words) if index and word.upper() not in ("X", "O", "*"))
        for index in sides:
            if begins_with_move(words[index], rules):
                return parse_transcript("".join(words[index:]), rules, rules.parse_position("".join(words[:index])))
        raise
