"""The command line: what `othello`, `python -m othello` and `python main.py` do."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from othello.cli.arguments import parse
from othello.cli.messages import tell
from othello.errors import OthelloError

DONE = 0
CANNOT = 2
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the arguments say.

    Args:
        argv: the arguments without the program's name; the process's own by default.

    Returns:
        The exit status: 0 done, 2 what was asked cannot be done, 130 interrupted.
    """
    if sys.stdout is None or sys.stderr is None:  # the caller has closed them
        nowhere = Path(os.devnull).open("w")  # noqa: SIM115 (for as long as the process lives)
        sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # names of players need not be in the terminal's letters
    try:
        arguments = parse(sys.argv[1:] if argv is None else argv)
        arguments.command(arguments)
        sys.stdout.flush()
    except OthelloError as error:
        tell(str(error))
        return CANNOT
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _silence()  # the reader, `head` for one, has seen enough
    except OSError as error:  # files are opened with errors of their own; what is left is the standard output
        _silence()
        tell(f"the output cannot be written: {error.strerror}")
        return CANNOT
    return DONE


def _silence() -> None:
    """Drop what could not be written to stdout: Python would complain again when it closes it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
