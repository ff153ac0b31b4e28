"""The user's rating and scores against the levels.

Only games of one user against a measured level count. The rating starts at the first opponent's Elo. The nth game
changes it by `step(n)` times the score above expectation, 1 / (1 + 10 ** ((level's Elo - rating) / 400)).
"""

from collections.abc import Iterable, Sequence
from typing import Final

from othello.errors import OthelloError
from othello.frozen_dataclass import FrozenDataclass
from othello.players.levels import COUNT, measured
from othello.records.game_file import GameListEntry
from othello.rules.registry import game_spec

FIRST_STEP: Final = 400.0
LAST_STEP: Final = 40.0


class Rated(FrozenDataclass):
    """A rated game."""

    date: str  # start, such as 2026-01-31T18:30:00
    level: int  # of the opponent, from 1
    elo: int  # rating of the opponent
    score: float  # 1 for a win, 0.5 for a draw, 0 for a loss
    rating: float  # the user's, after the game


class Score(FrozenDataclass):
    """The results against one level."""

    level: int
    elo: int
    won: int
    drawn: int
    lost: int


class RatingHistory(FrozenDataclass):
    """All rated games of one kind, the oldest first."""

    games: tuple[Rated, ...] = ()

    @property
    def scores(self) -> Sequence[Score]:
        """The results against every level played, the weakest first."""
        scores = []
        for level in sorted({game.level for game in self.games}):
            own = [game for game in self.games if game.level == level]
            won, drawn, lost = (sum(game.score == score for game in own) for score in (1.0, 0.5, 0.0))
            scores.append(Score(level, own[-1].elo, won, drawn, lost))
        return scores


def step(number: int) -> float:
    """Return the largest rating change of the nth game, from 1. It shrinks because the rating becomes more certain."""
    return max(FIRST_STEP / number, LAST_STEP)


def expected(rating: float, elo: float) -> float:
    """Return the expected score against an opponent, 0 to 1."""
    return 1 / (1 + 10 ** ((elo - rating) / 400))


def rating_histories(listed: Iterable[GameListEntry]) -> dict[str, RatingHistory]:
    """Return the rating histories by the name of the game. Only usual rules and start positions count."""
    histories: dict[str, list[Rated]] = {}
    for entry in sorted(listed, key=lambda entry: entry.headers.date):
        against, headers = _against_level(entry), entry.headers
        if against is not None:
            level, elo, score = against
            games = histories.setdefault(headers.game, [])
            before = games[-1].rating if games else float(elo)
            rating = before + step(len(games) + 1) * (score - expected(before, elo))
            games.append(Rated(headers.date, level, elo, score, rating))
    return {game: RatingHistory(tuple(games)) for game, games in histories.items()}


def _against_level(listed: GameListEntry) -> tuple[int, int, float] | None:
    """Return level, its Elo and the user's score; None if the game does not count."""
    headers, person = listed.headers, listed.person
    winner = headers.result.get("winner")
    if winner not in ("black", "white", "draw") or person is None or headers.rules or not headers.counts:
        return None
    level = headers.players[person.opponent].get("level")
    if type(level) is not int or not 1 <= level <= COUNT:
        return None
    try:
        known = measured(level, game_spec(headers.game))
    except OthelloError:
        return None
    score = 0.5 if winner == "draw" else float(winner == person.label)
    return None if known is None else (level, known.elo, score)
