"""The command line: what `othello`, `python -m othello` and `python main.py` do."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

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
        # The reader, `head` for one, has seen enough. Python would complain again when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return DONE


def _one_line(message: str) -> str:
    """The message with everything that could break a line, or colour a terminal, made visible."""
    return "".join(symbol if symbol.isprintable() else repr(symbol)[1:-1] for symbol in message)
