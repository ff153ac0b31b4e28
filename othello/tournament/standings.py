"""What the games add up to: the report's three tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from othello.records.record import GameRecord
from othello.rules.protocol import Color


@dataclass(slots=True)
class PlayerTotal:
    """Sums over one player's games.

    Attributes:
        name: the player.
        wins: games won.
        draws: games drawn.
        losses: games lost.
        discs_won: own discs at the end of all games.
        discs_lost: the opponents' discs.
        seconds: thinking time used.
    """

    name: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    discs_won: int = 0
    discs_lost: int = 0
    seconds: float = 0.0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """1 a win, 0.5 a draw."""
        return self.wins + self.draws / 2

    @property
    def balance(self) -> int:
        return self.discs_won - self.discs_lost

    @property
    def seconds_per_game(self) -> float:
        return self.seconds / self.games if self.games else 0.0


@dataclass(slots=True)
class Standings:
    """Running sums over all games of an experiment; its size does not depend on their number.

    Attributes:
        players: totals by name, in the order of the config.
        by_color: the same sums for black and for white, whoever played.
    """

    players: dict[str, PlayerTotal] = field(default_factory=dict)
    by_color: tuple[PlayerTotal, PlayerTotal] = field(
        default_factory=lambda: (PlayerTotal(Color.BLACK.label), PlayerTotal(Color.WHITE.label))
    )

    @classmethod
    def of(cls, names: Iterable[str]) -> Standings:
        """Empty standings of these players."""
        return cls({name: PlayerTotal(name) for name in names})

    @property
    def games(self) -> int:
        return self.by_color[Color.BLACK].games

    def add(self, record: GameRecord) -> None:
        """Count one game."""
        discs = (record.black_discs, record.white_discs)
        names = (record.black, record.white)
        seconds = (record.black_seconds, record.white_seconds)
        for color in Color:
            player = self.players.setdefault(names[color], PlayerTotal(names[color]))
            for total in (player, self.by_color[color]):
                total.wins += record.winner is color
                total.draws += record.winner is None
                total.losses += record.winner is color.opponent
                total.discs_won += discs[color]
                total.discs_lost += discs[color.opponent]
                total.seconds += seconds[color]

    def ranking(self) -> list[PlayerTotal]:
        """All players, best first: by points, then by disc balance; equals keep their order."""
        return sorted(self.players.values(), key=lambda total: (-total.points, -total.balance))
