"""The Go Text Protocol as Othello programs speak it.

Programs differ: the number of a response may follow a blank or be missing, `list_commands` may be unknown, a pass may
be refused by a program that passes by itself, and `undo` may ignore passes. Therefore a position that does not continue
the program's game is replayed from the start.
"""

import math
import re
from collections import deque
from collections.abc import Callable
from typing import Final, TypeAlias

from othello.errors import ProgramError, Reason
from othello.game import AnyGame
from othello.programs import engine_protocol as protocol
from othello.programs.program_registry import Program
from othello.rules.protocol import Move, Position, Rules
from othello.search.report import Unit

_FIRST: Final = 1001  # the first command number; large, to be distinct from other numbers in the output
_RESPONSE: Final = re.compile(r"([=?])\s*(?:([0-9]{1,9})(?=\s|$))?\s*(.*)")
_ANALYSES: Final = ("kata-analyze", "lz-analyze")  # they run until the next command
_HUNDREDTHS: Final = 20  # of a second between two lines of an analysis
_Then: TypeAlias = Callable[[str, str], list[protocol.Fact] | None]
"""Handles a response: its text and the whole line; returns what it reports."""


class GtpProtocol(protocol.EngineProtocol):
    """Our side of GTP: one numbered command at a time."""

    def __init__(self, program: Program, rules: Rules[Position]) -> None:
        super().__init__(program, rules)
        self._next = _FIRST
        # Commands without a response: the text, whether the program must accept it, and the handler of the response.
        # The first of them has been sent, unless `expected` is empty.
        self._waiting: deque[tuple[str, bool, _Then]] = deque()
        self._listed: set[str] | None = None  # the commands listed so far, while a list is being read
        self._commands: set[str] = set()
        self._known: tuple[Move, ...] | None = None  # the moves on the program's board; None: unknown
        self._settings = ""  # the latest time settings sent

    @classmethod
    def unsupported_reason(cls, game: AnyGame) -> Reason | None:
        return None if game.positions[0] == game.rules.start() else Reason("program_setup")

    @classmethod
    def plays(cls, rules: Rules[Position]) -> bool:
        return super().plays(rules) and rules.spec["start"] in ("standard", "random")

    def greet(self) -> None:
        self._command("name", self._named, is_needed=False)
        self._command("version", self._named, is_needed=False)
        self._command("list_commands", self._begin_list, is_needed=False)
        self._command("boardsize 8", lambda *_: [protocol.EngineReady()])

    def ask(self, question: protocol.EngineRequest) -> None:
        self._question = question
        game, known = question.game, self._known
        if known is None or game.moves[: len(known)] != known:
            self._command("clear_board")
            known = ()
        for ply in range(len(known), game.ply):
            before = game.at(ply)
            move, color = game.moves[ply], before.to_move.label
            is_pass = self.rules.is_pass(move)
            text = "pass" if is_pass else before.text_of(move)
            self._command(f"play {color} {text}", is_needed=not is_pass)
        self._known = game.moves
        color = game.to_move.label
        for command in self._times(question, color):
            if command.partition(" ")[0] in self._commands and command != self._settings:
                self._command(command, is_needed=False)
                self._settings = command if command.startswith("time_settings") else self._settings
        analysis = next((command for command in _ANALYSES if command in self._commands), None)
        if question.judges and question.seconds is not None and analysis is not None:
            self._command(f"{analysis} {color} {_HUNDREDTHS}", self._begin_analysis)
        else:
            self._command(f"genmove {color}", lambda *response: self._moved(game, *response))

    @staticmethod
    def _times(question: protocol.EngineRequest, color: str) -> tuple[str, ...]:
        """Return the commands that set the program's time, in whole seconds."""
        if question.clock is not None:
            main, left = map(math.floor, question.clock)
            return f"time_settings {main} 0 0", f"time_left {color} {max(0, left)} 0"
        if question.seconds is not None:
            left = max(1, math.floor(question.seconds))
            return f"time_settings 0 {math.ceil(question.seconds)} 1", f"time_left {color} {left} 1"
        return ()

    def move_now(self) -> None:
        """End an analysis. GTP has no command to end a search for a move."""
        if self.expected == "judgement":
            self.expected = ""
            self._command("name", self._end_analysis)

    def drop(self) -> None:
        super().drop()
        while len(self._waiting) > 1:  # a command that was sent will be answered
            self._waiting.pop()
            self._known = None

    def handle_line(self, line: str) -> list[protocol.Fact]:
        text = line.strip()
        if self._listed is not None:
            return self._list(text)
        response = _RESPONSE.fullmatch(text)
        if response is None:
            return self._judged(text)
        if not self._waiting:
            raise self.wrong(line)
        sign, number, answer = response.groups()
        if number is not None and int(number) != self._next - 1:
            if _FIRST <= int(number) < self._next - 1:
                raise ProgramError("program_late", heard=text)
            answer = f"{number} {answer}".strip()  # the number is no command's, so it is part of the answer
        command, is_needed, then = self._waiting.popleft()
        self.expected = ""
        if sign == "?" and is_needed:
            raise ProgramError("program_refuses", command=command, heard=text)
        facts = then(answer, line) if sign == "=" else None
        self._go_on()
        return facts or []

    def _command(self, command: str, then: _Then = lambda *_: None, *, is_needed: bool = True) -> None:
        self._waiting.append((command, is_needed, then))
        self._go_on()

    def _go_on(self) -> None:
        """Send the next command if no response is expected."""
        if self._waiting and not self.expected and self._listed is None:
            command = self._waiting[0][0]
            self.to_say.append(f"{self._next} {command}")
            self._next += 1
            self.expected = "move" if command.startswith("genmove") else "answer"

    def _named(self, answer: str, _line: str) -> None:
        self.name = f"{self.name} {answer}".strip()

    def _begin_list(self, answer: str, _line: str) -> None:
        self._listed, self.expected = {answer}, "answer"

    def _list(self, text: str) -> list[protocol.Fact]:
        """Add a command to the list; an empty line ends it. Some programs begin each line like a response."""
        assert self._listed is not None
        if text:
            self._listed.add(text.rpartition(" ")[2])
            return []
        self._commands, self._listed, self.expected = self._listed, None, ""
        self._go_on()
        return []

    def _begin_analysis(self, _answer: str, _line: str) -> None:
        self.expected = "judgement"

    def _end_analysis(self, _answer: str, _line: str) -> list[protocol.Fact]:
        is_wanted, self._question = self._question is not None, None
        return [protocol.EngineMove(None)] if is_wanted else []

    def _moved(self, game: AnyGame, answer: str, line: str) -> list[protocol.Fact]:
        """Handle the response to `genmove`: the program has made the move on its own board."""
        is_wanted = self._question is not None
        # the move is read even if the request was cancelled
        self._question = self._question or protocol.EngineRequest(game)
        words = answer.split()
        if words and words[0].lower() == "resign":
            raise ProgramError("program_resigns")
        move = self.move_of(words[0] if words else "", line)
        self._known = (*game.moves, move)
        self._question = None
        return [protocol.EngineMove(move)] if is_wanted else []

    def _judged(self, text: str) -> list[protocol.Fact]:
        """Parse an analysis, such as `info move f5 visits 10 winrate 0.52 scoreMean 3.1 pv f5 d6`."""
        words = text.split()
        if words[:2] != ["info", "move"] or self._question is None:
            return []
        facts: list[protocol.Fact] = []
        for part in re.split(r"\binfo move\b", text)[1:]:
            fields = part.split()
            line = self.line_of(fields[fields.index("pv") + 1 :] if "pv" in fields else fields[:1])
            pairs = dict(zip(fields[1::2], fields[2::2], strict=False))
            score, chance = protocol.number_in(pairs.get("scoreMean", "")), protocol.number_in(pairs.get("winrate", ""))
            chance = chance / 10_000 if chance is not None and chance > 1 else chance  # Leela Zero's unit
            if line and (score is not None or chance is not None):
                unit = Unit.REWARD if score is None else Unit.EXPECTED
                depth = int(protocol.number_in(pairs.get("depth", "0")) or 0)
                facts.append(protocol.EngineAnalysis(line[0], chance if score is None else score, unit, depth, line))
        return facts
