"""A person's mistakes: when each comes again, and the file that keeps them."""

import json
import random
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from pathlib import Path

import pytest

from othello.errors import OthelloError
from othello.play.judging import Limits, is_right, judged, values_of, worst
from othello.play.keeper import Damage, Keeper
from othello.play.memory import Memory, Recall
from othello.play.training import DECK_NAME, MOST, Deck, Exercise, Trial, exercise_of, text_of
from othello.resources import schema_of
from othello.rules.registry import game_spec, rules_of
from othello.schema import first_fault
from othello.store.file import StoreFile
from tests.play.test_judging import analysed, random_report
from tests.play.test_library import full, settle
from tests.positions import random_game_of

MONDAY = date(2026, 11, 23)


class Calendar:
    """A day that only the test turns."""

    day = MONDAY

    def __call__(self) -> date:
        return self.day


@pytest.fixture
def keeper(tmp_path: Path) -> Iterator[Keeper]:
    with closing(Keeper(tmp_path / "games.sqlite")) as keeper:
        yield keeper


def text_in(keeper: Keeper, name: str = DECK_NAME) -> str:
    """What the store keeps."""
    settle(keeper)
    return (keeper.store.kept(name) or b"").decode()


def mistakes(seed: int = 1, name: str = "othello") -> list[Exercise]:
    game = random_game_of(rules_of(game_spec(name)), seed)
    found = worst(judged(analysed(game, random.Random(seed)), game), Limits())
    return [exercise_of(game, judgement, "Skilled", "2026-11-21T18:30:00") for judgement in found]


def right(exercise: Exercise) -> int:
    return next(move for move in values_of(exercise.report) if is_right(exercise.report, move))


def test_what_is_remembered_comes_later_each_time_and_sooner_the_harder_it_was(keeper: Keeper) -> None:
    today, (exercise, *_) = Calendar(), mistakes()
    deck = Deck(keeper, today)
    deck.add([exercise])
    waits: list[int] = []
    while not waits or waits[-1] < 100:
        (found,) = deck.due()
        deck.settle(replace(Trial(found).tried(right(found)), seconds=30.0))
        assert deck.next_due is not None
        assert not deck.due()
        waits.append((deck.next_due - today.day).days)
        today.day = deck.next_due
        settle(keeper)
        deck = Deck(keeper, today)
    assert waits == sorted({*waits})
    (found,) = deck.due()
    best, answer = right(found), Trial(found)
    others = [move for move in values_of(found.report) if not is_right(found.report, move)]
    answers = [
        (Recall.EASY, replace(answer.tried(best), seconds=5.0)),
        (Recall.GOOD, replace(answer.tried(best), seconds=30.0)),
        (Recall.HARD, replace(answer.tried(best), seconds=100.0)),
        (Recall.HARD, answer.tried(others[0]).tried(best)),
        (Recall.HARD, replace(answer, had_hint=True).tried(best)),
        (Recall.AGAIN, answer.tried(others[0]).tried(others[1]).tried(best)),
        (Recall.AGAIN, replace(answer, is_shown=True)),
    ]
    assert [trial.recall for _, trial in answers] == [recall for recall, _ in answers]
    due = [found.memory.after(recall, today.day).due for recall in Recall]
    assert due == sorted({*due})


def test_what_was_missed_comes_again_the_next_day_and_the_same_mistake_does_not_begin_anew() -> None:
    today, (exercise, *_) = Calendar(), mistakes()
    deck = Deck(None, today)
    deck.add([exercise])
    deck.settle(Trial(exercise, is_shown=True))
    assert deck.next_due == today.day + timedelta(days=1)
    deck.add([exercise])
    assert not deck.due()
    deck.wanted = (exercise,)  # but may be asked for
    assert [found.key for found in deck.take()] == [exercise.key]
    assert not deck.take()


@pytest.mark.parametrize("name", ["othello", "tictactoe"])
@pytest.mark.parametrize("seed", range(3))
def test_the_store_gives_back_what_was_kept(keeper: Keeper, name: str, seed: int) -> None:
    deck = Deck(keeper, Calendar())
    deck.add(mistakes(seed, name))
    assert first_fault(json.loads(text_in(keeper)), schema_of("training")) is None
    read = Deck(keeper, Calendar())
    assert [(each.key, each.opponent, each.played_on) for each in read.due()] == [
        (each.key, each.opponent, each.played_on) for each in deck.due()
    ]
    for old, new in zip(deck.due(), read.due(), strict=True):
        assert new.game.moves == old.game.moves
        assert values_of(new.report) == pytest.approx(values_of(old.report), abs=1e-5)
    assert read.notice is None


def test_tries_say_what_is_right_and_what_is_better() -> None:
    for exercise in mistakes(2):
        values, best = values_of(exercise.report), right(exercise)
        assert Trial(exercise).tried(exercise.played).tries == (exercise.played,)
        assert not Trial(exercise).tried(exercise.played).is_over
        solved = Trial(exercise).tried(best)
        assert solved.is_known
        assert solved.tried(exercise.played) == solved
        assert Trial(exercise).tried(-1) == Trial(exercise)
        assert {move for move in values if Trial(exercise).is_better(move)} == {
            move for move, value in values.items() if value > values[exercise.played]
        }


def _text(text: str, _: object) -> bytes:
    return text.encode()


def test_what_is_damaged_is_set_aside_and_nothing_of_it_lost(keeper: Keeper) -> None:
    draw, sound = random.Random(4), text_of(mistakes()[:3])
    for _ in range(40):
        at = draw.randrange(len(sound))
        damaged = sound[:at] + draw.choice(["", "x", "}", "-1", '"', "9" * 400]) + sound[at + draw.randrange(1, 30) :]
        keeper.store.keep(DECK_NAME, partial(_text, damaged))
        deck = Deck(keeper, Calendar())
        deck.due()
        if deck.notice is not None:
            assert isinstance(deck.notice, Damage)
            assert text_in(keeper, deck.notice.name) == damaged
            assert json.loads(text_in(keeper))["exercises"] == []
    assert keeper.store.kept("training.damaged-9.json") is not None


def test_what_cannot_be_written_lasts_as_long_as_the_program_and_is_written_with_the_next_change(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    deck, found = Deck(keeper, Calendar()), mistakes()
    with monkeypatch.context() as patch:
        patch.setattr(StoreFile, "writing", full)
        deck.add(found[:1])
        settle(keeper)
        assert isinstance(deck.notice, OthelloError)
        assert len(deck.due()) == 1
    deck.add(found[1:])
    settle(keeper)
    assert deck.notice is None
    assert len(Deck(keeper, Calendar())) == len(found)


def test_two_windows_lose_nothing_of_each_other(tmp_path: Path) -> None:
    keepers, today = [Keeper(tmp_path / "games.sqlite") for _ in range(3)], Calendar()
    exercises = [*{each.key: each for seed in range(3) for each in mistakes(seed)[:8]}.values()]
    decks = [Deck(keeper, today) for keeper in keepers]
    assert not decks[0].due()
    for index, exercise in enumerate(exercises):
        decks[index % 2].add([exercise])
    decks[0].settle(Trial(exercises[0], is_shown=True))
    for keeper in keepers:
        settle(keeper)
    assert {each.key for each in decks[2].due()} == {each.key for each in exercises[1:]}
    decks[2].settle(Trial(exercises[1], is_shown=True))
    settle(keepers[2])
    decks[0].add(exercises)  # it still knows the first two as they were
    decks[0].settle(Trial(exercises[2], is_shown=True))
    for keeper in keepers:
        keeper.close()
    with closing(Keeper(tmp_path / "games.sqlite")) as keeper:
        last = Deck(keeper, today)
        assert (len(last), len(last.due())) == (len(exercises), len(exercises) - 3)


@pytest.mark.slow
def test_what_lost_most_is_kept_however_large_the_board_is(keeper: Keeper) -> None:
    draw = random.Random(7)
    game = random_game_of(rules_of(game_spec("tictactoe", {"size": 15, "win_length": 15})), 1)
    found = []
    for ply in range(60):
        report = random_report(game.at(ply), draw)
        found += [Exercise(game.at(ply), move, report) for move in draw.sample(game.at(ply).legal_moves(), 6)]
    assert len(found) > MOST == 300
    deck = Deck(keeper, Calendar())
    deck.add(found)
    kept = sorted((each.loss for each in found), reverse=True)[:MOST]
    assert [each.loss for each in deck.due()] == kept
    worst_of_all = replace(max(found, key=lambda each: each.loss), memory=Memory(MONDAY, 150.0, 5.0, MONDAY))
    known = Deck(None, Calendar())
    known.change(lambda _: {worst_of_all.key: worst_of_all})
    known.add(each for each in found if each.key != worst_of_all.key)
    assert worst_of_all.key not in known.value, "what is known goes first"
    settle(keeper)
    again = Deck(keeper, Calendar())
    assert [each.loss for each in again.due()] == pytest.approx(kept, abs=1e-3)
    assert again.notice is None


def test_what_is_due_longest_comes_first() -> None:
    today, (first, second, *_) = Calendar(), sorted(mistakes(), key=lambda each: each.loss)
    deck = Deck(None, today)
    deck.add([first])
    today.day += timedelta(days=1)
    deck.add([second])
    assert [each.key for each in deck.due()] == [first.key, second.key]


def test_a_mistake_that_another_window_has_kept_does_not_begin_anew(keeper: Keeper) -> None:
    today, (exercise, *_) = Calendar(), mistakes()
    late, early = Deck(keeper, today), Deck(keeper, today)
    assert not late.due()
    early.add([exercise])
    early.settle(Trial(exercise, is_shown=True))
    settle(keeper)
    late.add([exercise])
    settle(keeper)
    assert Deck(keeper, today).next_due == today.day + timedelta(days=1)
