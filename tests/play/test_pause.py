"""Pauses, single steps, and moves on demand."""

import pytest

from othello.play import session_commands as cmd
from othello.play.worker import Started
from othello.rules.protocol import Move
from tests.play.faulty import PERSON
from tests.play.table import FIRST, SECOND, table
from tests.positions import SPEC


def test_an_answer_is_held_back_to_the_pace() -> None:
    made = table(FIRST, PERSON)
    made.script.answer_last(0.0, 0.1)
    made.wait(0.1)
    assert made.ply == 0
    assert made.session.next_event(made.now) == pytest.approx(0.8)
    made.wait(0.69)
    assert made.ply == 0
    made.wait(0.02)
    assert made.session.game.moves == (19,)


def test_a_pause_holds_the_search_which_goes_on_where_it_was() -> None:
    made = table(FIRST, SECOND)
    made.script.expects_news = True
    made.script.news.append(Started(0.0))
    made.wait(1.0)
    assert made.session.worker.is_running
    made.do(cmd.TogglePause())
    assert (made.script.is_paused, made.script.cancelled) == (True, 0)
    assert not made.session.worker.is_running
    made.wait(10.0)
    assert made.session.next_event(made.now) is None
    made.do(cmd.TogglePause())
    assert not made.script.is_paused
    made.answer()
    assert (made.ply, made.script.cancelled, len(made.script.requests)) == (1, 0, 2)


def test_an_answer_that_comes_in_spite_of_a_pause_waits_for_its_end() -> None:
    made = table(FIRST, SECOND)
    made.do(cmd.TogglePause())
    made.answer()
    assert made.ply == 0
    made.do(cmd.TogglePause())
    made.wait(made.session.pace.delay)
    assert made.ply == 1


@pytest.mark.parametrize("ends", [cmd.Undo(), cmd.NewGame(), cmd.SwapSides()])
def test_what_ends_a_search_ends_one_that_is_held(ends: cmd.SessionCommand) -> None:
    made = table(PERSON, FIRST)
    made.do(cmd.PlayMove(Move(19)), cmd.TogglePause(), ends)
    assert made.script.cancelled == 1
    assert not made.session.worker.is_paused


def test_move_now_plays_what_a_held_search_has_found_and_the_game_stays_paused() -> None:
    made = table(FIRST, SECOND)
    made.script.expects_news = True
    made.do(cmd.TogglePause(), cmd.MoveNow())
    assert (made.script.hurried, made.script.is_paused) == (1, False)
    assert made.session.next_event(made.now) == made.now
    made.answer()
    made.wait(10.0)
    assert (made.ply, made.session.pace.paused, len(made.script.requests)) == (1, True, 1)


def test_a_pause_holds_what_is_analysed_and_the_persons_move_lets_it_go_on() -> None:
    made = table(PERSON, FIRST)
    made.do(cmd.Analyse(FIRST), cmd.TogglePause())
    assert made.analyst.is_paused
    made.do(cmd.GoTo(0))
    assert len(made.analyst.requests) == 1
    made.do(cmd.PlayMove(Move(19)))
    assert not made.analyst.is_paused
    assert len(made.analyst.requests) == 2
    made.do(cmd.HoldAnalyses(True))
    assert made.analyst.is_paused
    made.do(cmd.Analyse(SECOND))
    assert not made.analyst.is_paused
    assert len(made.analyst.requests) == 3


def test_a_pause_keeps_an_answer_that_is_there_already() -> None:
    made = table(FIRST, SECOND)
    made.script.answer_last(0.0, 0.1)
    made.wait(0.1)
    made.do(cmd.TogglePause())
    made.wait(10.0)
    assert (made.ply, made.script.cancelled) == (0, 0)
    made.do(cmd.StepMoves())
    assert (made.ply, made.session.pace.paused) == (1, True)


def test_a_step_is_one_move_of_the_computer() -> None:
    made = table(FIRST, SECOND)
    made.do(cmd.TogglePause(), cmd.StepMoves())
    made.answer()
    made.wait(10.0)
    assert (made.ply, len(made.script.requests)) == (1, 1)
    made.do(cmd.StepMoves())
    made.answer()
    assert (made.ply, made.session.pace.paused) == (2, True)
    made.do(cmd.TogglePause())
    made.answer()
    assert made.ply == 3


def test_a_step_on_ones_own_turn_does_not_hold_the_opponent() -> None:
    made = table(PERSON, FIRST)
    assert not made.session.allows(cmd.StepMoves)
    made.do(cmd.StepMoves(), cmd.PlayMove(Move(19)))
    made.answer()
    assert (made.ply, made.session.pace.paused) == (2, False)


def test_a_persons_move_ends_a_pause() -> None:
    made = table(PERSON, FIRST)
    made.do(cmd.TogglePause(), cmd.PlayMove(Move(19)))
    made.answer()
    assert (made.ply, made.session.pace.paused) == (2, False)


def test_move_now_wants_the_answer_at_once() -> None:
    made = table(FIRST, PERSON, delay=3.0)
    assert made.session.allows(cmd.MoveNow)
    made.do(cmd.MoveNow())
    assert made.script.hurried == 1
    made.script.answer_last(0.0, 0.1)
    made.wait(0.1)
    assert made.ply == 1
    made.do(cmd.MoveNow())
    assert made.script.hurried == 1


def test_a_trial_begins_in_a_paused_game_too() -> None:
    made = table(PERSON, FIRST)
    made.do(cmd.TogglePause(), cmd.MeasureMoveTime(FIRST, SPEC))
    assert len(made.analyst.requests) == 1
    made.do(cmd.HoldAnalyses(True))
    assert not made.analyst.is_paused


def test_an_answer_waits_until_the_game_can_be_seen() -> None:
    made = table(PERSON, FIRST)
    made.do(cmd.PlayMove(Move(19)))
    made.script.answer_last(made.now, made.now)
    made.wait()
    made.cover(True)
    made.wait(100.0)
    assert made.ply == 1
    made.cover(False)
    made.wait(made.session.pace.delay)
    assert made.ply == 2
