"""How a person has fared against the levels: the score against each, and a rating that goes with every game.

Only games of one person against a measured level count. The rating begins with the
first opponent's Elo; the nth game moves it by `step(n)` times what was scored more than expected, which is 1 / (1 + 10
** ((the level's Elo - the rating) / 400)).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from othello.errors import OthelloError
from othello.players.levels import COUNT, measured
from othello.records.game_file import Listed
from othello.rules.registry import game_spec

FIRST_STEP: Final = 400.0
LAST_STEP: Final = 40.0


@dataclass(frozen=True, slots=True)
class Rated:
    """A game that counts."""

    date: str  # when it began, as 2026-01-31T18:30:00
    level: int  # of the opponent, from 1
    elo: int  # of that level
    score: float  # 1 won, 0.5 drawn, 0 lost
    rating: float  # of the person after it


@dataclass(frozen=True, slots=True)
class Score:
    """All games against one level."""

    level: int
    elo: int
    won: int
    drawn: int
    lost: int


@dataclass(frozen=True, slots=True)
class Career:
    """All games of one kind that count, the first one first."""

    games: tuple[Rated, ...] = ()

    @property
    def scores(self) -> Sequence[Score]:
        """Against every level that was played, the weakest first."""
        found = []
        for level in sorted({game.level for game in self.games}):
            own = [game for game in self.games if game.level == level]
            won, drawn, lost = (sum(game.score == score for game in own) for score in (1.0, 0.5, 0.0))
            found.append(Score(level, own[-1].elo, won, drawn, lost))
        return found


def step(number: int) -> float:
    """How far a game moves the rating at most, the first one being 1: at first nobody knows how strong a person is."""
    return max(FIRST_STEP / number, LAST_STEP)


def expected(rating: float, elo: float) -> float:
    """What a player of that rating scores against such an opponent on average, 0 .. 1."""
    return 1 / (1 + 10 ** ((elo - rating) / 400))


def careers(listed: Iterable[Listed]) -> dict[str, Career]:
    """The career in every game that was played against levels, by the game's name; usual rules and start only."""
    found: dict[str, list[Rated]] = {}
    for each in sorted(listed, key=lambda each: each.date):
        against = _against_level(each)
        if against is not None:
            level, elo, score = against
            games = found.setdefault(each.game, [])
            before = games[-1].rating if games else float(elo)
            rating = before + step(len(games) + 1) * (score - expected(before, elo))
            games.append(Rated(each.date, level, elo, score, rating))
    return {game: Career(tuple(games)) for game, games in found.items()}


def _against_level(listed: Listed) -> tuple[int, int, float] | None:
    """Level, its Elo and the person's score; None where the game does not count."""
    winner, person = listed.result.get("winner"), listed.person
    if winner not in ("black", "white", "draw") or person is None or listed.told.rules or not listed.told.counts:
        return None
    level = listed.players[person.opponent].get("level")
    if type(level) is not int or not 1 <= level <= COUNT:
        return None
    try:
        known = measured(level, game_spec(listed.game))
    except OthelloError:
        return None
    score = 0.5 if winner == "draw" else float(winner == person.label)
    return None if known is None else (level, known.elo, score)
