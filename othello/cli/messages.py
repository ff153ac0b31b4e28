"""How the program writes to a terminal: what it has to tell on stderr, each in one line, and how wide results are."""

import shutil
import sys

from othello.errors import legible


def tell(message: str) -> None:
    """Write a message, so that nothing in it can break the line, or colour a terminal."""
    print(f"othello: {legible(message)}", file=sys.stderr)


def terminal_width() -> int:
    """Letters a line of the terminal that results go to; 0 where they go to a file or another program."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
