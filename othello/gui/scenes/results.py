"""Standings, colours and the outcome of a tournament as the window writes them."""

from __future__ import annotations

from othello.gui.following import Following, LiveGame
from othello.gui.views.tournament import LiveState, Row
from othello.rules.protocol import Color
from othello.tournament.standings import Standings
from othello.tournament.statistics import Interval

_KNOWN_ELO = 1000  # a wider interval says nothing


def rows(standings: Standings) -> tuple[Row, ...]:
    """The table of the players, best first."""
    elo = standings.elo()
    return tuple(
        Row(
            (
                str(place),
                total.name,
                f"{total.points:.1f}",
                str(total.wins),
                str(total.draws),
                str(total.losses),
                _signed(total.balance),
                _elo(elo[total.name]),
                f"{total.seconds_per_game:.3f}" if total.seconds_per_game < 10 else f"{total.seconds_per_game:.1f}",
            ),
            total.seconds_per_game,
        )
        for place, total in enumerate(standings.ranking(), 1)
    )


def colors(standings: Standings) -> str:
    """What black and white scored."""
    black, white = (standings.colors[color].points for color in Color)
    return f"Black {black:.1f} points · White {white:.1f} points"


def live(shown: LiveGame) -> LiveState:
    """A game on a board."""
    game = shown.game
    black, white = (player.name for player in shown.job.players)
    last = next((move for move in reversed(game.moves) if not game.rules.is_pass(move)), None)
    return LiveState(black, white, game.ply, game.position, game.rules.score(game.position), last)


def verdict(following: Following, *, is_stopped: bool) -> str:
    """Who won, and whether that shows who is stronger."""
    standings, end = following.standings, following.end
    if not standings.games:
        return "Stopped before the first game was over."
    begin = f"Stopped after {standings.games} games: " if is_stopped else ""
    if end is not None and end.verdict:
        return f"Sequential test: {end.verdict}"
    first, second = standings.ranking()[:2]
    if first.points == second.points:
        return f"{begin}undecided, {first.name} and {second.name} have {first.points:g} points each."
    doubted = _not_shown_weaker(standings, first.name)
    shown = "stronger than every other player (95 %)" if not doubted else f"not shown to be stronger than {doubted}"
    return f"{begin}{first.name} {'is ahead' if is_stopped else 'wins'} with {first.points:g} points; {shown}."


def _not_shown_weaker(standings: Standings, leader: str) -> str:
    """The players that the leader is not shown to be stronger than, in words; empty where there is none."""
    doubted = [name for name in standings.players if name != leader]
    for (first, second), units in standings.results().pairs.items():
        if (first == leader and units.interval.low > 0.5) or (second == leader and units.interval.high < 0.5):
            doubted.remove(second if first == leader else first)
    return " or ".join(doubted)


def _elo(interval: Interval) -> str:
    reach = (interval.high - interval.low) / 2
    return f"{_signed(round(interval.estimate))} ± {reach:.0f}" if reach < _KNOWN_ELO else "–"


def _signed(number: int) -> str:
    return f"{number:+d}".replace("-", "−") if number else "0"
