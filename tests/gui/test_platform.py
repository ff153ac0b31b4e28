"""The desktop: its settings, size of the window, entry in the menu, log, and sounds with and without a sound card."""

import ctypes
import logging
import os
import shutil
import subprocess
import sys
import time
import wave
from collections.abc import Iterator
from configparser import ConfigParser
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock, call
from xml.etree import ElementTree

import numpy as np
import psutil
import pygame
import pytest

import othello
from othello.game import Game
from othello.gui.dialogs.saving import KINDS
from othello.gui.platform import desktop, sound_process, window
from othello.gui.platform.log import write_log
from othello.gui.platform.screen_reader import _set_state
from othello.gui.preferences import Preferences, PreferencesFile, motion_of, toggled
from othello.gui.sounds import SOUND_PROCESS, Sound, Sounds
from othello.gui.toolkit.widget import AccessibleNode
from othello.gui.widgets.view_state import SoundCues
from othello.play import session_commands as cmd
from othello.resources import asset
from tests.gui.window_driver import TIMEOUT, OpenWindow, WindowDriver, move
from tests.play.fake_players import PERSON
from tests.positions import RULES
from tests.waiting import wait_until
from tools import make_sounds
from tools.make_icon import SIZES

needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no such pipes")
KEPT = {"size": [1000, 700]}


@pytest.mark.parametrize(
    ("screen", "remembered", "place"),
    [
        ((1280, 800), {}, ((1280, 728), (0, 48))),  # with room for a title bar
        ((900, 600), {}, ((900, 528), (0, 48))),
        ((2560, 1600), {"maximised": True}, ((2048, 1280), (256, 213))),
        ((800, 600), {"maximised": 1}, ((800, 528), (0, 48))),
        ((640, 480), {"maximised": None}, ((640, 408), (0, 48))),
        ((1920, 1080), KEPT, ((1000, 700), (460, 253))),
        ((1920, 1080), {**KEPT, "position": [1819, 979], "maximised": False}, ((1000, 700), (1819, 979))),
        *(((1920, 1080), KEPT | {"position": at}, ((1000, 700), (460, 253))) for at in ([1820, 7], [0, 980], [-1, 0])),
        ((1920, 1080), {"size": [10**9, 10**9], "position": [0, 0]}, ((1920, 1008), (0, 0))),
        *(((1920, 1080), {"size": invalid}, ((1536, 864), (192, 144))) for invalid in ("large", [1], [1.5, 2], None)),
        ((900, 600), {"size": [10, 10], "screen": [900, 600]}, ((880, 520), (10, 53))),
        ((2560, 1600), {"size": [900, 528], "screen": [900, 600]}, ((2048, 1280), (256, 213))),  # of another screen
    ],
)
def test_the_window_fits_the_screen_and_remembers_a_valid_place(
    monkeypatch: pytest.MonkeyPatch, screen: tuple[int, int], remembered: dict[str, object], place: object
) -> None:
    monkeypatch.setattr(window, "_window", Mock(return_value=(fake := Mock())))
    monkeypatch.setattr(window, "screen_reader", fake.reader)
    monkeypatch.setattr(pygame.display, "get_desktop_sizes", lambda: [screen])
    fake.show.side_effect = lambda: fake.configure_mock(position=(0, 0))
    window.open_window(remembered)
    window.appear()
    assert (pygame.display.get_window_size(), fake.position) == place
    assert fake.minimum_size == (min(880, screen[0]), min(520, screen[1] - 72))
    assert (fake.maximize.called, fake.reader.open.called) == (remembered.get("maximised") is True, True)
    assert (os.environ["SDL_APP_NAME"], os.environ["SDL_MOUSE_FOCUS_CLICKTHROUGH"]) == ("othello", "1")
    assert (pygame.display.get_caption()[0], pygame.event.get_blocked(pygame.JOYDEVICEADDED)) == ("Othello", True)
    pygame.display.quit()


def test_full_screen_is_switched_and_a_maximised_window_stays_so(monkeypatch: pytest.MonkeyPatch) -> None:
    fake, states = Mock(), Mock(side_effect=(False, True, True))
    monkeypatch.setattr(window, "_window", lambda: fake)
    monkeypatch.setattr(pygame.display, "is_fullscreen", states)
    monkeypatch.setattr(window.whereabouts, "mend", fake.mend)
    for is_maximised in (True, True, False):
        window.toggle_full_screen(is_maximised=is_maximised)
    back = call.set_windowed()
    assert fake.mock_calls == [call.mend(), call.set_fullscreen(desktop=True), back, call.maximize(), back]


def test_the_place_of_the_window_is_remembered_unless_it_is_maximised(monkeypatch: pytest.MonkeyPatch) -> None:
    window.open_window()
    monkeypatch.setattr(window, "_window", lambda: SimpleNamespace(size=(900, 600), position=(30, 40)))
    monkeypatch.setattr(window.whereabouts, "mend", mended := Mock())
    before = {"size": [900, 600], "position": [30, 40], "screen": [*pygame.display.get_desktop_sizes()[0]]}
    assert window.window_state(is_maximised=False, before={}) == {**before, "maximised": False}
    assert window.window_state(is_maximised=True, before=before) == {**before, "maximised": True}
    mended.assert_called_once()
    pygame.display.quit()


def test_the_window_is_hidden_until_it_appears() -> None:
    window.open_window()
    assert not pygame.display.get_active()
    window.appear()
    assert pygame.display.get_active()
    pygame.display.quit()


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    path = tmp_path / "state" / "othello.log"
    monkeypatch.setattr("othello.gui.platform.log.log_path", lambda: path)
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    logger = logging.getLogger("othello")
    handlers, level = logger.handlers[:], logger.level
    yield path
    for handler in set(logger.handlers) - set(handlers):
        handler.close()
        logger.removeHandler(handler)
    logger.setLevel(level)


def test_the_log_has_errors_and_stays_small(log: Path) -> None:
    write_log()
    assert othello.__version__ in log.read_text()
    sys.excepthook(ZeroDivisionError, ZeroDivisionError("of all things"), None)
    assert "of all things" in log.read_text()
    for _ in range(120):
        logging.getLogger("othello.gui").warning("x" * 10_000)
    assert sum(path.stat().st_size for path in log.parent.iterdir()) < 1_100_000
    assert {path.name for path in log.parent.iterdir()} <= {"othello.log", "othello.old.log"}


@pytest.mark.parametrize("is_pipe", [False, pytest.param(True, marks=needs_pipes)])
def test_a_log_that_cannot_be_written_is_ignored(log: Path, capsys: pytest.CaptureFixture[str], is_pipe: bool) -> None:
    if is_pipe:
        log.parent.mkdir()
        os.mkfifo(log)
    else:
        log.parent.write_text("a file")
    write_log()
    logging.getLogger("othello.gui").warning("no file can be written")
    assert capsys.readouterr().err == ""


def test_the_desktop_entry_is_valid() -> None:
    file = asset("desktop/othello.desktop")
    entry = ConfigParser(interpolation=None)
    entry.optionxform = str  # type: ignore[assignment,method-assign]
    entry.read_string(file.read_text(encoding="utf-8"))
    says = entry["Desktop Entry"]
    assert says["StartupWMClass"] == says["Exec"].split()[0] == says["Icon"] == "othello"
    types = ElementTree.parse(file.with_suffix(".xml"))
    assert says["MimeType"] == "".join(f"{each.attrib['type']};" for each in types.findall(".//{*}mime-type"))
    endings = {each.attrib["pattern"].removeprefix("*") for each in types.findall(".//{*}glob")}
    assert endings == {KINDS[name] for name in ("game", "moves", "board")} | {".ggf", ".sgf", ".wtb"}
    for size in SIZES:
        assert pygame.image.load(asset(f"desktop/icons/{size}x{size}/{says['Icon']}.png")).size == (size, size)
    if (judge := shutil.which("desktop-file-validate")) is not None:
        assert subprocess.run([judge, str(file)], capture_output=True, text=True, check=False).stdout == ""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(desktop, "_answer", {"animates": True})
    monkeypatch.setattr(desktop, "_SECONDS", 0.2)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    monkeypatch.setenv("XDG_CURRENT_DESKTOP", "ubuntu:GNOME")
    return tmp_path


def command(folder: Path, name: str, does: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{does}\n")
    (folder / name).chmod(0o755)


def ask_desktop() -> bool:
    """Return whether the desktop has animations."""
    desktop.ask().join()
    return desktop.animates()


@pytest.mark.parametrize(
    ("does", "animates"), [("echo false", False), ("echo true", True), ("exit 1", True), ("exec sleep 5", True)]
)
def test_animations_are_on_unless_gnome_turns_them_off(home: Path, does: str, animates: bool) -> None:
    command(home, "gsettings", does)
    assert motion_of(Preferences()) == "full"
    assert ask_desktop() is animates
    usual = "full" if animates else "none"
    assert (motion_of(Preferences()), motion_of(Preferences(motion="full"))) == (usual, "full")
    assert toggled(Preferences(), "motion") == {"motion": "none" if animates else "full"}


@pytest.mark.parametrize(
    ("settings", "animates"),
    [("[KDE]\nAnimationDurationFactor=0\n", False), ("[KDE]\nAnimationDurationFactor=0.5\n", True), ("[KDE]\n", True)],
)
def test_kde_has_the_setting_in_a_file(
    home: Path, monkeypatch: pytest.MonkeyPatch, settings: str, animates: bool
) -> None:
    monkeypatch.setenv("XDG_CURRENT_DESKTOP", "KDE")
    assert ask_desktop()
    (home / "kdeglobals").write_text(settings)
    assert ask_desktop() is animates


def test_windows_and_macos_have_the_setting_too(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command(home, "defaults", "echo 1")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert not ask_desktop()
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(ctypes, "byref", lambda value: value)
    user = SimpleNamespace(SystemParametersInfoW=lambda *given: setattr(given[2], "value", 0))
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(user32=user), raising=False)
    assert not ask_desktop()
    user.SystemParametersInfoW = lambda *_: 0
    assert ask_desktop()


def test_screen_readers_are_told_the_states_of_a_widget() -> None:
    accesskit = pytest.importorskip("accesskit")
    slider, dialog = accesskit.Node(accesskit.Role.SLIDER), accesskit.Node(accesskit.Role.DIALOG)
    told = AccessibleNode("slider", checked=True, selected=False, is_open=True, live="polite", is_enabled=False)
    _set_state(slider, replace(told, value_range=(2.0, 1.0, 3.0)))
    _set_state(dialog, AccessibleNode("dialog"))
    numbers = "numeric_value", "min_numeric_value", "max_numeric_value", "numeric_value_step"
    assert [getattr(slider, name) for name in numbers] == [2.0, 1.0, 3.0, 1.0]
    names = "toggled", "is_selected", "is_expanded", "live", "is_disabled", "is_modal"
    states = [accesskit.Toggled.TRUE, False, True, accesskit.Live.POLITE, True, False]
    assert [getattr(slider, name) for name in names] == states
    assert [getattr(dialog, name) for name in names] == [None, None, None, None, False, True]


def test_the_script_makes_the_shipped_files(tmp_path: Path) -> None:
    make_sounds.write(tmp_path)
    assert {path.stem for path in tmp_path.iterdir()} == {sound.value for sound in Sound}
    assert {path.name for path in asset("sounds").iterdir()} == {path.name for path in tmp_path.iterdir()}
    for path in tmp_path.iterdir():
        made, shipped = samples(path), samples(asset("sounds") / path.name)
        assert np.abs(made - shipped).max() <= 2  # machines round differently
        assert 2_000 < np.abs(shipped).max() < 32_767
        assert path.stat().st_size < 64_000


def samples(path: Path) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    with wave.open(str(path)) as file:
        return np.frombuffer(file.readframes(file.getnframes()), dtype="<i2").astype(np.int64)


def speakers() -> list[str]:
    """Return the command lines of the sound processes, which are empty for a moment after the start."""
    found = []
    for child in psutil.Process().children():
        with suppress(psutil.ZombieProcess, psutil.NoSuchProcess):
            found.append(" ".join(child.cmdline()))
    return [words for words in found if not words or "sound_process" in words]


@pytest.mark.parametrize(("driver", "works"), [("dummy", True), ("none of them", False)])
def test_the_sound_process_ends_with_its_input(monkeypatch: pytest.MonkeyPatch, driver: str, works: bool) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", driver)
    orders = "".join(f"{sound.value} {10 * index}\n" for index, sound in enumerate(Sound))
    command = [sys.executable, "-P", str(SOUND_PROCESS), str(asset("sounds"))]
    done = subprocess.run(command, input=orders, text=True, capture_output=True, timeout=TIMEOUT, check=False)
    assert (done.returncode == 0) is works, done.stderr


def test_sounds_have_their_volume_and_a_card_that_hangs_ends_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = Mock()
    monkeypatch.setattr(pygame, "mixer", calls.mixer)
    monkeypatch.setattr("othello.gui.platform.sound_process.faulthandler", calls)
    sound_process.play(asset("sounds"), ["move 60\n", "end 100\n"])
    guard, done = call.dump_traceback_later(5.0, exit=True), call.cancel_dump_traceback_later()
    used = [each for each in calls.mock_calls if each[0] != "mixer.Sound"]
    played = [[guard, call.mixer.Sound().set_volume(share), call.mixer.Sound().play(), done] for share in (0.6, 1.0)]
    assert used == [guard, call.mixer.init(22_050, -16, 1, 512), *played[0], *played[1]]


def test_the_sound_process_starts_with_the_first_sound_and_ends_when_sound_is_off() -> None:
    preferences = PreferencesFile()
    sounds = Sounds(preferences)
    sounds.play(())
    assert not speakers()
    sounds.play((Sound.MOVE, Sound.FLIP))
    assert len(speakers()) == 1
    preferences.change(sound=False)
    sounds.play(())
    assert not speakers()
    for volume in (0, 60):
        preferences.change(sound=True, volume=volume)
        sounds.play((Sound.END,))
        assert len(speakers()) == bool(volume)
    sounds.close()


def test_a_sound_is_ordered_by_its_name_and_volume(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("othello.gui.sounds._begin", begin := Mock())
    Sounds(PreferencesFile()).play((Sound.MOVE, Sound.FLIP))
    begin().stdin.write.assert_called_once_with(b"move 60\nflip 60\n")


@pytest.mark.parametrize("program", ["", "import nothing_of_that_name", None])
def test_a_sound_process_that_ended_or_is_missing_is_silent_and_not_restarted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, program: str | None
) -> None:
    if program is None:
        monkeypatch.setattr(sys, "executable", "/nowhere/python")
    else:
        (tmp_path / "speaker.py").write_text(program)
        monkeypatch.setattr("othello.gui.sounds.SOUND_PROCESS", tmp_path / "speaker.py")
    sounds = Sounds(PreferencesFile())
    sounds.play((Sound.MOVE,))
    wait_until(lambda: not speakers())
    for _ in range(3):
        sounds.play((Sound.MOVE,))
        assert not speakers()
    sounds.close()


def test_closing_kills_a_sound_process_that_hangs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "speaker.py").write_text("import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nsignal.pause()")
    monkeypatch.setattr("othello.gui.sounds.SOUND_PROCESS", tmp_path / "speaker.py")
    sounds = Sounds(PreferencesFile())
    for _ in range(100):
        sounds.play((Sound.MOVE, Sound.FLIP))
    sounds.close()
    wait_until(lambda: not speakers())


def test_moves_flips_passes_and_the_end_have_sounds(open_window: OpenWindow) -> None:
    board = "-OX-----" + 6 * "--------" + "XO------ X"  # after a1 white has no move, and after c8 no disc
    driver = open_window(PERSON, PERSON, start=Game.new(RULES, RULES.parse_position(board)))

    def after(command: cmd.SessionCommand) -> list[Sound]:
        before = len(driver.sounds)
        driver.do(command)
        driver.until(lambda: driver.scene.view_state.flip is None)
        return [*driver.sounds[before:]]

    assert after(cmd.PlayMove(move("a1"))) == [Sound.MOVE, Sound.FLIP, Sound.PASS]
    assert after(cmd.Acknowledge()) == []
    assert after(cmd.PlayMove(move("c8"))) == [Sound.MOVE, Sound.FLIP, Sound.END]
    assert Sound.MOVE not in after(cmd.Undo())
    assert after(cmd.NewGame()) == []
    assert after(cmd.RestoreGame()) == [], "a restored move has no sound"


def test_little_time_and_another_volume_have_one_sound(driver: WindowDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    cues, view_state, wanted = SoundCues(driver.session), driver.scene.view_state, driver.scene.preferences.value

    def heard(preferences: Preferences) -> tuple[Sound, ...]:
        return cues.between([], view_state, preferences, time.monotonic())

    quiet, silent = replace(wanted, volume=10), replace(wanted, sound=False)
    assert [*map(heard, (wanted, quiet, quiet, silent))] == [(), (Sound.MOVE,), (), ()]
    heard(wanted)
    monkeypatch.setattr("othello.gui.widgets.view_state.is_low", lambda *_: True)
    assert [heard(wanted), heard(wanted)] == [(Sound.LOW_TIME,), ()]
