"""How well something is remembered, and when it is to be asked again: by FSRS, the free spaced repetition scheduler."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from enum import IntEnum
from typing import Any

from othello.frozen import Frozen


class Recall(IntEnum):
    """How something was remembered; the numbers are those of FSRS."""

    AGAIN = 1  # not
    HARD = 2
    GOOD = 3
    EASY = 4

    @classmethod
    def within(cls, seconds: float, easy: float, good: float) -> Recall:
        """Of what was known at once: it was easy up to so many seconds, good up to more, and hard beyond."""
        return cls.EASY if seconds <= easy else cls.GOOD if seconds <= good else cls.HARD


class Memory(Frozen):
    """What FSRS knows of something that a person learns."""

    due: date = date.min  # when it is to be asked next
    stability: float = 0.0  # after so many days nine of ten such things are still known; 0: it was never asked
    difficulty: float = 0.0  # from 1 to 10
    reviewed: date = date.min  # when it was asked last

    def after(self, recall: Recall, today: date) -> Memory:
        """The same after one more answer: it comes again on the day on which it would be forgotten one time in ten."""
        from fsrs import Card, Rating, Scheduler, State

        scheduler = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)  # whole days, no chance
        card = Card(0, State.Review, None, self.stability, self.difficulty, last_review=_midnight(self.reviewed))
        card = card if self.stability else Card(0)
        card, _ = scheduler.review_card(card, Rating(recall), _midnight(today))
        assert card.stability is not None
        assert card.difficulty is not None
        return Memory(card.due.date(), round(card.stability, 4), round(card.difficulty, 4), today)

    @property
    def document(self) -> dict[str, Any]:
        """The same for a file."""
        if not self.stability:
            return {"due": self.due.isoformat()}
        known = {"stability": self.stability, "difficulty": self.difficulty, "reviewed": self.reviewed.isoformat()}
        return {"due": self.due.isoformat(), "memory": known}


def memory_of(document: Mapping[str, Any]) -> Memory:
    """The inverse of `Memory.document`; ValueError where a date is none."""
    due, known = date.fromisoformat(document["due"]), document.get("memory")
    if known is None:
        return Memory(due)
    return Memory(due, known["stability"], known["difficulty"], date.fromisoformat(known["reviewed"]))


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
