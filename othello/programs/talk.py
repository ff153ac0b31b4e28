"""A program that runs, and our dialogue with it."""

import time
from collections.abc import Callable
from typing import Final

from othello.errors import ProgramError, Reason, legible
from othello.game import AnyGame
from othello.programs.child import Child
from othello.programs.dialogue import Fact, Greeted, Held, Question
from othello.programs.protocols import DIALOGUES
from othello.programs.registered import Program
from othello.rules.protocol import Position, Rules

SLICE_SECONDS: Final = 0.02  # between two looks at whether the answer is still wanted
_MOST_LINES: Final = 20_000  # that lead to nothing
_SHOWN: Final = 120  # characters of a program's first line
_PARTING_SECONDS: Final = 0.2
_HOLD_SECONDS: Final = 0.2  # until a program stands still that was told so, whether or not it has understood
_END_SECONDS: Final = 10.0  # that a program may take to keep what it has learned in a game


class Talk:
    """A running program that has been greeted. All methods may raise ProgramError."""

    def __init__(
        self, program: Program, rules: Rules[Position], is_cancelled: Callable[[], bool] = lambda: False
    ) -> None:
        """Start a program and greet it; where that is cancelled meanwhile, nobody may use it."""
        self.program = program
        self.dialogue = DIALOGUES[program.protocol](program, rules)
        self.child = Child(program)
        self._idle_lines = 0
        try:
            self.dialogue.greet()
            end = time.monotonic() + program.start_seconds
            while not any(isinstance(fact, Greeted) for fact in self.hear()) and not is_cancelled():
                if time.monotonic() > end:
                    raise self.silence(program.start_seconds)
        except BaseException as error:
            self.child.close()
            if isinstance(error, ProgramError) and self.child.first_words:
                heard = legible(self.child.first_words, _SHOWN)
                raise ProgramError("program_first", reason=error.reason, heard=heard) from None
            raise

    def hear(self, seconds: float = SLICE_SECONDS) -> list[Fact]:
        """What the program says next, waited for at most this long."""
        self._say()
        line = self.child.line(seconds)
        facts = [] if line is None else self.dialogue.heard(line)
        self._idle_lines = 0 if facts else self._idle_lines + (line is not None)
        if self._idle_lines > _MOST_LINES:
            raise ProgramError("program_chatters", count=_MOST_LINES)
        self._say()
        return facts

    def is_idle(self, seconds: float) -> bool:
        """Whether the program owes no answer any more, waited for at most this long."""
        end = time.monotonic() + seconds
        while self.dialogue.expected and time.monotonic() < end:
            self.hear()
        while not self.dialogue.expected:
            self._say()
            line = self.child.line(0)
            if line is None:
                return True
            self.dialogue.heard(line)
        return False

    def ask(self, question: Question) -> None:
        """Ask an idle program."""
        reason = self.dialogue.refusal(question.game)
        if reason is not None:
            raise ProgramError(reason)
        self._idle_lines = 0
        self.dialogue.ask(question)
        self._say()

    def hurry(self) -> None:
        self.dialogue.hurry()
        self._say()

    def drop(self) -> None:
        self.dialogue.drop()
        self._say()

    def hold(self) -> list[Fact]:
        """Have the program stand still, if it wants to know that as soon as it does; what it has said meanwhile."""
        facts: list[Fact] = []
        is_told, end = self.dialogue.hold(True), time.monotonic() + _HOLD_SECONDS
        while is_told and not any(isinstance(fact, Held) for fact in facts) and time.monotonic() < end:
            facts += self.hear()
        self.child.hold(True)
        return facts

    def go_on(self) -> None:
        """Let the program go on that stands still."""
        self.child.hold(False)
        self.dialogue.hold(False)
        self._say()

    def end(self, game: AnyGame) -> None:
        """Tell an idle program that a game is over, and let it keep what it has learned."""
        is_told, end = self.dialogue.end(game), time.monotonic() + _END_SECONDS
        while is_told and self.dialogue.expected:
            if time.monotonic() > end:
                raise self.silence(_END_SECONDS)
            self.hear()

    def silence(self, seconds: float) -> ProgramError:
        """That nothing of use was heard for so long."""
        expected = Reason(f"program_expected_{self.dialogue.expected}")
        heard = self.child.last_words
        return ProgramError("program_silent", seconds=round(seconds, 1), expected=expected, heard=heard)

    def close(self) -> None:
        """Part from the program, which may end by itself for a moment."""
        try:
            self.dialogue.part()
            self._say()
        except ProgramError:
            pass  # it does not listen
        self.child.close(_PARTING_SECONDS)

    def _say(self) -> None:
        lines, self.dialogue.to_say = self.dialogue.to_say, []
        self.child.say(lines)
