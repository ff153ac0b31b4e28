"""Sessions with scripted searches and a clock that the test advances, and the user's tournament games."""

import random
from dataclasses import replace
from unittest.mock import Mock

import numpy as np
import pytest

from othello.config import Config, PlayerConfig, TournamentConfig
from othello.errors import OutputError, Reason
from othello.game import Game
from othello.play import session_commands as cmd, worker
from othello.play.playback import PASS_SECONDS, RESULT_SECONDS
from othello.play.referee import Fault, Forfeit, GameJob
from othello.play.seeding import SEED_LIMIT, draw_seed, game_seeds, player_seed
from othello.play.session import Session
from othello.play.start_positions import opening_of
from othello.players.player_registry import configure
from othello.rules.othello import Othello
from othello.rules.othello.scalar_bits import PASS
from othello.rules.protocol import Color, Move
from othello.rules.registry import game_spec
from tests.play import session_driver
from tests.play.fake_players import PERSON, computer, report
from tests.play.session_driver import FIRST, SECOND, ScriptedWorker, Step, answer, drive_session, play, play_on, wait
from tests.positions import RULES, SPEC

RANDOM_START = {"game": game_spec(options={"start": "random"})}


def test_a_random_start_is_drawn_before_the_first_move() -> None:
    driver = drive_session(PERSON, FIRST, config=RANDOM_START)
    _, job = driver.script.requests[-1]
    assert isinstance(job, GameJob)
    assert (job.opening_plies, job.seed) == (8, driver.session.referee.job.seed)
    driver.do(cmd.PlayMove(Move(19)), cmd.Undo(), cmd.SwapSides(), cmd.SwapSides())
    assert driver.session.is_drawing
    assert (driver.ply, driver.session.awaits_user, driver.session.referee.clock.running) == (0, False, None)
    assert len(driver.script.requests) == 3, "a swap restarts the drawing"
    opening = opening_of(job)
    driver.report(worker.Failed(Reason("no compiler"), 0.0))
    assert (driver.session.worker.failure, driver.session.awaits_user) == (Reason("no compiler"), False)
    driver.do(cmd.SwapSides(), cmd.SwapSides())
    driver.report(worker.OpeningDrawn(opening))
    assert not driver.session.is_drawing
    assert (driver.session.game, driver.session.awaits_user, driver.session.allows(cmd.Undo)) == (opening, True, False)
    driver.play()
    assert driver.session.allows(cmd.Undo)
    driver.do(cmd.Undo())
    assert (driver.session.game.moves, driver.session.allows(cmd.Undo)) == (opening.moves, False)


def test_games_with_random_starts_are_repeated_and_recorded_with_the_opening() -> None:
    driver = drive_session(FIRST, SECOND, config=RANDOM_START | {"game_repetitions": 2, "move_delay_seconds": 0.0})
    driver.report(worker.OpeningDrawn(opening_of(driver.session.referee.job)))
    play_on(driver)
    assert (driver.records[0].opening_plies, driver.records[0].rules) == (8, "start=random")
    driver.wait(RESULT_SECONDS)
    assert (driver.session.is_drawing, driver.session.referee.job.number) == (True, 2)
    assert driver.session.next_event(driver.now) == driver.now


def test_a_user_plays_legal_moves_on_their_turn() -> None:
    for black, move, moves in ((FIRST, 19, ()), (PERSON, 0, ()), (PERSON, 19, (19,))):
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
@pytest.mark.parametrize("before", [[], [cmd.TogglePause()]], ids=["running", "paused"])
def test_commands_that_change_the_game_cancel_the_search(before: list[Step], command: cmd.SessionCommand) -> None:
    driver = drive_session(PERSON, FIRST, play("d3"), *before)
    driver.session.do(command, driver.now)
    assert driver.script.cancelled == 1
    driver.wait()
    assert not driver.script.is_asked
    assert not driver.session.worker.is_paused


def test_pace_moves_along_its_steps() -> None:
    driver = drive_session(FIRST, SECOND, cmd.ChangePace(1))
    assert driver.session.pace.delay == 1.5
    driver.do(*[cmd.ChangePace(-1)] * 20)
    assert driver.session.pace.delay == 0.0


@pytest.mark.parametrize("acknowledges", [True, False])
def test_a_pass_is_announced_and_made_after_a_while_or_when_it_is_acknowledged(acknowledges: bool) -> None:
    driver = drive_session(PERSON, PERSON, play("a1"), start=session_driver.BEFORE_PASS)
    assert driver.session.announces_pass
    driver.wait(PASS_SECONDS - 0.1)
    assert driver.ply == 1
    driver.do(*[cmd.Acknowledge()] * 2 if acknowledges else [wait(0.2)])
    assert driver.session.game.moves == (0, PASS)
    assert driver.session.awaits_user


def test_a_failure_stays_until_the_user_takes_a_move_back() -> None:
    driver = drive_session(PERSON, FIRST, play("d3"))
    driver.report(worker.Failed(Reason("out of memory"), 0.0))
    driver.wait(1.0)
    assert (driver.session.worker.failure, len(driver.script.requests)) == (Reason("out of memory"), 1)
    driver.do(cmd.Undo())
    assert (driver.session.worker.failure, driver.session.awaits_user) == (None, True)


def test_a_computer_that_failed_tries_again_without_a_pause() -> None:
    driver = drive_session(FIRST, SECOND)
    driver.report(worker.Failed(Reason("out of memory"), 0.0))
    driver.do(cmd.StepMoves(), answer(), answer())
    assert (driver.ply, driver.session.pace.paused) == (2, False)


def test_a_user_takes_over_and_gives_back_or_swaps_the_sides() -> None:
    driver = drive_session(PERSON, FIRST, cmd.SwapSides())
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
    driver = drive_session(learner, PERSON, cmd.HandOver(Color.WHITE))
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
    game, driver.script.expects_news = driver.session.game, True
    driver.report(worker.Preparing("first"))
    assert (driver.session.worker.preparing, (driver.session.next_event(0.0) or 0.0) > 0.0) == ("first", True)
    driver.report(worker.Preparing(None), worker.Started(0.0), worker.SearchProgress(report(game, visits=5)))
    assert driver.session.worker.preparing is None
    shown = driver.session.view.report
    assert shown is not None
    assert (shown[0], shown[1].simulations) == (0, 5)


def test_a_finished_game_is_recorded_once() -> None:
    timed = replace(PERSON, clock_seconds=10.0, increment_seconds=1.0)
    (record,) = drive_session(timed, FIRST, play_on, wait(1.0), cmd.Undo(), play_on).records
    assert (record.black, record.white, record.game, record.seed) == ("user", "first", 1, game_seeds(5, 1)[0])
    assert record.reason == ""


def test_a_record_that_cannot_be_written_is_a_notice() -> None:
    script, fail = ScriptedWorker(), Mock(side_effect=OutputError("the disk is full"))
    driver = session_driver.SessionDriver(script, Session(Config((PERSON, PERSON), seed=1), script, 0.0, fail), [])
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
    driver = drive_session(FIRST, SECOND, play_on, config={"game_repetitions": 2})
    assert driver.session.next_game_at == pytest.approx(driver.now + RESULT_SECONDS, abs=1.0)
    driver.wait(RESULT_SECONDS)
    assert (driver.session.referee.job.number, driver.ply) == (2, 0)
    assert driver.session.referee.job.seed == game_seeds(5, 2)[1]
    driver.do(play_on, wait(100.0))
    assert (driver.session.referee.job.number, len(driver.records)) == (2, 2)


def test_each_new_game_and_its_players_have_the_next_seed() -> None:
    driver = drive_session(PERSON, SECOND)
    seeds = [driver.session.referee.job.seed]
    driver.play(19)
    game, asked = driver.script.requests[-1]
    assert game.moves == (19,)
    assert asked == worker.PlayerRequest(SECOND, SPEC, player_seed(game_seeds(5, 1)[0], Color.WHITE))
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
    driver = drive_session(PERSON, PERSON, start=session_driver.BEFORE_PASS)
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
    driver = drive_session(PERSON, FIRST, *[play()] * moves, wait(1.0))
    driver.session.next_event(driver.now)
    asked: list[str] = []
    for name in ("legal_moves", "outcome", "play", "is_pass"):
        monkeypatch.setattr(Othello, name, lambda *_, name=name: asked.append(name))
    for _ in range(5):
        driver.wait(0.1)
        driver.session.next_event(driver.now)
    assert asked == []


def test_changes_of_players_after_the_end_are_for_the_next_game() -> None:
    driver = drive_session(PERSON, FIRST, play_on)
    played, clock = driver.session.players, driver.session.referee.clock
    driver.do(cmd.SwapSides())
    assert (driver.session.players, driver.session.referee.clock) == (played, clock)
    driver.do(cmd.HandOver(Color.WHITE))
    assert driver.session.players == played
    assert driver.session.next_players.is_between_computers
    driver.do(cmd.HandOver(Color.WHITE), cmd.NewGame())
    assert [seat.name for seat in driver.session.players.values()] == ["first", "user"]


def test_changes_after_the_end_are_dropped_if_the_finished_game_continues() -> None:
    driver = drive_session(PERSON, FIRST, play_on, cmd.SwapSides(), cmd.Undo(), play_on)
    assert driver.session.players == driver.session.next_players == {Color.BLACK: PERSON, Color.WHITE: FIRST}


def test_a_resignation_or_an_agreed_draw_ends_the_game() -> None:
    for white, command, recorded in (
        (FIRST, cmd.Resign(), ("white", "black resigned")),
        (PERSON, cmd.AgreeDraw(), ("draw", "draw agreed")),
    ):
        driver = drive_session(PERSON, white, play("d3"), command)
        assert driver.session.referee.is_over
        assert [(record.result, record.reason) for record in driver.records] == [recorded]
        assert not driver.session.allows(type(command))
        driver.do(cmd.Undo())
        assert not driver.session.referee.is_over
        assert not drive_session(FIRST, SECOND).session.allows(type(command))


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
            driver.report(worker.Started(driver.now), worker.SearchAnswered(found, driver.now))
            driver.wait(1.0)
    assert driver.session.draw_refusal == refusal


def drive_tournament_game(black: PlayerConfig, white: PlayerConfig, *steps: Step) -> session_driver.SessionDriver:
    job = GameJob(2, 1, (black, white), SPEC, 77, time_margin_seconds=0.5, experiment="77-abc")
    return drive_session(black, white, *steps, start=Game.new(RULES).play(Move(19)).play(Move(18)), job=job)


def test_a_tournament_game_begins_with_its_opening_and_its_seed_and_cannot_be_covered() -> None:
    driver = drive_tournament_game(FIRST, PERSON)
    assert driver.session.game.moves == (19, 18)
    assert driver.script.requests[-1][1] == worker.PlayerRequest(FIRST, SPEC, player_seed(77, Color.BLACK))
    assert (driver.session.referee.job.number, driver.session.referee.job.is_rated) == (2, True)
    driver.cover(True)
    assert not driver.session.pace.is_paused
    assert not driver.session.allows(cmd.MoveNow)


@pytest.mark.parametrize("command", [cmd.Undo(), cmd.SwapSides(), cmd.HandOver(Color.BLACK), cmd.NewGame()])
def test_no_command_changes_a_tournament_game(command: cmd.SessionCommand) -> None:
    driver = drive_tournament_game(PERSON, FIRST, play(), answer())
    session, before, players = driver.session, driver.session.game, driver.session.players
    driver.do(command)
    assert (session.game, session.players) == (before, players)
    assert [session.allows(cmd.Undo), session.allows(cmd.Redo), session.is_left] == [False] * 3
    driver.do(cmd.GoTo(1))
    helps = cmd.Undo, cmd.PlayFromHere, cmd.OpenGame, cmd.SwapSides, cmd.HandOver, cmd.Analyse, cmd.AnalyseGame
    assert not any(map(session.allows, helps))


def test_a_user_leaves_a_tournament_game_only_when_it_is_over_and_recorded() -> None:
    driver = drive_tournament_game(PERSON, FIRST, play_on, wait(0.0), cmd.NewGame())
    assert [(record.game, record.seed, record.experiment) for record in driver.records] == [(2, 77, "77-abc")]
    assert driver.session.is_left


def test_a_computer_that_fails_in_a_tournament_can_try_again() -> None:
    driver = drive_tournament_game(replace(FIRST, clock_seconds=10.0), PERSON)
    session = driver.session
    driver.script.news += [worker.Started(0.0), worker.Failed(Reason("the tree is full"), 0.1)]
    driver.wait(20.0)
    assert str(session.worker.failure) == "the tree is full"
    assert (session.referee.is_over, session.referee.forfeit, driver.records) == (False, None, [])
    driver.do(cmd.StepMoves(), wait(0.0))
    assert (session.worker.failure, session.pace.paused) == (None, False)
    assert session.referee.remaining(Color.BLACK, driver.now) == 10.0
    driver.answer()
    assert driver.ply == 3


def test_an_external_program_that_fails_in_a_tournament_loses() -> None:
    driver = drive_tournament_game(FIRST, PERSON)
    driver.script.news += [worker.Started(0.0), worker.Failed(Reason("the tree is full"), 0.1, True)]
    driver.wait(0.2)
    assert driver.session.worker.failure is None
    assert driver.session.referee.forfeit == Forfeit(Color.BLACK, Fault.FAILED, reason=Reason("the tree is full"))
    assert (driver.records[0].result, driver.records[0].reason) == ("white", "black failed: the tree is full")


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (answer(1.4), ""),
        (answer(1.6), "black took 1.60 s for a move; 1 s are allowed"),
        (session_driver.start_search, "black hangs; 1 s per move are allowed"),
    ],
)
def test_a_computer_may_overstep_its_limit_by_the_margin(step: Step, reason: str) -> None:
    driver = drive_tournament_game(replace(FIRST, time_limit_seconds=1.0), PERSON, step, wait(1.6))
    assert [record.reason for record in driver.records] == [reason] * (reason != "")
    assert driver.ply == (2 if reason else 3)
    assert bool(driver.script.cancelled) is (step is session_driver.start_search)
    assert not drive_tournament_game(replace(PERSON, time_limit_seconds=1.0), FIRST, wait(60.0)).session.referee.is_over


@pytest.mark.parametrize("command", [cmd.TogglePause(), cmd.StepMoves()])
def test_a_user_cannot_stop_the_clock_in_a_tournament(command: cmd.SessionCommand) -> None:
    driver = drive_tournament_game(replace(PERSON, clock_seconds=10.0), FIRST, play(), answer(), command, wait(10.1))
    assert driver.session.referee.forfeit == Forfeit(Color.BLACK, Fault.OUT_OF_TIME)


PLAYERS = (
    PERSON,
    FIRST,
    replace(PERSON, clock_seconds=20.0, increment_seconds=0.5),
    replace(computer("hurried"), clock_seconds=15.0),
)
LOOKING = (cmd.GoTo(1), cmd.GoTo(4), cmd.Browse(-1), cmd.Browse(1), cmd.Analyse(SECOND), cmd.Analyse(None))
ACTING: tuple[cmd.SessionCommand, ...] = (cmd.PlayMove(Move(0)), cmd.HandOver(Color.BLACK), cmd.HandOver(Color.WHITE))
ACTING += (cmd.Undo(), cmd.Redo())
ACTING += (cmd.NewGame(), cmd.RestoreGame(), cmd.PlayFromHere(), cmd.SwapSides(), cmd.Acknowledge())
ACTING += (cmd.TogglePause(), cmd.StepMoves(), cmd.MoveNow())


@pytest.mark.parametrize("seed", range(30))
def test_a_session_is_consistent_whatever_is_done(seed: int) -> None:
    draw = random.Random(seed)
    driver = drive_session(draw.choice(PLAYERS), draw.choice(PLAYERS), config={"game_repetitions": draw.choice([1, 3])})
    for _ in range(600):
        session = driver.session
        was_live, before = session.view.is_at_latest, session.game
        version, visible = session.version, visible_parts(session)
        command: cmd.SessionCommand | None = None
        if draw.random() < 0.4 and session.awaits_user and was_live:
            command = cmd.PlayMove(draw.choice(session.game.legal_moves()))
        elif draw.random() < 0.6:
            search(driver, draw)
        else:
            command = draw.choice(ACTING + LOOKING)
        if command is not None:
            session.do(command, driver.now)
        if not was_live and isinstance(command, (cmd.Undo, cmd.Redo, cmd.PlayMove)):
            assert session.game is before
            assert session.view.is_at_latest
        driver.wait(draw.choice([0.0, 0.01, 0.5, 3.0]))
        assert session.view.is_at_latest or not was_live or command in LOOKING
        assert session.version > version or visible_parts(session) == visible
        check(driver)


def visible_parts(session: Session) -> tuple[object, ...]:
    pace, view = session.pace, session.view
    return session.game, session.players, session.announces_pass, pace.paused, view.shown, view.listed, view.report


def search(driver: session_driver.SessionDriver, draw: random.Random) -> None:
    """Let a search of the game or of the analysis report."""
    script = draw.choice([driver.script, driver.analyst])
    if script.is_asked:
        game, _ = script.requests[-1]
        script.news.append(worker.Started(driver.now))
        final = worker.SearchAnswered(report(game, final=True), driver.now + draw.choice([0.0, 0.1]))
        others: list[worker.News] = [worker.SearchProgress(report(game)), worker.Failed(Reason("none"), driver.now)]
        script.news.append(draw.choice([final, final, final, *others]))
        script.is_asked = isinstance(script.news[-1], worker.SearchProgress)


def check(driver: session_driver.SessionDriver) -> None:
    session = driver.session
    tree, clock, mover = session.history.tree, session.referee.clock, session.game.to_move
    assert tree.game == session.game
    assert tree.line.moves[: session.game.ply] == session.game.moves
    assert min(clock.spent) >= 0
    assert clock.running in (None, mover)
    if session.referee.is_over or session.pace.paused:
        assert clock.running is None or session.allows(cmd.StepMoves)
    elif session.awaits_user:
        assert clock.running is (None if session.clock_waits else mover)
    elif not session.game.must_pass:
        assert session.worker.is_wanted or session.next_event(driver.now) == driver.now


def test_seeds_fit_into_json_and_are_the_same_on_every_machine_and_for_any_number_of_games() -> None:
    assert game_seeds(42, 2) == [6971176343755556, 3953065555456575]
    assert player_seed(1, Color.BLACK) == 3630251794869490
    assert game_seeds(7, 2000) == np.random.default_rng(7).integers(SEED_LIMIT, size=2000).tolist()
    seeds = game_seeds(1, 100) + game_seeds(2, 100)
    players = [player_seed(seed, color) for seed in seeds for color in Color]
    assert (len(set(seeds)), len(set(players))) == (200, 400), "they differ by experiment, game and colour"
    assert all(0 <= seed < SEED_LIMIT <= 2**53 for seed in seeds + players + [draw_seed() for _ in range(100)])
