"""Checks of the examples of docs/extending.md. `test_extending` runs this file in a copy of the program with them."""

from othello.cli.arguments import COMMANDS
from othello.gui.mode_registry import MODES
from othello.gui.preferences import Preferences
from othello.gui.toolkit.controls import Checkbox
from tests.command_line import CommandLine
from tests.golden.screens import describe
from tests.gui import conftest, scenes
from tests.gui.scenes import Opener
from tests.gui.window_driver import OpenWindow
from tests.play.fake_players import PERSON

open_window, open_tournament, opener = conftest.open_window, conftest.open_tournament, conftest.opener


def test_the_mode(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON)
    assert [*MODES][-1] == "mobility"
    driver.keys("Ctrl+9")
    assert driver.shows_words("Legal moves: 4")
    driver.type("f5d6")
    driver.settle()
    assert driver.shows_words("Legal moves: 5")
    driver.press("mobility")
    driver.keys("Page Up")
    driver.settle()
    assert driver.shows_words("Legal moves: 3")


def test_the_columns(opener: Opener) -> None:
    assert " score " in describe(scenes.finished(opener))
    assert " drawn 0" in describe(scenes.explored(opener))


def test_the_command(cli: CommandLine) -> None:
    assert "moves" in COMMANDS
    assert cli("moves", "--moves", "f5") == "f4 d6 f6\n"
    assert cli("moves", "--count") == "4\n"


def test_the_setting(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON)
    driver.open("settings")
    assert driver.widget("lists_moves", Checkbox).label == "Legal moves as text"
    driver.press("lists_moves")
    assert driver.scene.preferences.value == Preferences(lists_moves=True)  # type: ignore[call-arg]
