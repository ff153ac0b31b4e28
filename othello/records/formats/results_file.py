"""Results files of tournaments, read as games. `othello.records.results` parses the lines."""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from othello.records.formats.format import Format, SourceText
from othello.records.formats.parsed_game import FileItem, MoveInfo, ParsedGame, parse_each
from othello.records.record import GameRecord
from othello.records.results import ResultsReader

_WORD: Final = re.compile(rb"\w+")
_HEAD: Final = 1 << 16  # bytes that are searched for column names
_SEARCH: Final = re.compile(r"(?:([-+]\d{1,4}(?:\.\d+)?)|([^/]*))/(\d{0,9})/(\d{1,9}(?:\.\d+)?)?")


class ResultsFormat(Format):
    """One record per line, as .jsonl or .csv."""

    name = "results"

    def matches(self, source: SourceText) -> bool:
        words = {*_WORD.findall(source.data[:_HEAD].partition(b"\n")[0])}
        return words >= {b"black", b"white", b"result", b"transcript", b"black_points"}

    def parse(self, source: SourceText) -> Iterator[FileItem]:
        reader = ResultsReader(source.path or Path("games.jsonl"), source.data.splitlines(keepends=True))
        return parse_each(((reader.line, record) for record in reader), partial(_parse_game, reader.path.stem))


def _parse_game(event: str, record: GameRecord, number: int, line: int) -> ParsedGame:
    game = record.replayed()
    result: dict[str, object] = {"winner": record.result}
    if not record.reason or record.is_adjudicated:
        result |= {"black": record.black_points, "white": record.white_points}
    else:
        result["fault"] = record.fault or "failed"
    searches = iter(record.searches.split())
    searched = (MoveInfo() if game.rules.is_pass(move) else _detail(next(searches, "-")) for move in game.moves)
    return ParsedGame(
        game.rules,
        game.moves,
        start=None if game.positions[0] == game.rules.start() else game.positions[0],
        players=(record.black, record.white),
        date=record.date,
        event=event,
        result=result,
        details=[*searched] if record.searches else (),
        number=number,
        line=line,
    )


def _detail(text: str) -> MoveInfo:
    """Parse one item of `GameRecord.searches`. Values that are not in discs become notes."""
    value, other, depth, seconds = match.groups() if (match := _SEARCH.fullmatch(text)) else (None,) * 4
    return MoveInfo(float(value) if value else None, float(seconds) if seconds else None, other or "", int(depth or 0))
