"""All exercises of a person: when each comes again, and the file that keeps them, which several windows share."""

from __future__ import annotations

import errno
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cached_property
from pathlib import Path
from typing import Final, TypeAlias

from othello.errors import OthelloError, Reason
from othello.play.training import Exercise, Trial, read, text_of
from othello.records.lock import open_locked, remove_locked
from othello.writing import set_aside, write_text

DECK_NAME: Final = "training.json"
"""What the file is called in the person's data folder."""

_DAYS: Final = (1, 3, 7, 16, 35)
"""Days until what was found at once comes again, the first time, the second time and so on; after that it is known."""

_MOST: Final = 300  # exercises that are kept: those that lost least go first
_PATIENCE: Final = 5.0  # seconds for which another window may be writing
_NAP: Final = 0.02

_Exercises: TypeAlias = dict[tuple[object, ...], Exercise]


@dataclass(frozen=True, slots=True)
class Damage:
    """A file that could not be read, was given another name, and why."""

    path: str
    reason: Reason


@dataclass(frozen=True, slots=True)
class _Change:
    """What has become of an exercise: None where it is known. What is new changes nothing where it is kept already."""

    exercise: Exercise | None
    is_new: bool = False


_Changes: TypeAlias = dict[tuple[object, ...], _Change]


class Deck:
    """All exercises of a person. The file is written by a thread, which puts this window's changes into what is there.

    Attributes:
        notice: the file that was damaged and is called so now, or why the exercises cannot be kept; None: all is well.
        wanted: the exercises that were asked for and come before those that are due.
    """

    def __init__(self, path: Path | None = None, today: Callable[[], date] = date.today) -> None:
        """Name the file, which is read when it is needed; without a path they last as long as the program runs."""
        self._path = path
        self._today = today
        self.notice: Damage | OthelloError | None = None
        self.wanted: tuple[Exercise, ...] = ()
        self._waiting: _Changes = {}
        self._changed = threading.Condition()
        self._is_closed = False
        self._thread: threading.Thread | None = None

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
        new = {each.key: _Change(replace(each, due=self._today()), is_new=True) for each in mistakes}
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
        self._change({exercise.key: _Change(None if due is None else replace(exercise, step=step, due=due))})

    def close(self, seconds: float = 5.0) -> None:
        """Write what waits to be written."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(seconds)

    # The file.

    def _change(self, changes: _Changes) -> None:
        self._exercises = _changed(self._exercises, changes)
        if self._path is None:
            return
        with self._changed:
            self._waiting |= changes
            self._changed.notify()
        if self._thread is None:
            self._thread = threading.Thread(target=self._write_all, args=(self._path,), name="deck", daemon=True)
            self._thread.start()

    def _write_all(self, path: Path) -> None:
        """What the thread does. What cannot be written is tried again with the next change."""
        changes: _Changes = {}
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._is_closed)
                if not self._waiting:
                    return
                changes |= self._waiting
                self._waiting = {}
            try:
                with _alone(path):
                    kept = self._read()
                    write_text(path, text_of(_changed(self._exercises if kept is None else kept, changes).values()))
            except OthelloError as error:
                self.notice = error
            else:
                changes = {}
                self.notice = None if isinstance(self.notice, OthelloError) else self.notice

    def _read(self) -> _Exercises | None:
        """What the file keeps, None where there is none, or none that can be read."""
        path = self._path
        if path is None or not path.exists():
            return None
        try:
            return {exercise.key: exercise for exercise in read(path)}
        except OthelloError as error:
            self.notice = Damage(set_aside(path), error.reason)
            return None


def _changed(exercises: Mapping[tuple[object, ...], Exercise], changes: _Changes) -> _Exercises:
    """The exercises after some changes, those that lost most first."""
    kept = dict(exercises)
    for key, change in changes.items():
        if change.exercise is None:
            kept.pop(key, None)
        elif not (change.is_new and key in kept):
            kept[key] = change.exercise
    most = sorted(kept.values(), key=lambda exercise: -exercise.loss)[:_MOST]
    return {exercise.key: exercise for exercise in most}


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keep other windows from writing a file meanwhile, where the system can."""
    lock, end = path.with_name(f"{path.name}.lock"), time.monotonic() + _PATIENCE
    file = None
    while file is None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file, _ = open_locked(lock)
        except OSError as error:
            if error.errno != errno.EBUSY or time.monotonic() > end:
                break  # whoever writes will be told why not
            time.sleep(_NAP)
    try:
        yield
    finally:
        if file is not None:
            remove_locked(file, lock)
            file.close()
