"""The record of a finished game, as results files store it."""

from __future__ import annotations

import json
import math
import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final

import othello
from othello.aliases import renamed
from othello.config import SprtConfig
from othello.errors import BoardTextError, ConfigError, printable
from othello.game import AnyGame
from othello.records.transcript import format_transcript, parse_transcript
from othello.rules.protocol import Color, GameSpec, Move
from othello.rules.registry import DEFAULT_GAME, rules_of, spec_of, unusual_options
from othello.schema import first_fault, object_schema, options_of, shown
from othello.search.report import SearchReport, Unit

RESULTS: Final = ("black", "white", "draw")
FAULTS: Final = ("out_of_time", "too_slow", "hangs", "failed", "resigned", "draw_agreed")
ADJUDICATED: Final = "adjudicated"  # value of `reason` if the engine ended the game


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRecord:
    """One finished game. The fields are the columns of a results file."""

    game: int = 1  # number in the experiment, from 1
    series: int = 1  # number of the group of games that belong together, from 1: a game pair or a best of three
    black: str  # name of black
    white: str  # name of white
    seed: int = 0  # of the game; the players' seeds derive from it
    opening_plies: int = 0  # moves that were set for the players, passes included
    transcript: str = ""  # all moves without passes, including those that were set
    # black's points at the end, in the game's own count: discs in Othello, boards won in ultimate tic-tac-toe, 0 in
    # tic-tac-toe
    black_points: int
    white_points: int
    result: str  # black, white or draw
    # why the game ended early: "black resigned", "draw agreed" or "adjudicated"; empty if it was played to the end
    reason: str = ""
    fault: str = ""  # one of FAULTS if the game was forfeited or a draw was agreed
    black_seconds: float = 0.0  # thinking time
    white_seconds: float = 0.0
    black_moves: int | None = (
        None  # moves that black chose: without opening and passes; None in files without the field
    )
    white_moves: int | None = None
    version: str = othello.__version__  # version of this program
    experiment: str = ""  # fingerprint of all settings that affect the games; empty outside experiments
    game_name: str = DEFAULT_GAME  # default for records without the field
    rules: str = ""  # options that differ from the defaults, such as "start=alternate goal=fewest"
    # "players": both players' options by name; "sprt": options of the sequential test. A results file has each part
    # once
    setup: Mapping[str, Any] = field(default_factory=dict, compare=False)
    date: str = field(default="", compare=False)  # local time of the end, such as 2026-01-31T18:30:00
    # value/depth/seconds of the search for every move, such as +3.20/12/0.034, as far as known; "-" if there was no
    # search. Values are discs, win rates (57.3%) or heuristic scores (+12s) for the side to move
    searches: str = field(default="", compare=False)
    start: str = ""  # start position; empty if it is the usual one

    @property
    def spec(self) -> GameSpec:
        return spec_of(self.game_name, self.rules)

    def replayed(self) -> AnyGame:
        """Return the game; raise a BoardTextError or TranscriptError if the record has an invalid position or move."""
        rules = rules_of(self.spec)
        return parse_transcript(self.transcript, rules, rules.parse_position(self.start) if self.start else None)

    @property
    def is_adjudicated(self) -> bool:
        """True if the engine proved the result and ended the game; the points are those of best play."""
        return self.reason == ADJUDICATED

    @property
    def winner(self) -> Color | None:
        return None if self.result == "draw" else Color[self.result.upper()]

    @property
    def winner_name(self) -> str | None:
        return None if self.winner is None else (self.black, self.white)[self.winner]

    def points(self, color: Color) -> float:
        """Return 1 for a win of `color`, 0.5 for a draw, 0 for a loss."""
        return 0.5 if self.winner is None else float(self.winner is color)

    @classmethod
    def of(
        cls,
        played: AnyGame,
        names: tuple[str, str],
        seed: int,
        seconds: tuple[float, float],
        ended: tuple[Color | None, str] | None = None,
        proven: AnyGame | None = None,
        reports: Sequence[SearchReport | None] = (),
        **numbers: Any,
    ) -> GameRecord:
        """Return the record of a game that is over or was ended early.

        Args:
            played: the game.
            names: of black and white.
            seed: of the game.
            seconds: thinking time of black and white.
            ended: winner (None: draw) and reason, if the game was ended early.
            proven: the game continued with best play, if it was adjudicated.
            reports: the search for every move; empty if none is known.
            **numbers: other fields, such as `game`, `series` and `opening_plies`.

        Raises:
            ValueError: the game is not over.
        """
        final = proven or played
        if ended is None and final.outcome is None:
            raise ValueError("the game is not over")
        if proven is not None and proven.outcome is not None:
            ended = proven.outcome.winner, ADJUDICATED
        winner = ended[0] if ended else played.outcome.winner if played.outcome else None
        black_points, white_points = final.rules.score(final.position)
        begun = played.positions[0]
        chosen = _chosen_moves(played, numbers.get("opening_plies", 0))
        return cls(
            black=names[Color.BLACK],
            white=names[Color.WHITE],
            seed=seed,
            transcript=format_transcript(played),
            black_points=black_points,
            white_points=white_points,
            result="draw" if winner is None else winner.label,
            reason="" if ended is None else printable(" ".join(ended[1].split()), _LONGEST_REASON),
            game_name=played.rules.spec.game,
            rules=unusual_options(played.rules.spec),
            date=time.strftime("%Y-%m-%dT%H:%M:%S"),
            searches=_searches(played, reports) if any(reports) else "",
            start="" if begun == played.rules.start() else played.rules.format_position(begun),
            black_seconds=round(seconds[Color.BLACK], 6),
            white_seconds=round(seconds[Color.WHITE], 6),
            black_moves=chosen[Color.BLACK],
            white_moves=chosen[Color.WHITE],
            **numbers,
        )

    @classmethod
    def from_values(cls, values: Mapping[str, object]) -> GameRecord:
        """Return the record in a row of a results file. Unknown keys are ignored; they belong to newer versions.

        Raises:
            ValueError: a value is missing or invalid.
        """
        for name in NEEDED:
            if name not in values:
                raise ValueError(f"{name} is missing")
        known = {name: _convert(name, values[name]) for name in COLUMNS if name in values}
        record = cls(**known)
        if record.result not in RESULTS:
            raise ValueError(f"result is {shown(record.result)}; allowed: {', '.join(RESULTS)}")
        try:
            rules = rules_of(record.spec)
            if record.start:
                rules.parse_position(record.start)
        except (ConfigError, BoardTextError) as error:
            raise ValueError(str(error)) from None
        if record.fault not in ("", *FAULTS):
            raise ValueError(f"fault is {shown(record.fault)}; allowed: {', '.join(FAULTS)}")
        points = f"{record.black_points} and {record.white_points} {rules.points or 'points'}"
        if record.black_points + record.white_points > rules.columns * rules.rows:
            raise ValueError(f"{points} are more than the board holds")
        is_scored = not record.reason or record.is_adjudicated
        if is_scored and not rules.can_end(record.black_points, record.white_points, record.winner):
            raise ValueError(f"result is {record.result}, which {points} contradict; only a forfeit can end so")
        return record


COLUMNS: Final = tuple(field.name for field in fields(GameRecord))
NEEDED: Final = ("black", "white", "black_points", "white_points", "result")
# Not allowed in names: line breaks, terminal escapes, changes of text direction, and lone surrogates.
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
_SETUP: Final = {
    "type": "object",
    "properties": {
        "players": {"type": "object", "additionalProperties": {"type": "object"}},
        "sprt": object_schema(options_of(SprtConfig).values()),
    },
}
_LONGEST_NAME: Final = 100  # higher than the config's limit of 40, for records of other programs
_LONGEST_REASON: Final = 200
_TYPES: Final = {field.name: str(field.type) for field in fields(GameRecord)}


def _chosen_moves(played: AnyGame, opening_plies: int) -> Counter[Color]:
    """Return how many moves each side chose, without the opening and passes."""
    turns = zip(played.positions[opening_plies:], played.moves[opening_plies:], strict=False)
    return Counter(position.to_move for position, move in turns if not played.rules.is_pass(move))


def _searches(played: AnyGame, reports: Sequence[SearchReport | None]) -> str:
    searched = zip(played.moves, reports, strict=True)
    return " ".join(_search_text(move, report) for move, report in searched if not played.rules.is_pass(move))


def _search_text(move: Move, report: SearchReport | None) -> str:
    if report is None or report.move != move:
        return "-"
    value = report.value
    if value is not None:
        known = {Unit.REWARD: f"{100 * value:.1f}%", Unit.SCORE: f"{value:+.0f}s", Unit.NONE: ""}
    text = "" if value is None else known.get(report.unit, f"{value:+.2f}")
    return f"{text}/{report.depth or ''}/{report.seconds:.3f}"


def _convert(name: str, value: object) -> Any:
    """Convert a value to the type of its field. In a .csv file, every value is a text."""
    if name == "setup":
        return _parse_setup(value)
    if _TYPES[name] == "int | None" and value in (None, ""):
        return None
    if _TYPES[name] == "str":
        return _check_text(name, value)
    try:
        if isinstance(value, bool) or not isinstance(value, int | float | str) or not 0 <= float(value) < math.inf:
            raise ValueError
        if _TYPES[name] == "float":
            return float(value)
        if isinstance(value, float) and not value.is_integer():
            raise ValueError
        return int(value)
    except (ValueError, OverflowError):
        kind = "number" if _TYPES[name] == "float" else "whole number"
        raise ValueError(f"{name} is {shown(value)}; it must be a {kind} from 0") from None


def _parse_setup(value: object) -> Any:
    try:
        setup = json.loads(value) if isinstance(value, str) and value else value or {}
    except (ValueError, RecursionError):
        raise ValueError(f"setup is {shown(value)}; it must be a JSON object") from None
    if (fault := first_fault(setup, _SETUP)) is not None:
        raise ValueError(f"setup: {fault.english}")
    return renamed(setup)


def _check_text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{name} is {shown(value)}; it must be a text")
    if _CONTROL.search(value):
        raise ValueError(f"{name} holds control characters: {shown(value)}")
    if name in ("black", "white") and not value.strip():
        raise ValueError(f"{name} is empty; it must be a player's name")
    if name in ("black", "white") and len(value) > _LONGEST_NAME:
        raise ValueError(f"{name} is {shown(value)}; a name has at most {_LONGEST_NAME} characters")
    return value
