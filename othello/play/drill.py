"""Exercises one after the other: which one is tried, and how each was ended the first time."""

from __future__ import annotations

from collections.abc import Sequence

from othello.play.deck import Deck
from othello.play.training import Exercise, Trial


class Drill:
    """Some exercises of a deck."""

    def __init__(self, deck: Deck, exercises: Sequence[Exercise]) -> None:
        self.deck = deck
        self.trials = [Trial(exercise) for exercise in exercises]  # all of them, as far as they were tried
        self.index = 0  # of the current exercise; behind the last when all are done
        # how an exercise was ended the first time: only that counts, however often it is tried again
        self.ended: dict[int, Trial] = {}

    @property
    def trial(self) -> Trial | None:
        """What is tried, None when all are through."""
        return self.trials[self.index] if self.index < len(self.trials) else None

    @property
    def known(self) -> int:
        """How many were found at once."""
        return sum(trial.is_known for trial in self.ended.values())

    def go_to(self, index: int) -> None:
        self.index = min(max(0, index), len(self.trials))

    def change(self, trial: Trial) -> None:
        """Continue the current exercise, and tell the deck when it is over for the first time."""
        self.trials[self.index] = trial
        if trial.is_over and self.index not in self.ended:
            self.ended[self.index] = trial
            self.deck.settle(trial)
