"""Which game somebody has chosen, and by which rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from othello.errors import OthelloError
from othello.rules.protocol import GameSpec
from othello.rules.registry import GAMES, game_spec


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
        self.options[self.game] = with_rule(self.game, self.options[self.game], option, value)

    @property
    def spec(self) -> GameSpec:
        """The game, by the rules that were chosen for it."""
        try:
            return game_spec(self.game, self.options[self.game])
        except OthelloError:  # what was chosen together does not go together
            return game_spec(self.game)


def with_rule(game: str, options: Mapping[str, Any], option: str, value: Any) -> dict[str, Any]:
    """Rules of a game after one of them was chosen; those that follow from the others then follow anew."""
    known = {each.name: each for each in GAMES[game].options}
    kept = {name: each for name, each in options.items() if known[option].is_optional or not known[name].is_optional}
    return {**kept, option: value}
