"""The two players' times as their cards show them."""

from __future__ import annotations

from typing import Final

from othello.gui import wording
from othello.play.session import Session
from othello.rules.protocol import Color

TICK_SECONDS: Final = 0.1  # the finest step that is shown
_LOW_SECONDS: Final = 10.0  # on a clock, time that is called low
_LOW_SHARE: Final = 0.2  # and of a short clock, so much of it


def shown(session: Session, color: Color, now: float) -> str:
    """What a side has left on its clock, or has used where it has none.

    A person's time is told to the second: nobody cares for more, and a window that waits for a person is to cost
    next to nothing.
    """
    remaining = session.remaining(color, now)
    if remaining is not None:
        return wording.time_left(remaining)
    return wording.time_used(session.clock.used(color, now), tenths=not session.seats[color].is_user)


def is_low(session: Session, color: Color, now: float) -> bool:
    """Whether a side's clock has hardly any time left."""
    remaining, limit = session.remaining(color, now), session.seats[color].clock_seconds
    return remaining is not None and limit is not None and remaining < min(_LOW_SECONDS, limit * _LOW_SHARE)


def until_change(session: Session, color: Color, now: float) -> float:
    """How long the running time of a person looks the same, in seconds."""
    remaining = session.remaining(color, now)
    if remaining is None:
        return 1.01 - session.clock.used(color, now) % 1
    return TICK_SECONDS if remaining <= wording.TENTHS_LEFT + 1 else remaining % 1 + 0.01
