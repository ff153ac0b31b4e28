"""The settings: applied at once, stored in the user's file, and safe from damage."""

import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pygame
import pytest

from othello import resources, texts
from othello.errors import OutputError
from othello.gui.preferences import Preferences, PreferencesFile, palette_named, palette_of, read_themes, theme_names
from othello.gui.screens.game_layout import board_panel
from othello.gui.toolkit.controls import SegmentedControl, Select
from othello.gui.toolkit.style import RGB, Style, contrast
from othello.gui.toolkit.text import Tooltip
from othello.resources import asset
from tests.gui.test_platform import needs_pipes
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON, computer


@pytest.fixture
def driver(driver: WindowDriver) -> WindowDriver:
    driver.press("settings")
    return driver


def test_changes_apply_at_once_and_can_be_reset(driver: WindowDriver) -> None:
    preferences = driver.scene.preferences
    driver.press("theme", across=0.3)
    assert driver.scene.style.palette == palette_named("light")
    assert driver.pixel((5, driver.scene.window.bottom - 5)) != (0, 0, 0)
    driver.press("shows_legal", across=0.1)
    assert not board_panel(driver.scene, driver.scene.mode, 0.0).state.shows_legal
    driver.press("pace_seconds", across=0.99)
    assert driver.session.pace.delay == 3.0
    driver.press("text_size", across=0.6)
    assert driver.scene.style.scale > 1.2
    driver.press("blunder", across=0.95)
    driver.keys("Backspace", "Backspace")
    assert preferences.value.blunder == 1, "an empty field changes nothing"
    for digits in ("20", "0"):
        driver.type(digits)
        assert preferences.value.blunder == 20, "200 are more discs than a game has"
    driver.press("reset")
    assert (driver.scene.style.palette, driver.scene.style.scale) == (palette_named(), 1.0)
    assert preferences.value.blunder == 12
    assert texts.tr("settings.limits_cross") not in driver.words()
    for limits in ({"inaccuracy": 8}, {"inaccuracy": 2, "mistake": 20}):
        driver.prefer(**limits)
        assert texts.tr("settings.limits_cross") in driver.words()
    dialog = driver.placed("dialog").rect
    before = driver.brightness(dialog)
    driver.open("new_game")
    assert (driver.brightness(dialog) != before).any(), "another dialog is drawn at once"
    driver.open("settings")
    driver.press("language")
    driver.keys("p", "Enter")
    assert "Ustawienia" in driver.words()
    driver.press("done")
    assert driver.scene.dialog is None
    right, bottom = driver.scene.window.bottomright
    for name in theme_names():
        driver.prefer(theme=name)
        assert driver.pixel((right - 2, bottom - 2)) == palette_named(name).background


def test_the_user_has_a_name(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, computer("first"))
    driver.press("settings", "player_name")
    driver.type("Anna")
    driver.press("reset")  # the name is not an option of the window
    driver.keys("Esc")
    assert [card.title for card in driver.cards] == ["Anna", "first"]
    driver.press("settings", "player_name")
    driver.keys(*["Backspace"] * 4, "Esc")
    assert driver.cards[0].title == "You"


def test_settings_are_changed_by_keys(driver: WindowDriver) -> None:
    driver.keys("Esc", "Ctrl+,", "Tab", "Tab", "End")  # from the name past the themes
    assert driver.scene.preferences.value.text_size == 200
    driver.keys("Enter")
    assert driver.scene.dialog is None


def test_captures_and_values_on_the_board_are_settings(driver: WindowDriver) -> None:
    preferences = driver.scene.preferences
    assert not driver.has("values_by"), "not without details"
    driver.keys("Esc")
    for captures in ((True, "mover"), (True, "both"), (False, "mover"), (True, "mover")):
        assert (preferences.value.shows_captures, preferences.value.captures_of) == captures
        driver.type("n")
    preferences.change(details=True)
    for across, bounds in ((0.75, True), (0.25, False)):
        driver.press("settings")
        driver.press("values_by", across=across)
        driver.keys("Esc")
        assert driver.board.shows_bounds == bounds


@pytest.mark.parametrize(
    "damage",
    ["", "{", '{"text_size": 201}', '{"theme": 3}', "[]", '{"colour": 1}', "\0", '{"window": []}', '{"new_game": 3}'],
)
def test_a_damaged_file_is_set_aside(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "settings.json"
    path.write_text(damage)
    preferences = PreferencesFile(path)
    assert preferences.value == Preferences()
    assert "settings.damaged.json" in preferences.notice
    assert str(tmp_path) not in preferences.notice, "a path is too long for the status line"
    assert (tmp_path / "settings.damaged.json").read_text() == damage
    preferences.change(theme="light")
    assert json.loads(path.read_text())["theme"] == "light"


@pytest.mark.parametrize("kind", ["damaged", "folder", pytest.param("pipe", marks=needs_pipes)])
def test_settings_that_cannot_be_read_or_set_aside_are_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    path = tmp_path / "settings.json"
    if kind == "damaged":
        path.write_text("{")
        monkeypatch.setattr("othello.gui.preferences.set_aside", Mock(side_effect=OutputError("disk full")))
    else:
        os.mkfifo(path) if kind == "pipe" else path.mkdir()
    preferences = PreferencesFile(path)
    assert preferences.value == Preferences()
    assert ("changes will not be saved" if kind == "damaged" else "could not be read") in preferences.notice
    preferences.notice = ""
    preferences.change(theme="light")
    assert preferences.value.theme == "light"
    assert not preferences.notice
    assert [*tmp_path.iterdir()] == [path]
    assert (path.is_dir(), path.is_file() and path.read_text()) == (kind == "folder", kind == "damaged" and "{")


def test_two_windows_store_the_settings_that_each_changed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "othello" / "settings.json"
    first, second = PreferencesFile(path), PreferencesFile(path)
    first.change(theme="light", window={"size": [1000, 700]})
    second.change(text_size=120)
    first.change(sound=False)
    assert first.value.text_size == 100, "a window ignores the changes of another"
    third = PreferencesFile(path)
    assert third.value == Preferences(theme="light", text_size=120, sound=False, window={"size": [1000, 700]})
    assert [*path.parent.iterdir()] == [path]
    before = path.stat()
    third.change(theme="light")
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == (before.st_mtime_ns, before.st_ino), "nothing is written"
    path.write_text("{")  # the user edits it
    for file in (first, PreferencesFile(path / "settings.json")):
        file.change(volume=10)
        assert (file.value.volume, "could not be saved" in file.notice) == (10, True)
    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING"]
    assert path.read_text() == "{"


@pytest.mark.parametrize(
    ("color", "ratio"),
    [((0, 0, 0), 21), ((9, 9, 9), 19.912), ((119, 119, 119), 4.478), ((255, 0, 0), 3.998), ((0, 255, 0), 1.372)],
)
def test_contrast_with_white_is_that_of_wcag(color: RGB, ratio: float) -> None:
    assert contrast(color, (255, 255, 255)) == pytest.approx(ratio, abs=0.001)


@pytest.mark.parametrize("name", theme_names())
def test_every_theme_has_all_colours_with_enough_contrast(name: str) -> None:
    palette = palette_named(name)
    colors = json.loads(asset(f"themes/{name}.json").read_text())
    assert colors.keys() == json.loads(asset("themes/dark.json").read_text()).keys()
    for minimum, pairs in (
        (7.0, "text/background text/raised"),
        (4.5, "text/panel text/small text/pressed text/step last_text/shown board_text/plate board_text/frame"),
        (4.5, "muted/panel muted/raised accent/panel accent/chosen on_accent/accent on_accent/accent_hover"),
        (4.5, "right/raised warning/background"),
        (3.0, "control/panel control/well accent/background accent/raised"),
    ):
        for pair in pairs.split():
            ink, ground = pair.split("/")
            assert contrast(getattr(palette, ink), getattr(palette, ground)) >= minimum, pair
    style, surface = Style(1.0, palette), pygame.Surface((300, 200))
    tip = Tooltip()
    tip.hide(0.0)
    tip.update("....", 9.0)
    overlay = tip.overlay(style, surface.get_rect(), (20, 20))
    overlay.draw(surface)
    red, green, blue, _ = surface.get_at((overlay.rect.centerx, overlay.rect.top + 4))
    assert contrast(palette.text, (red, green, blue)) >= 4.5


def test_a_language_of_the_settings_folder_is_offered_and_a_broken_one_reported(
    open_window: OpenWindow, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "eo.json").write_text('{"language": "Esperanto", "settings": {"title": "Agordoj"}}')
    driver = open_window(PERSON, PERSON)
    driver.scene.preferences = PreferencesFile(tmp_path / "settings.json")
    assert driver.scene.preferences.notice == ""
    (tmp_path / "eu.json").write_text("{")  # while the program runs
    try:
        driver.press("settings")
        assert ("eo", "Esperanto") in driver.widget("language", Select).options
        assert [record.message for record in caplog.records if "eu.json" in record.message]
        assert [words for words in driver.words() if "eu.json" in words]
        driver.prefer(language="eo")
        assert "Agordoj" in driver.words()
        assert PreferencesFile(driver.scene.preferences.path).notice
    finally:
        texts.add({})


def test_themes_of_the_settings_folder_follow_those_of_the_program(
    open_window: OpenWindow, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    shipped = theme_names()
    assert shipped == ("dark", "light", "high-contrast", "colour-safe", "green-felt")
    themes, path = tmp_path / "themes", tmp_path / "settings.json"
    themes.mkdir()
    (themes / "sepia.json").write_text('{"background": "f4ecd8", "text": "5B4636"}')
    (themes / "azure.json").write_text('{"accent": "0055aa"}')
    bad = {"acent": '{"acent": "0055aa", "b": "", "c": "", "d": ""}', "blue": '{"accent": "blue"}', "empty": "{}"}
    bad |= {"number": '{"accent": 123456}', "torn": "{", "x" * 41: '{"accent": "0055aa"}'}
    for name, content in bad.items():
        (themes / f"{name}.json").write_text(content)
    try:
        file = PreferencesFile(path)
        assert theme_names() == (*shipped, "azure", "sepia")
        for name, reason in zip(bad, file.theme_faults, strict=True):
            assert reason.sentence().count(f"{name}.json") == 1
            assert any(f"{name}.json" in record.message for record in caplog.records)
        assert file.notice == file.theme_faults[0].sentence()
        assert ("acent, b, c…" in file.notice, "…" in file.theme_faults[1].sentence()) == (True, False)
        palette = palette_named("sepia")
        assert palette == replace(palette_named(), background=(0xF4, 0xEC, 0xD8), text=(0x5B, 0x46, 0x36))
        driver = open_window(PERSON, PERSON)
        driver.scene.preferences = file
        (themes / "azure.json").unlink()  # while the program runs
        driver.press("settings")
        options = driver.widget("theme", SegmentedControl).options
        assert [name for name, _ in options] == [*shipped, "sepia"]
        assert [words for words in driver.words() if "blue.json" in words]
        driver.prefer(theme="sepia")
        driver.keys("Esc")
        assert driver.is_bad, "a theme is faulty"
        assert driver.scene.style.palette == palette
        (themes / "sepia.json").unlink()
        file.read_additions()
        assert palette_of(file.value) == palette_named()
    finally:
        read_themes(tmp_path / "none")
    assert theme_names() == shipped


@pytest.fixture
def assets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    caches = (theme_names, palette_named, texts.languages, texts.catalogue)
    shutil.copytree(asset("themes"), tmp_path / "assets" / "themes")
    shutil.copytree(asset("texts"), tmp_path / "assets" / "texts")
    monkeypatch.setattr(resources, "_ROOT", tmp_path)
    for cache in caches:
        cache.cache_clear()
    yield tmp_path / "assets"
    monkeypatch.undo()
    for cache in caches:
        cache.cache_clear()


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"a": 1}'])
@pytest.mark.parametrize(
    ("file", "choice"), [("themes/light.json", {"theme": "light"}), ("texts/pl.json", {"language": "pl"})]
)
def test_a_damaged_theme_or_language_of_the_program_is_reported_and_skipped(
    assets: Path, tmp_path: Path, file: str, choice: dict[str, str], damage: str
) -> None:
    (assets / file).write_text(damage)
    path = tmp_path / "settings.json"
    path.write_text(json.dumps(choice))
    preferences = PreferencesFile(path)
    texts.use(preferences.value.language)
    assert (palette_of(preferences.value), texts.language()) == (palette_named(), "en")
    assert Path(file).name in preferences.notice
    assert texts.tr("results.draw") == "Draw"
