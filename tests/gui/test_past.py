"""Earlier positions: everything on screen belongs to the position on the board."""

import time

import pygame
import pytest

from othello.gui.preferences import palette_named
from othello.gui.widgets.board_widget import BOARD
from othello.gui.widgets.side_cards import ScoreBar
from othello.play import session_commands as cmd
from othello.rules.protocol import Color, Move
from othello.rules.registry import game_spec
from othello.texts import tr
from tests.gui.window_driver import OpenWindow, WindowDriver, move, square
from tests.play.fake_players import PERSON, computer, make_judge
from tests.positions import RULES, random_game_of
from tests.rules import reference


@pytest.fixture
def past(driver: WindowDriver) -> WindowDriver:
    """Show the position after the first of three moves: White to move, 4 : 1."""
    driver.type("d3c5d6")
    driver.keys("Page Up", "Page Up")
    driver.settle()
    assert driver.session.view.shown.ply == 1
    return driver


def point_at(driver: WindowDriver, name: str) -> None:
    driver.point_at(driver.board_place.square_rect(square(name)).center)


def test_an_earlier_position_has_a_frame_cursor_and_score(past: WindowDriver) -> None:
    assert [(bar.black, bar.white) for bar in past.panels(ScoreBar)] == [(4, 1)]
    past.keys("Tab")
    assert past.board.cursor == square("c3")
    point_at(past, "e3")
    assert past.board.hover == square("e3")
    board = past.placed(BOARD).rect
    edge = (board.left + 1, board.centery)
    assert past.pixel(edge) == palette_named().last_move
    for key, has_frame in (("Ctrl+2", True), ("Ctrl+3", False), ("Ctrl+5", False), ("Ctrl+1", True)):
        past.keys(key)
        assert (past.has(BOARD) and bool(past.board_panel.history_label)) is has_frame
    past.keys("Esc")
    past.settle()
    assert past.pixel(edge) != palette_named().last_move


def offered(driver: WindowDriver) -> Move | None:
    """Return the move with which the game would continue from an earlier position."""
    return driver.scene.view_state.offered(driver.session)


def test_another_move_in_an_earlier_position_asks_first(past: WindowDriver) -> None:
    session, game = past.session, past.session.game
    past.click_square("a1")
    assert offered(past) is None, "illegal"
    past.click_square("c3")
    assert offered(past) == move("c3")
    assert session.game is game
    past.turn()
    past.keys("Esc")
    assert session.game is game
    assert not session.view.is_at_latest, "the answer no changes nothing"
    past.click_square("e3")
    past.keys("Page Up")
    assert session.view.shown.ply == 0
    assert offered(past) is None, "another position"
    past.keys("Page Down", "Esc")
    past.click_square("c5")
    assert offered(past) is None, "the move of the game needs no question"
    assert session.view.shown.ply == 2
    assert past.moves() == ["d3", "c5", "d6"]
    past.keys("Page Up")
    past.type("c3")
    past.keys("Enter")
    assert past.moves() == ["d3", "c3"]
    assert session.view.is_at_latest
    assert len(session.history.tree.variations(game.at(1))) == 2, "the former game is a variation"
    past.keys("Page Up")
    assert offered(past) is None, "an accepted offer does not return"


def test_the_offer_hides_other_buttons_and_is_accepted_by_mouse(past: WindowDriver) -> None:
    past.resize((900, 560))
    past.use_text(200)
    past.type("c3")
    buttons = [past.placed(name).rect for name in ("play_offered", "drop_offer")]
    offer = buttons[0].unionall(buttons)
    points = [(x, y) for x in range(offer.left, offer.right, 4) for y in range(offer.top, offer.bottom, 4)]
    assert {"play_offered", "drop_offer"} == {past.scene.widgets.widget_at(point) for point in points} - {""}
    past.press("play_offered")
    assert past.moves() == ["d3", "c3"]
    past.keys("Page Up")
    assert offered(past) is None


def test_the_offer_promises_no_move_if_the_computer_is_to_move(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, computer("first"))
    driver.type("d3")
    driver.until(lambda: len(driver.moves()) == 2)
    driver.keys("Page Up")
    driver.settle()
    reply = driver.moves()[1]
    driver.click_square(next(name for name in ("c3", "c5", "e3") if name != reply))
    assert driver.has("play_offered")
    assert "Continue from here?" in driver.words()


def test_values_times_and_names_belong_to_the_position_on_the_board(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, computer("first"))
    driver.type("v")
    driver.type("d3")
    driver.until(lambda: driver.session.game.ply == 2 and driver.session.awaits_user)
    driver.settle()
    report = driver.board.report
    assert report is None or {stats.move for stats in report.moves} == set(driver.session.game.legal_moves())
    assert tr("search.depth") in driver.words()
    driver.keys("Page Up")
    driver.settle()
    report = driver.board.report
    assert report is not None
    assert {stats.move for stats in report.moves} == set(driver.session.view.shown.legal_moves())
    driver.keys("End", "F4")
    driver.until(lambda: driver.session.game.ply == 3)
    assert not driver.session.players[Color.BLACK].is_user
    driver.keys("Home")
    driver.settle()
    black, white = driver.cards
    assert black.title == "You"
    times = [card.times(time.monotonic()).time.removesuffix(".0") for card in (black, white)]
    assert times == ["0:00", "0:00"]


@pytest.mark.parametrize("values_of", ["players", "engine"])
def test_values_are_those_of_the_legal_moves(open_window: OpenWindow, values_of: str) -> None:
    driver = open_window(PERSON, computer("first"), players=make_judge)
    driver.prefer(shows_values=True, values_of=values_of)
    driver.until(lambda: driver.board.report is not None)
    driver.type("d3")
    driver.until(lambda: driver.session.game.ply == 2 and driver.session.awaits_user)
    driver.until(lambda: driver.board.report is not None and driver.board.report is driver.session.shown_analysis)
    assert driver.board.report is not None
    assert {stats.move for stats in driver.board.report.moves} == set(driver.session.game.legal_moves())
    driver.keys("v")
    assert driver.board.report is None


def test_a_note_is_written_changed_and_shown(past: WindowDriver) -> None:
    driver = past

    def note() -> str:
        return driver.session.history.tree.known(driver.session.game.at(1)).note

    driver.keys("F7")
    driver.type("why c5")
    driver.keys("Enter")
    assert driver.scene.dialog is None
    assert note() == "why c5"
    driver.turn()
    assert "why c5" in driver.status
    driver.keys("F7")
    driver.type("!")
    driver.keys("Enter")
    assert note() == "why c5!", "the dialog has the note so far"
    for leave in ("cancel", "close", ""):
        driver.keys("F7")
        driver.type("?")
        driver.press(leave) if leave else driver.keys("Esc")
        assert driver.scene.dialog is None
        assert note() == "why c5!"
    at = driver.move_table.cell(0, 1, 0).center
    driver.click(at, pygame.BUTTON_RIGHT)
    assert driver.scene.dialog is not None, "a note about the move under the mouse"
    assert driver.session.view.shown.ply == 2


def test_discs_that_a_move_would_flip_are_marked(driver: WindowDriver) -> None:
    centre = driver.board_place.square_rect(square("d4")).center
    assert min(driver.pixel(centre)) > 180
    point_at(driver, "d3")
    assert max(driver.pixel(centre)) < 90
    point_at(driver, "a1")
    assert min(driver.pixel(centre)) > 180
    driver.keys("Tab")
    assert max(driver.pixel(centre)) < 90


def test_a_move_can_be_typed_in_an_earlier_position_of_a_game_that_is_over(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, spec=game_spec("tictactoe"))
    driver.type("a1b1a2b2a3")
    assert driver.session.referee.is_over
    driver.keys("Page Up", "Page Up")
    driver.type("c3")
    assert offered(driver) == 8


def test_undo_restores_a_deleted_variation_or_shows_the_latest_position(past: WindowDriver) -> None:
    driver = past
    driver.session.do(cmd.PlayVariation((move("c3"),)), 0.0)
    line = driver.session.view.shown
    driver.keys("Delete")
    assert driver.status == tr("past.deleted")
    assert driver.session.history.tree.node(line) is None
    driver.keys("Ctrl+Z")
    assert driver.session.history.tree.node(line) is not None
    assert driver.session.view.shown.moves == line.moves
    driver.keys("Ctrl+Z")
    assert driver.moves() == ["d3", "c5", "d6"]
    assert driver.session.view.is_at_latest


def test_captures_of_both_sides_equal_the_reference_rules(driver: WindowDriver) -> None:
    assert driver.board.others is None, "the side to move only"
    driver.press("captures")
    whole = random_game_of(RULES, 3)
    for game in map(whole.at, range(whole.ply + 1)):
        sides = dict(zip(Color, (reference.BLACK, reference.WHITE), strict=True))
        grid = tuple(reference.EMPTY if mark is None else sides[mark] for mark in RULES.owners(game.position))
        mover, found = game.to_move, driver.scene.captures(game)
        for side, counts in zip((mover, mover.opponent), found, strict=True):
            squares = {8 * row + column: (row, column) for row in range(8) for column in range(8)}
            slow = {move: len(reference.captured(grid, sides[side], at)) for move, at in squares.items()}
            assert counts == {move: count for move, count in slow.items() if count}


@pytest.mark.parametrize("size", [(1280, 800), (900, 600)])
def test_captures_of_black_stand_above_those_of_white(open_window: OpenWindow, size: tuple[int, int]) -> None:
    driver = open_window(PERSON, PERSON, size=size)
    driver.type("d3")
    driver.settle()
    driver.press("captures")
    driver.settle()
    place, colors = driver.board_place, driver.scene.renderer.colors
    counts = (driver.board.others or {}, driver.board.captures)  # black's and white's, who is to move
    assert driver.status == "White to move. Upper numbers: black's captures. Lower: white's."
    assert all(counts)
    for at in range(64):
        rect = place.square_rect(at)
        for color, share in ((Color.BLACK, 0.25), (Color.WHITE, 0.75)):
            beside_digit = (round(rect.left + (share - 0.14) * rect.width), round(rect.top + share * rect.height))
            is_there = driver.pixel(beside_digit) == colors[color]
            assert is_there is (Move(at) in counts[color]) or RULES.owners(driver.board.position)[at] is not None
    driver.press("captures")
    driver.settle()
    assert (driver.board.others, driver.board.shows_counts) == (None, False)
