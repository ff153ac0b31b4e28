"""A game as parsed from a file: the moves, optionally with variations, and the data of game and moves.

A parsed game is small. The tree of positions is only built when the game is opened.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from functools import cached_property
from itertools import cycle, repeat
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from othello.errors import GameFileError, OthelloError, TranscriptError
from othello.frozen_dataclass import FrozenDataclass
from othello.game import AnyGame, Game, GameTree, Node
from othello.records.formats.normalise import LONGEST_NAME, joined, legible_name, words_of
from othello.records.game_file import Entry, GameFile, PositionData
from othello.records.transcript import not_legal
from othello.rules.protocol import Color, Move, Position, Rules
from othello.search.report import SearchReport, Unit

T = TypeVar("T")
MAX_BRANCHES: Final = 20_000  # moves of a game with all variations
_BLANK: Final = PositionData()
_TAGS: Final = re.compile(r"(?:[A-Z]{1,9}\[[^\][]*\] ?)+")  # GGF tags in the note on the start position
UNKNOWN_COLOR: Final = 2  # colour of a move if the file does not give one


class VariationMove(NamedTuple):
    """A move of a game with variations."""

    after: int  # number of the previous move, from 1; 0 for the first move
    move: Move
    note: str = ""
    color: Color | None = None  # as written in the file


class VariationTree:
    """Collects the moves of a game with variations in the order of the file.

    Moves are numbered from 1 in that order; 0 is the start.
    """

    def __init__(self) -> None:
        self._before: list[int] = []  # number of the move before each
        self.depths = [0]  # the number of moves up to the start, and up to and including each move
        self._moves, self._colors = list[Move](), bytearray()
        self._notes: dict[int, str] = {}

    def add(self, after: int, moves: Sequence[Move], colors: bytes = b"") -> int:
        """Add consecutive moves, and return the number of the last one.

        Args:
            after: the number of the move before them.
            moves: at least one move.
            colors: the colours of the moves as written; empty if the file has none.

        Raises:
            GameFileError: the game has too many moves.
        """
        last = len(self._before) + len(moves)
        if last > MAX_BRANCHES:
            raise GameFileError("too_many_moves", maximum=MAX_BRANCHES)
        self._before += (after, *range(len(self._before) + 1, last))
        depth = self.depths[after] + 1
        self.depths += range(depth, depth + len(moves))
        self._moves += moves
        self._colors += colors or bytes((UNKNOWN_COLOR,)) * len(moves)
        return last

    def before(self, number: int) -> int:
        """Return the number of the previous move, 0 for the start."""
        return self._before[number - 1] if number else 0

    def add_note(self, number: int, note: str) -> None:
        """Append to the note on a move, or on the start."""
        if note:
            self._notes[number] = joined(self._notes.get(number, ""), note)

    def to_fields(self, rules: Rules[Position]) -> dict[str, Any]:
        """Return the moves as fields of a `ParsedGame`: a single line, or branches if there are variations."""
        moves, colors, note = tuple(self._moves), bytes(self._colors), self._notes.pop(0, "")
        notes = [self._notes.get(number, "") for number in range(1, len(moves) + 1)] if self._notes else []
        if self._before == [*range(len(moves))]:
            known = bytes(color for move, color in zip(moves, colors, strict=True) if not rules.is_pass(move))
            colors = b"" if UNKNOWN_COLOR in known else known
            return {"moves": moves, "colors": colors, "details": [*map(searched, notes)], "note": note}
        sides = [None if color == UNKNOWN_COLOR else Color(color) for color in colors]
        branches = [*map(VariationMove, self._before, moves, notes or [""] * len(moves), sides)]
        return {"branches": branches, "note": note}


def following(branches: Sequence[VariationMove]) -> list[list[int]]:
    """Return for the start and every move the numbers of the moves that follow."""
    children: list[list[int]] = [[] for _ in range(len(branches) + 1)]
    for number, branch in enumerate(branches, 1):
        children[branch.after].append(number)
    return children


class MoveInfo(NamedTuple):
    """Data of a move."""

    value: float | None = None  # expected disc lead for the player
    seconds: float | None = None
    note: str = ""
    depth: int = 0  # plies of the search


_SEARCHED: Final = re.compile(r"(?:([-+]\d{1,4}\.\d\d)(?:/(\d{1,9}))?)?(?:(?:(?<=\d) |^)(\d{1,9}\.\d\d\d)s)?(?: |$)")


def searched(note: str) -> MoveInfo:
    """Parse value, depth and seconds at the beginning of a note, as `search_words` formats them."""
    match = _SEARCHED.match(note) if note else None
    if match is None or not any(match.groups()):
        return MoveInfo(note=note)
    value, depth, seconds = match.groups()
    rest = note[match.end() :]
    return MoveInfo(float(value) if value else None, float(seconds) if seconds else None, rest, int(depth or 0))


def search_words(detail: MoveInfo) -> str:
    """Return value, depth and seconds of a move as chess programs write them: +3.20/12 0.034s."""
    value = "" if detail.value is None else f"{detail.value:+.2f}" + (f"/{detail.depth}" if detail.depth else "")
    return f"{value} {'' if detail.seconds is None else f'{detail.seconds:.3f}s'}".strip()


class ParsedGame(FrozenDataclass):
    """One parsed game."""

    rules: Rules[Position]
    moves: Sequence[Move] = ()  # without passes that were not written, until the game is replayed
    start: Position | None = None  # None: the usual start
    players: tuple[str, str] = ("", "")  # names of black and white; empty if unknown
    date: str = ""  # 2016, 2016-05-03 or 2016-05-03T18:30:00
    event: str = ""
    result: Entry = field(default_factory=dict)  # as in `GameFile`; empty if unknown
    details: Sequence[MoveInfo] = ()  # of every move, or empty
    colors: bytes = b""  # as written, of all moves except passes; empty if the file has none
    branches: Sequence[VariationMove] = ()  # all moves if there are variations; the game's own moves come first
    note: str = ""  # on the start position
    number: int = 1  # of the game in its file, from 1
    line: int = 0  # first line of the game; 0 if the file has no lines
    whole: GameFile | None = None  # the complete game, if it was parsed at once

    @property
    def begun(self) -> Position:
        """The start position."""
        return self.rules.start() if self.start is None else self.start

    @classmethod
    def of(cls, file: GameFile, number: int = 1, line: int = 0) -> ParsedGame:
        """Convert a game of our own."""
        game = file.tree.game
        names = file.names or [_name_of(entry) for entry in file.players or ({}, {})]
        return cls(
            game.rules,
            game.moves,
            start=None if game.positions[0] == game.rules.start() else game.positions[0],
            players=(words_of(names[0]), words_of(names[1])),
            date=file.date,
            event=file.event,
            result=file.result,
            number=number,
            line=line,
            whole=file,
        )

    @cached_property
    def file(self) -> GameFile | None:
        """The complete game if it has more data than the other fields; variations are expanded on first access."""
        return self.whole or (self.to_game_file(tree_of(self)) if self.branches else None)

    @cached_property
    def opened(self) -> GameFile:
        """The game with all positions."""
        return self.file or self.to_game_file(self._single_line())

    def to_game_file(self, tree: GameTree[PositionData]) -> GameFile:
        """Return a tree as a `GameFile` with the data of this game."""
        named = [legible_name(name) for name in self.players]
        if named[0] and named[0] == named[1]:
            named[1] = f"{named[1][: LONGEST_NAME - 2]} 2"
        entries = [{"player_type": "user"} | ({"name": name} if name else {}) for name in named]
        result = self.result
        if "fault" in result and tree.game.is_over:
            result = {key: value for key, value in result.items() if key != "fault"}
        players = (entries[0], entries[1]) if any(named) else None
        return GameFile(tree, players, self.date, result=result, event=self.event)

    def _single_line(self) -> GameTree[PositionData]:
        game = Game.new(self.rules, self.start).after(self.moves)
        known = self._position_data()
        node = Node(known[-1])
        for move, data in zip(reversed(game.moves), reversed(known[:-1]), strict=True):
            node = Node(data, {move: node})
        return GameTree(game, game, node, PositionData())

    def _position_data(self) -> list[PositionData]:
        """Return the data of every position."""
        known, used, side, note = [], [0.0, 0.0], self.begun.to_move, self.note
        has_times = any(detail.seconds is not None for detail in self.details)
        for move, detail in zip(self.moves, self.details or (MoveInfo(),) * len(self.moves), strict=True):
            # our players that count discs are called "engine", whatever program it was
            report = None
            if detail.value is not None:
                report = SearchReport("engine", move, detail.value, (), Unit.EXPECTED, depth=detail.depth, final=True)
            known.append(PositionData(note, (used[0], used[1]) if has_times else None, report=report))
            used[side] += detail.seconds or 0.0
            side, note = side.opponent, detail.note
        return [*known, PositionData(note, (used[0], used[1]) if has_times else None)]

    @cached_property
    def all_details(self) -> Sequence[MoveInfo]:
        """Details of every move, from whichever field has them."""
        if self.file is None:
            return self.details
        along, details = self.file.tree.along(self.file.tree.game), []
        for ply, (move, known) in enumerate(zip(self.moves, along, strict=False)):
            report, value, seconds = known.report, None, None
            if report is not None and report.move == move and report.unit in (Unit.EXPECTED, Unit.DISCS):
                value = report.value
            after = along[ply + 1].used
            if known.used is not None and after is not None:
                seconds = max(0.0, sum(after) - sum(known.used))
            details.append(MoveInfo(value, seconds, depth=0 if value is None or report is None else report.depth))
        return details

    @property
    def all_branches(self) -> tuple[str, list[VariationMove]]:
        """The note on the start, and all moves of the game and its variations."""
        if self.file is None:
            first, count = self.begun.to_move, len(self.moves)
            notes = [detail.note for detail in self.details] or repeat("", count)
            return self.note, [*map(VariationMove, range(count), self.moves, notes, cycle((first, first.opponent)))]
        tree, branches = self.file.tree, list[VariationMove]()

        def add_after(node: Node[PositionData], number: int, color: Color, played: tuple[Move, ...]) -> None:
            for move in sorted(node.children, key=lambda move: move not in played[:1]):
                child = node.children[move]
                branches.append(VariationMove(number, move, child.known.note, color))
                add_after(child, len(branches), color.opponent, played[1:] if move in played[:1] else ())

        add_after(tree.root, 0, tree.game.positions[0].to_move, tree.game.moves)
        return tree.root.known.note, branches

    @cached_property
    def difference(self) -> int | None:
        """Black's lead in discs, at least 1 for a win; None if the game is undecided."""
        result, outcome = self.result, None
        if self.whole is not None:
            outcome = self.whole.tree.game.outcome
        elif "winner" not in result:
            outcome = self.rules.outcome(self.end)
        if outcome is not None:
            black, white = outcome.counted
            return black - white
        if "winner" not in result:
            return None
        difference = abs(int(result.get("black", 0)) - int(result.get("white", 0))) or 1
        return {"black": difference, "white": -difference}.get(result["winner"], 0)

    @cached_property
    def end(self) -> Position:
        """The last position."""
        return self.rules.all_ended([(self.begun, self.moves)])[0]

    @property
    def start_note(self) -> str:
        return self.note if self.file is None else self.file.tree.root.known.note

    @cached_property
    def features(self) -> set[str]:
        """The kinds of data in the game, such as "moves" and "tags"; the texts `lost.NAME` name them."""
        in_headers = {"moves": self.moves, "date": self.date[4:], "event": self.event, "names": any(self.players)}
        features = {name for name, value in in_headers.items() if value}
        has_tags = _TAGS.fullmatch(self.start_note) is not None
        features |= {"tags"} if has_tags else set()
        note = () if has_tags else (self.start_note,)
        if self.file is None:
            values, times, notes, _ = zip(*self.details, strict=True) if self.details else ((), (), (), ())
            lists = {"values": {*values} - {None}, "times": {*times} - {None}, "notes": {*notes, *note} - {""}}
            return features | {name for name, items in lists.items() if items}
        return features | _features_of(self.file, any(note))


def _features_of(file: GameFile, has_note: bool) -> set[str]:
    """Return the features that only a complete game can have."""
    tree, usual = file.tree, {"player_type", "name"}
    is_set = any(entry.keys() - usual or entry.get("player_type") != "user" for entry in file.players or ())
    positions = [node.known for node in tree.root.walk()]
    features = {
        "settings": is_set or file.opening_plies,
        "taken_back": tree.variations(tree.game),  # the game is not finished
        "notes": has_note or any(known.note for known in positions[1:]),
        "times": any(known.used for known in positions),
        "searches": any(known.report or known.analyses for known in positions),
        "variations": len(positions) > 1 + tree.game.ply,
    }
    return {name for name, is_there in features.items() if is_there}


FileItem: TypeAlias = ParsedGame | OthelloError  # a game of a file, or the error of an invalid one


def in_game(parsed: ParsedGame, error: OthelloError) -> GameFileError:
    """Return an error with the place of a game in its file."""
    return fault_at(parsed.number, parsed.line, error)


def fault_at(number: int, line: int, error: OthelloError) -> GameFileError:
    """Return an error with its place: the number of the game in its file, and the line, 0 for none."""
    return GameFileError("in_lines" if line else "in_game", number=number, line=line, reason=error.reason)


def parse_each(items: Iterable[tuple[int, T]], parse: Callable[[T, int, int], ParsedGame]) -> Iterator[FileItem]:
    """Parse the items of a file, given with their lines, and yield an error for each that is no game.

    Args:
        items: the line of each item, 0 if the file has no lines, and the item.
        parse: is called with an item, its number in the file from 1, and its line.
    """
    for number, (line, item) in enumerate(items, 1):
        try:
            yield parse(item, number, line)
        except OthelloError as error:
            yield fault_at(number, line, error)


def _name_of(entry: Entry) -> str:
    kind = entry.get("player_type", "user")
    return str(entry.get("name") or entry.get("program") or ("" if kind == "user" else kind))


def result_of(difference: int, fault: str = "", size: int = 8) -> Entry:
    """Return the result for a disc lead of black.

    Args:
        difference: black's discs minus white's.
        fault: why the game ended early; the result then has the winner only.
        size: of the board.
    """
    winner = "black" if difference > 0 else "white" if difference else "draw"
    if fault:
        return {"winner": winner, "fault": fault}
    return {"winner": winner, "black": (size**2 + difference) // 2, "white": (size**2 - difference) // 2}


def wrong_side(game: AnyGame, move: Move, number: int) -> OthelloError:
    """Return the error for a move of the side that is not to move."""
    return TranscriptError(f"turn_of_{game.to_move.label}", number=number, move=game.text_of(move))


class _VariationTreeBuilder:
    """A position of a tree under construction."""

    def __init__(self, game: AnyGame, note: str, number: int) -> None:
        self.game, self.note, self.number = game, note, number
        self.children: dict[Move, _VariationTreeBuilder] = {}

    def grow(self, move: Move, note: str, number: int) -> _VariationTreeBuilder:
        """Return the position after a move, which may already exist."""
        child = self.children.get(move)
        if child is None:
            child = self.children[move] = _VariationTreeBuilder(self.game.play(move), note, number)
        elif note not in child.note:
            child.note = joined(child.note, note)
        return child

    def passed(self, number: int) -> _VariationTreeBuilder:
        return self.grow(self.game.legal_moves()[0], "", number) if self.game.must_pass else self


def tree_of(parsed: ParsedGame) -> GameTree[PositionData]:
    """Return the game with its variations. A variation becomes a note from its first illegal move on.

    Raises:
        TranscriptError: a move of the game itself is illegal.
    """
    root = _VariationTreeBuilder(Game.new(parsed.rules, parsed.start), parsed.note, 0)
    grown, dropped, last_played = [root], set[int](), 0
    for index, branch in enumerate(parsed.branches, 1):
        before = written = grown[branch.after]
        is_played, number = branch.after == last_played, before.number + 1
        last_played = index if is_played else last_played
        if not parsed.rules.is_pass(branch.move):
            before = before.passed(before.number)
        game, text = before.game, parsed.rules.move_text(before.game.position, branch.move)
        is_legal = branch.move in game.legal_moves()
        if is_legal and branch.color in (None, game.to_move) and branch.after not in dropped:
            grown.append(before.grow(branch.move, branch.note, number))
        elif is_played:
            raise wrong_side(game, branch.move, number) if is_legal else not_legal(game, text, number)
        else:
            dropped.add(index)
            written.note = joined(written.note, joined(f"({text})", branch.note))
            grown.append(written)
    last = root
    while last.children:
        last = next(iter(last.children.values()))
    last = last.passed(0)
    return GameTree(last.game, last.game, _node(root), PositionData())


def _node(grown: _VariationTreeBuilder) -> Node[PositionData]:
    """Return a position as a node. The recursion is limited by the length of a game."""
    known = PositionData(note=grown.note) if grown.note else _BLANK
    return Node(known, {move: _node(child) for move, child in grown.children.items()})
