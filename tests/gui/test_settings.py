"""The settings: applied at once, kept in a file of the person's, and never lost to damage."""

import json
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pygame
import pytest

from othello import resources, texts
from othello.errors import OutputError
from othello.gui.commands import Open, PlainCommand
from othello.gui.play.layout import board_panel
from othello.gui.play.moves import MOVES
from othello.gui.preferences import Preferences, PreferencesFile, palette_named, palette_of, theme_names
from othello.gui.toolkit.style import Style, contrast
from othello.gui.toolkit.switches import Select
from othello.gui.toolkit.words import Tip
from othello.players.registry import configure
from othello.resources import asset
from tests.gui.desk import Desk
from tests.play.faulty import PERSON

Sit = Callable[..., Desk]


@pytest.fixture(autouse=True)
def usual() -> Iterator[None]:
    yield
    texts.use("en")
    texts.set_person("")


def click(desk: Desk, control: str, across: float = 0.5) -> None:
    """Click a control of the dialog, so far from its left end."""
    desk.scene.stage.reveal(control)
    rect = desk.placed(control).rect
    desk.click((rect.left + round(across * rect.width), rect.centery))


@pytest.fixture
def desk(sit_down: Sit) -> Desk:
    desk = sit_down(PERSON, PERSON)
    desk.press("settings")
    return desk


def test_changes_apply_at_once_and_reset_takes_them_back(desk: Desk) -> None:
    click(desk, "theme", 0.3)
    assert desk.scene.style.palette == palette_named("light")
    assert desk.pixel((5, desk.scene.window.bottom - 5)) != (0, 0, 0)
    click(desk, "shows_legal", 0.1)
    assert not board_panel(desk.scene, desk.scene.mode, 0.0).state.shows_legal
    click(desk, "pace_seconds", 0.99)
    assert desk.session.pace.delay == 3.0
    click(desk, "text_size", 0.6)
    assert desk.scene.style.scale > 1.2
    click(desk, "reset")
    assert desk.scene.style.palette == palette_named()
    assert desk.scene.style.scale == 1.0
    click(desk, "done")
    assert desk.scene.dialog is None


def test_a_person_has_a_name(sit_down: Sit) -> None:
    desk = sit_down(PERSON, configure("mcts_uct"))
    desk.press("settings")
    click(desk, "player_name")
    desk.type("Anna")
    click(desk, "reset")  # which is for the window's looks
    desk.key(pygame.K_ESCAPE)
    assert [card.title for card in desk.cards] == ["Anna", "UCT"]
    desk.press("settings")
    click(desk, "player_name")
    for _ in "Anna":
        desk.key(pygame.K_BACKSPACE)
    desk.key(pygame.K_ESCAPE)
    assert desk.cards[0].title == "You"


def test_what_counts_as_a_mistake_is_typed(desk: Desk) -> None:
    preferences = desk.scene.preferences
    click(desk, "blunder", 0.95)
    desk.key(pygame.K_BACKSPACE)
    desk.key(pygame.K_BACKSPACE)
    assert preferences.value.blunder == 1, "as far as it was deleted, it was a number of discs"
    desk.type("20")
    assert preferences.value.blunder == 20
    desk.type("0")
    assert preferences.value.blunder == 20, "nobody can lose so many"
    click(desk, "reset")
    assert preferences.value.blunder == 12


def test_settings_are_changed_by_keys_alone(desk: Desk) -> None:
    desk.key(pygame.K_ESCAPE)
    desk.key(pygame.K_COMMA, ",", pygame.KMOD_CTRL)
    for _ in range(2):  # from the name past the themes
        desk.key(pygame.K_TAB, "\t")
    desk.key(pygame.K_END)
    assert desk.scene.preferences.value.text_size == 200
    desk.key(pygame.K_RETURN)
    assert desk.scene.dialog is None


def test_a_key_of_the_board_is_a_setting_too(sit_down: Sit) -> None:
    desk = sit_down(PERSON, PERSON)
    seen = []
    for _ in range(4):
        seen.append((desk.scene.preferences.value.shows_captures, desk.scene.preferences.value.captures_of))
        desk.type("n")
    assert seen == [(True, "mover"), (True, "both"), (False, "mover"), (True, "mover")]


def test_with_details_squares_show_means_or_bounds_of_simulations(sit_down: Sit) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.press("settings")
    assert not desk.has("values_by")
    desk.key(pygame.K_ESCAPE)
    desk.scene.preferences.change(details=True)
    for across, bounds in ((0.75, True), (0.25, False)):
        desk.press("settings")
        click(desk, "values_by", across)
        desk.key(pygame.K_ESCAPE)
        assert desk.board.shows_bounds == bounds


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
    assert "changes are not saved" in preferences.notice
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
    assert "cannot be saved" in first.notice
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
    tip = Tip()
    tip.hide(0.0)
    tip.update("....", 9.0)
    overlay = tip.overlay(style, surface.get_rect(), (20, 20))
    overlay.draw(surface)
    red, green, blue, _ = surface.get_at((overlay.rect.centerx, overlay.rect.top + 4))
    assert contrast(style.palette.text, (red, green, blue)) >= 4.5


def test_every_theme_can_be_drawn(sit_down: Sit) -> None:
    desk = sit_down(PERSON, PERSON)
    for name in theme_names():
        desk.scene.preferences.change(theme=name)
        desk.scene.do(PlainCommand.APPLY_PREFERENCES, time.monotonic())
        desk.turn()
        window = desk.scene.window
        assert desk.pixel((window.right - 2, window.bottom - 2)) == palette_named(name).background


def test_another_dialog_is_drawn_at_once(desk: Desk) -> None:
    dialog = desk.placed("dialog").rect
    before = desk.brightness(dialog)
    desk.scene.do(Open("new_game"), time.monotonic())
    desk.turn()
    assert (desk.brightness(dialog) != before).any()


def test_limits_that_contradict_each_other_are_told(desk: Desk) -> None:
    told = texts.say("settings.limits_cross")
    assert told not in desk.words()
    desk.scene.preferences.change(slip=20)
    desk.scene.do(PlainCommand.APPLY_PREFERENCES, time.monotonic())
    desk.turn()
    assert told in desk.words()


def test_another_language_leaves_no_word_of_the_one_before(desk: Desk) -> None:
    click(desk, "language", 0.5)
    desk.type("p")
    desk.key(pygame.K_RETURN)
    desk.turn()
    changed = desk.words()
    assert "Ustawienia" in changed
    desk.key(pygame.K_ESCAPE)
    desk.press("settings")
    assert desk.words() == changed


def test_the_language_is_another_at_once(desk: Desk) -> None:
    desk.key(pygame.K_ESCAPE)
    moves = desk.placed(MOVES).rect
    english = desk.brightness(moves).sum()
    desk.scene.preferences.change(language="pl")
    desk.scene.do(PlainCommand.APPLY_PREFERENCES, time.monotonic())
    desk.turn()
    assert desk.brightness(moves).sum() != english


def test_a_language_beside_the_settings_is_offered_and_a_broken_one_told(
    sit_down: Sit, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "eo.json").write_text('{"language": "Esperanto", "settings": {"title": "Agordoj"}}')
    desk = sit_down(PERSON, PERSON)
    desk.scene.preferences = PreferencesFile(tmp_path / "settings.json")
    assert desk.scene.preferences.notice == ""
    (tmp_path / "eu.json").write_text("{")  # while the program runs
    try:
        desk.press("settings")
        select = desk.placed("language").panel
        assert isinstance(select, Select)
        assert ("eo", "Esperanto") in select.options
        assert [record.message for record in caplog.records if "eu.json" in record.message]
        assert [words for words in desk.words() if "eu.json" in words]
        desk.prefer(language="eo")
        assert "Agordoj" in desk.words()
        assert PreferencesFile(desk.scene.preferences.path).notice
    finally:
        texts.add({})


@pytest.fixture
def assets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the program's own files, to be damaged."""
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
    assert texts.say("results.draw") == "Draw"
