"""SGF with GM[2], which is Othello: https://www.red-bean.com/sgf/.

Moves are written as d3; dc is also read.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from othello.errors import GameFileError, OthelloError
from othello.records.formats import parsed_game
from othello.records.formats.format import Format, SourceText, moves_of, othello_of, texts_of
from othello.records.formats.normalise import counted_lines, date_of, noted, words_of
from othello.records.game_file import Entry
from othello.rules.protocol import Color, Move, Position, Rules

_VALUE: Final = r"\[([^\]\\]*+(?:\\.[^\]\\]*+)*+)\]"
_MOVE: Final = r";\s*+([BW])\s*+\[\s*+([^\]\\\s]{0,9})\s*+\]"
_AT_ONCE: Final = 10_000  # moves per match, to bound the memory
_PART: Final = re.compile(
    rf"\s*+(?:(?P<bracket>[()])|(?P<moves>(?:{_MOVE}\s*+(?=[;()])){{1,{_AT_ONCE}}}+)|;(?P<node>(?:\s*+(?:[A-Za-z]++|{_VALUE}))*+))",
    re.DOTALL,
)
_MOVES: Final = re.compile(_MOVE)
_PROPERTY: Final = re.compile(rf"([A-Za-z]+)|{_VALUE}", re.DOTALL)
_ESCAPED: Final = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
_RESULT: Final = re.compile(r"\s*([BW])\s*\+\s*(\d{1,2}|R|T)?", re.IGNORECASE)
_FAULTS: Final = {"R": "resigned", "T": "out_of_time"}
_GOGUI: Final = re.compile(r"gogui|twogtp", re.IGNORECASE)  # programs that count rows from below
_NEXT: Final = re.compile(r"\n[ \t]{0,9}\([ \t]{0,9};")  # start of the next tree after an invalid one
_PER_LINE: Final = 10
_MAX_PARTS: Final = 4 * parsed_game.MAX_BRANCHES  # of a tree: each move can be a node between two brackets


class SgfFormat(Format):
    """Trees of moves with comments."""

    name = "SGF"
    suffixes = (".sgf",)
    supports = frozenset({"moves", "names", "date", "event", "notes", "variations", "tags"})

    def matches(self, source: SourceText) -> bool:
        # requires a property or an empty node, to exclude smileys
        return re.search(r"\(\s*;\s*(?:[A-Za-z]+\s*\[|[;()])", source.text[:1000]) is not None

    def parse(self, source: SourceText) -> Iterator[parsed_game.FileItem]:
        text, number = source.text, 0
        line_at, start = counted_lines(text), text.find("(")
        while start >= 0:
            reader, number = _SgfReader(text, start), number + 1
            yield reader.to_parsed_game(number, line_at(start))
            start = text.find("(", reader.index)
            between = text[reader.index : len(text) if start < 0 else start].strip()
            if "[" in between:
                fault = GameFileError("no_property", text=words_of(between[:20]))
                yield parsed_game.fault_at(number, line_at(reader.index), fault)

    def dump(self, parsed: parsed_game.ParsedGame) -> str:
        rules, start = parsed.rules, parsed.begun
        properties = {
            "FF": "4",
            "GM": "2",
            "CA": "UTF-8",
            "SZ": str(rules.columns),
            "DT": parsed.date.replace("T", " "),
        }
        properties |= {"EV": parsed.event, "PB": parsed.players[0], "PW": parsed.players[1], "RE": _result_text(parsed)}
        parts = ["(;", *(f"{name}[{_escape(value)}]" for name, value in properties.items() if value), "\n"]
        note, branches = parsed.all_branches
        parts += [_setup_text(rules.columns, start), f"C[{_escape(note)}]" if note else ""]
        texts, children, count = texts_of(rules.columns), parsed_game.following(branches), itertools.count(1)

        def write_after(number: int) -> None:
            for child in children[number]:
                _, move, note, color = branches[child - 1]
                before, after = ("\n(", ")") if len(children[number]) > 1 else ("", "")
                parts.append(f"{before}{'' if next(count) % _PER_LINE else chr(10)};{'BW'[color or 0]}")
                parts.append(f"[{texts.get(move, '')}]{f'C[{_escape(note)}]' if note else ''}")
                write_after(child)
                parts.append(after)

        write_after(0)
        return "".join(parts) + ")\n"


@lru_cache
def _setup_text(size: int, start: Position) -> str:
    """Return the start position and the side to move as properties."""
    texts, owners, parts = texts_of(size), othello_of(size).owners(start), list[str]()
    for color, name in zip(Color, ("AB", "AW"), strict=True):
        squares = [f"[{texts[Move(square)]}]" for square, mark in enumerate(owners) if mark is color]
        parts += [name, *squares] if squares else []
    return f"{''.join(parts)}PL[{'BW'[start.to_move]}]"


class _SgfReader:
    """Reads the tree that begins at `index`.

    Attributes:
        index: the index of the first character that was not read.
    """

    def __init__(self, text: str, index: int) -> None:
        self.index = index
        self._text = text
        self._root: dict[str, list[str]] | None = None  # properties of the first node; None until it is read
        self._rules: Rules[Position] = othello_of()
        self._start: Position | None = None
        self._is_upside_down = False
        self._branches = parsed_game.VariationTree()

    def to_parsed_game(self, number: int, line: int) -> parsed_game.FileItem:
        fault = self._read()
        if fault is not None:
            return parsed_game.fault_at(number, line, fault)
        return parsed_game.ParsedGame(
            self._rules,
            start=self._start,
            players=(self._property("PB"), self._property("PW")),
            date=date_of(self._property("DT")),
            event=self._property("EV") or self._property("PC"),
            result=_result(self._property("RE"), self._rules.columns),
            number=number,
            line=line,
            **self._branches.to_fields(self._rules),
        )

    def _read(self) -> OthelloError | None:
        """Read up to the end of the tree, and return the first error in it."""
        after, saved, parts = 0, list[int](), 0
        fault: OthelloError | None = None
        while part := _PART.match(self._text, self.index):
            self.index, parts = part.end(), parts + 1
            if parts > _MAX_PARTS:
                self._skip_to_next()
                return fault or GameFileError("too_many_moves", maximum=parsed_game.MAX_BRANCHES)
            if part["bracket"] == "(":
                saved.append(after)
            elif part["bracket"]:
                after = saved.pop()
                if not saved:
                    return fault
            elif fault is None:
                try:
                    after = self._play(part, after)
                except OthelloError as error:
                    fault = error
        return fault or self._unfinished()

    def _unfinished(self) -> OthelloError:
        """Return the error where the tree ends too early, and skip to where the next tree may begin."""
        rest = self._text[self.index : self.index + 20].strip()
        if rest[:1] in ("", "["):  # an unclosed value extends to the end of the text
            self.index = len(self._text)
            return GameFileError("game_end", sign=")")
        self._skip_to_next()
        return GameFileError("no_property", text=words_of(rest))

    def _skip_to_next(self) -> None:
        """Skip to where another tree may begin."""
        match = _NEXT.search(self._text, self.index)
        self.index = match.start() if match else len(self._text)

    def _play(self, part: re.Match[str], after: int) -> int:
        """Add a node or a run of moves after the move number `after`; return the number of the last move."""
        if part["moves"] is None:
            return self._add_node(_properties(part["node"]), after)
        if self._root is None:
            self._read_root({})
        written_moves = _MOVES.findall(part["moves"])
        before = self._branches.depths[after]
        moves = moves_of([self._square(text) for _, text in written_moves], self._rules, before)
        return self._branches.add(after, moves, bytes(color == "W" for color, _ in written_moves))

    def _square(self, text: str) -> str:
        """Return a point as the name of its square. Letters count rows from below in files of some programs."""
        text, size = text.lower(), self._rules.columns
        row = ord(text[1]) - ord("a") if len(text) == 2 else -1
        return f"{text[0]}{size - row}" if self._is_upside_down and 0 <= row < size else text

    def _property(self, name: str) -> str:
        return words_of(" ".join((self._root or {}).get(name, ())[:1]))

    def _read_root(self, properties: dict[str, list[str]]) -> None:
        """Read the properties of the first node."""
        self._root = properties
        if (kind := self._property("GM") or "2") != "2":
            raise GameFileError("other_game", name=f"GM[{kind}]")
        size = self._property("SZ") or "8"
        if not (size.isdecimal() and len(size) < 4):
            raise GameFileError("board_size", size=size)
        self._rules = othello_of(int(size))
        self._is_upside_down = _GOGUI.match(self._property("AP")) is not None
        setup = (properties.get(name, ()) for name in ("AB", "AW"))
        black, white = (tuple(":".join(map(self._square, text.split(":"))) for text in texts) for texts in setup)
        self._start = _start_position(int(size), black, white, self._property("PL"))

    def _add_node(self, properties: dict[str, list[str]], after: int) -> int:
        """Add a node after the move number `after`; return the number of its move."""
        if self._root is None:
            self._read_root(properties)
        elif properties.keys() & {"AB", "AW", "AE"}:
            raise GameFileError("setup_later")
        for color, name in zip(Color, ("B", "W"), strict=True):
            if name in properties:
                text = self._square("".join(properties[name][:1]).strip())
                moves = moves_of([text], self._rules, self._branches.depths[after])
                after = self._branches.add(after, moves, bytes((color,)))
        notes = (value for name in ("N", "C") for value in properties.get(name, ())[:1] if value)
        self._branches.add_note(after, noted(" ".join(notes)))  # without a move, it belongs to the last position
        return after


@lru_cache
def _start_position(size: int, black: Sequence[str], white: Sequence[str], side: str) -> Position | None:
    """Return the start position, None if it is the usual one; raise a BoardTextError if it is invalid."""
    rules = othello_of(size)
    text = rules.format_position(rules.start())[: rules.columns**2]
    if black or white:
        stones = _squares(black, rules), _squares(white, rules)
        text = "".join(
            "X" if square in stones[0] else "O" if square in stones[1] else "-" for square in range(len(text))
        )
    start = rules.parse_position(f"{text} {'O' if side.startswith(('W', 'w', '2')) else 'X'}")
    return None if start == rules.start() else start


def _squares(texts: Sequence[str], rules: Rules[Position]) -> set[int]:
    """Return the squares of points and of rectangles such as a1:b3."""
    squares: set[int] = set()
    for text in texts:
        corners = moves_of([part.strip().lower() for part in text.split(":")[:2]], rules)
        rows, columns = zip(*(divmod(corner, rules.columns) for corner in corners), strict=True)
        for row in range(min(rows), max(rows) + 1):
            squares |= {row * rules.columns + column for column in range(min(columns), max(columns) + 1)}
    return squares


def _properties(text: str) -> dict[str, list[str]]:
    """Return the values of a node's properties by name."""
    properties: dict[str, list[str]] = {}
    values: list[str] = []  # values before the first name are dropped
    for part in _PROPERTY.finditer(text):
        word, value = part.groups()
        if word:
            # older files have lower-case letters in names
            name = "".join(letter for letter in word if letter.isupper()) or word.upper()
            values = properties.setdefault(name, [])
        else:
            values.append(_ESCAPED.sub(lambda escaped: escaped[1].strip("\r\n"), value))
    return properties


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


def _result_text(parsed: parsed_game.ParsedGame) -> str:
    difference, fault = parsed.difference, parsed.result.get("fault", "")
    if difference is None:
        return ""
    if not difference:
        return "Draw" if fault else "0"
    flag = {fault: letter for letter, fault in _FAULTS.items()}.get(fault, str(abs(difference)))
    return f"{'B' if difference > 0 else 'W'}+{flag}"


def _result(text: str, size: int) -> Entry:
    match = _RESULT.match(text)
    if match is None:
        draws = {"0": "", "draw": "draw_agreed"}
        return parsed_game.result_of(0, draws[text.lower()], size) if text.lower() in draws else {}
    sign, score = 1 if match[1].upper() == "B" else -1, (match[2] or "").upper()
    if score.isdecimal():
        return parsed_game.result_of(sign * min(size**2, int(score)), size=size)
    return parsed_game.result_of(sign, _FAULTS[score]) if score else {}
