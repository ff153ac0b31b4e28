"""All exercises of a person: when each comes again, the file that several windows share, and drills of some."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import cached_property
from pathlib import Path
from typing import Final, TypeAlias

from othello.errors import MissingError, OthelloError, Reason, UnreadableError
from othello.frozen import Frozen
from othello.play.training import Exercise, Trial, read, text_of
from othello.records.lock import alone
from othello.writing import BackgroundWriter, set_aside, write_text

DECK_NAME: Final = "training.json"  # what the file is called in the person's data folder
_DAYS: Final = (1, 3, 7, 16, 35)
"""Days until what was found at once comes again, the first time, the second time and so on; after that it is known."""

MOST: Final = 300  # how many exercises are kept. If there are more, those that lost least go first
_Exercises: TypeAlias = dict[tuple[object, ...], Exercise]


class Damage(Frozen):
    """A file that could not be read, was given another name, and why."""

    path: str
    reason: Reason


class _DeckChange(Frozen):
    """What has become of an exercise: None where it is known. What is new changes nothing where it is kept already."""

    exercise: Exercise | None
    is_new: bool = False


_DeckChanges: TypeAlias = dict[tuple[object, ...], _DeckChange]


class Deck:
    """All exercises of a person. A thread writes the file, and puts this window's changes into what is there."""

    def __init__(self, path: Path | None = None, today: Callable[[], date] = date.today) -> None:
        """Name the file, which is read when it is needed; without a path they last as long as the program runs."""
        self._path = path
        self._today = today
        # the file that was damaged and is called so now, or why the exercises cannot be kept; None: all is well
        self.notice: Damage | OthelloError | None = None
        self.wanted: tuple[Exercise, ...] = ()  # the exercises that were asked for and come before those that are due
        self._waiting: list[_DeckChanges] = []
        self._writer = BackgroundWriter("deck")

    @cached_property
    def _exercises(self) -> _Exercises:
        return self._read() or {}

    def __len__(self) -> int:
        return len(self._exercises)

    @property
    def today(self) -> date:
        return self._today()

    def add(self, mistakes: Iterable[Exercise]) -> None:
        """Keep mistakes that are not among the exercises yet; they are due at once."""
        new = {each.key: _DeckChange(replace(each, due=self._today()), is_new=True) for each in mistakes}
        if not new.keys() <= self._exercises.keys():
            self._change(new)

    def due(self) -> list[Exercise]:
        """What is to be tried today, the longest due first, and of one day what lost most."""
        today = self._today()
        found = [exercise for exercise in self._exercises.values() if exercise.due <= today]
        return sorted(found, key=lambda exercise: (exercise.due, -exercise.loss))

    @property
    def next_due(self) -> date | None:
        """When the next one comes, None where there is none."""
        return min((exercise.due for exercise in self._exercises.values()), default=None)

    def take(self) -> Sequence[Exercise]:
        """The exercises to begin with: those that were asked for, else those that are due."""
        wanted, self.wanted = self.wanted, ()
        return [self._exercises.get(exercise.key, exercise) for exercise in wanted] or self.due()

    def settle(self, trial: Trial) -> None:
        """Say when an exercise that is over comes again: the next day, or later each time it was found at once."""
        exercise = self._exercises.get(trial.exercise.key)
        if exercise is None or not trial.is_over:
            return
        step = exercise.step + 1 if trial.is_known else 0
        due = None if step > len(_DAYS) else self._today() + timedelta(days=_DAYS[max(0, step - 1)])
        self._change({exercise.key: _DeckChange(None if due is None else replace(exercise, step=step, due=due))})

    def close(self, seconds: float = 5.0) -> None:
        """Write what waits to be written."""
        self._writer.close(seconds)

    # The file.

    def _change(self, changes: _DeckChanges) -> None:
        self._exercises = _changed(self._exercises, changes)
        path = self._path
        if path is not None:
            self._waiting.append(changes)
            self._writer.do("deck", lambda: self._write(path))

    def _write(self, path: Path) -> None:
        """Put the changes into the file. Changes that cannot be written are tried again with the next change."""
        count = len(self._waiting)
        try:
            with alone(path):
                kept = self._read()
                if self._path is None:
                    return
                kept = self._exercises if kept is None else kept
                for changes in self._waiting[:count]:
                    kept = _changed(kept, changes)
                write_text(path, text_of(kept.values()))
        except OthelloError as error:
            self.notice = error
        else:
            del self._waiting[:count]
            self.notice = None if isinstance(self.notice, OthelloError) else self.notice

    def _read(self) -> _Exercises | None:
        """The exercises in the file. None where there is no file, or a damaged one, which gets another name.

        A file that nobody may read is left alone: from then on the exercises last as long as the program runs.
        """
        path = self._path
        try:
            return {} if path is None else {exercise.key: exercise for exercise in read(path)}
        except MissingError:
            pass
        except UnreadableError as error:
            self.notice, self._path = error, None
        except OthelloError as error:
            assert path is not None
            self.notice = Damage(set_aside(path), error.reason)
        return None


def _changed(exercises: Mapping[tuple[object, ...], Exercise], changes: _DeckChanges) -> _Exercises:
    """The exercises after some changes, those that lost most first."""
    kept = dict(exercises)
    for key, change in changes.items():
        if change.exercise is None:
            kept.pop(key, None)
        elif not (change.is_new and key in kept):
            kept[key] = change.exercise
    most = sorted(kept.values(), key=lambda exercise: -exercise.loss)[:MOST]
    return {exercise.key: exercise for exercise in most}


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
