"""Messages on stderr, and the width of the terminal."""

import shutil
import sys

from othello.errors import printable


def print_message(message: str) -> None:
    """Print a message to stderr in one line, with control characters escaped."""
    print(f"othello: {printable(message)}", file=sys.stderr)


def terminal_width() -> int:
    """Return the columns of the terminal; 0 if the output goes to a file or another program."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
