"""A game of a tournament in which a person plays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from othello.config import Config
from othello.game import AnyGame
from othello.play import commands as cmd
from othello.play.news import Searcher
from othello.play.session import Session
from othello.records.record import GameRecord

_TAKES_BACK: Final = (cmd.Undo, cmd.Redo, cmd.SwapSides, cmd.HandOver)

_HOLDS: Final = (cmd.TogglePause, cmd.Step)


@dataclass(frozen=True, slots=True)
class Terms:
    """What was agreed before the game.

    Attributes:
        start: what it begins with: the moves of its opening.
        seed: of the game.
        time_margin_seconds: how far a computer may overstep its time limit.
        occasion: which game it is, in ever fewer words.
    """

    start: AnyGame
    seed: int
    time_margin_seconds: float
    occasion: tuple[str, ...]


class RatedSession(Session):
    """One game that counts. A computer that fails, or oversteps its time limit, loses it.

    Attributes:
        is_left: whether the person has seen the end of the game and wants to go on.
    """

    def __init__(
        self,
        config: Config,
        terms: Terms,
        searcher: Searcher,
        now: float,
        on_finished: Callable[[GameRecord], None],
    ) -> None:
        self._terms = terms
        self.is_left = False
        super().__init__(config, searcher, now, on_finished)

    def _start(self) -> tuple[AnyGame, int]:
        return self._terms.start, self._terms.seed

    @property
    def is_rated(self) -> bool:
        return True

    @property
    def occasion(self) -> tuple[str, ...]:
        return self._terms.occasion

    @property
    def can_undo(self) -> bool:
        return False

    def do(self, command: cmd.SessionCommand, now: float) -> None:
        if isinstance(command, cmd.NewGame):
            self.is_left = self.is_over
        elif not (isinstance(command, _TAKES_BACK) or (isinstance(command, _HOLDS) and self._is_timed)):
            super().do(command, now)

    @property
    def _is_timed(self) -> bool:
        """Whether a person's clock runs, which nobody may hold."""
        return self.awaits_person and self.seat.clock_seconds is not None

    @property
    def _limit(self) -> float | None:
        """The longest that the side to move may take, None where it may take any time."""
        limit = self.seat.time_limit_seconds
        return None if limit is None or self.seat.is_user else limit + self._terms.time_margin_seconds

    def _check_faults(self, now: float) -> None:
        super()._check_faults(now)
        if self.is_over:
            return
        thinking, limit = self.thinking, self._limit
        if thinking.failure is not None:
            self._forfeit(f"failed: {thinking.failure}", now)
        elif limit is not None and thinking.started_at is not None:
            spent = (now if thinking.ended_at is None else thinking.ended_at) - thinking.started_at
            if spent > limit:
                self._forfeit(f"took {spent:.2f} s for a move, {limit:g} s are allowed", now)
