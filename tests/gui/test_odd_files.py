"""Files as they should not be, where the window looks for its own: none of them ends the window or hides the others."""

import json
import logging
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pygame
import pytest

from othello.errors import OthelloError, OutputError
from othello.gui.dialogs import tournament_setup
from othello.gui.dialogs.file_dialogs import OpenDialog, ResumeGameDialog, item_of
from othello.gui.dialogs.new_game import NewGameDialog
from othello.gui.dialogs.saving import SaveDialog
from othello.gui.dialogs.tournament_setup import TournamentDialog
from othello.gui.platform.log import _LogFile
from othello.gui.preferences import Preferences, PreferencesFile, palette_named
from othello.gui.toolkit.list_view import ListView, Selection
from othello.gui.toolkit.style import Style
from othello.gui.toolkit.widget import PaintContext
from othello.records.game_file import GameListEntry, format_game, parse_game
from othello.rules.registry import game_spec
from othello.study.game_file_conversion import game_file_from
from othello.study.library import Library
from othello.study.store_writer import StoreWriter
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON
from tests.play.test_game_file_conversion import WIPE_OUT, played

CTRL = pygame.KMOD_CTRL
NOT_UTF8 = os.fsdecode(b"caf\xe9")
needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no such pipes")


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OTHELLO_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("OTHELLO_CONFIG_DIR", str(tmp_path / "config"))
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


@pytest.fixture
def driver(open_window: OpenWindow, data: Path) -> Iterator[WindowDriver]:
    driver = open_window(PERSON, PERSON)
    store_writer = StoreWriter()
    driver.scene.files.library = Library(store_writer)
    yield driver
    store_writer.close()


@pytest.mark.parametrize(("letter", "kind"), [("s", SaveDialog), ("o", OpenDialog)])
def test_names_that_are_no_text_are_shown(driver: WindowDriver, tmp_path: Path, letter: str, kind: type) -> None:
    (tmp_path / NOT_UTF8 / NOT_UTF8).mkdir(parents=True)
    (tmp_path / NOT_UTF8 / f"{NOT_UTF8}.json").write_text("{}", encoding="utf-8")
    for folder in (tmp_path, tmp_path / NOT_UTF8):
        driver.scene.files.folder = folder
        driver.key(ord(letter), mod=CTRL)
        assert isinstance(driver.scene.dialog, kind)
        driver.settle()
        driver.keys("Esc")


def test_one_entry_that_nobody_may_look_at_hides_no_other(
    driver: WindowDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "locked.json").mkdir()
    (tmp_path / "sound.json").write_text("{}", encoding="utf-8")
    is_dir = Path.is_dir

    def refuse(path: Path) -> bool:
        if path.name == "locked.json":
            raise PermissionError
        return is_dir(path)

    monkeypatch.setattr(Path, "is_dir", refuse)
    driver.scene.files.folder = tmp_path
    driver.keys("Ctrl+O")
    dialog = driver.dialog(OpenDialog)
    dialog.on_control_changed("tab", "files")
    assert "sound.json" in [entry.data.name for entry in dialog.entries()]


def test_a_name_that_is_too_long_for_a_file_is_refused(driver: WindowDriver, tmp_path: Path) -> None:
    driver.scene.files.folder = tmp_path
    driver.keys("Ctrl+S")
    dialog = driver.dialog(SaveDialog)
    for name in ("x" * 300, "y/" * 3000):
        driver.use(("name", name))
        driver.keys("Enter")
        assert driver.scene.dialog is dialog


def changed(text: str, key: str, value: str) -> str:
    old = json.dumps(json.loads(text)[key])
    return text.replace(f'"{key}": {old}', f'"{key}": {json.dumps(value)}', 1)


@pytest.mark.parametrize("value", ["}{0}{", "\0", "\ud800"])
def test_a_kept_game_may_hold_anything(driver: WindowDriver, value: str) -> None:
    session = played(WIPE_OUT)
    text = format_game(game_file_from(session.history.tree, session.history.referee, "2026-01-31T18:30:00"))
    texts = [changed(text, key, value) for key in ("date", "game")]
    texts += [text.replace(word, json.dumps(value)) for word in ('"user"', '"Deep"', '"mcts_uct"')]
    library = driver.scene.files.library
    assert library is not None
    own = library.store_writer.store.own
    for each in (*texts, text.replace('"Deep"', "null"), text):
        with suppress(OthelloError):
            number, _ = own.write(parse_game(each), None, 0, "", is_played=False)
    own.rename(number, "7")
    driver.keys("Ctrl+O")
    dialog = driver.dialog(OpenDialog)
    assert any(isinstance(entry.data, GameListEntry) and entry.data.name == "7" for entry in dialog.entries())
    for tab in ("files", "recent", "games"):
        dialog.on_control_changed("tab", tab)
        driver.settle()
    for row in range(len(dialog.entries())):
        driver.scene.dialog = dialog
        dialog.on_control_changed("rows", Selection(row))
        driver.settle()
        driver.scene.issue(dialog.on_control_changed("open", True))
        driver.settle()
    for listed in (*library.games(), GameListEntry("", 99, value)):
        rows, style = ListView((item_of(listed),), name="x"), Style(1.0, palette_named())
        rows.draw(PaintContext(pygame.Surface((900, 100)), style, pygame.Rect(0, 0, 740, 64)))
        driver.scene.enter_dialog(ResumeGameDialog(listed, library))
        driver.settle()


def test_results_that_are_no_files_are_not_offered(driver: WindowDriver, data: Path) -> None:
    folder = data / "tournaments"
    (folder / "folder.jsonl").mkdir(parents=True)
    (folder / "link.jsonl").symlink_to("nowhere")
    (folder / "sound.jsonl").write_text("{}\n")
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "pipe.jsonl")
    for name in ("folder", "link", "sound", "pipe"):
        (folder / f"{name}.config.json").write_text("{}")
    driver.keys("Ctrl+T")
    dialog = driver.dialog(TournamentDialog)
    assert [kept.players for kept in dialog._resumable] == ["sound.jsonl"]
    dialog.on_control_changed("tab", "kept")
    driver.settle()


def test_a_tournament_is_set_up_in_a_folder_with_any_name(
    open_window: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTHELLO_DATA_DIR", str(tmp_path / NOT_UTF8))
    driver = open_window(PERSON, PERSON)
    driver.keys("Ctrl+T")
    assert isinstance(driver.scene.dialog, TournamentDialog)
    driver.settle()


@needs_pipes
def test_pipes_hold_nothing_up(tmp_path: Path) -> None:
    for name in ("settings.json", "othello.log", "game.json"):
        os.mkfifo(tmp_path / name)
    assert PreferencesFile(tmp_path / "settings.json").value == Preferences()
    log = _LogFile(tmp_path / "othello.log")
    log.emit(log_record())
    log.close()


def log_record() -> logging.LogRecord:
    return logging.LogRecord("othello", logging.INFO, "", 0, "words", None, None)


@pytest.mark.parametrize("is_pipe", [False, pytest.param(True, marks=needs_pipes)])
def test_settings_that_cannot_be_read_are_left_alone(tmp_path: Path, is_pipe: bool) -> None:
    path = tmp_path / "settings.json"
    os.mkfifo(path) if is_pipe else path.mkdir()
    preferences = PreferencesFile(path)
    assert preferences.value == Preferences()
    assert "could not be read" in preferences.notice
    preferences.notice = ""
    preferences.change(theme="light")
    assert preferences.value.theme == "light"
    assert not preferences.notice
    assert [*tmp_path.iterdir()] == [path]
    assert path.is_dir() != is_pipe


@pytest.mark.parametrize("value", [True, "3", 0, 10**300, None, [], {}])
def test_whatever_was_remembered_of_a_new_game_is_read_with_care(open_window: OpenWindow, value: object) -> None:
    driver = open_window(PERSON, PERSON)
    driver.scene.preferences.change(new_game=dict.fromkeys(("game", "who", "side"), value))
    driver.keys("Ctrl+N")
    assert isinstance(driver.scene.dialog, NewGameDialog)
    driver.settle()


def test_a_tournament_names_what_keeps_its_folder_from_being_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").write_text("no folder")
    monkeypatch.setenv("OTHELLO_DATA_DIR", str(tmp_path / "data"))
    plan = tournament_setup.proposed_settings(game_spec())
    with pytest.raises(OutputError, match=r"\.jsonl: cannot be written: ") as caught:
        plan.config()
    assert "there is no folder" not in str(caught.value)
