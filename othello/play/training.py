"""A person's own mistakes, put before them until they find what was better, and how they are kept."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, Final

from othello.errors import GameFileError, OthelloError, reason_of
from othello.frozen import Frozen
from othello.game import AnyGame, GameTree
from othello.play.judging import Judgement, discs_lost, is_right, values_of
from othello.play.memory import Memory, Recall, memory_of
from othello.records.game_file import GameFile, Known, document_of, game_of, json_of
from othello.records.transcript import play_text
from othello.resources import schema_of
from othello.rules.protocol import Move
from othello.schema import check
from othello.search.report import SearchReport

_FORMAT: Final = "othello-lab training"
_VERSION: Final = 2
_OLD_DAYS: Final = (1, 3, 7, 16, 35)
"""In version 1: days until what was found at once came again, the first time, the second time and so on."""

_EASY_SECONDS: Final = 10.0  # who finds a move within this time has no trouble
_GOOD_SECONDS: Final = 60.0


class Exercise(Frozen):
    """A position in which the person made a mistake."""

    game: AnyGame  # what was played before it
    played: Move  # the mistake
    report: SearchReport  # a search that has a value for every move
    opponent: str = ""  # who it was made against, as it was called; empty where nobody knows
    played_on: str = ""  # when that was, as 2026-01-31T18:30:00; empty likewise
    memory: Memory = Memory()

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for the same mistake."""
        return self.game.rules.spec, self.game.position, self.played

    @property
    def loss(self) -> float:
        return discs_lost(self.report, self.played)


class Trial(Frozen):
    """What a person tries in an exercise."""

    exercise: Exercise
    tries: tuple[Move, ...] = ()  # the moves that were tried, the first one first
    is_shown: bool = False  # whether the answer was shown
    had_hint: bool = False  # whether a part of it was
    seconds: float = 0.0  # how long it took until it was over

    @property
    def is_solved(self) -> bool:
        return bool(self.tries) and is_right(self.exercise.report, self.tries[-1])

    @property
    def is_over(self) -> bool:
        return self.is_solved or self.is_shown

    @property
    def is_known(self) -> bool:
        """Whether the answer was found at once, and without help."""
        return self.is_solved and len(self.tries) == 1 and not (self.is_shown or self.had_hint)

    @property
    def recall(self) -> Recall:
        """How it was remembered, by tries and time."""
        if not self.is_solved or self.is_shown or len(self.tries) > 2:
            return Recall.AGAIN
        return Recall.within(self.seconds, _EASY_SECONDS, _GOOD_SECONDS) if self.is_known else Recall.HARD

    def is_better(self, move: Move) -> bool:
        """Whether a move is better than what was played in the game."""
        values = values_of(self.exercise.report)
        return values[move] > values[self.exercise.played]

    def tried(self, move: Move) -> Trial:
        """The same after one more try. What was tried before, or comes when all is over, changes nothing."""
        if self.is_over or move in self.tries or move not in values_of(self.exercise.report):
            return self
        return replace(self, tries=(*self.tries, move))


def exercise_of(line: AnyGame, judgement: Judgement, opponent: str = "", played_on: str = "") -> Exercise:
    return Exercise(line.at(judgement.ply), judgement.move, judgement.report, opponent, played_on)


# As a text.


def _entry(exercise: Exercise) -> dict[str, Any]:
    game = exercise.game
    tree = GameTree.of(game, Known()).know(game, Known(report=exercise.report))
    return {
        **exercise.memory.document,
        "played": game.text_of(exercise.played),
        "opponent": exercise.opponent,
        "game": document_of(GameFile(tree, date=exercise.played_on)),
    }


def text_of(exercises: Iterable[Exercise]) -> str:
    lines = ",\n".join(json.dumps(_entry(exercise), ensure_ascii=False) for exercise in exercises)
    return f'{{"format": "{_FORMAT}", "version": {_VERSION}, "exercises": [\n{lines}\n]}}\n'


def read(text: str) -> list[Exercise]:
    """The exercises that a text tells of; OthelloError where it is damaged."""
    document = json_of(text)
    check(document, schema_of("training"), GameFileError)
    return [_exercise(entry, f"exercises[{index}]") for index, entry in enumerate(document["exercises"])]


def _exercise(entry: dict[str, Any], place: str) -> Exercise:
    try:
        file = game_of(entry["game"])
        game = file.tree.game
        played = play_text(game, entry["played"]).moves[-1]
        memory = _old_memory(entry["step"], memory_of(entry).due) if entry.get("step") else memory_of(entry)
    except (OthelloError, OverflowError, ValueError) as error:
        raise GameFileError("at_place", place=place, reason=reason_of(error)) from None
    report = file.tree.known(game).report
    if report is None or len(values_of(report)) != len(game.legal_moves()):
        raise GameFileError("search_missing", place=place)
    return Exercise(game, played, report, entry.get("opponent", ""), file.date, memory)


def _old_memory(step: int, due: date) -> Memory:
    """What is known of an exercise that was found at once so many times in a row, each time after the old days."""
    waits = [timedelta(days=days) for days in _OLD_DAYS[:step]]
    memory, day = Memory(), due - sum(waits, timedelta())
    for wait in waits:
        memory, day = memory.after(Recall.GOOD, day), day + wait
    return replace(memory, due=due)
