"""Pauses, single steps, and moves on demand."""

from typing import Final

import pytest

from othello.play import session_commands as cmd
from othello.rules.protocol import Move
from tests.play.fake_players import PERSON
from tests.play.session_driver import FIRST, SECOND, SessionDriver, Step, answer, do, drive_session, start_search, wait
from tests.positions import SPEC

PAUSE: Final = do(cmd.TogglePause())
STEP: Final = do(cmd.StepMoves())
D3: Final = do(cmd.PlayMove(Move(19)))


def found(driver: SessionDriver) -> None:
    """Let the search answer after 0.1 s, sooner than the pace of the game."""
    driver.script.answer_last(driver.now, driver.now + 0.1)
    driver.wait(0.1)


@pytest.mark.parametrize(
    ("is_user_white", "steps", "ply", "is_paused", "requests"),
    [
        pytest.param(False, [found, wait(0.68)], 0, False, 1, id="an answer is held back to the pace"),
        pytest.param(False, [found, wait(0.71)], 1, False, 1, id="and played then"),
        pytest.param(False, [PAUSE, answer()], 0, True, 1, id="an answer in a pause waits"),
        pytest.param(False, [PAUSE, answer(), PAUSE, wait(0.8)], 1, False, 1, id="for the end of the pause"),
        pytest.param(False, [found, PAUSE, wait(10)], 0, True, 1, id="a pause keeps an answer"),
        pytest.param(False, [found, PAUSE, wait(10), STEP], 1, True, 1, id="which a step plays"),
        pytest.param(False, [PAUSE, STEP, answer(), wait(10)], 1, True, 1, id="a step is one move"),
        pytest.param(False, [PAUSE, STEP, answer(), STEP, answer()], 2, True, 2, id="two steps are two moves"),
        pytest.param(False, [PAUSE, STEP, answer(), PAUSE, answer()], 2, False, 3, id="steps end with the pause"),
        pytest.param(False, [PAUSE, do(cmd.MoveNow()), answer(), wait(10)], 1, True, 1, id="move now in a pause"),
        pytest.param(True, [found, do(cmd.MoveNow()), do(cmd.MoveNow())], 1, False, 1, id="move now plays an answer"),
    ],
)
def test_moves_of_computers(is_user_white: bool, steps: list[Step], ply: int, is_paused: bool, requests: int) -> None:
    driver = drive_session(FIRST, PERSON if is_user_white else SECOND)
    for step in steps:
        step(driver)
    assert (driver.ply, driver.session.pace.paused, len(driver.script.requests)) == (ply, is_paused, requests)
    assert driver.script.cancelled == 0


@pytest.mark.parametrize(
    "steps",
    [
        pytest.param([STEP, D3, answer()], id="a step on the user's turn does not pause"),
        pytest.param([PAUSE, D3, answer()], id="the user's move ends a pause"),
    ],
)
def test_moves_of_a_user(steps: list[Step]) -> None:
    driver = drive_session(PERSON, FIRST)
    assert not driver.session.allows(cmd.StepMoves)
    for step in steps:
        step(driver)
    assert (driver.ply, driver.session.pace.paused) == (2, False)


def test_a_paused_search_continues_after_the_pause_or_answers_at_once() -> None:
    driver = drive_session(FIRST, SECOND)
    driver.script.expects_news = True
    start_search(driver)
    driver.wait(1.0)
    assert driver.session.worker.is_running
    PAUSE(driver)
    assert (driver.script.is_paused, driver.script.cancelled) == (True, 0)
    assert not driver.session.worker.is_running
    driver.wait(10.0)
    assert driver.session.next_event(driver.now) is None
    PAUSE(driver)
    assert not driver.script.is_paused
    driver.answer()
    assert (driver.ply, driver.script.cancelled, len(driver.script.requests)) == (1, 0, 2)
    assert driver.session.allows(cmd.MoveNow)
    driver.do(cmd.TogglePause(), cmd.MoveNow())
    assert (driver.script.hurried, driver.script.is_paused) == (1, False)
    assert driver.session.next_event(driver.now) == driver.now


@pytest.mark.parametrize("ends", [cmd.Undo(), cmd.NewGame(), cmd.SwapSides()])
def test_commands_that_cancel_a_search_cancel_a_paused_one(ends: cmd.SessionCommand) -> None:
    driver = drive_session(PERSON, FIRST)
    driver.do(cmd.PlayMove(Move(19)), cmd.TogglePause(), ends)
    assert driver.script.cancelled == 1
    assert not driver.session.worker.is_paused


def test_a_pause_holds_the_analysis_until_the_user_moves_but_no_trial() -> None:
    driver = drive_session(PERSON, FIRST)
    driver.do(cmd.Analyse(FIRST), cmd.TogglePause())
    assert driver.analyst.is_paused
    driver.do(cmd.GoTo(0))
    assert len(driver.analyst.requests) == 1
    driver.do(cmd.PlayMove(Move(19)))
    assert (driver.analyst.is_paused, len(driver.analyst.requests)) == (False, 2)
    driver.do(cmd.HoldAnalyses(True))
    assert driver.analyst.is_paused
    driver.do(cmd.Analyse(SECOND))
    assert (driver.analyst.is_paused, len(driver.analyst.requests)) == (False, 3)
    driver = drive_session(PERSON, FIRST)
    driver.do(cmd.TogglePause(), cmd.MeasureMoveTime(FIRST, SPEC))
    assert len(driver.analyst.requests) == 1, "a trial begins in a pause"
    driver.do(cmd.HoldAnalyses(True))
    assert not driver.analyst.is_paused


def test_an_answer_is_played_once_the_game_is_visible() -> None:
    driver = drive_session(PERSON, FIRST)
    D3(driver)
    driver.script.answer_last(driver.now, driver.now)
    driver.wait()
    driver.cover(True)
    driver.wait(100.0)
    assert driver.ply == 1
    driver.cover(False)
    driver.wait(driver.session.pace.delay)
    assert driver.ply == 2
