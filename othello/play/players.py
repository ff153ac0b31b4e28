"""The players by colour, and how they change during a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from othello.config import PlayerConfig
from othello.players.player_registry import configure, title_of
from othello.rules.protocol import Color
from othello.texts import person, side_name, tr

_DEFAULT_COMPUTER: Final = configure("mcts_uct")


class Players(dict[Color, PlayerConfig]):
    """The two players by colour. They are never changed in place.

    Args:
        players: black and white.
        computers: players that take over a colour again when a user leaves it.
    """

    def __init__(self, players: Sequence[PlayerConfig], computers: Mapping[Color, PlayerConfig] | None = None) -> None:
        super().__init__(zip(Color, players, strict=True))
        seated = {color: player for color, player in self.items() if not player.is_user}
        self._computers = {**(computers or {}), **seated}

    @property
    def computers(self) -> list[PlayerConfig]:
        return [player for player in self.values() if not player.is_user]

    @property
    def is_between_computers(self) -> bool:
        return len(self.computers) == len(self)

    def title(self, color: Color, game: str) -> str:
        """Return a player's name for windows and records: the given name, or one that differs from the other side's."""
        seat = self[color]
        level = seat.strength.get("level")
        if level is not None and not seat.is_named:
            is_twin = level == self[color.opponent].strength.get("level")
            return tr(f"levels.{level}") + f" {color + 1}" * is_twin
        if not seat.is_user or seat.is_named:
            return title_of(seat)
        return side_name(game, color.label) if self[color.opponent].is_user else person()

    def swapped(self) -> Players:
        return Players([self[Color.WHITE], self[Color.BLACK]], self._computers)

    def handed_over(self, color: Color, player: PlayerConfig | None = None) -> Players:
        """Replace the player of a colour.

        Args:
            color: the colour.
            player: the new player; None: a user replaces a computer and takes over its clock, or the other way round.
        """
        old = self[color]
        if player is not None or old.is_user:
            new = player or self._computers.get(color) or self._computers.get(color.opponent) or _DEFAULT_COMPUTER
            if new == self[color.opponent]:
                forgotten: dict[str, Any] = dict.fromkeys(new.memory_files)  # two players cannot learn into one file
                new = replace(new, **forgotten)
            if new.is_named and new.name == self[color.opponent].name:
                new = replace(new, name=f"{new.name} 2")
        else:
            clock, increment = old.clock_seconds, old.increment_seconds
            new = configure("user", player_color=color, clock_seconds=clock, increment_seconds=increment)
        return Players([new if seat is color else player for seat, player in self.items()], self._computers)
