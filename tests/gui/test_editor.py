"""The board's editor, by mouse and by keys."""

import pygame
import pytest

from othello import texts
from othello.gui.modes.editor.editor import EditMode
from othello.gui.modes.editor.editor_widgets import PositionTextBox
from othello.gui.preferences import palette_named
from othello.gui.toolkit.style import Style
from othello.play import session_commands as cmd
from othello.rules.registry import GAMES, game_spec, rules_of
from tests.gui.mistakes import mode_of
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON


@pytest.fixture
def editor(driver: WindowDriver) -> EditMode:
    """Edit the position of a new game of Othello."""
    return edit(driver)


def edit(driver: WindowDriver) -> EditMode:
    driver.keys("Ctrl+E")
    return mode_of(driver, EditMode)


def test_pieces_are_placed_and_played_from_by_mouse(driver: WindowDriver, editor: EditMode) -> None:
    driver.press("edit_clear")
    assert editor.position is None
    driver.keys("Ctrl+Enter")
    assert driver.scene.mode is editor, "an empty board cannot be played from"
    driver.click_square("d4")
    driver.type("2")
    driver.click_square("d5")
    assert editor.position is not None
    driver.keys("Ctrl+Enter")
    assert (driver.scene.mode.name, driver.session.game.ply) == ("play", 0)
    assert driver.session.game.rules.format_position(driver.session.game.position).count("X") == 2
    driver.click_square("d6")
    assert driver.moves() == ["d6"]


def test_everything_can_be_edited_by_keys_and_undone(driver: WindowDriver, editor: EditMode) -> None:
    before = editor.position
    driver.keys(*(f"Alt+{letter}" for letter in "CLTWMR"))
    driver.type("3")
    driver.keys("Right", "Enter")
    assert driver.session.game.position == before
    driver.keys(*["Ctrl+Z"] * 8)
    assert editor.position == before
    assert driver.is_enabled("redo")
    driver.click_square("d4")
    after = editor.position
    assert not driver.is_enabled("redo"), "a new piece ends redo"
    driver.keys("Ctrl+Y")
    assert editor.position == after
    driver.keys("Alt+S")
    assert editor.position == driver.session.game.rules.start()
    driver.keys("Esc")
    assert (driver.scene.mode.name, driver.session.pace.paused) == ("play", False)


def test_a_position_is_pasted_and_copied(driver: WindowDriver, editor: EditMode) -> None:
    driver.paste("f5d6")
    rules = driver.session.game.rules
    assert editor.position is not None
    assert rules.format_position(editor.position).count("X") == 4  # and black to move
    driver.keys("Ctrl+C")
    assert pygame.scrap.get_text() == rules.format_position(editor.position)
    driver.paste("\n".join(["........"] * 3 + ["...OX...", "...XO..."] + ["........"] * 3))
    assert editor.position == rules.start()
    driver.paste("nonsense!")
    assert "is not a list of moves" in (editor.status() or "")


def test_the_text_of_the_position_has_two_lines_the_first_with_the_odd_row() -> None:
    box = PositionTextBox("X-O---OOX X", 3)
    assert box._lines(Style(1.0, palette_named()), 400)[0] == ["X-O ---", "OOX X"]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_set_up_with_a_cursor_that_goes_round_the_edges(game: str, open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, spec=game_spec(game))
    editor, rules = edit(driver), rules_of(game_spec(game))
    assert editor.position == rules.start()
    visited = []
    for key in ("Up", "Up", "Left", "Down", "Right"):
        driver.keys(key)
        visited.append(driver.board.cursor)
    last = rules.rows * rules.columns - 1
    assert visited == [0, last + 1 - rules.columns, last, rules.columns - 1, 0]
    driver.keys("Alt+L", "Alt+S")
    at = driver.board_place.square_rect(0).center
    driver.point_at(at)
    assert driver.board.cursor == 0
    driver.click(at)
    assert editor._setup.marks[0] is not None, "in Connect Four too, a click changes the square under the mouse"
    driver.keys("Ctrl+Z", "Ctrl+Enter")
    assert driver.scene.mode.name == "play"


@pytest.mark.parametrize("key", ["Ctrl+E", "Ctrl+2"])
def test_a_scrolled_column_does_not_hide_the_board_above_it(open_window: OpenWindow, key: str) -> None:
    driver = open_window(PERSON, PERSON, (900, 1100))
    driver.keys(key)
    for rows in (0, 2, 99):
        driver.point_at(driver.placed("column").rect.center)
        driver.scroll(rows)
        column = driver.placed("column")
        assert column.parts[0].rect.height > column.rect.height
        assert rows == 0 or column.parts[0].rect.top < column.rect.top
        assert [driver.shows(square) for square in ("d4", "e4")] == ["white", "black"]


def test_the_verdict_and_the_board_change_with_language_and_game(driver: WindowDriver, editor: EditMode) -> None:
    for language in ("pl", "en"):
        driver.prefer(language=language)
        assert texts.tr("editor.can_be_played") in driver.words()
    spec = game_spec("connect_four")
    driver.do(cmd.NewGame(None, spec))
    assert editor.position == rules_of(spec).start()


def test_the_board_to_play_in_is_chosen_and_shown_unless_it_is_finished(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, spec=game_spec("ultimate_tictactoe"))
    editor, rules = edit(driver), driver.session.game.rules
    before = driver.brightness(driver.board_place.board).sum()
    driver.press("rest")
    driver.keys(*["Down"] * 5, "Enter")  # any, then board by board
    assert editor.position == rules.parse_position("-" * 81 + " X 5")
    driver.turn()
    assert driver.brightness(driver.board_place.board).sum() < before, "one board has a frame instead of nine"
    driver.keys("Ctrl+Z")
    assert editor.position == rules.start()
    for square, key in ((0, "1"), (1, "1"), (2, "1"), (30, "2"), (40, "2"), (50, "2")):
        driver.type(key)
        driver.click(driver.board_place.square_rect(square).center)
    driver.press("rest")
    driver.keys("Down", "Enter")
    assert editor.position is not None
    assert editor.status() != texts.tr("editor.status")
