"""A running program and the protocol that it speaks."""

import time
from collections.abc import Callable
from typing import Final

from othello.errors import ProgramError, Reason, printable
from othello.game import AnyGame
from othello.programs.engine_protocol import EnginePaused, EngineReady, EngineRequest, Fact
from othello.programs.process import ChildProcess
from othello.programs.program_registry import Program
from othello.programs.protocols import DIALOGUES
from othello.rules.protocol import Position, Rules

SLICE_SECONDS: Final = 0.02  # how often a search checks whether its answer is still wanted
_MAX_IDLE_LINES: Final = 20_000  # in a row without a report
_SHOWN: Final = 120  # characters of the first line in error messages
_PARTING_SECONDS: Final = 0.2
_HOLD_SECONDS: Final = 0.2  # how long to wait until a program confirms that it is paused
_END_SECONDS: Final = 10.0  # how long a program may take to store what it learned in a game


class EngineConnection:
    """A running program that has been greeted. All methods may raise ProgramError."""

    def __init__(
        self, program: Program, rules: Rules[Position], is_cancelled: Callable[[], bool] = lambda: False
    ) -> None:
        """Start and greet a program. If `is_cancelled` returns True before it is ready, do not use the connection."""
        self.program = program
        self.protocol = DIALOGUES[program.protocol](program, rules)
        self.child = ChildProcess(program)
        self._idle_lines = 0
        try:
            self.protocol.greet()
            end = time.monotonic() + program.start_seconds
            while not any(isinstance(fact, EngineReady) for fact in self.read()) and not is_cancelled():
                if time.monotonic() > end:
                    raise self.timeout_error(program.start_seconds)
        except BaseException as error:
            self.child.close()
            if isinstance(error, ProgramError) and self.child.first_words:
                heard = printable(self.child.first_words, _SHOWN)
                raise ProgramError("program_first", reason=error.reason, heard=heard) from None
            raise

    def read(self, seconds: float = SLICE_SECONDS) -> list[Fact]:
        """Return the program's next reports, within `seconds`."""
        self._send()
        line = self.child.line(seconds)
        facts = [] if line is None else self.protocol.handle_line(line)
        self._idle_lines = 0 if facts else self._idle_lines + (line is not None)
        if self._idle_lines > _MAX_IDLE_LINES:
            raise ProgramError("program_chatters", count=_MAX_IDLE_LINES)
        return facts

    def is_idle(self, seconds: float) -> bool:
        """Wait at most `seconds`, and return whether no answer is outstanding."""
        end = time.monotonic() + seconds
        while self.protocol.expected and time.monotonic() < end:
            self.read()
        while not self.protocol.expected:
            line = self.child.line(0)
            if line is None:
                return True
            self.protocol.handle_line(line)
        return False

    def ask(self, question: EngineRequest) -> None:
        """Send a request to an idle program."""
        reason = self.protocol.unsupported_reason(question.game)
        if reason is not None:
            raise ProgramError(reason)
        self._idle_lines = 0
        self.protocol.ask(question)
        self._send()

    def move_now(self) -> None:
        self.protocol.move_now()
        self._send()

    def drop(self) -> None:
        self.protocol.drop()
        self._send()

    def set_paused(self) -> list[Fact]:
        """Pause the program, after it has confirmed if it can, and return the facts that it reported until then."""
        facts: list[Fact] = []
        is_sent, end = self.protocol.set_paused(True), time.monotonic() + _HOLD_SECONDS
        while is_sent and not any(isinstance(fact, EnginePaused) for fact in facts) and time.monotonic() < end:
            facts += self.read()
        self.child.set_paused(True)
        return facts

    def resume(self) -> None:
        """Resume the paused program."""
        self.child.set_paused(False)
        self.protocol.set_paused(False)
        self._send()

    def end(self, game: AnyGame) -> None:
        """Report the end of the game to an idle program, and wait while it stores what it learned."""
        self.protocol.end(game)
        end = time.monotonic() + _END_SECONDS
        while self.protocol.expected:
            if time.monotonic() > end:
                raise self.timeout_error(_END_SECONDS)
            self.read()

    def timeout_error(self, seconds: float) -> ProgramError:
        """Return the error of a program that has reported nothing for `seconds`."""
        expected = Reason(f"program_expected_{self.protocol.expected}")
        heard = self.child.stderr_tail
        return ProgramError("program_silent", seconds=round(seconds, 1), expected=expected, heard=heard)

    def close(self) -> None:
        """Tell the program to quit, and kill it if it does not end."""
        try:
            self.protocol.quit()
            self._send()
        except ProgramError:
            pass  # a program that does not read its input is killed below
        self.child.close(_PARTING_SECONDS)

    def _send(self) -> None:
        lines, self.protocol.to_say = self.protocol.to_say, []
        self.child.send(lines)
