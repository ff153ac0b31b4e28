"""The user's tournament games: no move is taken back, and errors of our own players do not lose a game."""

from dataclasses import replace

import pytest

from othello.config import Config, PlayerConfig
from othello.errors import Reason
from othello.game import Game
from othello.play import session_commands as cmd
from othello.play.referee import Fault, Forfeit, GameJob
from othello.play.seeding import player_seed
from othello.play.session import Session
from othello.play.worker import Failed, PlayerRequest, Started
from othello.records.record import GameRecord
from othello.rules.protocol import Color, Move
from tests.play.fake_players import PERSON, computer
from tests.play.session_driver import ScriptedWorker, SessionDriver, play_on
from tests.positions import RULES, SPEC

FIRST = computer("first")
OPENING = Game.new(RULES).play(Move(19)).play(Move(18))


def drive_session(black: PlayerConfig, white: PlayerConfig) -> tuple[SessionDriver, Session]:
    script, records = ScriptedWorker(), list[GameRecord]()
    job = GameJob(2, 1, (black, white), SPEC, 77, time_margin_seconds=0.5, experiment="77-abc")
    session = Session(Config((black, white)), script, 0.0, records.append, start=OPENING, job=job)
    driver = SessionDriver(script, session, records)
    driver.wait()
    return driver, session


def test_the_game_begins_with_its_opening_and_its_seed_and_cannot_be_covered() -> None:
    driver, session = drive_session(FIRST, PERSON)
    assert session.game.moves == (19, 18)
    assert driver.script.requests[-1][1] == PlayerRequest(FIRST, SPEC, player_seed(77, Color.BLACK))
    assert (session.referee.job.number, session.referee.job.is_rated) == (2, True)
    driver.cover(True)
    assert not session.pace.is_paused


@pytest.mark.parametrize("command", [cmd.Undo(), cmd.SwapSides(), cmd.HandOver(Color.BLACK), cmd.NewGame()])
def test_no_command_changes_a_tournament_game(command: cmd.SessionCommand) -> None:
    driver, session = drive_session(PERSON, FIRST)
    driver.play()
    driver.answer()
    before, players = session.game, session.players
    driver.do(command)
    assert (session.game, session.players) == (before, players)
    assert [session.allows(cmd.Undo), session.allows(cmd.Redo), session.is_left] == [False] * 3


def test_a_user_leaves_the_game_only_when_it_is_over_and_recorded() -> None:
    driver, session = drive_session(PERSON, FIRST)
    play_on(driver)
    driver.wait()
    assert [(record.game, record.seed, record.experiment) for record in driver.records] == [(2, 77, "77-abc")]
    driver.do(cmd.NewGame())
    assert session.is_left
    assert len(driver.records) == 1


def test_a_computer_that_fails_can_try_again() -> None:
    driver, session = drive_session(replace(FIRST, clock_seconds=10.0), PERSON)
    driver.script.news += [Started(0.0), Failed(Reason("RuntimeError: the tree is full"), 0.1)]
    driver.wait(20.0)
    assert str(session.worker.failure) == "RuntimeError: the tree is full"
    assert (session.referee.is_over, session.referee.forfeit, driver.records) == (False, None, [])
    driver.do(cmd.StepMoves())
    driver.wait()
    assert (session.worker.failure, session.pace.paused) == (None, False)
    assert session.referee.remaining(Color.BLACK, driver.now) == 10.0
    driver.answer()
    assert session.game.ply == 3


def test_an_external_program_that_fails_loses() -> None:
    driver, session = drive_session(FIRST, PERSON)
    driver.script.news += [Started(0.0), Failed(Reason("RuntimeError: the tree is full"), 0.1, True)]
    driver.wait(0.2)
    assert (session.referee.winner, session.worker.failure) == (Color.WHITE, None)
    assert session.referee.forfeit == Forfeit(
        Color.BLACK, Fault.FAILED, reason=Reason("RuntimeError: the tree is full")
    )
    assert driver.records[0].reason == "black failed: RuntimeError: the tree is full"
    assert driver.records[0].result == "white"


@pytest.mark.parametrize(("thought", "is_late"), [(1.4, False), (1.6, True)])
def test_a_computer_may_overstep_its_limit_by_the_margin(thought: float, is_late: bool) -> None:
    driver, session = drive_session(replace(FIRST, time_limit_seconds=1.0), PERSON)
    driver.answer(thought)
    assert (session.referee.forfeit is not None, session.game.ply) == (is_late, 2 + (not is_late))
    if is_late:
        assert driver.records[0].reason == "black took 1.60 s for a move; 1 s are allowed"


def test_a_computer_that_hangs_loses_but_a_user_may_take_longer_than_a_move_s_limit() -> None:
    driver, session = drive_session(replace(FIRST, time_limit_seconds=1.0), PERSON)
    driver.report(Started(0.0))
    driver.wait(1.6)
    assert str(session.referee.forfeit) == "black hangs; 1 s per move are allowed"
    assert driver.script.cancelled
    driver, session = drive_session(replace(PERSON, time_limit_seconds=1.0), FIRST)
    driver.wait(60.0)
    assert not session.referee.is_over


@pytest.mark.parametrize("command", [cmd.TogglePause(), cmd.StepMoves()])
def test_a_user_cannot_stop_the_clock(command: cmd.SessionCommand) -> None:
    driver, session = drive_session(replace(PERSON, clock_seconds=10.0), FIRST)
    driver.play()
    driver.answer()
    driver.do(command)
    driver.wait(10.1)
    assert session.referee.forfeit == Forfeit(Color.BLACK, Fault.OUT_OF_TIME)
