"""The game that somebody wants: which one, by which rules, against whom, on which side, with which clock."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from othello.config import PlayerConfig
from othello.errors import OthelloError, Reason
from othello.gui.dialogs.game_choice import ChosenRules
from othello.gui.dialogs.player_form import SAME_NAME, form_of, player_of
from othello.play.session import Session
from othello.players import levels
from othello.players.registry import configure, refusal
from othello.rules.protocol import Color
from othello.rules.registry import GAMES
from othello.texts import say

CLOCKS: Final = (0.0, 60.0, 300.0, 900.0)
INCREMENTS: Final = (0.0, 2.0, 5.0)
RANDOM: Final = "random"
_SIDES: Final = ("black", "white", RANDOM)
_USUAL_LEVEL: Final = 3


@dataclass
class WantedGame(ChosenRules):
    """What was chosen so far.

    Attributes:
        level: of the opponent, 1 .. `levels.COUNT`.
        side: the person's: "black", "white" or "random".
        clock: seconds of each side, 0 where there is no clock for both.
        increment: seconds gained with a move.
        has_forms: whether both players are described in forms, and not by level and side.
        forms: of black and white.
    """

    level: int
    side: str
    clock: float
    increment: float
    has_forms: bool
    forms: list[dict[str, Any]]

    @classmethod
    def remembered(cls, last: Mapping[str, Any], session: Session) -> WantedGame:
        """The last choice, as far as it can be made out, else the game that is on the table."""
        spec = session.game.rules.spec
        game, level, side = last.get("game"), last.get("level"), last.get("side")
        clock, gain = last.get("clock"), last.get("increment")
        return cls(
            game=game if isinstance(game, str) and game in GAMES else spec.game,
            level=level if type(level) is int and 0 < level <= levels.COUNT else _USUAL_LEVEL,
            side=side if isinstance(side, str) and side in _SIDES else _SIDES[0],
            clock=clock if isinstance(clock, int | float) and clock in CLOCKS else 0.0,
            increment=gain if isinstance(gain, int | float) and gain in INCREMENTS else 0.0,
            has_forms=last.get("forms") is True,
            forms=[form_of(session.seats[color]) for color in Color],
            options={name: dict(spec.options) if name == spec.game else {} for name in GAMES},
        )

    def choose_clock(self, seconds: float) -> None:
        """Give both sides one clock, or none, whatever clocks of their own the players had."""
        self.clock = seconds
        for form in self.forms:
            form.pop("clock_seconds", None)
            form.pop("increment_seconds", None)

    @property
    def memory(self) -> dict[str, Any]:
        """What is remembered of the choice until the next time."""
        names = ("game", "level", "side", "clock", "increment")
        return {name: getattr(self, name) for name in names} | {"forms": self.has_forms}

    @property
    def opponent(self) -> PlayerConfig:
        """The computer player of the chosen level."""
        return levels.opponent(self.level, "")

    @property
    def players(self) -> tuple[PlayerConfig, PlayerConfig] | None:
        """Black and white; None where a form is wrong."""
        timed: dict[str, Any] = {"clock_seconds": self.clock, "increment_seconds": self.increment} if self.clock else {}
        if self.has_forms:
            try:
                black = player_of(self.forms[0], timed, {self.forms[1]["name"]})
                white = player_of(self.forms[1], timed, {black.name})
            except OthelloError:
                return None
            return (black, white) if self.fault is None else None
        opponent = replace(levels.opponent(self.level, say(f"levels.{self.level}")), **timed)
        person = configure("user", **timed)
        sides = {"black": (person, opponent), "white": (opponent, person)}
        side = secrets.choice(list(sides)) if self.side == RANDOM else self.side
        return sides[side]

    @property
    def fault(self) -> Reason | None:
        """What keeps the players of the forms from this game."""
        for form in self.forms:
            try:
                reason = refusal(player_of(form, {}), self.spec)
            except OthelloError as error:
                reason = error.reason
            if reason is not None:
                return reason
        names = [form["name"] for form in self.forms if form["name"]]
        return SAME_NAME if len(set(names)) < len(names) else None
