"""Games opened, saved, copied, pasted and dropped, as a person does it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pygame
import pytest

from othello import texts
from othello.config import Config
from othello.game import Game
from othello.gui.dialogs.files import LeftDialog, OpenDialog, SaveDialog, entry_of
from othello.gui.dialogs.notices import Notice
from othello.gui.preferences import palette_named
from othello.gui.review import review
from othello.gui.toolkit.panel import Canvas
from othello.gui.toolkit.style import Style
from othello.gui.window import clipboard
from othello.play.library import Library, Listed
from othello.play.session import Session
from othello.players.registry import configure
from othello.records.game_file import parse_game
from othello.rules.protocol import Color
from tests.gui.desk import Desk
from tests.play.faulty import PERSON
from tests.play.table import Script
from tests.positions import RULES, parse_board

CTRL = pygame.KMOD_CTRL


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(PERSON, PERSON)
    desk.scene.files.library = library = Library(tmp_path / "games")
    desk.scene.files.folder = tmp_path
    yield desk
    desk.close()
    library.close()


def press(desk: Desk, letter: str, mod: int = CTRL) -> None:
    desk.key(ord(letter), mod=mod)


def click(desk: Desk, control: str) -> None:
    assert desk.scene.dialog is not None
    desk.press(control)


def drop(desk: Desk, path: Path) -> None:
    pygame.event.post(pygame.event.Event(pygame.DROPFILE, file=str(path)))
    desk.turn()


def test_what_is_copied_can_be_pasted(desk: Desk) -> None:
    desk.type("f5d6c3")
    press(desk, "c")
    assert clipboard() == "f5d6c3"
    pygame.scrap.put_text("c4c3")
    press(desk, "v")
    assert desk.moves() == ["c4", "c3"]
    press(desk, "c", CTRL | pygame.KMOD_SHIFT)
    position = desk.session.game.position
    assert clipboard() == desk.session.game.rules.format_position(position)
    press(desk, "v")
    assert (desk.session.game.ply, desk.session.game.position) == (0, position)


def test_a_fault_of_what_is_pasted_is_told_and_changes_nothing(desk: Desk) -> None:
    desk.type("f5")
    pygame.scrap.put_text("f5d6a1")
    press(desk, "v")
    assert isinstance(desk.scene.dialog, Notice)
    assert desk.moves() == ["f5"]
    desk.key(pygame.K_RETURN)
    assert desk.scene.dialog is None


def test_a_game_is_saved_and_opened_by_keys_alone(desk: Desk, tmp_path: Path) -> None:
    desk.type("f5d6")
    press(desk, "s")
    assert isinstance(desk.scene.dialog, SaveDialog)
    desk.key(pygame.K_RETURN)
    assert desk.scene.dialog is None
    path = tmp_path / "game.othello.json"
    assert parse_game(path.read_text(encoding="utf-8")).tree.game == desk.session.game
    desk.type("c3")
    press(desk, "o")
    assert isinstance(desk.scene.dialog, OpenDialog)
    for _ in range(40):
        desk.key(pygame.K_TAB)
        if desk.scene.stage.focus.startswith("game:"):
            break
    desk.key(pygame.K_ESCAPE)
    drop(desk, path)
    assert desk.moves() == ["f5", "d6"]


def test_a_game_of_the_list_is_opened_by_a_click(desk: Desk) -> None:
    library = desk.scene.files.library
    assert library is not None
    desk.type("f5d6")
    desk.until(lambda: bool(library.games()))
    desk.type("c3")
    press(desk, "n")
    desk.key(pygame.K_ESCAPE)
    press(desk, "o")
    click(desk, "game:0")
    assert desk.scene.dialog is None
    assert desk.session.game.ply in (2, 3)


def test_a_name_is_copied_and_pasted_as_in_every_window(desk: Desk, tmp_path: Path) -> None:
    press(desk, "s")
    press(desk, "c")
    assert clipboard() == "game", "at first all of the name is selected"
    pygame.scrap.put_text("another one")
    press(desk, "v")
    desk.key(pygame.K_HOME)
    desk.type("Not ")
    desk.key(pygame.K_RETURN)
    assert (tmp_path / "Not another one.othello.json").exists()


@pytest.mark.parametrize(("kind", "suffix"), [("moves", ".txt"), ("board", ".board.txt"), ("picture", ".png")])
def test_texts_and_pictures_are_saved(desk: Desk, tmp_path: Path, kind: str, suffix: str) -> None:
    desk.type("f5d6")
    press(desk, "s")
    dialog = desk.scene.dialog
    assert isinstance(dialog, SaveDialog)
    dialog.use("kind", kind)
    desk.key(pygame.K_RETURN)
    path = tmp_path / f"game{suffix}"
    if kind == "picture":
        assert pygame.image.load(path).get_size() == (1024, 1024)
    else:
        drop(desk, path)
        assert desk.session.game.ply == (2 if kind == "moves" else 0)


def test_a_name_may_have_a_folder_that_is_there(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    press(desk, "s")
    dialog = desk.scene.dialog
    assert isinstance(dialog, SaveDialog)
    for name in ("", "..", "nowhere/x", "a:b", "x\0", "there/?"):
        dialog.use("name", name)
        assert not dialog.is_sound
        desk.turn()
    dialog.use("name", str(tmp_path / "there" / "mine"))
    desk.turn()
    desk.key(pygame.K_RETURN)
    assert (tmp_path / "there" / "mine.othello.json").exists()


def test_what_cannot_be_written_is_said_in_the_dialog(desk: Desk, tmp_path: Path) -> None:
    desk.scene.files.folder = tmp_path
    (tmp_path / "game.othello.json").mkdir()
    press(desk, "s")
    desk.key(pygame.K_RETURN)
    assert isinstance(desk.scene.dialog, SaveDialog)
    desk.key(pygame.K_ESCAPE)
    assert desk.scene.dialog is None


def test_a_file_that_is_none_is_refused(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("hello", encoding="utf-8")
    drop(desk, tmp_path / "x.txt")
    assert isinstance(desk.scene.dialog, Notice)


def test_a_game_that_was_left_is_offered(desk: Desk, tmp_path: Path) -> None:
    from othello.gui import commands as gui

    library = desk.scene.files.library
    assert library is not None
    desk.type("f5d6")
    desk.until(lambda: any("d6" in listed.path.read_text(encoding="utf-8") for listed in library.games()))
    library.left = library.games()[0].path
    desk.type("c3")
    desk.scene.do(gui.Open("left"), 0.0)
    assert isinstance(desk.scene.dialog, LeftDialog)
    desk.key(pygame.K_RETURN)
    assert desk.scene.dialog is None
    assert desk.session.game.ply >= 2


def test_a_folder_that_cannot_be_written_is_told_once(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    desk.scene.files.library = Library(tmp_path / "file")
    desk.type("f5")
    desk.until(lambda: isinstance(desk.scene.dialog, Notice))
    desk.key(pygame.K_RETURN)
    desk.type("d6")
    desk.settle()
    assert desk.scene.dialog is None
    assert desk.moves() == ["f5", "d6"]
    desk.scene.files.library.close()


@pytest.mark.parametrize("color", Color)
def test_a_persons_points_come_first(color: Color) -> None:
    """In the list of games and above the review."""
    user, other = {"player_type": "user"}, {"player_type": "engine"}
    entries = (user, other) if color is Color.BLACK else (other, user)
    result = {"winner": "white", "black": 16, "white": 48}
    score = "16 : 48" if color is Color.BLACK else "48 : 16"
    assert score in entry_of("row", Listed(Path("x"), "", "othello", entries, result)).right
    others = entry_of("row", Listed(Path("x"), "", "othello", entries, {**result, "counts": False}))
    assert others.right.startswith("White wins"), "others made some of the moves"
    players = tuple(configure("user" if each is color else "mcts_uct", player_color=each) for each in Color)
    over = Game.new(RULES, parse_board("X" * 16 + "O" * 48 + " X"))
    session = Session(Config((players[0], players[1])), Script(), 0.0, start=over)
    assert review.title(session).endswith(score)


def test_a_level_is_listed_in_the_language_of_the_window() -> None:
    user = {"player_type": "user", "name": "Anna"}
    try:
        for language in texts.languages():
            texts.use(language)
            for written in texts.languages():
                level = {"player_type": "engine", "level": 3, "name": texts.catalogue(written)["levels.3"]}
                row = entry_of("row", Listed(Path("x"), "", "othello", (user, level), {}))
                assert texts.say("levels.3") in row.label
                assert "Anna" in row.label
    finally:
        texts.use("en")


@pytest.mark.parametrize("language", texts.languages())
def test_who_played_is_not_cut_in_a_small_window_with_large_text(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pygame.font.init()
    style = Style(2.0, palette_named())
    shortened: list[str] = []
    fit = Style.fit

    def watch(style: Style, text: str, *sizes: Any, **more: Any) -> str:
        fitted = fit(style, text, *sizes, **more)
        shortened.extend([text] if fitted != text else [])
        return fitted

    monkeypatch.setattr(Style, "fit", watch)
    entries: tuple[dict[str, Any], dict[str, Any]] = {"player_type": "user"}, {"player_type": "engine", "level": 2}
    try:
        texts.use(language)
        entries[1]["name"] = texts.say("levels.2")
        for result in ({}, {"winner": "black", "black": 48, "white": 16, "counts": False}):
            row = entry_of("row", Listed(Path("x"), "2026-11-21T22:20:00", "othello", entries, result))
            row.draw(Canvas(pygame.Surface((900, 100)), style, pygame.Rect(0, 0, 740, 64)))
    finally:
        texts.use("en")
    assert shortened == []
