"""All exercises of a person, which several windows share, and drills of some."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Final, TypeAlias

from othello.play.keeper import Keeper
from othello.play.memory import Memory
from othello.play.shared_value import SharedValue
from othello.play.training import Exercise, Trial, read, text_of

DECK_NAME: Final = "training.json"  # what the exercises are called in the store, and before in the data folder
MOST: Final = 300  # how many exercises are kept. If there are more, what is known goes first, then what lost least
_KNOWN_DAYS: Final = 100.0  # what is remembered for so long is known
_Exercises: TypeAlias = Mapping[tuple[object, ...], Exercise]


class Deck(SharedValue[_Exercises]):
    """All exercises of a person; see `SharedValue` for where they are kept."""

    def __init__(self, keeper: Keeper | None = None, today: Callable[[], date] = date.today) -> None:
        super().__init__(
            keeper,
            DECK_NAME,
            {},
            lambda text: {each.key: each for each in read(text)},
            lambda kept: text_of(kept.values()),
        )
        self._today = today
        self.wanted: tuple[Exercise, ...] = ()  # the exercises that were asked for and come before those that are due

    def __len__(self) -> int:
        return len(self.value)

    @property
    def today(self) -> date:
        return self._today()

    def add(self, mistakes: Iterable[Exercise]) -> None:
        """Keep mistakes that are not among the exercises yet; they are due at once."""
        new = {each.key: replace(each, memory=Memory(self._today())) for each in mistakes}
        if not new.keys() <= self.value.keys():
            self.change(lambda kept: _most({**new, **kept}))

    def due(self) -> list[Exercise]:
        """What is to be tried today, the longest due first, and of one day what lost most."""
        found = [exercise for exercise in self.value.values() if exercise.memory.due <= self._today()]
        return sorted(found, key=lambda exercise: (exercise.memory.due, -exercise.loss))

    @property
    def next_due(self) -> date | None:
        """When the next one comes, None where there is none."""
        return min((exercise.memory.due for exercise in self.value.values()), default=None)

    def take(self) -> Sequence[Exercise]:
        """The exercises to begin with: those that were asked for, else those that are due."""
        wanted, self.wanted = self.wanted, ()
        return [self.value.get(exercise.key, exercise) for exercise in wanted] or self.due()

    def settle(self, trial: Trial) -> None:
        """Learn how an exercise that is over was remembered: that says when it comes again."""
        exercise = self.value.get(trial.exercise.key)
        if exercise is not None and trial.is_over:
            asked = replace(exercise, memory=exercise.memory.after(trial.recall, self._today()))
            self.change(lambda kept: _most({**kept, asked.key: asked}))


def _most(exercises: _Exercises) -> _Exercises:
    """As many as are kept, first those that are not known, and of these what lost most."""
    order = sorted(exercises.items(), key=lambda item: (item[1].memory.stability >= _KNOWN_DAYS, -item[1].loss))
    return dict(order[:MOST])


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

    @property
    def missed(self) -> list[Exercise]:
        """What was not found at once, or left out."""
        ended = (self.ended.get(index, trial) for index, trial in enumerate(self.trials))
        return [trial.exercise for trial in ended if not trial.is_known]

    @property
    def tomorrow(self) -> int:
        """How many of those that were ended come back tomorrow."""
        keys = {trial.exercise.key for trial in self.ended.values()}
        day = self.deck.today + timedelta(days=1)
        return sum(key in keys and exercise.memory.due == day for key, exercise in self.deck.value.items())

    @property
    def more(self) -> list[Exercise]:
        """What else is due."""
        keys = {trial.exercise.key for trial in self.trials}
        return [exercise for exercise in self.deck.due() if exercise.key not in keys]

    def go_to(self, index: int) -> None:
        self.index = min(max(0, index), len(self.trials))

    def change(self, trial: Trial) -> None:
        """Continue the current exercise, and tell the deck when it is over for the first time."""
        self.trials[self.index] = trial
        if trial.is_over and self.index not in self.ended:
            self.ended[self.index] = trial
            self.deck.settle(trial)
