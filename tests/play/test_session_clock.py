"""Games with a clock, in a session and without one."""

from dataclasses import replace

import pytest

from othello.config import PlayerConfig
from othello.play import session_commands as cmd
from othello.play.playback import PASS_SECONDS
from othello.play.referee import Fault, Forfeit
from othello.play.worker import Preparing, Started
from othello.records.game_file import format_game, parse_game
from othello.rules.protocol import Color, Move
from othello.study.game_file_conversion import game_file_from, open_command
from tests.play.fake_players import PERSON, computer
from tests.play.session_driver import PASS_AHEAD, SessionDriver, drive_session, play_on

OUT_OF_TIME = Forfeit(Color.BLACK, Fault.OUT_OF_TIME)
HURRIED = replace(PERSON, clock_seconds=10.0, increment_seconds=1.0)


def play(driver: SessionDriver, name: str) -> None:
    driver.do(cmd.PlayMove(driver.session.game.rules.parse_move(driver.session.game.position, name)))


def remaining(driver: SessionDriver) -> list[float | None]:
    return [driver.session.referee.remaining(color, driver.now) for color in Color]


def begun(black: PlayerConfig, white: PlayerConfig) -> SessionDriver:
    """Return a game in which both sides have moved at once."""
    driver = drive_session(black, white)
    play(driver, "d3")
    play(driver, "c3")
    return driver


def play_any(driver: SessionDriver) -> None:
    driver.do(cmd.PlayMove(driver.session.game.legal_moves()[0]))


@pytest.mark.parametrize("white", [PERSON, computer("first")])
def test_no_person_s_time_runs_before_the_first_move(white: PlayerConfig) -> None:
    driver = drive_session(HURRIED, white)
    assert driver.session.clock_waits
    driver.wait(3600.0)
    assert remaining(driver)[Color.BLACK] == 10.0
    play(driver, "d3")
    assert not driver.session.clock_waits
    assert remaining(driver)[Color.BLACK] == 11.0


def test_no_person_s_time_runs_before_the_first_move_after_that_of_a_computer() -> None:
    driver = drive_session(computer("first"), HURRIED)
    driver.answer()
    assert driver.ply == 1
    driver.wait(3600.0)
    assert remaining(driver)[Color.WHITE] == 10.0


def test_a_game_that_is_opened_again_waits_for_the_first_move_too() -> None:
    driver = begun(HURRIED, PERSON)
    driver.wait(4.0)
    file = parse_game(format_game(game_file_from(driver.session.history.tree, driver.session.referee, "")))
    driver.do(open_command(file))
    assert driver.ply == 2
    left = remaining(driver)
    driver.wait(3600.0)
    assert remaining(driver) == left
    play_any(driver)
    play_any(driver)
    driver.wait(3600.0)
    assert driver.session.referee.forfeit == OUT_OF_TIME


def test_no_time_runs_while_a_player_gets_ready() -> None:
    driver = drive_session(HURRIED, replace(computer("first"), clock_seconds=10.0))
    play(driver, "d3")
    driver.script.news.append(Preparing("first"))
    driver.wait(3600.0)
    assert remaining(driver) == [11.0, 10.0]


def test_a_person_who_runs_out_of_time_loses_and_the_game_is_recorded() -> None:
    driver = begun(HURRIED, PERSON)
    assert driver.session.next_event(driver.now) == 11.0
    driver.wait(11.5)
    assert driver.session.referee.is_over
    assert (driver.session.referee.forfeit, driver.session.referee.winner) == (OUT_OF_TIME, Color.WHITE)
    record = driver.records[0]
    assert (record.result, record.reason, record.black_seconds) == ("white", "black has run out of time", 11.5)
    play_any(driver)
    assert driver.ply == 2


def test_a_move_that_comes_too_late_is_not_played() -> None:
    driver = begun(HURRIED, PERSON)
    driver.now = 11.5
    driver.session.do(cmd.PlayMove(driver.session.game.legal_moves()[0]), driver.now)
    assert (driver.ply, driver.session.referee.forfeit) == (2, OUT_OF_TIME)


def test_a_computer_that_runs_out_of_time_loses() -> None:
    driver = drive_session(replace(computer("first"), clock_seconds=3.0), PERSON)
    driver.answer(thought=3.5)
    assert (driver.ply, driver.session.referee.forfeit) == (0, OUT_OF_TIME)


def test_each_move_gains_time_and_undo_gives_the_clock_back_as_it_was() -> None:
    driver = begun(HURRIED, HURRIED)
    driver.wait(4.0)
    play_any(driver)
    driver.wait(2.0)
    assert remaining(driver) == [pytest.approx(8.0), pytest.approx(9.0)]
    driver.do(cmd.Undo())
    assert remaining(driver) == [pytest.approx(11.0), pytest.approx(11.0)]


def test_undo_after_running_out_goes_on_from_the_last_move() -> None:
    driver = drive_session(HURRIED, PERSON)
    play(driver, "d3")
    play(driver, "c5")
    driver.wait(20.0)
    assert driver.session.referee.is_over
    driver.do(cmd.Undo())
    assert not driver.session.referee.is_over
    play(driver, "c3")
    assert driver.ply == 2
    assert len(driver.records) == 1


def test_players_who_swap_take_their_times_along() -> None:
    driver = begun(HURRIED, replace(PERSON, clock_seconds=100.0))
    driver.wait(4.0)
    driver.do(cmd.SwapSides())
    assert remaining(driver) == [pytest.approx(100.0), pytest.approx(7.0)]


def test_a_person_who_takes_over_takes_the_clock_too() -> None:
    driver = drive_session(replace(computer("first"), clock_seconds=30.0), PERSON)
    driver.do(cmd.HandOver(Color.BLACK))
    assert remaining(driver) == [pytest.approx(30.0), None]


def test_no_time_runs_while_the_game_is_paused() -> None:
    driver = drive_session(HURRIED, computer("first"))
    driver.do(cmd.TogglePause())
    driver.wait(60.0)
    assert not driver.session.referee.is_over


@pytest.mark.parametrize("player", [HURRIED, replace(computer("first"), clock_seconds=10.0)])
def test_no_time_runs_and_nobody_moves_while_the_game_cannot_be_seen(player: PlayerConfig) -> None:
    driver = begun(player, PERSON) if player.is_user else drive_session(player, PERSON)
    ply, left = driver.ply, 7.0 if player.is_user else 6.0
    if not player.is_user:
        driver.script.news.append(Started(0.0))
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
    assert (driver.ply, remaining(driver)) in [(2, [pytest.approx(6.0), None]), (1, [pytest.approx(6.0), None])]


def test_a_pass_is_announced_anew_once_it_can_be_seen() -> None:
    driver = drive_session(PERSON, PERSON, board=PASS_AHEAD)
    driver.do(cmd.PlayMove(Move(0)))
    driver.cover(True)
    driver.wait(60.0)
    assert driver.session.announces_pass
    driver.cover(False)
    driver.wait(PASS_SECONDS - 0.1)
    assert driver.session.announces_pass
    driver.wait(0.2)
    assert not driver.session.announces_pass


def test_a_game_played_in_time_ends_on_the_board() -> None:
    driver = drive_session(HURRIED, HURRIED)
    play_on(driver)
    assert driver.session.referee.forfeit is None
    assert driver.session.game.is_over
    assert driver.records[0].reason == ""


def test_undo_and_redo_give_no_time_back() -> None:
    driver = begun(HURRIED, HURRIED)
    driver.wait(4.0)
    play_any(driver)
    driver.wait(2.0)
    play_any(driver)
    driver.wait(3.0)
    driver.do(cmd.Undo(), cmd.Redo())
    assert remaining(driver) == [pytest.approx(5.0), pytest.approx(10.0)]


def test_the_time_of_a_search_stands_still_with_it() -> None:
    driver = drive_session(replace(computer("first"), clock_seconds=10.0), PERSON)
    driver.script.news.append(Started(0.0))
    driver.wait(4.0)
    driver.do(cmd.TogglePause())
    driver.wait(60.0)
    assert remaining(driver) == [pytest.approx(6.0), None]
    driver.do(cmd.TogglePause())
    driver.wait(1.0)
    assert remaining(driver) == [pytest.approx(5.0), None]
    driver.answer(thought=1.0)
    assert (driver.ply, remaining(driver)) == (1, [pytest.approx(4.0), None])


def test_a_search_that_begins_while_the_game_is_paused_takes_no_time() -> None:
    driver = drive_session(replace(computer("first"), clock_seconds=10.0), PERSON)
    driver.do(cmd.TogglePause())
    driver.script.news.append(Started(0.0))
    driver.wait(60.0)
    assert remaining(driver) == [pytest.approx(10.0), None]
    driver.do(cmd.TogglePause())
    driver.wait(1.0)
    assert remaining(driver) == [pytest.approx(9.0), None]


def test_a_search_that_begins_again_has_all_of_its_time() -> None:
    driver = drive_session(PERSON, replace(computer("second"), clock_seconds=10.0))
    play(driver, "d3")
    driver.script.news.append(Started(driver.now))
    driver.wait()
    driver.wait(4.0)
    assert remaining(driver)[Color.WHITE] == pytest.approx(6.0)
    driver.do(cmd.Undo(), cmd.Redo())
    assert driver.ply == 1
    assert remaining(driver)[Color.WHITE] == pytest.approx(10.0)


def test_no_time_runs_in_a_position_that_was_left() -> None:
    driver = drive_session(HURRIED, HURRIED)
    play(driver, "d3")
    play(driver, "c3")
    driver.wait(3.0)
    driver.do(cmd.Undo())
    driver.wait(5.0)
    driver.do(cmd.Redo())
    assert remaining(driver)[Color.BLACK] == pytest.approx(8.0)


def test_a_pass_gains_no_time() -> None:
    driver = drive_session(HURRIED, HURRIED, board=PASS_AHEAD)
    play(driver, "a1")
    driver.do(cmd.Acknowledge())
    assert driver.ply == 2
    assert remaining(driver) == [11.0, 10.0]
