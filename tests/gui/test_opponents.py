"""Games in the window against computers and clocks, players that fail, and what the status line says."""

import random
import re
import time
from dataclasses import replace
from functools import partial
from unittest.mock import Mock

import pygame
import pytest

from othello.game import Game
from othello.gui import actions, labels
from othello.gui.boards.renderer import renderer_for
from othello.gui.modes.analyse.analyse import about
from othello.gui.modes.review import review
from othello.gui.preferences import palette_named
from othello.gui.widgets import hints, overlays
from othello.gui.widgets.side_cards import SideCard, is_low, next_change
from othello.play import session_commands as cmd
from othello.play.clock import Clock
from othello.play.referee import Fault, Forfeit, GameJob
from othello.play.seeding import game_seeds
from othello.play.session import Session
from othello.players.player_registry import configure, create_player
from othello.records.transcript import parse_transcript
from othello.rules.othello import Othello
from othello.rules.protocol import Color, Move
from othello.rules.registry import game_spec, rules_of
from othello.search.report import MoveStats, Unit
from othello.tournament.executor import play_game
from tests.golden.dialogues import assert_answers
from tests.gui.scenes import Opener, failed
from tests.gui.window_driver import OpenWindow, square
from tests.play.fake_players import PERSON, Slow, computer, report
from tests.play.session_driver import PASS_AHEAD
from tests.positions import RULES, SPEC, parse_board, random_game_of, with_forced_pass


def test_two_computers_play_the_same_game_as_without_a_window(open_window: OpenWindow) -> None:
    players = (configure("random", name="one"), configure("random", name="two"))
    driver = open_window(*players, players=create_player)
    while not driver.session.game.is_over:
        driver.turn()
        if driver.session.announces_pass:
            driver.keys("Enter")
    driver.settle()
    (record,) = driver.records
    job = GameJob(number=1, series=1, players=players, game=SPEC, seed=game_seeds(5, 1)[0])
    assert (record.game, record.transcript) == (1, play_game(job).transcript)
    driver.keys("Space")
    assert not driver.session.pace.paused, "a finished game cannot be paused"
    assert driver.rows_of_moves()[0] == 0
    driver.resize((900, 600))
    first = driver.rows_of_moves()[0]
    driver.type("v")
    assert 0 < first < driver.rows_of_moves()[0], "the list shows the latest move"
    driver.keys("Enter")
    assert driver.session.referee.job.number == 2


def test_the_window_responds_while_a_computer_searches_and_a_dialog_pauses_it(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, computer("slow"))
    driver.type("d3")
    driver.until(lambda: driver.session.view.report is not None)
    driver.type("v")
    driver.resize((1000, 700))
    driver.keys("F1", "Esc")
    driver.type("n")
    assert driver.session.worker.is_running
    for key in ("Ctrl+N", "Ctrl+,"):
        driver.keys(key)
        assert driver.session.pace.is_covered
        assert driver.session.worker.is_paused
        driver.keys("Esc")
        assert not driver.session.pace.is_covered
    Slow.finish.set()
    driver.until(lambda: driver.session.game.ply == 2)
    driver.until(lambda: driver.session.referee.clock.running is Color.BLACK)
    Slow.finish.clear()
    driver.keys("F4")
    driver.until(lambda: driver.session.worker.is_running)
    driver.keys("Ctrl+Q")
    assert driver.scene.wants_to_quit


@pytest.mark.parametrize("button", ["undo", "swap", "hand_white"])
def test_a_button_stops_a_search(open_window: OpenWindow, button: str) -> None:
    driver = open_window(PERSON, computer("slow"))
    driver.type("d3")
    driver.until(lambda: driver.session.view.report is not None)
    driver.press(button)
    if button == "swap":
        assert driver.session.players[Color.WHITE].is_user
    else:
        driver.until(lambda: not driver.worker.is_busy)


def test_a_failed_player_can_be_replaced(opener: Opener) -> None:
    driver = failed(opener)
    assert driver.board_place.board.contains(driver.placed("ask_again").rect), "the question is over the board"
    driver.keys("F2")
    driver.type("d3")
    assert driver.moves() == ["d3"]


def test_a_pass_is_confirmed_by_key_or_click(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, start=Game.new(Othello(), parse_board(PASS_AHEAD)))
    for confirm in (partial(driver.keys, "Enter"), partial(driver.click_square, "d4")):
        driver.click_square("a1")
        driver.until(lambda: driver.session.announces_pass)
        driver.settle()
        confirm()
        assert driver.moves() == ["a1", "pass"]
        while driver.session.game.ply:
            driver.keys("Ctrl+Z")


def test_random_clicks_keys_and_sizes_during_searches(open_window: OpenWindow) -> None:
    driver = open_window(computer("slow"), computer("first"))
    dice = random.Random(1)
    keys = [code for code in range(32, 127) if chr(code) != "q"]
    keys += [pygame.K_F1, pygame.K_F2, pygame.K_F3, pygame.K_F4, pygame.K_RETURN, pygame.K_ESCAPE, pygame.K_HOME]
    for _ in range(250):
        match dice.randrange(5):
            case 0:
                size = (dice.randrange(900, 1600), dice.randrange(600, 1000))
                pygame.event.post(pygame.event.Event(pygame.VIDEORESIZE, w=size[0], h=size[1], size=size))
            case 1:
                code = dice.choice(keys)
                mod = dice.choice([0, 0, pygame.KMOD_CTRL, pygame.KMOD_SHIFT])
                driver.key(code, chr(code) if code < 127 else "", mod)
            case 2:
                pygame.event.post(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=dice.choice([-3, 3])))
            case _:
                driver.click((dice.randrange(1600), dice.randrange(1000)))
        assert not driver.scene.wants_to_quit
    Slow.finish.set()


def test_a_pause_ends_with_a_new_game_or_the_last_computer(open_window: OpenWindow) -> None:
    driver = open_window(computer("first"), computer("slow"))
    driver.until(lambda: driver.session.game.ply == 1)
    driver.keys("Space")
    assert driver.session.pace.paused
    before = driver.session.game
    driver.keys("Ctrl+R")
    assert not driver.session.pace.paused
    assert driver.session.game is not before
    driver = open_window(computer("slow"), computer("slow"))
    driver.keys("Space", "F2", "F3")
    assert not driver.session.pace.paused
    driver.type("d3")
    assert driver.session.referee.clock.running is Color.WHITE


def test_clocks_show_and_change_as_stored() -> None:
    def answer(question: str) -> str:
        """Return the clock and its next changes for a limit, used time, the time and the start of a search."""
        limit, spent, now, *since = map(float, question.split())
        player, clock = replace(PERSON, clock_seconds=limit or None), Clock((spent, 0.0), running=Color.BLACK)
        session = Mock(players=(player, PERSON), worker=Mock(is_running=bool(since)))
        session.referee = Mock(clock=clock, remaining=lambda color, at: clock.remaining(color, player, at))
        shown = Mock(clock=clock, color=Color.BLACK, player=player, since=since[0] if since else None, has_tenths=True)
        changes = [next_change(session, now, is_covered=is_covered) for is_covered in (False, True)]
        after = [None if at is None else round(at - now, 3) for at in changes]
        return f"{SideCard.times(shown, now)}\nlow {is_low(session, now)}, next changes {after}"

    assert_answers("clocks.txt", answer)


def test_a_clock_counts_down_and_ends_the_game(open_window: OpenWindow) -> None:
    driver = open_window(replace(PERSON, clock_seconds=2.0), PERSON)
    assert "The clock starts with the first move." in driver.status
    driver.type("d3c3")
    legal = driver.board_place.square_rect(square("e6"))
    driver.settle()
    assert driver.brightness(legal).max() > 200  # the number of captures
    driver.until(lambda: driver.session.referee.is_over)
    driver.settle()
    black, white = (card.times(time.monotonic()) for card in driver.cards)
    assert black[:3] == ("0:00.0", True, True)
    assert white[1:3] == (False, False)
    assert driver.records[0].reason == "black has run out of time"
    assert driver.status == "Black has run out of time. White wins."
    driver.keys("Esc")
    driver.settle()
    assert driver.brightness(legal).max() < 150, "no legal moves are marked"


@pytest.mark.slow
def test_a_player_that_cannot_save_says_so(open_window: OpenWindow) -> None:
    driver = open_window(computer("forgetful"), computer("first"))
    driver.until(lambda: driver.session.worker.save_failure is not None)
    assert driver.session.game.is_over
    assert driver.status == r"notes.npz: the disk\nis full."


def test_players_changed_after_the_end_play_the_next_game(open_window: OpenWindow) -> None:
    start = Game.new(Othello(), parse_board("XO-" + "X" * 61 + "X"))  # black plays c1 and wins all discs
    driver = open_window(PERSON, computer("first"), start=start)
    driver.click_square("c1")
    driver.settle()
    driver.press("swap")
    driver.settle()
    assert [card.title for card in driver.cards] == ["You", "first"]
    following = "Next game: Black: first, White: You."
    assert {"You win", following} <= set(driver.words())
    assert following in driver.status
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Session, "next_game_at", 2.7)
        counted = overlays.result(driver.session, (), 0.5, driver.scene.renderer, has_details=False)
        assert "The next game starts in 3 s" in str(counted)
    driver.press("again")
    assert [card.title for card in driver.cards] == ["first", "You"]


def test_the_status_line_has_the_last_move_and_the_side_to_move(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, computer("first"))
    assert driver.status.startswith("Your move. Numbers: how many")
    driver.type("d3")
    driver.until(lambda: driver.session.game.ply == 2)
    driver.turn()
    assert re.fullmatch(r".+ played [a-h][1-8]\. Your move\.", driver.status)
    driver.press("pause", "swap")
    assert "played d3" not in driver.status, "after a swap, it was the user who played d3"
    slow = open_window(PERSON, computer("slow"))
    slow.type("d3")
    slow.until(lambda: slow.session.game.ply == 1)
    slow.press("swap")
    assert "played" not in slow.status
    delayed = open_window(PERSON, computer("first"), delay=60.0)
    delayed.type("d3")
    delayed.until(lambda: delayed.session.worker.answer is not None)
    delayed.turn()
    assert delayed.status.endswith("will move in a moment."), "the delay is not called thinking"
    delayed.press("move_now")
    assert "The computer plays the best move" in delayed.status
    delayed.until(lambda: delayed.session.game.ply == 2)


@pytest.mark.parametrize(
    ("board", "move", "title", "status"),
    [
        ("XO" + "-" * 62 + " X", "c1", "You win", "You win. Black 3 : 0 White. 64 : 0 including empty squares."),
        ("XO-OOOOO" + "O" * 56 + " X", "c1", "You lose", "You lose. Black 3 : 61 White."),
    ],
)
def test_the_result_addresses_the_user(open_window: OpenWindow, board: str, move: str, title: str, status: str) -> None:
    driver = open_window(PERSON, computer("first"), start=Game.new(RULES, RULES.parse_position(board)))
    driver.type(move)
    driver.until(lambda: driver.has("look_back"))
    assert title in driver.words()
    assert driver.status == status


@pytest.mark.parametrize("is_lost_on_time", [False, True])
def test_the_result_of_an_opened_game_does_not_address_the_user(open_window: OpenWindow, is_lost_on_time: bool) -> None:
    driver = open_window(PERSON, computer("first"))
    line = random_game_of(RULES, 3)
    ply = max(ply for ply in range(line.ply) if line.positions[ply].to_move is Color.BLACK)
    driver.session.do(cmd.OpenGame(line.at(ply)), time.monotonic())
    assert "You" not in review.title(driver.session)
    if is_lost_on_time:
        driver.session.history.referee.forfeit = Forfeit(Color.WHITE, Fault.OUT_OF_TIME)
    driver.until(lambda: driver.session.referee.is_over or driver.session.awaits_user)
    while not driver.session.referee.is_over:
        driver.session.do(cmd.PlayMove(driver.session.game.legal_moves()[0]), time.monotonic())
        driver.until(lambda: driver.session.referee.is_over or driver.session.awaits_user)
    driver.until(lambda: driver.has("look_back"))
    said = (*driver.words(), driver.status, review.title(driver.session))
    name = labels.player_name(RULES, driver.session.players, Color.BLACK)
    assert not [words for words in said if "You" in words and words != name]


def test_a_pass_addresses_the_user(open_window: OpenWindow) -> None:
    (position,) = with_forced_pass(1)
    players = (PERSON, computer("first"))[:: 1 if position.to_move is Color.BLACK else -1]
    driver = open_window(*players, start=Game.new(RULES, position))
    driver.until(lambda: "You have no legal move" in driver.words())
    assert driver.status == "You have no legal move and must pass."


def test_the_key_of_an_action_comes_from_the_list_of_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    other = [replace(each, keys=("F12",)) if each.name == "hand_white" else each for each in actions.ACTIONS]
    monkeypatch.setattr(actions, "ACTIONS", tuple(other))
    assert [actions.key_of(cmd.HandOver(color)) for color in Color] == ["F2", "F12"]


def test_results_name_the_discs_and_the_counted_empty_squares(open_window: OpenWindow) -> None:
    wiped_out = RULES.parse_position("XO" + "-" * 62 + " X")
    shared = rules_of(game_spec(options={"empty_squares": "to_winner"}))
    for rules, text in (RULES, "64 (3 : 0 on the board)"), (shared, "64"):
        game = Game.new(rules, wiped_out)
        moves = (MoveStats(Move(2), 0, 64.0),)
        found = replace(report(game, 2), unit=Unit.DISCS, value=64.0, moves=moves, pv=(Move(2),))
        assert hints.sentence(game, found) == f"c1 is best; you win by {text}."
        assert about(game, found, Move(2), has_details=False) == (f"exactly +{text}",)
        driver = open_window(PERSON, PERSON, start=game)
        driver.type("c1")
        driver.settle()
        both = "Black wins 3 : 0 · 64 : 0 including empty squares"
        assert review.title(driver.session) == (both if rules is RULES else "Black wins 64 : 0")
        text = "Black 3 : 0 White. 64 : 0 including empty squares" if rules is RULES else "Black 64 : 0 White"
        assert driver.status == f"Black wins. {text}."
        assert driver.records[-1].black_points == (3 if rules is RULES else 64)


def test_hints_are_the_stored_sentences() -> None:
    game = Game.new(RULES)

    def answer(question: str) -> str:
        """Return the hint, and the words on its move, for a unit, a value and a proof."""
        unit, value, *proofs = question.split()
        number = None if value == "None" else float(value)
        stats = MoveStats(RULES.parse_move(game.position, "d3"), 9, number, is_proven=bool(proofs))
        found = replace(report(game, stats.move), unit=Unit[unit], value=number, moves=(stats,))
        return "\n".join((hints.sentence(game, found), *about(game, found, stats.move, has_details=False)))

    assert_answers("hints.txt", answer)


def test_ultimate_names_the_board_to_play_in_and_the_reason(open_window: OpenWindow) -> None:
    rules = rules_of(game_spec("ultimate_tictactoe"))
    start = Game.new(rules).play(rules.parse_move(rules.start(), "5,5"))
    driver = open_window(computer("slow"), PERSON, start=start, spec=rules.spec)
    assert "Your turn: the centre board" in driver.words()
    assert "X played 5, 5, the centre square of its board: it sends you there." in driver.words()
    driver.type("45")
    driver.keys("Enter", "Page Up")
    assert "X played 5, 5, the centre square of its board: it sends O there." in driver.words()
    free = open_window(PERSON, PERSON, start=parse_transcript("5,5 5,4 5,1 4,1", rules), spec=rules.spec)
    assert "X to move: the top left board" in free.words()


def test_a_finished_board_of_ultimate_frees_the_choice() -> None:
    rules = rules_of(game_spec("ultimate_tictactoe"))
    game = Game.new(rules)
    while not game.ply or len({move // 27 * 3 + move % 9 // 3 for move in game.legal_moves()}) == 1:
        game = game.play(game.legal_moves()[0])
    task, reason = renderer_for(rules.spec, palette_named()).task(game.position, game.last_move, is_own=True)
    assert task == "any open board"
    assert "is finished" in reason
