"""A tolerant reader of Othello games and positions as people paste them: tables, logs, diagrams, and moves in prose.

A misread text is worse than a refused one. Between moves, only known words, numbers and recurring words such as a
player's name are skipped. Move numbers and colours are checked.
"""

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from typing import Final, NamedTuple
from urllib.parse import unquote

from othello.errors import BoardTextError, SideMissingError, TranscriptError
from othello.game import AnyGame, Game
from othello.records.formats.parsed_game import wrong_side
from othello.records.transcript import forced_passes, not_legal, parse_transcript
from othello.rules.protocol import Color, Move, Position, Rules

_BOX: Final = range(0x2500, 0x2580)
_BARS: Final = dict.fromkeys(map(ord, "│┃║┆┇┊┋¦"), "|")
_DASHES: Final = dict.fromkeys((*range(0x2010, 0x2016), 0x2212, *_BOX), "-")
_HIDDEN: Final = dict.fromkeys((0xAD, *range(0x200B, 0x2010), 0x2060, 0xFE0E, 0xFE0F, 0xFEFF))
_CYRILLIC: Final = {0x430: "a", 0x441: "c", 0x435: "e", 0x410: "A", 0x421: "C", 0x415: "E", 0x412: "B"}
_BROKEN: Final = dict.fromkeys((*range(9), *range(14, 32), 127), "\ufffd")
_SIGNS: Final = _BROKEN | _DASHES | _BARS | _HIDDEN | _CYRILLIC
_ASIAN: Final = re.compile(
    r"(?<=[\u2e80-\uffef])(?=[a-z0-9])|(?<=[a-z0-9])(?=[\u2e80-\uffef])|(?<=[黒黑白])(?=[^\W番の])"
)
_ASIDE: Final = re.compile(r"\([^()]*\)|\{[^{}]*\}|</?[a-z]+(?:\s[^<>]*)?/?>|[a-z]{2,10}://\S+|#[ \t]*[a-z][^\n]*")
_BLACK: Final = r"black|schwarz\w*|noire?s?|negr[oa]s?|ner[oi]|czarn\w*|ч[eё]рн\w*|黒|黑|흑|●|⚫|\*|\bx\b|\bb\b"
_WHITE: Final = r"white|wei(?:ß|ss)\w*|blanc\w*|bianc\w+|bia[łl]\w*|\u0431eл\w*|白|백|○|◯|⚪|\bo\b|\bw\b"
_COLOR: Final = re.compile(rf"(?P<black>{_BLACK})|(?P<white>{_WHITE})")
_COLORS: Final = rf"({_BLACK}|{_WHITE})"
_TURN: Final = re.compile(
    rf"{_COLORS}(?:'s|’s|\s+is|\s+ist)?[\s)]*"
    r"(?:to\s+(?:move|play)|turn|moves?\b|next|plays\b|am zug|zieht|juegan?|番|の番|手番|차례)"
    rf"|(?:turn|to move|to play|next(?: player)?|side|player|am zug|trait|juegan?|mueven?|turno|ruch|ход|手番|次)"
    rf"(?:\s|is\b|of\b|aux?\b|de\b|las\b|は|[:=])*{_COLORS}"
)
_TOKEN: Final = re.compile(
    r"""(?P<skip>\d{1,4}(?P<between>[./-])\d\d?(?P=between)\d{1,4}(?:t[\d:.]+z?)?(?!\w) | (?<=player\s)\d(?!\w)
        | \d+(?::\d\d)+(?:[.,]\d+)?(?!\w)
        | [-+]?\d+[.,]\d+(?!\w) | [-+]\d+(?!\w) | \d+\s?[-:]\s?\d+(?!\w)
        | \d+(?:[.,]\d+)?(?:s|sec|ms|min|m|st|nd|rd|th)(?!\w))
    |(?P<number>\#?\d+)(?!\w)(?P<mark>\s?[.):])? | (?P<dashes>(?<!-)--(?![->])) | (?P<word>(?:[^\W_]|\ufffd)+)
    |(?P<disc>[●○◯⚫⚪])""",
    re.VERBOSE,
)
_MOVES: Final = re.compile(r"[a-h][1-8]|pass|pa|ps")
_MOVE_WORD: Final = re.compile(r"(\d{0,3}|[bwxo])((?:[a-h][1-8])+|(?:[a-h][1-8]|pass|pa|ps){2,})(\d{0,2})")
# words that may be misspelt or damaged moves
_DAMAGED: Final = re.compile(r"[a-z]\d{1,2}|\d{1,2}[a-z]|[a-z]?[a-h][1-8].*|.*(?:[a-h][1-8]){2}.*|.*\ufffd.*")
_DAMAGED_MOVES: Final = re.compile(r".*(?:[a-h][1-8]){2}.*")
_LOOKALIKE: Final = re.compile("[a-h][bgilsz]")
_COLON: Final = re.compile("[ \t]*:")
_CIRCLED: Final = re.compile("[\u2460-\u2473]")
_APART: Final = re.compile(r"\b([a-h])['\"]?[ :,-]{1,2}([1-8])\b")
_REVERSED: Final = re.compile(r"\b([1-8])([a-h])\b")
_WRAPPED: Final = re.compile(r"(?<=[1-8][a-h])\r?\n(?=[1-8][a-h\n])")
_LINK: Final = re.compile(r"[a-z]{2,10}://\S{1,4000}")
_LINKED: Final = re.compile(r"(?<![a-z0-9])(?:[a-h][1-8][-_,.+\s]?|--|pass){4,130}(?![a-z0-9\ufffd])")
_DEEPEST: Final = 4  # levels of nested brackets
_END: Final = " \t\r\n.,;:'\"-|/>0123456789"
_PASSES: Final = re.compile("--|pass|pa|ps|passe[sd]?|passt|pas[ao]|skips?|パス")
_KNOWN: Final = re.compile(
    "and|then|und|dann|et|puis|y|luego|poi|i|zug|coup|jugada|mossa|ruch|moves?|ply|turn|n|no|nr|plays|played|play|at|on|to|in|the|by|puts|places"
    "|am|pm|s|sec|seconds|ms|min|dis[ck]s?|stone|手|手目|第|は|へ|に|着手"
)
_SQUARES: Final = "■□⬛⬜"  # empty squares, if the diagram has round discs
_X: Final = "x*b#@●⚫\xd7黒黑■⬛"
_O: Final = "ow○⚪◯◎白□⬜"
_EMPTY: Final = "-._+·・∙⋅🟩"
_CELL: Final = re.escape(_X + _O + _EMPTY + "012")
_HEADER: Final = re.compile(r"a\W*b\W*c\W*d\W*e\W*f(?:\W*g\W*h)?\b")
_LONG_ROW: Final = re.compile(r"(?=[-.]*[xo*])[-.xo*]{16}")
_BORDER: Final = re.compile(r"[\s|>]*[-+=](?:[\s|]*[-+=]){10,}[\s|]*")


def read_text(text: str, rules: Rules[Position]) -> AnyGame | None:
    """Return the game or position in a text, None if it has neither moves nor a diagram.

    Raises:
        TranscriptError: a move is illegal, or something between the moves is unknown.
        BoardTextError: a diagram is incomplete, or the side to move is not given.
    """
    text = _normalise(text)
    with suppress(BoardTextError):
        return Game.new(rules, rules.parse_position(text))
    if moves := _numbered_squares(text, rules):
        return parse_transcript(moves, rules)
    diagram, whole = _diagram(text, rules.columns)
    rest = _LINK.sub(lambda link: max(_LINKED.findall(unquote(link[0])), key=len, default=" "), whole)
    joined = _REVERSED.sub(r"\2\1", _APART.sub(r"\1\2", rest))
    if not diagram and len(_moves_in(joined)) > 2 * len(_moves_in(rest)):
        whole = rest = joined
    if not diagram and not _moves_in(rest):
        return None
    outside = whole if rest != whole and _moves_in(_LINK.sub(" ", whole)) else rest
    outside = _without_asides(outside)
    if not diagram and (game := _read_sides(rest, rules)):
        return game
    try:
        return _read(outside if outside.strip() and (diagram or _moves_in(outside)) else rest, rest, diagram, rules)
    except (BoardTextError, TranscriptError):
        with suppress(BoardTextError, TranscriptError):
            return _read(rest, rest, diagram, rules)
        raise


def _without_asides(text: str) -> str:
    """Return a text without the parts in brackets."""
    for _ in range(_DEEPEST):
        text = _ASIDE.sub(" ", text)
    if open_ := next((left for left, right in ("()", "[]", "{}") if text.count(left) > text.count(right)), None):
        raise TranscriptError("brackets", text=open_)
    return text


def begins_game(text: str, rules: Rules[Position], minimum: int) -> bool:
    """Return whether a text has a diagram, or its first `minimum` moves are legal from the start position."""
    with suppress(BoardTextError, TranscriptError):
        text = _normalise(text)
        moves = "".join(_moves_in(text)[:minimum])
        return bool(_diagram(text, rules.columns)[0]) or parse_transcript(moves, rules).ply >= minimum
    return False


def has_moves(text: str) -> bool:
    """Return whether a word of a text may be a move."""
    return any(_DAMAGED.fullmatch(token["word"] or "") for token in _TOKEN.finditer(text.lower()))


def _normalise(text: str) -> str:
    """Return a text with look-alike letters, digits, dashes, bars and spaces replaced by the usual ones."""
    text = _CIRCLED.sub(lambda number: f" {number[0]}. ", html.unescape(text))
    return _WRAPPED.sub("", _ASIAN.sub(" ", unicodedata.normalize("NFKC", text).translate(_SIGNS).lower()))


def _read(text: str, rest: str, diagram: str, rules: Rules[Position]) -> AnyGame:
    if not diagram:
        return _read_moves(text, Game.new(rules))
    mentioned = {*_moves_in(text)}
    with suppress(TranscriptError):
        game = _read_moves(text, Game.new(rules))
        if mentioned and any(rules.format_position(position).startswith(diagram) for position in game.positions):
            return game
    side = _side(rest)
    if side is None:
        raise SideMissingError
    start = Game.new(rules, rules.parse_position(f"{diagram} {'XO'[side]}"))
    taken = {rules.move_text(start.position, Move(square)) for square, mark in enumerate(diagram) if mark != "-"}
    is_last_move = len(mentioned) < 3 and mentioned <= taken  # such as "last move: d3"
    return start if is_last_move else _read_moves(text, start)


def _side(text: str) -> Color | None:
    """Return the side to move given in a text, None if there is none or the text contradicts itself."""
    said = {next(filter(None, groups)) for groups in _TURN.findall(text)}
    if not said:
        before = text[: next((token.start() for token in _TOKEN.finditer(text) if _move_word(token)), len(text))]
        lines = (line.strip(" .:;()[]|\"'") for line in re.split("[\n%;]", before))
        said = {line for line in lines if _COLOR.fullmatch(line)}
    sides = {_parse_color(word) for word in said}
    return sides.pop() if len(sides) == 1 else None


def _parse_color(text: str) -> Color | None:
    match = _COLOR.fullmatch(text)
    return None if match is None else Color.BLACK if match["black"] else Color.WHITE


# Moves.


def _moves_in(text: str) -> list[str]:
    words = filter(None, map(_move_word, _TOKEN.finditer(text)))
    return [move for word in words for move in _MOVES.findall(word[2])]


def _move_word(token: re.Match[str]) -> re.Match[str] | None:
    match = _MOVE_WORD.fullmatch(token["word"] or "")
    is_numbered = match is not None and (not match[3] or token.string[token.end() : token.end() + 1] in (".", ")"))
    return match if is_numbered else None


class _MoveContext(NamedTuple):
    """The text before a move, and the move's place in the game.

    Attributes:
        side: the side that makes the move.
        ply: the moves and passes before it.
        made: the moves before it, without passes.
        number: the move number given in the text, None if there is none.
    """

    side: Color
    ply: int
    made: int
    words: tuple[str, ...]
    colors: tuple[Color, ...]
    number: int | None


def _read_moves(text: str, start: AnyGame) -> AnyGame:
    """Return the game with all moves of a text."""
    reader = _MoveReader(start)
    for token in _TOKEN.finditer(text):
        reader.take(token)
    return reader.finish(text)


class _MoveReader:
    """Plays the moves of a text, and checks the words, colours and numbers between them."""

    def __init__(self, start: AnyGame) -> None:
        self._game = start
        self._contexts: list[_MoveContext] = []
        self._is_whole = start.position == start.rules.start()
        self._begin_move()

    def _begin_move(self, *, after_pass: bool = False) -> None:
        self._words: list[str] = []
        self._colors: list[Color] = []
        self._number: int | None = None
        self._after_pass = after_pass

    def take(self, token: re.Match[str]) -> None:
        word, moves = token["dashes"] or token["word"] or "", _move_word(token)
        color = _parse_color(token["disc"] or (moves[1] if moves else word))
        if color is not None:
            self._colors.append(color)
        if token["number"]:
            if _is_move_number(token):
                self._number = int(token["number"].strip("#"))
        elif self._game.must_pass and _PASSES.fullmatch(word):
            self._game = forced_passes(self._game)
            self._begin_move(after_pass=True)
        elif word == "pass" and self._contexts:
            raise not_legal(self._game, word, self._game.ply + 1)
        elif moves:
            self._take_moves(moves)
        elif color is None or len(word) == 1:
            self._take_word(token, word)

    def _take_word(self, token: re.Match[str], word: str) -> None:
        if word and not _KNOWN.fullmatch(word):
            self._words.append(f"{word}:" if _is_name(token, word) else word.rstrip("s"))

    def _take_moves(self, moves: re.Match[str]) -> None:
        self._number = int(moves[1]) if moves[1].isdecimal() else self._number
        for name in _MOVES.findall(moves[2]):
            self._play(name)
        self._number = int(moves[3]) if moves[3] else None

    def _play(self, name: str) -> None:
        game = self._game = forced_passes(self._game)
        if _PASSES.fullmatch(name):
            return
        if damaged := _first_damaged(self._words, _DAMAGED if self._contexts else _DAMAGED_MOVES):
            raise _not_understood(damaged, game.ply)
        move = game.rules.parse_move(game.position, name)
        if move not in game.legal_moves():
            if damaged := _first_damaged(self._words, _LOOKALIKE):
                raise _not_understood(damaged, game.ply)
            raise not_legal(game, name, game.ply + 1)
        words = () if self._after_pass else tuple(self._words)
        context = _MoveContext(game.to_move, game.ply, len(self._contexts), words, tuple(self._colors), self._number)
        self._contexts.append(context)
        self._game = game.play(move)
        self._begin_move()

    def finish(self, text: str) -> AnyGame:
        """Check the words, colours and numbers of the whole text, and return the game."""
        last = self._words[-1] if self._words else ""
        is_cut = bool(re.fullmatch("[ac-h]", last)) and text.rstrip(_END).endswith(last)
        if damaged := last if is_cut else _first_damaged(self._words):
            raise _not_understood(damaged, self._game.ply)
        _check_words(self._contexts)
        _check_colors(self._contexts, self._colors, self._game)
        _check_numbers(self._contexts, is_whole=self._is_whole)
        return forced_passes(self._game)


def _is_name(token: re.Match[str], word: str) -> bool:
    """Return whether a word names what follows after a colon."""
    return _COLON.match(token.string, token.end()) is not None and not _DAMAGED.fullmatch(word)


def _is_move_number(token: re.Match[str]) -> bool:
    """Return whether a number is marked as a move number, or is the first word of its line."""
    before = token.string[token.string.rfind("\n", 0, token.start()) + 1 : token.start()]
    return bool(token["mark"]) or "#" in token["number"] or not before.strip(" |\t\"'")


def _read_sides(text: str, rules: Rules[Position]) -> AnyGame | None:
    """Return the game of a text with separate lines for the moves of each side, None if the text has another form."""
    queues: dict[Color, list[str]] = {side: [] for side in Color}
    for line in text.split("\n"):
        if moves := _moves_in(line):
            sides = {_parse_color(match[0]) for match in _COLOR.finditer(line)}
            if len(sides) != 1 or len(moves) == 1:
                return None
            queues[sides.pop() or Color.BLACK] += (move for move in moves if not _PASSES.fullmatch(move))
    game = Game.new(rules)
    while queue := queues[game.to_move]:
        move = rules.parse_move(game.position, queue.pop(0))
        if move not in game.legal_moves():
            return None
        game = forced_passes(game.play(move))
    return None if any(queues.values()) else game


def _first_damaged(words: Iterable[str], pattern: re.Pattern[str] = _DAMAGED) -> str | None:
    return next(filter(pattern.fullmatch, words), None)


def _not_understood(text: str, ply: int) -> TranscriptError:
    return TranscriptError("not_understood", number=ply + 1, text=text)


def _check_words(contexts: Sequence[_MoveContext]) -> None:
    """Raise an error for a word unless it precedes most moves of a side, like a player's name."""
    has_colors = sum(len(move.colors) for move in contexts) > 1
    for side in Color:
        mine = [move for move in contexts if move.side is side]
        counts = Counter(word for move in mine for word in {*move.words})
        for move in mine:
            for word in move.words if move.made else ():
                is_name = counts[word] * 2 > len(mine) and (counts[word] > 1 or word.endswith(":"))
                if not is_name and not (has_colors and _parse_color(word.rstrip(":")) is not None):
                    raise _not_understood(word.rstrip(":"), move.ply)


def _check_colors(contexts: Sequence[_MoveContext], last: Sequence[Color], game: AnyGame) -> None:
    """Raise an error if the colours stand neither consistently before nor consistently after the moves."""
    wrong = [move for move in contexts[1:] if move.colors and move.colors[-1] is not move.side]
    if not wrong and (not any(move.colors for move in contexts[1:]) or contexts[0].colors[-1:] != (Color.WHITE,)):
        return
    after = [*(move.colors for move in contexts[1:]), tuple(last)]
    is_after = not contexts[0].colors or len({*contexts[0].colors}) == 2
    if not is_after or any(colors and colors[0] is not move.side for move, colors in zip(contexts, after, strict=True)):
        move = (wrong or contexts)[0]
        raise wrong_side(game.at(move.ply), game.moves[move.ply], move.ply + 1)


def _check_numbers(contexts: Sequence[_MoveContext], *, is_whole: bool) -> None:
    """Raise an error if the numbers count neither moves nor pairs of moves, with or without passes."""
    offsets = []  # number minus the count of moves, of plies, of pairs of moves and of pairs of plies
    for move in contexts:
        if move.number is not None:
            offsets.append([move.number - count for count in (move.made, move.ply, move.made // 2, move.ply // 2)])
            columns = [{*column} for column in zip(*offsets, strict=True)]
            fits = any(len(column) == 1 and (column <= {0, 1} or not is_whole) for column in columns)
            if not fits and len(offsets) > 1:
                raise TranscriptError("number_there", number=move.ply + 1, given=move.number)


# Diagrams.


@cache
def _patterns(size: int) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return patterns of a row, of a whole board in one line, and of rows with counts of empty squares."""
    side, last = rf"[1-{size}]", rf"[1-{size}{_CELL}]+"
    cells = rf"((?:[{_CELL}][\s|,]*){{{size}}})"
    more = rf"\s*[{_CELL}](?:[\s|,]*[{_CELL}])*\s*$"
    row = rf"[\s|>]*(?:({side})(?:\.(?=\s))?[\s|:)]*)?{cells}({side}?)(?!\w)(?!{more})(.*)"
    gap = r"[\s/|,;\"'\[\]]*"
    flat = rf"(?<![{_CELL}\w])[{_CELL}](?:{gap}[{_CELL}]){{{size**2 - 1}}}(?![{_CELL}\w])"
    return re.compile(row), re.compile(flat), re.compile(rf"(?<!\S)(?:{last}/){{{size - 1}}}{last}(?!\S)")


def _cells(line: str, size: int) -> list[str]:
    """Return the cells of a line. Cells can be empty if bars, tabs or commas separate them."""
    sign = next((sign for sign in "|\t," if line.count(sign) >= size - 1), None)
    inner = line.strip().removeprefix("|").removesuffix("|") if sign == "|" else line
    return [cell.strip(" \r'\"[]") for cell in inner.split(sign)]


def _numbered_squares(text: str, rules: Rules[Position]) -> str:
    """Return the moves of a diagram that has a move number in each square, "" if the text is not one."""
    size, squares = rules.columns, list[str]()
    for line in text.split("\n"):
        cells = _cells(line, size)
        if len(cells) in (size, size + 1) and not _HEADER.search(line):
            is_label = cells[0] == str(len(squares) // size + 1)
            squares += cells[-size:] if is_label else cells[:size]
    numbers = sorted((int(cell), square) for square, cell in enumerate(squares) if cell.isdecimal())
    # a board with row numbers alone has at most `size` numbers
    is_whole = len(squares) == size**2 and len(numbers) > size
    if not is_whole or [number for number, _ in numbers] != [*range(1, len(numbers) + 1)]:
        return ""
    return "".join(rules.move_text(rules.start(), Move(square)) for _, square in numbers)


def _diagram(text: str, size: int) -> tuple[str, str]:
    """Return the squares of a diagram as X, O and -, and the rest of the text; no squares if there is no diagram."""
    rows, labels, rest = _rows(text, size)
    ascending = "12345678"[:size]
    if len(rows) != size:
        return _joined_diagram(text, size, rows)
    if labels not in ("", ascending, ascending[::-1]):
        raise BoardTextError("diagram_rows", rows=len(rows), size=size)
    squares = "".join(reversed(rows) if labels == ascending[::-1] else rows)
    return _marks(squares), _HEADER.sub(" ", "\n".join(rest))


def _rows(text: str, size: int) -> tuple[list[str], str, list[str]]:
    """Return the rows of a diagram, their row numbers, and the rest of the lines."""
    row, *_ = _patterns(size)
    rows, labels, rest = list[str](), list[str](), list[str]()
    for line in text.split("\n"):
        match = row.fullmatch(" ".join(cell or "-" for cell in _cells(line, size)))
        if match is not None:
            rows.append("".join(re.findall(f"[{_CELL}]", match[2])))
            labels.append(match[1] or match[3])
        if not _BORDER.fullmatch(line):
            rest.append(line if match is None else match[4])
    if any(labels):
        rows = [cells for cells, label in zip(rows, labels, strict=True) if label]
    inner = [cells for cells in rows if {*cells} != {"-"}]
    has_frame = len(inner) == size and "-" not in "".join(inner)  # dashes around a full board
    return inner if has_frame else rows, "".join(labels), rest


def _joined_diagram(text: str, size: int, rows: list[str]) -> tuple[str, str]:
    """Return the same as `_diagram` if the squares are not one row per line."""
    _, flat, counted = _patterns(size)
    match = flat.search(text) or counted.search(text)
    if match is None:
        if len(rows) > 2 and re.search(f"[{re.escape(_X + _O)}]", "".join(rows)):
            raise BoardTextError("diagram_rows", rows=len(rows), size=size)
        return "", text
    if flat.search(text, match.end()):
        return "", text  # several boards
    if match.re is flat and not _is_regular(match[0]):
        raise BoardTextError("diagram_rows", rows=len(rows), size=size)
    before, after = text[: match.start()], text[match.end() :]
    if more := _LONG_ROW.search(before + after):
        raise _not_understood(more[0], 0)
    squares = match[0]
    if match.re is counted and any(len(row) != size for row in squares.split("/")):
        squares = re.sub(r"\d", lambda count: "-" * int(count[0]), squares)
    squares = "".join(re.findall(f"[{_CELL}]", squares))
    if len(squares) != size**2:
        raise BoardTextError("board_length", given=len(squares), squares=size**2)
    return _marks(squares), _HEADER.sub(" ", f"{before}\n{after}")


def _is_regular(squares: str) -> bool:
    """Return whether all lines and words have the same number of squares; otherwise letters of a word were counted."""
    lines = {len(re.findall(f"[{_CELL}]", line)) for line in squares.split("\n")}
    return len(lines) == len({*map(len, re.split(f"[^{_CELL}]+", squares))}) == 1


def _marks(squares: str) -> str:
    """Return squares as X, O and -, whatever signs the text uses."""
    signs = {*squares}
    if signs <= {*"012"}:
        return squares.translate(str.maketrans("012", "-XO"))
    black, white, empty = {*_X}, {*_O}, {*_EMPTY}
    if signs & {*"●○⚫⚪"}:
        empty |= {*_SQUARES}
        black, white = black - empty, white - empty
    if "0" in signs and signs & empty and "o" not in signs:
        white.add("0")
    for sign in sorted(signs):
        if sign not in black | white | empty:
            raise BoardTextError("board_symbol", symbol=sign, square=squares.index(sign) + 1, allowed="X, O, -, .")
    if len(signs & black) > 1 or len(signs & white) > 1:
        both = sorted(signs & black if len(signs & black) > 1 else signs & white)
        raise BoardTextError("diagram_signs", signs=" ".join(both))
    return "".join("X" if sign in black else "O" if sign in white else "-" for sign in squares)
