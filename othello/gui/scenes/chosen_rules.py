"""Which game somebody has chosen, and by which rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from othello.errors import OthelloError
from othello.rules.protocol import GameSpec
from othello.rules.registry import game_spec


@dataclass
class ChosenRules:
    """A choice that can be changed; what was chosen for a game is there again when the game is chosen again.

    Attributes:
        game: its name.
        options: the rules that were chosen, by game.
    """

    game: str
    options: dict[str, dict[str, Any]]

    def choose_rule(self, option: str, value: Any) -> None:
        """Take one rule of the game."""
        self.options[self.game][option] = value
        if option == "size":
            self.options[self.game].pop("win_length", None)

    @property
    def spec(self) -> GameSpec:
        """The game, by the rules that were chosen for it."""
        try:
            return game_spec(self.game, self.options[self.game])
        except OthelloError:  # what was chosen together does not go together
            return game_spec(self.game)
