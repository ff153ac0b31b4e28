"""The session, with scripted searches and a clock that the test moves."""

from dataclasses import replace

import pytest

from othello.config import Config, TournamentConfig
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


def test_a_random_start_is_drawn_before_anybody_moves() -> None:
    driver = drive_session(PERSON, FIRST, start="random")
    _, job = driver.script.requests[-1]
    assert isinstance(job, GameJob)
    assert (job.opening_plies, job.seed) == (8, driver.session.referee.job.seed)
    driver.do(cmd.PlayMove(Move(19)), cmd.Undo(), cmd.SwapSides(), cmd.SwapSides())
    assert driver.session.is_drawing
    assert (driver.ply, driver.session.awaits_user, driver.session.referee.clock.running) == (0, False, None)
    assert len(driver.script.requests) == 3, "a swap drops the drawing, which begins anew"
    opening = opening_of(job)
    driver.script.news.append(Failed(Reason("no compiler"), 0.0))
    driver.wait()
    assert (driver.session.worker.failure, driver.session.awaits_user) == (Reason("no compiler"), False)
    driver.do(cmd.SwapSides(), cmd.SwapSides())
    driver.script.news.append(OpeningDrawn(opening))
    driver.wait()
    assert not driver.session.is_drawing
    assert (driver.session.game, driver.session.awaits_user, driver.session.allows(cmd.Undo)) == (opening, True, False)
    driver.do(cmd.PlayMove(opening.legal_moves()[0]))
    assert driver.session.allows(cmd.Undo)
    driver.do(cmd.Undo())
    assert (driver.session.game.moves, driver.session.allows(cmd.Undo)) == (opening.moves, False)


def test_a_game_from_a_random_start_is_recorded_whole() -> None:
    driver = drive_session(FIRST, SECOND, start="random", delay=0.0)
    driver.script.news.append(OpeningDrawn(opening_of(driver.session.history.referee.job)))
    driver.wait()
    play_on(driver)
    assert driver.records[0].opening_plies == 8
    assert driver.records[0].rules == "start=random"


def test_a_user_plays_legal_moves_on_their_turn_only() -> None:
    driver = drive_session(FIRST, PERSON)
    driver.do(cmd.PlayMove(Move(19)))
    assert driver.ply == 0, "it is the computer's turn"
    driver = drive_session(PERSON, PERSON)
    assert driver.session.next_event(driver.now) is None, "nothing happens without the user"
    driver.do(cmd.PlayMove(Move(0)))
    assert driver.ply == 0
    driver.do(cmd.PlayMove(Move(19)))
    assert driver.session.game.moves == (19,)


def test_the_computer_is_asked_with_its_seed() -> None:
    driver = drive_session(PERSON, SECOND)
    driver.do(cmd.PlayMove(Move(19)))
    game, seat = driver.script.requests[-1]
    assert game.moves == (19,)
    assert seat == PlayerRequest(SECOND, SPEC, player_seed(game_seeds(5, 1)[0], Color.WHITE))


def test_time_is_thinking_time_for_computers_and_turn_time_for_people() -> None:
    driver = drive_session(FIRST, PERSON)
    driver.script.answer_last(0.2, 0.3)
    driver.wait(0.8)
    driver.do(cmd.PlayMove(driver.session.game.legal_moves()[0]))
    driver.script.answer_last(driver.now, driver.now + 0.1)
    driver.wait(0.8)
    driver.wait(5.0)
    clock = driver.session.referee.clock
    assert clock.used(Color.BLACK, driver.now) == pytest.approx(0.2)
    assert clock.used(Color.WHITE, driver.now) == pytest.approx(5.0)


def test_a_search_for_what_is_taken_back_is_cancelled() -> None:
    driver = drive_session(PERSON, FIRST, delay=0.0)
    driver.do(cmd.PlayMove(Move(19)), cmd.Undo())
    assert (driver.script.cancelled, driver.script.is_asked, driver.ply) == (1, False, 0)
    driver.do(cmd.PlayMove(Move(26)))
    assert (driver.script.is_asked, driver.script.requests[-1][0].moves) == (True, (26,))


@pytest.mark.parametrize("command", [cmd.Undo(), cmd.NewGame(), cmd.SwapSides(), cmd.HandOver(Color.WHITE)])
def test_what_changes_the_game_stops_the_search(command: cmd.SessionCommand) -> None:
    driver = drive_session(PERSON, FIRST)
    driver.do(cmd.PlayMove(Move(19)))
    driver.session.do(command, driver.now)
    assert driver.script.cancelled == 1


def test_pace_moves_along_its_steps() -> None:
    driver = drive_session(FIRST, SECOND)
    driver.do(cmd.ChangePace(1))
    assert driver.session.pace.delay == 1.5
    driver.do(*[cmd.ChangePace(-1)] * 20)
    assert driver.session.pace.delay == 0.0


def test_a_pass_is_announced_then_made() -> None:
    driver = drive_session(PERSON, PERSON, board=PASS_AHEAD)
    driver.do(cmd.PlayMove(Move(0)))
    assert driver.session.announces_pass
    driver.wait(PASS_SECONDS - 0.1)
    assert driver.ply == 1
    driver.wait(0.2)
    assert driver.session.game.moves[-1] == PASS
    assert driver.session.awaits_user


def test_an_acknowledged_pass_is_made_at_once() -> None:
    driver = drive_session(PERSON, PERSON, board=PASS_AHEAD)
    driver.do(cmd.PlayMove(Move(0)), cmd.Acknowledge())
    assert driver.session.game.moves == (0, PASS)
    driver.do(cmd.Acknowledge())
    assert driver.ply == 2


def test_a_failure_is_kept_until_something_is_done_about_it() -> None:
    driver = drive_session(PERSON, FIRST)
    driver.do(cmd.PlayMove(Move(19)))
    driver.script.news.append(Failed(Reason("out of memory"), 0.0))
    driver.wait(1.0)
    driver.wait(1.0)
    assert driver.session.worker.failure == Reason("out of memory")
    assert len(driver.script.requests) == 1
    driver.do(cmd.Undo())
    assert driver.session.worker.failure is None
    assert driver.session.awaits_user


def test_a_person_takes_over_and_gives_back() -> None:
    driver = drive_session(PERSON, FIRST)
    driver.do(cmd.PlayMove(Move(19)), cmd.HandOver(Color.WHITE))
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


def test_players_who_get_up_are_dismissed_from_the_game_that_they_played() -> None:
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


def test_swapping_makes_the_computer_play_the_other_colour() -> None:
    driver = drive_session(PERSON, FIRST)
    driver.do(cmd.SwapSides())
    assert driver.session.players == {Color.BLACK: FIRST, Color.WHITE: PERSON}
    assert driver.script.requests[-1][1].config == FIRST


def test_snapshots_and_preparation_can_be_seen() -> None:
    driver = drive_session(FIRST, PERSON)
    game, _ = driver.script.requests[-1]
    driver.script.news += [Preparing("first")]
    driver.wait()
    assert driver.session.worker.preparing == "first"
    driver.script.news += [Preparing(None), Started(0.0), SearchProgress(report(game, visits=5))]
    driver.wait()
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


def test_a_record_that_cannot_be_written_is_told_and_the_session_lives_on() -> None:
    def fail(record: GameRecord) -> None:
        raise OutputError("the disk is full")

    script = ScriptedWorker()
    driver = SessionDriver(script, Session(Config((PERSON, PERSON), seed=1), script, 0.0, fail), [])
    play_on(driver)
    assert driver.session.not_recorded == Reason("the disk is full")
    driver.do(cmd.NewGame())
    assert driver.ply == 0


def test_a_game_that_is_played_again_has_the_seed_that_it_had() -> None:
    script = ScriptedWorker()
    session = Session(Config((PERSON, PERSON), seed=1, game_seed=77), script, 0.0)
    assert session.referee.job.seed == 77
    session.do(cmd.NewGame(), 1.0)
    assert session.referee.job.seed == game_seeds(1, 1)[0]


def test_a_game_of_a_tournament_is_played_again_with_its_opening() -> None:
    config = Config((PERSON, PERSON), seed=1, game_seed=77, tournament=TournamentConfig(opening_plies=8))
    session = Session(config, ScriptedWorker(), 0.0)
    assert session.is_drawing
    assert session.history.referee.job.opening_plies == 8
    session = Session(replace(config, game_seed=None), ScriptedWorker(), 0.0)
    assert not session.is_drawing


def test_repetitions_between_computers_follow_by_themselves() -> None:
    driver = drive_session(FIRST, SECOND, repetitions=2)
    play_on(driver)
    assert driver.session.next_game_at == pytest.approx(driver.now + RESULT_SECONDS, abs=1.0)
    driver.wait(RESULT_SECONDS)
    assert (driver.session.referee.job.number, driver.ply) == (2, 0)
    assert driver.session.referee.job.seed == game_seeds(5, 2)[1]
    play_on(driver)
    driver.wait(100.0)
    assert (driver.session.referee.job.number, len(driver.records)) == (2, 2)


def test_new_games_go_on_with_the_next_seed_for_ever() -> None:
    driver = drive_session(PERSON, PERSON)
    seeds = [driver.session.referee.job.seed]
    for _ in range(9):
        driver.do(cmd.NewGame())
        seeds.append(driver.session.referee.job.seed)
    assert seeds == game_seeds(5, 10)


def test_results_of_trials_do_not_belong_to_the_game() -> None:
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


def test_repetitions_go_on_while_the_opening_is_drawn() -> None:
    driver = drive_session(FIRST, SECOND, repetitions=2, start="random")
    _, job = driver.script.requests[-1]
    driver.script.news.append(OpeningDrawn(opening_of(job)))
    driver.wait()
    play_on(driver)
    driver.wait(RESULT_SECONDS)
    assert (driver.session.is_drawing, driver.session.referee.job.number) == (True, 2)
    assert driver.session.next_event(driver.now) == driver.now


def test_the_end_of_a_game_is_said_once() -> None:
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


def test_a_session_knows_every_command() -> None:
    kinds = [kind for kind in vars(cmd).values() if isinstance(kind, type) and issubclass(kind, cmd.SessionCommand)]
    session = drive_session(PERSON, FIRST).session
    assert len(kinds) > 20
    for kind in kinds:
        if kind is not cmd.SessionCommand:
            assert isinstance(session.allows(kind), bool)


@pytest.mark.parametrize("moves", [0, 1])
def test_an_idle_turn_asks_the_rules_nothing(moves: int, monkeypatch: pytest.MonkeyPatch) -> None:
    driver = drive_session(PERSON, FIRST)
    for _ in range(moves):
        driver.do(cmd.PlayMove(driver.session.game.legal_moves()[0]))
    driver.wait(1.0)
    driver.session.next_event(driver.now)
    asked: list[str] = []
    for name in ("legal_moves", "outcome", "play", "is_pass"):
        monkeypatch.setattr(Othello, name, lambda *_, name=name: asked.append(name))
    for _ in range(5):
        driver.wait(0.1)
        driver.session.next_event(driver.now)
    assert asked == []


def test_a_player_that_tries_again_does_not_hold_the_game() -> None:
    driver = drive_session(FIRST, SECOND)
    driver.script.news.append(Failed(Reason("out of memory"), 0.0))
    driver.wait()
    driver.do(cmd.StepMoves())
    driver.answer()
    assert not driver.session.pace.paused
    driver.answer()
    assert driver.ply == 2


def test_players_changed_after_the_end_play_the_next_game() -> None:
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


def test_players_of_the_next_game_are_forgotten_when_the_finished_game_goes_on() -> None:
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


def test_an_agreed_draw_is_a_draw_whatever_is_on_the_board() -> None:
    driver = drive_session(PERSON, PERSON)
    driver.do(cmd.PlayMove(Move(19)), cmd.AgreeDraw())
    assert (driver.session.referee.is_over, driver.session.referee.winner) == (True, None)
    assert [(record.result, record.reason) for record in driver.records] == [("draw", "draw agreed")]
    assert not drive_session(FIRST, SECOND).session.allows(cmd.AgreeDraw)


@pytest.mark.parametrize(("value", "refusal"), [(0.5, ""), (0.9, "better"), (None, "judge")])
def test_a_computer_agrees_to_a_draw_late_and_where_the_game_is_even(value: float | None, refusal: str) -> None:
    driver = drive_session(PERSON, FIRST)
    assert driver.session.draw_refusal == "early"
    while driver.ply <= driver.session.game.rules.moves_left(driver.session.game.position):
        if driver.session.awaits_user:
            driver.do(cmd.PlayMove(driver.session.game.legal_moves()[0]))
        elif driver.session.game.must_pass:
            driver.wait(PASS_SECONDS)
        else:
            game, _ = driver.script.requests[-1]
            driver.script.news += [
                Started(driver.now),
                SearchAnswered(replace(report(game, final=True), value=value), driver.now),
            ]
            driver.script.is_asked = False
            driver.wait(1.0)
            driver.wait()
    assert driver.session.draw_refusal == refusal
