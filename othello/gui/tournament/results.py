"""Standings, colours and the outcome of a tournament as the window writes them."""

from __future__ import annotations

from typing import Final

from othello.config import Config
from othello.game import AnyGame
from othello.gui import wording
from othello.gui.faces.board import BoardState
from othello.gui.tournament.following import Following, LiveGame
from othello.gui.tournament.panels import LiveState, Standing
from othello.play.referee import Forfeit
from othello.players.registry import configure
from othello.records.record import GameRecord
from othello.rules.protocol import Color, Position, Rules
from othello.rules.registry import rules_of
from othello.texts import say
from othello.tournament.experiment import Experiment
from othello.tournament.findings import Findings
from othello.tournament.schedule import most_games_per_pair
from othello.tournament.standings import PlayerTotal, Standings
from othello.tournament.statistics import Interval
from othello.tournament.watched import PersonInvited

_LEAST_RATE: Final = 0.1  # of games a second; a smaller one says nothing to anybody
_KNOWN_ELO: Final = 1000  # a wider interval says nothing
_PERSON: Final = configure("user").name  # as results call the person where nobody gave a name


def called(name: str) -> str:
    """A player's name; the person is spoken to."""
    return say("players.you") if name == _PERSON else name


def rows(found: Findings, *, counts: bool) -> tuple[Standing, ...]:
    """The table of the players, best first; with their balance where the game counts discs."""
    return tuple(
        Standing(
            (
                str(place),
                called(total.name),
                f"{total.points:.1f}",
                str(total.wins),
                str(total.draws),
                str(total.losses),
                *([wording.signed(total.balance)] if counts else []),
                _elo(found.elo[total.name]),
                _seconds(total),
            ),
            total.seconds_per_game,
        )
        for place, total in enumerate(found.ranking, 1)
    )


def colors(found: Findings, rules: Rules[Position]) -> str:
    """What each side of the game scored."""
    black, white = (f"{found.colors[color].points:.1f}" for color in Color)
    first, second = (wording.side(rules, color) for color in Color)
    return say("hall.colors", black=black, white=white, first=first, second=second)


def forfeit(record: GameRecord) -> str:
    """How a game was lost that was not played to its end."""
    loser = called(record.black if record.winner is Color.WHITE else record.white)
    told = Forfeit.read(record.reason)
    if told is None:
        return say("hall.forfeit", name=loser, game=record.game)
    reason = wording.fault(rules_of(record.spec), told)
    return say("hall.forfeit_because", name=loser, game=record.game, reason=reason)


def live(shown: LiveGame, *, is_last: bool) -> LiveState:
    """A game on a board.

    Args:
        shown: the game.
        is_last: whether nothing more will happen to it.
    """
    game, record = shown.game, shown.record
    black, white = (player.name for player in shown.job.players)
    note = say("hall.broken_off", ply=game.ply) if is_last else say("hall.move", ply=game.ply)
    if record is not None:
        note = wording.outcome(game.rules, record.winner)
        note = say("hall.forfeited", result=note) if record.reason else note
    score = _score(*game.rules.score(game.position)) if game.rules.points else ""
    board = BoardState(game.position, last_move=game.last_move, is_over=is_last or record is not None)
    return LiveState(called(black), called(white), board, note, score)


def invited(
    invitation: PersonInvited, config: Config, standings: Standings, under_way: AnyGame | None = None
) -> LiveState:
    """The person's game: on the board as it begins or stands, with the score of the two players so far."""
    game = under_way or invitation.start
    black, white = (player.name for player in invitation.job.players)
    before = _score(*_points(standings, black, white))
    board = BoardState(game.position, last_move=game.last_move)
    return LiveState(called(black), called(white), board, _game_of(config, standings, black, white), before)


def occasion(invitation: PersonInvited, config: Config, standings: Standings) -> tuple[str, ...]:
    """Which game of the two players it is, in ever fewer words."""
    black, white = (player.name for player in invitation.job.players)
    which, score = _game_of(config, standings, black, white), _score(*_points(standings, black, white))
    so_far = say("hall.so_far", black=called(black), score=score, white=called(white))
    return f"{which} · {so_far}", f"{which} · {score}", which


def title(following: Following, *, is_playing: bool) -> str:
    """What is on the boards; `is_playing`: a game of the person's is under way."""
    if following.invitation is not None:
        return say("hall.your_game" if is_playing else "hall.next_game")
    return say("hall.live" if following.end is None else "hall.last")


def progress(following: Following, experiment: Experiment) -> str:
    """How many games are done of how many, how fast, and how long it will take."""
    most, games = experiment.most_games, following.standings.games
    rate = f"{following.games_per_second:.3g}" if following.games_per_second >= _LEAST_RATE else ""
    rate = rate and say("hall.rate", rate=rate)
    if following.end is not None:
        return " · ".join(filter(None, (say("hall.games", n=games), rate)))
    is_open = experiment.config.tournament.is_best_of_3
    done = say("hall.done_of_at_most" if is_open else "hall.done_of", n=most, games=games)
    left = following.seconds_left
    time_left = "" if left is None else say("hall.left", time=wording.rough_time(left))
    return " · ".join(filter(None, (done, rate, time_left)))


def has_others(config: Config) -> bool:
    """Whether computers play each other beside the person, too."""
    return sum(not player.is_user for player in config.players) > 1


def _game_of(config: Config, standings: Standings, black: str, white: str) -> str:
    most = most_games_per_pair(config)
    game = int(sum(_points(standings, black, white))) + 1
    is_open = config.tournament.is_best_of_3
    return say("hall.game_of_at_most" if is_open else "hall.game_of", game=game, most=most)


def _points(standings: Standings, black: str, white: str) -> tuple[float, float]:
    """What two players scored against each other so far."""
    for (first, second), units in standings.results().pairs.items():
        if {first, second} == {black, white}:
            points = (units.points, units.games - units.points)
            return points if first == black else points[::-1]
    return 0.0, 0.0


def _score(black: float, white: float) -> str:
    return f"{black:g} : {white:g}"


def verdict(following: Following, config: Config, *, is_stopped: bool) -> str:
    """Who won, and whether that shows who is stronger."""
    found, end = following.findings, following.end
    if not found.games:
        return say("hall.stopped_at_once")
    begin = say("hall.stopped", games=say("hall.games", n=found.games)) if is_stopped else ""
    if end is not None and end.verdict is not None:
        first, second = (player.name for player in config.players)
        more, than = (f"{elo:g}" for elo in end.verdict.elo)
        accepted, games = end.verdict.accepted, end.verdict.games
        return say(
            "hall.sequential_test", first=first, second=second, accepted=accepted, games=games, more=more, than=than
        )
    return f"{begin} {_lead(found)}".lstrip()


def _lead(found: Findings) -> str:
    """Who is ahead, and of whom the games show that they are weaker."""
    (field, *_) = found.fields
    name, is_person = field.leader, field.leader == _PERSON
    others = ", ".join(say("players.you_too") if name == _PERSON else name for name in field.doubted or field.names[1:])
    if field.doubted:
        return say("hall.you_not_shown" if is_person else "hall.not_shown", name=name, others=others)
    return say("hall.you_stronger" if is_person else "hall.stronger", name=name, others=others)


def _seconds(total: PlayerTotal) -> str:
    if not total.games:
        return "–"
    return f"{total.seconds_per_game:.3f}" if total.seconds_per_game < 10 else f"{total.seconds_per_game:.1f}"


def _elo(interval: Interval) -> str:
    reach = (interval.high - interval.low) / 2
    return f"{wording.signed(round(interval.estimate))} ± {reach:.0f}" if reach < _KNOWN_ELO else "–"
