"""The mode Play: the list of moves, earlier positions, the status line, and the end of a game."""

import time
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from unittest.mock import Mock

import pygame
import pytest

from othello.game import AnyGame, GameTree
from othello.gui import commands as gui
from othello.gui.app.screen_manager import ScreenManager
from othello.gui.toolkit.controls import Button, SegmentedControl
from othello.gui.toolkit.widget import PaintContext
from othello.gui.widgets.board_widget import BOARD
from othello.gui.widgets.move_list import MOVES, Listing, MoveEntry, MoveList, listing
from othello.gui.widgets.side_cards import ScoreBar
from othello.play import session_commands as cmd
from othello.rules.protocol import Color, Move, Square
from othello.rules.registry import game_spec
from othello.texts import tr
from tests.gui.scenes import Opener, over, passing
from tests.gui.window_driver import SIZES, OpenWindow, WindowDriver, move, square
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
    for key, has_frame in (("Ctrl+2", True), ("Ctrl+3", False), ("Ctrl+5", False), ("Ctrl+1", True)):
        past.keys(key)
        assert (past.has(BOARD) and bool(past.board_panel.history_label)) is has_frame
    past.keys("Esc")
    assert not past.board_panel.history_label


def offered(driver: WindowDriver) -> Move | None:
    """Return the move with which the game would continue from an earlier position."""
    return driver.scene.view_state.offered(driver.session)


def test_another_move_in_an_earlier_position_asks_first(past: WindowDriver) -> None:
    session, game = past.session, past.session.game
    for name, offer in (("a1", None), ("c3", move("c3"))):
        past.click_square(name)
        assert offered(past) == offer, "a1 is illegal"
    assert session.game is game
    past.turn()
    past.keys("Esc")
    assert session.game is game
    assert not session.view.is_at_latest, "the answer no changes nothing"
    past.click_square("e3")
    past.keys("Page Up")
    assert (session.view.shown.ply, offered(past)) == (0, None), "another position"
    past.keys("Page Down", "Esc")
    past.click_square("c5")
    assert (offered(past), session.view.shown.ply) == (None, 2), "the move of the game needs no question"
    assert past.moves() == ["d3", "c5", "d6"]
    past.keys("Page Up")
    past.type("c3")
    past.keys("Enter")
    assert past.moves() == ["d3", "c3"]
    assert session.view.is_at_latest
    assert len(session.history.tree.variations(game.at(1))) == 2, "the former game is a variation"
    past.keys("Page Up")
    assert offered(past) is None, "an accepted offer does not return"
    past.type("e3")
    past.press("play_offered")
    assert past.moves() == ["d3", "e3"]


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
    driver.type("vd3")
    driver.until(lambda: driver.session.game.ply == 2 and driver.session.awaits_user)
    driver.settle()
    assert tr("search.depth") in driver.words()
    driver.keys("Page Up")
    driver.settle()
    assert driver.board.report is not None
    assert {stats.move for stats in driver.board.report.moves} == set(driver.session.view.shown.legal_moves())
    driver.keys("End", "F4")
    driver.until(lambda: driver.session.game.ply == 3)
    assert not driver.session.players[Color.BLACK].is_user
    driver.keys("Home")
    driver.settle()
    assert driver.cards[0].title == "You"
    assert [card.times(time.monotonic()).time.removesuffix(".0") for card in driver.cards] == ["0:00", "0:00"]


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
    if values_of == "engine":
        driver.keys("Ctrl+H")
        driver.until(lambda: driver.scene.hints.report is not None)
        driver.until(lambda: driver.analysis.player is not None)
    driver.keys("v")
    assert driver.board.report is None
    assert driver.analysis.player is None, "values are hidden"


def test_a_note_is_written_changed_and_shown(past: WindowDriver) -> None:
    def note() -> str:
        return past.session.history.tree.known(past.session.game.at(1)).note

    past.keys("F7")
    past.type("why c5")
    past.keys("Enter")
    assert past.scene.dialog is None
    assert note() == "why c5"
    past.turn()
    assert "why c5" in past.status
    past.keys("F7", "!", "Enter")
    assert note() == "why c5!", "the dialog has the note so far"
    for leave in ("cancel", "close", ""):
        past.keys("F7", "?")
        past.press(leave) if leave else past.keys("Esc")
        assert past.scene.dialog is None
        assert note() == "why c5!"
    past.click(past.move_table.cell(0, 1, 0).center, pygame.BUTTON_RIGHT)
    assert past.scene.dialog is not None, "a note about the move under the mouse"
    assert past.session.view.shown.ply == 2


def test_discs_that_a_move_at_the_cursor_would_flip_are_marked(driver: WindowDriver) -> None:
    centre = driver.board_place.square_rect(square("d4")).center
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
    past.session.do(cmd.PlayVariation((move("c3"),)), 0.0)
    line = past.session.view.shown
    past.keys("Delete")
    assert (past.status, past.is_bad) == (tr("past.deleted"), False)
    assert past.session.history.tree.node(line) is None
    past.keys("Ctrl+Z")
    assert past.session.history.tree.node(line) is not None
    assert past.session.view.shown.moves == line.moves
    past.keys("Ctrl+Z")
    assert past.moves() == ["d3", "c5", "d6"]
    assert past.session.view.is_at_latest


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


def at_random(game: AnyGame, moves: int, seed: int) -> AnyGame:
    random = Random(seed)
    for _ in range(moves):
        if not game.is_over:
            game = game.play(random.choice(game.legal_moves()))
    return game


def bushy(plies: Sequence[int] = (3, 3, 17, 30)) -> GameTree[str]:
    tree = GameTree.of(random_game_of(RULES, 0), "")
    for seed, ply in enumerate(plies):
        variation = at_random(tree.game.at(ply), 12, seed)
        for line in (variation, at_random(variation.at(ply + 4), 7, seed + 10)):
            tree = tree.know(line, "")
    return tree


def entries(line: Listing) -> list[MoveEntry]:
    return [*line.entries, *(entry for _, branch in line.branches for entry in entries(branch))]


def test_every_variation_is_listed_once() -> None:
    tree = bushy()
    moves, found = tree.game.moves, listing(tree, {})
    assert [entry.line for entry in found.entries] == [moves[: ply + 1] for ply in range(len(moves))]
    listed, lines = [entry.line for entry in entries(found)], [tree.game.at(0)]
    for line in lines:
        lines += [line.play(move) for move in tree.variations(line)]
    assert sorted(listed) == sorted(line.moves for line in lines[1:])


@pytest.mark.parametrize("size", SIZES[:-1])
def test_moves_keep_their_places_when_values_are_shown(open_window: OpenWindow, size: tuple[int, int]) -> None:
    driver = open_window(PERSON, PERSON, size=size)
    driver.type("d3c5d6")
    before = driver.move_table
    driver.type("v")
    after = driver.move_table
    assert after.panel.height < before.panel.height
    assert (after.columns, after.pitch) == (before.columns, before.pitch)
    assert [after.cell(0, index, 0) for index in range(3)] == [before.cell(0, index, 0) for index in range(3)]
    assert [row.entries for row in after.rows] == [row.entries for row in before.rows]
    for table in (replace(table, listing=listing(bushy(), {})) for table in (before, after)):
        assert table.columns % 2 == 0
        seen = set()
        for first_row in range(table.last_first_row + 1):
            for number in table.shown_rows(first_row):
                for index, entry in enumerate(table.rows[number].entries):
                    cell = table.cell(number, index, first_row)
                    assert table.panel.contains(cell)
                    assert table.line_at(cell.center, first_row) == entry.line, "a click finds the move drawn there"
                    assert table.row_of(entry.line) == number
                    seen.add(entry.line)
        assert seen == {entry.line for entry in entries(table.listing)}


def test_a_variation_follows_the_row_that_it_leaves_and_is_marked_there(driver: WindowDriver) -> None:
    whole_game = GameTree.of(random_game_of(RULES, 0), "")
    assert replace(driver.move_table, listing=listing(whole_game, {})).last_first_row == 0, "all moves are visible"
    table = replace(driver.move_table, listing=listing(bushy(), {}))
    for number, row in enumerate(table.rows):
        if row.stem is not None:
            stem, _ = row.stem
            replaced = [entry.line[:-1] for entry in table.rows[stem].entries]
            assert row.entries[0].line[:-1] in replaced
            assert table.rows[stem].depth == row.depth - 1
            assert all(between.depth >= row.depth for between in table.rows[stem + 1 : number])
    table = replace(driver.move_table, listing=listing(bushy((1, 3, 6)), {}))
    surface = pygame.Surface(driver.scene.window.size)
    panel = MoveList(driver.scene.renderer, table.listing, first_row=0)
    panel.draw(PaintContext(surface, driver.scene.style, table.panel))
    for row in table.rows[: table.visible]:
        if row.stem is not None:
            below = table.panel.left + row.stem[1], table.cell(row.stem[0], 0, 0).bottom - 1
            assert surface.get_at(below)[:3] == driver.scene.style.palette.accent


def test_keys_move_through_a_variation_and_continue_from_its_moves(driver: WindowDriver) -> None:
    session = driver.session
    driver.type("d3c5d6")
    driver.keys("Ctrl+2", "Left", "Left")
    assert (session.view.shown.ply, session.view.is_at_latest) == (1, False)
    driver.click_square("c3")
    variation = session.view.shown
    assert variation.moves[1:] == (18,)
    assert session.game.ply == 3, "the game does not change"
    driver.keys("Up")
    assert session.view.shown.moves == session.game.at(2).moves
    driver.keys("Down")
    assert session.view.shown.moves == variation.moves
    driver.keys("F5")
    assert session.game.moves == variation.moves
    driver.turn()
    assert len(session.history.tree.variations(variation.at(1))) == 2, "the played move becomes a variation"
    driver.keys("Up")
    driver.open("note")
    assert driver.has("delete") is session.view.is_in_variation
    driver.press("delete")
    assert len(session.history.tree.variations(variation.at(1))) == 1


def test_a_scrolled_list_returns_to_the_shown_position(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, size=(900, 600), start=random_game_of(RULES, 0).at(50))
    driver.use_text(150)
    last = len(driver.move_table.rows) - 1
    driver.point_at(driver.placed(MOVES).rect.center)
    for rows, first in ((-99, 0), (2, 2), (99, driver.move_table.last_first_row), (-99, 0)):
        driver.scroll(rows)
        assert driver.rows_of_moves().start == first
    assert last not in driver.rows_of_moves()
    driver.do(cmd.Browse(-1))
    assert last in driver.rows_of_moves()


def test_a_finished_game_leads_to_new_games_and_to_help_about_keys(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, computer("first"))
    for topic in ("rules", "keys"):
        driver.open("keys")
        assert driver.widget("topic", SegmentedControl).value == topic
        driver.keys("Esc")
        driver.do(cmd.Resign())
    assert driver.has("again")
    driver.keys("Esc")
    assert not driver.has("again"), "the panel with the result is closed"
    driver.press("another")
    assert driver.scene.dialog is not None
    driver.keys("Esc")
    driver.press("play_again")
    assert not driver.session.referee.is_over
    assert driver.has("resign")


def test_tab_reaches_all_buttons_of_the_panel_and_then_the_others(opener: Opener) -> None:
    finished, visited = over(opener), []
    for _ in range(40):
        finished.keys("Tab")
        visited.append(finished.scene.widgets.focus)
    assert visited[:3] == ["again", "look_back", "board"]
    assert {"to_review", "play_again", "another", "new"} <= set(visited)


def test_enter_repeats_an_own_game_and_reviews_an_opened_one(open_window: OpenWindow, opener: Opener) -> None:
    finished = over(opener)
    game = finished.session.game
    finished.keys("Enter")
    assert finished.moves() == []
    assert all(finished.session.players[color].is_user for color in Color)
    old = open_window(PERSON, computer("first"))
    old.do(cmd.OpenGame(game))
    assert [button.name for button in old.panels(Button) if button.kind == "primary"] == ["look_back"]
    old.keys("Enter")
    assert old.scene.mode.name == "review"
    assert old.session.game.moves == game.moves


def test_a_choice_and_the_focus_are_dropped_by_what_follows(driver: WindowDriver) -> None:
    driver.type("d")
    driver.keys("Ctrl+2", "Ctrl+1")
    assert driver.scene.view_state.typed is None
    for command in (gui.Type("e"), gui.PutCursor(Square(63))):
        driver.keys("F6")
        assert driver.scene.widgets.focus
        driver.do(command)
        assert not driver.scene.widgets.focus
    driver.do(cmd.NewGame(None, game_spec("tictactoe")))
    assert driver.board.cursor is None


def test_a_pass_has_no_number(opener: Opener) -> None:
    driver = passing(opener)
    driver.keys("Enter")
    driver.do(cmd.PlayMove(driver.session.game.legal_moves()[0]))
    driver.settle()
    assert [each.number for each in driver.move_list.listing.entries] == ["1", "", "2"]
    assert (driver.session.game.ply, driver.session.game.number) == (3, 2)


def test_preparing_shows_the_time_left() -> None:
    manager, shown = Mock(_compiling=None, _background_status=""), list[str]()
    for share, now in ((0.0, 0.0), (0.0, 20.0), (0.25, 30.0), (0.5, 60.0), (0.99, 99.0), (None, 100.0)):
        ScreenManager._show_compiling(manager, share, now)
        shown.append(manager.game_screen.view_state.background_status)
    left = [f"Preparing other games (about {seconds} s left)." for seconds in (90, 60, 10)]
    assert [*dict.fromkeys(shown)] == ["Preparing other games…", *left, ""]
