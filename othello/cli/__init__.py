"""The command line: what `othello`, `python -m othello` and `python main.py` do.

Next to nothing is imported before `main` runs, for only then SIGTERM is heard.
"""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

DONE = 0
FAILED = 1
CANNOT = 2
INTERRUPTED = 130
_IMPATIENCE_SECONDS = 1.0


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the arguments say, by default the process's own, without the program's name.

    By default the process hears SIGTERM as it hears Ctrl-C, and ends here when it is interrupted.

    Returns:
        The exit status: 0 done, 1 the program has failed, 2 what was asked cannot be done, 130 interrupted.
    """
    interrupts = _Interrupts()
    try:
        if argv is None:
            interrupts.listen()
            _watch_output()
        return _carry_out(sys.argv[1:] if argv is None else argv)
    except KeyboardInterrupt:
        pass
    except Exception:
        if not interrupts.were_heard:
            raise  # else it is what a library made of the interrupt
    if interrupts.were_heard:
        end_process(INTERRUPTED)
    return INTERRUPTED


class _Interrupts:
    """Ctrl-C and requests to end: the first raises KeyboardInterrupt, and what is done then is not disturbed.

    Who asks again after a second wants the program gone at once. Nothing is lost: what is written is always whole.
    """

    def __init__(self) -> None:
        self._heard_at: float | None = None

    @property
    def were_heard(self) -> bool:
        return self._heard_at is not None

    def listen(self) -> None:
        """Begin, unless the parent process ignores the signal."""
        for number in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._hear)

    def _hear(self, _number: int, _frame: object) -> None:
        now = time.monotonic()
        if self._heard_at is None:
            self._heard_at = now
            raise KeyboardInterrupt
        if now > self._heard_at + _IMPATIENCE_SECONDS:
            os._exit(INTERRUPTED)


def _carry_out(argv: Sequence[str]) -> int:
    """Do what the arguments say, or tell in one line why not; returns the exit status."""
    _mend_streams()
    from othello import texts
    from othello.cli.arguments import parse
    from othello.cli.messages import tell
    from othello.errors import OthelloError, PlayerError, Reason, reason_of
    from othello.resources import settings_folder
    from othello.translations import read_languages

    for fault in read_languages(settings_folder()):
        tell(str(fault))
    texts.use(texts.SYSTEM)
    try:
        try:
            arguments = parse(argv)
            arguments.command(arguments)
        finally:
            sys.stdout.flush()  # after --help too, which ends the program
    except OthelloError as error:
        tell(str(error))
        return FAILED if isinstance(error, PlayerError) else CANNOT
    except OSError as error:
        if error is not getattr(sys.stdout, "error", None):
            reason = reason_of(error)
            tell(str(Reason("in_file", {"path": error.filename, "reason": reason}) if error.filename else reason))
            return CANNOT
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python would complain again at its end
        if not isinstance(error, BrokenPipeError):  # else the reader, `head` for one, has seen enough
            tell(str(Reason("no_output", {"reason": reason_of(error)})))
            return CANNOT
    return DONE


class _Output(io.TextIOWrapper):
    """Standard output that remembers its last error, which can so be told from all others."""

    error: OSError | None = None

    def write(self, text: str) -> int:
        try:
            return super().write(text)
        except OSError as error:
            self.error = error
            raise

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            self.error = error
            raise


def _watch_output() -> None:
    old = sys.stdout
    if isinstance(old, io.TextIOWrapper):
        sys.stdout = _Output(old.buffer, old.encoding, old.errors, None, old.line_buffering, old.write_through)


def _mend_streams() -> None:
    """See that something can be written to, whatever the caller has closed, and in any terminal's letters."""
    if sys.stdout is None or sys.stderr is None:
        nowhere = open(os.devnull, "w")  # noqa: SIM115, PTH123 (for as long as the process lives)
        sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def end_process(status: int) -> NoReturn:
    """End the process, whatever its threads do: one may be deep in compiled code."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            stream.flush()
    os._exit(status)
