"""JSON exports of web sites such as Othello Quest and eOthello.

Sites name their fields differently and change the names. Any object with moves is therefore read as a game.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from othello.errors import GameFileError
from othello.records.formats.format import Format, SourceText, moves_of, othello_of
from othello.records.formats.normalise import date_of, words_of
from othello.records.formats.parsed_game import FileItem, ParsedGame, parse_each
from othello.records.game_file import json_of

_JSON: Final = re.compile(r"[\[{]\s*[\"\[{]")
_NEXT: Final = re.compile(r"\}\s*\n\s*\{")  # between the objects of JSON Lines
_MOVE: Final = re.compile(r"[a-h][1-8]|pass|ps|pa|--?", re.IGNORECASE)
_LISTS: Final = ("moves", "transcript", "kifu", "record", "movelist", "move_list", "history", "sequence", "game")
_LIST: Final = re.compile(r"(?:[a-h][1-8]|pass|[-\s,])+", re.IGNORECASE)
_MOVES: Final = ("m", "move", "pos", "position", "square", "coord", "cell", "p")
_NAMES: Final = ("name", "username", "user", "id", "nick", "nickname", "displayname", "login")
_DATES: Final = ("date", "created", "createdat", "created_at", "started", "startedat", "finished", "time", "timestamp")
_EVENTS: Final = ("event", "tournament", "site")
_MILLISECONDS: Final = 10**11  # larger dates are in milliseconds
_LONGEST: Final = 20_000  # characters of moves
_LAST_SECOND: Final = 4 * 10**9


class WebsiteFormat(Format):
    """JSON of web sites; only read."""

    name = "JSON"

    def matches(self, source: SourceText) -> bool:
        start = source.text[:2000].lstrip()
        return _JSON.match(start) is not None and '"' in start  # excludes Python lists, which have single quotes

    def parse(self, source: SourceText) -> Iterator[FileItem]:
        text = _NEXT.sub("},{", source.text)
        text = text if text == source.text else f"[{text}]"
        games = [(0, game) for game in _games(json_of(text))]
        if not games:
            raise GameFileError("empty_json")
        return parse_each(games, _parse_game)


def _games(document: Any) -> Iterator[tuple[Mapping[str, Any], list[str]]]:
    """Yield every object that has moves, with its moves. The JSON parser has limited the nesting."""
    if isinstance(document, list):
        if document and all(_MOVE.fullmatch(str(_move_in(item))) for item in document):
            document = [{"moves": document}]  # as on eOthello's pages
        for item in document:
            yield from _games(item)
    elif isinstance(document, dict):
        inner = document.get("position")
        moves = _moves_in(document) or (_moves_in(inner) if isinstance(inner, dict) else None)
        if moves is not None:
            yield document, moves
            return
        for item in document.values():
            yield from _games(item)


def _moves_in(game: Mapping[str, Any]) -> list[str] | None:
    """Return the moves of an object, None if it has none."""
    for key, value in game.items():
        if key.lower() not in _LISTS:
            continue
        if isinstance(value, str) and len(value) < _LONGEST and _LIST.fullmatch(value):
            return _MOVE.findall(value.lower())
        if isinstance(value, list):
            moves = [move for move in map(_move_in, value) if move is not None]
            if moves and all(map(_MOVE.match, moves)):
                return moves
    return None


def _move_in(entry: Any) -> str | None:
    """Return the text of a move, None if the entry is something else, such as a result."""
    if isinstance(entry, dict):
        entry = next((entry[key] for key in _MOVES if key in entry), None)
    return entry if entry is None else str(entry).lower()


def _parse_game(game_and_moves: tuple[Mapping[str, Any], list[str]], number: int, _line: int) -> ParsedGame:
    game, moves = game_and_moves
    rules, fields = othello_of(), {key.lower(): value for key, value in game.items()}
    players = fields.get("players")
    names: list[str] = []
    if isinstance(players, list):
        names = [*map(_name_in, players)]
    elif isinstance(players, dict):
        fields |= {key.lower(): value for key, value in players.items()}
    if len(names) != 2:
        known = [(key, _name_in(value)) for key, value in fields.items() if value]
        names = [next((name for key, name in known if side in key), "") for side in ("black", "white")]
    date = next((_date(fields[key]) for key in _DATES if key in fields), "")
    event = next((_name_in(fields[key]) for key in _EVENTS if key in fields), "")
    return ParsedGame(
        rules, moves_of(moves, rules), players=(names[0], names[1]), date=date, event=words_of(event), number=number
    )


def _name_in(value: Any) -> str:
    """Return the name in a text or an object."""
    if isinstance(value, dict):
        fields = {key.lower(): field for key, field in value.items()}
        value = next((fields[key] for key in _NAMES if isinstance(fields.get(key), str)), "")
    return words_of(value) if isinstance(value, str) else ""


def _date(value: Any) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        seconds = value / 1000 if value > _MILLISECONDS else value
        if 0 < seconds < _LAST_SECOND:
            return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    return date_of(value) if isinstance(value, str) else ""
