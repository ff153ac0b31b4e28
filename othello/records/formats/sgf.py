"""SGF with GM[2], which is Othello: https://www.red-bean.com/sgf/. Moves are written as d3, and read as dc too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from othello.errors import GameFileError, OthelloError
from othello.records.formats.sheet import (
    Branches,
    Format,
    Found,
    Sheet,
    Source,
    counted_lines,
    date_of,
    difference_of,
    fault_at,
    following,
    moves_of,
    noted,
    othello_of,
    result_of,
    squares_of,
    straightened,
    words_of,
)
from othello.records.game_file import Entry
from othello.rules.protocol import Color, Position, Rules

_TOKEN: Final = re.compile(r"\s*(?:([();])|([A-Za-z]+)|\[((?:[^\]\\]|\\.)*)\])", re.DOTALL)
_ESCAPED: Final = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
_RESULT: Final = re.compile(r"\s*([BW])\s*\+\s*(\d{1,2}|R|T)?", re.IGNORECASE)
_FAULTS: Final = {"R": "resigned", "T": "out_of_time"}
_NEXT: Final = re.compile(r"\n[ \t]{0,9}\([ \t]{0,9};")  # tree, after one that is none
_PER_LINE: Final = 10


class Sgf(Format):
    """Trees of moves with comments."""

    name = "SGF"
    suffixes = (".sgf",)
    holds = frozenset({"moves", "names", "date", "event", "notes", "variations"})

    def knows(self, source: Source) -> bool:
        start = re.search(r"\(\s*;", source.text[:1000])
        return start is not None

    def written(self, source: Source) -> Iterator[Found]:
        text, number = source.text, 0
        line_at, place = counted_lines(text), text.find("(")
        while place >= 0:
            number, line = number + 1, line_at(place)
            end, fault = _end(text, place)
            try:
                if fault is not None:
                    raise fault
                yield _Reader(text[place:end]).sheet(number, line)
            except OthelloError as error:
                yield fault_at(number, line, error)
            place = text.find("(", end)

    def text_of(self, sheet: Sheet) -> str:
        rules, start = sheet.rules, sheet.begun
        head = {"FF": "4", "GM": "2", "CA": "UTF-8", "SZ": str(rules.columns), "DT": sheet.date.replace("T", " ")}
        head |= {"EV": sheet.event, "PB": sheet.players[0], "PW": sheet.players[1], "RE": _result_text(sheet)}
        parts = ["(;", *(f"{name}[{_escaped(value)}]" for name, value in head.items() if value), "\n"]
        marks = rules.marks(start)
        for color, name in zip(Color, ("AB", "AW"), strict=True):
            squares = [rules.move_text(start, square) for square, mark in enumerate(marks) if mark is color]
            parts += [name, *(f"[{square}]" for square in squares)] if squares else []
        parts.append(f"PL[{'BW'[start.to_move]}]")
        note, branches = sheet.all_branches
        parts.append(f"C[{_escaped(note)}]" if note else "")
        children = following(branches)
        depth = 0
        waiting: list[int | str] = []

        def wait(number: int) -> None:
            several = len(children[number]) > 1
            for child in reversed(children[number]):
                waiting.extend([")", child, "\n("] if several else [child])

        wait(0)
        while waiting:
            found = waiting.pop()
            if isinstance(found, str):
                parts.append(found)
                continue
            branch, depth = branches[found - 1], depth + 1
            text = "" if rules.is_pass(branch.move) else rules.move_text(start, branch.move)
            comment = f"C[{_escaped(branch.note)}]" if branch.note else ""
            parts.append(f"{'' if depth % _PER_LINE else chr(10)};{'BW'[branch.color or 0]}[{text}]{comment}")
            wait(found)
        return "".join(parts) + ")\n"


def _end(text: str, start: int) -> tuple[int, OthelloError | None]:
    """Where the tree ends that begins there, and what is wrong where it does not end or holds what is no SGF."""
    depth, place = 0, start
    while found := _TOKEN.match(text, place):
        place = found.end()
        depth += {"(": 1, ")": -1}.get(found[1] or "", 0)
        if not depth:
            return place, None
    rest = text[place : place + 20].strip()
    if not rest:
        return len(text), GameFileError("game_end", sign=")")
    other = _NEXT.search(text, place)
    return other.start() if other else len(text), GameFileError("no_property", text=words_of(rest))


class _Reader:
    """Reads one tree."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._head: dict[str, list[str]] = {}
        self._rules: Rules[Position] = othello_of()
        self._branches = Branches()

    def sheet(self, number: int, line: int) -> Sheet:
        after, saved = 0, []
        is_root, start = True, None
        for sign, properties in _nodes(self._text):
            if sign == "(":
                saved.append(after)
            elif sign == ")":
                after = saved.pop()
            elif is_root:
                is_root, start = False, self._begin(properties)
                after = self._step(properties, after)
            else:
                if properties.keys() & {"AB", "AW", "AE"}:
                    raise GameFileError("setup_later")
                after = self._step(properties, after)
        told = Sheet(
            self._rules,
            start=start,
            players=(self._word("PB"), self._word("PW")),
            date=date_of(self._word("DT")),
            event=self._word("EV") or self._word("PC"),
            result=_result(self._word("RE")),
            number=number,
            line=line,
        )
        return straightened(told, self._branches)

    def _word(self, name: str) -> str:
        return words_of(" ".join(self._head.get(name, ())[:1]))

    def _begin(self, properties: dict[str, list[str]]) -> Position | None:
        """The position in which the game begins, None where it is the usual one."""
        self._head = properties
        if (kind := self._word("GM") or "2") != "2":
            raise GameFileError("other_game", name=f"GM[{kind}]")
        size = self._word("SZ") or "8"
        if not (size.isdecimal() and len(size) < 4):
            raise GameFileError("board_size", size=size)
        self._rules = rules = othello_of(int(size))
        stones = {mark: self._squares(properties.get(name, ())) for mark, name in (("X", "AB"), ("O", "AW"))}
        side = "O" if self._word("PL")[:1].upper() in ("W", "2") else "X"
        if not any(stones.values()):
            text = rules.format_position(rules.start())
        else:
            squares = range(rules.columns**2)
            text = "".join("X" if each in stones["X"] else "O" if each in stones["O"] else "-" for each in squares)
        start = rules.parse_position(f"{text[: rules.columns**2]} {side}")
        return None if start == rules.start() else start

    def _squares(self, texts: Sequence[str]) -> set[int]:
        """Points, or rectangles of them as a1:b3."""
        found: set[int] = set()
        for text in texts:
            corners = moves_of((part.strip().lower() for part in text.split(":")[:2]), self._rules)
            rows, columns = zip(*(divmod(corner, self._rules.columns) for corner in corners), strict=True)
            for row in range(min(rows), max(rows) + 1):
                found |= {row * self._rules.columns + column for column in range(min(columns), max(columns) + 1)}
        return found

    def _step(self, properties: dict[str, list[str]], after: int) -> int:
        """Go on with a node; the number of its move."""
        note = noted(" ".join(filter(None, (properties.get(name, [""])[0] for name in ("N", "C")))))
        squares, is_move = squares_of(self._rules.columns), False
        for color, name in zip(Color, ("B", "W"), strict=True):
            if name not in properties:
                continue
            text = properties[name][0].strip().lower()
            if text not in squares:
                moves_of([*("" for _ in range(self._branches.depth(after))), text], self._rules)
            after, is_move = self._branches.add(after, squares[text], note, color), True
        if note and not is_move:  # a node without a move tells of the position before
            self._branches.add_note(after, note)
        return after


def _nodes(text: str) -> Iterator[tuple[str, dict[str, list[str]]]]:
    """Every bracket, and every node with its properties."""
    node: dict[str, list[str]] | None = None
    name = ""
    for sign, word, value in _TOKEN.findall(text):
        if sign:
            if node is not None:
                yield ";", node
            node = {} if sign == ";" else None
            if sign != ";":
                yield sign, {}
        elif word:
            name = "".join(letter for letter in word if letter.isupper()) or word.upper()  # as older files have them
            if node is not None:
                node.setdefault(name, [])
        elif node is not None and name:
            node.setdefault(name, []).append(_ESCAPED.sub(_meant, value) if "\\" in value else value)


def _meant(escaped: re.Match[str]) -> str:
    return "" if escaped[1][0] in "\r\n" else escaped[1]


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


def _result_text(sheet: Sheet) -> str:
    difference, fault = difference_of(sheet), sheet.result.get("fault", "")
    if difference is None:
        return ""
    if not difference:
        return "Draw" if fault else "0"
    flag = {fault: letter for letter, fault in _FAULTS.items()}.get(fault, str(abs(difference)))
    return f"{'B' if difference > 0 else 'W'}+{flag}"


def _result(text: str) -> Entry:
    found = _RESULT.match(text)
    if found is None:
        draws = {"0": "", "draw": "draw_agreed"}
        return result_of(0, draws[text.lower()]) if text.lower() in draws else {}
    sign, told = 1 if found[1].upper() == "B" else -1, (found[2] or "").upper()
    if told.isdecimal():
        return result_of(sign * min(64, int(told)))
    return result_of(sign, _FAULTS[told]) if told else {}
