"""A person's mistakes: when each comes again, and the file that keeps them."""

from __future__ import annotations

import json
import os
import random
import time
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from othello.errors import OthelloError
from othello.play.deck import MOST, Deck
from othello.play.judging import Limits, is_right, judged, values_of, worst
from othello.play.memory import Memory, Recall
from othello.play.shared_file import Damage
from othello.play.training import Exercise, Trial, exercise_of, text_of
from othello.resources import schema_of
from othello.rules.registry import game_spec, rules_of
from othello.schema import first_fault
from tests.play.test_judging import analysed, random_report
from tests.positions import random_game_of

MONDAY = date(2026, 11, 23)


class Calendar:
    """A day that only the test turns."""

    day = MONDAY

    def __call__(self) -> date:
        return self.day


def mistakes(seed: int = 1, name: str = "othello") -> list[Exercise]:
    game = random_game_of(rules_of(game_spec(name)), seed)
    found = worst(judged(analysed(game, random.Random(seed)), game), Limits())
    return [exercise_of(game, judgement, "Skilled", "2026-11-21T18:30:00") for judgement in found]


def right(exercise: Exercise) -> int:
    return next(move for move in values_of(exercise.report) if is_right(exercise.report, move))


def test_what_is_remembered_comes_later_each_time_and_sooner_the_harder_it_was(tmp_path: Path) -> None:
    today, (exercise, *_) = Calendar(), mistakes()
    deck = Deck(tmp_path / "t.json", today)
    deck.add([exercise])
    waits: list[int] = []
    while not waits or waits[-1] < 100:
        (found,) = deck.due()
        deck.settle(replace(Trial(found).tried(right(found)), seconds=30.0))
        assert deck.next_due is not None
        assert not deck.due()
        waits.append((deck.next_due - today.day).days)
        today.day = deck.next_due
        deck.close()
        deck = Deck(tmp_path / "t.json", today)
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


def test_an_older_file_is_taken_over_as_it_says(tmp_path: Path) -> None:
    path, found = tmp_path / "training.json", mistakes()[:6]
    path.write_text(text_of(found))
    document = json.loads(path.read_text()) | {"version": 1}
    for step, entry in enumerate(document["exercises"]):
        entry |= {"step": step, "due": (MONDAY + timedelta(days=step)).isoformat()}
    path.write_text(json.dumps(document))
    deck = Deck(path, Calendar())
    kept = {each.key: each for each in deck.value.values()}
    memories = [kept[each.key].memory for each in found]
    assert [memory.due for memory in memories] == [MONDAY + timedelta(days=step) for step in range(6)]
    assert [memory.stability for memory in memories] == sorted(memory.stability for memory in memories)
    assert memories[0].stability == 0
    assert [(memory.due - memory.reviewed).days for memory in memories[1:]] == [1, 3, 7, 16, 35]


@pytest.mark.parametrize("name", ["othello", "tictactoe"])
@pytest.mark.parametrize("seed", range(3))
def test_a_file_gives_back_what_was_kept(tmp_path: Path, name: str, seed: int) -> None:
    path, found = tmp_path / "training.json", mistakes(seed, name)
    deck = Deck(path, Calendar())
    deck.add(found)
    deck.close()
    assert first_fault(json.loads(path.read_text()), schema_of("training")) is None
    read = Deck(path, Calendar())
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


def test_a_damaged_file_is_set_aside_and_nothing_in_it_lost(tmp_path: Path) -> None:
    path, draw = tmp_path / "training.json", random.Random(4)
    written = Deck(path, Calendar())
    written.add(mistakes()[:3])
    written.close()
    sound = path.read_text()
    for _ in range(40):
        at = draw.randrange(len(sound))
        damaged = sound[:at] + draw.choice(["", "x", "}", "-1", '"', "9" * 400]) + sound[at + draw.randrange(1, 30) :]
        path.write_text(damaged)
        deck = Deck(path, Calendar())
        before = {each.name: each.read_text() for each in tmp_path.glob("*.damaged*")}
        deck.due()
        assert before.items() <= {each.name: each.read_text() for each in tmp_path.glob("*.damaged*")}.items()
        if deck.notice is not None:
            assert isinstance(deck.notice, Damage)
            assert Path(deck.notice.path).read_text() == damaged
            assert not path.exists()


def test_a_folder_that_cannot_be_written_loses_nothing_in_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    deck = Deck(tmp_path / "file" / "training.json", Calendar())
    deck.add(mistakes())
    deck.close()
    assert isinstance(deck.notice, OthelloError)
    assert len(deck.due()) == len(mistakes())


def test_two_windows_lose_nothing_of_each_other(tmp_path: Path) -> None:
    path, today = tmp_path / "training.json", Calendar()
    exercises = [*{each.key: each for seed in range(3) for each in mistakes(seed)[:8]}.values()]
    decks = [Deck(path, today), Deck(path, today)]
    for index, exercise in enumerate(exercises):
        decks[index % 2].add([exercise])
    decks[0].settle(Trial(exercises[0], is_shown=True))
    for deck in decks:
        deck.close()
    last = Deck(path, today)
    assert {each.key for each in last.due()} == {each.key for each in exercises[1:]}
    assert last.next_due is not None
    assert len(last) == len(exercises)
    decks = [Deck(path, today), last]
    assert len(decks[0]) == len(exercises)
    last.settle(Trial(exercises[1], is_shown=True))
    last.close()
    decks[0].add(exercises)  # it still knows the first two as they were
    decks[0].settle(Trial(exercises[2], is_shown=True))
    decks[0].close()
    assert len(Deck(path, today).due()) == len(exercises) - 3
    assert [*tmp_path.iterdir()] == [path]


def test_what_could_not_be_written_is_written_with_the_next_change(tmp_path: Path) -> None:
    path, found = tmp_path / "data" / "training.json", mistakes()
    path.parent.write_text("")
    deck = Deck(path, Calendar())
    deck.add(found[:1])
    end = time.monotonic() + 60.0
    while deck.notice is None and time.monotonic() < end:
        time.sleep(0.001)
    path.parent.unlink()
    deck.add(found[1:])
    deck.close()
    assert deck.notice is None
    assert len(Deck(path, Calendar())) == len(found)


@pytest.mark.parametrize("is_pipe", [False, True])
def test_a_file_that_cannot_be_read_is_left_alone(tmp_path: Path, is_pipe: bool) -> None:
    path = tmp_path / "training.json"
    if is_pipe and not hasattr(os, "mkfifo"):
        pytest.skip("this system has no such pipes")
    os.mkfifo(path) if is_pipe else path.mkdir()
    deck = Deck(path, Calendar())
    deck.add(mistakes())
    deck.close()
    assert isinstance(deck.notice, OthelloError)
    assert len(deck.due()) == len(mistakes())
    assert [*tmp_path.iterdir()] == [path]


def test_what_lost_most_is_kept_however_large_the_board_is(tmp_path: Path) -> None:
    path, draw = tmp_path / "training.json", random.Random(7)
    game = random_game_of(rules_of(game_spec("tictactoe", {"size": 15, "win_length": 15})), 1)
    found = []
    for ply in range(60):
        report = random_report(game.at(ply), draw)
        found += [Exercise(game.at(ply), move, report) for move in draw.sample(game.at(ply).legal_moves(), 6)]
    assert len(found) > MOST == 300
    deck = Deck(path, Calendar())
    deck.add(found)
    kept = sorted((each.loss for each in found), reverse=True)[:MOST]
    assert [each.loss for each in deck.due()] == kept
    worst_of_all = replace(max(found, key=lambda each: each.loss), memory=Memory(MONDAY, 150.0, 5.0, MONDAY))
    (tmp_path / "known.json").write_text(text_of([worst_of_all]))
    full = Deck(tmp_path / "known.json", Calendar())
    full.add(each for each in found if each.key != worst_of_all.key)
    full.close(60.0)
    assert worst_of_all.key not in full.value, "what is known goes first"
    deck.close(60.0)
    again = Deck(path, Calendar())
    assert [each.loss for each in again.due()] == pytest.approx(kept, abs=1e-3)
    assert again.notice is None


def test_what_is_due_longest_comes_first(tmp_path: Path) -> None:
    today, (first, second, *_) = Calendar(), sorted(mistakes(), key=lambda each: each.loss)
    deck = Deck(tmp_path / "training.json", today)
    deck.add([first])
    today.day += timedelta(days=1)
    deck.add([second])
    assert [each.key for each in deck.due()] == [first.key, second.key]
    deck.close()


def test_a_mistake_that_another_window_has_kept_does_not_begin_anew(tmp_path: Path) -> None:
    path, today, (exercise, *_) = tmp_path / "training.json", Calendar(), mistakes()
    late, early = Deck(path, today), Deck(path, today)
    assert not late.due()
    early.add([exercise])
    early.settle(Trial(exercise, is_shown=True))
    early.close()
    late.add([exercise])
    late.close()
    assert Deck(path, today).next_due == today.day + timedelta(days=1)
