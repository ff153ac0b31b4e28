"""The two sides' cards: names, times, points, and when they look different."""

from __future__ import annotations

from typing import Final

from othello.config import PlayerConfig
from othello.game import AnyGame
from othello.gui import wording
from othello.gui.views import frame
from othello.play.clock import Clock
from othello.play.session import Session
from othello.rules.protocol import Color
from othello.texts import say

_TICK_SECONDS: Final = 0.1  # the finest step of time that is shown
_LOW_SECONDS: Final = 10.0  # on a clock, time that is called low
_LOW_SHARE: Final = 0.2  # and of a short clock, so much of it


def card(session: Session, color: Color, now: float, played_out: AnyGame | None = None) -> frame.CardState:
    """What the card of a side shows: all of it of the position that is looked at, or that a line is played out to."""
    game = played_out or session.view.shown
    is_live = session.view.is_live and played_out is None
    then = session.history.tree.known(session.view.shown)
    seats = session.seats if is_live or then.seats is None else then.seats
    is_over = session.referee.is_over if is_live else game.is_over
    is_active = game.to_move is color and not is_over
    has_passed = any(map(game.rules.is_pass, game.moves[-1:])) and not is_active and not is_over
    note = say("cards.passed") if has_passed else say("cards.passes") if is_active and game.must_pass else ""
    thinking = _thinking_seconds(session, now) if is_active and is_live else None
    if is_active and thinking is None and not note:  # the border alone is not to tell whose turn it is
        note = say("cards.to_move")
    clock = session.referee.clock if is_live else then.clock
    remaining, limit = clock.remaining(color, seats[color], now), seats[color].clock_seconds
    return frame.CardState(
        color=color,
        name=wording.player_name(game.rules, seats, color),
        details=wording.player_details(seats[color]),
        points=str(game.rules.score(game.position)[color]) if game.rules.points else "",
        unit=say(f"games.{game.rules.name}.points", ""),
        time=_time(clock, seats[color], color, now),
        has_clock=limit is not None,
        is_low=remaining is not None and limit is not None and remaining < min(_LOW_SECONDS, limit * _LOW_SHARE),
        is_out=remaining is not None and remaining <= 0,
        is_active=is_active,
        thinking=thinking,
        note=note,
    )


def _time(clock: Clock, seat: PlayerConfig, color: Color, now: float) -> str:
    """What a side has left on its clock, or has used where it has none.

    A person's time is told to the second: nobody cares for more, and a window that waits for a person is to cost
    next to nothing.
    """
    remaining = clock.remaining(color, seat, now)
    if remaining is not None:
        return wording.time_left(remaining)
    return wording.time_used(clock.used(color, now), tenths=not seat.is_user)


def next_change(session: Session, now: float, *, is_covered: bool = False) -> float | None:
    """When a time that runs looks different, None where none runs.

    Args:
        session: whose times are shown.
        now: the current time.
        is_covered: something lies over the cards. Nobody follows then what is used of a time without limit.
    """
    color = session.referee.clock.running
    if session.thinking.is_running:
        return now + _TICK_SECONDS
    if color is None or (is_covered and session.referee.remaining(color, now) is None):
        return None
    return now + _until_change(session, color, now)


def _until_change(session: Session, color: Color, now: float) -> float:
    """How long the running time of a person looks the same, in seconds."""
    remaining = session.referee.remaining(color, now)
    if remaining is None:
        return 1.01 - session.referee.clock.used(color, now) % 1
    return _TICK_SECONDS if remaining <= wording.TENTHS_LEFT + 1 else remaining % 1 + 0.01


def _thinking_seconds(session: Session, now: float) -> float | None:
    """Time since the search began, in steps that can be seen."""
    thinking = session.thinking
    if not thinking.is_running or thinking.started_at is None:
        return None
    return int(max(0.0, now - thinking.started_at) / _TICK_SECONDS) * _TICK_SECONDS
