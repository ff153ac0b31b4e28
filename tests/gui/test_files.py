"""Games opened, saved, copied, pasted and dropped, as a person does it."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import pygame
import pytest
from PIL import Image

from othello import config_file, texts
from othello.config import Config
from othello.config_file import load
from othello.game import Game, GameTree
from othello.gui import files
from othello.gui.commands import OpenFile, SaveFile
from othello.gui.dialogs.files import LeftDialog, OpenDialog
from othello.gui.dialogs.games import GamesDialog
from othello.gui.dialogs.games import item_of as row_of
from othello.gui.dialogs.listing import item_of, name_of
from othello.gui.dialogs.notices import Notice, SideQuestion
from othello.gui.dialogs.saving import KINDS, ExportDialog, SaveDialog
from othello.gui.preferences import palette_named
from othello.gui.review import review
from othello.gui.toolkit.panel import Canvas
from othello.gui.toolkit.rows import Rows
from othello.gui.toolkit.style import Style
from othello.gui.toolkit.switches import Select
from othello.gui.window import clipboard
from othello.play.archive import kept
from othello.play.commands import Annotate, Undo
from othello.play.keeper import Keeper
from othello.play.library import Library
from othello.play.session import Session
from othello.players.registry import configure
from othello.records.formats.sheet import Sheet
from othello.records.game_file import GameFile, Known, Listed, Told, format_game, parse_game
from othello.records.recognition import format_diagram, read_game, read_games, recognise
from othello.rules.protocol import Color
from othello.rules.registry import game_spec, rules_of
from othello.store.database import Store
from othello.texts import say
from tests.gui.desk import Desk
from tests.play.faulty import PERSON, computer
from tests.play.table import PASS_AHEAD, Script
from tests.play.test_archive import WIPE_OUT, at_table
from tests.play.test_library import settle
from tests.positions import RULES, parse_board

CTRL = pygame.KMOD_CTRL


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(PERSON, PERSON)
    keeper = Keeper(tmp_path / "data" / "games.sqlite")
    desk.scene.files.library = Library(keeper)
    desk.scene.files.folder = tmp_path
    yield desk
    desk.close()
    keeper.close()


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
    assert "\n4 . . . X X . . .\n" in clipboard()
    assert clipboard().endswith("\n\nf5d6c3")
    copied = clipboard()
    desk.type("f4")
    pygame.scrap.put_text(copied)
    press(desk, "v")
    assert desk.moves() == ["f5", "d6", "c3"]
    pygame.scrap.put_text("c4c3")
    press(desk, "v")
    desk.turn()
    assert desk.moves() == ["c4", "c3"]
    assert desk.scene.mode.name == "analyse"
    press(desk, "c", CTRL | pygame.KMOD_SHIFT)
    position = desk.session.game.position
    assert clipboard() == desk.session.game.rules.format_position(position)
    press(desk, "v")
    assert (desk.session.game.ply, desk.session.game.position) == (0, position)


@pytest.mark.parametrize("side", ["black", "white"])
def test_a_diagram_without_a_side_asks_whose_turn_it_is(desk: Desk, side: str) -> None:
    desk.type("f5d6c3")
    board = format_diagram(desk.session.game)
    pygame.scrap.put_text(board)
    press(desk, "v")
    assert isinstance(desk.scene.dialog, SideQuestion)
    click(desk, side)
    assert desk.scene.dialog is None
    assert (format_diagram(desk.session.game), desk.session.game.to_move.label) == (board, side)


def test_a_game_of_others_is_ones_own_once_one_plays_on_or_writes_a_note(desk: Desk, tmp_path: Path) -> None:
    library = desk.scene.files.library
    assert library is not None
    (tmp_path / "many.txt").write_text(f"{WIPE_OUT}\n{WIPE_OUT}\n")
    for own, change in enumerate((None, Annotate("a note"), Undo())):
        pygame.scrap.put_text(WIPE_OUT)
        press(desk, "v")
        if change is None:
            drop(desk, tmp_path / "many.txt")
            desk.until(lambda: "2 games" in desk.words())
            desk.key(pygame.K_RETURN)
        else:
            desk.session.do(change, 0.0)
            desk.turn()
        desk.session.history.remember(desk.session.game, analyses={})
        library.follow(desk.session, time.monotonic() + 60.0)
        settle(library.keeper)
        assert len(library.games()) == own


def test_an_unfinished_game_that_is_pasted_waits_in_analyse(sit_down: Callable[..., Desk]) -> None:
    desk = sit_down(computer("first"), PERSON)
    desk.until(lambda: desk.session.game.ply == 1)
    pygame.scrap.put_text("f5d6c3d3")  # the computer is to move
    press(desk, "v")
    desk.turn()
    assert (desk.scene.mode.name, desk.moves()) == ("analyse", ["f5", "d6", "c3", "d3"])
    end = time.monotonic() + 0.3
    desk.until(lambda: time.monotonic() > end)
    assert len(desk.moves()) == 4, "nobody plays on"
    press(desk, "1")
    desk.key(pygame.K_SPACE, " ")
    desk.until(lambda: desk.session.game.ply == 5)


def test_a_finished_game_that_is_pasted_stays_where_it_is(sit_down: Callable[..., Desk]) -> None:
    desk = sit_down(PERSON, PERSON)
    pygame.scrap.put_text("e6f4e3f6g5d6e7f5c5")
    press(desk, "v")
    desk.turn()
    assert desk.session.referee.is_over
    assert desk.scene.mode.name == "play"


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
    (path,) = tmp_path.glob("*.othello.json")
    assert path.name == f"Black – White {desk.session.history.date[:10]}.othello.json"
    assert parse_game(path.read_text(encoding="utf-8")).tree.game == desk.session.game
    desk.type("c3")
    press(desk, "o")
    desk.scene.dialog.on_control_changed("tab", "files")
    desk.settle()
    desk.type("black")
    desk.key(pygame.K_RETURN)
    assert desk.scene.dialog is None
    assert desk.moves() == ["f5", "d6"]


def test_nothing_is_replaced_by_enter(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "mine.othello.json"
    path.write_text("something else", encoding="utf-8")
    desk.type("f5")
    press(desk, "s")
    desk.type("mine")
    desk.key(pygame.K_RETURN)
    desk.key(pygame.K_RETURN)
    assert path.read_text(encoding="utf-8") == "something else"
    assert any("mine.othello.json already exists" in words for words in desk.words())
    desk.press("replace")
    assert desk.scene.dialog is None
    assert parse_game(path.read_text(encoding="utf-8")).tree.game == desk.session.game


def test_a_name_that_is_taken_is_not_proposed(desk: Desk, tmp_path: Path) -> None:
    for _ in range(2):
        press(desk, "s")
        desk.key(pygame.K_RETURN)
        assert desk.scene.dialog is None
    assert len([*tmp_path.glob("*.othello.json")]) == 2


@pytest.fixture
def shelf(desk: Desk) -> Library:
    """A library of three games, the dialog that lists them being open; the newest, of three moves, comes first."""
    library = desk.scene.files.library
    assert library is not None
    for number, name in enumerate(("Anna", "Bert", "Cleo"), 1):
        session, date = at_table(number), f"2026-01-0{number}T18:30:00"
        file = kept(session.history.tree, session.history.referee, date)
        named = replace(file, players=({"player_type": "user", "name": name}, {"player_type": "user"}), names=None)
        library.keeper.store.own.write(named, None, 0, "", is_played=False)
    press(desk, "o")
    desk.settle()
    return library


def chosen(desk: Desk) -> str:
    """The label of the chosen row."""
    rows = desk.placed("rows").panel
    assert isinstance(rows, Rows)
    return rows.items[rows.pick.row].label


def test_the_list_is_used_by_keys_and_is_one_stop(desk: Desk, shelf: Library) -> None:
    assert "Cleo" in chosen(desk)
    for key, name in ((pygame.K_DOWN, "Bert"), (pygame.K_END, "Anna"), (pygame.K_HOME, "Cleo")):
        desk.key(key)
        assert name in chosen(desk)
    desk.type("an")
    assert "Anna" in chosen(desk)
    stops = []
    for _ in range(12):
        desk.key(pygame.K_TAB, "\t")
        stops.append(desk.scene.stage.focus)
    assert stops.count("rows") in (1, 2)
    desk.key(pygame.K_ESCAPE)
    press(desk, "o")
    desk.key(pygame.K_DOWN)
    desk.key(pygame.K_RETURN)
    assert desk.scene.dialog is None
    assert desk.session.game.ply == 2


def test_one_click_shows_the_board_and_two_open_the_game(desk: Desk, shelf: Library) -> None:
    rows = desk.placed("rows")
    assert isinstance(rows.panel, Rows)
    at = rows.panel.row_rect(1, desk.canvas("rows")).center
    desk.click(at)
    desk.settle()
    assert "unfinished · 2 moves" in desk.words()
    assert desk.session.game.ply == 0
    desk.click(at)
    assert desk.session.game.ply == 2


def test_a_game_is_found_renamed_deleted_and_brought_back(desk: Desk, shelf: Library) -> None:
    press(desk, "f")
    desk.type("bert")
    desk.key(pygame.K_DOWN)
    assert "Bert" in chosen(desk)
    desk.settle()
    desk.press("rename")
    desk.type("A fine game")
    desk.key(pygame.K_RETURN)
    assert chosen(desk).startswith("A fine game")
    desk.settle()
    desk.scene.stage.go_to("rows")
    desk.key(pygame.K_DELETE)
    assert [listed.name for listed in shelf.games()] == ["", ""]
    desk.press("restore")
    assert chosen(desk).startswith("A fine game")
    assert len(shelf.games()) == 3


def test_a_file_is_renamed_deleted_and_brought_back_and_no_file_is_replaced(desk: Desk, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.txt").write_text("f5d6", encoding="utf-8")
    press(desk, "o")
    dialog = desk.scene.dialog
    assert isinstance(dialog, OpenDialog)
    dialog.on_control_changed("tab", "files")
    desk.settle()
    desk.type("a")
    for typed, fault in (("b", True), ("c", False)):
        desk.settle()
        desk.key(pygame.K_F2)
        desk.type(typed)
        desk.key(pygame.K_RETURN)
        assert any("cannot be written" in words for words in desk.words()) is fault
        if fault:
            desk.key(pygame.K_ESCAPE)
    assert chosen(desk) == "c.txt"
    desk.settle()
    desk.press("delete")
    assert [*tmp_path.glob("*.txt")] == [tmp_path / "b.txt"]
    desk.press("restore")
    assert chosen(desk) == "c.txt"


def test_paths_are_typed_and_pasted_and_backspace_goes_up(desk: Desk, tmp_path: Path) -> None:
    inner = tmp_path / "one" / "two"
    inner.mkdir(parents=True)
    for name in ("game.txt", "gamely.txt", "other.txt"):
        (inner / name).write_text("f5d6c3", encoding="utf-8")
    (inner / "strange.suffix").write_text("f5d6", encoding="utf-8")
    press(desk, "o")
    dialog = desk.scene.dialog
    assert isinstance(dialog, OpenDialog)

    def names() -> list[str]:
        return [entry.item.label for entry in dialog.entries()[:5]]

    desk.type(f"{tmp_path}/o")
    assert (names(), dialog.folder) == (["one"], tmp_path)
    desk.type("ne/two/")
    assert names()[1:] == ["game.txt", "gamely.txt", "other.txt"]
    desk.type("game")
    assert names() == ["game.txt", "gamely.txt"]
    desk.type("x")
    assert names() == []
    assert not desk.is_enabled("open")
    assert say("files.not_found") in desk.words()
    desk.key(pygame.K_a, mod=CTRL)
    desk.key(pygame.K_BACKSPACE)
    for folder in (tmp_path / "one", tmp_path):
        desk.key(pygame.K_BACKSPACE)
        assert dialog.folder == folder
    assert chosen(desk) == "one"
    dialog.on_control_changed("folder", inner)
    desk.turn()
    desk.scene.stage.go_to("rows")
    desk.key(pygame.K_BACKSPACE)
    assert chosen(desk) == "two"
    pygame.scrap.put_text(f'"{inner / "strange.suffix"}"')
    press(desk, "v")
    desk.turn()
    assert names() == ["strange.suffix"]
    desk.key(pygame.K_RETURN)
    assert desk.moves() == ["f5", "d6"]


@pytest.mark.parametrize("kind", ["each", "GGF"])
def test_all_games_are_exported(desk: Desk, shelf: Library, tmp_path: Path, kind: str) -> None:
    desk.press("export")
    dialog = desk.scene.dialog
    assert isinstance(dialog, ExportDialog)
    dialog.on_control_changed("kind", kind)
    dialog.on_control_changed("name", "all")
    desk.turn()
    desk.press("save")
    assert desk.scene.dialog is None
    desk.until(lambda: desk.status.startswith("3 games written to all"))
    files = [*tmp_path.glob("all/*.othello.json")] or [*tmp_path.glob("all.ggf")]
    games = [sheet for file in files for sheet in read_games(file, desk.session.game.rules.spec)]
    assert sorted(len(sheet.moves) for sheet in games if isinstance(sheet, Sheet)) == [1, 2, 3]
    assert (tmp_path / "all" / "2026-01-01T183000 Anna.othello.json").exists() is (kind == "each")


def test_a_dialog_begins_at_its_upper_end(desk: Desk, shelf: Library) -> None:
    desk.resize((900, 600))
    desk.use_text(200)
    desk.scene.stage.scroll_page(1)
    desk.key(pygame.K_ESCAPE)
    press(desk, "s")
    desk.settle()
    assert desk.placed("page").rect.top <= desk.placed("kind").rect.top


def test_the_dialog_keeps_its_place_whatever_is_in_it(desk: Desk, shelf: Library) -> None:
    dialog = desk.scene.dialog
    assert isinstance(dialog, OpenDialog)
    places = set()
    for tab in ("games", "files", "recent"):
        dialog.on_control_changed("tab", tab)
        desk.settle()
        places |= {tuple(desk.placed(name).rect) for name in ("dialog",)} | {tuple(desk.placed("tab").rect)}
    assert len(places) == 2


def test_a_name_is_copied_and_pasted_as_in_every_window(desk: Desk, tmp_path: Path) -> None:
    press(desk, "s")
    press(desk, "c")
    assert clipboard().startswith("Black"), "at first all of the name is selected"
    pygame.scrap.put_text("another one")
    press(desk, "v")
    desk.key(pygame.K_HOME)
    desk.type("Not ")
    desk.key(pygame.K_RETURN)
    assert (tmp_path / "Not another one.othello.json").exists()


@pytest.mark.parametrize("pastes", [False, True])
def test_one_game_of_many_is_found_and_opened(desk: Desk, tmp_path: Path, pastes: bool) -> None:
    names = ("Ann", "Bob", "Cleo")
    text = "".join(
        f"(;GM[Othello]PB[{name}]PW[Dan]B[f5]W[{'d6' if name != 'Bob' else 'a1'}];)\n" for name in names * 100
    )
    if pastes:
        pygame.scrap.put_text(text)
        press(desk, "v")
    else:
        (tmp_path / "many.ggf").write_text(text, encoding="utf-8")
        drop(desk, tmp_path / "many.ggf")
    dialog = desk.scene.dialog
    assert isinstance(dialog, GamesDialog)
    desk.until(lambda: any(words.startswith("200 games  100 games are left out. Game 2, ") for words in desk.words()))
    assert any("line 2, move 2, a1: not legal here" in words for words in desk.words())
    for key, start in ((pygame.K_END, "300  ·  Cleo – Dan"), (pygame.K_HOME, "1  ·  Ann – Dan")):
        desk.key(key)
        assert chosen(desk).startswith(start)
    press(desk, "f")
    desk.type("300 cleo")
    desk.settle()
    assert chosen(desk).startswith("300  ·  Cleo")
    desk.key(pygame.K_DOWN)
    desk.key(pygame.K_RETURN)
    assert desk.scene.dialog is None
    assert (desk.moves(), desk.session.seats[Color.BLACK].name) == (["f5", "d6"], "Cleo")


def test_a_list_of_games_is_left_for_the_dialog_below(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "many.txt").write_text("f5d6\nf5d6c3\n", encoding="utf-8")
    press(desk, "o")
    dialog = desk.scene.dialog
    desk.scene.do(OpenFile(tmp_path / "many.txt"), 0.0)
    desk.until(lambda: "2 games" in desk.words())
    assert chosen(desk) == "1  ·  f5 d6"
    desk.key(pygame.K_ESCAPE)
    assert desk.scene.dialog is dialog
    desk.scene.do(OpenFile(tmp_path / "many.txt"), 0.0)
    desk.until(lambda: "2 games" in desk.words())
    desk.press("open")
    assert desk.scene.dialog is None


@pytest.mark.slow
def test_all_games_of_a_file_become_an_archive(tmp_path: Path) -> None:
    desk = Desk(PERSON, PERSON, store=partial(Store, tmp_path / "store"))
    try:
        (tmp_path / "many.txt").write_text("f5d6\nf5d6c3\n", encoding="utf-8")
        drop(desk, tmp_path / "many.txt")
        desk.press("archive")
        assert desk.scene.dialog is None
        desk.until(lambda: desk.scene.explorer.progress is None)
        with Store(tmp_path / "store") as store:
            assert [(source.name, source.games) for source in store.sources() if source.kind == "archive"] == [
                ("many", 2)
            ]
    finally:
        desk.scene.close()
        desk.close()


def test_other_programs_formats_are_offered_where_they_hold_the_game(desk: Desk, tmp_path: Path) -> None:
    desk.type("f5d6")
    desk.session.do(Annotate("a note"), 0.0)
    (tmp_path / "x.jou").touch()
    for kind in ("GGF", "SGF", "PGN", "WTHOR"):
        press(desk, "s")
        dialog = desk.scene.dialog
        assert isinstance(dialog, SaveDialog)
        dialog.on_control_changed("kind", kind)
        dialog.on_control_changed("name", "x")
        desk.turn()
        assert any("leaves out: " in words and "notes" in words for words in desk.words()) is (kind == "GGF")
        assert any("x.jou already exists" in words for words in desk.words()) is (kind == "WTHOR")
        desk.press("replace" if kind == "WTHOR" else "save")
        assert desk.scene.dialog is None
    for path in tmp_path.glob("x.[gspw]*"):
        assert read_game(path, desk.session.game.rules.spec).tree.game.moves == desk.session.game.moves
    assert SaveDialog(tmp_path, "x", Sheet.of(recognise("b2 a1", game_spec("tictactoe")))).kinds[-1] == "config"


@pytest.mark.parametrize(
    ("kind", "suffix"),
    [("moves", ".othello.txt"), ("board", ".board.txt"), ("picture", ".png"), ("film", ".gif"), ("config", ".json")],
)
def test_texts_and_pictures_are_saved(desk: Desk, tmp_path: Path, kind: str, suffix: str) -> None:
    desk.type("f5d6")
    press(desk, "s")
    dialog = desk.scene.dialog
    assert isinstance(dialog, SaveDialog)
    dialog.on_control_changed("kind", kind)
    dialog.on_control_changed("name", "x")
    desk.turn()
    desk.key(pygame.K_RETURN)
    path = tmp_path / f"x{suffix}"
    if kind == "film":
        desk.until(lambda: desk.status == f"Saved as {path.name}.")
        with Image.open(path) as film:
            assert (film.format, film.n_frames) == ("GIF", 3)  # type: ignore[attr-defined]
    elif kind == "config":
        assert [player.player_type for player in load(path).players] == ["user", "user"]
    elif kind == "picture":
        assert pygame.image.load(path).get_size() == (1024, 1024)
    else:
        drop(desk, path)
        assert desk.session.game.ply == (2 if kind == "moves" else 0)


def test_the_window_goes_on_while_a_film_is_written(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = Event()
    monkeypatch.setattr(files, "film_of", lambda *_: b"film" if go_on.wait(60) else b"")
    desk.scene.do(SaveFile(tmp_path / "x.gif", "film"), 0.0)
    desk.turn()
    assert desk.status == "Writing x.gif…"
    desk.type("f5")
    assert desk.moves() == ["f5"]
    go_on.set()
    desk.scene.files.close()
    desk.until(lambda: desk.status == "Saved as x.gif.")
    assert (tmp_path / "x.gif").read_bytes() == b"film"


def test_a_name_may_have_a_folder_that_is_there(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    press(desk, "s")
    dialog = desk.scene.dialog
    assert isinstance(dialog, SaveDialog)
    for name in ("", "..", "nowhere/x", "a:b", "x\0", "there/?"):
        dialog.on_control_changed("name", name)
        assert not dialog.is_valid
        desk.turn()
    dialog.on_control_changed("name", str(tmp_path / "there" / "mine"))
    desk.turn()
    desk.key(pygame.K_RETURN)
    assert (tmp_path / "there" / "mine.othello.json").exists()


def test_formats_are_told_with_their_endings_and_a_typed_path_is_gone_to(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    desk.type("f5")
    press(desk, "s")
    dialog = desk.scene.dialog
    assert isinstance(dialog, SaveDialog)
    formats = desk.placed("kind").panel
    assert isinstance(formats, Select)
    told = dict(formats.options)
    assert [*told] == [*dialog.kinds]
    assert all(KINDS[kind] in words and len(words.split(": ")[1]) > 5 for kind, words in told.items())
    assert told["config"].startswith("Config file (.json): ")
    desk.type(f"{tmp_path}/there/")
    assert dialog.folder == tmp_path / "there"
    assert not dialog.is_valid
    desk.type("mine")
    assert dialog.is_valid
    desk.scene.stage.go_to("rows")
    desk.key(pygame.K_BACKSPACE)
    assert dialog.folder == tmp_path
    desk.press("save")
    assert (tmp_path / "mine.othello.json").exists()


def test_what_cannot_be_written_is_said_in_the_dialog(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "x.othello.json").mkdir()
    press(desk, "s")
    desk.type("x")
    desk.press("replace")
    assert isinstance(desk.scene.dialog, SaveDialog)
    assert any("cannot be written" in words for words in desk.words())
    desk.key(pygame.K_ESCAPE)
    assert desk.scene.dialog is None


def test_a_file_that_is_none_is_refused(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("hello", encoding="utf-8")
    drop(desk, tmp_path / "x.txt")
    assert isinstance(desk.scene.dialog, Notice)


def test_a_game_that_was_left_is_offered(desk: Desk, tmp_path: Path) -> None:
    library = desk.scene.files.library
    assert library is not None
    desk.type("f5d6")
    settle(library.keeper)
    desk.type("c3")
    library.left = library.games()[0]
    desk.turn()
    assert isinstance(desk.scene.dialog, LeftDialog)
    assert any(words.startswith("Othello · Black – White, move ") for words in desk.words())
    desk.key(pygame.K_RETURN)
    assert desk.scene.dialog is None
    assert desk.session.game.ply >= 2


@pytest.mark.parametrize(("button", "is_asked_again"), [("not_now", True), ("never", False), ("close", True)])
def test_a_game_that_was_left_is_offered_until_somebody_answers(
    desk: Desk, button: str, is_asked_again: bool, tmp_path: Path
) -> None:
    library = desk.scene.files.library
    assert library is not None
    desk.type("f5d6")
    settle(library.keeper)
    with closing(Keeper(tmp_path / "data" / "games.sqlite")) as keeper:
        keeper.store.own.mark(library.games()[0].number, "running-1-killed")
        library.left = keeper.store.own.left(lambda _: True)
        desk.turn()
        assert isinstance(desk.scene.dialog, LeftDialog)
        desk.press(button)
        assert desk.scene.dialog is None
        settle(library.keeper)
        assert (keeper.store.own.left(lambda _: True) is not None) == is_asked_again


def test_a_paste_that_is_too_large_says_so(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for text in ("", "f5" * (1 << 23) + "d6"):  # SDL has nothing to tell of texts beyond its own limit
        monkeypatch.setattr("othello.gui.window.clipboard", lambda text=text: text)
        press(desk, "v")
        assert isinstance(desk.scene.dialog, Notice)
        assert any("more than can be pasted" in words for words in desk.words())
        desk.key(pygame.K_ESCAPE)
        assert desk.moves() == []


def test_a_store_that_cannot_be_written_is_told_once(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with closing(Keeper(tmp_path / "file" / "games.sqlite")) as keeper:
        desk.scene.files.library = Library(keeper)
        desk.type("f5")
        desk.until(lambda: isinstance(desk.scene.dialog, Notice))
        desk.key(pygame.K_RETURN)
        desk.type("d6")
        settle(keeper)
        desk.settle()
        assert desk.scene.dialog is None
        assert desk.moves() == ["f5", "d6"]


@pytest.mark.parametrize("color", Color)
def test_blacks_points_come_first(color: Color) -> None:
    """In the list of games and above the review."""
    user, other = {"player_type": "user"}, {"player_type": "engine"}
    entries = (user, other) if color is Color.BLACK else (other, user)
    result = {"winner": "white", "black": 16, "white": 48}
    score = "16 : 48"
    assert score in item_of(Listed(Told("", "othello", entries, result).head)).right
    others = item_of(Listed(Told("", "othello", entries, {**result, "counts": False}).head))
    assert others.right.startswith("White wins"), "others made some of the moves"
    players = tuple(configure("user" if each is color else "mcts_uct", player_color=each) for each in Color)
    over = Game.new(RULES, parse_board("X" * 16 + "O" * 48 + " X"))
    session = Session(Config((players[0], players[1])), Script(), 0.0, start=over)
    assert review.title(session).endswith(score)


@pytest.mark.parametrize(
    ("kinds", "told"),
    [
        (("user", "mcts_uct"), "You – UCT"),
        (("mcts_uct", "user"), "UCT – You"),
        (("user", "user"), "Black – White"),
        (("mcts_uct", "random"), "UCT – Random"),
    ],
)
def test_players_are_listed_as_they_were_called_in_the_game(kinds: tuple[str, str], told: str) -> None:
    black, white = ({"player_type": kind} for kind in kinds)
    assert told in item_of(Listed(Told("", "othello", (black, white)).head)).label


def test_a_level_is_listed_in_the_language_of_the_window() -> None:
    user = {"player_type": "user", "name": "Anna"}
    try:
        for language in texts.languages():
            texts.use(language)
            for written in texts.languages():
                level = {"player_type": "engine", "level": 3, "name": texts.catalogue(written)["levels.3"]}
                row = item_of(Listed(Told("", "othello", (user, level)).head))
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
            row = item_of(Listed(Told("2026-11-21T22:20:00", "othello", entries, result).head))
            Rows((row,), name="x").draw(Canvas(pygame.Surface((900, 100)), style, pygame.Rect(0, 0, 740, 64)))
    finally:
        texts.use("en")
    assert shortened == []


@pytest.mark.parametrize("whose", ["computers", "pass"])
def test_no_computer_moves_in_a_game_that_was_opened_before_the_user_acts(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whose: str
) -> None:
    monkeypatch.setattr(config_file, "cores", lambda: 2)
    computer: dict[str, object] = {
        "player_type": "mcts_uct",
        "name": "first",
        "search_threads": 64,
        "simulation_count": 10**9,
    }
    user: dict[str, object] = {"player_type": "user"}
    if whose == "computers":
        game, players = Game.new(RULES).play(19), (user, computer)
    else:
        game, players = Game.new(RULES, parse_board(PASS_AHEAD)).play(0), (computer, user)
    sheet = GameFile(GameTree.of(game, Known()), players)
    path = tmp_path / "theirs.othello.json"
    path.write_text(format_game(sheet), encoding="utf-8")
    ply = game.ply
    drop(desk, path)
    assert isinstance(desk.scene.dialog, Notice)
    assert "search_threads: 64 is more than this machine has room for; using 2" in str(desk.words())
    desk.key(pygame.K_RETURN)
    for _ in range(20):
        desk.turn()
    assert (desk.session.game.ply, desk.session.pace.paused) == (ply, True)
    assert not desk.session.worker.is_wanted


@pytest.mark.parametrize(("entry", "name"), [({"level": 3}, "Casual"), ({"level": 99}, "Engine"), ({}, "Engine")])
def test_a_level_without_a_name_is_listed_by_the_level(entry: dict[str, Any], name: str) -> None:
    players = {"player_type": "user"}, {"player_type": "engine", **entry}
    assert name_of(Listed(Told("", "othello", players).head), Color.WHITE) == name


def test_a_row_of_a_game_counts_no_pass_and_names_its_day_once() -> None:
    game = Game.new(rules_of(game_spec("othello")))
    while not game.is_over:
        game = game.play(game.legal_moves()[0])
    assert game.number < len(game.moves), "somebody passes"
    sheet = Sheet(
        game.rules, bytes(game.moves), players=("A", "B"), date="2026-11-23T21:26:00", event="2026-11-23-212535"
    )
    row = row_of(sheet)
    assert row.label == "1  ·  A – B  ·  2026-11-23"
    assert row.right.endswith(f"{game.number} moves")
