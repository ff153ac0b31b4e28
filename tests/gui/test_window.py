"""The window, driven by real events on a screen that nobody sees."""

from __future__ import annotations

import pickle
import random
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pygame
import pytest

from othello.game import Game
from othello.gui import commands as gui
from othello.gui import loop, theme
from othello.gui.commands import Switch
from othello.gui.layout import DESIGN_SIZE
from othello.gui.scenes.keys import KeysDialog
from othello.gui.scenes.play import PlayScene
from othello.gui.scenes.registry import MODES
from othello.play.commands import TogglePause
from othello.play.referee import Job
from othello.play.seeding import game_seeds
from othello.players.registry import configure, create_player
from othello.rules.othello import Othello, parse_board
from othello.rules.protocol import Color
from othello.rules.registry import game_spec, rules_of
from othello.tournament.crew import play_game
from tests.gui.desk import Desk, square
from tests.play.faulty import PERSON, Slow, computer
from tests.play.test_session import PASS_AHEAD
from tests.positions import SPEC

Open = Callable[..., Desk]


def play_out(desk: Desk) -> None:
    """Let computers play to the end."""
    while not desk.session.game.is_over:
        desk.turn()
        if desk.session.announces_pass:
            desk.key(pygame.K_RETURN)
    desk.settle()


def test_a_click_plays_and_discs_turn_over(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.click_square("d3")
    desk.settle()
    assert desk.moves() == ["d3"]
    assert [desk.shows(name) for name in ("d3", "d4", "e5", "a1")] == ["black", "black", "white", "empty"]


def test_a_click_on_an_illegal_square_is_answered_in_words(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.click_square("a1")
    assert desk.moves() == []
    desk.click_square("d3")
    assert desk.moves() == ["d3"]


def test_moves_can_be_typed(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.type("d3c5")
    assert desk.moves() == ["d3", "c5"]
    desk.type("da1")  # a letter on second thoughts, and an illegal move
    assert desk.moves() == ["d3", "c5"]


def test_moves_can_be_chosen_with_the_cursor(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.key(pygame.K_RIGHT)  # the cursor appears on d3, the first legal square
    desk.key(pygame.K_LEFT)
    desk.key(pygame.K_DOWN)
    desk.key(pygame.K_RETURN)
    assert desk.moves() == ["c4"]


def test_moves_can_be_chosen_among_the_legal_ones(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.key(pygame.K_TAB, "\t")
    desk.key(pygame.K_TAB, "\t")
    desk.key(pygame.K_RETURN)
    assert desk.moves() == ["c4"]
    desk.key(pygame.K_TAB, "\t", pygame.KMOD_LSHIFT)
    desk.key(pygame.K_RETURN)
    assert desk.moves() == ["c4", "e3"]


def test_the_first_picture_has_the_buttons_that_are_built_after_it(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON)
    scene = PlayScene(desk.session, DESIGN_SIZE, time.monotonic())
    pictures = []
    for _ in range(2):
        surface = pygame.Surface(DESIGN_SIZE)
        scene.draw(surface)
        pictures.append(pygame.surfarray.array3d(surface).astype(np.int16))
        scene.update(time.monotonic())
    assert np.mean(np.abs(pictures[0] - pictures[1]).max(axis=2) > 40) < 0.003  # words may lie a pixel off


def test_buttons_do_what_they_say(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.type("d3c5")
    desk.press("undo")
    assert desk.moves() == ["d3"]
    desk.press("redo")
    assert desk.moves() == ["d3", "c5"]
    desk.press("first")
    assert desk.session.shown_ply == 0
    desk.press("forward")
    assert desk.session.shown_ply == 1
    desk.press("last")
    assert desk.session.is_live
    desk.press("swap")
    desk.press("captures")
    assert Switch.CAPTURES not in desk.scene.view.shown
    desk.press("hand_white")
    assert not desk.session.seats[Color.WHITE].is_user
    desk.press("new")
    desk.key(pygame.K_ESCAPE)
    assert desk.moves() == ["d3", "c5"]


def test_the_pace_goes_the_way_that_is_written_on_it(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON, delay=0.8)
    desk.key(pygame.K_EQUALS, "+", pygame.KMOD_SHIFT)
    assert desk.session.delay == 0.4
    desk.key(pygame.K_MINUS, "-")
    assert desk.session.delay == 0.8


def test_text_on_buttons_grows_with_the_window(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON)

    def height_of_text() -> int:
        button = desk.scene.layout.buttons["new"]
        rows = np.flatnonzero((desk.brightness(button.inflate(-12, -8)) > 150).any(axis=0))
        return int(rows[-1] - rows[0])

    small = height_of_text()
    desk.resize((2560, 1600))
    assert 1.8 * small < height_of_text() < 2.3 * small


@pytest.mark.parametrize("size", [(900, 600), (1000, 1300), (1600, 1000)])
def test_a_disabled_button_follows_the_window_at_once(sit_down: Open, size: tuple[int, int]) -> None:
    desk = sit_down(PERSON, PERSON)
    assert not desk.session.can_undo
    desk.resize(size)
    button = desk.scene.layout.buttons["undo"]
    for x in (button.left + 3, button.right - 4):
        assert desk.pixel((x, button.centery)) == theme.PANEL


def test_the_shown_move_stays_in_sight(sit_down: Open) -> None:
    desk = sit_down(configure("random", name="one"), configure("random", name="two"), players=create_player)
    play_out(desk)
    desk.key(pygame.K_ESCAPE)
    assert desk.scene.picture.moves.first_row == 0
    desk.resize((900, 600))
    shorter = desk.scene.picture.moves.first_row
    desk.type("v")
    assert 0 < shorter < desk.scene.picture.moves.first_row


def test_nothing_is_held_back_after_the_end(sit_down: Open) -> None:
    desk = sit_down(configure("random", name="one"), configure("random", name="two"), players=create_player)
    play_out(desk)
    desk.press("pause")
    assert not desk.session.paused


def test_a_move_in_the_list_can_be_visited(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.type("d3c5")
    moves, _ = desk.scene.layout.side_panels(False)
    desk.click((moves.left + 40, moves.top + 46))
    assert desk.session.shown_ply == 1
    desk.settle()
    assert desk.shows("c5") == "empty"
    desk.key(pygame.K_ESCAPE)
    assert desk.session.is_live


def test_who_has_come_back_to_the_game_follows_it(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.type("d3c5")
    desk.key(pygame.K_HOME)
    desk.key(pygame.K_END)
    desk.type("d6")
    assert desk.moves() == ["d3", "c5", "d6"]
    assert len(desk.scene.picture.moves.shown) == 3


def test_rules_that_are_not_the_usual_ones_are_told(sit_down: Open) -> None:
    rules = rules_of(game_spec("othello", {"goal": "fewest", "start": "alternate"}))
    desk = sit_down(PERSON, PERSON, start=Game.new(rules))
    assert desk.scene.picture.occasion == ("alternate start · fewest discs win",)
    assert sit_down(PERSON, PERSON).scene.picture.occasion == ()


def test_the_computer_answers(sit_down: Open) -> None:
    desk = sit_down(PERSON, computer("first"))
    desk.click_square("d3")
    desk.until(lambda: desk.session.game.ply == 2)
    desk.until(lambda: desk.session.clock.running is Color.BLACK)


def test_the_window_lives_while_the_computer_thinks(sit_down: Open) -> None:
    desk = sit_down(PERSON, computer("slow"))
    desk.type("d3")
    desk.until(lambda: desk.session.thinking.report is not None)
    desk.type("v")
    desk.resize((1000, 700))
    desk.key(pygame.K_F1)
    desk.key(pygame.K_ESCAPE)
    desk.type("n")
    assert desk.session.thinking.is_running
    Slow.finish.set()
    desk.until(lambda: desk.session.game.ply == 2)


@pytest.mark.parametrize("button", ["undo", "swap", "hand_white"])
def test_a_search_is_stopped_at_once(sit_down: Open, button: str) -> None:
    desk = sit_down(PERSON, computer("slow"))
    desk.type("d3")
    desk.until(lambda: desk.session.thinking.report is not None)
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
    desk.until(lambda: desk.session.failure is not None)
    desk.settle()
    centre = desk.scene.layout.board.center
    assert desk.pixel((centre[0] - 150, centre[1] - 20)) == (0x22, 0x2A, 0x35)  # the banner lies over the board
    desk.key(pygame.K_F2)
    desk.type("d3")
    assert desk.moves() == ["d3"]


def test_a_hanging_player_is_left_behind(sit_down: Open) -> None:
    desk = sit_down(computer("hanging"), computer("first"))
    desk.until(lambda: desk.session.thinking.is_running)
    desk.press("swap")
    desk.until(lambda: desk.session.game.ply == 1)


def test_a_pass_is_announced_over_the_board(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON, start=Game.new(Othello(), parse_board(PASS_AHEAD)))
    desk.click_square("a1")
    desk.until(lambda: desk.session.announces_pass)
    desk.settle()
    desk.key(pygame.K_RETURN)
    assert desk.moves() == ["a1", "pass"]


def test_computers_play_to_the_end_and_a_new_game_begins(sit_down: Open) -> None:
    desk = sit_down(configure("random", name="one"), configure("random", name="two"), players=create_player)
    play_out(desk)
    assert [record.game for record in desk.records] == [1]
    desk.key(pygame.K_RETURN)
    assert desk.session.number == 2


def test_the_same_seed_is_the_same_game_as_without_a_window(sit_down: Open) -> None:
    players = (configure("random", name="one"), configure("random", name="two"))
    desk = sit_down(*players, players=create_player)
    play_out(desk)
    assert (
        desk.records[0].transcript
        == play_game(Job(number=1, series=1, players=players, game=SPEC, seed=game_seeds(5, 1)[0])).transcript
    )


def test_nothing_is_drawn_while_nothing_changes(sit_down: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.session.do(TogglePause(), time.monotonic())  # a person's clock would tick
    desk.settle()
    drawn: list[pygame.Surface] = []
    monkeypatch.setattr(desk.scene, "draw", drawn.append)
    for _ in range(20):
        loop.turn(desk.scene, time.monotonic() + 0.005)
    assert drawn == []
    assert desk.scene.next_wake(time.monotonic()) is None


def test_flips_are_animated_unless_turned_off(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.type("m")
    desk.type("d3")
    assert desk.shows("d4") == "black"
    desk.type("m")
    desk.type("c5")
    wake = desk.scene.next_wake(time.monotonic())
    assert wake is not None
    assert wake - time.monotonic() < 0.05  # the next frame of the animation
    desk.settle()
    assert desk.shows("d5") == "white"


@pytest.mark.parametrize("size", [(900, 600), (1280, 800), (1920, 1080), (1111, 777), (900, 1300), (2400, 610)])
def test_every_size_can_be_drawn_and_played(sit_down: Open, size: tuple[int, int]) -> None:
    desk = sit_down(PERSON, computer("first"), size=size)
    desk.type("v")
    desk.click_square("d3")
    desk.until(lambda: desk.session.game.ply == 2)
    desk.key(pygame.K_F1)
    desk.key(pygame.K_F1)
    desk.resize((size[1] + 300, size[0]))
    desk.press("undo")
    assert desk.moves() == []


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
    desk.until(lambda: desk.session.thinking.is_running)
    desk.key(pygame.K_q, "\x11", pygame.KMOD_CTRL)
    assert desk.scene.wants_to_quit


def test_what_lies_under_the_list_of_keys_cannot_be_clicked(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.type("d3")
    desk.key(pygame.K_F1)
    desk.press("undo")
    assert desk.moves() == ["d3"]
    desk.key(pygame.K_ESCAPE)
    desk.press("undo")
    assert desk.moves() == []


@pytest.mark.parametrize("key", [pygame.K_ESCAPE, pygame.K_RETURN, pygame.K_F1])
def test_the_list_of_keys_is_closed_by_key(sit_down: Open, key: int) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.press("help")
    assert isinstance(desk.scene.dialog, KeysDialog)
    desk.key(key)
    assert desk.scene.dialog is None


def test_a_new_game_is_never_paused(sit_down: Open) -> None:
    desk = sit_down(computer("first"), computer("slow"))
    desk.until(lambda: desk.session.game.ply == 1)
    desk.key(pygame.K_SPACE, " ")
    desk.key(pygame.K_r, "\x12", pygame.KMOD_CTRL)
    desk.until(lambda: desk.session.game.ply == 1)


def test_pausing_ends_when_no_computer_is_left(sit_down: Open) -> None:
    desk = sit_down(computer("first"), PERSON)
    desk.key(pygame.K_SPACE, " ")
    desk.key(pygame.K_F2)
    assert not desk.session.paused
    assert desk.session.clock.running is Color.BLACK


def test_a_clock_counts_down_and_ends_the_game(sit_down: Open) -> None:
    desk = sit_down(replace(PERSON, clock_seconds=0.3), PERSON)
    desk.until(lambda: desk.session.is_over)
    desk.settle()
    assert desk.scene.picture.cards[0].time == "0:00.0"
    assert [(card.is_low, card.is_out) for card in desk.scene.picture.cards] == [(True, True), (False, False)]
    assert desk.records[0].reason == "black has run out of time"
    assert desk.scene.picture.status == "Black has run out of time. White wins."
    desk.key(pygame.K_RETURN)
    assert not desk.session.is_over


def test_no_moves_are_offered_after_time_has_run_out(sit_down: Open) -> None:
    desk = sit_down(replace(PERSON, clock_seconds=0.3), PERSON)
    legal = desk.scene.layout.place.square_rect(square("d3"))
    assert desk.brightness(legal).max() > 200  # the number of captures
    desk.until(lambda: desk.session.is_over)
    desk.key(pygame.K_ESCAPE)
    desk.settle()
    assert desk.brightness(legal).max() < 150


def test_what_a_player_cannot_keep_is_told(sit_down: Open) -> None:
    desk = sit_down(computer("forgetful"), computer("first"))
    desk.until(lambda: desk.session.thinking.not_kept is not None)
    assert desk.session.game.is_over
    assert desk.scene.picture.status == r"notes.npz: the disk\nis full."


@pytest.mark.parametrize("mode", ["play", *MODES])
def test_a_picture_holds_values_alone(sit_down: Open, mode: str) -> None:
    desk = sit_down(PERSON, computer("first"))
    desk.type("f5")
    desk.scene.do(gui.SwitchMode(mode), time.monotonic())
    desk.scene.do(gui.Open("save"), time.monotonic())
    desk.turn()
    picture = desk.scene.picture
    assert pickle.loads(pickle.dumps(picture)) == picture


def test_a_key_means_what_it_does_after_the_one_before(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON)
    for key, mod in ((pygame.K_n, pygame.KMOD_CTRL), (pygame.K_ESCAPE, 0)):
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, unicode="", mod=mod))
    desk.turn()
    assert desk.scene.dialog is None


def test_the_game_stands_still_behind_a_dialog(sit_down: Open) -> None:
    desk = sit_down(replace(PERSON, clock_seconds=60.0), computer("slow"))
    desk.key(pygame.K_n, mod=pygame.KMOD_CTRL)
    desk.turn()
    session = desk.session
    now = time.monotonic()
    assert session.remaining(Color.BLACK, now) == session.remaining(Color.BLACK, now + 50.0)
    desk.key(pygame.K_ESCAPE)
    desk.turn()
    assert not session.is_covered
    assert session.remaining(Color.BLACK, now + 50.0) != session.remaining(Color.BLACK, now + 40.0)
    desk.type("d3")
    desk.until(lambda: session.thinking.is_running)
    desk.key(pygame.K_COMMA, ",", mod=pygame.KMOD_CTRL)
    desk.turn()
    assert desk.scene.dialog is not None
    assert session.thinking.is_held
