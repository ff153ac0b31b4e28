"""The games that can be played, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from othello.rules.othello import Othello
from othello.rules.protocol import Rules

RULES: Final[dict[str, Callable[[], Rules[Any]]]] = {
    "othello": Othello,
}


def default_rules() -> Rules[Any]:
    """The game of this program."""
    return RULES["othello"]()
