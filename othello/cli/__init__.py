"""The command line: `othello`, `python -m othello` and `python main.py`.

Most imports are inside functions, because SIGTERM is handled only after `main` has begun.
"""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
import threading
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

DONE = 0
FAILED = 1
REFUSED = 2
INTERRUPTED = 130
_KILL_SECONDS = 1.0  # a second interrupt after this time ends the process at once
_AGAIN_SECONDS = 0.05  # after which an interrupt that was lost is repeated


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command.

    Args:
        argv: the arguments without the program's name. None: those of the process, which then also handles SIGTERM
            like Ctrl-C, and ends when it is interrupted.

    Returns:
        The exit status: 0 done, 1 the program has failed, 2 the request cannot be carried out, 130 interrupted.
    """
    interrupts = _Interrupts()
    try:
        if argv is None:
            interrupts.listen()
            _watch_output()
        return _carry_out(sys.argv[1:] if argv is None else argv)
    except BaseException as error:  # a library can have replaced the KeyboardInterrupt
        if not (isinstance(error, KeyboardInterrupt) or interrupts.were_received):
            raise
    if interrupts.were_received:
        end_process(INTERRUPTED)
    return INTERRUPTED


class _Interrupts:
    """Handles SIGINT and SIGTERM: the first raises KeyboardInterrupt, one after a second ends the process at once.

    This loses no data, because files are always written as a whole.
    """

    def __init__(self) -> None:
        self._received_at: float | None = None

    @property
    def were_received(self) -> bool:
        return self._received_at is not None

    def listen(self) -> None:
        """Handle the signals, except those that the parent process ignores."""
        sys.unraisablehook = self._repeat
        for number in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._handle)

    def _handle(self, number: int, _frame: object) -> None:
        now = time.monotonic()
        if self._received_at is None:
            self._received_at = now
            raise KeyboardInterrupt(number)
        if now > self._received_at + _KILL_SECONDS:
            os._exit(INTERRUPTED)

    def _repeat(self, lost: sys.UnraisableHookArgs) -> None:
        """Interrupt again if Python drops the KeyboardInterrupt, as it does in a destructor."""
        if isinstance(lost.exc_value, KeyboardInterrupt):
            self._received_at = None
            threading.Timer(_AGAIN_SECONDS, os.kill, (os.getpid(), *lost.exc_value.args)).start()
        else:
            sys.__unraisablehook__(lost)


def _carry_out(argv: Sequence[str]) -> int:
    """Carry out a command, or print the error in one line, and return the exit status."""
    _prepare_streams()
    from othello import texts
    from othello.cli.arguments import parse
    from othello.cli.messages import print_message
    from othello.errors import OthelloError, PlayerError, Reason, reason_of
    from othello.resources import settings_folder
    from othello.translations import read_languages

    for problem in read_languages(settings_folder()):
        print_message(str(problem))
    texts.use(texts.SYSTEM)
    try:
        try:
            arguments = parse(argv)
            arguments.command(arguments)
        finally:
            sys.stdout.flush()  # also after --help, which raises SystemExit
    except OthelloError as error:
        print_message(str(error))
        return FAILED if isinstance(error, PlayerError) else REFUSED
    except OSError as error:
        if error is not getattr(sys.stdout, "error", None):
            reason = reason_of(error)
            print_message(
                str(Reason("in_file", {"path": error.filename, "reason": reason}) if error.filename else reason)
            )
            return REFUSED
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python prints the error again when it exits
        if not isinstance(error, BrokenPipeError):  # a closed pipe, as by `head`, is no error
            print_message(str(Reason("no_output", {"reason": reason_of(error)})))
            return REFUSED
    return DONE


class _Output(io.TextIOWrapper):
    """Standard output that stores its last error, to distinguish it from errors of other files."""

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


def _prepare_streams() -> None:
    """Replace closed streams, and escape characters that the terminal cannot show."""
    if sys.stdout is None or sys.stderr is None:
        null = open(os.devnull, "w")  # noqa: SIM115, PTH123 (for as long as the process lives)
        sys.stdout, sys.stderr = sys.stdout or null, sys.stderr or null
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def end_process(status: int) -> NoReturn:
    """End the process without waiting for its threads: one may be in compiled code."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            stream.flush()
    os._exit(status)
