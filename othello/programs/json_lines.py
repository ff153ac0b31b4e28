"""Our own protocol, described in docs/programs.md: one JSON object a line, and every request has the whole position.

A program needs to understand only `go` and to answer with `move`; everything else is optional.
"""

import json
import math
from typing import Any, Final

from othello.aliases import FORMER_WORDS, WORDS
from othello.errors import ConfigError, ProgramError
from othello.game import AnyGame
from othello.programs import engine_protocol as protocol
from othello.programs.program_registry import Program
from othello.rules.protocol import Position, Rules
from othello.search.report import Unit
from othello.strict_json import parse

VERSION: Final = 1
# Any other unit means expected discs.
_UNITS: Final = {"win_probability": Unit.REWARD, "engine_score": Unit.SCORE, "exact_discs": Unit.DISCS}


class JsonLinesProtocol(protocol.EngineProtocol):
    """Our side of the JSON protocol."""

    def __init__(self, program: Program, rules: Rules[Position]) -> None:
        super().__init__(program, rules)
        self._id = 0
        self._open = 0  # id of the request without an answer; 0: none
        self._capabilities: object = ()  # optional messages that the program asked for

    @classmethod
    def plays(cls, rules: Rules[Position]) -> bool:
        return True

    def greet(self) -> None:
        self._say("hello", version=VERSION, game=self.rules.spec.game, rules=dict(self.rules.spec.options))
        self.expected = "greeting"

    def ask(self, question: protocol.EngineRequest) -> None:
        game, self._question = question.game, question
        self._id += 1
        self._open = self._id
        self._say(
            "go",
            id=self._id,
            board=self.rules.format_position(game.position),
            color=game.to_move.label,
            legal=[game.text_of(move) for move in game.legal_moves()],
            **self._played(game),
            seconds=question.seconds,
            clock=None if question.clock is None else round(question.clock[1], 3),
            **dict.fromkeys(("analyse", FORMER_WORDS["analyse"]), question.judges),
            seed=question.seed,
        )
        self.expected = "move"

    def move_now(self) -> None:
        if self._open:
            self._say("stop", id=self._open)

    def set_paused(self, is_paused: bool) -> bool:
        word = self._capability("pause")
        if not word or not self._open:
            return False
        if not is_paused:
            word = "resume" if word == "pause" else FORMER_WORDS["resume"]
        self._say(word, id=self._open)
        return True

    def end(self, game: AnyGame) -> None:
        word = self._capability("game_over")
        if word:
            self._say(word, board=self.rules.format_position(game.position), **self._played(game))
            self.expected = "done"

    def quit(self) -> None:
        self._say("quit")

    def _capability(self, message: str) -> str:
        """Return the word with which the program asked for an optional message, or an empty string."""
        asked = self._capabilities if isinstance(self._capabilities, list) else []
        return next((word for word in (message, FORMER_WORDS[message]) if word in asked), "")

    def _played(self, game: AnyGame) -> dict[str, Any]:
        """Return the start position and the moves of a game."""
        start = self.rules.format_position(game.positions[0])
        return {"start": start, "moves": game.at(0).texts_of(game.moves)}

    def handle_line(self, line: str) -> list[protocol.Fact]:
        message = self._read(line)
        kind = str(message.get("type"))
        match WORDS.get(kind, kind):
            case "ready" if self.expected == "greeting":
                self.expected = ""
                self.name = f"{message.get('name', '')} {message.get('version', '')}".strip()
                self.is_deterministic = message.get("deterministic") is True
                self._capabilities = message.get("capabilities", message.get(FORMER_WORDS["capabilities"]))
                return [protocol.EngineReady()]
            case "refuse" if self.expected == "greeting":
                raise ProgramError("program_game", name=self.program.name, game=self.rules.spec.game)
            case "info" if message.get("id") == self._open and self._open:
                return self._facts(message)
            case "info":
                return []  # late: its request has been answered
            case "paused" if self._capability("pause"):
                return [protocol.EnginePaused()]
            case "done" if self.expected == "done":
                self.expected = ""
                return []
            case "move" if message.get("id", self._open) == self._open and self._open:
                return self._moved(message, line)
            case "error":
                raise self.wrong(str(message.get("message", line)))
        raise self.wrong(line)

    def _say(self, kind: str, **parts: Any) -> None:
        self.to_say.append(json.dumps({"type": kind, **parts}))

    def _read(self, line: str) -> dict[str, Any]:
        try:
            message = parse(line)
        except ConfigError:
            raise self.wrong(line, "json") from None
        if not isinstance(message, dict):
            raise self.wrong(line, "json")
        return message

    def _moved(self, message: dict[str, Any], line: str) -> list[protocol.Fact]:
        facts: list[protocol.Fact] = []
        if self._question is not None:  # otherwise the request was dropped; this answer ends it
            move = self.move_of(str(message.get("move", "")), line)
            facts = [*self._facts(message), protocol.EngineMove(move)]
        self._open, self.expected, self._question = 0, "", None
        return facts

    def _facts(self, message: dict[str, Any]) -> list[protocol.Fact]:
        """Parse evaluations: of one move with its line, and of any moves in `values` and `visits`."""
        facts: list[protocol.Fact] = []
        word = str(message.get("unit"))
        unit = _UNITS.get(WORDS.get(word, word), Unit.EXPECTED)
        depth = int(_number(message.get("depth")) or 0)
        values, visits = ({} if not isinstance(item, dict) else item for item in map(message.get, ("values", "visits")))
        for text in {**values, **visits}:
            if line := self.line_of([text]):
                seen = int(_number(visits.get(text)) or 0)
                facts.append(protocol.EngineAnalysis(line[0], _number(values.get(text)), unit, depth, visits=seen))
        line_texts = message.get("line")
        texts = list(map(str, line_texts if isinstance(line_texts, list) else [message.get("move", "")]))
        line = self.line_of(texts)
        if line and _number(message.get("value")) is not None:
            seen = int(_number(visits.get(texts[0])) or 0)
            facts.append(protocol.EngineAnalysis(line[0], _number(message["value"]), unit, depth, line, seen))
        nodes = _number(message.get("nodes"))
        return facts if nodes is None else [*facts, protocol.NodeCount(int(nodes))]


def _number(value: object) -> float | None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(value) if is_number and math.isfinite(value) and abs(value) < 1e15 else None  # type: ignore[arg-type]
