"""The game screen and its help in the window, driven by real events on a virtual display."""

import ctypes
import sys
import time
from collections import Counter
from types import FrameType, SimpleNamespace

import numpy as np
import pygame
import pytest

from othello.errors import DisplayError
from othello.game import AnyGame, Game
from othello.gui import commands as gui, status_text
from othello.gui.actions import BROWSE
from othello.gui.boards.renderer import renderer_type
from othello.gui.dialogs.help import HelpDialog, HowToPlayDialog
from othello.gui.dialogs.new_game import NewGameDialog
from othello.gui.mode_registry import MODES
from othello.gui.platform import window
from othello.gui.platform.window import DESIGN_SIZE, open_window
from othello.gui.preferences import palette_named
from othello.gui.screens.game_screen import GameScreen
from othello.gui.sounds import Sound
from othello.gui.toolbar import icon
from othello.gui.toolkit.style import Style
from othello.play.referee import Fault, Forfeit
from othello.play.session_commands import HoldAnalyses, Resign, Undo
from othello.rules.othello import Othello
from othello.rules.protocol import Color
from othello.rules.registry import game_spec, rules_of
from othello.texts import tr
from tests.contract.test_window import line_of
from tests.gui.window_driver import COMPILE_TIMEOUT, OpenWindow, WindowDriver
from tests.play.fake_players import PERSON, computer
from tests.positions import parse_board


def test_moves_are_made_by_mouse_letters_and_cursor(driver: WindowDriver) -> None:
    driver.click_square("d3")
    driver.settle()
    assert driver.moves() == ["d3"]
    assert [driver.shows(name) for name in ("d3", "d4", "e5", "a1")] == ["black", "black", "white", "empty"]
    driver.type("c5")
    assert driver.moves() == ["d3", "c5"]
    driver.type("da1")  # a letter replaces the one before; a1 is illegal
    assert driver.moves() == ["d3", "c5"]
    driver.type("d")
    assert driver.board.typed is not None
    driver.session.referee.forfeit = Forfeit(Color.WHITE, Fault.OUT_OF_TIME)
    driver.turn()
    assert driver.scene.view_state.typed is None, "the end of the game drops a half-typed move"
    driver.keys("Ctrl+R", "Right")  # the cursor appears on d3, the first legal square
    driver.keys("Left", "Down", "Enter")
    assert driver.moves() == ["c4"]
    driver.keys("Shift+Tab", "Enter")  # the legal move before
    assert driver.moves() == ["c4", "e3"]


def test_openings_are_named_above_the_board(driver: WindowDriver) -> None:
    driver.type("f5d6c5f4e3c6d3f6")
    driver.point_at(driver.board_place.square_rect(driver.square("e6")).center)
    driver.settle()
    assert "Perpendicular · e6 leads to Rose" in driver.words()
    driver.type("e6d7")
    driver.switch("analyse")
    assert "Rose" in driver.words()
    driver.switch("edit")
    assert "Rose" not in driver.words()
    driver.switch("review")
    assert any(words.startswith("Opening: Perpendicular, Rose.") for words in driver.words())


def test_the_first_picture_is_complete(driver: WindowDriver) -> None:
    scene = GameScreen(driver.session, DESIGN_SIZE, time.monotonic())
    pictures = []
    for _ in range(2):
        surface = pygame.Surface(DESIGN_SIZE)
        scene.redraw()
        scene.draw(surface)
        pictures.append(pygame.surfarray.array3d(surface))
        scene.update(time.monotonic())
    assert np.array_equal(pictures[0], pictures[1])


def test_buttons_below_the_moves_and_on_the_cards(driver: WindowDriver) -> None:
    driver.type("d3c5")
    for button, count, ply in (("undo", 1, 1), ("redo", 2, 2), ("first", 2, 0), ("forward", 2, 1), ("last", 2, 2)):
        driver.press(button)
        assert (driver.moves(), driver.session.view.shown.ply) == (["d3", "c5"][:count], ply)
    assert driver.session.view.is_at_latest
    driver.press("swap", "captures", "captures")
    assert not driver.board.shows_counts
    driver.press("hand_white")
    assert driver.session.players[Color.WHITE].is_user, "not before a question"
    driver.keys("Esc")
    assert driver.session.players[Color.WHITE].is_user
    driver.press("hand_white", "yes")
    assert not driver.session.players[Color.WHITE].is_user
    assert driver.scene.dialog is None
    driver.press("new")
    driver.keys("Esc")
    assert driver.moves() == ["d3", "c5"]
    moves = driver.placed("moves").rect
    driver.click((moves.left + 40, moves.top + 46))
    assert driver.session.view.shown.ply == 1
    driver.settle()
    assert driver.shows("c5") == "empty"
    driver.keys("Esc")
    assert driver.session.view.is_at_latest
    driver.keys("F3", "Home", "End")
    driver.type("d6")
    assert driver.moves() == ["d3", "c5", "d6"]
    assert len(driver.move_list.shown) == 3


def test_letters_grow_with_the_scale() -> None:
    pygame.font.init()
    small, large = (Style(scale, palette_named()).text("Xg", 14).get_height() for scale in (1.0, 2.0))
    assert 1.8 * small < large < 2.3 * small


def test_disabled_buttons_are_drawn_at_once_after_a_resize(driver: WindowDriver) -> None:
    assert not driver.session.allows(Undo)
    for size in ((900, 600), (1000, 1300), (1600, 1000)):
        driver.resize(size)
        button = driver.placed("undo").rect
        for x in (button.left + 3, button.right - 4):
            assert driver.pixel((x, button.centery)) == palette_named().panel


def test_variants_are_named_in_the_toolbar(open_window: OpenWindow) -> None:
    rules = rules_of(game_spec("othello", {"goal": "fewest", "start": "alternate"}))
    driver = open_window(PERSON, PERSON, start=Game.new(rules))
    assert driver.scene.toolbar().occasion == ("alternate start · fewest discs wins",)
    driver.scene.occasion = ("Game 1 of 2", "1 of 2")
    named = ["alternate start · fewest discs wins · Game 1 of 2", "alternate start · fewest discs wins · 1 of 2"]
    assert [*driver.scene.toolbar().occasion] == [*named, "alternate start · fewest discs wins"]
    usual = open_window(PERSON, PERSON)
    for occasion in ((), ("Game 1 of 2",)):
        usual.scene.occasion = occasion
        assert usual.scene.toolbar().occasion == occasion


def test_flips_are_animated_unless_animation_is_off(driver: WindowDriver) -> None:
    driver.type("md3")
    assert driver.shows("d4") == "black"
    assert driver.scene.view_state.flip is None
    driver.type("mc5")
    assert driver.scene.view_state.flip is not None
    driver.settle()
    assert driver.shows("d5") == "white"


def test_help_is_closed_by_a_key(driver: WindowDriver) -> None:
    for key in ("Esc", "Enter", "F1"):
        driver.press("help")
        driver.dialog(HelpDialog)
        driver.keys(key)
        assert driver.scene.dialog is None


def test_a_key_is_read_in_the_state_after_the_key_before(driver: WindowDriver) -> None:
    for key, mod in ((pygame.K_n, pygame.KMOD_CTRL), (pygame.K_ESCAPE, 0)):
        for kind in (pygame.KEYDOWN, pygame.KEYUP):
            pygame.event.post(pygame.event.Event(kind, key=key, unicode="", mod=mod))
    driver.turn()
    assert driver.scene.dialog is None


def test_full_screen_begins_where_the_user_has_left_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = SimpleNamespace(position=(30, 40))
    monkeypatch.setattr(window, "_window", lambda: fake)
    geometry = window.WindowGeometry()
    for minimised, shown, moved, position, mended in (
        (0.0, 5.0, 5.1, (600, 1160), (30, 40)),  # on the way back, beyond the screen
        (10.0, 11.0, 15.0, (300, 200), (300, 200)),  # the user has moved the window
    ):
        geometry.handle_event(pygame.WINDOWMINIMIZED, minimised)
        geometry.handle_event(pygame.WINDOWSHOWN, shown)
        fake.position = position
        geometry.handle_event(pygame.WINDOWMOVED, moved)
        geometry.mend()
        assert fake.position == mended


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no X11")
def test_missing_libraries_of_x11_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(name: str, **_: object) -> None:
        if name in ("libXi.so.6", "libXrandr.so.2"):
            raise OSError(name)

    pygame.display.quit()
    for variable in ("WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("DISPLAY", ":no-such-display")
    monkeypatch.setattr(ctypes, "CDLL", load)
    with pytest.raises(DisplayError, match=r"libXi\.so\.6, libXrandr\.so\.2\..* apt install libxi6 libxrandr2"):
        open_window()


def test_a_message_disappears_by_itself(open_window: OpenWindow) -> None:
    over = parse_board("X" * 40 + "O" * 24 + " X")  # no clock runs that would wake the window
    driver = open_window(PERSON, PERSON, start=Game.new(Othello(), over))
    driver.settle()
    now = time.monotonic()
    driver.scene.do(gui.ShowMessage("well done", is_success=True), now)
    driver.scene.update(now)
    assert driver.status == "well done"
    driver.scene.update(driver.scene.next_wake(now) or now)
    assert driver.status != "well done"


def test_the_menu_offers_to_resign_in_a_running_game_and_closes_with_a_choice(driver: WindowDriver) -> None:
    for is_enabled in (True, False):
        driver.open("menu")
        assert [*map(driver.is_enabled, ("resign", "draw"))] == [is_enabled] * 2
        driver.keys("Esc")
        driver.do(Resign())
    driver.open("menu")
    driver.press("analyse")
    assert driver.scene.dialog is None
    assert driver.scene.mode.name == "analyse"


@pytest.mark.parametrize("mode", MODES)
def test_an_idle_screen_calls_no_rules_and_builds_equal_widgets(driver: WindowDriver, mode: str) -> None:
    driver.type("d3c3")
    driver.switch(mode)
    driver.settle()
    driver.session.do(HoldAnalyses(True), time.monotonic())
    driver.settle()
    driver.scene.update(time.monotonic())
    called: Counter[str] = Counter()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            called[f"{frame.f_code.co_filename}:{frame.f_code.co_name}".replace("\\", "/")] += 1

    now = time.monotonic() + 1  # a person's clock shows another time
    sys.setprofile(note)
    try:
        driver.scene.update(now)
        driver.scene.next_wake(now)
    finally:
        sys.setprofile(None)
    unwanted = "/othello/rules/", "/othello/schema.py", "/gui/screen.py:show"
    assert {name: times for name, times in called.items() if any(each in name for each in unwanted)} == {}
    assert sum(called.values()) < 400
    driver.open("save")
    driver.settle()
    for _ in range(2):
        assert driver.scene.draw(pygame.Surface(DESIGN_SIZE)) == []
        driver.scene.show(time.monotonic())


def test_the_centre_of_reversi_is_filled_by_clicks(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, spec=game_spec(options={"start": "reversi"}))
    driver.click_square("c3")
    assert driver.moves() == []
    for name in ("d4", "d5", "e4", "e5"):
        assert driver.shows(name) == "empty"
        driver.click_square(name)
        driver.settle()
    assert [*map(driver.shows, ("d4", "d5", "e4", "e5"))] == ["black", "white", "black", "white"]
    driver.click_square("d6")
    driver.settle()
    assert [*map(driver.shows, ("d5", "e5", "d6"))] == ["black", "white", "black"]


@pytest.mark.parametrize("window", [(1280, 800), (900, 600)])
@pytest.mark.slow
def test_a_game_on_a_small_board_is_played_by_clicks(open_window: OpenWindow, window: tuple[int, int]) -> None:
    driver = open_window(PERSON, computer("first"), spec=game_spec(options={"size": 6, "handicap": 2}))
    driver.resize(window)
    driver.settle()
    discs = {"a1": "black", "c3": "white", "d3": "black", "c4": "black", "d4": "white", "f6": "black", "f1": "empty"}
    assert {name: driver.shows(name) for name in discs} == discs
    driver.assert_laid_out()
    driver.click_square("c2")
    driver.until(lambda: driver.session.game.ply == 2)
    assert driver.moves()[0] == "c2"
    assert driver.shows("c3") == "black"
    while not driver.session.game.is_over:
        if driver.session.announces_pass:
            driver.keys("Enter")
        elif driver.session.awaits_user:
            driver.click_square(driver.session.game.text_of(driver.session.game.legal_moves()[0]))
        driver.settle()
    assert sum(driver.session.game.rules.score(driver.session.game.position)) > 20


def test_a_random_start_is_drawn_while_the_window_waits(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, computer("first"), spec=game_spec(options={"start": "random"}))
    assert status_text.status(driver.session, "", counts=True) == tr("status.drawing")
    driver.until(lambda: not driver.session.is_drawing, COMPILE_TIMEOUT)
    assert driver.session.game.ply == 8
    assert driver.session.awaits_user
    driver.click_square(driver.session.game.text_of(driver.session.game.legal_moves()[0]))
    driver.until(lambda: driver.session.game.ply == 10)


@pytest.fixture
def connect_four(open_window: OpenWindow) -> WindowDriver:
    """Open a game whose moves are columns, for two people."""
    return open_window(PERSON, PERSON, spec=game_spec("connect_four"))


def test_a_click_anywhere_in_a_column_drops_a_disc_there(connect_four: WindowDriver) -> None:
    place = connect_four.board_place
    for square in (3, 17, 38):
        connect_four.click(place.square_rect(square).center)
    for y in (place.board.top + 1, place.board.bottom - 2, place.board.top - 5):
        connect_four.click((place.square_rect(0).centerx, y))
    assert "".join(connect_four.moves()) == "44411", "the last click is above the board"


def test_a_digit_or_a_letter_is_a_whole_move_and_a_falling_disc_sounds_as_a_move(connect_four: WindowDriver) -> None:
    connect_four.type("4")
    assert connect_four.scene.view_state.flip is not None
    connect_four.until(lambda: connect_four.scene.view_state.flip is None)
    assert connect_four.sounds == (Sound.MOVE,)
    for typed, moves in (("d17", "4417"), ("4444", "44174444"), ("4", "44174444")):
        connect_four.type(typed)
        assert "".join(connect_four.moves()) == moves
    assert connect_four.is_bad, "the column is full"


def test_the_cursor_chooses_where_a_disc_lands(connect_four: WindowDriver) -> None:
    connect_four.type("22")
    connect_four.keys("Right", "Right", "Enter")  # the cursor appears where the discs lie highest
    assert "".join(connect_four.moves()) == "223"


def test_the_end_shows_no_points_and_a_line_through_the_row(connect_four: WindowDriver) -> None:
    connect_four.type("1122334")
    connect_four.settle()
    assert "0" not in connect_four.status
    assert not any(card.points for card in connect_four.cards)
    assert connect_four.pixel(connect_four.board_place.square_rect(36).midright) == palette_named().last_move


def test_icons_of_opposite_directions_are_mirrored_and_steps_differ_from_ends() -> None:
    pictures = {name: pygame.surfarray.array_alpha(icon(name, 14, (255, 255, 255))) for name in BROWSE}
    for one, other in (("first", "last"), ("back", "forward")):
        assert np.array_equal(pictures[one], pictures[other][::-1])
    assert not np.array_equal(pictures["first"], pictures["back"])


def shown(game: str, name: str) -> AnyGame:
    return line_of(game, next(each for each in renderer_type(game).lessons if each.name == name))


def boards(game: AnyGame) -> set[int]:
    return {move // 27 * 3 + move % 9 // 3 for move in game.legal_moves()}


def test_the_boards_of_lessons_show_what_the_sentences_say() -> None:
    star = shown("othello", "capture")
    taken = star.rules.captured(star.position, star.rules.parse_move(star.position, "d4"))
    ways = {tuple((a > b) - (a < b) for a, b in zip(divmod(at, 8), (3, 3), strict=True)) for at in taken}
    assert len(ways) == 8
    after = shown("othello", "pass")
    white = after.rules.parse_position(after.rules.format_position(after.position).replace(" X", " O"))
    assert Game.new(after.rules, white).must_pass
    assert not after.must_pass
    assert shown("othello", "end").rules.score(shown("othello", "end").position) == (38, 26)
    for game in ("tictactoe", "connect_four"):
        ends = [shown(game, name) for name in ("row", "column", "diagonal", "draw")]
        assert all(each.is_over for each in ends)
        assert [each.outcome and each.outcome.winner for each in ends] == [*[Color.BLACK] * 3, None]
    sent, won, free, end = (shown("ultimate_tictactoe", name) for name in ("sent", "won", "free", "end"))
    assert (boards(sent), boards(won), boards(free)) == ({2}, {5}, {*range(9)} - {4})
    assert won.rules.block_owners(won.position)[4] is Color.BLACK
    assert len(end.rules.won_lines(end.position)) == 1


def test_how_to_play_opens_from_new_game_for_the_chosen_game(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, spec=game_spec("ultimate_tictactoe"))
    driver.keys("Ctrl+N")
    for game, lesson in (("ultimate_tictactoe", "sent"), ("othello", "capture")):
        driver.use(("game", game))
        driver.press("help")
        assert isinstance(driver.scene.dialog, HowToPlayDialog)
        assert tr(f"how_to_play.{game}.{lesson}") in driver.words()
        driver.keys("Esc")
        assert isinstance(driver.scene.dialog, NewGameDialog)


def test_the_variants_of_this_game_are_marked(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, spec=game_spec("othello", {"goal": "fewest", "handicap": 2}))
    driver.keys("F1")
    assert tr("how_to_play.othello.capture") in driver.words(), "the rules come first until a game was finished"
    driver.keys("Left")
    assert tr("how_to_play.othello.capture") not in driver.words()
    driver.keys("Right")
    here = [each for each in driver.words() if each.endswith("(this game)")]
    assert here == ["Goal: Fewest discs wins (this game)", "Handicap for black (this game)"]
