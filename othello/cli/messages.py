"""What the program has to tell besides its results: on stderr, each in one line."""

from __future__ import annotations

import sys

from othello.errors import legible


def tell(message: str) -> None:
    """Write a message, so that nothing in it can break the line, or colour a terminal."""
    print(f"othello: {legible(message)}", file=sys.stderr)
