"""The board's editor, by mouse and by keys."""

from collections.abc import Callable
from dataclasses import replace

import pygame
import pytest

from othello import texts
from othello.gui.editor.editor import EditMode
from othello.play import commands as play
from othello.rules.registry import GAMES, game_spec, rules_of
from tests.gui.desk import Desk
from tests.play.faulty import PERSON, computer

CTRL, ALT = pygame.KMOD_CTRL, pygame.KMOD_ALT


def edit(desk: Desk) -> EditMode:
    desk.key(pygame.K_e, mod=CTRL)
    mode = desk.scene.mode
    assert isinstance(mode, EditMode)
    return mode


@pytest.fixture
def desk(sit_down: object) -> Desk:
    made: Desk = sit_down(PERSON, PERSON)  # type: ignore[operator]
    return made


def test_pieces_are_placed_and_played_from_by_mouse(desk: Desk) -> None:
    mode = edit(desk)
    desk.press("edit_clear")
    assert mode.position is None
    desk.click_square("d4")
    desk.type("2")
    desk.click_square("d5")
    desk.turn()
    assert mode.position is not None
    desk.key(pygame.K_RETURN, mod=CTRL)
    assert desk.scene.mode.name == "play"
    assert desk.session.game.ply == 0
    assert desk.session.game.rules.format_position(desk.session.game.position).count("X") == 2
    desk.click_square("d6")
    assert desk.moves() == ["d6"]


def test_nothing_is_offered_that_does_nothing_here(desk: Desk) -> None:
    edit(desk)
    desk.resize((900, 600))
    desk.use_text(200)
    assert not desk.has("captures")
    assert not desk.has("values")
    column = desk.placed("column")
    assert column.parts[0].rect.top == column.rect.top, "nor is there room for them"
    assert desk.scene.mode.side_panel(0.0) in [each.panel for each in column.walk()]


def test_everything_goes_by_keys_and_back(desk: Desk) -> None:
    mode = edit(desk)
    before = mode.position
    for letter in "cltwmr":
        desk.key(ord(letter), mod=ALT)
    desk.type("3")
    desk.key(pygame.K_RIGHT)
    desk.key(pygame.K_RETURN)
    assert desk.session.game.position == before
    for _ in range(8):
        desk.key(pygame.K_z, mod=CTRL)
    assert mode.position == before
    desk.key(pygame.K_s, mod=ALT)
    assert mode.position == desk.session.game.rules.start()
    desk.key(pygame.K_ESCAPE)
    assert desk.scene.mode.name == "play"
    assert not desk.session.pace.paused


def test_a_position_is_pasted_and_copied(desk: Desk) -> None:
    mode = edit(desk)
    pygame.scrap.put_text("f5d6")
    desk.key(pygame.K_v, mod=CTRL)
    rules = desk.session.game.rules
    assert mode.position is not None
    assert rules.format_position(mode.position).count("X") == 4  # and black to move
    desk.key(pygame.K_c, mod=CTRL)
    assert pygame.scrap.get_text() == rules.format_position(mode.position)
    pygame.scrap.put_text("\n".join(["........"] * 3 + ["...OX...", "...XO..."] + ["........"] * 3))
    desk.key(pygame.K_v, mod=CTRL)
    assert mode.position == rules.start()
    pygame.scrap.put_text("nonsense!")
    desk.key(pygame.K_v, mod=CTRL)
    assert "is not a list of moves" in (mode.status() or "")


def test_a_finished_position_cannot_be_played(desk: Desk) -> None:
    mode = edit(desk)
    desk.key(pygame.K_l, mod=ALT)
    assert mode.position is None
    desk.key(pygame.K_RETURN, mod=CTRL)
    assert desk.scene.mode is mode


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_set_up(game: str, sit_down: object) -> None:
    spec = game_spec(game)
    desk: Desk = sit_down(PERSON, PERSON, spec=spec)  # type: ignore[operator]
    mode = edit(desk)
    assert mode.position == rules_of(spec).start()
    desk.key(pygame.K_l, mod=ALT)
    desk.turn()
    desk.key(pygame.K_s, mod=ALT)
    desk.key(pygame.K_RETURN, mod=CTRL)
    assert desk.scene.mode.name == "play"


@pytest.mark.parametrize("key", [pygame.K_e, pygame.K_2])
def test_a_scrolled_column_does_not_hide_the_board_above_it(sit_down: Callable[..., Desk], key: int) -> None:
    desk = sit_down(PERSON, PERSON, (900, 1100))
    desk.key(key, mod=CTRL)
    for rows in (0, 2, 99):
        desk.point_at(desk.placed("column").rect.center)
        pygame.event.post(pygame.event.Event(pygame.MOUSEWHEEL, y=-rows))
        desk.turn()
        column = desk.placed("column")
        assert column.parts[0].rect.height > column.rect.height
        assert rows == 0 or column.parts[0].rect.top < column.rect.top
        assert [desk.shows(square) for square in ("d4", "e4")] == ["white", "black"]


def test_the_square_under_the_mouse_is_the_one_that_a_press_changes(sit_down: Callable[..., Desk]) -> None:
    desk = sit_down(PERSON, PERSON, spec=game_spec("connect_four"))
    mode = edit(desk)
    at = desk.board_place.square_rect(0).center
    desk.point_at(at)
    assert desk.board.cursor == 0
    desk.click(at)
    assert mode._setup.marks[0] is not None


def test_keys_of_the_game_leave_it_alone_meanwhile(sit_down: Callable[..., Desk]) -> None:
    desk = sit_down(PERSON, computer("first"))
    desk.type("d3")
    desk.settle()
    desk.key(pygame.K_HOME)
    edit(desk)
    assert desk.session.pace.paused
    game, seats = desk.session.game, [*desk.session.seats.values()]
    for key in (pygame.K_SPACE, pygame.K_F2, pygame.K_F4, pygame.K_F5):
        desk.key(key, " " if key == pygame.K_SPACE else "")
    assert desk.session.pace.paused, "the game waits until the editor is left"
    assert [*desk.session.seats.values()] == seats
    assert desk.session.game is game


def test_a_new_piece_ends_what_could_be_redone(desk: Desk) -> None:
    mode = edit(desk)
    desk.click_square("a1")
    desk.key(pygame.K_z, mod=CTRL)
    desk.click_square("h8")
    desk.turn()
    after = mode.position
    assert not desk.is_enabled("redo")
    desk.key(pygame.K_y, mod=CTRL)
    assert mode.position == after


@pytest.mark.parametrize("game", GAMES)
def test_the_cursor_goes_on_at_the_other_side(game: str, sit_down: Callable[..., Desk]) -> None:
    desk = sit_down(PERSON, PERSON, spec=game_spec(game))
    edit(desk)
    rules = desk.session.game.rules
    seen = []
    for key in (pygame.K_UP, pygame.K_UP, pygame.K_LEFT, pygame.K_DOWN, pygame.K_RIGHT):
        desk.key(key)
        desk.turn()
        seen.append(desk.board.cursor)
    last = rules.rows * rules.columns - 1
    assert seen == [0, last + 1 - rules.columns, last, rules.columns - 1, 0]


def test_the_board_of_another_game_is_taken(desk: Desk) -> None:
    mode, spec = edit(desk), game_spec("connect_four")
    desk.session.do(play.NewGame(None, spec), 0.0)
    desk.turn()
    assert mode.position == rules_of(spec).start()


def test_the_verdict_is_told_in_the_language_of_now(desk: Desk) -> None:
    edit(desk)
    wanted = desk.scene.preferences
    try:
        for language in ("pl", "en"):
            wanted.value = replace(wanted.value, language=language)
            desk.use_text(100)
            assert texts.say("editor.can_be_played") in desk.words()
    finally:
        texts.use("en")


def test_where_to_play_is_seen_and_set(sit_down: Callable[..., Desk]) -> None:
    desk = sit_down(PERSON, PERSON, spec=game_spec("ultimate_tictactoe"))
    mode = edit(desk)
    before = desk.brightness(desk.board_place.board).sum()
    desk.press("rest")
    for _ in range(5):  # any, then board by board
        desk.key(pygame.K_DOWN)
    desk.key(pygame.K_RETURN)
    assert mode.position == rules_of(game_spec("ultimate_tictactoe")).parse_position("-" * 81 + " X 5")
    desk.turn()
    assert desk.brightness(desk.board_place.board).sum() < before, "eight boards have no frame any more"
    desk.key(pygame.K_z, mod=CTRL)
    assert mode.position == rules_of(game_spec("ultimate_tictactoe")).start()


def test_a_finished_board_is_not_where_to_play(sit_down: Callable[..., Desk]) -> None:
    desk = sit_down(PERSON, PERSON, spec=game_spec("ultimate_tictactoe"))
    mode = edit(desk)
    for square, key in ((0, "1"), (1, "1"), (2, "1"), (30, "2"), (40, "2"), (50, "2")):
        desk.type(key)
        desk.click(desk.board_place.square_rect(square).center)
    desk.press("rest")
    desk.key(pygame.K_DOWN)
    desk.key(pygame.K_RETURN)
    assert mode.position is not None
    assert mode.status() != texts.say("editor.status")
