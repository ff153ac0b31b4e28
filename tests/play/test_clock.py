"""Time: clocks, time for a move, pauses, single steps, and moves on demand."""

import json
from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import Final

import pytest
from hypothesis import given, strategies as st

from othello.config import PlayerConfig
from othello.play import session_commands as cmd
from othello.play.clock import Clock, move_time
from othello.play.playback import PASS_SECONDS, PlaybackSpeed
from othello.play.referee import Fault, Forfeit
from othello.play.worker import Preparing
from othello.records.game_file import format_game, parse_game
from othello.rules.protocol import Color, Move
from othello.study.game_file_conversion import game_file_from, open_command
from tests.golden.dialogues import assert_answers, rounded
from tests.play import session_driver
from tests.play.fake_players import PERSON
from tests.play.session_driver import FIRST, SECOND, Step, answer, drive_session, play, start_search, wait
from tests.positions import SPEC

BLACK, WHITE = Color


def test_a_clock_that_runs_is_not_started_again_and_never_runs_backwards() -> None:
    assert Clock().started(BLACK, 1.0).started(BLACK, 2.0).stopped(4.0).stopped(9.0).used(BLACK, 9.0) == 3.0
    assert Clock().started(WHITE, 5.0).stopped(4.0).used(WHITE, 5.0) == 0.0


def _solver(empties: int) -> Callable[[int], float]:
    """Return a function for a player that solves one empty square more in twice the time, starting with a second."""
    return lambda moves: 2.0 ** (moves - empties)


ENDS = st.sampled_from([lambda _: inf, lambda moves: 0.0 if moves <= 12 else inf, _solver(16), _solver(24)])


@given(st.floats(0.2, 10_000), st.floats(0, 100), st.integers(1, 60), ENDS, st.floats(0.3, 1))
def test_a_move_gets_more_of_more_time_but_never_all(
    remaining: float, increment: float, moves: int, ends: Callable[[int], float], used: float
) -> None:
    plan = move_time(remaining, increment, moves, ends, used=lambda _: used)
    assert 0 < plan <= remaining / 2
    assert plan <= move_time(1.1 * remaining, increment, moves, ends, used=lambda _: used)


@given(st.floats(1, 3600), st.floats(0, 10), ENDS, st.floats(0.5, 1))
def test_allotted_time_is_enough(seconds: float, increment: float, ends: Callable[[int], float], used: float) -> None:
    """One player uses all of its time per move, the other the share that it declares, until the endgame is solved."""
    for share in (1.0, used):
        left = seconds
        for moves in range(60, 0, -2):
            plan = share * move_time(left, increment, moves, ends, used=lambda _: used)
            left -= min(plan, ends(moves))
            assert left > 0
            left += increment
        assert increment or left < 0.3 * seconds


def test_move_times_have_the_golden_digits() -> None:
    def planned(question: str) -> str:
        remaining, increment, moves, empties, stones, used, minimum = json.loads(question)  # empties -99: unsolved
        time = move_time(remaining, increment, moves, _solver(empties), stones, lambda _: used, minimum)
        return rounded(f"{type(time).__name__} {time}")

    assert_answers("move_times.txt", planned)
    even, hasty = (move_time(60.0, 0.0, 60, ends) for ends in (lambda _: inf, _solver(20)))
    assert 1.3 * even < hasty < 2 * even, "more time goes to the moves before the end is solved"
    assert move_time(3600.0, 0.0, 60, _solver(20)) > 60 * hasty  # with more time, an earlier end is worth solving


@pytest.mark.parametrize(("delay", "shown"), [(0.0, 1.0), (0.4, 1.0), (3.0, 3.0)])
def test_a_pass_between_computers_is_shown_for_a_second_or_more(delay: float, shown: float) -> None:
    assert PlaybackSpeed(delay).due(is_pass=True, is_watched=True) == shown


OUT_OF_TIME = Forfeit(Color.BLACK, Fault.OUT_OF_TIME)
HURRIED = replace(PERSON, clock_seconds=10.0, increment_seconds=1.0)
PATIENT = replace(PERSON, clock_seconds=100.0)
TIMED = replace(FIRST, clock_seconds=10.0)
OPENING: Final = play("d3"), play("c3")
LATER: Final = *OPENING, wait(4), play(), wait(2)
UNDO, REDO = cmd.Undo(), cmd.Redo()
PAUSE: Final = cmd.TogglePause()
STEP: Final = cmd.StepMoves()


def remaining(driver: session_driver.SessionDriver) -> list[float | None]:
    return [driver.session.referee.remaining(color, driver.now) for color in Color]


def prepare(driver: session_driver.SessionDriver) -> None:
    driver.script.news.append(Preparing("first"))


@pytest.mark.parametrize(
    ("black", "white", "steps", "left"),
    [
        pytest.param(HURRIED, PERSON, [wait(3600)], [10, None], id="no user's time runs before the first move"),
        pytest.param(HURRIED, FIRST, [wait(3600)], [10, None], id="nor against a computer"),
        pytest.param(HURRIED, PERSON, [wait(3600), play("d3")], [11, None], id="the first move gains time"),
        pytest.param(FIRST, HURRIED, [answer(), wait(3600)], [None, 10], id="nor after a computer's move"),
        pytest.param(HURRIED, TIMED, [play("d3"), prepare, wait(3600)], [11, 10], id="none while a player prepares"),
        pytest.param(HURRIED, HURRIED, LATER, [8, 9], id="each move gains time"),
        pytest.param(HURRIED, HURRIED, [*LATER, UNDO], [11, 11], id="undo"),
        pytest.param(HURRIED, HURRIED, [*LATER, play(), wait(3), UNDO, REDO], [5, 10], id="undo and redo"),
        pytest.param(HURRIED, HURRIED, [*OPENING, wait(3), UNDO, wait(5), REDO], [8, 11], id="in a position left"),
        pytest.param(HURRIED, PATIENT, [*OPENING, wait(4), cmd.SwapSides()], [100, 7], id="swapped with the sides"),
        pytest.param(TIMED, PERSON, [cmd.HandOver(Color.BLACK)], [10, None], id="taken over with the side"),
        pytest.param(HURRIED, FIRST, [PAUSE, wait(60)], [10, None], id="none in a pause"),
        pytest.param(TIMED, PERSON, [start_search, wait(4), PAUSE, wait(60)], [6, None], id="a paused search"),
        pytest.param(TIMED, PERSON, [start_search, wait(4), PAUSE, wait(9), PAUSE, wait(1)], [5, None], id="resumed"),
        pytest.param(TIMED, PERSON, [start_search, wait(4), PAUSE, wait(9), PAUSE, answer(5)], [1, None], id="ended"),
        pytest.param(TIMED, PERSON, [PAUSE, start_search, wait(60)], [10, None], id="a search begun in a pause"),
        pytest.param(TIMED, PERSON, [PAUSE, start_search, wait(60), PAUSE, wait(1)], [9, None], id="resumed later"),
        pytest.param(PERSON, TIMED, [play("d3"), start_search, wait(4)], [None, 6], id="a search"),
        pytest.param(PERSON, TIMED, [play("d3"), start_search, wait(4), UNDO, REDO], [None, 10], id="begun again"),
    ],
)
def test_time_left(black: PlayerConfig, white: PlayerConfig, steps: list[Step], left: list[float | None]) -> None:
    driver = drive_session(black, white, *steps)
    assert remaining(driver) == [seconds if seconds is None else pytest.approx(seconds) for seconds in left]
    assert not driver.session.referee.is_over


def test_the_clock_of_a_reopened_game_waits_for_the_first_move() -> None:
    driver = drive_session(HURRIED, PERSON, *OPENING, wait(4.0))
    file = parse_game(format_game(game_file_from(driver.session.history.tree, driver.session.referee, "")))
    driver.do(open_command(file))
    assert driver.ply == 2
    assert driver.session.clock_waits
    left = remaining(driver)
    driver.wait(3600.0)
    assert remaining(driver) == left
    driver.do(play(), play(), wait(3600.0))
    assert driver.session.referee.forfeit == OUT_OF_TIME


@pytest.mark.parametrize("moves_late", [True, False])
def test_a_user_who_runs_out_of_time_loses_and_the_game_is_recorded(moves_late: bool) -> None:
    driver = drive_session(HURRIED, PERSON, *OPENING)
    assert driver.session.next_event(driver.now) == 11.0
    driver.now = 11.5
    if moves_late:
        driver.play()
    driver.wait()
    assert (driver.session.referee.forfeit, driver.session.referee.winner) == (OUT_OF_TIME, Color.WHITE)
    record = driver.records[0]
    assert (record.result, record.reason, record.black_seconds) == ("white", "black has run out of time", 11.5)
    driver.play()
    assert driver.ply == 2


def test_a_computer_that_runs_out_of_time_loses() -> None:
    driver = drive_session(TIMED, PERSON, answer(10.5))
    assert (driver.ply, driver.session.referee.forfeit) == (0, OUT_OF_TIME)


def test_undo_after_running_out_of_time_continues_from_the_last_move() -> None:
    driver = drive_session(HURRIED, PERSON, play("d3"), play("c5"), wait(20.0))
    assert driver.session.referee.is_over
    driver.do(cmd.Undo())
    assert not driver.session.referee.is_over
    driver.do(play("c3"))
    assert (driver.ply, len(driver.records)) == (2, 1)


@pytest.mark.parametrize("player", [HURRIED, TIMED])
def test_no_time_runs_and_no_move_is_made_while_the_game_is_covered(player: PlayerConfig) -> None:
    driver = drive_session(player, PERSON, *(OPENING if player.is_user else [start_search]), wait(4.0))
    ply, left = driver.ply, 7.0 if player.is_user else 6.0
    driver.cover(True, 60.0)
    assert driver.script.is_paused is not player.is_user
    if not player.is_user:
        driver.answer()
    assert (driver.ply, remaining(driver)) == (ply, [pytest.approx(left), None])
    assert not driver.session.pace.paused
    driver.cover(False, 1.0)
    assert (driver.ply, remaining(driver)) == (2 if player.is_user else 1, [pytest.approx(6.0), None])


def test_a_pass_is_announced_again_once_it_is_visible_and_gains_no_time() -> None:
    driver = drive_session(HURRIED, HURRIED, play("a1"), start=session_driver.BEFORE_PASS)
    driver.cover(True, 60.0)
    assert driver.session.announces_pass
    driver.cover(False, PASS_SECONDS - 0.1)
    assert driver.session.announces_pass
    driver.wait(0.2)
    assert not driver.session.announces_pass
    assert (driver.ply, remaining(driver)[1]) == (2, 10.0)


def found(driver: session_driver.SessionDriver) -> None:
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
        pytest.param(False, [PAUSE, cmd.MoveNow(), answer(), wait(10)], 1, True, 1, id="move now in a pause"),
        pytest.param(True, [found, cmd.MoveNow(), cmd.MoveNow()], 1, False, 1, id="move now plays an answer"),
    ],
)
def test_moves_of_computers(is_user_white: bool, steps: list[Step], ply: int, is_paused: bool, requests: int) -> None:
    driver = drive_session(FIRST, PERSON if is_user_white else SECOND, *steps)
    assert (driver.ply, driver.session.pace.paused, len(driver.script.requests)) == (ply, is_paused, requests)
    assert driver.script.cancelled == 0


@pytest.mark.parametrize("command", [PAUSE, STEP])
def test_the_move_of_a_user_ends_a_pause_and_a_step_does_nothing(command: cmd.SessionCommand) -> None:
    assert not drive_session(PERSON, FIRST).session.allows(cmd.StepMoves)
    driver = drive_session(PERSON, FIRST, command, play("d3"), answer())
    assert (driver.ply, driver.session.pace.paused) == (2, False)


def test_a_paused_search_continues_after_the_pause_or_answers_at_once() -> None:
    driver = drive_session(FIRST, SECOND, start_search, wait(1.0))
    driver.script.expects_news = True
    assert driver.session.worker.is_running
    driver.do(PAUSE)
    assert (driver.script.is_paused, driver.script.cancelled) == (True, 0)
    assert not driver.session.worker.is_running
    driver.wait(10.0)
    assert driver.session.next_event(driver.now) is None
    driver.do(PAUSE)
    assert not driver.script.is_paused
    driver.answer()
    assert (driver.ply, driver.script.cancelled, len(driver.script.requests)) == (1, 0, 2)
    assert driver.session.allows(cmd.MoveNow)
    driver.do(PAUSE, cmd.MoveNow())
    assert (driver.script.hurried, driver.script.is_paused) == (1, False)
    assert driver.session.next_event(driver.now) == driver.now


def test_a_pause_holds_the_analysis_until_the_user_moves_but_no_trial() -> None:
    driver = drive_session(PERSON, FIRST, cmd.Analyse(FIRST), cmd.TogglePause())
    assert driver.analyst.is_paused
    driver.do(cmd.GoTo(0))
    assert len(driver.analyst.requests) == 1
    driver.do(cmd.PlayMove(Move(19)))
    assert (driver.analyst.is_paused, len(driver.analyst.requests)) == (False, 2)
    driver.do(cmd.HoldAnalyses(True))
    assert driver.analyst.is_paused
    driver.do(cmd.Analyse(SECOND))
    assert (driver.analyst.is_paused, len(driver.analyst.requests)) == (False, 3)
    driver = drive_session(PERSON, FIRST, cmd.TogglePause(), cmd.MeasureMoveTime(FIRST, SPEC))
    assert len(driver.analyst.requests) == 1, "a trial begins in a pause"
    driver.do(cmd.HoldAnalyses(True))
    assert not driver.analyst.is_paused


def test_an_answer_is_played_once_the_game_is_visible() -> None:
    driver = drive_session(PERSON, FIRST, play("d3"))
    driver.script.answer_last(driver.now, driver.now)
    driver.wait()
    driver.cover(True, 100.0)
    assert driver.ply == 1
    driver.cover(False, driver.session.pace.delay)
    assert driver.ply == 2
