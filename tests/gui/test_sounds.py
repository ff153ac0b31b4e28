"""Sounds, with and without a sound card."""

import subprocess
import sys
import time
import wave
from dataclasses import replace
from pathlib import Path

import numpy as np
import psutil
import pytest

from othello.game import Game
from othello.gui.preferences import Preferences, PreferencesFile
from othello.gui.sounds import SOUND_PROCESS, Sound, Sounds
from othello.gui.widgets.view_state import SoundCues
from othello.play import session_commands as cmd
from othello.resources import asset
from tests.gui.window_driver import TIMEOUT, OpenWindow, WindowDriver
from tests.play.fake_players import PERSON
from tests.positions import RULES
from tests.waiting import wait_until
from tools import make_sounds


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


def speakers() -> list[psutil.Process]:
    return [child for child in psutil.Process().children() if is_speaker(child)]


def is_speaker(child: psutil.Process) -> bool:
    try:
        words = child.cmdline()
        return not words or "sound_process" in " ".join(words)  # for a moment after the start there are no words
    except (psutil.ZombieProcess, psutil.NoSuchProcess):
        return False


@pytest.mark.parametrize(("driver", "works"), [("dummy", True), ("none of them", False)])
def test_the_sound_process_ends_with_its_input(monkeypatch: pytest.MonkeyPatch, driver: str, works: bool) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", driver)
    orders = "".join(f"{sound.value} {10 * index}\n" for index, sound in enumerate(Sound))
    command = [sys.executable, "-P", str(SOUND_PROCESS), str(asset("sounds"))]
    done = subprocess.run(command, input=orders, text=True, capture_output=True, timeout=TIMEOUT, check=False)
    assert (done.returncode == 0) is works, done.stderr


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
    preferences.change(sound=True, volume=0)
    sounds.play((Sound.END,))
    assert not speakers()


@pytest.mark.parametrize("program", ["", "import nothing_of_that_name"])
def test_a_sound_process_that_ended_is_not_restarted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, program: str
) -> None:
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


def test_a_missing_sound_process_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    sounds = Sounds(PreferencesFile())
    sounds.play((Sound.MOVE,))
    assert not speakers()
    sounds.close()


def test_moves_flips_passes_and_the_end_have_sounds(open_window: OpenWindow) -> None:
    board = "-OX-----" + 6 * "--------" + "XO------"  # after a1 white has no move, and after c8 no disc
    driver = open_window(PERSON, PERSON, start=Game.new(RULES, RULES.parse_position(f"{board} X")))

    def after(command: cmd.SessionCommand) -> list[Sound]:
        before = len(driver.sounds)
        driver.do(command)
        driver.until(lambda: driver.scene.view_state.flip is None)
        return [*driver.sounds[before:]]

    a1, c8 = RULES.parse_move(RULES.start(), "a1"), RULES.parse_move(RULES.start(), "c8")
    assert after(cmd.PlayMove(a1)) == [Sound.MOVE, Sound.FLIP, Sound.PASS]
    assert after(cmd.Acknowledge()) == []
    assert after(cmd.PlayMove(c8)) == [Sound.MOVE, Sound.FLIP, Sound.END]
    assert Sound.MOVE not in after(cmd.Undo())
    assert after(cmd.NewGame()) == []
    assert after(cmd.RestoreGame()) == [], "a restored move has no sound"


def test_little_time_and_another_volume_have_one_sound(driver: WindowDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    cues, view_state, wanted = SoundCues(driver.session), driver.scene.view_state, driver.scene.preferences.value

    def heard(preferences: Preferences) -> tuple[Sound, ...]:
        return cues.between([], view_state, preferences, time.monotonic())

    assert heard(wanted) == ()
    assert heard(replace(wanted, volume=10)) == (Sound.MOVE,)
    assert heard(replace(wanted, volume=10)) == ()
    assert heard(replace(wanted, sound=False)) == ()
    heard(wanted)
    monkeypatch.setattr("othello.gui.widgets.view_state.is_low", lambda *_: True)
    assert heard(wanted) == (Sound.LOW_TIME,)
    assert heard(wanted) == ()
