"""Spaced repetition with FSRS: how well something is remembered, and when it is due."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from enum import IntEnum
from typing import Any

from othello.frozen_dataclass import FrozenDataclass


class Rating(IntEnum):
    """The user's recall of a card. The numbers are the ratings of FSRS."""

    AGAIN = 1  # not remembered
    HARD = 2
    GOOD = 3
    EASY = 4

    @classmethod
    def within(cls, seconds: float, easy: float, good: float) -> Rating:
        """Return the rating of a correct answer: EASY within `easy` seconds, GOOD within `good`, otherwise HARD."""
        return cls.EASY if seconds <= easy else cls.GOOD if seconds <= good else cls.HARD


class CardState(FrozenDataclass):
    """The FSRS state of something that the user learns."""

    due: date = date.min  # day of the next review
    stability: float = 0.0  # days until it is remembered with a probability of 90 %; 0: never asked
    difficulty: float = 0.0  # 1 to 10
    reviewed: date = date.min  # day of the last review

    def after(self, recall: Rating, today: date) -> CardState:
        """Return the state after a review. It is due on the day on which the probability drops to 90 %."""
        from fsrs import Card, Rating, Scheduler, State

        # whole days, no random intervals
        scheduler = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
        card = Card(0, State.Review, None, self.stability, self.difficulty, last_review=_midnight(self.reviewed))
        card = card if self.stability else Card(0)
        card, _ = scheduler.review_card(card, Rating(recall), _midnight(today))
        assert card.stability is not None
        assert card.difficulty is not None
        return CardState(card.due.date(), round(card.stability, 4), round(card.difficulty, 4), today)

    @property
    def document(self) -> dict[str, Any]:
        """The state as JSON."""
        if not self.stability:
            return {"due": self.due.isoformat()}
        known = {"stability": self.stability, "difficulty": self.difficulty, "reviewed": self.reviewed.isoformat()}
        return {"due": self.due.isoformat(), "memory": known}


def memory_of(document: Mapping[str, Any]) -> CardState:
    """Return the state in a JSON document; raise a ValueError if a date is invalid."""
    due, known = date.fromisoformat(document["due"]), document.get("memory")
    if known is None:
        return CardState(due)
    return CardState(due, known["stability"], known["difficulty"], date.fromisoformat(known["reviewed"]))


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
