"""Pauses, single steps, and moves on demand."""

import pytest

from othello.play import session_commands as cmd
from othello.play.worker import Started
from othello.rules.protocol import Move
from tests.play.fake_players import PERSON
from tests.play.session_driver import FIRST, SECOND, drive_session
from tests.positions import SPEC


def test_an_answer_is_held_back_to_the_pace() -> None:
    driver = drive_session(FIRST, PERSON)
    driver.script.answer_last(0.0, 0.1)
    driver.wait(0.1)
    assert driver.ply == 0
    assert driver.session.next_event(driver.now) == pytest.approx(0.8)
    driver.wait(0.69)
    assert driver.ply == 0
    driver.wait(0.02)
    assert driver.session.game.moves == (19,)


def test_a_pause_holds_the_search_which_goes_on_where_it_was() -> None:
    driver = drive_session(FIRST, SECOND)
    driver.script.expects_news = True
    driver.script.news.append(Started(0.0))
    driver.wait(1.0)
    assert driver.session.worker.is_running
    driver.do(cmd.TogglePause())
    assert (driver.script.is_paused, driver.script.cancelled) == (True, 0)
    assert not driver.session.worker.is_running
    driver.wait(10.0)
    assert driver.session.next_event(driver.now) is None
    driver.do(cmd.TogglePause())
    assert not driver.script.is_paused
    driver.answer()
    assert (driver.ply, driver.script.cancelled, len(driver.script.requests)) == (1, 0, 2)


def test_an_answer_that_comes_in_spite_of_a_pause_waits_for_its_end() -> None:
    driver = drive_session(FIRST, SECOND)
    driver.do(cmd.TogglePause())
    driver.answer()
    assert driver.ply == 0
    driver.do(cmd.TogglePause())
    driver.wait(driver.session.pace.delay)
    assert driver.ply == 1


@pytest.mark.parametrize("ends", [cmd.Undo(), cmd.NewGame(), cmd.SwapSides()])
def test_what_ends_a_search_ends_one_that_is_held(ends: cmd.SessionCommand) -> None:
    driver = drive_session(PERSON, FIRST)
    driver.do(cmd.PlayMove(Move(19)), cmd.TogglePause(), ends)
    assert driver.script.cancelled == 1
    assert not driver.session.worker.is_paused


def test_move_now_plays_what_a_held_search_has_found_and_the_game_stays_paused() -> None:
    driver = drive_session(FIRST, SECOND)
    driver.script.expects_news = True
    driver.do(cmd.TogglePause(), cmd.MoveNow())
    assert (driver.script.hurried, driver.script.is_paused) == (1, False)
    assert driver.session.next_event(driver.now) == driver.now
    driver.answer()
    driver.wait(10.0)
    assert (driver.ply, driver.session.pace.paused, len(driver.script.requests)) == (1, True, 1)


def test_a_pause_holds_what_is_analysed_and_the_persons_move_lets_it_go_on() -> None:
    driver = drive_session(PERSON, FIRST)
    driver.do(cmd.Analyse(FIRST), cmd.TogglePause())
    assert driver.analyst.is_paused
    driver.do(cmd.GoTo(0))
    assert len(driver.analyst.requests) == 1
    driver.do(cmd.PlayMove(Move(19)))
    assert not driver.analyst.is_paused
    assert len(driver.analyst.requests) == 2
    driver.do(cmd.HoldAnalyses(True))
    assert driver.analyst.is_paused
    driver.do(cmd.Analyse(SECOND))
    assert not driver.analyst.is_paused
    assert len(driver.analyst.requests) == 3


def test_a_pause_keeps_an_answer_that_is_there_already() -> None:
    driver = drive_session(FIRST, SECOND)
    driver.script.answer_last(0.0, 0.1)
    driver.wait(0.1)
    driver.do(cmd.TogglePause())
    driver.wait(10.0)
    assert (driver.ply, driver.script.cancelled) == (0, 0)
    driver.do(cmd.StepMoves())
    assert (driver.ply, driver.session.pace.paused) == (1, True)


def test_a_step_is_one_move_of_the_computer() -> None:
    driver = drive_session(FIRST, SECOND)
    driver.do(cmd.TogglePause(), cmd.StepMoves())
    driver.answer()
    driver.wait(10.0)
    assert (driver.ply, len(driver.script.requests)) == (1, 1)
    driver.do(cmd.StepMoves())
    driver.answer()
    assert (driver.ply, driver.session.pace.paused) == (2, True)
    driver.do(cmd.TogglePause())
    driver.answer()
    assert driver.ply == 3


def test_a_step_on_ones_own_turn_does_not_hold_the_opponent() -> None:
    driver = drive_session(PERSON, FIRST)
    assert not driver.session.allows(cmd.StepMoves)
    driver.do(cmd.StepMoves(), cmd.PlayMove(Move(19)))
    driver.answer()
    assert (driver.ply, driver.session.pace.paused) == (2, False)


def test_a_persons_move_ends_a_pause() -> None:
    driver = drive_session(PERSON, FIRST)
    driver.do(cmd.TogglePause(), cmd.PlayMove(Move(19)))
    driver.answer()
    assert (driver.ply, driver.session.pace.paused) == (2, False)


def test_move_now_wants_the_answer_at_once() -> None:
    driver = drive_session(FIRST, PERSON, delay=3.0)
    assert driver.session.allows(cmd.MoveNow)
    driver.do(cmd.MoveNow())
    assert driver.script.hurried == 1
    driver.script.answer_last(0.0, 0.1)
    driver.wait(0.1)
    assert driver.ply == 1
    driver.do(cmd.MoveNow())
    assert driver.script.hurried == 1


def test_a_trial_begins_in_a_paused_game_too() -> None:
    driver = drive_session(PERSON, FIRST)
    driver.do(cmd.TogglePause(), cmd.MeasureMoveTime(FIRST, SPEC))
    assert len(driver.analyst.requests) == 1
    driver.do(cmd.HoldAnalyses(True))
    assert not driver.analyst.is_paused


def test_an_answer_waits_until_the_game_can_be_seen() -> None:
    driver = drive_session(PERSON, FIRST)
    driver.do(cmd.PlayMove(Move(19)))
    driver.script.answer_last(driver.now, driver.now)
    driver.wait()
    driver.cover(True)
    driver.wait(100.0)
    assert driver.ply == 1
    driver.cover(False)
    driver.wait(driver.session.pace.delay)
    assert driver.ply == 2
