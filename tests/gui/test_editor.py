"""The board's editor, by mouse and by keys."""

from dataclasses import replace

import pygame
import pytest

from othello import texts
from othello.gui.modes.editor.editor import EditMode
from othello.gui.modes.editor.editor_widgets import PositionTextBox
from othello.gui.preferences import palette_named
from othello.gui.toolkit.style import Style
from othello.play import session_commands as cmd
from othello.rules.registry import GAMES, game_spec, rules_of
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON, computer

CTRL, ALT = pygame.KMOD_CTRL, pygame.KMOD_ALT


def edit(driver: WindowDriver) -> EditMode:
    driver.keys("Ctrl+E")
    mode = driver.scene.mode
    assert isinstance(mode, EditMode)
    return mode


@pytest.fixture
def driver(open_window: OpenWindow) -> WindowDriver:
    made: WindowDriver = open_window(PERSON, PERSON)
    return made


def test_pieces_are_placed_and_played_from_by_mouse(driver: WindowDriver) -> None:
    mode = edit(driver)
    driver.press("edit_clear")
    assert mode.position is None
    driver.click_square("d4")
    driver.type("2")
    driver.click_square("d5")
    assert mode.position is not None
    driver.keys("Ctrl+Enter")
    assert driver.scene.mode.name == "play"
    assert driver.session.game.ply == 0
    assert driver.session.game.rules.format_position(driver.session.game.position).count("X") == 2
    driver.click_square("d6")
    assert driver.moves() == ["d6"]


def test_nothing_is_offered_that_does_nothing_here(driver: WindowDriver) -> None:
    edit(driver)
    driver.resize((900, 600))
    driver.use_text(200)
    assert not driver.has("captures")
    assert not driver.has("values")
    column = driver.placed("column")
    assert column.parts[0].rect.top == column.rect.top, "nor is there room for them"
    assert driver.scene.mode.side_panel(0.0) in [each.widget for each in column.walk()]


def test_everything_goes_by_keys_and_back(driver: WindowDriver) -> None:
    mode = edit(driver)
    before = mode.position
    for letter in "cltwmr":
        driver.key(ord(letter), mod=ALT)
    driver.type("3")
    driver.keys("Right", "Enter")
    assert driver.session.game.position == before
    for _ in range(8):
        driver.keys("Ctrl+Z")
    assert mode.position == before
    driver.keys("Alt+S")
    assert mode.position == driver.session.game.rules.start()
    driver.keys("Esc")
    assert driver.scene.mode.name == "play"
    assert not driver.session.pace.paused


def test_a_position_is_pasted_and_copied(driver: WindowDriver) -> None:
    mode = edit(driver)
    pygame.scrap.put_text("f5d6")
    driver.keys("Ctrl+V")
    rules = driver.session.game.rules
    assert mode.position is not None
    assert rules.format_position(mode.position).count("X") == 4  # and black to move
    driver.keys("Ctrl+C")
    assert pygame.scrap.get_text() == rules.format_position(mode.position)
    pygame.scrap.put_text("\n".join(["........"] * 3 + ["...OX...", "...XO..."] + ["........"] * 3))
    driver.keys("Ctrl+V")
    assert mode.position == rules.start()
    pygame.scrap.put_text("nonsense!")
    driver.keys("Ctrl+V")
    assert "is not a list of moves" in (mode.status() or "")


def test_the_position_stands_in_two_lines_the_first_with_the_odd_row() -> None:
    box = PositionTextBox("X-O---OOX X", 3)
    assert box._lines(Style(1.0, palette_named()), 400)[0] == ["X-O ---", "OOX X"]


def test_a_finished_position_cannot_be_played(driver: WindowDriver) -> None:
    mode = edit(driver)
    driver.keys("Alt+L")
    assert mode.position is None
    driver.keys("Ctrl+Enter")
    assert driver.scene.mode is mode


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_set_up(game: str, open_window: OpenWindow) -> None:
    spec = game_spec(game)
    driver: WindowDriver = open_window(PERSON, PERSON, spec=spec)
    mode = edit(driver)
    assert mode.position == rules_of(spec).start()
    driver.keys("Alt+L", "Alt+S", "Ctrl+Enter")
    assert driver.scene.mode.name == "play"


@pytest.mark.parametrize("key", [pygame.K_e, pygame.K_2])
def test_a_scrolled_column_does_not_hide_the_board_above_it(open_window: OpenWindow, key: int) -> None:
    driver = open_window(PERSON, PERSON, (900, 1100))
    driver.key(key, mod=CTRL)
    for rows in (0, 2, 99):
        driver.point_at(driver.placed("column").rect.center)
        pygame.event.post(pygame.event.Event(pygame.MOUSEWHEEL, y=-rows))
        driver.turn()
        column = driver.placed("column")
        assert column.parts[0].rect.height > column.rect.height
        assert rows == 0 or column.parts[0].rect.top < column.rect.top
        assert [driver.shows(square) for square in ("d4", "e4")] == ["white", "black"]


def test_the_square_under_the_mouse_is_the_one_that_a_press_changes(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, spec=game_spec("connect_four"))
    mode = edit(driver)
    at = driver.board_place.square_rect(0).center
    driver.point_at(at)
    assert driver.board.cursor == 0
    driver.click(at)
    assert mode._setup.marks[0] is not None


def test_keys_of_the_game_leave_it_alone_meanwhile(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, computer("first"))
    driver.type("d3")
    driver.settle()
    driver.keys("Home")
    edit(driver)
    assert driver.session.pace.paused
    game, players = driver.session.game, [*driver.session.players.values()]
    for key in (pygame.K_SPACE, pygame.K_F2, pygame.K_F4, pygame.K_F5):
        driver.key(key, " " if key == pygame.K_SPACE else "")
    assert driver.session.pace.paused, "the game waits until the editor is left"
    assert [*driver.session.players.values()] == players
    assert driver.session.game is game


def test_a_new_piece_ends_what_could_be_redone(driver: WindowDriver) -> None:
    mode = edit(driver)
    driver.click_square("a1")
    driver.keys("Ctrl+Z")
    driver.click_square("h8")
    after = mode.position
    assert not driver.is_enabled("redo")
    driver.keys("Ctrl+Y")
    assert mode.position == after


@pytest.mark.parametrize("game", GAMES)
def test_the_cursor_goes_on_at_the_other_side(game: str, open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, spec=game_spec(game))
    edit(driver)
    rules = driver.session.game.rules
    seen = []
    for key in (pygame.K_UP, pygame.K_UP, pygame.K_LEFT, pygame.K_DOWN, pygame.K_RIGHT):
        driver.key(key)
        driver.turn()
        seen.append(driver.board.cursor)
    last = rules.rows * rules.columns - 1
    assert seen == [0, last + 1 - rules.columns, last, rules.columns - 1, 0]


def test_the_board_of_another_game_is_taken(driver: WindowDriver) -> None:
    mode, spec = edit(driver), game_spec("connect_four")
    driver.session.do(cmd.NewGame(None, spec), 0.0)
    driver.turn()
    assert mode.position == rules_of(spec).start()


def test_the_verdict_is_told_in_the_language_of_now(driver: WindowDriver) -> None:
    edit(driver)
    wanted = driver.scene.preferences
    for language in ("pl", "en"):
        wanted.value = replace(wanted.value, language=language)
        driver.use_text(100)
        assert texts.tr("editor.can_be_played") in driver.words()


def test_where_to_play_is_seen_and_set(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, spec=game_spec("ultimate_tictactoe"))
    mode = edit(driver)
    before = driver.brightness(driver.board_place.board).sum()
    driver.press("rest")
    for _ in range(5):  # any, then board by board
        driver.keys("Down")
    driver.keys("Enter")
    assert mode.position == rules_of(game_spec("ultimate_tictactoe")).parse_position("-" * 81 + " X 5")
    driver.turn()
    assert driver.brightness(driver.board_place.board).sum() < before, "eight boards have no frame any more"
    driver.keys("Ctrl+Z")
    assert mode.position == rules_of(game_spec("ultimate_tictactoe")).start()


def test_a_finished_board_is_not_where_to_play(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, spec=game_spec("ultimate_tictactoe"))
    mode = edit(driver)
    for square, key in ((0, "1"), (1, "1"), (2, "1"), (30, "2"), (40, "2"), (50, "2")):
        driver.type(key)
        driver.click(driver.board_place.square_rect(square).center)
    driver.press("rest")
    driver.keys("Down", "Enter")
    assert mode.position is not None
    assert mode.status() != texts.tr("editor.status")
