"""The program's own file format for a game: moves, variations and the analysis of every position.

A file is JSON; `assets/game-schema.json` is its schema. The moves are a list in which an entry names its predecessor.
Nesting therefore does not grow with the length of a game.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

import othello
from othello.errors import GameFileError, OthelloError, errors_as, printable
from othello.frozen_dataclass import FrozenDataclass
from othello.game import AnyGame, Game, GameTree, Node
from othello.records.transcript import play_text
from othello.resources import schema_of
from othello.rules.protocol import Color, GameSpec, Move, Position, Rules
from othello.rules.registry import game_spec, rules_of, unusual_options
from othello.schema import check
from othello.search.report import MoveStats, SearchReport, Unit
from othello.strict_json import join, parse

FORMAT: Final = "othello-lab game"
VERSION: Final = 1
MAX_BYTES: Final = 1 << 24
SUFFIX: Final = ".othello.json"
_COUNTS: Final = ("simulations", "nodes", "depth")  # optional numbers of a stored search

Entry: TypeAlias = Mapping[str, Any]  # a JSON object of the document


class PositionData(FrozenDataclass):
    """The stored data of a position."""

    note: str = ""
    # seconds that black and white had used at the start of the turn; None if the position was not played
    used: tuple[float, float] | None = None
    gained: tuple[float, float] = (0.0, 0.0)  # increments of black and white in seconds
    report: SearchReport | None = None  # search of the player to move
    # analyses on request: the analysing player's entry as in config.json, and the search
    analyses: tuple[tuple[Entry, SearchReport], ...] = ()


class GameFile(FrozenDataclass):
    """The content of a game file."""

    tree: GameTree[PositionData]  # all moves played and tried
    players: tuple[Entry, Entry] | None = None  # black and white, as in config.json; None if unknown
    date: str = ""  # start of the game, such as 2026-01-31T18:30:00, or as much of that as is known
    seed: int | None = None  # of the game; None if it had none
    opening_plies: int = 0  # moves that were set for the players
    result: Entry = field(default_factory=dict)  # as in the document; empty while the game goes on
    event: str = ""  # tournament or place
    names: tuple[str, str] | None = None  # black and white as shown in the window; None: derive them from `players`

    @property
    def rules(self) -> Rules[Position]:
        return self.tree.game.rules


# Writing.


def format_game(file: GameFile) -> str:
    """Return a game as the text of a file, with one line per move."""
    document = document_of(file)
    moves = ",\n    ".join(json.dumps(entry, ensure_ascii=False) for entry in document.pop("moves"))
    text = json.dumps(document, indent=2, ensure_ascii=False)
    return text[:-2] + ',\n  "moves": [' + (f"\n    {moves}\n  " if moves else "") + "]\n}\n"


def document_of(file: GameFile) -> dict[str, Any]:
    """Return a game as the JSON document of a file."""
    game, rules = file.tree.game, file.rules
    spec = rules.spec
    options = unusual(spec)
    document: dict[str, Any] = {"format": FORMAT, "version": VERSION, "program": othello.__version__}
    document |= {"date": file.date} if file.date else {}
    document |= {"event": file.event} if file.event else {}
    document |= {"game": spec.game} | ({"rules": options} if options else {})
    if game.positions[0] != rules.start():
        document["start"] = rules.format_position(game.positions[0])
    for name, sides in (("players", file.players), ("names", file.names)):
        document |= {} if sides is None else {name: {"black": sides[0], "white": sides[1]}}
    settings = {"opening_plies": file.opening_plies} if file.opening_plies else {}
    settings |= {} if file.seed is None else {"seed": file.seed}
    document |= {"settings": settings} if settings else {}
    document |= {"result": file.result} if file.result else {}
    entries, numbers = _entries(file.tree)
    document |= {"played": numbers[game.moves], "line": numbers[file.tree.line.moves]}
    known = _data_entry(file.tree.root.known, game.at(0))
    document |= {"start_position": known} if known else {}
    return document | {"moves": entries}


def unusual(spec: GameSpec) -> dict[str, Any]:
    """Return the options of a game that differ from the defaults."""
    return {name: spec[name] for name in (word.partition("=")[0] for word in unusual_options(spec).split())}


def _entries(tree: GameTree[PositionData]) -> tuple[list[dict[str, Any]], dict[tuple[Move, ...], int]]:
    """Return an entry for every move of the tree, and the number of the last entry of every line."""
    entries: list[dict[str, Any]] = []
    numbers: dict[tuple[Move, ...], int] = {(): 0}

    def add_after(node: Node[PositionData], line: tuple[Move, ...], game: AnyGame) -> None:
        for move, child in node.children.items():
            entry: dict[str, Any] = {"move": game.text_of(move)}
            entry |= {} if numbers[line] == len(entries) else {"after": numbers[line]}
            next_game = Game.new(game.rules, game.rules.play(game.position, move))
            known = _data_entry(child.known, next_game)
            entries.append(entry | ({"known": known} if known else {}))
            numbers[*line, move] = len(entries)
            add_after(child, (*line, move), next_game)

    add_after(tree.root, (), tree.game.at(0))
    return entries, numbers


def _data_entry(known: PositionData, game: AnyGame) -> dict[str, Any]:
    entry: dict[str, Any] = {"note": known.note} if known.note else {}
    if known.used is not None:
        entry["used"] = [round(seconds, 3) for seconds in known.used]
        entry |= {"gained": [round(seconds, 3) for seconds in known.gained]} if any(known.gained) else {}
    if known.report is not None:
        entry["search"] = _search_entry(known.report, game)
    if known.analyses:
        entry["analyses"] = [{"player": name, "search": _search_entry(search, game)} for name, search in known.analyses]
    return entry


# Reading.


def parse_game(text: str) -> GameFile:
    """Parse the text of a game file; the inverse of `format_game`.

    Raises:
        GameFileError: the text is not a game file, or its content is invalid.
    """
    try:
        return game_of(json_of(text))
    except OthelloError as error:
        raise GameFileError(error.reason) from None


def json_of(text: str) -> Any:
    """Parse a text as JSON; raise an OthelloError if it is invalid or too long."""
    if len(text) > MAX_BYTES:
        raise GameFileError("too_long", count=len(text))
    return parse(text)


def game_of(document: Any) -> GameFile:
    """Return the game in a JSON document; the inverse of `document_of`.

    Raises:
        OthelloError: the content of the document is invalid.
    """
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise GameFileError("foreign_format", format=json.dumps(FORMAT))
    version = document.get("version")
    if isinstance(version, int) and version > VERSION:
        raise GameFileError("newer", version=version, known=VERSION)
    check(document, schema_of("game"), GameFileError)
    rules = rules_of(game_spec(document["game"], document.get("rules", {})))
    start = rules.start()
    if "start" in document:
        with errors_as(GameFileError, "at_place", place="start"):
            start = rules.parse_position(document["start"])
    players = document.get("players")
    names = document.get("names")
    settings = document.get("settings", {})
    return GameFile(
        tree=_parse_tree(document, Game.new(rules, start)),
        players=None if players is None else (players["black"], players["white"]),
        names=None if names is None else (names["black"], names["white"]),
        date=document.get("date", ""),
        seed=settings.get("seed"),
        opening_plies=settings.get("opening_plies", 0),
        result=document.get("result", {}),
        event=document.get("event", ""),
    )


def _parse_tree(document: Entry, start: AnyGame) -> GameTree[PositionData]:
    children: list[dict[Move, Node[PositionData]]] = [{}]
    root = Node(_parse_data(document.get("start_position", {}), start, "start_position"), children[0])
    games = [start]
    first_line = 0
    for number, entry in enumerate(document["moves"], 1):
        after = entry.get("after", number - 1)
        if after >= number:
            raise GameFileError("tree_after", place=join("moves", number - 1), after=after)
        game = play_text(games[after], entry["move"])
        move = game.moves[-1]
        if move in children[after]:
            raise GameFileError("move_twice", number=game.ply, move=entry["move"], after=after)
        children.append({})
        children[after][move] = Node(_parse_data(entry.get("known", {}), game, join("moves", number - 1)), children[-1])
        games.append(game)
        first_line += first_line == after == number - 1
    played = document.get("played", first_line)
    line = document.get("line", played)
    for name, number in (("played", played), ("line", line)):
        if number >= len(games):
            raise GameFileError("tree_ply", place=name, number=number, maximum=len(games) - 1)
    if games[line].moves[: games[played].ply] != games[played].moves:
        raise GameFileError("tree_line", line=line, played=played)
    return GameTree(games[played], games[line], root, PositionData())


def _parse_data(entry: Entry, game: AnyGame, place: str) -> PositionData:
    return PositionData(
        note=entry.get("note", ""),
        used=_pair(entry["used"]) if "used" in entry else None,
        gained=_pair(entry.get("gained", (0, 0))),
        report=_parse_search(entry["search"], game, f"{place}.search") if "search" in entry else None,
        analyses=tuple(
            (analysis["player"], _parse_search(analysis["search"], game, f"{place}.analyses"))
            for analysis in entry.get("analyses", ())
        ),
    )


def _pair(seconds: Sequence[float]) -> tuple[float, float]:
    return float(seconds[0]), float(seconds[1])


# Searches.


def _search_entry(report: SearchReport, game: AnyGame) -> dict[str, Any]:
    text = game.text_of
    entry: dict[str, Any] = {"player": report.player, "move": text(report.move), "unit": report.unit.value}
    entry |= {} if report.value is None else {"value": _rounded(report.value)}
    entry["moves"] = [[text(stats.move), stats.visits, _rounded(stats.value), stats.exact] for stats in report.moves]
    entry |= {name: getattr(report, name) for name in _COUNTS if getattr(report, name)}
    entry |= {"source": "book"} if report.from_book else {}
    entry |= {"line": game.texts_of(report.pv)} if report.pv else {}
    return entry | {"seconds": round(report.seconds, 3), "final": report.final}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 5)


def _parse_search(entry: Entry, game: AnyGame, place: str) -> SearchReport:
    """Return the search in an entry; the inverse of `_search_entry`.

    Raises:
        GameFileError: a move is not legal in this position. The window could not draw it.
    """
    legal = {game.text_of(move): move for move in game.legal_moves()}
    if entry["move"] not in legal:
        raise GameFileError("search_move", place=place, move=entry["move"], legal=", ".join(legal))
    moves = []
    for text, visits, value, is_exact in entry.get("moves", ()):
        is_number = value is None or (isinstance(value, int | float) and not isinstance(value, bool))
        if not (is_number and type(visits) is int and visits >= 0 and type(is_exact) is bool):
            raise GameFileError("search_moves", place=place)
        if not isinstance(text, str) or text not in legal:
            raise GameFileError("search_move", place=place, move=text, legal=", ".join(legal))
        moves.append(MoveStats(legal[text], visits, None if value is None else float(value), is_exact))
    return SearchReport(
        player=entry["player"],
        move=legal[entry["move"]],
        value=float(entry["value"]) if "value" in entry else None,
        moves=tuple(sorted(moves, key=lambda stats: stats.move)),
        unit=Unit(entry["unit"]),
        **{name: entry.get(name, 0) for name in _COUNTS},
        pv=_parse_line(entry.get("line", ()), game, place),
        seconds=float(entry.get("seconds", 0.0)),
        final=entry.get("final", False),
        from_book=entry.get("source") == "book",
    )


def _parse_line(texts: Sequence[str], game: AnyGame, place: str) -> tuple[Move, ...]:
    line = game
    with errors_as(GameFileError, "at_place", place=f"{place}.line"):
        for text in texts:
            line = play_text(line, text)
    return line.moves[game.ply :]


class GameHeaders(NamedTuple):
    """The headers of a game, for lists of games."""

    date: str = ""
    game: str = ""
    players: tuple[Entry, Entry] = ({}, {})
    result: Entry = MappingProxyType({})
    rules: Entry = MappingProxyType({})
    counts: bool = True

    @property
    def headers_json(self) -> str:
        headers = self.date, self.game, self.players, {**self.result}, {**self.rules}, self.counts
        return json.dumps(headers, ensure_ascii=False).encode(errors="replace").decode()


class GameListEntry(FrozenDataclass):
    """A game in a list of games.

    The headers are parsed on first access because a list can be long.
    """

    headers_json: str  # `GameHeaders` as JSON
    number: int = 0  # row in the user's own games
    name: str = ""  # given by the user

    @classmethod
    def of(cls, file: GameFile) -> GameListEntry:
        game, rules = file.tree.game, file.rules
        counts = game.positions[0] == rules.start() and file.result.get("counts", True) is True
        players = file.players or ({}, {})
        return cls(
            GameHeaders(file.date, rules.spec.game, players, file.result, unusual(rules.spec), counts).headers_json
        )

    @cached_property
    def headers(self) -> GameHeaders:
        """The headers; empty if they are damaged."""
        try:
            date, game, (black, white), result, rules, counts = json.loads(self.headers_json)
            if "\\" in self.headers_json or not self.headers_json.isprintable():  # rare
                date, game = printable(str(date)), printable(str(game))
                black, white = _shown(black), _shown(white)
            return GameHeaders(str(date), str(game), ({**black}, {**white}), {**result}, {**rules}, counts is True)
        except (TypeError, ValueError, AttributeError):
            return GameHeaders()

    @cached_property
    def person(self) -> Color | None:
        """The user's colour; None if the users played both or no colours, or moves were made by others."""
        players = zip(Color, self.headers.players, strict=True)
        people = [color for color, entry in players if entry.get("player_type") == "user"]
        return people[0] if len(people) == 1 and self.headers.result.get("counts") is not False else None

    @property
    def persons_accuracy(self) -> float | None:
        """The user's share of correct moves, 0 to 1; None if unknown."""
        accuracy = None if self.person is None else self.headers.result.get(f"{self.person.label}_accuracy")
        return float(accuracy) if isinstance(accuracy, int | float) and 0 <= accuracy <= 1 else None


def _shown(entry: Entry) -> Entry:
    """Return a player's entry with unprintable characters escaped."""
    return {key: printable(value) if isinstance(value, str) else value for key, value in entry.items()}
