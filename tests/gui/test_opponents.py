"""Games with computers in the window: their moves, their faults, their clocks."""

import random
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pygame
import pytest

from othello.game import Game
from othello.gui.toolkit.panel import Canvas
from othello.play import commands as play
from othello.play.clock import Clock
from othello.play.referee import Job
from othello.play.seeding import game_seeds
from othello.players.registry import configure, create_player
from othello.rules.othello import Othello
from othello.rules.protocol import Color
from othello.tournament.crew import play_game
from tests.gui.desk import Desk, square
from tests.play.faulty import PERSON, Slow, computer
from tests.play.table import PASS_AHEAD
from tests.positions import SPEC, parse_board

Open = Callable[..., Desk]


def test_nothing_is_held_back_after_the_end(sit_down: Open) -> None:
    desk = sit_down(configure("random", name="one"), configure("random", name="two"), players=create_player)
    desk.play_out()
    desk.key(pygame.K_SPACE, " ")
    assert not desk.session.pace.paused


def test_the_computer_answers(sit_down: Open) -> None:
    desk = sit_down(PERSON, computer("first"))
    desk.click_square("d3")
    desk.until(lambda: desk.session.game.ply == 2)
    desk.until(lambda: desk.session.referee.clock.running is Color.BLACK)


def test_the_window_lives_while_the_computer_thinks(sit_down: Open) -> None:
    desk = sit_down(PERSON, computer("slow"))
    desk.type("d3")
    desk.until(lambda: desk.session.view.report is not None)
    desk.type("v")
    desk.resize((1000, 700))
    desk.key(pygame.K_F1)
    desk.key(pygame.K_ESCAPE)
    desk.type("n")
    assert desk.session.worker.is_running
    Slow.finish.set()
    desk.until(lambda: desk.session.game.ply == 2)


@pytest.mark.parametrize("button", ["undo", "swap", "hand_white"])
def test_a_search_is_stopped_at_once(sit_down: Open, button: str) -> None:
    desk = sit_down(PERSON, computer("slow"))
    desk.type("d3")
    desk.until(lambda: desk.session.view.report is not None)
    desk.press(button)
    began = time.monotonic()
    if button == "swap":
        assert desk.session.seats[Color.WHITE].is_user
    else:
        desk.until(lambda: not desk.worker.is_busy)
        assert time.monotonic() - began < 1.0


@pytest.mark.parametrize("kind", ["raising", "exiting", "illegal", "nonsense", "silent", "unprepared"])
def test_a_failing_player_is_shown_and_replaced(sit_down: Open, kind: str) -> None:
    desk = sit_down(computer(kind), PERSON)
    desk.until(lambda: desk.session.worker.failure is not None)
    desk.settle()
    assert desk.board_place.board.contains(desk.placed("ask_again").rect), "the question lies over the board"
    desk.key(pygame.K_F2)
    desk.type("d3")
    assert desk.moves() == ["d3"]


def test_a_hanging_player_is_left_behind(sit_down: Open) -> None:
    desk = sit_down(computer("hanging"), computer("first"))
    desk.until(lambda: desk.session.worker.is_running)
    desk.press("swap")
    desk.until(lambda: desk.session.game.ply == 1)
    assert desk.session.worker.failure is None


def test_a_pass_is_announced_over_the_board(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON, start=Game.new(Othello(), parse_board(PASS_AHEAD)))
    desk.click_square("a1")
    desk.until(lambda: desk.session.announces_pass)
    desk.settle()
    desk.key(pygame.K_RETURN)
    assert desk.moves() == ["a1", "pass"]


def test_computers_play_to_the_end_and_a_new_game_begins(sit_down: Open) -> None:
    desk = sit_down(configure("random", name="one"), configure("random", name="two"), players=create_player)
    desk.play_out()
    assert [record.game for record in desk.records] == [1]
    desk.key(pygame.K_RETURN)
    assert desk.session.referee.job.number == 2


def test_the_same_seed_is_the_same_game_as_without_a_window(sit_down: Open) -> None:
    players = (configure("random", name="one"), configure("random", name="two"))
    desk = sit_down(*players, players=create_player)
    desk.play_out()
    assert (
        desk.records[0].transcript
        == play_game(Job(number=1, series=1, players=players, game=SPEC, seed=game_seeds(5, 1)[0])).transcript
    )


def test_wild_clicking_typing_and_resizing_during_searches(sit_down: Open) -> None:
    desk = sit_down(computer("slow"), computer("first"))
    dice = random.Random(1)
    keys = [code for code in range(32, 127) if chr(code) != "q"]
    keys += [pygame.K_F1, pygame.K_F2, pygame.K_F3, pygame.K_F4, pygame.K_RETURN, pygame.K_ESCAPE, pygame.K_HOME]
    for _ in range(400):
        match dice.randrange(5):
            case 0:
                size = (dice.randrange(900, 1600), dice.randrange(600, 1000))
                pygame.event.post(pygame.event.Event(pygame.VIDEORESIZE, w=size[0], h=size[1], size=size))
            case 1:
                code = dice.choice(keys)
                mod = dice.choice([0, 0, pygame.KMOD_CTRL, pygame.KMOD_SHIFT])
                desk.key(code, chr(code) if code < 127 else "", mod)
            case 2:
                pygame.event.post(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=dice.choice([-3, 3])))
            case _:
                desk.click((dice.randrange(1600), dice.randrange(1000)))
        assert not desk.scene.wants_to_quit
    Slow.finish.set()


def test_quitting_during_a_search(sit_down: Open) -> None:
    desk = sit_down(computer("slow"), PERSON)
    desk.until(lambda: desk.session.worker.is_running)
    desk.key(pygame.K_q, "\x11", pygame.KMOD_CTRL)
    assert desk.scene.wants_to_quit


def test_a_new_game_is_never_paused(sit_down: Open) -> None:
    desk = sit_down(computer("first"), computer("slow"))
    desk.until(lambda: desk.session.game.ply == 1)
    desk.key(pygame.K_SPACE, " ")
    assert desk.session.pace.paused
    desk.key(pygame.K_r, "\x12", pygame.KMOD_CTRL)
    assert not desk.session.pace.paused
    assert desk.session.game.ply == 0
    desk.until(lambda: desk.session.game.ply == 1)


def test_pausing_ends_when_no_computer_is_left(sit_down: Open) -> None:
    desk = sit_down(computer("first"), PERSON)
    desk.key(pygame.K_SPACE, " ")
    desk.key(pygame.K_F2)
    assert not desk.session.pace.paused
    desk.type("d3")
    assert desk.session.referee.clock.running is Color.WHITE


def test_a_clock_counts_down_and_ends_the_game(sit_down: Open) -> None:
    desk = sit_down(replace(PERSON, clock_seconds=0.3), PERSON)
    assert "The clock starts with the first move." in desk.status
    desk.type("d3c3")
    desk.until(lambda: desk.session.referee.is_over)
    desk.settle()
    black, white = (card.times(time.monotonic()) for card in desk.cards)
    assert black[:3] == ("0:00.0", True, True)
    assert white[1:3] == (False, False)
    assert desk.records[0].reason == "black has run out of time"
    assert desk.status == "Black has run out of time. White wins."
    desk.key(pygame.K_RETURN)
    assert not desk.session.referee.is_over


def test_a_clock_is_the_largest_text_below_the_name_and_red_in_its_last_tenth(sit_down: Open) -> None:
    timed, untimed = replace(PERSON, clock_seconds=600.0), PERSON
    desk = sit_down(timed, untimed)
    heights = []
    for used, is_red in ((0.0, False), (539.0, False), (541.0, True)):
        card = replace(desk.cards[0], clock=Clock((used, 0.0)), hand=None)
        assert card.times(0.0).is_low is is_red
        surface = pygame.Surface((268, 96))
        card.draw(Canvas(surface, desk.scene.style, surface.get_rect()))
        time_part = pygame.surfarray.array3d(surface.subsurface((150, 56, 104, 38)))
        warning = np.abs(time_part - np.array(desk.scene.style.palette.warning)).max(axis=2) < 16
        assert warning.any() == is_red
        ink = (time_part.max(axis=2) > 200).any(axis=0) if is_red else (time_part.min(axis=2) > 180)
        heights.append(np.ptp(np.nonzero(ink.any(axis=0) if ink.ndim > 1 else ink)[0]))
    assert min(heights) > 14


def test_no_moves_are_offered_after_time_has_run_out(sit_down: Open) -> None:
    desk = sit_down(replace(PERSON, clock_seconds=2.0), PERSON)
    desk.type("d3c3")
    legal = desk.board_place.square_rect(square("e6"))
    desk.settle()
    assert desk.brightness(legal).max() > 200  # the number of captures
    desk.until(lambda: desk.session.referee.is_over)
    desk.key(pygame.K_ESCAPE)
    desk.settle()
    assert desk.brightness(legal).max() < 150


@pytest.mark.slow
def test_what_a_player_cannot_keep_is_told(sit_down: Open) -> None:
    desk = sit_down(computer("forgetful"), computer("first"))
    desk.until(lambda: desk.session.worker.not_kept is not None)
    assert desk.session.game.is_over
    assert desk.status == r"notes.npz: the disk\nis full."


def test_the_game_stands_still_behind_a_dialog(sit_down: Open) -> None:
    desk = sit_down(replace(PERSON, clock_seconds=60.0), computer("first"))
    desk.type("d3")
    desk.until(lambda: desk.session.game.ply == 2)
    desk.session.do(play.HandOver(Color.WHITE, computer("slow")), time.monotonic())
    desk.key(pygame.K_n, mod=pygame.KMOD_CTRL)
    desk.turn()
    session = desk.session
    now = time.monotonic()
    assert session.referee.remaining(Color.BLACK, now) == session.referee.remaining(Color.BLACK, now + 50.0)
    desk.key(pygame.K_ESCAPE)
    desk.turn()
    assert not session.pace.is_covered
    assert session.referee.remaining(Color.BLACK, now + 50.0) != session.referee.remaining(Color.BLACK, now + 40.0)
    desk.type("c4" if square("c4") in session.game.legal_moves() else "e6")
    desk.until(lambda: session.worker.is_running)
    desk.key(pygame.K_COMMA, ",", mod=pygame.KMOD_CTRL)
    desk.turn()
    assert desk.scene.dialog is not None
    assert session.worker.is_held


def test_seats_changed_after_the_end_are_told_as_those_of_the_next_game(sit_down: Open) -> None:
    start = Game.new(Othello(), parse_board("XO-" + "X" * 61 + "X"))  # black plays c1 and wins all discs
    desk = sit_down(PERSON, computer("first"), start=start)
    desk.click_square("c1")
    desk.settle()
    assert "You win" in desk.words()
    desk.press("swap")
    desk.settle()
    assert [card.title for card in desk.cards] == ["You", "first"]
    assert {"You win", "Next game: Black: first, White: You."} <= set(desk.words())
    assert "Next game: Black: first, White: You." in desk.status
    desk.press("again")
    assert [card.title for card in desk.cards] == ["first", "You"]


def test_who_resigns_is_asked_first(sit_down: Open) -> None:
    desk = sit_down(PERSON, computer("first"))
    desk.press("resign")
    assert not desk.session.referee.is_over
    desk.press("yes")
    desk.settle()
    assert "You lose" in desk.words()
    assert desk.status == "You resigned. You lose."


def test_a_person_is_asked_about_a_draw_and_a_computer_answers(sit_down: Open) -> None:
    desk = sit_down(PERSON, computer("first"))
    desk.key(pygame.K_d, mod=pygame.KMOD_CTRL)
    assert desk.status == "first declines the draw: it is too early."
    two = sit_down(PERSON, PERSON)
    two.key(pygame.K_d, mod=pygame.KMOD_CTRL)
    assert "Black offers a draw" in two.words()
    two.press("yes")
    two.settle()
    assert two.status == "A draw was agreed. Draw."
