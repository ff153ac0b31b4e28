"""What the program has to tell besides its results: on stderr, each in one line."""

from __future__ import annotations

import sys


def tell(message: str) -> None:
    """Write a message, with everything that could break the line, or colour a terminal, made visible."""
    line = "".join(symbol if symbol.isprintable() else repr(symbol)[1:-1] for symbol in message)
    print(f"othello: {line}", file=sys.stderr)
