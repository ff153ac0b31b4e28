"""Exercises from the user's own mistakes: reviews, storage in a deck, and training runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, Final, TypeAlias

from othello.errors import GameFileError, OthelloError, errors_as
from othello.frozen_dataclass import FrozenDataclass
from othello.game import AnyGame, GameTree
from othello.play.assessment import MoveAssessment, discs_lost, is_right, values_of
from othello.records.game_file import GameFile, PositionData, document_of, game_of, json_of
from othello.records.transcript import play_text
from othello.resources import schema_of
from othello.rules.protocol import Move
from othello.schema import check
from othello.search.report import SearchReport
from othello.study.card_state import CardState, Rating, memory_of
from othello.study.store_writer import StoredValue, StoreWriter

_FORMAT: Final = "othello-lab training"
_VERSION: Final = 1
_EASY_SECONDS: Final = 10.0  # a faster answer is rated as easy
_GOOD_SECONDS: Final = 60.0


class Exercise(FrozenDataclass):
    """A position in which the user made a mistake."""

    game: AnyGame  # up to the position
    played: Move  # the mistake
    report: SearchReport  # a search with a value for every move
    opponent: str = ""  # name at that time; empty if unknown
    played_on: str = ""  # such as 2026-01-31T18:30:00; empty if unknown
    memory: CardState = CardState()

    @property
    def key(self) -> tuple[object, ...]:
        """A key that is equal for the same mistake."""
        return self.game.rules.spec, self.game.position, self.played

    @property
    def loss(self) -> float:
        return discs_lost(self.report, self.played)


class ExerciseAttempt(FrozenDataclass):
    """An attempt at an exercise."""

    exercise: Exercise
    tries: tuple[Move, ...] = ()  # in the order of the tries
    is_shown: bool = False  # True if the answer was shown
    had_hint: bool = False  # True if a part of the answer was shown
    seconds: float = 0.0  # until it was over

    @property
    def is_solved(self) -> bool:
        return bool(self.tries) and is_right(self.exercise.report, self.tries[-1])

    @property
    def is_over(self) -> bool:
        return self.is_solved or self.is_shown

    @property
    def is_known(self) -> bool:
        """True if the answer was found at the first try without help."""
        return self.is_solved and len(self.tries) == 1 and not (self.is_shown or self.had_hint)

    @property
    def recall(self) -> Rating:
        """The rating of the answer, by tries and time."""
        if not self.is_solved or self.is_shown or len(self.tries) > 2:
            return Rating.AGAIN
        return Rating.within(self.seconds, _EASY_SECONDS, _GOOD_SECONDS) if self.is_known else Rating.HARD

    def is_better(self, move: Move) -> bool:
        """Return whether a move is better than the one in the game."""
        values = values_of(self.exercise.report)
        return values[move] > values[self.exercise.played]

    def tried(self, move: Move) -> ExerciseAttempt:
        """Return the attempt after one more move. Repeated moves and moves after the end change nothing."""
        if self.is_over or move in self.tries or move not in values_of(self.exercise.report):
            return self
        return replace(self, tries=(*self.tries, move))


def exercise_of(line: AnyGame, judgement: MoveAssessment, opponent: str = "", played_on: str = "") -> Exercise:
    return Exercise(line.at(judgement.ply), judgement.move, judgement.report, opponent, played_on)


# As a text.


def _entry(exercise: Exercise) -> dict[str, Any]:
    game = exercise.game
    tree = GameTree.of(game, PositionData()).know(game, PositionData(report=exercise.report))
    return {
        **exercise.memory.document,
        "played": game.text_of(exercise.played),
        "opponent": exercise.opponent,
        "game": document_of(GameFile(tree, date=exercise.played_on)),
    }


def format_exercises(exercises: Iterable[Exercise]) -> str:
    lines = ",\n".join(json.dumps(_entry(exercise), ensure_ascii=False) for exercise in exercises)
    return f'{{"format": "{_FORMAT}", "version": {_VERSION}, "exercises": [\n{lines}\n]}}\n'


def _parse_text(text: str) -> _Exercises:
    """Parse the text of `text_of`; raise an OthelloError if it is damaged."""
    document = json_of(text)
    check(document, schema_of("training"), GameFileError)
    exercises = [_exercise(entry, f"exercises[{index}]") for index, entry in enumerate(document["exercises"])]
    return {exercise.key: exercise for exercise in exercises}


def _exercise(entry: dict[str, Any], place: str) -> Exercise:
    with errors_as(GameFileError, "at_place", (OthelloError, OverflowError, ValueError), place=place):
        file = game_of(entry["game"])
        game = file.tree.game
        played = play_text(game, entry["played"]).moves[-1]
        memory = memory_of(entry)
    report = file.tree.known(game).report
    if report is None or len(values_of(report)) != len(game.legal_moves()):
        raise GameFileError("search_missing", place=place)
    return Exercise(game, played, report, entry.get("opponent", ""), file.date, memory)


DECK_NAME: Final = "training.json"  # of the value in the store
MOST: Final = 300  # largest number of exercises. Known ones are removed first, then those with the smallest loss
_KNOWN_DAYS: Final = 100.0  # days of stability from which an exercise counts as known
_Exercises: TypeAlias = Mapping[tuple[object, ...], Exercise]


class Deck(StoredValue[_Exercises]):
    """All exercises of the user. See `StoredValue` for how they are stored."""

    def __init__(self, store_writer: StoreWriter | None = None, today: Callable[[], date] = date.today) -> None:
        super().__init__(
            store_writer, DECK_NAME, {}, _parse_text, lambda exercises: format_exercises(exercises.values())
        )
        self.today = today
        self.chosen: tuple[Exercise, ...] = ()  # chosen by the user; they come before those that are due

    def __len__(self) -> int:
        return len(self.value)

    def add(self, mistakes: Iterable[Exercise]) -> None:
        """Add mistakes that are not exercises yet. They are due at once."""
        new = {mistake.key: replace(mistake, memory=CardState(self.today())) for mistake in mistakes}
        if not new.keys() <= self.value.keys():
            self.change(lambda exercises: _limit({**new, **exercises}))

    def due(self) -> list[Exercise]:
        """Return the exercises that are due today, the longest due first, then the largest loss first."""
        exercises = [exercise for exercise in self.value.values() if exercise.memory.due <= self.today()]
        return sorted(exercises, key=lambda exercise: (exercise.memory.due, -exercise.loss))

    @property
    def next_due(self) -> date | None:
        """The day of the next review; None if there are no exercises."""
        return min((exercise.memory.due for exercise in self.value.values()), default=None)

    def take(self) -> Sequence[Exercise]:
        """Return the exercises to start with: those chosen by the user, or those that are due."""
        chosen, self.chosen = self.chosen, ()
        return [self.value.get(exercise.key, exercise) for exercise in chosen] or self.due()

    def record_review(self, attempt: ExerciseAttempt) -> None:
        """Record the review of a finished attempt, which schedules the exercise."""
        exercise = self.value.get(attempt.exercise.key)
        if exercise is not None and attempt.is_over:
            asked = replace(exercise, memory=exercise.memory.after(attempt.recall, self.today()))
            self.change(lambda exercises: _limit({**exercises, asked.key: asked}))


def _limit(exercises: _Exercises) -> _Exercises:
    """Return at most `MOST` exercises, unknown ones first, then those with the largest loss."""
    order = sorted(exercises.items(), key=lambda item: (item[1].memory.stability >= _KNOWN_DAYS, -item[1].loss))
    return dict(order[:MOST])


class TrainingRun:
    """A training run through some exercises of a deck."""

    def __init__(self, deck: Deck, exercises: Sequence[Exercise]) -> None:
        self.deck = deck
        self.trials = [ExerciseAttempt(exercise) for exercise in exercises]  # one per exercise
        self.index = 0  # of the current exercise; the number of exercises at the end
        # first attempt at each exercise; later ones do not count
        self.ended: dict[int, ExerciseAttempt] = {}

    @property
    def attempt(self) -> ExerciseAttempt | None:
        """The current attempt; None at the end."""
        return self.trials[self.index] if self.index < len(self.trials) else None

    @property
    def known(self) -> int:
        """The number of exercises solved at once."""
        return sum(attempt.is_known for attempt in self.ended.values())

    @property
    def missed(self) -> list[Exercise]:
        """The exercises that were not solved at once."""
        ended = (self.ended.get(index, attempt) for index, attempt in enumerate(self.trials))
        return [attempt.exercise for attempt in ended if not attempt.is_known]

    @property
    def tomorrow(self) -> int:
        """The number of attempted exercises that are due tomorrow."""
        keys = {attempt.exercise.key for attempt in self.ended.values()}
        day = self.deck.today() + timedelta(days=1)
        return sum(key in keys and exercise.memory.due == day for key, exercise in self.deck.value.items())

    @property
    def more(self) -> list[Exercise]:
        """The other exercises that are due."""
        keys = {attempt.exercise.key for attempt in self.trials}
        return [exercise for exercise in self.deck.due() if exercise.key not in keys]

    def go_to(self, index: int) -> None:
        self.index = min(max(0, index), len(self.trials))

    def change(self, attempt: ExerciseAttempt) -> None:
        """Update the current attempt. At its first end, the review is recorded in the deck."""
        self.trials[self.index] = attempt
        if attempt.is_over and self.index not in self.ended:
            self.ended[self.index] = attempt
            self.deck.record_review(attempt)
