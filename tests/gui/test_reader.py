"""Raw events become commands, and text in fields."""

from itertools import product
from unittest.mock import Mock

import pygame
import pytest

from othello.gui import actions, commands as gui
from othello.gui.actions import ACTIONS, Context, buttons, key_list
from othello.gui.app.loop import EventTranslator, settled
from othello.gui.dialogs.notices import NoteDialog
from othello.gui.toolkit import inputs
from othello.gui.toolkit.field import TextField
from othello.play import session_commands as cmd
from othello.rules.protocol import Color
from tests.gui.window_driver import WindowDriver


def read(*raw: pygame.Event, where: Context = Context.GAME) -> list[object]:
    letters = "abcdefgh12345678" if where in Context.BOARD else ""
    found = [EventTranslator().read(event, lambda: False) for event in settled(raw)]
    meant = (actions.meaning(each, where, letters) if isinstance(each, inputs.Key) else each for each in found)
    return [each for each in meant if each is not None]


def key(code: int, text: str = "", mod: int = 0) -> pygame.Event:
    return pygame.event.Event(pygame.KEYDOWN, key=code, unicode=text, mod=mod)


@pytest.mark.parametrize(
    ("event", "command"),
    [
        (key(pygame.K_LEFT), gui.MoveCursor(-1, 0)),
        (key(pygame.K_DOWN), gui.MoveCursor(0, 1)),
        (key(pygame.K_RETURN), gui.PlainCommand.CONFIRM),
        (key(pygame.K_TAB, "\t"), gui.NextLegal(1)),
        (key(pygame.K_TAB, "\t", pygame.KMOD_LSHIFT), gui.NextLegal(-1)),
        (key(pygame.K_F6), gui.MoveFocus(1, by_group=True)),
        (key(pygame.K_d, "d"), gui.Type("d")),
        (key(pygame.K_d, "D", pygame.KMOD_SHIFT), gui.Type("d")),
        (key(pygame.K_3, "3"), gui.Type("3")),
        (key(pygame.K_KP3, "3"), gui.Type("3")),
        (key(pygame.K_n, "n"), gui.Toggle("shows_captures")),
        (key(pygame.K_n, "\x0e", pygame.KMOD_CTRL), gui.Open("new_game")),
        (key(pygame.K_z, "\x1a", pygame.KMOD_CTRL), cmd.Undo()),
        (key(pygame.K_z, "\x1a", pygame.KMOD_CTRL | pygame.KMOD_SHIFT), cmd.Redo()),
        (key(pygame.K_y, "\x19", pygame.KMOD_CTRL), cmd.Redo()),
        (key(pygame.K_q, "\x11", pygame.KMOD_CTRL), gui.Quit()),
        (key(pygame.K_SPACE, " "), cmd.TogglePause()),
        (key(pygame.K_PERIOD, "."), cmd.StepMoves()),
        (key(pygame.K_EQUALS, "+", pygame.KMOD_SHIFT), cmd.ChangePace(-1)),
        (key(pygame.K_MINUS, "-"), cmd.ChangePace(1)),
        (key(pygame.K_F3), cmd.HandOver(Color.WHITE)),
        (key(pygame.K_SLASH, "?", pygame.KMOD_SHIFT), gui.PlainCommand.TOGGLE_HELP),
        (key(pygame.K_LEFT, "", pygame.KMOD_CTRL), cmd.Browse(-1)),
        (pygame.event.Event(pygame.QUIT), gui.Quit()),
        (pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=-1), inputs.Scroll(1)),
        (pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(3, 4), button=1), inputs.MousePressed((3, 4))),
        (pygame.event.Event(pygame.MOUSEMOTION, pos=(3, 4), rel=(0, 0), buttons=(0, 0, 0)), inputs.MouseMoved((3, 4))),
        (pygame.event.Event(pygame.WINDOWLEAVE), inputs.MouseMoved(None)),
        (key(pygame.K_j, "d", pygame.KMOD_ALT), None),
        (key(pygame.K_j, "\x04", pygame.KMOD_CTRL), None),
        (key(pygame.K_9, "9"), None),
        (key(pygame.K_TAB, "\t", pygame.KMOD_ALT), None),
        (key(pygame.K_LSHIFT), None),
        (pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(3, 4), button=2), None),
    ],
)
def test_an_event_becomes_a_command_or_is_ignored(event: pygame.Event, command: object) -> None:
    assert read(event) == ([] if command is None else [command])


def test_only_the_last_of_many_resizes_counts() -> None:
    storm = [pygame.event.Event(pygame.VIDEORESIZE, w=900 + n, h=600 + n, size=(0, 0)) for n in range(50)]
    assert read(*storm, key(pygame.K_RETURN)) == [gui.Resize((949, 649)), gui.PlainCommand.CONFIRM]


OPPOSITES = ("Left", "Right"), ("Up", "Down"), ("Page Up", "Page Down"), ("Tab", "Shift+Tab"), ("F6", "Shift+F6")


@pytest.mark.parametrize("where", Context.SCREENS)
def test_a_key_has_one_action_its_opposite_the_opposite_one_and_letters_of_squares_none(where: Context) -> None:
    keys = [key for action in ACTIONS if where in action.context for key in action.keys + action.also]
    assert len(keys) == len(set(keys))
    assert {key.lower() for key in keys}.isdisjoint("abcdefgh12345678")
    for modifier, pair in product(("", "Ctrl+", "Alt+", "Shift+"), (*OPPOSITES, ("+", "-"))):
        found = filter(None, (actions.meaning(inputs.Key(modifier + name), where) for name in pair))
        numbers = [[value for value in vars(command).values() if type(value) is int] for command in found]
        assert not numbers or numbers[0] == [-number for number in numbers[1]] != []


def test_keys_and_buttons_depend_on_the_screen() -> None:
    assert all(isinstance(read(key(ord(letter), letter))[0], gui.Type) for letter in "abcdefgh")
    game, rated = dict(key_list(Context.GAME)), dict(key_list(Context.TOURNAMENT_GAME))
    assert "Ctrl+Z or Backspace" in game
    assert rated.keys() & {"Ctrl+Z or Backspace", "Ctrl+Y", "F2  F3", "F4"} == set()
    assert read(key(pygame.K_F4), where=Context.TOURNAMENT_GAME) == []
    assert read(key(pygame.K_UP), where=Context.STANDINGS) == [gui.MoveCursor(0, -1)]
    assert read(key(pygame.K_RETURN), where=Context.STANDINGS) == [gui.PlainCommand.CONFIRM]
    assert read(key(pygame.K_RETURN), where=Context.STANDINGS_WITH_PERSON) == [gui.PlainCommand.BEGIN_GAME]
    assert read(key(pygame.K_TAB, "\t"), where=Context.STANDINGS) == [gui.MoveFocus(1)]
    assert read(key(pygame.K_d, "d"), where=Context.STANDINGS) == []
    assert [buttons(where)["again"].name for where in (Context.GAME, Context.TOURNAMENT_GAME)] == ["again", "leave"]


@pytest.fixture
def writer(driver: WindowDriver) -> WindowDriver:
    """Open the dialog of a note."""
    driver.keys("F7")
    return driver


def note(driver: WindowDriver) -> str:
    return driver.widget("note", TextField).value


def post(driver: WindowDriver, kind: int, **fields: object) -> None:
    pygame.event.post(pygame.event.Event(kind, fields))
    driver.turn()


def test_a_field_accepts_text_of_an_input_method(writer: WindowDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    assert writer.scene.writes
    monkeypatch.setattr(pygame.key, "set_text_input_rect", place := Mock())
    post(writer, pygame.KEYDOWN, key=pygame.K_l, unicode="ł", mod=pygame.KMOD_MODE)  # as AltGr does
    post(writer, pygame.TEXTINPUT, text="ł")
    assert note(writer) == "ł"
    before = writer.brightness(writer.placed("note").rect)
    post(writer, pygame.TEXTEDITING, text="に", start=0, length=1)
    assert note(writer) == "ł", "the field shows the text before it is written"
    assert (writer.brightness(writer.placed("note").rect) != before).any()
    assert writer.placed("note").rect.contains(place.call_args.args[0])
    post(writer, pygame.TEXTEDITING, text="", start=0, length=0)
    post(writer, pygame.TEXTINPUT, text="日")
    assert note(writer) == "ł日"
    writer.keys("Enter")
    assert writer.scene.widgets.caret is None


def test_text_in_a_field_is_no_shortcut_and_a_shortcut_writes_nothing(
    writer: WindowDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    shortcuts: list[str] = []
    with monkeypatch.context() as patched:
        patched.setattr(NoteDialog, "key", lambda _, key: shortcuts.append(key.name))
        ctrl, alt_gr, alt = pygame.KMOD_LCTRL, pygame.KMOD_RALT, pygame.KMOD_LALT
        for mod in (alt_gr, pygame.KMOD_MODE, ctrl | alt_gr, ctrl | alt, alt, pygame.KMOD_CAPS, 0):
            writer.write("ł", mod)
        for mod in (ctrl, pygame.KMOD_RMETA, ctrl | pygame.KMOD_RSHIFT):
            writer.write("1", mod)
        writer.write("ó")
    writer.write("?")
    assert note(writer) == "ł" * 7 + "ó?"
    assert shortcuts == ["Ctrl+1", "Ctrl+1", "Ctrl+Shift+1"]
    assert writer.session.game.ply == 0
    assert not writer.scene.wants_to_quit
    writer.keys("Ctrl+Q")
    assert writer.scene.wants_to_quit, "shortcuts of the window work in a field, too"


def test_a_held_key_repeats_only_in_a_field(writer: WindowDriver) -> None:
    def hold(code: int, times: int) -> None:
        for kind in (*[pygame.KEYDOWN] * times, pygame.KEYUP):
            pygame.event.post(pygame.event.Event(kind, key=code, unicode="", mod=0))
        writer.turn()

    assert pygame.key.get_repeat()[0] > 0
    writer.type("a note")
    hold(pygame.K_BACKSPACE, 4)
    assert note(writer) == "a "
    hold(pygame.K_RETURN, 9)
    assert writer.scene.dialog is None
    assert pygame.key.get_repeat() == (0, 0)
    hold(pygame.K_F10, 2)
    assert writer.scene.dialog is not None, "a second press would close the menu again"


def test_letters_of_one_turn_are_written_after_the_key_that_opens_the_field(driver: WindowDriver) -> None:
    event = pygame.event.Event
    pygame.event.post(event(pygame.KEYDOWN, key=pygame.K_F7, unicode="", mod=0))
    for letter in "a note":
        pygame.event.post(event(pygame.KEYDOWN, key=ord(letter), unicode=letter, mod=0))
        pygame.event.post(event(pygame.TEXTINPUT, text=letter))
        pygame.event.post(event(pygame.KEYUP, key=ord(letter), mod=0))
    driver.turn()
    assert note(driver) == "a note"
    assert driver.moves() == []


def test_quick_clicks_at_one_place_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000]
    monkeypatch.setattr(pygame.time, "get_ticks", lambda: now[0])
    reader = EventTranslator()

    def clicks(at: tuple[int, int], later: int = 0) -> int:
        now[0] += later
        event = pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=at, button=pygame.BUTTON_LEFT)
        command = reader.read(event, lambda: False)
        assert isinstance(command, inputs.MousePressed)
        return command.clicks

    assert [clicks((5, 5)) for _ in range(5)] == [1, 2, 3, 1, 2]
    assert [clicks((20, 5)), clicks((24, 4)), clicks((24, 9))] == [1, 2, 1], "four pixels count as one place"
    assert [clicks((7, 7)), clicks((7, 7), 399), clicks((7, 7), 400)] == [1, 2, 1]
