"""Looking back is one consistent past: all that is seen belongs to the position that is looked at."""

import time
from collections.abc import Callable

import pygame
import pytest

from othello.gui.play.board import BOARD
from othello.gui.play.cards import ScoreBar
from othello.gui.play.tree import TreePanel
from othello.gui.preferences import palette_named
from othello.play import commands as play
from othello.rules.protocol import Color
from othello.rules.registry import game_spec
from othello.texts import say
from tests.gui.desk import Desk, square
from tests.play.faulty import PERSON, computer, make_judge
from tests.positions import RULES, random_game_of
from tests.rules import reference

Open = Callable[..., Desk]


def looking_back(sit_down: Open) -> Desk:
    """Two people have made three moves; the position after the first is looked at: white to move, 4 : 1."""
    desk = sit_down(PERSON, PERSON)
    desk.type("d3c5d6")
    desk.key(pygame.K_PAGEUP)
    desk.key(pygame.K_PAGEUP)
    desk.settle()
    assert desk.session.view.shown.ply == 1
    return desk


def point_at(desk: Desk, name: str) -> None:
    desk.point_at(desk.board_place.square_rect(square(name)).center)


def test_cards_counts_and_legal_squares_are_of_the_shown_position(sit_down: Open) -> None:
    desk = looking_back(sit_down)
    assert [card.points for card in desk.cards] == ["4", "1"]
    assert [(card.is_active, card.note) for card in desk.cards] == [(False, ""), (True, "to move")]
    bars = [each.panel for each in desk.scene.stage.panels() if isinstance(each.panel, ScoreBar)]
    assert [(bar.black, bar.white) for bar in bars] == [(4, 1)]
    assert set(desk.board.captures) == {square(name) for name in ("c3", "c5", "e3")}
    assert desk.board_panel.history_label


def test_tab_and_hover_are_of_the_shown_position(sit_down: Open) -> None:
    desk = looking_back(sit_down)
    desk.key(pygame.K_TAB)
    assert desk.board.cursor == square("c3")
    point_at(desk, "e3")
    assert desk.board.hover == square("e3")


def test_a_visible_frame_says_that_it_is_the_past(sit_down: Open) -> None:
    desk = looking_back(sit_down)
    board = desk.placed(BOARD).rect
    edge = (board.left + 1, board.centery)
    assert desk.pixel(edge) == palette_named().last_move
    for key, is_framed in ((pygame.K_2, True), (pygame.K_3, False), (pygame.K_5, False), (pygame.K_1, True)):
        desk.key(key, mod=pygame.KMOD_CTRL)
        has_frame = desk.has(BOARD) and bool(desk.board_panel.history_label)
        assert has_frame is is_framed, "a mode with a board of its own has no frame"
    desk.key(pygame.K_ESCAPE)
    desk.settle()
    assert desk.pixel(edge) != palette_named().last_move


def test_a_click_in_the_past_offers_to_play_from_there(sit_down: Open) -> None:
    desk = looking_back(sit_down)
    game = desk.session.game
    desk.click_square("a1")
    assert desk.scene.looking.offered(desk.session) is None, "no move there"
    desk.click_square("c3")
    assert desk.session.game is game, "only asked"
    desk.turn()
    desk.key(pygame.K_ESCAPE)
    assert desk.session.game is game
    assert not desk.session.view.is_at_latest, "the answer was no; nothing else changes"
    desk.type("c3")
    desk.turn()
    desk.key(pygame.K_RETURN)
    assert desk.moves() == ["d3", "c3"]
    assert desk.session.view.is_at_latest
    assert len(desk.session.history.tree.variations(game.at(1))) == 2, "what was played stays"


def test_the_move_that_was_played_is_only_looked_at(sit_down: Open) -> None:
    desk = looking_back(sit_down)
    desk.click_square("c5")
    assert desk.scene.looking.offered(desk.session) is None, "there is nothing to ask"
    assert desk.session.view.shown.ply == 2
    assert desk.moves() == ["d3", "c5", "d6"]


def test_the_offer_can_be_taken_by_mouse(sit_down: Open) -> None:
    desk = looking_back(sit_down)
    desk.click_square("e3")
    desk.turn()
    desk.press("play_offered")
    assert desk.moves() == ["d3", "e3"]


def test_no_button_lies_in_the_offer_of_a_small_window_with_large_text(sit_down: Open) -> None:
    desk = looking_back(sit_down)
    desk.resize((900, 560))
    desk.use_text(200)
    desk.type("c3")
    desk.turn()
    buttons = [desk.placed(name).rect for name in ("play_offered", "drop_offer")]
    offer = buttons[0].unionall(buttons)
    points = [(x, y) for x in range(offer.left, offer.right, 4) for y in range(offer.top, offer.bottom, 4)]
    assert {"play_offered", "drop_offer"} == {desk.scene.stage.panel_at(point) for point in points} - {""}


def test_where_the_computer_is_to_move_nobody_is_promised_a_move(sit_down: Open) -> None:
    desk = sit_down(PERSON, computer("first"))
    desk.type("d3")
    desk.until(lambda: len(desk.moves()) == 2)
    desk.key(pygame.K_PAGEUP)
    desk.settle()
    reply = desk.moves()[1]
    desk.click_square(next(name for name in ("c3", "c5", "e3") if name != reply))
    desk.turn()
    assert desk.has("play_offered")
    assert "Continue from here?" in desk.words()


def test_undo_changes_nothing_that_is_not_shown(sit_down: Open) -> None:
    desk = looking_back(sit_down)
    desk.key(pygame.K_z, mod=pygame.KMOD_CTRL)
    assert desk.moves() == ["d3", "c5", "d6"]
    assert desk.session.view.is_at_latest


def test_values_of_another_position_are_never_on_the_board(sit_down: Open) -> None:
    desk = sit_down(PERSON, computer("first"))
    desk.type("v")
    desk.type("d3")
    desk.until(lambda: desk.session.game.ply == 2 and desk.session.awaits_person)
    desk.settle()
    report = desk.board.report
    assert report is None or {stats.move for stats in report.moves} == set(desk.session.game.legal_moves())
    assert say("search.depth") in desk.words()
    desk.key(pygame.K_PAGEUP)
    desk.settle()
    report = desk.board.report
    assert report is not None
    assert {stats.move for stats in report.moves} == set(desk.session.view.shown.legal_moves())


def trees(desk: Desk) -> list[TreePanel]:
    return [each.panel for each in desk.scene.stage.panels() if isinstance(each.panel, TreePanel)]


@pytest.mark.parametrize("values_of", ["players", "engine"])
def test_values_are_those_of_the_moves_to_choose_from(sit_down: Open, values_of: str) -> None:
    desk = sit_down(PERSON, computer("first"), players=make_judge)
    desk.prefer(shows_values=True, values_of=values_of)
    desk.until(lambda: desk.board.report is not None)
    desk.type("d3")
    desk.until(lambda: desk.session.game.ply == 2 and desk.session.awaits_person)
    desk.until(lambda: desk.board.report is not None and desk.board.report is desk.session.shown_analysis)
    assert desk.board.report is not None
    assert {stats.move for stats in desk.board.report.moves} == set(desk.session.game.legal_moves())
    desk.key(pygame.K_v, "v")
    desk.turn()
    assert desk.board.report is None


def test_times_and_names_are_those_of_then(sit_down: Open) -> None:
    desk = sit_down(PERSON, computer("first"))
    desk.type("d3")
    desk.until(lambda: desk.session.game.ply == 2 and desk.session.awaits_person)
    desk.key(pygame.K_F4)
    desk.until(lambda: desk.session.game.ply == 3)
    assert not desk.session.seats[Color.BLACK].is_user
    desk.key(pygame.K_HOME)
    desk.settle()
    black, white = desk.cards
    assert black.title == "You"
    shown = [card.times(time.monotonic()).time.removesuffix(".0") for card in (black, white)]
    assert shown == ["0:00", "0:00"]


def test_a_note_is_written_kept_and_shown(sit_down: Open) -> None:
    desk = looking_back(sit_down)
    desk.key(pygame.K_F7)
    desk.type("why c5")
    desk.key(pygame.K_RETURN)
    assert desk.scene.dialog is None
    assert desk.session.history.tree.known(desk.session.game.at(1)).note == "why c5"
    desk.turn()
    assert "why c5" in desk.status
    desk.key(pygame.K_F7)
    desk.type("!")
    desk.key(pygame.K_RETURN)
    known = desk.session.history.tree.known(desk.session.game.at(1))
    assert known.note == "why c5!", "what was written before is still there"
    for leave in ("cancel", "close", ""):
        desk.key(pygame.K_F7)
        desk.type("?")
        desk.press(leave) if leave else desk.key(pygame.K_ESCAPE)
        assert desk.scene.dialog is None
        assert desk.session.history.tree.known(desk.session.game.at(1)).note == "why c5!"
    at = desk.move_table.cell(0, 1, 0).center
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=at, button=3))
    desk.turn()
    assert desk.scene.dialog is not None
    assert desk.session.view.shown.ply == 2, "a click with the right button notes something about that move"


def test_discs_that_would_turn_over_are_marked(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON)
    centre = desk.board_place.square_rect(square("d4")).center
    assert min(desk.pixel(centre)) > 180
    point_at(desk, "d3")
    assert max(desk.pixel(centre)) < 90, "it would be black"
    point_at(desk, "a1")
    assert min(desk.pixel(centre)) > 180
    desk.key(pygame.K_TAB)
    assert max(desk.pixel(centre)) < 90, "the keyboard's square shows the same"


def test_a_move_can_be_typed_in_an_earlier_position_of_a_game_that_is_over(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON, spec=game_spec("tictactoe"))
    desk.type("a1b1a2b2a3")
    assert desk.session.referee.is_over
    desk.key(pygame.K_PAGEUP)
    desk.key(pygame.K_PAGEUP)
    desk.type("c3")
    assert desk.scene.looking.offered(desk.session) == 8


def test_a_move_is_offered_only_where_it_was_clicked(sit_down: Open) -> None:
    desk = looking_back(sit_down)
    desk.click_square("e3")
    assert desk.scene.looking.offered(desk.session) == square("e3")
    desk.key(pygame.K_PAGEUP)
    assert desk.session.view.shown.ply == 0
    assert desk.scene.looking.offered(desk.session) is None


def test_a_deleted_variation_comes_back(sit_down: Open) -> None:
    desk = looking_back(sit_down)
    desk.session.do(play.Explore((square("c3"),)), 0.0)
    line = desk.session.view.shown
    desk.key(pygame.K_DELETE)
    assert desk.status == say("past.deleted")
    assert desk.session.history.tree.node(line) is None
    desk.key(pygame.K_z, mod=pygame.KMOD_CTRL)
    assert desk.session.history.tree.node(line) is not None
    assert desk.session.view.shown.moves == line.moves
    assert len(desk.session.game.moves) == 3


def test_captures_of_both_sides_are_those_of_the_slow_rules_in_every_position_of_a_game(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON)
    assert desk.board.others is None, "the numbers of the side to move alone"
    desk.press("captures")
    whole = random_game_of(RULES, 3)
    for game in map(whole.at, range(whole.ply + 1)):
        sides = dict(zip(Color, (reference.BLACK, reference.WHITE), strict=True))
        grid = tuple(reference.EMPTY if mark is None else sides[mark] for mark in RULES.marks(game.position))
        mover, found = game.to_move, desk.scene.captures(game)
        for side, counts in zip((mover, mover.opponent), found, strict=True):
            squares = {8 * row + column: (row, column) for row in range(8) for column in range(8)}
            slow = {move: len(reference.captured(grid, sides[side], at)) for move, at in squares.items()}
            assert counts == {move: count for move, count in slow.items() if count}


@pytest.mark.parametrize("size", [(1280, 800), (900, 600)])
def test_blacks_captures_stand_above_whites_in_the_sides_colours(sit_down: Open, size: tuple[int, int]) -> None:
    desk = sit_down(PERSON, PERSON, size=size)
    desk.type("d3")
    desk.settle()
    desk.press("captures")
    desk.settle()
    place, colors = desk.board_place, desk.scene.face.colors
    counts = (desk.board.others or {}, desk.board.captures)  # black's and white's, who is to move
    assert desk.status == "White to move. Upper numbers: what black would capture. Lower: white."
    assert all(counts)
    for move in range(64):
        rect = place.square_rect(move)
        for color, share in ((Color.BLACK, 0.25), (Color.WHITE, 0.75)):
            beside_digit = (round(rect.left + (share - 0.14) * rect.width), round(rect.top + share * rect.height))
            is_there = desk.pixel(beside_digit) == colors[color]
            assert is_there is (move in counts[color]) or RULES.marks(desk.board.position)[move] is not None
    desk.press("captures")
    desk.settle()
    assert (desk.board.others, desk.board.shows_counts) == (None, False)
