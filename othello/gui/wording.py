"""Numbers and names as the window writes them."""

from __future__ import annotations

import math
from typing import Final

from othello.config import MCTS_TYPES, UNBOUNDED_DEPTH, UNBOUNDED_SIMULATIONS, PlayerConfig
from othello.play.seats import Seats
from othello.play.session import Session
from othello.rules.protocol import Color
from othello.search.report import Unit

TENTHS_LEFT: Final = 10  # with less on it, in seconds, a clock shows tenths
_FINISHED_SCORE: Final = 10_000  # see `Unit.SCORE`
_NAMES: Final = {
    "random": "Random",
    "simple_heuristic": "Greedy",
    "heuristic": "Alpha-beta",
    "mcts_uct": "UCT",
    "mcts_ucb1": "UCB1-tuned",
    "mcts_grouping": "Grouping",
}


def player_name(seats: Seats, color: Color) -> str:
    """What a side is called: its own name, else one that tells the two sides apart."""
    seat = seats[color]
    number = seat.name.removeprefix(seat.player_type)  # config.py numbers players without a name
    if number and not number.strip().isdigit():
        return seat.name
    if seat.is_user:
        return color.title if seats[color.opponent].is_user else "You"
    return _NAMES.get(seat.player_type, seat.player_type) + number


def player_details(seat: PlayerConfig) -> tuple[str, ...]:
    """Type and strength in a few words, and in fewer for where there is no room."""
    if seat.is_user:
        return ("Human",)
    words = [seat.player_type]
    if seat.player_type in MCTS_TYPES:
        if seat.simulation_count < UNBOUNDED_SIMULATIONS:
            words.append(f"{count(seat.simulation_count)} sims")
    elif seat.player_type == "heuristic" and seat.depth < UNBOUNDED_DEPTH:
        words.append(f"depth {seat.depth}")
    if seat.time_limit_seconds is not None:
        words.append(f"{seat.time_limit_seconds:g} s")
    return " · ".join(words), " · ".join(words[1:]) or words[0], words[-1]


def time_used(seconds: float, tenths: bool) -> str:
    """Minutes and seconds; with tenths, where they are wanted, in the first minute."""
    return _minutes(int(seconds * 10), tenths and seconds < 60)


def time_left(remaining: float) -> str:
    """What a clock shows: minutes and seconds, and tenths when it comes to them. It shows 0 when it is over."""
    left = max(0.0, remaining)
    return _minutes(math.ceil(left * 10) if left < TENTHS_LEFT else int(left) * 10, left < TENTHS_LEFT)


def _minutes(in_tenths: int, tenths: bool) -> str:
    seconds, tenth = divmod(in_tenths, 10)
    return f"{seconds // 60}:{seconds % 60:02}" + (f".{tenth}" if tenths else "")


def games(number: int) -> str:
    """So many games."""
    return f"{number} game{'' if number == 1 else 's'}"


def rough_time(seconds: float) -> str:
    """A time to wait, in the unit that fits."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes / 60:.0f} h"


def count(number: float) -> str:
    """A count in at most four characters or so: 950, 7.4k, 48k, 1.4M."""
    for limit, divisor, suffix in ((1e3, 1, ""), (1e4, 1e3, "k"), (1e6, 1e3, "k"), (1e7, 1e6, "M"), (1e9, 1e6, "M")):
        if number < limit:
            return f"{number / divisor:.{int(limit in (1e4, 1e7))}f}{suffix}"
    return f"{number / 1e9:.1f}G"


def value(amount: float, unit: Unit) -> str:
    """A search's value: a share of wins, points with their sign, or by how much the game is won or lost."""
    if unit is Unit.SCORE and abs(amount) >= _FINISHED_SCORE:
        return f"{'won' if amount > 0 else 'lost'} {abs(amount) - _FINISHED_SCORE:.0f}"
    return f"{100 * amount:.1f}%" if unit is Unit.REWARD else f"{amount:+.0f}".replace("-", "−")


def status(session: Session, typed: str, counts: bool) -> str:
    """What is going on, in a sentence or two.

    Args:
        session: tells what is going on.
        typed: the first half of a typed move, empty where there is none.
        counts: whether legal squares show how many discs they capture.
    """
    game = session.game
    name = player_name(session.seats, game.to_move)
    mover = name if name == game.to_move.title else f"{game.to_move.title} ({name})"
    notice = session.notice or session.thinking.not_kept
    if notice is not None:
        return notice
    if typed:
        return f"{typed}… now a digit, 1 to 8."
    if not session.is_live:
        return f"Looking at move {session.shown_ply} of {game.ply}. End or Esc returns to the game."
    way_on = " Ctrl+N goes on." if session.is_rated else ""
    if session.forfeit is not None:
        return f"{session.forfeit.title} {session.fault}. {session.forfeit.opponent.title} wins.{way_on}"
    if game.outcome is not None:
        return f"{game.outcome.text}, {game.outcome.black} : {game.outcome.white}.{way_on}"
    if session.failure is not None:
        return f"{mover} did not move."
    if game.must_pass:
        return f"{mover} has no legal move and passes."
    passed = f"{game.to_move.opponent.title} passed. " if game.moves and game.rules.is_pass(game.moves[-1]) else ""
    if session.seat.is_user:
        preparing = session.thinking.preparing
        note = f" Preparing {preparing} meanwhile…" if preparing else ""
        held = " Paused: the computer will not answer." if session.paused and not session.is_between_computers else ""
        numbers = "" if held or note or passed or not counts else " Numbers show how many discs each move captures."
        return f"{passed}{game.to_move.title} to move.{held}{note}{numbers}"
    if session.thinking.preparing is not None:
        return f"{passed}Preparing the engine… the first time takes a little longer."
    if session.paused:
        return f"{passed}Paused. Space goes on, a full stop makes one move."
    return f"{passed}{mover} is thinking…"


def next_steps(session: Session) -> str:
    """What a person can do about a failed player."""
    undo = "undo, " if session.can_undo else ""
    return f"Start a new game, {undo}or take the side over ({'F3' if session.game.to_move else 'F2'})."
