"""GGF, the Generic Game Format of the Generic Game Server: https://www.skatgame.net/mburo/ggsa/ggf."""

import re
from collections import UserList
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from typing import Final

from othello.errors import GameFileError, OthelloError
from othello.records.formats.format import Format, SourceText, moves_of, othello_of
from othello.records.formats.normalise import counted_lines, date_of, noted, words_of
from othello.records.formats.parsed_game import FileItem, MoveInfo, ParsedGame, fault_at, result_of
from othello.records.game_file import Entry
from othello.rules.protocol import Position, Rules
from othello.rules.registry import game_spec, rules_of

_GAME: Final = re.compile(r"GM\s*\[\s*([A-Za-z][^\]]*)\]")
_PROPERTY: Final = re.compile(r"([A-Za-z]{1,9})\s{0,9}\[([^\][]*)\]")
_RESULT: Final = re.compile(r"\s*([-+]?\d+(?:\.\d*)?)\s*(?::\s*([a-z]))?")
_NUMBER: Final = re.compile(r"\s*([-+]?\d{1,9}(?:\.\d*)?)\s*")
_CLOCK: Final = re.compile(r"\s*(?:(\d{1,6}):)?(\d{1,9}(?:\.\d*)?)\s*")
_FAULTS: Final = {"r": "resigned", "t": "out_of_time", "s": "draw_agreed"}
_LONGEST: Final = 1 << 20  # characters of a game
_READ: Final = ("GM", "PC", "PB", "PW", "BO")  # tags whose whole content `ParsedGame` stores
_FORBIDDEN: Final = str.maketrans("[]()", "    ")


class GgfFormat(Format):
    """Games in a row, each as (;GM[Othello]...;)."""

    name = "GGF"
    suffixes = (".ggf",)
    supports = frozenset({"moves", "names", "date", "event", "times", "values", "tags"})

    def matches(self, source: SourceText) -> bool:
        start = source.text.find("(;")
        return 0 <= start < 1000 and _GAME.search(source.text[start : start + 1000]) is not None

    def parse(self, source: SourceText) -> Iterator[FileItem]:
        text, number = source.text, 0
        line_at, start = counted_lines(text), text.find("(;")
        end = -1
        if "]" in text[:start]:
            yield fault_at(1, 1, GameFileError("tag_end"))
            number = 1
        while start >= 0:
            number, line, next_game = number + 1, line_at(start), text.find("(;", start + 2)
            if end < start:
                end = text.find(";)", start)
                end = len(text) if end < 0 else end
            try:
                if end == len(text) or 0 <= next_game < end:
                    raise GameFileError("game_end", sign=";)")
                if end - start > _LONGEST:
                    raise GameFileError("too_long", count=end - start)
                yield _parse_game(text[start + 2 : end], number, line)
            except OthelloError as error:
                yield fault_at(number, line, error)
            after = text[end + 2 : len(text) if next_game < 0 else next_game]
            if "[" in after or "]" in after:
                yield fault_at(number, line_at(end), GameFileError("tag_end"))
            start = next_game

    def dump(self, parsed: ParsedGame) -> str:
        rules, size = parsed.rules, parsed.rules.columns
        board = rules.format_position(parsed.begun).replace("X", "*")
        rows = " ".join(board[start : start + size] for start in range(0, size * size, size))
        black, white = (name.translate(_FORBIDDEN) for name in parsed.players)
        tags = {"GM": "Othello", "PC": parsed.event.translate(_FORBIDDEN) or "Othello"}
        if parsed.date:
            tags["DT"] = parsed.date.replace("-", ".").replace("T", "_")
        tags |= {"PB": black, "PW": white, "TY": str(size)}
        if parsed.difference is not None:
            flags = {fault: f":{letter}" for letter, fault in _FAULTS.items()}
            tags["RE"] = f"{parsed.difference:+.3f}{flags.get(parsed.result.get('fault', ''), '')}"
        if "tags" in parsed.features:
            tags |= _PROPERTY.findall(parsed.start_note)
        tags["BO"] = f"{size} {rows} {board[-1]}"
        parts = ["(;", *(f"{name}[{value}]" for name, value in tags.items())]
        details = parsed.all_details or (MoveInfo(),) * len(parsed.moves)
        side, position = parsed.begun.to_move, parsed.begun
        for move, detail in zip(parsed.moves, details, strict=True):
            text = "PASS" if rules.is_pass(move) else rules.move_text(position, move).upper()
            parts.append(f"{'BW'[side]}[{text}{_facts_of(detail)}]")
            side = side.opponent
        return "".join(parts) + ";)\n"


def _facts_of(detail: MoveInfo) -> str:
    """Return the value and the time of a move as they follow its text."""
    value = "" if detail.value is None else f"/{detail.value:.2f}"
    return value if detail.seconds is None else f"{value or '/'}/{detail.seconds:.2f}"


def _parse_game(text: str, number: int, line: int) -> ParsedGame:
    tags: dict[str, str] = {}
    played: list[tuple[str, str]] = []
    properties = _PROPERTY.findall(text)
    if not len(properties) == text.count("[") == text.count("]"):
        raise GameFileError("tag_end")
    for name, value in properties:
        if name in ("B", "W"):
            played.append((name, value))
        else:
            tags.setdefault(name.upper(), value)
    if tags.get("GM", "Othello").strip().lower() != "othello":
        raise GameFileError("other_game", name=words_of(tags["GM"]))
    kind = tags.get("TY", "").strip().lower().lstrip("s")
    size = re.match(r"\d{1,2}", kind)
    rules, start = _board(tags["BO"], "a" in kind) if "BO" in tags else (othello_of(int(size[0]) if size else 8), None)
    cells = [value.split("/") for _, value in played]
    moves = moves_of([cell[0].strip().lower() for cell in cells], rules)
    is_pass = rules.is_pass
    sides = zip(moves, played, strict=True)
    return ParsedGame(
        rules,
        moves,
        start=start,
        players=(words_of(tags.get("PB", "")), words_of(tags.get("PW", ""))),
        date=_date(tags.get("DT", "")),
        event=words_of(tags.get("PC", "")),
        result=_result(tags.get("RE", ""), rules.columns, has_komi="k" in kind),
        note=noted(_tags(tags, rules.columns, has_komi="k" in kind)),
        details=_Details(value for _, value in played) if any(len(cell) > 1 for cell in cells) else (),
        colors=bytes(name == "W" for move, (name, _) in sides if not is_pass(move)),
        number=number,
        line=line,
    )


@lru_cache
def _board(text: str, is_anti: bool) -> tuple[Rules[Position], Position | None]:
    """Return the rules, and the position if it is not their usual start.

    Raises:
        GameFileError: the board size is not supported.
        BoardTextError: the position is invalid.
    """
    size, *rows = text.split() or [""]
    if not (size.isdecimal() and len(size) < 4):
        raise GameFileError("board_size", size=size)
    rules = othello_of(int(size))
    if is_anti:
        rules = rules_of(game_spec(rules.spec.game, {"size": int(size), "goal": "fewest"}))
    position = rules.parse_position(" ".join(rows))
    return rules, None if position == rules.start() else position


class _Details(UserList[MoveInfo]):
    """Values and times of moves, parsed on first access to save memory."""

    def __init__(self, cells: Iterable[str]) -> None:
        self._text = "]".join(cells)

    @cached_property
    def data(self) -> list[MoveInfo]:  # type: ignore[override]
        return [_detail(cell.split("/")) for cell in self._text.split("]")]


def _detail(cell: list[str]) -> MoveInfo:
    value = _NUMBER.fullmatch(cell[1]) if len(cell) > 1 else None
    time = _CLOCK.fullmatch(cell[2]) if len(cell) > 2 else None
    seconds = None if time is None else 60 * int(time[1] or 0) + float(time[2])
    return MoveInfo(None if value is None else float(value[1]), seconds)


def _date(text: str) -> str:
    """Parse a date; older files have seconds since 1970."""
    if text.strip().isdecimal() and 5 <= len(text.strip()) <= 10:
        return datetime.fromtimestamp(int(text), UTC).strftime("%Y-%m-%dT%H:%M:%S")
    return date_of(text)


def _tags(tags: Mapping[str, str], size: int, *, has_komi: bool) -> str:
    """Return the tags with information without a field in `ParsedGame`, such as ratings, clock, komi and time zone."""
    more = {name: text for name, text in tags.items() if name not in _READ and text.strip()}
    if not re.search("[A-Za-z]", more.get("DT", "")):  # without a time zone
        more.pop("DT", None)
    if more.get("TY", "").strip() == str(size):
        del more["TY"]
    result = _RESULT.match(more.get("RE", ""))
    if result is None or (float(result[1]).is_integer() and not has_komi):
        more.pop("RE", None)
    return " ".join(f"{name}[{' '.join(text.split())}]" for name, text in more.items())


def _result(text: str, size: int, *, has_komi: bool) -> Entry:
    """Parse a result. It is empty if a komi is included, unless the game was broken off: then the board decides."""
    match = _RESULT.match(text)
    if match is None or abs(float(match[1])) > size**2:
        return {}
    difference, fault = round(float(match[1])), _FAULTS.get(match[2] or "", "")
    if not fault and (has_komi or difference != float(match[1])):
        return {}
    return result_of(difference, fault if (fault == "draw_agreed") is (difference == 0) else "", size)
