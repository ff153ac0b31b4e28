"""Unusual files and names in the folders of the window, which neither end it nor hide other files."""

import json
import os
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import product
from pathlib import Path

import pygame
import pytest

from othello.errors import OthelloError, OutputError
from othello.gui.dialogs import tournament_setup
from othello.gui.dialogs.file_dialogs import OpenDialog, ResumeGameDialog, item_of
from othello.gui.dialogs.saving import SaveDialog
from othello.gui.dialogs.tournament_setup import TournamentDialog
from othello.gui.preferences import palette_named
from othello.gui.toolkit.list_view import ListView, Selection
from othello.gui.toolkit.style import Style
from othello.gui.toolkit.widget import PaintContext
from othello.records.game_file import GameListEntry, format_game, parse_game
from othello.rules.registry import game_spec
from othello.study.game_file_conversion import game_file_from
from othello.study.library import Library
from othello.study.store_writer import StoreWriter
from tests.gui.window_driver import WindowDriver
from tests.play.test_library import WIPE_OUT, played

NOT_UTF8 = os.fsdecode(b"caf\xe9")


@pytest.fixture
def driver(driver: WindowDriver, data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[WindowDriver]:
    monkeypatch.setenv("OTHELLO_CONFIG_DIR", str(data_dir.with_name("config")))
    with closing(StoreWriter()) as store_writer:
        driver.scene.files.library = Library(store_writer)
        yield driver


def test_names_of_files_may_be_invalid_too_long_or_without_access(
    driver: WindowDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = tmp_path / NOT_UTF8
    (odd / NOT_UTF8).mkdir(parents=True)
    (odd / f"{NOT_UTF8}.json").write_text("{}", encoding="utf-8")
    for (key, kind), folder in product((("Ctrl+S", SaveDialog), ("Ctrl+O", OpenDialog)), (tmp_path, odd)):
        driver.scene.files.folder = folder
        driver.keys(key)
        assert isinstance(driver.scene.dialog, kind)
        driver.settle()
        driver.keys("Esc")
    monkeypatch.setenv("OTHELLO_DATA_DIR", str(odd))
    driver.keys("Ctrl+Shift+T")
    driver.dialog(TournamentDialog)
    driver.settle()
    driver.keys("Esc")

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
    driver.keys("Esc", "Ctrl+S")
    saving = driver.dialog(SaveDialog)
    for name in ("x" * 300, "y/" * 3000):
        driver.use(("name", name))
        driver.keys("Enter")
        assert driver.scene.dialog is saving, "the name is too long for a file"


@pytest.mark.parametrize("value", ["}{0}{", "\0", "\ud800"])
def test_a_stored_game_may_contain_any_text(driver: WindowDriver, value: str) -> None:
    session = played(WIPE_OUT)
    text = format_game(game_file_from(session.history.tree, session.history.referee, "2026-01-31T18:30:00"))
    texts = [text.replace(word, json.dumps(value)) for word in ('"user"', '"Deep"', '"mcts_uct"')]
    for key in ("date", "game"):
        entry = f'"{key}": {json.dumps(json.loads(text)[key])}'
        texts.append(text.replace(entry, f'"{key}": {json.dumps(value)}', 1))
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
    words = []
    for listed in (*library.games(), GameListEntry("", 99, value)):
        rows, style = ListView((item_of(listed),), name="x"), Style(1.0, palette_named())
        rows.draw(PaintContext(pygame.Surface((900, 100)), style, pygame.Rect(0, 0, 740, 64)))
        driver.scene.enter_dialog(ResumeGameDialog(listed, library))
        driver.settle()
        words += driver.words()
    assert any(each.startswith("Othello · Your game against Deep, move 10, started 2026-01-31") for each in words)


def test_only_files_are_offered_as_results(driver: WindowDriver, data_dir: Path) -> None:
    folder = data_dir / "tournaments"
    (folder / "folder.jsonl").mkdir(parents=True)
    (folder / "link.jsonl").symlink_to("nowhere")
    (folder / "sound.jsonl").write_text("{}\n")
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "pipe.jsonl")
    for name in ("folder", "link", "sound", "pipe"):
        (folder / f"{name}.config.json").write_text("{}")
    driver.keys("Ctrl+Shift+T")
    dialog = driver.dialog(TournamentDialog)
    assert [results.players for results in dialog._resumable] == ["sound.jsonl"]
    dialog.on_control_changed("tab", "kept")
    driver.settle()


def test_a_tournament_without_a_folder_for_results_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").write_text("no folder")
    monkeypatch.setenv("OTHELLO_DATA_DIR", str(tmp_path / "data"))
    plan = tournament_setup.proposed_settings(game_spec())
    with pytest.raises(OutputError, match=r"\.jsonl: cannot be written: ") as caught:
        plan.config()
    assert "there is no folder" not in str(caught.value)
