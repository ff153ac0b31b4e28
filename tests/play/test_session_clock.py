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
from tests.play.faulty import PERSON, computer
from tests.play.table import PASS_AHEAD, Table, play_on, table

OUT_OF_TIME = Forfeit(Color.BLACK, Fault.OUT_OF_TIME)
HURRIED = replace(PERSON, clock_seconds=10.0, increment_seconds=1.0)


def play(made: Table, name: str) -> None:
    made.do(cmd.PlayMove(made.session.game.rules.parse_move(made.session.game.position, name)))


def remaining(made: Table) -> list[float | None]:
    return [made.session.referee.remaining(color, made.now) for color in Color]


def begun(black: PlayerConfig, white: PlayerConfig) -> Table:
    """Return a game in which both sides have moved at once."""
    made = table(black, white)
    play(made, "d3")
    play(made, "c3")
    return made


def play_any(made: Table) -> None:
    made.do(cmd.PlayMove(made.session.game.legal_moves()[0]))


@pytest.mark.parametrize("white", [PERSON, computer("first")])
def test_no_person_s_time_runs_before_the_first_move(white: PlayerConfig) -> None:
    made = table(HURRIED, white)
    assert made.session.clock_waits
    made.wait(3600.0)
    assert remaining(made)[Color.BLACK] == 10.0
    play(made, "d3")
    assert not made.session.clock_waits
    assert remaining(made)[Color.BLACK] == 11.0


def test_no_person_s_time_runs_before_the_first_move_after_that_of_a_computer() -> None:
    made = table(computer("first"), HURRIED)
    made.answer()
    assert made.ply == 1
    made.wait(3600.0)
    assert remaining(made)[Color.WHITE] == 10.0


def test_a_game_that_is_opened_again_waits_for_the_first_move_too() -> None:
    made = begun(HURRIED, PERSON)
    made.wait(4.0)
    file = parse_game(format_game(game_file_from(made.session.history.tree, made.session.referee, "")))
    made.do(open_command(file))
    assert made.ply == 2
    left = remaining(made)
    made.wait(3600.0)
    assert remaining(made) == left
    play_any(made)
    play_any(made)
    made.wait(3600.0)
    assert made.session.referee.forfeit == OUT_OF_TIME


def test_no_time_runs_while_a_player_gets_ready() -> None:
    made = table(HURRIED, replace(computer("first"), clock_seconds=10.0))
    play(made, "d3")
    made.script.news.append(Preparing("first"))
    made.wait(3600.0)
    assert remaining(made) == [11.0, 10.0]


def test_a_person_who_runs_out_of_time_loses_and_the_game_is_recorded() -> None:
    made = begun(HURRIED, PERSON)
    assert made.session.next_event(made.now) == 11.0
    made.wait(11.5)
    assert made.session.referee.is_over
    assert (made.session.referee.forfeit, made.session.referee.winner) == (OUT_OF_TIME, Color.WHITE)
    record = made.records[0]
    assert (record.result, record.reason, record.black_seconds) == ("white", "black has run out of time", 11.5)
    play_any(made)
    assert made.ply == 2


def test_a_move_that_comes_too_late_is_not_played() -> None:
    made = begun(HURRIED, PERSON)
    made.now = 11.5
    made.session.do(cmd.PlayMove(made.session.game.legal_moves()[0]), made.now)
    assert (made.ply, made.session.referee.forfeit) == (2, OUT_OF_TIME)


def test_a_computer_that_runs_out_of_time_loses() -> None:
    made = table(replace(computer("first"), clock_seconds=3.0), PERSON)
    made.answer(thought=3.5)
    assert (made.ply, made.session.referee.forfeit) == (0, OUT_OF_TIME)


def test_each_move_gains_time_and_undo_gives_the_clock_back_as_it_was() -> None:
    made = begun(HURRIED, HURRIED)
    made.wait(4.0)
    play_any(made)
    made.wait(2.0)
    assert remaining(made) == [pytest.approx(8.0), pytest.approx(9.0)]
    made.do(cmd.Undo())
    assert remaining(made) == [pytest.approx(11.0), pytest.approx(11.0)]


def test_undo_after_running_out_goes_on_from_the_last_move() -> None:
    made = table(HURRIED, PERSON)
    play(made, "d3")
    play(made, "c5")
    made.wait(20.0)
    assert made.session.referee.is_over
    made.do(cmd.Undo())
    assert not made.session.referee.is_over
    play(made, "c3")
    assert made.ply == 2
    assert len(made.records) == 1


def test_players_who_swap_take_their_times_along() -> None:
    made = begun(HURRIED, replace(PERSON, clock_seconds=100.0))
    made.wait(4.0)
    made.do(cmd.SwapSides())
    assert remaining(made) == [pytest.approx(100.0), pytest.approx(7.0)]


def test_a_person_who_takes_over_takes_the_clock_too() -> None:
    made = table(replace(computer("first"), clock_seconds=30.0), PERSON)
    made.do(cmd.HandOver(Color.BLACK))
    assert remaining(made) == [pytest.approx(30.0), None]


def test_no_time_runs_while_the_game_is_paused() -> None:
    made = table(HURRIED, computer("first"))
    made.do(cmd.TogglePause())
    made.wait(60.0)
    assert not made.session.referee.is_over


@pytest.mark.parametrize("player", [HURRIED, replace(computer("first"), clock_seconds=10.0)])
def test_no_time_runs_and_nobody_moves_while_the_game_cannot_be_seen(player: PlayerConfig) -> None:
    made = begun(player, PERSON) if player.is_user else table(player, PERSON)
    ply, left = made.ply, 7.0 if player.is_user else 6.0
    if not player.is_user:
        made.script.news.append(Started(0.0))
    made.wait(4.0)
    made.cover(True)
    made.wait(60.0)
    assert made.script.is_paused is not player.is_user
    if not player.is_user:
        made.answer()
    assert (made.ply, remaining(made)) == (ply, [pytest.approx(left), None])
    assert not made.session.pace.paused
    made.cover(False)
    made.wait(1.0)
    assert (made.ply, remaining(made)) in [(2, [pytest.approx(6.0), None]), (1, [pytest.approx(6.0), None])]


def test_a_pass_is_announced_anew_once_it_can_be_seen() -> None:
    made = table(PERSON, PERSON, board=PASS_AHEAD)
    made.do(cmd.PlayMove(Move(0)))
    made.cover(True)
    made.wait(60.0)
    assert made.session.announces_pass
    made.cover(False)
    made.wait(PASS_SECONDS - 0.1)
    assert made.session.announces_pass
    made.wait(0.2)
    assert not made.session.announces_pass


def test_a_game_played_in_time_ends_on_the_board() -> None:
    made = table(HURRIED, HURRIED)
    play_on(made)
    assert made.session.referee.forfeit is None
    assert made.session.game.is_over
    assert made.records[0].reason == ""


def test_undo_and_redo_give_no_time_back() -> None:
    made = begun(HURRIED, HURRIED)
    made.wait(4.0)
    play_any(made)
    made.wait(2.0)
    play_any(made)
    made.wait(3.0)
    made.do(cmd.Undo(), cmd.Redo())
    assert remaining(made) == [pytest.approx(5.0), pytest.approx(10.0)]


def test_the_time_of_a_search_stands_still_with_it() -> None:
    made = table(replace(computer("first"), clock_seconds=10.0), PERSON)
    made.script.news.append(Started(0.0))
    made.wait(4.0)
    made.do(cmd.TogglePause())
    made.wait(60.0)
    assert remaining(made) == [pytest.approx(6.0), None]
    made.do(cmd.TogglePause())
    made.wait(1.0)
    assert remaining(made) == [pytest.approx(5.0), None]
    made.answer(thought=1.0)
    assert (made.ply, remaining(made)) == (1, [pytest.approx(4.0), None])


def test_a_search_that_begins_while_the_game_is_paused_takes_no_time() -> None:
    made = table(replace(computer("first"), clock_seconds=10.0), PERSON)
    made.do(cmd.TogglePause())
    made.script.news.append(Started(0.0))
    made.wait(60.0)
    assert remaining(made) == [pytest.approx(10.0), None]
    made.do(cmd.TogglePause())
    made.wait(1.0)
    assert remaining(made) == [pytest.approx(9.0), None]


def test_a_search_that_begins_again_has_all_of_its_time() -> None:
    made = table(PERSON, replace(computer("second"), clock_seconds=10.0))
    play(made, "d3")
    made.script.news.append(Started(made.now))
    made.wait()
    made.wait(4.0)
    assert remaining(made)[Color.WHITE] == pytest.approx(6.0)
    made.do(cmd.Undo(), cmd.Redo())
    assert made.ply == 1
    assert remaining(made)[Color.WHITE] == pytest.approx(10.0)


def test_no_time_runs_in_a_position_that_was_left() -> None:
    made = table(HURRIED, HURRIED)
    play(made, "d3")
    play(made, "c3")
    made.wait(3.0)
    made.do(cmd.Undo())
    made.wait(5.0)
    made.do(cmd.Redo())
    assert remaining(made)[Color.BLACK] == pytest.approx(8.0)


def test_a_pass_gains_no_time() -> None:
    made = table(HURRIED, HURRIED, board=PASS_AHEAD)
    play(made, "a1")
    made.do(cmd.Acknowledge())
    assert made.ply == 2
    assert remaining(made) == [11.0, 10.0]
