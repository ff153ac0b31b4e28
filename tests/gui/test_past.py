"""Looking back is one consistent past: all that is seen belongs to the position that is looked at."""

import time

import pygame
import pytest

from othello.gui.preferences import palette_named
from othello.gui.widgets.board_widget import BOARD
from othello.gui.widgets.search_tree import TreePanel
from othello.gui.widgets.side_cards import ScoreBar
from othello.play import session_commands as cmd
from othello.rules.protocol import Color, Move
from othello.rules.registry import game_spec
from othello.texts import tr
from tests.gui.window_driver import OpenWindow, WindowDriver, move, square
from tests.play.fake_players import PERSON, computer, make_judge
from tests.positions import RULES, random_game_of
from tests.rules import reference


def looking_back(open_window: OpenWindow) -> WindowDriver:
    """Two people have made three moves; the position after the first is looked at: white to move, 4 : 1."""
    driver = open_window(PERSON, PERSON)
    driver.type("d3c5d6")
    driver.keys("Page Up", "Page Up")
    driver.settle()
    assert driver.session.view.shown.ply == 1
    return driver


def point_at(driver: WindowDriver, name: str) -> None:
    driver.point_at(driver.board_place.square_rect(square(name)).center)


def test_cards_counts_and_legal_squares_are_of_the_shown_position(open_window: OpenWindow) -> None:
    driver = looking_back(open_window)
    assert [card.points for card in driver.cards] == ["4", "1"]
    assert [(card.is_active, card.note) for card in driver.cards] == [(False, ""), (True, "to move")]
    bars = driver.panels(ScoreBar)
    assert [(bar.black, bar.white) for bar in bars] == [(4, 1)]
    assert set(driver.board.captures) == {move(name) for name in ("c3", "c5", "e3")}
    assert driver.board_panel.history_label


def test_tab_and_hover_are_of_the_shown_position(open_window: OpenWindow) -> None:
    driver = looking_back(open_window)
    driver.keys("Tab")
    assert driver.board.cursor == square("c3")
    point_at(driver, "e3")
    assert driver.board.hover == square("e3")


def test_a_visible_frame_says_that_it_is_the_past(open_window: OpenWindow) -> None:
    driver = looking_back(open_window)
    board = driver.placed(BOARD).rect
    edge = (board.left + 1, board.centery)
    assert driver.pixel(edge) == palette_named().last_move
    for key, is_framed in ((pygame.K_2, True), (pygame.K_3, False), (pygame.K_5, False), (pygame.K_1, True)):
        driver.key(key, mod=pygame.KMOD_CTRL)
        has_frame = driver.has(BOARD) and bool(driver.board_panel.history_label)
        assert has_frame is is_framed, "a mode with a board of its own has no frame"
    driver.keys("Esc")
    driver.settle()
    assert driver.pixel(edge) != palette_named().last_move


def test_a_click_in_the_past_offers_to_play_from_there(open_window: OpenWindow) -> None:
    driver = looking_back(open_window)
    game = driver.session.game
    driver.click_square("a1")
    assert driver.scene.view_state.offered(driver.session) is None, "no move there"
    driver.click_square("c3")
    assert driver.session.game is game, "only asked"
    driver.turn()
    driver.keys("Esc")
    assert driver.session.game is game
    assert not driver.session.view.is_at_latest, "the answer was no; nothing else changes"
    driver.type("c3")
    driver.keys("Enter")
    assert driver.moves() == ["d3", "c3"]
    assert driver.session.view.is_at_latest
    assert len(driver.session.history.tree.variations(game.at(1))) == 2, "what was played stays"


def test_the_move_that_was_played_is_only_looked_at(open_window: OpenWindow) -> None:
    driver = looking_back(open_window)
    driver.click_square("c5")
    assert driver.scene.view_state.offered(driver.session) is None, "there is nothing to ask"
    assert driver.session.view.shown.ply == 2
    assert driver.moves() == ["d3", "c5", "d6"]


def test_the_offer_can_be_taken_by_mouse(open_window: OpenWindow) -> None:
    driver = looking_back(open_window)
    driver.click_square("e3")
    driver.press("play_offered")
    assert driver.moves() == ["d3", "e3"]


def test_no_button_lies_in_the_offer_of_a_small_window_with_large_text(open_window: OpenWindow) -> None:
    driver = looking_back(open_window)
    driver.resize((900, 560))
    driver.use_text(200)
    driver.type("c3")
    buttons = [driver.placed(name).rect for name in ("play_offered", "drop_offer")]
    offer = buttons[0].unionall(buttons)
    points = [(x, y) for x in range(offer.left, offer.right, 4) for y in range(offer.top, offer.bottom, 4)]
    assert {"play_offered", "drop_offer"} == {driver.scene.widgets.widget_at(point) for point in points} - {""}


def test_where_the_computer_is_to_move_nobody_is_promised_a_move(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, computer("first"))
    driver.type("d3")
    driver.until(lambda: len(driver.moves()) == 2)
    driver.keys("Page Up")
    driver.settle()
    reply = driver.moves()[1]
    driver.click_square(next(name for name in ("c3", "c5", "e3") if name != reply))
    assert driver.has("play_offered")
    assert "Continue from here?" in driver.words()


def test_undo_changes_nothing_that_is_not_shown(open_window: OpenWindow) -> None:
    driver = looking_back(open_window)
    driver.keys("Ctrl+Z")
    assert driver.moves() == ["d3", "c5", "d6"]
    assert driver.session.view.is_at_latest


def test_values_of_another_position_are_never_on_the_board(open_window: OpenWindow) -> None:
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


def trees(driver: WindowDriver) -> list[TreePanel]:
    return driver.panels(TreePanel)


@pytest.mark.parametrize("values_of", ["players", "engine"])
def test_values_are_those_of_the_moves_to_choose_from(open_window: OpenWindow, values_of: str) -> None:
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


def test_times_and_names_are_those_of_then(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, computer("first"))
    driver.type("d3")
    driver.until(lambda: driver.session.game.ply == 2 and driver.session.awaits_user)
    driver.keys("F4")
    driver.until(lambda: driver.session.game.ply == 3)
    assert not driver.session.players[Color.BLACK].is_user
    driver.keys("Home")
    driver.settle()
    black, white = driver.cards
    assert black.title == "You"
    shown = [card.times(time.monotonic()).time.removesuffix(".0") for card in (black, white)]
    assert shown == ["0:00", "0:00"]


def test_a_note_is_written_kept_and_shown(open_window: OpenWindow) -> None:
    driver = looking_back(open_window)
    driver.keys("F7")
    driver.type("why c5")
    driver.keys("Enter")
    assert driver.scene.dialog is None
    assert driver.session.history.tree.known(driver.session.game.at(1)).note == "why c5"
    driver.turn()
    assert "why c5" in driver.status
    driver.keys("F7")
    driver.type("!")
    driver.keys("Enter")
    known = driver.session.history.tree.known(driver.session.game.at(1))
    assert known.note == "why c5!", "what was written before is still there"
    for leave in ("cancel", "close", ""):
        driver.keys("F7")
        driver.type("?")
        driver.press(leave) if leave else driver.key(pygame.K_ESCAPE)
        assert driver.scene.dialog is None
        assert driver.session.history.tree.known(driver.session.game.at(1)).note == "why c5!"
    at = driver.move_table.cell(0, 1, 0).center
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=at, button=3))
    driver.turn()
    assert driver.scene.dialog is not None
    assert driver.session.view.shown.ply == 2, "a click with the right button notes something about that move"


def test_discs_that_would_turn_over_are_marked(driver: WindowDriver) -> None:
    centre = driver.board_place.square_rect(square("d4")).center
    assert min(driver.pixel(centre)) > 180
    point_at(driver, "d3")
    assert max(driver.pixel(centre)) < 90, "it would be black"
    point_at(driver, "a1")
    assert min(driver.pixel(centre)) > 180
    driver.keys("Tab")
    assert max(driver.pixel(centre)) < 90, "the keyboard's square shows the same"


def test_a_move_can_be_typed_in_an_earlier_position_of_a_game_that_is_over(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, spec=game_spec("tictactoe"))
    driver.type("a1b1a2b2a3")
    assert driver.session.referee.is_over
    driver.keys("Page Up", "Page Up")
    driver.type("c3")
    assert driver.scene.view_state.offered(driver.session) == 8


def test_a_move_is_offered_only_where_it_was_clicked(open_window: OpenWindow) -> None:
    driver = looking_back(open_window)
    driver.click_square("e3")
    assert driver.scene.view_state.offered(driver.session) == move("e3")
    driver.keys("Page Up")
    assert driver.session.view.shown.ply == 0
    assert driver.scene.view_state.offered(driver.session) is None


def test_a_deleted_variation_comes_back(open_window: OpenWindow) -> None:
    driver = looking_back(open_window)
    driver.session.do(cmd.PlayVariation((move("c3"),)), 0.0)
    line = driver.session.view.shown
    driver.keys("Delete")
    assert driver.status == tr("past.deleted")
    assert driver.session.history.tree.node(line) is None
    driver.keys("Ctrl+Z")
    assert driver.session.history.tree.node(line) is not None
    assert driver.session.view.shown.moves == line.moves
    assert len(driver.session.game.moves) == 3


def test_captures_of_both_sides_are_those_of_the_slow_rules_in_every_position_of_a_game(driver: WindowDriver) -> None:
    assert driver.board.others is None, "the numbers of the side to move alone"
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
def test_blacks_captures_stand_above_whites_in_the_sides_colours(
    open_window: OpenWindow, size: tuple[int, int]
) -> None:
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
