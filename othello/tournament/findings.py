"""What games show and what they do not, as values without words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from othello.rules.protocol import Color
from othello.tournament.ratings import groups
from othello.tournament.standings import PlayerTotal, Standings
from othello.tournament.statistics import Interval, Units

_LEVEL_ELO: Final = 0.5


@dataclass(frozen=True, slots=True)
class Rivals:
    """Players that met, directly or through others, and what their games show."""

    names: Sequence[str]  # the strongest first
    elo: Mapping[str, Interval]  # of all players
    scores: Mapping[str, Mapping[str, Units]]  # by player and opponent, what the player scored
    beaten: Mapping[str, set[str]]  # by player, whom it is shown to be stronger than

    @property
    def leader(self) -> str:
        return self.names[0]

    @property
    def doubted(self) -> list[str]:
        """Players that may be as strong as the leader, by their own games against it."""
        return [name for name in self.names[1:] if name not in self.beaten[self.leader]]

    @property
    def more_games(self) -> int | None:
        """About how many more games of all pairs would remove the doubts, None where nobody plays so many."""
        pairs, own = sum(map(len, self.scores.values())) // 2, self.scores[self.leader]
        needed = [own[name].more_games(pairs) for name in self.doubted if name in own and own[name].score > 0.5]
        known = [games for games in needed if games is not None]
        return pairs * max(known) if known and len(known) == len(self.doubted) else None

    @property
    def is_level(self) -> bool:
        """Whether there is no leader."""
        return self.elo[self.leader].estimate < self.elo[self.names[1]].estimate + _LEVEL_ELO

    def weaker(self, name: str) -> list[str]:
        """The players that this player is shown to be stronger than."""
        return [other for other in self.names if other in self.beaten[name]]

    def undecided(self) -> Iterator[tuple[str, str]]:
        """Pairs whose games show no stronger player."""
        for place, name in enumerate(self.names):
            for other in self.names[place + 1 :]:
                if other in self.scores[name] and other not in self.beaten[name] and name not in self.beaten[other]:
                    yield name, other


@dataclass(frozen=True, slots=True)
class Findings:
    """What a tournament shows."""

    ranking: tuple[PlayerTotal, ...]  # totals of all players, best first
    colors: tuple[PlayerTotal, ...]  # totals of black and white over all players
    elo: Mapping[str, Interval]  # strength of every player, 0 the mean of all who met
    fields: tuple[Rivals, ...]  # groups of two or more players who met
    favoured: Color | None  # the colour that is shown to be better, None where neither is

    @property
    def games(self) -> int:
        return self.colors[Color.BLACK].games

    @property
    def scores(self) -> Mapping[str, Mapping[str, Units]]:
        """By player and opponent, what the player scored; empty before the first game."""
        return self.fields[0].scores if self.fields else {}


def findings(standings: Standings) -> Findings:
    """Work out what the games so far show. With many players this takes a good part of a second."""
    elo, scores, beaten = standings.elo(), dict[str, dict[str, Units]](), dict[str, set[str]]()
    stronger, pairs = standings.stronger(), standings.results().pairs
    for (first, second), units in pairs.items():
        for name, other, scored in ((first, second, units), (second, first, units.mirrored)):
            scores.setdefault(name, {})[other] = scored
            beaten.setdefault(name, set()).update({other} if stronger.get((first, second)) == name else ())
    ranking = standings.ranking()
    return Findings(
        tuple(replace(total) for total in ranking),
        tuple(replace(total) for total in standings.colors),
        elo,
        tuple(
            Rivals(sorted(group, key=lambda name: -elo[name].estimate), elo, scores, beaten)
            for group in groups([total.name for total in ranking if total.games], pairs)
            if len(group) > 1
        ),
        standings.favoured(),
    )
