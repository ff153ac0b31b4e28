"""A game as some file tells of it, and what all formats of such files have in common.

A format reads sheets as they are written, before the rules have seen them. Here they are replayed, many at a time: the
passes that the rules force are added, and an error names game, line and move. A sheet is small: the tree of positions
is made for whoever opens the game.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cache, cached_property
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

from othello.errors import FileError, GameFileError, OthelloError, Reason, TranscriptError, is_legible
from othello.frozen import Frozen
from othello.game import AnyGame, Game, GameTree, Node
from othello.records.game_file import Entry, GameFile, Known
from othello.records.transcript import forced_passes, not_legal
from othello.rules.protocol import Color, GameSpec, Move, Position, Rules
from othello.rules.registry import DEFAULT_GAME, game_spec, rules_of
from othello.search.report import SearchReport, Unit
from othello.writing import write_bytes

MOST_BYTES: Final = 1 << 28  # of a file of games
MOST_BRANCHES: Final = 20_000  # moves of a game with all its variations, as in our own file
_AT_ONCE: Final = 1024  # sheets that are replayed together, after the first few
_FEW: Final = 64
_LONGEST_NAME: Final = 40  # as players have in config.json
_LONGEST_WORDS: Final = 200
_LONGEST_NOTE: Final = 10_000
_UNTOLD: Final = 2  # whose move it is, where nobody says so
_PASSES: Final = ("pass", "ps", "pa", "--", "-", "", "tt")
_BLANK: Final = Known()
_DATE: Final = re.compile(r"(\d{4})(?:[-./](\d\d?)[-./](\d\d?)(?:[T_ ]+(\d\d?):(\d\d)(?::(\d\d))?)?)?")
_LINE: Final = re.compile(r"[^\r\n]+")
_END_OF_LINE: Final = re.compile(r"[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")


class Source(Frozen):
    """What is to be read."""

    data: bytes
    spec: GameSpec  # the game of a text that names none
    path: Path | None = None

    @cached_property
    def text(self) -> str:
        """FileError where it is no text."""
        if self.data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return self.data.decode("utf-16", "replace")
        try:
            return self.data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            if b"\0" not in self.data:
                return self.data.decode("cp1252", "replace")
            line = self.data.count(b"\n", 0, error.start) + 1
            raise FileError("no_text", path=self.path, line=line, byte=self.data[error.start]) from None


class Branch(NamedTuple):
    """A move of a game with variations."""

    after: int  # the number of the move before it, from 1; 0: it is a first move
    move: Move
    note: str = ""
    color: Color | None = None  # who makes it, where that is said


class Branches:
    """The moves of a game with variations, and the notes on them, as a file tells them one after the other.

    The number of a move is its place among all moves, from 1; 0 stands for the start.
    """

    def __init__(self) -> None:
        self._before: list[int] = []  # the number of the move before each
        self._depths = [0]  # of the start and of all moves
        self._moves, self._colors = bytearray(), bytearray()
        self._notes: dict[int, str] = {}

    def add(self, after: int, moves: bytes, colors: bytes = b"") -> int:
        """Add moves that follow one another; the number of the last one. GameFileError where there are too many.

        Args:
            after: the number of the move before them.
            moves: at least one.
            colors: who makes each of them, where that is said.
        """
        last = len(self._before) + len(moves)
        if last > MOST_BRANCHES:
            raise GameFileError("too_many_moves", most=MOST_BRANCHES)
        self._before += (after, *range(len(self._before) + 1, last))
        depth = self._depths[after] + 1
        self._depths += range(depth, depth + len(moves))
        self._moves += moves
        self._colors += colors or bytes((_UNTOLD,)) * len(moves)
        return last

    def before(self, number: int) -> int:
        """The number of the move before another."""
        return self._before[number - 1] if number else 0

    def add_note(self, number: int, note: str) -> None:
        """Add to the note on a move, or on the start."""
        if note:
            self._notes[number] = joined(self._notes.get(number, ""), note)

    def depth(self, number: int) -> int:
        """How many moves lead to a move, that move included."""
        return self._depths[number]

    def told(self, rules: Rules[Position]) -> dict[str, Any]:
        """What a sheet is told of the moves: a mere line where there are no variations."""
        moves, colors, note = bytes(self._moves), bytes(self._colors), self._notes.pop(0, "")
        notes = [self._notes.get(number, "") for number in range(1, len(moves) + 1)] if self._notes else []
        if self._before == [*range(len(moves))]:
            known = bytes(color for move, color in zip(moves, colors, strict=True) if not rules.is_pass(move))
            details = [Detail(note=each) for each in notes]
            return {"moves": moves, "colors": b"" if _UNTOLD in known else known, "details": details, "note": note}
        sides = [None if color == _UNTOLD else Color(color) for color in colors]
        branches = [*map(Branch, self._before, moves, notes or [""] * len(moves), sides)]
        return {"branches": branches, "note": note}


def following(branches: Sequence[Branch]) -> list[list[int]]:
    """The numbers of the moves that come after each move, by its number; first those after the start."""
    found: list[list[int]] = [[] for _ in range(len(branches) + 1)]
    for number, branch in enumerate(branches, 1):
        found[branch.after].append(number)
    return found


class Detail(NamedTuple):
    """What is told of a move."""

    value: float | None = None  # discs that its player expects to win by
    seconds: float | None = None
    note: str = ""


class Sheet(Frozen):
    """One game."""

    rules: Rules[Position]
    moves: bytes = b""  # of the game, once it is replayed with all passes
    start: Position | None = None  # None: as the rules have it
    players: tuple[str, str] = ("", "")  # the names of black and white, empty where nobody knows
    date: str = ""  # 2016, 2016-05-03 or 2016-05-03T18:30:00
    event: str = ""
    result: Entry = field(default_factory=dict)  # as in our own file; empty where it is not told
    details: Sequence[Detail] = ()  # of every move, or of none
    colors: bytes = b""  # of the moves that are no passes, where the file tells them; else empty
    branches: Sequence[Branch] = ()  # all moves, where there are variations; those that were played come first
    note: str = ""  # on the start
    number: int = 1  # of the game in its file
    line: int = 0  # in which it begins, 0 where there are no lines
    file: GameFile | None = None  # all that is known, where that is more than the rest

    @property
    def begun(self) -> Position:
        """The position before the first move."""
        return self.rules.start() if self.start is None else self.start

    @classmethod
    def of(cls, file: GameFile, number: int = 1, line: int = 0) -> Sheet:
        """What others can be told of a game of ours."""
        game = file.tree.game
        black, white = file.players or ({}, {})
        return cls(
            game.rules,
            bytes(game.moves),
            start=None if game.positions[0] == game.rules.start() else game.positions[0],
            players=(_name_of(black), _name_of(white)),
            date=file.date,
            event=file.event,
            result=file.result,
            number=number,
            line=line,
            file=file,
        )

    @cached_property
    def opened(self) -> GameFile:
        """The game with its positions."""
        return self.file or self._with(self._straight())

    def _with(self, tree: GameTree[Known]) -> GameFile:
        named = [legible_name(name) for name in self.players]
        if named[0] and named[0] == named[1]:
            named[1] = f"{named[1][: _LONGEST_NAME - 2]} 2"
        entries = [{"player_type": "user"} | ({"name": name} if name else {}) for name in named]
        result = self.result
        if "fault" in result and tree.game.is_over:
            result = {key: value for key, value in result.items() if key != "fault"}
        players = (entries[0], entries[1]) if any(named) else None
        return GameFile(tree, players, self.date, result=result, event=self.event)

    def _straight(self) -> GameTree[Known]:
        game = Game.new(self.rules, self.start).after(self.moves)
        known = self._known()
        node = Node(known[-1])
        for move, each in zip(reversed(game.moves), reversed(known[:-1]), strict=True):
            node = Node(each, {move: node})
        return GameTree(game, game, node, Known())

    def _known(self) -> list[Known]:
        """What is known of every position."""
        known, used, side, note = [], [0.0, 0.0], self.begun.to_move, self.note
        has_times = any(detail.seconds is not None for detail in self.details)
        for move, detail in zip(self.moves, self.details or (Detail(),) * len(self.moves), strict=True):
            # Whatever counted the discs, our players that count them are called engine.
            report = None
            if detail.value is not None:
                report = SearchReport("engine", move, detail.value, (), Unit.EXPECTED, final=True)
            known.append(Known(note, (used[0], used[1]) if has_times else None, report=report))
            used[side] += detail.seconds or 0.0
            side, note = side.opponent, detail.note
        return [*known, Known(note, (used[0], used[1]) if has_times else None)]

    @cached_property
    def all_details(self) -> Sequence[Detail]:
        """Of every move of the game, whoever has told them."""
        if self.file is None:
            return self.details
        along, details = self.file.tree.along(self.file.tree.game), []
        for ply, (move, known) in enumerate(zip(self.moves, along, strict=False)):
            report, value, seconds = known.report, None, None
            if report is not None and report.move == move and report.unit in (Unit.EXPECTED, Unit.DISCS):
                value = report.value
            if known.used is not None and along[ply + 1].used is not None:
                after = along[ply + 1].used or known.used
                seconds = max(0.0, sum(after) - sum(known.used))
            details.append(Detail(value, seconds))
        return details

    @property
    def all_branches(self) -> tuple[str, list[Branch]]:
        """The note on the start, and every move of the game and of its variations with the note on it."""
        if self.file is None:
            first, notes = self.begun.to_move, [detail.note for detail in self.details] or [""] * len(self.moves)
            sides = [Color(first ^ ply & 1) for ply in range(len(self.moves))]
            return self.note, [*map(Branch, range(len(self.moves)), self.moves, notes, sides)]
        tree, branches = self.file.tree, []
        waiting: list[tuple[int, Color, Move, Node[Known], int]] = []

        def wait(node: Node[Known], number: int, color: Color, ply: int) -> None:
            played = tree.game.moves[ply : ply + 1] if ply >= 0 else ()
            moves = sorted(node.children, key=lambda move: move not in played)
            for move in reversed(moves):
                waiting.append((number, color, move, node.children[move], ply + 1 if move in played else -1))

        wait(tree.root, 0, tree.game.positions[0].to_move, 0)
        while waiting:
            after, color, move, node, ply = waiting.pop()
            branches.append(Branch(after, move, node.known.note, color))
            wait(node, len(branches), color.opponent, ply)
        return tree.root.known.note, branches

    @cached_property
    def features(self) -> set[str]:
        """What is told besides the rules, by the names of the texts in `lost`."""
        told = {"moves": self.moves, "date": self.date[4:], "event": self.event, "names": any(self.players)}
        found = {name for name, value in told.items() if value}
        if self.file is None:
            values, times, notes = zip(*self.details, strict=True) if self.details else ((), (), ())
            is_told = {"values": {*values} - {None}, "times": {*times} - {None}, "notes": {self.note, *notes} - {""}}
            return found | {name for name, told_values in is_told.items() if told_values}
        tree = self.file.tree
        usual = {"player_type", "name"}
        entries = self.file.players or ()
        is_set = any(entry.keys() - usual or entry.get("player_type") != "user" for entry in entries)
        found |= {"settings"} if is_set or self.file.seed is not None or self.file.opening_plies else set()
        found |= {"taken_back"} if tree.variations(tree.game) else set()  # the game seems to go on
        waiting, count = [tree.root], 0
        while waiting:
            node, count = waiting.pop(), count + 1
            known = node.known
            has_search = known.report is not None or bool(known.analyses)
            told = {"notes": known.note, "times": known.used, "searches": has_search}
            found |= {name for name, value in told.items() if value}
            waiting += node.children.values()
        return found | ({"variations"} if count > 1 + tree.game.ply else set())


Found: TypeAlias = Sheet | OthelloError


class Format:
    """Files of one kind."""

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = ()  # of files that are written; none where nothing is
    holds: ClassVar[frozenset[str]] = frozenset()  # which features of a sheet

    def knows(self, source: Source) -> bool:
        """Whether that is such a file."""
        raise NotImplementedError

    def written(self, source: Source) -> Iterator[Found]:
        """The games of such a file as they are written; the moves need not be legal yet."""
        raise NotImplementedError

    def read(self, source: Source) -> Iterator[Found]:
        """The games of such a file one after the other, and what is wrong with those that are none."""
        return replayed(self.written(source))

    def refusal(self, sheet: Sheet) -> Reason | None:
        """Why such a file cannot hold a game."""
        return None if plain_size(sheet.rules) else Reason("format_rules", {"format": self.name})

    def text_of(self, sheet: Sheet) -> str:
        """A game as such a file has it."""
        raise NotImplementedError

    def files(self, path: Path) -> tuple[Path, ...]:
        """All files that are written where one is."""
        return (path,)

    def save(self, path: Path, sheets: Iterable[Sheet]) -> None:
        """Write a file; OutputError where that fails."""
        write_bytes(path, "".join(map(self.text_of, sheets)).encode(errors="replace"))


def plain_size(rules: Rules[Position]) -> int:
    """The size of the board where the rules are those of Othello, wherever a game begins; else 0."""
    if rules.spec.game != DEFAULT_GAME or rules.spec["start"] == "reversi":
        return 0
    usual = dict(game_spec().options)
    is_plain = all(rules.spec[name] == usual[name] for name in ("no_legal_move", "goal"))
    return rules.spec.number("size") if is_plain else 0


@cache
def othello_of(size: int = 8) -> Rules[Position]:
    """Othello's rules on a board of so many rows; GameFileError where this program has none."""
    try:
        return rules_of(game_spec(DEFAULT_GAME, {"size": size}))
    except OthelloError:
        raise GameFileError("board_size", size=size) from None


@cache
def squares_of(size: int) -> Mapping[str, Move]:
    """The moves of Othello by all texts that stand for them, in lower case."""
    rules = othello_of(size)
    start, squares = rules.start(), range(size**2)
    named = {rules.move_text(start, square): square for square in squares}
    letters = {name[0] + chr(ord("a") + int(name[1]) - 1): square for name, square in named.items()}
    return named | letters | dict.fromkeys(_PASSES, rules.parse_move(start, "pass"))


def moves_of(texts: Sequence[str], rules: Rules[Position], before: int = 0) -> bytes:
    """Moves out of their texts in lower case; TranscriptError names the first that is none.

    `before`: how many moves come before them.
    """
    squares = squares_of(rules.columns)
    try:
        return bytes(map(squares.__getitem__, texts))
    except KeyError:
        place = next(place for place, text in enumerate(texts) if text not in squares)
        last = rules.move_text(rules.start(), rules.columns**2 - 1)
        reason = Reason("no_move_or_pass", {"text": texts[place], "first": "a1", "last": last})
        raise TranscriptError("at_move", number=before + place + 1, reason=reason) from None


# Replaying.


def replayed(sheets: Iterable[Found]) -> Iterator[Found]:
    """The sheets with all passes, or what is wrong with them."""
    waiting, count = iter(sheets), 1  # the first is wanted at once
    while batch := [*islice(waiting, count)]:
        count = min(_FEW * count, _AT_ONCE)
        groups: dict[int, list[Sheet]] = {}
        for each in batch:
            if isinstance(each, Sheet) and not each.branches and each.file is None:
                groups.setdefault(id(each.rules), []).append(each)
        played: dict[int, bytes | None] = {}
        for group in groups.values():
            found = group[0].rules.all_replayed([(each.begun, each.moves) for each in group])
            played |= zip(map(id, group), found, strict=True)
        for each in batch:
            yield _checked(each, played[id(each)]) if id(each) in played else _branched(each)


def _checked(found: Found, moves: bytes | None) -> Found:
    assert isinstance(found, Sheet)
    sheet = found
    if moves is None:
        return in_game(sheet, _first_fault(sheet))
    if sheet.colors:
        first, told = sheet.begun.to_move, iter(sheet.colors)
        for ply, move in enumerate(moves):
            if not sheet.rules.is_pass(move) and next(told) != (first ^ ply & 1):
                return in_game(sheet, wrong_side(Game.new(sheet.rules, sheet.start).after(moves[:ply]), move, ply + 1))
    return sheet if moves == sheet.moves else replace(sheet, moves=moves, details=_aligned(sheet, moves))


def _aligned(sheet: Sheet, moves: bytes) -> Sequence[Detail]:
    """A detail for every move, the passes that nobody has written included."""
    if not sheet.details:
        return ()
    told, next_told = sheet.details, 0
    details = []
    for move in moves:
        is_told = next_told < len(told) and sheet.moves[next_told] == move
        details.append(told[next_told] if is_told else Detail())
        next_told += is_told
    return details


def _first_fault(sheet: Sheet) -> OthelloError:
    """What is wrong with the first move that is not legal."""
    game = Game.new(sheet.rules, sheet.start)
    for number, move in enumerate(sheet.moves, 1):
        if not sheet.rules.is_pass(move):
            game = forced_passes(game)
        if move not in game.legal_moves():
            return not_legal(game, sheet.rules.move_text(game.position, move), number)
        game = game.play(move)
    raise AssertionError("all moves are legal")


def wrong_side(game: AnyGame, move: Move, number: int) -> OthelloError:
    """What is wrong with a move of the side that is not to move."""
    return TranscriptError(f"turn_of_{game.to_move.label}", number=number, move=game.text_of(move))


def _branched(found: Found) -> Found:
    """The sheet with the tree that its branches make."""
    if not isinstance(found, Sheet) or found.file is not None:
        return found
    try:
        tree = _tree(found)
    except OthelloError as error:
        return in_game(found, error)
    game = tree.game
    sheet = replace(found, moves=bytes(game.moves), branches=(), note="")
    return replace(sheet, file=sheet._with(tree))


class _Grown:
    """A position of a tree that is being made."""

    def __init__(self, game: AnyGame, note: str, number: int) -> None:
        self.game, self.note, self.number = game, note, number
        self.children: dict[Move, _Grown] = {}

    def grow(self, move: Move, note: str, number: int) -> _Grown:
        """The position after a move, which may have been tried before."""
        child = self.children.get(move)
        if child is None:
            child = self.children[move] = _Grown(self.game.play(move), note, number)
        elif note not in child.note:
            child.note = joined(child.note, note)
        return child

    def passed(self, number: int) -> _Grown:
        return self.grow(self.game.legal_moves()[0], "", number) if self.game.must_pass else self


def _tree(sheet: Sheet) -> GameTree[Known]:
    if len(sheet.branches) > MOST_BRANCHES:
        raise GameFileError("too_many_moves", most=MOST_BRANCHES)
    root = _Grown(Game.new(sheet.rules, sheet.start), sheet.note, 0)
    grown = [root]
    for branch in sheet.branches:
        before = grown[branch.after]
        number = before.number + 1
        if not sheet.rules.is_pass(branch.move):
            before = before.passed(before.number)
        game = before.game
        if branch.move not in game.legal_moves():
            raise not_legal(game, sheet.rules.move_text(game.position, branch.move), number)
        if branch.color not in (None, game.to_move):
            raise wrong_side(game, branch.move, number)
        grown.append(before.grow(branch.move, branch.note, number))
    last = root
    while last.children:
        last = next(iter(last.children.values()))
    last = last.passed(0)
    return GameTree(last.game, last.game, _node(root), Known())


def _node(grown: _Grown) -> Node[Known]:
    """No game is so long that this went too deep."""
    known = Known(note=grown.note) if grown.note else _BLANK
    return Node(known, {move: _node(child) for move, child in grown.children.items()})


def in_game(sheet: Sheet, error: OthelloError) -> GameFileError:
    """What is wrong with a game of a file, with its place."""
    return fault_at(sheet.number, sheet.line, error)


def fault_at(number: int, line: int, error: OthelloError) -> GameFileError:
    """The same where there is no sheet."""
    return GameFileError("in_lines" if line else "in_game", number=number, line=line, reason=error.reason)


# What people and programs have written.


def counted_lines(text: str) -> Callable[[int], int]:
    """The number of the line of a place; the places must come in order."""
    before, line = 0, 1

    def line_at(place: int) -> int:
        nonlocal before, line
        line += text.count("\n", before, place)
        before = place
        return line

    return line_at


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """The lines with something in them, with their numbers."""
    line_at = counted_lines(text)
    for found in _LINE.finditer(text):
        if words := found[0].strip():
            yield line_at(found.start()), words


def date_of(text: str) -> str:
    """A date as sheets have it, however it is written; empty where that is none."""
    found = _DATE.search(text)
    if found is None:
        return ""
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups())
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return f"{year:04}"
    date = f"{year:04}-{month:02}-{day:02}"
    is_timed = found[4] is not None and max(hour - 23, minute - 59, second - 59) <= 0
    return f"{date}T{hour:02}:{minute:02}:{second:02}" if is_timed else date


def words_of(text: str) -> str:
    """A name or the like as others have written it, in one line that can be shown."""
    return _legible(" ".join(text.split()))[:_LONGEST_WORDS].strip()


def legible_name(text: str) -> str:
    """A player's name as config.json may have it."""
    return words_of(text)[:_LONGEST_NAME].strip()


def noted(text: str) -> str:
    """A note in one line, as far as our own file holds it."""
    return _legible(_END_OF_LINE.sub(" ", text))[:_LONGEST_NOTE]


def _legible(text: str) -> str:
    return text if is_legible(text) else "".join(filter(is_legible, text))


def joined(note: str, more: str) -> str:
    """Two notes in one, as far as our own file holds them."""
    return note if len(note) >= _LONGEST_NOTE else f"{note} {more}".strip()[:_LONGEST_NOTE]


def _name_of(entry: Entry) -> str:
    kind = entry.get("player_type", "user")
    return str(entry.get("name") or ("" if kind == "user" else kind))


def result_of(difference: int, fault: str = "") -> Entry:
    """A result by black's discs minus white's, which say no more than who has won where there is a fault."""
    winner = "black" if difference > 0 else "white" if difference else "draw"
    if fault:
        return {"winner": winner, "fault": fault}
    return {"winner": winner, "black": (64 + difference) // 2, "white": (64 - difference) // 2}


def difference_of(sheet: Sheet) -> int | None:
    """The inverse of `result_of`, None while nothing is decided."""
    result, outcome = sheet.result, None
    if sheet.file is not None:
        outcome = sheet.file.tree.game.outcome
    elif "winner" not in result:
        position = sheet.begun
        for move in sheet.moves:
            position = sheet.rules.play(position, move)
        outcome = sheet.rules.outcome(position)
    if outcome is not None:
        black, white = outcome.counted
        return black - white
    if "winner" not in result:
        return None
    least = abs(int(result.get("black", 0)) - int(result.get("white", 0))) or 1
    return {"black": least, "white": -least}.get(result["winner"], 0)
