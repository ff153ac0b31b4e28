"""The session, with a searcher that answers when it is told to and a clock that only the test moves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from othello.config import Config, PlayerConfig, TournamentConfig
from othello.errors import OutputError, Reason
from othello.game import AnyGame, Game
from othello.play import commands as cmd
from othello.play.history import Moment, Tree
from othello.play.openings import opening_of
from othello.play.referee import Job
from othello.play.seeding import game_seeds, player_seed
from othello.play.session import Session
from othello.play.thinking import Answered, Drawn, Failed, News, Preparing, Progress, Seat, Started
from othello.play.turns import PASS_SECONDS, RESULT_SECONDS
from othello.play.view import Step
from othello.players.registry import configure
from othello.records.record import GameRecord
from othello.rules.othello import parse_board
from othello.rules.othello_boards import PASS
from othello.rules.protocol import Color, GameSpec
from othello.rules.registry import game_spec
from othello.search.report import Line
from tests.play.faulty import PERSON, computer, report
from tests.positions import RULES, SPEC

FIRST, SECOND = computer("first"), computer("second")
# Black plays a1 and white has no move then, while black has h1.
PASS_AHEAD = "-OX-----" + "-" * 48 + "XXXXXXO-" + "X"


@dataclass
class Script:
    """A `Searcher` whose news the test writes."""

    requests: list[tuple[int, AnyGame, Any]] = field(default_factory=list)
    cancelled: int = 0
    dismissed: list[AnyGame] = field(default_factory=list)
    hurried: int = 0
    is_held: bool = False
    seconds: float | None = None
    prepared: list[str] = field(default_factory=list)
    news: list[News] = field(default_factory=list)
    opened: tuple[Line, ...] = ()
    is_busy: bool = False

    def prepare(self, players: Iterable[PlayerConfig], spec: GameSpec) -> None:
        self.prepared += [player.name for player in players]

    def submit(self, request: int, game: AnyGame, asked: Seat | Job, seconds: float | None = None) -> None:
        self.requests.append((request, game, asked))
        self.is_held = False
        self.seconds = seconds

    def hurry(self) -> None:
        self.hurried += 1

    def hold(self, is_held: bool) -> None:
        self.is_held = is_held

    def dismiss(self, game: AnyGame) -> None:
        self.dismissed.append(game)

    def cancel(self) -> None:
        self.cancelled += 1

    def look_into(self, lines: Sequence[Line]) -> None:
        self.opened = tuple(lines)

    def poll(self) -> list[News]:
        news, self.news = self.news, []
        return news

    def answer(self, began: float, ended: float) -> None:
        request, game, _ = self.requests[-1]
        self.news += [Started(request, began), Answered(request, report(game, final=True), ended)]


@dataclass
class Table:
    """A session with all that belongs to it."""

    script: Script
    session: Session
    records: list[GameRecord]
    analyst: Script = field(default_factory=Script)
    now: float = 0.0

    def do(self, *commands: cmd.SessionCommand) -> None:
        for command in commands:
            self.session.do(command, self.now)
            self.session.update(self.now)

    def wait(self, seconds: float = 0.0) -> None:
        self.now += seconds
        self.session.update(self.now)

    def answer(self, thought: float = 0.0) -> None:
        """Let the computer answer, and its answer be played."""
        self.script.answer(self.now, self.now + thought)
        self.wait(thought)
        self.wait(self.session.delay)
        self.wait()

    @property
    def ply(self) -> int:
        return self.session.game.ply


def table(
    black: PlayerConfig, white: PlayerConfig, repetitions: int = 1, delay: float = 0.8, board: str = "", **rules: str
) -> Table:
    script, analyst, records = Script(), Script(), list[GameRecord]()
    start = Game.new(RULES, parse_board(board)) if board else None
    config = Config(
        (black, white), seed=5, game_repetitions=repetitions, move_delay_seconds=delay, game=game_spec(options=rules)
    )
    session = Session(config, script, 0.0, records.append, start=start, analyst=analyst, judge=Script())
    made = Table(script, session, records, analyst)
    made.wait()
    return made


def play_on(made: Table, limit: int = 200) -> None:
    """Play first moves for everybody until the game is over."""
    for _ in range(limit):
        session = made.session
        if session.game.is_over:
            return
        if session.game.must_pass:
            made.wait(PASS_SECONDS)
        elif session.seat.is_user:
            made.do(cmd.PlayMove(session.game.legal_moves()[0]))
        else:
            made.answer()
    raise AssertionError("the game does not end")


def test_a_random_start_is_drawn_before_anybody_moves() -> None:
    made = table(PERSON, FIRST, start="random")
    (number, _, job) = made.script.requests[-1]
    assert isinstance(job, Job)
    assert (job.opening_plies, job.seed) == (8, made.session.game_seed)
    made.do(cmd.PlayMove(19), cmd.Undo(), cmd.SwapSides(), cmd.SwapSides())
    assert made.session.is_drawing
    assert (made.ply, made.session.awaits_person, made.session.clock.running) == (0, False, None)
    assert len(made.script.requests) == 3, "a swap drops the drawing, which begins anew"
    opening = opening_of(job)
    made.script.news.append(Drawn(number, opening))
    made.wait()
    assert made.session.is_drawing, "what was dropped comes too late"
    made.script.news.append(Drawn(made.script.requests[-1][0], opening))
    made.wait()
    assert not made.session.is_drawing
    assert (made.session.game, made.session.awaits_person, made.session.can_undo) == (opening, True, False)
    made.do(cmd.PlayMove(opening.legal_moves()[0]))
    assert made.session.can_undo
    made.do(cmd.Undo())
    assert (made.session.game.moves, made.session.can_undo) == (opening.moves, False)


def test_a_game_from_a_random_start_is_recorded_whole() -> None:
    made = table(FIRST, SECOND, start="random", delay=0.0)
    made.script.news.append(Drawn(made.script.requests[-1][0], opening_of(made.session.history.referee.job)))
    made.wait()
    play_on(made)
    assert made.records[0].opening_plies == 8
    assert made.records[0].rules == "start=random"


def test_no_opening_can_be_drawn() -> None:
    made = table(PERSON, PERSON, start="random")
    made.script.news.append(Failed(made.script.requests[-1][0], Reason("no compiler"), 0.0))
    made.wait()
    assert (made.session.failure, made.session.awaits_person) == (Reason("no compiler"), False)


def test_a_person_plays_legal_moves_only() -> None:
    made = table(PERSON, PERSON)
    made.do(cmd.PlayMove(0))
    assert made.ply == 0
    made.do(cmd.PlayMove(19))
    assert made.session.game.moves == (19,)


def test_a_person_cannot_move_for_the_computer() -> None:
    made = table(FIRST, PERSON)
    made.do(cmd.PlayMove(19))
    assert made.ply == 0


def test_the_computer_is_asked_with_its_seed() -> None:
    made = table(PERSON, SECOND)
    made.do(cmd.PlayMove(19))
    _, game, seat = made.script.requests[-1]
    assert game.moves == (19,)
    assert seat == Seat(SECOND, SPEC, player_seed(game_seeds(5, 1)[0], Color.WHITE))


def test_an_answer_is_held_back_to_the_pace() -> None:
    made = table(FIRST, PERSON)
    made.script.answer(0.0, 0.1)
    made.wait(0.1)
    assert made.ply == 0
    assert made.session.next_event(made.now) == pytest.approx(0.8)
    made.wait(0.69)
    assert made.ply == 0
    made.wait(0.02)
    assert made.session.game.moves == (19,)


def test_time_is_thinking_time_for_computers_and_turn_time_for_people() -> None:
    made = table(FIRST, PERSON)
    made.script.answer(0.2, 0.3)
    made.wait(0.8)
    made.wait(5.0)
    clock = made.session.clock
    assert clock.used(Color.BLACK, made.now) == pytest.approx(0.1)
    assert clock.used(Color.WHITE, made.now) == pytest.approx(5.0)


def test_a_stale_answer_is_never_played() -> None:
    made = table(PERSON, FIRST, delay=0.0)
    made.do(cmd.PlayMove(19))
    request, game, _ = made.script.requests[-1]
    made.do(cmd.Undo())
    assert made.script.cancelled == 1
    made.script.news.append(Answered(request, report(game, final=True), 1.0))
    made.script.news.append(Failed(request, Reason("too late"), 1.0))
    made.wait(1.0)
    assert made.ply == 0
    assert made.session.failure is None
    made.do(cmd.PlayMove(26))
    made.script.news.append(Answered(request, report(game, final=True), 1.0))
    made.wait(1.0)
    assert made.ply == 1


@pytest.mark.parametrize("command", [cmd.Undo(), cmd.NewGame(), cmd.SwapSides(), cmd.HandOver(Color.WHITE)])
def test_what_changes_the_game_stops_the_search(command: cmd.SessionCommand) -> None:
    made = table(PERSON, FIRST)
    made.do(cmd.PlayMove(19))
    made.session.do(command, made.now)
    assert made.script.cancelled == 1


def test_undo_goes_to_the_persons_last_choice_and_redo_back() -> None:
    made = table(PERSON, FIRST)
    made.do(cmd.PlayMove(19))
    made.answer()
    made.do(cmd.PlayMove(made.session.game.legal_moves()[0]))
    made.answer()
    played = made.session.game.moves
    made.do(cmd.Undo(), cmd.Undo())
    assert made.ply == 0
    made.do(cmd.Undo())
    assert made.ply == 0
    made.do(cmd.Redo())
    assert made.session.game.moves == played[:2]
    made.do(cmd.Redo())
    assert made.session.game.moves == played
    assert not made.session.can_redo


def test_a_new_move_ends_what_could_be_redone() -> None:
    made = table(PERSON, PERSON)
    made.do(cmd.PlayMove(19), cmd.Undo(), cmd.PlayMove(26))
    assert not made.session.can_redo


def test_nothing_to_undo_before_the_person_has_moved() -> None:
    made = table(FIRST, PERSON)
    made.answer()
    assert not made.session.can_undo
    made.do(cmd.Undo())
    assert made.ply == 1


def test_undo_between_computers_pauses() -> None:
    made = table(FIRST, SECOND)
    made.answer()
    made.answer()
    made.do(cmd.Undo())
    assert (made.ply, made.session.paused) == (1, True)
    made.wait(10.0)
    assert made.ply == 1


def test_a_pause_holds_the_search_which_goes_on_where_it_was() -> None:
    made = table(FIRST, SECOND)
    made.script.is_busy = True
    made.script.news.append(Started(made.script.requests[-1][0], 0.0))
    made.wait(1.0)
    assert made.session.thinking.is_running
    made.do(cmd.TogglePause())
    assert (made.script.is_held, made.script.cancelled) == (True, 0)
    assert not made.session.thinking.is_running
    made.wait(10.0)
    assert made.session.next_event(made.now) is None
    made.do(cmd.TogglePause())
    assert not made.script.is_held
    made.answer()
    assert (made.ply, made.script.cancelled, len(made.script.requests)) == (1, 0, 2)


def test_an_answer_that_comes_in_spite_of_a_pause_waits_for_its_end() -> None:
    made = table(FIRST, SECOND)
    made.do(cmd.TogglePause())
    made.answer()
    assert made.ply == 0
    made.do(cmd.TogglePause())
    made.wait(made.session.delay)
    assert made.ply == 1


@pytest.mark.parametrize("ends", [cmd.Undo(), cmd.NewGame(), cmd.SwapSides()])
def test_what_ends_a_search_ends_one_that_is_held(ends: cmd.SessionCommand) -> None:
    made = table(PERSON, FIRST)
    made.do(cmd.PlayMove(19), cmd.TogglePause(), ends)
    assert made.script.cancelled == 1
    assert not made.session.thinking.is_held


def test_move_now_plays_what_a_held_search_has_found_and_the_game_stays_paused() -> None:
    made = table(FIRST, SECOND)
    made.script.is_busy = True
    made.do(cmd.TogglePause(), cmd.MoveNow())
    assert (made.script.hurried, made.script.is_held) == (1, False)
    assert made.session.next_event(made.now) == made.now
    made.answer()
    made.wait(10.0)
    assert (made.ply, made.session.paused, len(made.script.requests)) == (1, True, 1)


def test_a_pause_holds_what_is_analysed_and_the_persons_move_lets_it_go_on() -> None:
    made = table(PERSON, FIRST)
    made.do(cmd.Analyse(FIRST), cmd.TogglePause())
    assert made.analyst.is_held
    made.do(cmd.GoTo(0))
    assert len(made.analyst.requests) == 1
    made.do(cmd.PlayMove(19))
    assert not made.analyst.is_held
    assert len(made.analyst.requests) == 2
    made.do(cmd.HoldAnalyses(True))
    assert made.analyst.is_held
    made.do(cmd.Analyse(SECOND))
    assert not made.analyst.is_held
    assert len(made.analyst.requests) == 3


def test_a_pause_keeps_an_answer_that_is_there_already() -> None:
    made = table(FIRST, SECOND)
    made.script.answer(0.0, 0.1)
    made.wait(0.1)
    made.do(cmd.TogglePause())
    made.wait(10.0)
    assert (made.ply, made.script.cancelled) == (0, 0)
    made.do(cmd.Step())
    assert (made.ply, made.session.paused) == (1, True)


def test_a_step_is_one_move_of_the_computer() -> None:
    made = table(FIRST, SECOND)
    made.do(cmd.TogglePause(), cmd.Step())
    made.answer()
    made.wait(10.0)
    assert (made.ply, len(made.script.requests)) == (1, 1)
    made.do(cmd.Step())
    made.answer()
    assert (made.ply, made.session.paused) == (2, True)
    made.do(cmd.TogglePause())
    made.answer()
    assert made.ply == 3


def test_a_step_on_ones_own_turn_does_not_hold_the_opponent() -> None:
    made = table(PERSON, FIRST)
    assert not made.session.can_step
    made.do(cmd.Step(), cmd.PlayMove(19))
    made.answer()
    assert (made.ply, made.session.paused) == (2, False)


def test_a_persons_move_ends_a_pause() -> None:
    made = table(PERSON, FIRST)
    made.do(cmd.TogglePause(), cmd.PlayMove(19))
    made.answer()
    assert (made.ply, made.session.paused) == (2, False)


def test_move_now_wants_the_answer_at_once() -> None:
    made = table(FIRST, PERSON, delay=3.0)
    assert made.session.can_hurry
    made.do(cmd.MoveNow())
    assert made.script.hurried == 1
    made.script.answer(0.0, 0.1)
    made.wait(0.1)
    assert made.ply == 1
    made.do(cmd.MoveNow())
    assert made.script.hurried == 1


def test_pace_moves_along_its_steps() -> None:
    made = table(FIRST, SECOND)
    made.do(cmd.ChangePace(1))
    assert made.session.delay == 1.5
    made.do(*[cmd.ChangePace(-1)] * 20)
    assert made.session.delay == 0.0


def test_a_pass_is_announced_then_made() -> None:
    made = table(PERSON, PERSON, board=PASS_AHEAD)
    made.do(cmd.PlayMove(0))
    assert made.session.announces_pass
    made.wait(PASS_SECONDS - 0.1)
    assert made.ply == 1
    made.wait(0.2)
    assert made.session.game.moves[-1] == PASS
    assert made.session.awaits_person


def test_an_acknowledged_pass_is_made_at_once() -> None:
    made = table(PERSON, PERSON, board=PASS_AHEAD)
    made.do(cmd.PlayMove(0), cmd.Acknowledge())
    assert made.session.game.moves == (0, PASS)
    made.do(cmd.Acknowledge())
    assert made.ply == 2


def test_undo_skips_a_forced_pass() -> None:
    made = table(PERSON, PERSON, board=PASS_AHEAD)
    made.do(cmd.PlayMove(0), cmd.Acknowledge(), cmd.Undo())
    assert made.ply == 0


def test_a_failure_is_kept_until_something_is_done_about_it() -> None:
    made = table(PERSON, FIRST)
    made.do(cmd.PlayMove(19))
    made.script.news.append(Failed(made.script.requests[-1][0], Reason("out of memory"), 0.0))
    made.wait(1.0)
    made.wait(1.0)
    assert made.session.failure == Reason("out of memory")
    assert len(made.script.requests) == 1
    made.do(cmd.Undo())
    assert made.session.failure is None
    assert made.session.awaits_person


def test_a_person_takes_over_and_gives_back() -> None:
    made = table(PERSON, FIRST)
    made.do(cmd.PlayMove(19), cmd.HandOver(Color.WHITE))
    assert made.session.awaits_person
    made.do(cmd.HandOver(Color.WHITE))
    assert made.session.seats[Color.WHITE] == FIRST
    assert made.script.requests[-1][1].moves == (19,)
    made.do(cmd.HandOver(Color.BLACK))
    assert made.session.seats[Color.BLACK] == replace(FIRST, name="first 2")


def test_one_tree_file_is_not_given_to_two_players() -> None:
    learner = configure("mcts_uct", name="learner", mcts_tree_file="learned.npz")
    made = table(learner, PERSON)
    made.do(cmd.HandOver(Color.WHITE))
    assert [len(player.memory_files) for player in made.session.seats.values()] == [1, 0]
    made.do(cmd.HandOver(Color.BLACK), cmd.HandOver(Color.BLACK))
    assert sum(len(player.memory_files) for player in made.session.seats.values()) <= 1


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
    assert made.session.seats == {Color.BLACK: FIRST, Color.WHITE: PERSON}
    assert made.script.requests[-1][2].config == FIRST


def test_looking_back_does_not_stop_the_game() -> None:
    made = table(FIRST, SECOND)
    for _ in range(4):
        made.answer()
    made.do(cmd.GoTo(1))
    made.answer()
    assert (made.session.shown_ply, made.ply) == (1, 5)
    assert made.session.shown.ply == 1
    made.do(cmd.Browse(2))
    assert made.session.shown_ply == 3
    made.do(cmd.Browse(99))
    assert made.session.is_live


def test_a_click_into_the_past_only_returns_to_the_present() -> None:
    made = table(PERSON, PERSON)
    made.do(cmd.PlayMove(19), cmd.GoTo(0), cmd.PlayMove(26))
    assert made.session.is_live
    assert made.session.game.moves == (19,)


def test_snapshots_and_preparation_can_be_seen() -> None:
    made = table(FIRST, PERSON)
    request, game, _ = made.script.requests[-1]
    made.script.news += [Preparing("first")]
    made.wait()
    assert made.session.thinking.preparing == "first"
    made.script.news += [Preparing(None), Started(request, 0.0), Progress(request, report(game, visits=5))]
    made.wait()
    assert made.session.thinking.preparing is None
    shown = made.session.shown_report
    assert shown is not None
    assert (shown[0], shown[1].simulations) == (0, 5)


def test_undo_after_a_swap_gives_everybody_the_old_seat() -> None:
    made = table(PERSON, FIRST)
    made.do(cmd.PlayMove(19), cmd.SwapSides())
    assert made.session.can_undo
    made.do(cmd.Undo())
    assert (made.ply, made.session.seats[Color.BLACK], made.session.awaits_person) == (0, PERSON, True)
    made.do(cmd.Redo())
    assert (made.ply, made.session.seats[Color.WHITE]) == (1, PERSON)


@pytest.mark.parametrize("command", [cmd.Undo(), cmd.Redo()])
def test_what_is_not_shown_is_not_changed(command: cmd.SessionCommand) -> None:
    made = table(PERSON, PERSON)
    made.do(cmd.PlayMove(19), cmd.PlayMove(18), cmd.PlayMove(17), cmd.Undo(), cmd.GoTo(1), command)
    assert (made.session.is_live, made.ply) == (True, 2)
    made.do(command)
    assert made.ply == (1 if command == cmd.Undo() else 3)


def test_redo_shows_the_searches_again() -> None:
    made = table(PERSON, FIRST)
    made.do(cmd.PlayMove(19))
    made.answer()
    made.do(cmd.Undo(), cmd.Redo(), cmd.GoTo(1))
    shown = made.session.shown_report
    assert shown is not None
    assert shown[0] == 1


def test_a_game_goes_on_from_any_position_and_keeps_what_was_played() -> None:
    made = table(PERSON, PERSON)
    made.do(cmd.PlayMove(19), cmd.PlayMove(18), cmd.PlayMove(17))
    played = made.session.game
    made.do(cmd.GoTo(1), cmd.Annotate("worth a try"), cmd.PlayFromHere(), cmd.PlayMove(20))
    game = made.session.game
    assert (game.moves, made.session.is_live) == ((19, 20), True)
    tree = made.session.history.tree
    assert tree.variations(game.at(1)) == (18, 20)
    assert tree.known(game.at(1)).note == "worth a try"
    made.do(cmd.Visit(played.at(2)))
    assert made.session.view.listed.moves == played.moves
    made.do(cmd.Browse(1))
    assert (made.session.shown.moves, made.session.is_live) == (played.moves, False)
    made.do(cmd.PlayFromHere())
    assert made.session.game.moves == played.moves


def test_a_game_that_was_thrown_away_comes_back() -> None:
    made = table(PERSON, FIRST)
    made.do(cmd.PlayMove(19), cmd.HandOver(Color.WHITE))
    seed = made.session.game_seed
    made.do(cmd.NewGame())
    assert (made.ply, made.session.number) == (0, 2)
    made.do(cmd.Undo())
    assert (made.session.game.moves, made.session.number, made.session.game_seed) == ((19,), 1, seed)
    made.do(cmd.NewGame(), cmd.PlayMove(26), cmd.RestoreGame())
    assert made.session.game.moves == (19,)
    made.do(cmd.RestoreGame())
    assert made.session.game.moves == (26,)


def test_a_session_begins_from_a_tree() -> None:
    tree = Tree.of(Game.new(RULES).play(19).play(18), Moment()).to(Game.new(RULES).play(19))
    script = Script()
    session = Session(Config((PERSON, PERSON), seed=1), script, 0.0, start=tree)
    assert (session.game.moves, session.can_redo, session.can_undo) == ((19,), True, True)
    session.do(cmd.Redo(), 1.0)
    assert session.game.moves == (19, 18)


def test_whatever_is_looked_at_is_analysed_beside_the_game() -> None:
    made = table(FIRST, PERSON)
    made.do(cmd.Analyse(SECOND))
    request, game, seat = made.analyst.requests[-1]
    assert (game.moves, seat.config) == ((), SECOND)
    made.answer()
    assert made.analyst.requests[-1][1].moves == (19,)
    assert made.analyst.cancelled == 1
    made.analyst.news.append(Progress(request, report(game)))
    made.wait()
    assert made.session.shown_analysis is None
    made.analyst.answer(0.0, 0.1)
    made.wait()
    made.do(cmd.GoTo(0), cmd.GoTo(1))
    assert [asked[1].ply for asked in made.analyst.requests] == [0, 1, 0]  # what is known is not searched again
    assert made.session.shown_analysis is not None
    made.do(cmd.Analyse(None))
    assert made.session.shown_analysis is None


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
    assert made.session.notice == Reason("the disk is full")
    made.do(cmd.NewGame())
    assert made.ply == 0


def test_a_game_that_is_played_again_has_the_seed_that_it_had() -> None:
    script = Script()
    session = Session(Config((PERSON, PERSON), seed=1, game_seed=77), script, 0.0)
    assert session.game_seed == 77
    session.do(cmd.NewGame(), 1.0)
    assert session.game_seed == game_seeds(1, 1)[0]


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
    assert (made.session.number, made.ply) == (2, 0)
    assert made.session.game_seed == game_seeds(5, 2)[1]
    play_on(made)
    made.wait(100.0)
    assert (made.session.number, len(made.records)) == (2, 2)


def test_new_games_go_on_with_the_next_seed_for_ever() -> None:
    made = table(PERSON, PERSON)
    seeds = [made.session.game_seed]
    for _ in range(9):
        made.do(cmd.NewGame())
        seeds.append(made.session.game_seed)
    assert seeds == game_seeds(5, 10)


def test_an_idle_session_waits_for_nothing() -> None:
    made = table(PERSON, PERSON)
    assert made.session.next_event(made.now) is None


def test_the_step_that_led_to_what_is_looked_at_is_told() -> None:
    made = table(PERSON, PERSON)
    start = made.session.game
    f5, d6 = RULES.parse_move("f5"), RULES.parse_move("d6")
    made.do(cmd.PlayMove(f5))
    there = Step(f5, RULES.captured(start.position, f5), Color.BLACK)
    assert made.session.view.step == there
    made.do(cmd.Undo())
    back = replace(there, color=Color.WHITE)
    assert made.session.view.step == back
    made.do(cmd.Redo(), cmd.PlayMove(d6), cmd.Browse(-1), cmd.Browse(-1))
    assert made.session.view.step == back
    made.do(cmd.Browse(1))
    assert made.session.view.step == there
    for command in (cmd.GoTo(0), cmd.Visit(made.session.game), cmd.NewGame()):
        made.do(cmd.Browse(1), cmd.Browse(1), command)
        assert made.session.view.step is None
    made.do(cmd.NewGame(), cmd.Explore((f5,)))
    assert made.session.view.step == there
    made.do(cmd.Explore((d6, RULES.parse_move("c3"))))
    assert made.session.view.step is None


def test_what_a_trial_finds_is_not_of_the_game_even_where_another_trial_is_wanted_by_then() -> None:
    made, small = table(PERSON, FIRST), game_spec("tictactoe")
    made.do(cmd.Try(FIRST, small))
    made.session.do(cmd.Try(SECOND, small), made.now)
    made.analyst.answer(0.0, 0.1)
    made.wait()
    assert made.session.history.tree.root.children == {}
    assert made.session.analysis is not None
    assert [*made.session.analysis.trials] == [(FIRST, small)]
    made.analyst.answer(0.0, 0.1)
    made.wait()
    assert [*made.session.analysis.trials] == [(FIRST, small), (SECOND, small)]


def test_a_trial_begins_in_a_paused_game_too() -> None:
    made = table(PERSON, FIRST)
    made.do(cmd.TogglePause(), cmd.Try(FIRST, SPEC))
    assert len(made.analyst.requests) == 1
    made.do(cmd.HoldAnalyses(True))
    assert not made.analyst.is_held
