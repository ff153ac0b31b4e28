"""How fast a game between computers is shown."""

from __future__ import annotations

from typing import Final

PACES: Final = (0.0, 0.2, 0.4, 0.8, 1.5, 3.0, 6.0)
"""Seconds from one computer move to the next, fastest first."""

PASS_SECONDS: Final = 2.0
"""How long a pass is announced before it is made."""

RESULT_SECONDS: Final = 4.0
"""How long a result stays before the next repetition between computers begins."""


def slower(delay: float, steps: int) -> float:
    """The pace so many steps slower, or faster where `steps` is negative, as far as there is one."""
    nearest = min(range(len(PACES)), key=lambda index: abs(PACES[index] - delay))
    return PACES[min(max(nearest + steps, 0), len(PACES) - 1)]
