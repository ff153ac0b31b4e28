"""The desktop's setting for animations is read without blocking."""

import ctypes
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from othello.gui.platform import desktop
from othello.gui.preferences import Preferences, motion_of, toggled


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


def test_animations_are_off_if_the_desktop_turns_them_off(home: Path) -> None:
    command(home, "gsettings", "echo false")
    assert motion_of(Preferences()) == "full"
    assert not ask_desktop()
    assert motion_of(Preferences()) == "none"
    assert motion_of(Preferences(motion="full")) == "full"
    assert toggled(Preferences(), "motion") == {"motion": "full"}


@pytest.mark.parametrize("does", ["echo true", "exit 1", "exec sleep 5"])
def test_animations_are_on_if_gnome_has_no_other_answer(home: Path, does: str) -> None:
    command(home, "gsettings", does)
    assert ask_desktop()


@pytest.mark.parametrize(
    ("settings", "animates"),
    [("[KDE]\nAnimationDurationFactor=0\n", False), ("[KDE]\nAnimationDurationFactor=0.5\n", True), ("[KDE]\n", True)],
)
def test_kde_stores_the_setting_in_a_file(
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
