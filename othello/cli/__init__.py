"""The command line: what `othello`, `python -m othello` and `python main.py` do."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from othello.cli.arguments import parse
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
    try:
        arguments = parse(sys.argv[1:] if argv is None else argv)
        arguments.command(arguments)
        sys.stdout.flush()
    except OthelloError as error:
        print(f"othello: {_one_line(str(error))}", file=sys.stderr)
        return CANNOT
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _silence()  # the reader, `head` for one, has seen enough
    except OSError as error:  # files are opened with errors of their own; what is left is the standard output
        _silence()
        print(f"othello: the output cannot be written: {error.strerror}", file=sys.stderr)
        return CANNOT
    return DONE


def _silence() -> None:
    """Drop what could not be written to stdout: Python would complain again when it closes it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _one_line(message: str) -> str:
    """The message with everything that could break a line, or colour a terminal, made visible."""
    return "".join(symbol if symbol.isprintable() else repr(symbol)[1:-1] for symbol in message)
