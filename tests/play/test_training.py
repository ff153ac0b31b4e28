"""Exercises: when each is due, and how they are stored."""

import json
import random
from dataclasses import replace
from datetime import date, timedelta

import pytest

from othello.errors import OthelloError
from othello.play.assessment import Limits, is_right, judged, values_of, worst
from othello.resources import schema_of
from othello.rules.protocol import Move
from othello.rules.registry import game_spec, rules_of
from othello.schema import first_fault
from othello.store.store_file import StoreFile
from othello.study.card_state import CardState, Rating
from othello.study.store_writer import DamagedValue, StoreWriter
from othello.study.training import DECK_NAME, MOST, Deck, Exercise, ExerciseAttempt, exercise_of, format_exercises
from tests.play.test_assessment import analysed, random_report
from tests.play.test_library import full, settle
from tests.positions import random_game_of

MONDAY = date(2026, 11, 23)


class Calendar:
    """A date that the test advances."""

    day = MONDAY

    def __call__(self) -> date:
        return self.day


def text_in(store_writer: StoreWriter, name: str = DECK_NAME) -> str:
    """Return the stored text."""
    settle(store_writer)
    return (store_writer.store.get_value(name) or b"").decode()


def mistakes(seed: int = 1, name: str = "othello") -> list[Exercise]:
    game = random_game_of(rules_of(game_spec(name)), seed)
    found = worst(judged(analysed(game, random.Random(seed)), game), Limits())
    return [exercise_of(game, judgement, "Skilled", "2026-11-21T18:30:00") for judgement in found]


def right(exercise: Exercise) -> int:
    return next(move for move in values_of(exercise.report) if is_right(exercise.report, move))


def test_intervals_grow_with_each_recall_and_with_ease(store_writer: StoreWriter) -> None:
    today, (exercise, *_) = Calendar(), mistakes()
    deck = Deck(store_writer, today)
    deck.add([exercise])
    waits: list[int] = []
    while not waits or waits[-1] < 100:
        (found,) = deck.due()
        deck.record_review(replace(ExerciseAttempt(found).tried(Move(right(found))), seconds=30.0))
        assert deck.next_due is not None
        assert not deck.due()
        waits.append((deck.next_due - today.day).days)
        today.day = deck.next_due
        settle(store_writer)
        deck = Deck(store_writer, today)
    assert waits == sorted({*waits})
    (found,) = deck.due()
    best, answer = right(found), ExerciseAttempt(found)
    others = [move for move in values_of(found.report) if not is_right(found.report, move)]
    answers = [
        (Rating.EASY, replace(answer.tried(Move(best)), seconds=5.0)),
        (Rating.GOOD, replace(answer.tried(Move(best)), seconds=30.0)),
        (Rating.HARD, replace(answer.tried(Move(best)), seconds=100.0)),
        (Rating.HARD, answer.tried(others[0]).tried(Move(best))),
        (Rating.HARD, replace(answer, had_hint=True).tried(Move(best))),
        (Rating.AGAIN, answer.tried(others[0]).tried(others[1]).tried(Move(best))),
        (Rating.AGAIN, replace(answer, is_shown=True)),
    ]
    assert [attempt.recall for _, attempt in answers] == [recall for recall, _ in answers]
    due = [found.memory.after(recall, today.day).due for recall in Rating]
    assert due == sorted({*due})


def test_exercises_are_ordered_by_due_date_and_a_missed_one_is_due_the_next_day() -> None:
    today, (exercise, other, *_) = Calendar(), sorted(mistakes(), key=lambda each: each.loss)
    deck = Deck(None, today)
    deck.add([exercise])
    deck.record_review(ExerciseAttempt(exercise, is_shown=True))
    assert deck.next_due == today.day + timedelta(days=1)
    deck.add([exercise])
    assert not deck.due()
    deck.chosen = (exercise,)  # on request
    assert [found.key for found in deck.take()] == [exercise.key]
    assert not deck.take()
    today.day += timedelta(days=2)
    deck.add([other])
    assert [found.key for found in deck.due()] == [exercise.key, other.key]


@pytest.mark.parametrize("name", ["othello", "tictactoe"])
@pytest.mark.parametrize("seed", range(3))
def test_exercises_round_trip(store_writer: StoreWriter, name: str, seed: int) -> None:
    deck = Deck(store_writer, Calendar())
    deck.add(mistakes(seed, name))
    assert first_fault(json.loads(text_in(store_writer)), schema_of("training")) is None
    read = Deck(store_writer, Calendar())
    assert [(each.key, each.opponent, each.played_on) for each in read.due()] == [
        (each.key, each.opponent, each.played_on) for each in deck.due()
    ]
    for old, new in zip(deck.due(), read.due(), strict=True):
        assert new.game.moves == old.game.moves
        assert values_of(new.report) == pytest.approx(values_of(old.report), abs=1e-5)
    assert read.notice is None


def test_an_attempt_ends_with_a_right_move() -> None:
    for exercise in mistakes(2):
        values, best = values_of(exercise.report), right(exercise)
        assert ExerciseAttempt(exercise).tried(exercise.played).tries == (exercise.played,)
        assert not ExerciseAttempt(exercise).tried(exercise.played).is_over
        solved = ExerciseAttempt(exercise).tried(Move(best))
        assert solved.is_known
        assert solved.tried(exercise.played) == solved
        assert ExerciseAttempt(exercise).tried(Move(-1)) == ExerciseAttempt(exercise)
        assert {move for move in values if ExerciseAttempt(exercise).is_better(move)} == {
            move for move, value in values.items() if value > values[exercise.played]
        }


def test_damaged_exercises_are_backed_up(store_writer: StoreWriter) -> None:
    draw, sound = random.Random(4), format_exercises(mistakes()[:3])
    for _ in range(40):
        at = draw.randrange(len(sound))
        damaged = sound[:at] + draw.choice(["", "x", "}", "-1", '"', "9" * 400]) + sound[at + draw.randrange(1, 30) :]
        store_writer.store.update_value(DECK_NAME, lambda _: damaged.encode())  # noqa: B023
        deck = Deck(store_writer, Calendar())
        deck.due()
        if deck.notice is not None:
            assert isinstance(deck.notice, DamagedValue)
            assert text_in(store_writer, deck.notice.name) == damaged
            assert json.loads(text_in(store_writer))["exercises"] == []
    assert store_writer.store.get_value("training.damaged-9.json") is not None


def test_exercises_are_stored_when_there_is_space(store_writer: StoreWriter, monkeypatch: pytest.MonkeyPatch) -> None:
    deck, found = Deck(store_writer, Calendar()), mistakes()
    with monkeypatch.context() as patch:
        patch.setattr(StoreFile, "writing", full)
        deck.add(found[:1])
        settle(store_writer)
        assert isinstance(deck.notice, OthelloError)
        assert len(deck.due()) == 1
    deck.add(found[1:])
    settle(store_writer)
    assert deck.notice is None
    assert len(Deck(store_writer, Calendar())) == len(found)


def test_windows_share_exercises(store_writers: list[StoreWriter]) -> None:
    today = Calendar()
    exercises = [*{each.key: each for seed in range(3) for each in mistakes(seed)[:8]}.values()]
    decks = [Deck(store_writer, today) for store_writer in store_writers]
    assert not decks[0].due()
    for index, exercise in enumerate(exercises):
        decks[index % 2].add([exercise])
    decks[0].record_review(ExerciseAttempt(exercises[0], is_shown=True))
    for store_writer in store_writers:
        settle(store_writer)
    assert {each.key for each in decks[2].due()} == {each.key for each in exercises[1:]}
    decks[2].record_review(ExerciseAttempt(exercises[1], is_shown=True))
    settle(store_writers[2])
    decks[0].add(exercises)  # this window does not know what the other one has reviewed
    decks[0].record_review(ExerciseAttempt(exercises[2], is_shown=True))
    settle(store_writers[0])
    last = Deck(store_writers[3], today)
    assert (len(last), len(last.due())) == (len(exercises), len(exercises) - 3)


@pytest.mark.slow
def test_the_most_costly_mistakes_are_kept(store_writer: StoreWriter) -> None:
    draw = random.Random(7)
    game = random_game_of(rules_of(game_spec("tictactoe", {"size": 15, "win_length": 15})), 1)
    found = []
    for ply in range(60):
        report = random_report(game.at(ply), draw)
        found += [Exercise(game.at(ply), move, report) for move in draw.sample(game.at(ply).legal_moves(), 6)]
    assert len(found) > MOST == 300
    deck = Deck(store_writer, Calendar())
    deck.add(found)
    costliest = sorted((each.loss for each in found), reverse=True)[:MOST]
    assert [each.loss for each in deck.due()] == costliest
    worst_of_all = replace(max(found, key=lambda each: each.loss), memory=CardState(MONDAY, 150.0, 5.0, MONDAY))
    known = Deck(None, Calendar())
    known.change(lambda _: {worst_of_all.key: worst_of_all})
    known.add(each for each in found if each.key != worst_of_all.key)
    assert worst_of_all.key not in known.value, "what is known goes first"
    settle(store_writer)
    again = Deck(store_writer, Calendar())
    assert [each.loss for each in again.due()] == pytest.approx(costliest, abs=1e-3)
    assert again.notice is None


def test_an_exercise_that_another_window_has_added_keeps_its_due_date(store_writer: StoreWriter) -> None:
    today, (exercise, *_) = Calendar(), mistakes()
    late, early = Deck(store_writer, today), Deck(store_writer, today)
    assert not late.due()
    early.add([exercise])
    early.record_review(ExerciseAttempt(exercise, is_shown=True))
    settle(store_writer)
    late.add([exercise])
    settle(store_writer)
    assert Deck(store_writer, today).next_due == today.day + timedelta(days=1)
