"""The settings: applied at once, kept in a file of the person's, and never lost to damage."""

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from othello import resources, texts
from othello.errors import OutputError
from othello.gui.commands import PlainCommand
from othello.gui.preferences import Preferences, PreferencesFile, palette_named, palette_of, read_themes, theme_names
from othello.gui.screens.game_layout import board_panel
from othello.gui.toolkit.controls import SegmentedControl, Select
from othello.gui.toolkit.style import Style, contrast
from othello.gui.toolkit.text import Tooltip
from othello.players.player_registry import configure
from othello.resources import asset
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON


def click(driver: WindowDriver, control: str, across: float = 0.5) -> None:
    """Click a control of the dialog, so far from its left end."""
    driver.scene.widgets.reveal(control)
    rect = driver.placed(control).rect
    driver.click((rect.left + round(across * rect.width), rect.centery))


@pytest.fixture
def driver(open_window: OpenWindow) -> WindowDriver:
    driver = open_window(PERSON, PERSON)
    driver.press("settings")
    return driver


def test_page_down_and_up_scroll_a_dialog(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, size=(900, 600))
    driver.keys("Ctrl+,")
    top = driver.placed("theme").rect.top
    driver.keys("Page Down")
    assert driver.placed("theme").rect.top < top
    driver.keys("Page Up")
    assert driver.placed("theme").rect.top == top


def test_changes_apply_at_once_and_reset_takes_them_back(driver: WindowDriver) -> None:
    click(driver, "theme", 0.3)
    assert driver.scene.style.palette == palette_named("light")
    assert driver.pixel((5, driver.scene.window.bottom - 5)) != (0, 0, 0)
    click(driver, "shows_legal", 0.1)
    assert not board_panel(driver.scene, driver.scene.mode, 0.0).state.shows_legal
    click(driver, "pace_seconds", 0.99)
    assert driver.session.pace.delay == 3.0
    click(driver, "text_size", 0.6)
    assert driver.scene.style.scale > 1.2
    click(driver, "reset")
    assert driver.scene.style.palette == palette_named()
    assert driver.scene.style.scale == 1.0
    click(driver, "done")
    assert driver.scene.dialog is None


def test_a_person_has_a_name(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, configure("mcts_uct"))
    driver.press("settings")
    click(driver, "player_name")
    driver.type("Anna")
    click(driver, "reset")  # which is for the window's looks
    driver.keys("Esc")
    assert [card.title for card in driver.cards] == ["Anna", "UCT"]
    driver.press("settings")
    click(driver, "player_name")
    for _ in "Anna":
        driver.keys("Backspace")
    driver.keys("Esc")
    assert driver.cards[0].title == "You"


def test_what_counts_as_a_mistake_is_typed(driver: WindowDriver) -> None:
    preferences = driver.scene.preferences
    click(driver, "blunder", 0.95)
    driver.keys("Backspace", "Backspace")
    assert preferences.value.blunder == 1, "as far as it was deleted, it was a number of discs"
    driver.type("20")
    assert preferences.value.blunder == 20
    driver.type("0")
    assert preferences.value.blunder == 20, "nobody can lose so many"
    click(driver, "reset")
    assert preferences.value.blunder == 12


def test_settings_are_changed_by_keys_alone(driver: WindowDriver) -> None:
    driver.keys("Esc", "Ctrl+,")
    for _ in range(2):  # from the name past the themes
        driver.keys("Tab")
    driver.keys("End")
    assert driver.scene.preferences.value.text_size == 200
    driver.keys("Enter")
    assert driver.scene.dialog is None


def test_a_key_of_the_board_is_a_setting_too(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON)
    seen = []
    for _ in range(4):
        seen.append((driver.scene.preferences.value.shows_captures, driver.scene.preferences.value.captures_of))
        driver.type("n")
    assert seen == [(True, "mover"), (True, "both"), (False, "mover"), (True, "mover")]


def test_with_details_squares_show_means_or_bounds_of_simulations(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON)
    driver.press("settings")
    assert not driver.has("values_by")
    driver.keys("Esc")
    driver.scene.preferences.change(details=True)
    for across, bounds in ((0.75, True), (0.25, False)):
        driver.press("settings")
        click(driver, "values_by", across)
        driver.keys("Esc")
        assert driver.board.shows_bounds == bounds


def test_they_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "othello" / "settings.json"
    PreferencesFile(path).change(theme="light", text_size=120, window={"size": [1000, 700]})
    again = PreferencesFile(path)
    assert (again.value.theme, again.value.text_size, again.value.window) == ("light", 120, {"size": [1000, 700]})
    assert [file.name for file in path.parent.iterdir()] == ["settings.json"]
    before = path.stat()
    again.change(theme="light")
    assert path.stat().st_mtime_ns == before.st_mtime_ns, "nothing is written where nothing has changed"
    assert path.stat().st_ino == before.st_ino


@pytest.mark.parametrize(
    "damage",
    ["", "{", '{"text_size": 1000}', '{"theme": 3}', "[]", '{"colour": 1}', "\0", '{"window": []}', '{"new_game": 3}'],
)
def test_a_damaged_file_is_set_aside(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "settings.json"
    path.write_text(damage)
    preferences = PreferencesFile(path)
    assert preferences.value == Preferences()
    assert "settings.damaged.json" in preferences.notice
    assert str(tmp_path) not in preferences.notice, "a line with a path in it is cut"
    assert (tmp_path / "settings.damaged.json").read_text() == damage
    preferences.change(theme="light")
    assert json.loads(path.read_text())["theme"] == "light"


def test_a_damaged_file_that_cannot_be_renamed_is_never_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "settings.json"
    path.write_text("{")
    with monkeypatch.context() as patched:
        patched.setattr("othello.gui.preferences.set_aside", raising(OutputError("disk full")))
        preferences = PreferencesFile(path)
    assert "changes will not be saved" in preferences.notice
    preferences.change(theme="light")
    assert preferences.value.theme == "light"
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("settings.json", "{")]


def raising(error: Exception) -> Callable[..., None]:
    def fail(*_: object) -> None:
        raise error

    return fail


def test_two_windows_keep_each_the_settings_that_it_changed(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    first, second = PreferencesFile(path), PreferencesFile(path)
    first.change(theme="light", window={"size": [1000, 700]})
    second.change(text_size=120)
    first.change(sound=False)
    assert first.value.text_size == 100, "the settings of this window do not change by themselves"
    third = PreferencesFile(path).value
    assert (third.theme, third.text_size, third.sound, third.window) == ("light", 120, False, {"size": [1000, 700]})
    path.write_text("{")  # somebody edits it
    first.change(volume=10)
    assert "could not be saved" in first.notice
    assert path.read_text() == "{"


def test_a_file_that_cannot_be_written_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    preferences = PreferencesFile(tmp_path / "file" / "settings.json")
    preferences.change(theme="light")
    assert preferences.value.theme == "light"
    assert preferences.notice


@pytest.mark.parametrize("name", theme_names())
def test_every_theme_has_every_colour_and_can_be_read(name: str) -> None:
    colors = json.loads(asset(f"themes/{name}.json").read_text())
    assert colors.keys() == json.loads(asset("themes/dark.json").read_text()).keys()
    for ink, ground, least in (
        ("text", "background", 7.0),
        ("text", "raised", 7.0),
        ("text", "small", 4.5),
        ("muted", "panel", 4.5),
        ("accent", "panel", 4.5),
        ("on_accent", "accent", 4.5),
        ("warning", "background", 4.5),
        ("board_text", "plate", 4.5),
        ("board_text", "frame", 4.5),
        ("text", "panel", 4.5),
        ("last_text", "shown", 4.5),
        ("accent", "chosen", 4.5),
        ("on_accent", "accent_hover", 4.5),
        ("text", "pressed", 4.5),
        ("text", "step", 4.5),
        ("muted", "raised", 4.5),
        ("right", "raised", 4.5),
        ("control", "panel", 3.0),
        ("control", "well", 3.0),
        ("accent", "background", 3.0),
        ("accent", "raised", 3.0),
    ):
        palette = palette_named(name)
        assert contrast(getattr(palette, ink), getattr(palette, ground)) >= least, (ink, ground)


@pytest.mark.parametrize("name", theme_names())
def test_what_the_mouse_brings_up_can_be_read(name: str) -> None:
    style, surface = Style(1.0, palette_named(name)), pygame.Surface((300, 200))
    tip = Tooltip()
    tip.hide(0.0)
    tip.update("....", 9.0)
    overlay = tip.overlay(style, surface.get_rect(), (20, 20))
    overlay.draw(surface)
    red, green, blue, _ = surface.get_at((overlay.rect.centerx, overlay.rect.top + 4))
    assert contrast(style.palette.text, (red, green, blue)) >= 4.5


def test_every_theme_can_be_drawn(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON)
    for name in theme_names():
        driver.scene.preferences.change(theme=name)
        driver.do(PlainCommand.APPLY_PREFERENCES)
        window = driver.scene.window
        assert driver.pixel((window.right - 2, window.bottom - 2)) == palette_named(name).background


def test_another_dialog_is_drawn_at_once(driver: WindowDriver) -> None:
    dialog = driver.placed("dialog").rect
    before = driver.brightness(dialog)
    driver.open("new_game")
    assert (driver.brightness(dialog) != before).any()


def test_limits_that_contradict_each_other_are_told(driver: WindowDriver) -> None:
    told = texts.tr("settings.limits_cross")
    assert told not in driver.words()
    driver.scene.preferences.change(inaccuracy=20)
    driver.do(PlainCommand.APPLY_PREFERENCES)
    assert told in driver.words()


def test_another_language_leaves_no_word_of_the_one_before(driver: WindowDriver) -> None:
    click(driver, "language", 0.5)
    driver.type("p")
    driver.keys("Enter")
    changed = driver.words()
    assert "Ustawienia" in changed
    driver.keys("Esc")
    driver.press("settings")
    assert driver.words() == changed


def test_a_language_beside_the_settings_is_offered_and_a_broken_one_told(
    open_window: OpenWindow, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "eo.json").write_text('{"language": "Esperanto", "settings": {"title": "Agordoj"}}')
    driver = open_window(PERSON, PERSON)
    driver.scene.preferences = PreferencesFile(tmp_path / "settings.json")
    assert driver.scene.preferences.notice == ""
    (tmp_path / "eu.json").write_text("{")  # while the program runs
    try:
        driver.press("settings")
        select = driver.widget("language", Select)
        assert ("eo", "Esperanto") in select.options
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
    bad = {
        "acent.json": '{"acent": "0055aa"}',
        "blue.json": '{"accent": "blue"}',
        "empty.json": "{}",
        "number.json": '{"accent": 123456}',
        "torn.json": "{",
        f"{'x' * 41}.json": '{"accent": "0055aa"}',
    }
    for name, content in bad.items():
        (themes / name).write_text(content)
    try:
        file = PreferencesFile(path)
        assert theme_names() == (*shipped, "azure", "sepia")
        assert [reason.sentence().count(name) for reason, name in zip(file.theme_faults, bad, strict=True)] == [1] * 6
        assert [any(name in record.message for record in caplog.records) for name in bad] == [True] * 6
        assert file.notice == file.theme_faults[0].sentence()
        palette = palette_named("sepia")
        assert palette == replace(palette_named(), background=(0xF4, 0xEC, 0xD8), text=(0x5B, 0x46, 0x36))
        driver = open_window(PERSON, PERSON)
        driver.scene.preferences = file
        (themes / "azure.json").unlink()  # while the program runs
        driver.press("settings")
        control = driver.placed("theme").widget
        assert isinstance(control, SegmentedControl)
        assert [name for name, _ in control.options] == [*shipped, "sepia"]
        assert [words for words in driver.words() if "blue.json" in words]
        driver.prefer(theme="sepia")
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
def test_a_damaged_file_of_the_program_is_left_out_and_told(
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
