"""OBF: one position per line, with values of moves."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from othello.errors import Reason, TranscriptError
from othello.game import Game, GameTree
from othello.records.formats.format import Format, SourceText, moves_of, othello_of, plain_size
from othello.records.formats.normalise import lines_of, noted
from othello.records.formats.parsed_game import FileItem, ParsedGame, parse_each
from othello.records.game_file import GameFile, PositionData
from othello.rules.protocol import Move, Position, Rules
from othello.search.report import MoveStats, SearchReport, Unit

_LINE: Final = re.compile(r"([-.xo*\s]{64,200}?[xo*])\s{0,9};(.*)", re.IGNORECASE)
_VALUE: Final = re.compile(r"\s*([a-h][1-8]|pass|ps|pa|--)\s*:\s*([-+]?\d{1,3})\s*", re.IGNORECASE)
_REMARKS: Final = ("%", "#")


class ObfFormat(Format):
    name = "OBF"
    suffixes = (".obf",)
    supports = frozenset({"searches"})

    def matches(self, source: SourceText) -> bool:
        lines = (line for line in source.text[:20_000].splitlines() if line.strip() and line[0] not in _REMARKS)
        return any(_LINE.match(line.lstrip()) for line in lines)

    def parse(self, source: SourceText) -> Iterator[FileItem]:
        return parse_each((line for line in lines_of(source.text) if not line[1].startswith(_REMARKS)), _parse_game)

    def unsupported_reason(self, parsed: ParsedGame) -> Reason | None:
        return None if plain_size(parsed.rules) == 8 else Reason("format_rules", {"format": self.name})

    def dump(self, parsed: ParsedGame) -> str:
        if parsed.file is None:
            return f"{_board(parsed.rules, parsed.end)}\n"
        game, known = parsed.file.tree.game, parsed.file.tree.known(parsed.file.tree.game)
        reports = [report for report in (known.report, *(search for _, search in known.analyses)) if report is not None]
        moves = next((report.moves for report in reports if report.unit is Unit.DISCS), ())
        values = sorted(moves, key=lambda stats: -(stats.value or 0.0))
        texts = [f" {game.text_of(item.move).upper()}:{item.value:+.0f};" for item in values if item.value is not None]
        return f"{_board(game.rules, game.position)}{''.join(texts)}\n"


def _board(rules: Rules[Position], position: Position) -> str:
    board, side = rules.format_position(position).split()
    return f"{board} {side};"


def _parse_game(text: str, number: int, line: int) -> ParsedGame:
    rules, line_match = othello_of(), _LINE.match(text)
    game = Game.new(rules, rules.parse_position(text.partition(";")[0] if line_match is None else line_match[1]))
    values: dict[Move, int] = {}
    others: list[str] = []  # such as --:-127, which solvers write if they searched no move
    for part in filter(str.strip, (line_match[2] if line_match else "").split(";")):
        match = _VALUE.fullmatch(part)
        if match is None:
            raise TranscriptError("no_value", text=part.strip()[:20])
        move = moves_of([match[1].lower()], rules)[0]
        if move in game.legal_moves() and abs(int(match[2])) <= 64:
            values[move] = int(match[2])
        else:
            others.append(part.strip())
    known = PositionData(noted("; ".join(others)))
    if values and len(values) == len(game.legal_moves()):
        best = max(values, key=lambda move: values[move])
        stats = tuple(MoveStats(move, 0, float(value)) for move, value in sorted(values.items()))
        report = SearchReport("engine", best, float(values[best]), stats, Unit.DISCS, final=True)
        known = replace(known, analyses=(({"player_type": "engine"}, report),))
    return ParsedGame.of(GameFile(GameTree.of(game, known)), number, line)
