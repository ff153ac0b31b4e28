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
from tests.play.faulty import PERSON, report
from tests.play.table import FIRST, PASS_AHEAD, SECOND, Script, Table, play_on, table
from tests.positions import SPEC


def test_a_random_start_is_drawn_before_anybody_moves() -> None:
    made = table(PERSON, FIRST, start="random")
    _, job = made.script.requests[-1]
    assert isinstance(job, GameJob)
    assert (job.opening_plies, job.seed) == (8, made.session.referee.job.seed)
    made.do(cmd.PlayMove(Move(19)), cmd.Undo(), cmd.SwapSides(), cmd.SwapSides())
    assert made.session.is_drawing
    assert (made.ply, made.session.awaits_user, made.session.referee.clock.running) == (0, False, None)
    assert len(made.script.requests) == 3, "a swap drops the drawing, which begins anew"
    opening = opening_of(job)
    made.script.news.append(OpeningDrawn(opening))
    made.wait()
    assert not made.session.is_drawing
    assert (made.session.game, made.session.awaits_user, made.session.allows(cmd.Undo)) == (opening, True, False)
    made.do(cmd.PlayMove(opening.legal_moves()[0]))
    assert made.session.allows(cmd.Undo)
    made.do(cmd.Undo())
    assert (made.session.game.moves, made.session.allows(cmd.Undo)) == (opening.moves, False)


def test_a_game_from_a_random_start_is_recorded_whole() -> None:
    made = table(FIRST, SECOND, start="random", delay=0.0)
    made.script.news.append(OpeningDrawn(opening_of(made.session.history.referee.job)))
    made.wait()
    play_on(made)
    assert made.records[0].opening_plies == 8
    assert made.records[0].rules == "start=random"


def test_no_opening_can_be_drawn() -> None:
    made = table(PERSON, PERSON, start="random")
    made.script.news.append(Failed(Reason("no compiler"), 0.0))
    made.wait()
    assert (made.session.worker.failure, made.session.awaits_user) == (Reason("no compiler"), False)


def test_a_person_plays_legal_moves_only() -> None:
    made = table(PERSON, PERSON)
    made.do(cmd.PlayMove(Move(0)))
    assert made.ply == 0
    made.do(cmd.PlayMove(Move(19)))
    assert made.session.game.moves == (19,)


def test_a_person_cannot_move_for_the_computer() -> None:
    made = table(FIRST, PERSON)
    made.do(cmd.PlayMove(Move(19)))
    assert made.ply == 0


def test_the_computer_is_asked_with_its_seed() -> None:
    made = table(PERSON, SECOND)
    made.do(cmd.PlayMove(Move(19)))
    game, seat = made.script.requests[-1]
    assert game.moves == (19,)
    assert seat == PlayerRequest(SECOND, SPEC, player_seed(game_seeds(5, 1)[0], Color.WHITE))


def test_time_is_thinking_time_for_computers_and_turn_time_for_people() -> None:
    made = table(FIRST, PERSON)
    made.script.answer_last(0.2, 0.3)
    made.wait(0.8)
    made.do(cmd.PlayMove(made.session.game.legal_moves()[0]))
    made.script.answer_last(made.now, made.now + 0.1)
    made.wait(0.8)
    made.wait(5.0)
    clock = made.session.referee.clock
    assert clock.used(Color.BLACK, made.now) == pytest.approx(0.2)
    assert clock.used(Color.WHITE, made.now) == pytest.approx(5.0)


def test_a_search_for_what_is_taken_back_is_cancelled() -> None:
    made = table(PERSON, FIRST, delay=0.0)
    made.do(cmd.PlayMove(Move(19)), cmd.Undo())
    assert (made.script.cancelled, made.script.is_asked, made.ply) == (1, False, 0)
    made.do(cmd.PlayMove(Move(26)))
    assert (made.script.is_asked, made.script.requests[-1][0].moves) == (True, (26,))


@pytest.mark.parametrize("command", [cmd.Undo(), cmd.NewGame(), cmd.SwapSides(), cmd.HandOver(Color.WHITE)])
def test_what_changes_the_game_stops_the_search(command: cmd.SessionCommand) -> None:
    made = table(PERSON, FIRST)
    made.do(cmd.PlayMove(Move(19)))
    made.session.do(command, made.now)
    assert made.script.cancelled == 1


def test_pace_moves_along_its_steps() -> None:
    made = table(FIRST, SECOND)
    made.do(cmd.ChangePace(1))
    assert made.session.pace.delay == 1.5
    made.do(*[cmd.ChangePace(-1)] * 20)
    assert made.session.pace.delay == 0.0


def test_a_pass_is_announced_then_made() -> None:
    made = table(PERSON, PERSON, board=PASS_AHEAD)
    made.do(cmd.PlayMove(Move(0)))
    assert made.session.announces_pass
    made.wait(PASS_SECONDS - 0.1)
    assert made.ply == 1
    made.wait(0.2)
    assert made.session.game.moves[-1] == PASS
    assert made.session.awaits_user


def test_an_acknowledged_pass_is_made_at_once() -> None:
    made = table(PERSON, PERSON, board=PASS_AHEAD)
    made.do(cmd.PlayMove(Move(0)), cmd.Acknowledge())
    assert made.session.game.moves == (0, PASS)
    made.do(cmd.Acknowledge())
    assert made.ply == 2


def test_a_failure_is_kept_until_something_is_done_about_it() -> None:
    made = table(PERSON, FIRST)
    made.do(cmd.PlayMove(Move(19)))
    made.script.news.append(Failed(Reason("out of memory"), 0.0))
    made.wait(1.0)
    made.wait(1.0)
    assert made.session.worker.failure == Reason("out of memory")
    assert len(made.script.requests) == 1
    made.do(cmd.Undo())
    assert made.session.worker.failure is None
    assert made.session.awaits_user


def test_a_person_takes_over_and_gives_back() -> None:
    made = table(PERSON, FIRST)
    made.do(cmd.PlayMove(Move(19)), cmd.HandOver(Color.WHITE))
    assert made.session.awaits_user
    made.do(cmd.HandOver(Color.WHITE))
    assert made.session.players[Color.WHITE] == FIRST
    assert made.script.requests[-1][0].moves == (19,)
    made.do(cmd.HandOver(Color.BLACK))
    assert made.session.players[Color.BLACK] == replace(FIRST, name="first 2")


def test_one_tree_file_is_not_given_to_two_players() -> None:
    learner = configure("mcts_uct", name="learner", mcts_tree_file="learned.npz")
    made = table(learner, PERSON)
    made.do(cmd.HandOver(Color.WHITE))
    assert [len(player.memory_files) for player in made.session.players.values()] == [1, 0]
    made.do(cmd.HandOver(Color.BLACK), cmd.HandOver(Color.BLACK))
    assert sum(len(player.memory_files) for player in made.session.players.values()) <= 1


def test_players_who_get_up_are_dismissed_from_the_game_that_they_played() -> None:
    made = table(FIRST, SECOND)
    begun = made.session.game
    made.do(cmd.HandOver(Color.WHITE), cmd.SwapSides())
    assert made.script.dismissed == [begun, begun]
    made.do(cmd.HandOver(Color.WHITE), cmd.PlayMove(begun.legal_moves()[0]))
    played = made.session.game
    del made.script.dismissed[:]
    made.do(cmd.NewGame())
    assert (made.script.dismissed, made.session.game) == ([played], begun)
    made.do(cmd.RestoreGame())
    assert (made.script.dismissed, made.session.game) == ([played, begun], played)


def test_swapping_makes_the_computer_play_the_other_colour() -> None:
    made = table(PERSON, FIRST)
    made.do(cmd.SwapSides())
    assert made.session.players == {Color.BLACK: FIRST, Color.WHITE: PERSON}
    assert made.script.requests[-1][1].config == FIRST


def test_snapshots_and_preparation_can_be_seen() -> None:
    made = table(FIRST, PERSON)
    game, _ = made.script.requests[-1]
    made.script.news += [Preparing("first")]
    made.wait()
    assert made.session.worker.preparing == "first"
    made.script.news += [Preparing(None), Started(0.0), SearchProgress(report(game, visits=5))]
    made.wait()
    assert made.session.worker.preparing is None
    shown = made.session.view.report
    assert shown is not None
    assert (shown[0], shown[1].simulations) == (0, 5)


def test_a_finished_game_is_recorded_once() -> None:
    made = table(PERSON, FIRST)
    play_on(made)
    made.wait(1.0)
    made.do(cmd.Undo())
    play_on(made)
    assert len(made.records) == 1
    record = made.records[0]
    assert (record.black, record.white, record.game, record.seed) == ("user", "first", 1, game_seeds(5, 1)[0])


def test_a_record_that_cannot_be_written_is_told_and_the_session_lives_on() -> None:
    def fail(record: GameRecord) -> None:
        raise OutputError("the disk is full")

    script = Script()
    made = Table(script, Session(Config((PERSON, PERSON), seed=1), script, 0.0, fail), [])
    play_on(made)
    assert made.session.not_recorded == Reason("the disk is full")
    made.do(cmd.NewGame())
    assert made.ply == 0


def test_a_game_that_is_played_again_has_the_seed_that_it_had() -> None:
    script = Script()
    session = Session(Config((PERSON, PERSON), seed=1, game_seed=77), script, 0.0)
    assert session.referee.job.seed == 77
    session.do(cmd.NewGame(), 1.0)
    assert session.referee.job.seed == game_seeds(1, 1)[0]


def test_a_game_of_a_tournament_is_played_again_with_its_opening() -> None:
    config = Config((PERSON, PERSON), seed=1, game_seed=77, tournament=TournamentConfig(opening_plies=8))
    session = Session(config, Script(), 0.0)
    assert session.is_drawing
    assert session.history.referee.job.opening_plies == 8
    session = Session(replace(config, game_seed=None), Script(), 0.0)
    assert not session.is_drawing


def test_repetitions_between_computers_follow_by_themselves() -> None:
    made = table(FIRST, SECOND, repetitions=2)
    play_on(made)
    assert made.session.next_game_at == pytest.approx(made.now + RESULT_SECONDS, abs=1.0)
    made.wait(RESULT_SECONDS)
    assert (made.session.referee.job.number, made.ply) == (2, 0)
    assert made.session.referee.job.seed == game_seeds(5, 2)[1]
    play_on(made)
    made.wait(100.0)
    assert (made.session.referee.job.number, len(made.records)) == (2, 2)


def test_new_games_go_on_with_the_next_seed_for_ever() -> None:
    made = table(PERSON, PERSON)
    seeds = [made.session.referee.job.seed]
    for _ in range(9):
        made.do(cmd.NewGame())
        seeds.append(made.session.referee.job.seed)
    assert seeds == game_seeds(5, 10)


def test_an_idle_session_waits_for_nothing() -> None:
    made = table(PERSON, PERSON)
    assert made.session.next_event(made.now) is None


def test_what_a_trial_finds_is_not_of_the_game_even_where_another_trial_is_wanted_by_then() -> None:
    made, small = table(PERSON, FIRST), game_spec("tictactoe")
    made.do(cmd.MeasureMoveTime(FIRST, small))
    made.session.do(cmd.MeasureMoveTime(SECOND, small), made.now)
    made.analyst.answer_last(0.0, 0.1)
    made.wait()
    assert made.session.history.tree.root.children == {}
    assert made.session.analysis is not None
    assert [*made.session.analysis.trials] == [(FIRST, small)]
    made.analyst.answer_last(0.0, 0.1)
    made.wait()
    assert [*made.session.analysis.trials] == [(FIRST, small), (SECOND, small)]


def test_repetitions_go_on_while_the_opening_is_drawn() -> None:
    made = table(FIRST, SECOND, repetitions=2, start="random")
    _, job = made.script.requests[-1]
    made.script.news.append(OpeningDrawn(opening_of(job)))
    made.wait()
    play_on(made)
    made.wait(RESULT_SECONDS)
    assert (made.session.is_drawing, made.session.referee.job.number) == (True, 2)
    assert made.session.next_event(made.now) == made.now


def test_the_end_of_a_game_is_said_once() -> None:
    made = table(PERSON, PERSON, board=PASS_AHEAD)
    while not made.session.referee.is_over:
        assert made.session.ended_games() == []
        made.do(cmd.PlayMove(made.session.game.legal_moves()[0]), cmd.Acknowledge())
    made.wait(10.0)
    assert made.session.ended_games() == [made.session.history]
    made.wait(10.0)
    assert made.session.ended_games() == []
    made.do(cmd.Undo(), cmd.NewGame(), cmd.RestoreGame())
    assert made.session.ended_games() == []
    made.do(cmd.Redo())
    assert made.session.ended_games() == [made.session.history], "it has ended once more"
    made.do(cmd.NewGame(), cmd.RestoreGame())
    assert made.session.ended_games() == [], "it was over before"


def test_a_session_knows_every_command() -> None:
    kinds = [kind for kind in vars(cmd).values() if isinstance(kind, type) and issubclass(kind, cmd.SessionCommand)]
    session = table(PERSON, FIRST).session
    assert len(kinds) > 20
    for kind in kinds:
        if kind is not cmd.SessionCommand:
            assert isinstance(session.allows(kind), bool)


@pytest.mark.parametrize("moves", [0, 1])
def test_an_idle_turn_asks_the_rules_nothing(moves: int, monkeypatch: pytest.MonkeyPatch) -> None:
    made = table(PERSON, FIRST)
    for _ in range(moves):
        made.do(cmd.PlayMove(made.session.game.legal_moves()[0]))
    made.wait(1.0)
    made.session.next_event(made.now)
    asked: list[str] = []
    for name in ("legal_moves", "outcome", "play", "is_pass"):
        monkeypatch.setattr(Othello, name, lambda *_, name=name: asked.append(name))
    for _ in range(5):
        made.wait(0.1)
        made.session.next_event(made.now)
    assert asked == []


def test_a_player_that_tries_again_does_not_hold_the_game() -> None:
    made = table(FIRST, SECOND)
    made.script.news.append(Failed(Reason("out of memory"), 0.0))
    made.wait()
    made.do(cmd.StepMoves())
    made.answer()
    assert not made.session.pace.paused
    made.answer()
    assert made.ply == 2


def test_a_game_that_is_played_to_its_end_again_is_recorded_once() -> None:
    made = table(PERSON, PERSON, board=PASS_AHEAD)
    play_on(made)
    assert made.session.allows(cmd.Undo)
    made.do(cmd.Undo())
    assert not made.session.referee.is_over
    play_on(made)
    assert len(made.records) == 1


def test_who_played_a_finished_game_stays_and_the_next_one_has_the_new_seats() -> None:
    made = table(PERSON, FIRST)
    play_on(made)
    played, clock = made.session.players, made.session.referee.clock
    made.do(cmd.SwapSides())
    assert (made.session.players, made.session.referee.clock) == (played, clock)
    made.do(cmd.HandOver(Color.WHITE))
    assert made.session.players == played
    assert made.session.next_players.is_between_computers
    made.do(cmd.HandOver(Color.WHITE), cmd.NewGame())
    assert [seat.name for seat in made.session.players.values()] == ["first", "user"]


def test_seats_for_the_next_game_are_forgotten_where_the_finished_one_goes_on() -> None:
    made = table(PERSON, FIRST)
    play_on(made)
    made.do(cmd.SwapSides(), cmd.Undo())
    play_on(made)
    assert made.session.players == made.session.next_players == {Color.BLACK: PERSON, Color.WHITE: FIRST}


def test_whoever_resigns_has_lost_and_the_record_says_so() -> None:
    made = table(PERSON, FIRST)
    made.do(cmd.PlayMove(Move(19)), cmd.Resign())
    assert made.session.referee.winner is Color.WHITE
    assert [(record.result, record.reason) for record in made.records] == [("white", "black resigned")]
    assert not made.session.allows(cmd.Resign)
    made.do(cmd.Undo())
    assert not made.session.referee.is_over


def test_an_agreed_draw_is_a_draw_whatever_is_on_the_board() -> None:
    made = table(PERSON, PERSON)
    made.do(cmd.PlayMove(Move(19)), cmd.AgreeDraw())
    assert (made.session.referee.is_over, made.session.referee.winner) == (True, None)
    assert [(record.result, record.reason) for record in made.records] == [("draw", "draw agreed")]
    assert not table(FIRST, SECOND).session.allows(cmd.AgreeDraw)


@pytest.mark.parametrize(("value", "refusal"), [(0.5, ""), (0.9, "better"), (None, "judge")])
def test_a_computer_agrees_to_a_draw_late_and_where_the_game_is_even(value: float | None, refusal: str) -> None:
    made = table(PERSON, FIRST)
    assert made.session.draw_refusal == "early"
    while made.ply <= made.session.game.rules.moves_left(made.session.game.position):
        if made.session.awaits_user:
            made.do(cmd.PlayMove(made.session.game.legal_moves()[0]))
        elif made.session.game.must_pass:
            made.wait(PASS_SECONDS)
        else:
            game, _ = made.script.requests[-1]
            made.script.news += [
                Started(made.now),
                SearchAnswered(replace(report(game, final=True), value=value), made.now),
            ]
            made.script.is_asked = False
            made.wait(1.0)
            made.wait()
    assert made.session.draw_refusal == refusal
