"""Games against computers and clocks in the window, and players that fail."""

import random
import time
from dataclasses import replace
from functools import partial

import numpy as np
import pygame
import pytest

from othello.game import Game
from othello.gui.toolkit.widget import PaintContext
from othello.play.clock import Clock
from othello.play.referee import GameJob
from othello.play.seeding import game_seeds
from othello.players.player_registry import configure, create_player
from othello.rules.othello import Othello
from othello.rules.protocol import Color
from othello.tournament.executor import play_game
from tests.gui.window_driver import OpenWindow, square
from tests.play.fake_players import PERSON, Slow, computer
from tests.play.session_driver import PASS_AHEAD
from tests.positions import SPEC, parse_board


def test_two_computers_play_the_same_game_as_without_a_window(open_window: OpenWindow) -> None:
    players = (configure("random", name="one"), configure("random", name="two"))
    driver = open_window(*players, players=create_player)
    driver.play_out()
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


def test_the_window_responds_while_a_computer_searches(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, computer("slow"))
    driver.type("d3")
    driver.until(lambda: driver.session.view.report is not None)
    driver.type("v")
    driver.resize((1000, 700))
    driver.keys("F1", "Esc")
    driver.type("n")
    assert driver.session.worker.is_running
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


def test_a_failed_player_can_be_replaced(open_window: OpenWindow) -> None:
    driver = open_window(computer("raising"), PERSON)
    driver.until(lambda: driver.session.worker.failure is not None)
    driver.settle()
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
    for _ in range(400):
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


def test_a_clock_is_large_and_red_in_its_last_tenth(open_window: OpenWindow) -> None:
    timed, untimed = replace(PERSON, clock_seconds=600.0), PERSON
    driver = open_window(timed, untimed)
    heights = []
    for used, is_red in ((0.0, False), (539.0, False), (541.0, True)):
        card = replace(driver.cards[0], clock=Clock((used, 0.0)), hand=None)
        assert card.times(0.0).is_low is is_red
        surface = pygame.Surface((268, 96))
        card.draw(PaintContext(surface, driver.scene.style, surface.get_rect()))
        time_part = pygame.surfarray.array3d(surface.subsurface((150, 56, 104, 38)))
        warning = np.abs(time_part - np.array(driver.scene.style.palette.warning)).max(axis=2) < 16
        assert warning.any() == is_red
        ink = (time_part.max(axis=2) > 200).any(axis=0) if is_red else (time_part.min(axis=2) > 180)
        heights.append(np.ptp(np.nonzero(ink.any(axis=0) if ink.ndim > 1 else ink)[0]))
    assert min(heights) > 14


@pytest.mark.slow
def test_a_player_that_cannot_save_says_so(open_window: OpenWindow) -> None:
    driver = open_window(computer("forgetful"), computer("first"))
    driver.until(lambda: driver.session.worker.save_failure is not None)
    assert driver.session.game.is_over
    assert driver.status == r"notes.npz: the disk\nis full."


def test_a_dialog_pauses_the_game(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, computer("slow"))
    driver.type("d3")
    driver.until(lambda: driver.session.worker.is_running)
    for key in ("Ctrl+N", "Ctrl+,"):
        driver.keys(key)
        assert driver.session.pace.is_covered
        assert driver.session.worker.is_paused
        driver.keys("Esc")
        assert not driver.session.pace.is_covered


def test_players_changed_after_the_end_play_the_next_game(open_window: OpenWindow) -> None:
    start = Game.new(Othello(), parse_board("XO-" + "X" * 61 + "X"))  # black plays c1 and wins all discs
    driver = open_window(PERSON, computer("first"), start=start)
    driver.click_square("c1")
    driver.settle()
    assert "You win" in driver.words()
    driver.press("swap")
    driver.settle()
    assert [card.title for card in driver.cards] == ["You", "first"]
    assert {"You win", "Next game: Black: first, White: You."} <= set(driver.words())
    assert "Next game: Black: first, White: You." in driver.status
    driver.press("again")
    assert [card.title for card in driver.cards] == ["first", "You"]


def test_a_draw_is_answered_and_a_resignation_confirmed(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, computer("first"))
    driver.keys("Ctrl+D")
    assert driver.status == "first declines the draw: it is too early."
    driver.press("resign")
    assert not driver.session.referee.is_over
    driver.press("yes")
    driver.settle()
    assert "You lose" in driver.words()
    driver.keys("Enter")
    assert not driver.session.referee.is_over, "another game"
    two = open_window(PERSON, PERSON)
    two.keys("Ctrl+D")
    assert "Black offers a draw" in two.words()
    two.press("yes")
    two.settle()
    assert two.status == "Draw agreed. Draw."
