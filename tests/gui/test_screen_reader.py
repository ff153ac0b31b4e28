"""The window without eyes: what a screen reader is told of it, and what follows from what a screen reader asks for."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pygame
import pytest

from benchmarks.screen import Screen
from othello.gui import commands as gui
from othello.gui.modes import DIALOGS
from othello.gui.screen_reader import ScreenReader
from othello.gui.toolkit.inputs import Reach
from othello.gui.toolkit.telling import Voice
from othello.gui.window import DESIGN_SIZE
from othello.players.registry import configure
from othello.rules.registry import game_spec
from othello.texts import languages, use
from tests.gui.desk import Desk

CONTROLS = {"button", "cell", "check_box", "combo_box", "dialog", "list_box", "list_item", "menu_list_option"}
CONTROLS |= {"number_input", "radio_button", "radio_group", "slider", "text_input"}
GAMES = ("othello", "ultimate_tictactoe", "connect_four")
NEEDED = ("Xvfb", "dbus-run-session", "dbus-daemon")


class Listener:
    """Somebody who hears the window, and sees nothing of it."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def find(self, role: str, name: str) -> tuple[str, Voice]:
        """What has a role, and a name that begins so."""
        voices = self.desk.scene.told().voices.items()
        return next(
            (key, each) for key, each in voices if each.spoken.role == role and each.spoken.name.startswith(name)
        )

    def hears(self, role: str, name: str = "") -> str:
        return self.find(role, name)[1].spoken.name

    def do(self, act: str, role: str, name: str, value: str | float = "") -> None:
        command = Reach(self.find(role, name)[0], act, value)
        pygame.event.post(pygame.event.Event(ScreenReader.EVENT, command=command))
        self.desk.turn()

    @property
    def focused(self) -> str:
        told = self.desk.scene.told()
        return told.voices[told.focus].spoken.name


@pytest.fixture
def listen(sit_down: Callable[..., Desk]) -> Callable[..., Listener]:
    return lambda game="othello": Listener(sit_down(configure("user"), configure("user"), spec=game_spec(game)))


def test_whoever_hears_the_window_can_use_it(listen: Callable[..., Listener]) -> None:
    person = listen()
    assert person.hears("window") == "Othello"
    assert person.find("button", "New game")[1].spoken.key == "Ctrl+N"
    assert not person.find("button", "Undo")[1].spoken.is_enabled
    assert person.hears("cell", "d3") == "d3, empty, legal, captures 1"
    assert person.hears("cell", "e4") == "e4, Black"
    assert person.hears("cell", "a1") == "a1, empty"

    person.do("press", "cell", "d3")
    assert person.hears("cell", "d3") == "d3, Black, last move"
    assert person.hears("status").startswith("Black played d3. White to move.")
    assert person.find("status", "")[1].spoken.live
    assert person.hears("list_item", "1") == "1 Black d3"

    person.do("focus", "cell", "c3")
    assert person.focused.startswith("c3, empty")
    person.desk.key(pygame.K_RIGHT)
    assert person.focused.startswith("d3, Black")  # what the arrow keys reach is said
    person.do("press", "button", "Undo")
    assert person.hears("cell", "d3").startswith("d3, empty")


@pytest.mark.slow
def test_dialogs_are_told_alone_and_their_controls_are_set(listen: Callable[..., Listener]) -> None:
    person = listen()
    person.do("press", "button", "Settings")
    assert person.hears("dialog") == "Settings"
    assert person.focused == "Done"
    assert not any(each.spoken.role == "cell" for each in person.desk.scene.told().voices.values())  # lies below
    wanted = person.desk.scene.preferences
    person.do("press", "radio_button", "Light")
    person.do("press", "check_box", "Coordinates")
    person.do("put", "number_input", "mistake", "7")
    person.do("less", "slider", "Sound")
    person.do("put", "slider", "Text size", 0)
    assert (wanted.value.theme, wanted.value.shows_coordinates, wanted.value.mistake) == ("light", False, 7)
    assert (wanted.value.volume, wanted.value.text_size) < (60, 100)
    person.do("focus", "combo_box", "Language")
    assert person.focused == "Language"
    person.do("press", "combo_box", "Language")
    assert person.focused.startswith("As the system")
    person.do("press", "menu_list_option", "Polski")
    assert person.hears("dialog") == "Ustawienia"
    person.do("press", "button", "Gotowe")
    assert person.hears("cell", "d3") == "d3, puste, dozwolone, zbija 1"


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_control_has_a_name_and_a_whole_game_is_played(game: str, listen: Callable[..., Listener]) -> None:
    person = listen(game)
    desk = person.desk
    for language in languages():
        use(language)
        for name in ("", *DIALOGS):
            if name:
                desk.scene.do(gui.Open(name), time.monotonic())
                desk.turn()
            voices = desk.scene.told().voices
            controls = ((key, each.spoken) for key, each in voices.items() if each.spoken.role in CONTROLS)
            unnamed = [key for key, spoken in controls if not spoken.name.strip()]
            unheard = {each.panel.name for each in desk.scene.stage.panels() if each.panel.takes_focus} - voices.keys()
            assert not unnamed, name
            assert not unheard, name
            desk.scene.close_dialog()
            desk.turn()
    use("en")
    while not desk.session.referee.is_over:
        legal = next((each for each in desk.scene.told().voices.values() if ", legal" in each.spoken.name), None)
        if legal is None:
            desk.key(pygame.K_RETURN)  # a pass is acknowledged
        else:
            person.do("press", "cell", legal.spoken.name)
        desk.settle()
    assert "wins" in person.hears("status") or "draw" in person.hears("status").lower()


@pytest.mark.slow
@pytest.mark.skipif(not all(map(shutil.which, NEEDED)), reason=f"needs {', '.join(NEEDED)}")
def test_a_client_of_at_spi_plays_a_whole_game(tmp_path: Path) -> None:
    pytest.importorskip("accesskit")
    pytest.importorskip("jeepney")
    config = {"seed": 1, "move_delay_seconds": 0, "game": "tictactoe", "players": 2 * [{"player_type": "user"}]}
    (tmp_path / "config.json").write_text(json.dumps(config))
    with Screen(*DESIGN_SIZE) as screen:
        done = subprocess.run(
            ["dbus-run-session", "--", sys.executable, "-m", "tests.gui.atspi", str(tmp_path / "config.json")],
            env=screen.environment(),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    if "no accessibility bus" in done.stderr:
        pytest.skip("no accessibility bus can be started")
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("X played c2. X wins.\n"), done.stdout
