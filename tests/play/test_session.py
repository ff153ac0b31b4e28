"""Sessions with scripted searches and a clock that the test advances."""

from dataclasses import replace

import pytest

from othello.config import Config, PlayerConfig, TournamentConfig
from othello.errors import OutputError, Reason
from othello.play import session_commands as cmd
from othello.play.playback import PASS_SECONDS, RESULT_SECONDS
from othello.play.referee import GameJob
from othello.play.seeding import game_seeds, player_seed
from othello.play.session import Session
from othello.play.start_positions import opening_of
from othello.play.worker import Failed, OpeningDrawn, PlayerRequest, Preparing, SearchAnswered, SearchProgress, Started
from othello.players.player_registry import configure
from othello.records.record import GameRecord
from othello.rules.othello import Othello
from othello.rules.othello.scalar_bits import PASS
from othello.rules.protocol import Color, Move
from othello.rules.registry import game_spec
from tests.play.fake_players import PERSON, report
from tests.play.session_driver import FIRST, PASS_AHEAD, SECOND, ScriptedWorker, SessionDriver, drive_session, play_on
from tests.positions import SPEC


def test_a_random_start_is_drawn_before_the_first_move() -> None:
    driver = drive_session(PERSON, FIRST, start="random")
    _, job = driver.script.requests[-1]
    assert isinstance(job, GameJob)
    assert (job.opening_plies, job.seed) == (8, driver.session.referee.job.seed)
    driver.do(cmd.PlayMove(Move(19)), cmd.Undo(), cmd.SwapSides(), cmd.SwapSides())
    assert driver.session.is_drawing
    assert (driver.ply, driver.session.awaits_user, driver.session.referee.clock.running) == (0, False, None)
    assert len(driver.script.requests) == 3, "a swap restarts the drawing"
    opening = opening_of(job)
    driver.report(Failed(Reason("no compiler"), 0.0))
    assert (driver.session.worker.failure, driver.session.awaits_user) == (Reason("no compiler"), False)
    driver.do(cmd.SwapSides(), cmd.SwapSides())
    driver.report(OpeningDrawn(opening))
    assert not driver.session.is_drawing
    assert (driver.session.game, driver.session.awaits_user, driver.session.allows(cmd.Undo)) == (opening, True, False)
    driver.do(cmd.PlayMove(opening.legal_moves()[0]))
    assert driver.session.allows(cmd.Undo)
    driver.do(cmd.Undo())
    assert (driver.session.game.moves, driver.session.allows(cmd.Undo)) == (opening.moves, False)


def test_games_with_random_starts_are_repeated_and_recorded_with_the_opening() -> None:
    driver = drive_session(FIRST, SECOND, start="random", repetitions=2, delay=0.0)
    driver.report(OpeningDrawn(opening_of(driver.session.referee.job)))
    play_on(driver)
    assert (driver.records[0].opening_plies, driver.records[0].rules) == (8, "start=random")
    driver.wait(RESULT_SECONDS)
    assert (driver.session.is_drawing, driver.session.referee.job.number) == (True, 2)
    assert driver.session.next_event(driver.now) == driver.now


@pytest.mark.parametrize(
    ("black", "move", "moves"),
    [
        pytest.param(FIRST, 19, (), id="the computer's turn"),
        pytest.param(PERSON, 0, (), id="illegal"),
        pytest.param(PERSON, 19, (19,), id="legal"),
    ],
)
def test_a_user_plays_legal_moves_on_their_turn(black: PlayerConfig, move: int, moves: tuple[int, ...]) -> None:
    driver = drive_session(black, PERSON)
    assert (driver.session.next_event(driver.now) is None) is (black is PERSON), "the session waits for the user"
    driver.play(move)
    assert driver.session.game.moves == moves


def test_time_is_thinking_time_for_computers_and_turn_time_for_people() -> None:
    driver = drive_session(FIRST, PERSON)
    driver.script.answer_last(0.2, 0.3)
    driver.wait(0.8)
    driver.play()
    driver.script.answer_last(driver.now, driver.now + 0.1)
    driver.wait(0.8)
    driver.wait(5.0)
    clock = driver.session.referee.clock
    assert clock.used(Color.BLACK, driver.now) == pytest.approx(0.2)
    assert clock.used(Color.WHITE, driver.now) == pytest.approx(5.0)


@pytest.mark.parametrize("command", [cmd.Undo(), cmd.NewGame(), cmd.SwapSides(), cmd.HandOver(Color.WHITE)])
def test_commands_that_change_the_game_cancel_the_search(command: cmd.SessionCommand) -> None:
    driver = drive_session(PERSON, FIRST)
    driver.play(19)
    driver.session.do(command, driver.now)
    assert driver.script.cancelled == 1
    driver.wait()
    assert not driver.script.is_asked


def test_pace_moves_along_its_steps() -> None:
    driver = drive_session(FIRST, SECOND)
    driver.do(cmd.ChangePace(1))
    assert driver.session.pace.delay == 1.5
    driver.do(*[cmd.ChangePace(-1)] * 20)
    assert driver.session.pace.delay == 0.0


@pytest.mark.parametrize("acknowledges", [True, False])
def test_a_pass_is_announced_and_made_after_a_while_or_when_it_is_acknowledged(acknowledges: bool) -> None:
    driver = drive_session(PERSON, PERSON, board=PASS_AHEAD)
    driver.play(0)
    assert driver.session.announces_pass
    driver.wait(PASS_SECONDS - 0.1)
    assert driver.ply == 1
    if acknowledges:
        driver.do(cmd.Acknowledge(), cmd.Acknowledge())
    else:
        driver.wait(0.2)
    assert driver.session.game.moves == (0, PASS)
    assert driver.session.awaits_user


def test_a_failure_stays_until_the_user_takes_a_move_back() -> None:
    driver = drive_session(PERSON, FIRST)
    driver.play(19)
    driver.report(Failed(Reason("out of memory"), 0.0))
    driver.wait(1.0)
    assert (driver.session.worker.failure, len(driver.script.requests)) == (Reason("out of memory"), 1)
    driver.do(cmd.Undo())
    assert (driver.session.worker.failure, driver.session.awaits_user) == (None, True)


def test_a_computer_that_failed_tries_again_without_a_pause() -> None:
    driver = drive_session(FIRST, SECOND)
    driver.report(Failed(Reason("out of memory"), 0.0))
    driver.do(cmd.StepMoves())
    driver.answer()
    driver.answer()
    assert (driver.ply, driver.session.pace.paused) == (2, False)


def test_a_user_takes_over_and_gives_back_or_swaps_the_sides() -> None:
    driver = drive_session(PERSON, FIRST)
    driver.do(cmd.SwapSides())
    assert driver.session.players == {Color.BLACK: FIRST, Color.WHITE: PERSON}
    assert driver.script.requests[-1][1].config == FIRST
    driver.do(cmd.SwapSides(), cmd.PlayMove(Move(19)), cmd.HandOver(Color.WHITE))
    assert driver.session.awaits_user
    driver.do(cmd.HandOver(Color.WHITE))
    assert driver.session.players[Color.WHITE] == FIRST
    assert driver.script.requests[-1][0].moves == (19,)
    driver.do(cmd.HandOver(Color.BLACK))
    assert driver.session.players[Color.BLACK] == replace(FIRST, name="first 2")


def test_one_tree_file_is_not_given_to_two_players() -> None:
    learner = configure("mcts_uct", name="learner", mcts_tree_file="learned.npz")
    driver = drive_session(learner, PERSON)
    driver.do(cmd.HandOver(Color.WHITE))
    assert [len(player.memory_files) for player in driver.session.players.values()] == [1, 0]
    driver.do(cmd.HandOver(Color.BLACK), cmd.HandOver(Color.BLACK))
    assert sum(len(player.memory_files) for player in driver.session.players.values()) <= 1


def test_replaced_players_are_dismissed_from_the_game_that_they_played() -> None:
    driver = drive_session(FIRST, SECOND)
    begun = driver.session.game
    driver.do(cmd.HandOver(Color.WHITE), cmd.SwapSides())
    assert driver.script.dismissed == [begun, begun]
    driver.do(cmd.HandOver(Color.WHITE), cmd.PlayMove(begun.legal_moves()[0]))
    played = driver.session.game
    del driver.script.dismissed[:]
    driver.do(cmd.NewGame())
    assert (driver.script.dismissed, driver.session.game) == ([played], begun)
    driver.do(cmd.RestoreGame())
    assert (driver.script.dismissed, driver.session.game) == ([played, begun], played)


def test_preparation_and_progress_are_reported() -> None:
    driver = drive_session(FIRST, PERSON)
    game, _ = driver.script.requests[-1]
    driver.report(Preparing("first"))
    assert driver.session.worker.preparing == "first"
    driver.report(Preparing(None), Started(0.0), SearchProgress(report(game, visits=5)))
    assert driver.session.worker.preparing is None
    shown = driver.session.view.report
    assert shown is not None
    assert (shown[0], shown[1].simulations) == (0, 5)


def test_a_finished_game_is_recorded_once() -> None:
    driver = drive_session(PERSON, FIRST)
    play_on(driver)
    driver.wait(1.0)
    driver.do(cmd.Undo())
    play_on(driver)
    assert len(driver.records) == 1
    record = driver.records[0]
    assert (record.black, record.white, record.game, record.seed) == ("user", "first", 1, game_seeds(5, 1)[0])


def test_a_record_that_cannot_be_written_is_a_notice() -> None:
    def fail(record: GameRecord) -> None:
        raise OutputError("the disk is full")

    script = ScriptedWorker()
    driver = SessionDriver(script, Session(Config((PERSON, PERSON), seed=1), script, 0.0, fail), [])
    play_on(driver)
    assert driver.session.not_recorded == Reason("the disk is full")
    driver.do(cmd.NewGame())
    assert driver.ply == 0


def test_a_replayed_game_has_its_seed_and_its_opening() -> None:
    config = Config((PERSON, PERSON), seed=1, game_seed=77, tournament=TournamentConfig(opening_plies=8))
    session = Session(config, ScriptedWorker(), 0.0)
    assert (session.is_drawing, session.referee.job.opening_plies, session.referee.job.seed) == (True, 8, 77)
    session.do(cmd.NewGame(), 1.0)
    assert session.referee.job.seed == game_seeds(1, 1)[0]
    assert not Session(replace(config, game_seed=None), ScriptedWorker(), 0.0).is_drawing


def test_repetitions_between_computers_start_by_themselves() -> None:
    driver = drive_session(FIRST, SECOND, repetitions=2)
    play_on(driver)
    assert driver.session.next_game_at == pytest.approx(driver.now + RESULT_SECONDS, abs=1.0)
    driver.wait(RESULT_SECONDS)
    assert (driver.session.referee.job.number, driver.ply) == (2, 0)
    assert driver.session.referee.job.seed == game_seeds(5, 2)[1]
    play_on(driver)
    driver.wait(100.0)
    assert (driver.session.referee.job.number, len(driver.records)) == (2, 2)


def test_each_new_game_and_its_players_have_the_next_seed() -> None:
    driver = drive_session(PERSON, SECOND)
    seeds = [driver.session.referee.job.seed]
    driver.play(19)
    game, asked = driver.script.requests[-1]
    assert game.moves == (19,)
    assert asked == PlayerRequest(SECOND, SPEC, player_seed(game_seeds(5, 1)[0], Color.WHITE))
    for _ in range(9):
        driver.do(cmd.NewGame())
        seeds.append(driver.session.referee.job.seed)
    assert seeds == game_seeds(5, 10)


def test_results_of_trials_are_stored_apart_from_the_game() -> None:
    driver, small = drive_session(PERSON, FIRST), game_spec("tictactoe")
    driver.do(cmd.MeasureMoveTime(FIRST, small))
    driver.session.do(cmd.MeasureMoveTime(SECOND, small), driver.now)
    driver.analyst.answer_last(0.0, 0.1)
    driver.wait()
    assert driver.session.history.tree.root.children == {}
    assert driver.session.analysis is not None
    assert [*driver.session.analysis.trials] == [(FIRST, small)]
    driver.analyst.answer_last(0.0, 0.1)
    driver.wait()
    assert [*driver.session.analysis.trials] == [(FIRST, small), (SECOND, small)]


def test_the_end_of_a_game_is_reported_once() -> None:
    driver = drive_session(PERSON, PERSON, board=PASS_AHEAD)
    while not driver.session.referee.is_over:
        assert driver.session.ended_games() == []
        driver.do(cmd.PlayMove(driver.session.game.legal_moves()[0]), cmd.Acknowledge())
    driver.wait(10.0)
    assert driver.session.ended_games() == [driver.session.history]
    driver.wait(10.0)
    assert driver.session.ended_games() == []
    driver.do(cmd.Undo(), cmd.NewGame(), cmd.RestoreGame())
    assert driver.session.ended_games() == []
    driver.do(cmd.Redo())
    assert driver.session.ended_games() == [driver.session.history], "it has ended once more"
    driver.do(cmd.NewGame(), cmd.RestoreGame())
    assert driver.session.ended_games() == [], "it was over before"


def test_a_session_handles_every_command() -> None:
    kinds = [kind for kind in vars(cmd).values() if isinstance(kind, type) and issubclass(kind, cmd.SessionCommand)]
    session = drive_session(PERSON, FIRST).session
    assert len(kinds) > 20
    assert all(isinstance(session.allows(kind), bool) for kind in kinds if kind is not cmd.SessionCommand)


@pytest.mark.parametrize("moves", [0, 1])
def test_an_idle_turn_does_not_use_the_rules(moves: int, monkeypatch: pytest.MonkeyPatch) -> None:
    driver = drive_session(PERSON, FIRST)
    for _ in range(moves):
        driver.play()
    driver.wait(1.0)
    driver.session.next_event(driver.now)
    asked: list[str] = []
    for name in ("legal_moves", "outcome", "play", "is_pass"):
        monkeypatch.setattr(Othello, name, lambda *_, name=name: asked.append(name))
    for _ in range(5):
        driver.wait(0.1)
        driver.session.next_event(driver.now)
    assert asked == []


def test_changes_of_players_after_the_end_are_for_the_next_game() -> None:
    driver = drive_session(PERSON, FIRST)
    play_on(driver)
    played, clock = driver.session.players, driver.session.referee.clock
    driver.do(cmd.SwapSides())
    assert (driver.session.players, driver.session.referee.clock) == (played, clock)
    driver.do(cmd.HandOver(Color.WHITE))
    assert driver.session.players == played
    assert driver.session.next_players.is_between_computers
    driver.do(cmd.HandOver(Color.WHITE), cmd.NewGame())
    assert [seat.name for seat in driver.session.players.values()] == ["first", "user"]


def test_changes_after_the_end_are_dropped_if_the_finished_game_continues() -> None:
    driver = drive_session(PERSON, FIRST)
    play_on(driver)
    driver.do(cmd.SwapSides(), cmd.Undo())
    play_on(driver)
    assert driver.session.players == driver.session.next_players == {Color.BLACK: PERSON, Color.WHITE: FIRST}


def test_resigning_loses_and_is_recorded() -> None:
    driver = drive_session(PERSON, FIRST)
    driver.do(cmd.PlayMove(Move(19)), cmd.Resign())
    assert driver.session.referee.winner is Color.WHITE
    assert [(record.result, record.reason) for record in driver.records] == [("white", "black resigned")]
    assert not driver.session.allows(cmd.Resign)
    driver.do(cmd.Undo())
    assert not driver.session.referee.is_over


def test_an_agreed_draw_is_recorded() -> None:
    driver = drive_session(PERSON, PERSON)
    driver.do(cmd.PlayMove(Move(19)), cmd.AgreeDraw())
    assert (driver.session.referee.is_over, driver.session.referee.winner) == (True, None)
    assert [(record.result, record.reason) for record in driver.records] == [("draw", "draw agreed")]
    assert not drive_session(FIRST, SECOND).session.allows(cmd.AgreeDraw)


@pytest.mark.parametrize(("value", "refusal"), [(0.5, ""), (0.9, "better"), (None, "judge")])
def test_a_computer_agrees_to_a_draw_late_in_an_even_game(value: float | None, refusal: str) -> None:
    driver = drive_session(PERSON, FIRST)
    assert driver.session.draw_refusal == "early"
    while driver.ply <= driver.session.game.rules.moves_left(driver.session.game.position):
        if driver.session.awaits_user:
            driver.play()
        elif driver.session.game.must_pass:
            driver.wait(PASS_SECONDS)
        else:
            found = replace(report(driver.session.game, final=True), value=value)
            driver.script.is_asked = False
            driver.report(Started(driver.now), SearchAnswered(found, driver.now))
            driver.wait(1.0)
    assert driver.session.draw_refusal == refusal
