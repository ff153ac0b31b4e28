"""Games with a clock, in a session and without one."""

from dataclasses import replace
from typing import Final

import pytest

from othello.config import PlayerConfig
from othello.play import session_commands as cmd
from othello.play.playback import PASS_SECONDS
from othello.play.referee import Fault, Forfeit
from othello.play.worker import Preparing
from othello.records.game_file import format_game, parse_game
from othello.rules.protocol import Color, Move
from othello.study.game_file_conversion import game_file_from, open_command
from tests.play.fake_players import PERSON, computer
from tests.play.session_driver import (
    PASS_AHEAD,
    SessionDriver,
    Step,
    answer,
    do,
    drive_session,
    play,
    play_on,
    start_search,
    wait,
)

OUT_OF_TIME = Forfeit(Color.BLACK, Fault.OUT_OF_TIME)
HURRIED = replace(PERSON, clock_seconds=10.0, increment_seconds=1.0)
PATIENT = replace(PERSON, clock_seconds=100.0)
FIRST, TIMED = computer("first"), replace(computer("first"), clock_seconds=10.0)
OPENING: Final = play("d3"), play("c3")
PAUSE: Final = do(cmd.TogglePause())


def remaining(driver: SessionDriver) -> list[float | None]:
    return [driver.session.referee.remaining(color, driver.now) for color in Color]


def begun(black: PlayerConfig, white: PlayerConfig) -> SessionDriver:
    """Return a game in which both sides have moved at once."""
    driver = drive_session(black, white)
    for step in OPENING:
        step(driver)
    return driver


def prepare(driver: SessionDriver) -> None:
    driver.script.news.append(Preparing("first"))


@pytest.mark.parametrize(
    ("black", "white", "steps", "left"),
    [
        pytest.param(HURRIED, PERSON, [wait(3600)], [10, None], id="no user's time runs before the first move"),
        pytest.param(HURRIED, FIRST, [wait(3600)], [10, None], id="nor against a computer"),
        pytest.param(HURRIED, PERSON, [wait(3600), play("d3")], [11, None], id="the first move gains time"),
        pytest.param(FIRST, HURRIED, [answer(), wait(3600)], [None, 10], id="nor after a computer's move"),
        pytest.param(HURRIED, TIMED, [play("d3"), prepare, wait(3600)], [11, 10], id="none while a player prepares"),
        pytest.param(HURRIED, HURRIED, [*OPENING, wait(4), play(), wait(2)], [8, 9], id="each move gains time"),
        pytest.param(HURRIED, HURRIED, [*OPENING, wait(4), play(), wait(2), do(cmd.Undo())], [11, 11], id="undo"),
        pytest.param(
            *(HURRIED, HURRIED, [*OPENING, wait(4), play(), wait(2), play(), wait(3), do(cmd.Undo(), cmd.Redo())]),
            *([5, 10],),
            id="undo and redo give no time back",
        ),
        pytest.param(
            *(HURRIED, HURRIED, [*OPENING, wait(3), do(cmd.Undo()), wait(5), do(cmd.Redo())], [8, 11]),
            id="none in a position that was left",
        ),
        pytest.param(HURRIED, PATIENT, [*OPENING, wait(4), do(cmd.SwapSides())], [100, 7], id="swapped with the sides"),
        pytest.param(TIMED, PERSON, [do(cmd.HandOver(Color.BLACK))], [10, None], id="taken over with the side"),
        pytest.param(HURRIED, FIRST, [PAUSE, wait(60)], [10, None], id="none in a pause"),
        pytest.param(TIMED, PERSON, [start_search, wait(4), PAUSE, wait(60)], [6, None], id="a paused search"),
        pytest.param(TIMED, PERSON, [start_search, wait(4), PAUSE, wait(9), PAUSE, wait(1)], [5, None], id="resumed"),
        pytest.param(TIMED, PERSON, [start_search, wait(4), PAUSE, wait(9), PAUSE, answer(5)], [1, None], id="ended"),
        pytest.param(TIMED, PERSON, [PAUSE, start_search, wait(60)], [10, None], id="a search begun in a pause"),
        pytest.param(TIMED, PERSON, [PAUSE, start_search, wait(60), PAUSE, wait(1)], [9, None], id="resumed later"),
        pytest.param(PERSON, TIMED, [play("d3"), start_search, wait(4)], [None, 6], id="a search"),
        pytest.param(
            *(PERSON, TIMED, [play("d3"), start_search, wait(4), do(cmd.Undo(), cmd.Redo())], [None, 10]),
            id="a search that begins again",
        ),
    ],
)
def test_time_left(black: PlayerConfig, white: PlayerConfig, steps: list[Step], left: list[float | None]) -> None:
    driver = drive_session(black, white)
    for step in steps:
        step(driver)
    assert remaining(driver) == [seconds if seconds is None else pytest.approx(seconds) for seconds in left]
    assert not driver.session.referee.is_over


def test_the_clock_of_a_reopened_game_waits_for_the_first_move() -> None:
    driver = begun(HURRIED, PERSON)
    driver.wait(4.0)
    file = parse_game(format_game(game_file_from(driver.session.history.tree, driver.session.referee, "")))
    driver.do(open_command(file))
    assert driver.ply == 2
    assert driver.session.clock_waits
    left = remaining(driver)
    driver.wait(3600.0)
    assert remaining(driver) == left
    for step in (play(), play(), wait(3600.0)):
        step(driver)
    assert driver.session.referee.forfeit == OUT_OF_TIME


@pytest.mark.parametrize("moves_late", [True, False])
def test_a_user_who_runs_out_of_time_loses_and_the_game_is_recorded(moves_late: bool) -> None:
    driver = begun(HURRIED, PERSON)
    assert driver.session.next_event(driver.now) == 11.0
    driver.now = 11.5
    if moves_late:
        driver.play()
    driver.wait()
    assert driver.session.referee.is_over
    assert (driver.session.referee.forfeit, driver.session.referee.winner) == (OUT_OF_TIME, Color.WHITE)
    record = driver.records[0]
    assert (record.result, record.reason, record.black_seconds) == ("white", "black has run out of time", 11.5)
    play()(driver)
    assert driver.ply == 2


def test_a_computer_that_runs_out_of_time_loses() -> None:
    driver = drive_session(TIMED, PERSON)
    driver.answer(thought=10.5)
    assert (driver.ply, driver.session.referee.forfeit) == (0, OUT_OF_TIME)


def test_undo_after_running_out_of_time_continues_from_the_last_move() -> None:
    driver = drive_session(HURRIED, PERSON)
    for step in (play("d3"), play("c5"), wait(20.0)):
        step(driver)
    assert driver.session.referee.is_over
    driver.do(cmd.Undo())
    assert not driver.session.referee.is_over
    play("c3")(driver)
    assert driver.ply == 2
    assert len(driver.records) == 1


@pytest.mark.parametrize("player", [HURRIED, TIMED])
def test_no_time_runs_and_no_move_is_made_while_the_game_is_covered(player: PlayerConfig) -> None:
    driver = begun(player, PERSON) if player.is_user else drive_session(player, PERSON)
    ply, left = driver.ply, 7.0 if player.is_user else 6.0
    if not player.is_user:
        start_search(driver)
    driver.wait(4.0)
    driver.cover(True)
    driver.wait(60.0)
    assert driver.script.is_paused is not player.is_user
    if not player.is_user:
        driver.answer()
    assert (driver.ply, remaining(driver)) == (ply, [pytest.approx(left), None])
    assert not driver.session.pace.paused
    driver.cover(False)
    driver.wait(1.0)
    assert (driver.ply, remaining(driver)) == (2 if player.is_user else 1, [pytest.approx(6.0), None])


def test_a_pass_is_announced_again_once_it_is_visible_and_gains_no_time() -> None:
    driver = drive_session(HURRIED, HURRIED, board=PASS_AHEAD)
    driver.do(cmd.PlayMove(Move(0)))
    driver.cover(True)
    driver.wait(60.0)
    assert driver.session.announces_pass
    driver.cover(False)
    driver.wait(PASS_SECONDS - 0.1)
    assert driver.session.announces_pass
    driver.wait(0.2)
    assert not driver.session.announces_pass
    assert (driver.ply, remaining(driver)[1]) == (2, 10.0)


def test_a_game_played_in_time_ends_on_the_board() -> None:
    driver = drive_session(HURRIED, HURRIED)
    play_on(driver)
    assert driver.session.referee.forfeit is None
    assert driver.session.game.is_over
    assert driver.records[0].reason == ""
