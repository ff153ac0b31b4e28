"""Opening, saving, copying, pasting and dropping games, driven by real events."""

import time
from collections.abc import Iterator
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
from othello.errors import Reason
from othello.game import Game, GameTree
from othello.gui import commands as gui, game_files, ui
from othello.gui.dialogs.file_dialogs import OpenDialog, ResumeGameDialog, item_of
from othello.gui.dialogs.games import GamesDialog, item_of as row_of
from othello.gui.dialogs.notices import MessageDialog, SideDialog
from othello.gui.dialogs.player_form import offered
from othello.gui.dialogs.saving import KINDS, ExportDialog, SaveDialog
from othello.gui.modes.review import review
from othello.gui.platform.window import clipboard
from othello.gui.preferences import palette_named
from othello.play.session import Session
from othello.play.session_commands import Annotate, Undo
from othello.players.player_registry import configure
from othello.records.formats.parsed_game import ParsedGame
from othello.records.game_file import GameFile, GameHeaders, GameListEntry, PositionData, format_game, parse_game
from othello.records.readers import format_diagram, read_game, read_games, recognise
from othello.rules.protocol import Color, Move
from othello.rules.registry import game_spec
from othello.store.database import Store
from othello.study.game_file_conversion import game_file_from
from othello.study.library import Library
from othello.study.store_writer import StoreWriter
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON, computer
from tests.play.session_driver import PASS_AHEAD, ScriptedWorker
from tests.play.test_library import WIPE_OUT, at_table, settle
from tests.positions import RULES, parse_board

USER: dict[str, Any] = {"player_type": "user"}
ENGINE: dict[str, Any] = {"player_type": "engine"}


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """Return an empty library."""
    with closing(StoreWriter(tmp_path / "data" / "games.sqlite")) as store_writer:
        yield Library(store_writer)


@pytest.fixture
def driver(library: Library, open_window: OpenWindow, tmp_path: Path) -> WindowDriver:
    """Open a window for two people whose games and files are in a temporary folder."""
    driver = open_window(PERSON, PERSON)
    driver.scene.files.library = library
    driver.scene.files.folder = tmp_path
    return driver


@pytest.fixture
def stored(driver: WindowDriver, library: Library) -> Library:
    """Return a library of three games with its dialog open; the newest game, of three moves, comes first."""
    for number, name in enumerate(("Anna", "Bert", "Cleo"), 1):
        session, date = at_table(number), f"2026-01-0{number}T18:30:00"
        file = game_file_from(session.history.tree, session.history.referee, date)
        named = replace(file, players=({"player_type": "user", "name": name}, {"player_type": "user"}), names=None)
        library.store_writer.store.own.write(named, None, 0, "", is_played=False)
    driver.keys("Ctrl+O")
    driver.settle()
    return library


def chosen(driver: WindowDriver) -> str:
    """Return the chosen row of the open dialog."""
    rows = driver.widget("rows", ui.ListView)
    return rows.items[rows.pick.row].label


def wait_for_status(driver: WindowDriver, words: str) -> None:
    driver.until(lambda: driver.status.startswith(words))


def listed(*players: dict[str, Any], result: dict[str, Any] | None = None, date: str = "") -> GameListEntry:
    """Return the entry of a game in the library."""
    black, white = players
    return GameListEntry(GameHeaders(date, "othello", (black, white), result or {}).headers_json)


def test_copied_games_and_positions_can_be_pasted(driver: WindowDriver) -> None:
    driver.type("f5d6c3")
    driver.keys("Ctrl+C")
    assert "\n4 . . . X X . . .\n" in clipboard()
    assert clipboard().endswith("\n\nf5d6c3")
    copied = clipboard()
    driver.type("f4")
    driver.paste(copied)
    assert driver.moves() == ["f5", "d6", "c3"]
    driver.paste("c4c3")
    driver.turn()
    assert (driver.scene.mode.name, driver.moves()) == ("analyse", ["c4", "c3"])
    driver.keys("Ctrl+Shift+C")
    position = driver.session.game.position
    assert clipboard() == driver.session.game.rules.format_position(position)
    driver.keys("Ctrl+V")
    assert (driver.session.game.ply, driver.session.game.position) == (0, position)


def test_a_diagram_without_a_side_asks_whose_turn_it_is(driver: WindowDriver) -> None:
    driver.type("f5d6c3")
    board = format_diagram(driver.session.game)
    for side in ("black", "white"):
        driver.paste(board)
        driver.dialog(SideDialog)
        driver.press(side)
        assert driver.scene.dialog is None
        assert (format_diagram(driver.session.game), driver.session.game.to_move.label) == (board, side)


def test_a_pasted_game_is_stored_once_changed_or_noted(driver: WindowDriver, library: Library, tmp_path: Path) -> None:
    (tmp_path / "many.txt").write_text(f"{WIPE_OUT}\n{WIPE_OUT}\n")
    for own, change in enumerate((None, Annotate("a note"), Undo())):
        driver.paste(WIPE_OUT)
        if change is None:
            driver.drop(tmp_path / "many.txt")
            driver.until(lambda: "2 games" in driver.words())
            driver.keys("Enter")
        else:
            driver.session.do(change, 0.0)
            driver.turn()
        driver.session.history.remember(driver.session.game, analyses={})
        library.follow(driver.session, time.monotonic() + 60.0)
        settle(library.store_writer)
        assert len(library.games()) == own


def test_an_unfinished_game_that_is_pasted_is_analysed_and_a_finished_one_shown(open_window: OpenWindow) -> None:
    driver = open_window(computer("first"), PERSON)
    driver.until(lambda: driver.session.game.ply == 1)
    driver.paste("f5d6c3d3")  # the computer is to move
    driver.turn()
    assert (driver.scene.mode.name, driver.moves()) == ("analyse", ["f5", "d6", "c3", "d3"])
    for _ in range(20):
        driver.turn()
    assert len(driver.moves()) == 4, "the computer waits"
    driver.keys("Ctrl+1", "Space")
    driver.until(lambda: driver.session.game.ply == 5)
    driver.paste(WIPE_OUT)
    driver.turn()
    assert (driver.scene.mode.name, driver.session.referee.is_over) == ("play", True)


def test_faulty_input_is_only_reported(
    driver: WindowDriver, library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver.type("f5")
    (tmp_path / "x.txt").write_text("hello", encoding="utf-8")
    driver.drop(tmp_path / "x.txt")
    too_large = "f5" * (1 << 23) + "d6"
    for text in (None, "f5d6a1", "", too_large):  # SDL reports no text beyond its own limit
        if text is not None:
            monkeypatch.setattr("othello.gui.platform.window.clipboard", lambda text=text: text)
            driver.keys("Ctrl+V")
        driver.dialog(MessageDialog)
        assert driver.shows_words("no text, or too much") is (text in ("", too_large))
        driver.keys("Enter")
        assert (driver.scene.dialog, driver.moves()) == (None, ["f5"])
    library.store_writer.notice = Reason("store_damaged", {"path": "a", "file": "b", "count": 3})
    driver.show()
    assert driver.dialog(MessageDialog).title == texts.tr("files.recovered")
    driver.keys("Enter")
    assert driver.scene.dialog is None, "reported once"


def test_a_game_is_saved_and_opened_by_keys_alone(driver: WindowDriver, tmp_path: Path) -> None:
    driver.type("f5d6")
    driver.keys("Ctrl+S")
    driver.dialog(SaveDialog)
    driver.keys("Enter")
    assert driver.scene.dialog is None
    (path,) = tmp_path.glob("*.othello.json")
    assert path.name == f"Black – White {driver.session.history.date[:10]}.othello.json"
    assert parse_game(path.read_text(encoding="utf-8")).tree.game == driver.session.game
    driver.type("c3")
    driver.keys("Ctrl+O")
    driver.use(("tab", "files"))
    driver.settle()
    driver.type("black")
    driver.keys("Enter")
    assert (driver.scene.dialog, driver.moves()) == (None, ["f5", "d6"])


def test_saving_replaces_a_file_only_if_confirmed(driver: WindowDriver, tmp_path: Path) -> None:
    path = tmp_path / "mine.othello.json"
    path.write_text("something else", encoding="utf-8")
    (tmp_path / "x.othello.json").mkdir()
    driver.type("f5")
    driver.keys("Ctrl+S")
    driver.type("mine")
    driver.keys("Enter", "Enter")
    assert path.read_text(encoding="utf-8") == "something else"
    assert driver.shows_words("mine.othello.json already exists")
    driver.press("replace")
    assert driver.scene.dialog is None
    assert parse_game(path.read_text(encoding="utf-8")).tree.game == driver.session.game
    for count in (3, 4):  # the proposed name is not in use
        driver.keys("Ctrl+S", "Enter")
        assert driver.scene.dialog is None
        assert len([*tmp_path.glob("*.othello.json")]) == count
    driver.keys("Ctrl+S")
    driver.type("x")
    driver.press("replace")
    assert driver.shows_words("cannot be written")
    driver.type("y")
    assert not driver.shows_words("cannot be written")
    assert driver.dialog(SaveDialog).is_valid


def test_the_list_of_games_is_used_by_keys_and_mouse(driver: WindowDriver, stored: Library) -> None:
    assert "Cleo" in chosen(driver)
    for key, name in (("Down", "Bert"), ("End", "Anna"), ("Home", "Cleo")):
        driver.keys(key)
        assert name in chosen(driver)
    driver.type("an")
    assert "Anna" in chosen(driver)
    stops = []
    for _ in range(12):
        driver.keys("Tab")
        stops.append(driver.scene.widgets.focus)
    assert stops.count("rows") in (1, 2)
    driver.keys("Esc", "Ctrl+O")
    at = driver.widget("rows", ui.ListView).row_rect(1, driver.canvas("rows")).center
    driver.click(at)
    driver.settle()
    assert ("unfinished · 2 moves" in driver.words(), driver.session.game.ply) == (True, 0)
    driver.click(at)
    assert driver.session.game.ply == 2, "a second click opens the game"
    driver.keys("Ctrl+O", "Enter")
    assert (driver.scene.dialog, driver.session.game.ply) == (None, 3)


def test_a_game_is_found_renamed_deleted_and_brought_back(driver: WindowDriver, stored: Library) -> None:
    driver.keys("Ctrl+F")
    driver.type("bert")
    driver.keys("Down")
    assert "Bert" in chosen(driver)
    driver.settle()
    driver.press("rename")
    driver.type("A fine game")
    driver.keys("Enter")
    assert (driver.dialog(OpenDialog).typed, chosen(driver)[:11]) == ("bert", "A fine game")
    driver.settle()
    driver.scene.widgets.go_to("rows")
    driver.keys("Delete")
    assert [entry.name for entry in stored.games()] == ["", ""]
    driver.press("restore")
    assert chosen(driver).startswith("A fine game")
    assert len(stored.games()) == 3


def test_a_file_is_renamed_deleted_and_brought_back_and_replaces_none(driver: WindowDriver, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.txt").write_text("f5d6", encoding="utf-8")
    driver.keys("Ctrl+O")
    driver.use(("tab", "files"))
    driver.settle()
    driver.type("a")
    for typed, fault in (("b", True), ("c", False)):
        driver.settle()
        driver.keys("F2")
        driver.type(typed)
        driver.keys("Enter")
        assert driver.shows_words("cannot be written") is fault
        if fault:
            driver.keys("Esc")
    assert chosen(driver) == "c.txt"
    driver.settle()
    driver.press("delete")
    assert [*tmp_path.glob("*.txt")] == [tmp_path / "b.txt"]
    driver.press("restore")
    assert chosen(driver) == "c.txt"


def test_paths_are_typed_and_pasted_and_backspace_goes_up(driver: WindowDriver, tmp_path: Path) -> None:
    inner = tmp_path / "one" / "two"
    inner.mkdir(parents=True)
    for name in ("game.txt", "game.txt.txt", "other.txt"):
        (inner / name).write_text("f5d6c3", encoding="utf-8")
    (inner / "strange.suffix").write_text("f5d6", encoding="utf-8")
    driver.keys("Ctrl+O")
    dialog = driver.dialog(OpenDialog)

    def names() -> list[str]:
        return [entry.label for entry in dialog.entries()[:5]]

    driver.type(f"{tmp_path}/o")
    assert (names(), dialog.folder) == (["one"], tmp_path)
    driver.type("ne/two/")
    assert names()[1:] == ["game.txt", "game.txt.txt", "other.txt"]
    driver.type("game.txt")
    assert names() == ["game.txt", "game.txt.txt"]
    driver.type("x")
    assert names() == []
    assert not driver.is_enabled("open")
    assert texts.tr("files.not_found") in driver.words()
    driver.keys("Ctrl+A", "Backspace")
    for folder in (tmp_path / "one", tmp_path):
        driver.keys("Backspace")
        assert dialog.folder == folder
    assert chosen(driver) == "one"
    driver.use(("folder", inner))
    driver.scene.widgets.go_to("rows")
    driver.keys("Backspace")
    (inner / "new.txt").touch()
    driver.keys("Enter")
    assert (names()[3], chosen(driver).partition(" ")[0]) == ("new.txt", "..")
    driver.paste(f'"{inner / "strange.suffix"}"')
    driver.turn()
    assert names() == ["strange.suffix"]
    driver.keys("Enter")
    assert driver.moves() == ["f5", "d6"]


def test_all_games_are_exported_to_one_file_or_many(driver: WindowDriver, stored: Library, tmp_path: Path) -> None:
    for kind, files in (("each", "each/*.othello.json"), ("GGF", "GGF.ggf")):
        driver.press("export")
        driver.dialog(ExportDialog)
        driver.use(("kind", kind), ("name", kind))
        driver.press("save")
        assert driver.scene.dialog is None
        wait_for_status(driver, f"3 games written to {kind}")
        games = [parsed for file in tmp_path.glob(files) for parsed in read_games(file, RULES.spec)]
        assert sorted(len(parsed.moves) for parsed in games if isinstance(parsed, ParsedGame)) == [1, 2, 3]
        driver.keys("Ctrl+O")
        driver.settle()
    assert (tmp_path / "each" / "2026-01-01T183000 Anna.othello.json").exists()


def test_the_dialog_stays_where_it_is_and_opens_at_its_top(driver: WindowDriver, stored: Library) -> None:
    places = set()
    for tab in ("games", "files", "recent"):
        driver.use(("tab", tab))
        driver.settle()
        places.add((*driver.placed("dialog").rect, *driver.placed("tab").rect))
    assert len(places) == 1
    driver.resize((900, 600))
    driver.use_text(200)
    driver.scene.widgets.scroll_page(1)
    driver.keys("Esc", "Ctrl+S")
    driver.settle()
    assert driver.placed("page").rect.top <= driver.placed("kind").rect.top


def test_a_name_is_typed_with_or_without_a_folder(driver: WindowDriver, tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.mkdir()
    driver.keys("Ctrl+S", "Ctrl+C")
    assert clipboard().startswith("Black"), "at first all of the name is selected"
    dialog = driver.dialog(SaveDialog)
    for name in ("", "..", "nowhere/x", "a:b", "x\0", "there/?"):
        driver.use(("name", name))
        assert not dialog.is_valid
    driver.use(("name", str(there / "mine")))
    driver.keys("Enter")
    driver.keys("Ctrl+S")
    dialog = driver.dialog(SaveDialog)
    assert (dialog.folder, (there / "mine.othello.json").exists()) == (there, True), "the folder of the last file"
    driver.type(f"{there}/")
    assert (dialog.folder, dialog.is_valid) == (there, False)
    driver.type("other")
    assert dialog.is_valid
    driver.scene.widgets.go_to("rows")
    driver.keys("Backspace")
    assert dialog.folder == tmp_path
    driver.press("save")
    assert (tmp_path / "other.othello.json").exists()


@pytest.mark.parametrize("pastes", [False, True])
def test_one_game_of_many_is_found_and_opened(driver: WindowDriver, tmp_path: Path, pastes: bool) -> None:
    names = ("Ann", "Bob", "Cleo")
    text = "".join(
        f"(;GM[Othello]PB[{name}]PW[Dan]B[f5]W[{'d6' if name != 'Bob' else 'a1'}];)\n" for name in names * 100
    )
    if pastes:
        driver.paste(text)
    else:
        (tmp_path / "many.ggf").write_text(text, encoding="utf-8")
        driver.drop(tmp_path / "many.ggf")
    dialog = driver.dialog(GamesDialog)
    archive = None if pastes else gui.AddArchive((tmp_path / "many.ggf",))
    assert (driver.has("archive"), dialog.on_control_changed("archive", True)) == (not pastes, archive)
    driver.until(lambda: driver.shows_words("200 games  100 games skipped. Game 2, "))
    assert driver.shows_words("line 2, move 2, a1: not legal here")
    for key, start in (("End", "300  ·  Cleo – Dan"), ("Home", "1  ·  Ann – Dan")):
        driver.keys(key)
        assert chosen(driver).startswith(start)
    driver.keys("Ctrl+F")
    driver.type("300 cleo")
    driver.settle()
    assert chosen(driver).startswith("300  ·  Cleo")
    driver.keys("Down", "Enter")
    assert driver.scene.dialog is None
    assert (driver.moves(), driver.session.players[Color.BLACK].name) == (["f5", "d6"], "Cleo")


def test_a_list_of_games_is_left_for_the_dialog_below(driver: WindowDriver, tmp_path: Path) -> None:
    (tmp_path / "many.txt").write_text("f5d6\nf5d6c3\n", encoding="utf-8")
    for button in ("open", "cancel"):
        driver.keys("Ctrl+O")
        dialog = driver.scene.dialog
        driver.do(gui.OpenFile(tmp_path / "many.txt"))
        driver.until(lambda: "2 games" in driver.words())
        assert chosen(driver) == "1  ·  f5 d6"
        driver.press(button)
        assert driver.scene.dialog is (dialog if button == "cancel" else None)


@pytest.mark.slow
def test_all_games_of_a_file_become_an_archive(open_window: OpenWindow, tmp_path: Path) -> None:
    driver = open_window(PERSON, PERSON, store=partial(Store, tmp_path / "store"))
    (tmp_path / "many.txt").write_text("f5d6\nf5d6c3\n", encoding="utf-8")
    driver.drop(tmp_path / "many.txt")
    driver.press("archive")
    assert driver.scene.dialog is None
    driver.until(lambda: driver.scene.explorer.progress is None)
    with Store(tmp_path / "store") as store:
        assert [(known.name, known.games) for known in store.sources() if known.kind == "archive"] == [("many", 2)]


def test_a_game_is_saved_in_the_formats_of_other_programs(driver: WindowDriver, tmp_path: Path) -> None:
    driver.type("f5d6")
    driver.session.do(Annotate("a note"), 0.0)
    (tmp_path / "x.jou").touch()
    for kind in ("GGF", "SGF", "PGN", "WTHOR"):
        driver.keys("Ctrl+S")
        driver.use(("kind", kind), ("name", "x"))
        assert any("Not stored in " in words and "notes" in words for words in driver.words()) is (kind == "GGF")
        assert driver.shows_words("x.jou already exists") is (kind == "WTHOR")
        driver.press("replace" if kind == "WTHOR" else "save")
        assert driver.scene.dialog is None
    written = [read_game(path, RULES.spec).tree.game.moves for path in tmp_path.glob("x.[gspw]*")]
    assert written == 4 * [driver.session.game.moves]
    assert SaveDialog(tmp_path, "x", ParsedGame.of(recognise("b2 a1", game_spec("tictactoe")))).kinds[-1] == "config"


def test_texts_and_pictures_are_saved(driver: WindowDriver, tmp_path: Path) -> None:
    driver.type("f5d6")
    for kind in ("config", "picture", "film", "moves", "board"):
        driver.keys("Ctrl+S")
        driver.use(("kind", kind), ("name", "x"))
        driver.keys("Enter")
        wait_for_status(driver, f"Saved as x{KINDS[kind]}.")
    assert [player.player_type for player in config_file.load(tmp_path / "x.json").players] == ["user", "user"]
    picture, mark = pygame.image.load(tmp_path / "x.png"), driver.screen.style.palette.last_move
    assert (picture.get_size(), picture.get_at((0, 0)).a, picture.get_at((453, 689))[:3]) == ((1024, 1024), 0, mark)
    with Image.open(tmp_path / "x.gif") as film:
        assert (film.n_frames, film.size, film.info["loop"]) == (3, (400, 400), 0)  # type: ignore[attr-defined]
    for suffix, ply in ((".othello.txt", 2), (".board.txt", 0)):
        driver.drop(tmp_path / f"x{suffix}")
        assert driver.session.game.ply == ply


def test_the_window_stays_usable_while_an_animation_is_written(
    driver: WindowDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resume = Event()
    monkeypatch.setattr(game_files, "film_of", lambda *_: b"film" if resume.wait(60) else b"")
    driver.do(gui.SaveFile(tmp_path / "x.gif", "film"))
    assert driver.status == "Writing x.gif…"
    driver.type("f5")
    assert driver.moves() == ["f5"]
    resume.set()
    driver.scene.files.close()
    wait_for_status(driver, "Saved as x.gif.")
    assert (tmp_path / "x.gif").read_bytes() == b"film"


@pytest.mark.parametrize(
    ("button", "is_asked_again"), [("resume", None), ("not_now", True), ("never", False), ("close", True)]
)
def test_an_abandoned_game_is_offered_until_it_is_refused(
    driver: WindowDriver, library: Library, button: str, is_asked_again: bool | None
) -> None:
    driver.type("f5d6")
    settle(library.store_writer)
    own = library.store_writer.store.own
    own.mark_as_open(library.games()[0].number, "running-1-killed")
    library.abandoned_game = own.abandoned_game(lambda _: True)
    driver.type("c3")
    driver.dialog(ResumeGameDialog)
    assert driver.shows_words("Othello · Black – White, move ")
    if button == "resume":
        driver.keys("Enter")
        assert driver.session.game.ply >= 2
    else:
        driver.press(button)
        settle(library.store_writer)
        assert (own.abandoned_game(lambda _: True) is not None) == is_asked_again
    assert driver.scene.dialog is None


@pytest.mark.parametrize("color", Color)
def test_blacks_points_come_first(color: Color) -> None:
    """In the list of games and above the review."""
    players = (USER, ENGINE)[:: 1 if color is Color.BLACK else -1]
    result = {"winner": "white", "black": 16, "white": 48}
    assert "16 : 48" in item_of(listed(*players, result=result)).right
    others = item_of(listed(*players, result={**result, "counts": False}))
    assert others.right.startswith("White wins"), "others made some of the moves"
    configs = [configure("user" if each is color else "mcts_uct", player_color=each) for each in Color]
    over = Game.new(RULES, parse_board("X" * 16 + "O" * 48 + " X"))
    session = Session(Config((configs[0], configs[1])), ScriptedWorker(), 0.0, start=over)
    assert review.title(session).endswith("16 : 48")


def test_the_chosen_kind_of_player_is_always_offered() -> None:
    assert offered("user", RULES.spec, has_details=True)[-1] == ("user", "Human")


def test_a_level_is_listed_in_the_language_of_the_window() -> None:
    for language in texts.languages():
        texts.use(language)
        for written in texts.languages():
            level = {**ENGINE, "level": 3, "name": texts.catalogue(written)["levels.3"]}
            row = item_of(listed({**USER, "name": "Anna"}, level))
            assert texts.tr("levels.3") in row.label
            assert "Anna" in row.label


@pytest.mark.parametrize("language", texts.languages())
def test_names_of_players_are_whole_in_a_small_window_with_large_text(language: str, shortened: list[str]) -> None:
    pygame.font.init()
    texts.use(language)
    canvas = ui.PaintContext(pygame.Surface((900, 100)), ui.Style(2.0, palette_named()), pygame.Rect(0, 0, 740, 64))
    level = {**ENGINE, "level": 2, "name": texts.tr("levels.2")}
    for result in ({}, {"winner": "black", "black": 48, "white": 16, "counts": False}):
        row = item_of(listed(USER, level, result=result, date="2026-11-21T22:20:00"))
        ui.ListView((row,), name="x").draw(canvas)
    assert shortened == []


@pytest.mark.parametrize("whose", ["computers", "pass"])
def test_no_computer_moves_in_a_game_that_was_opened_before_the_user_acts(
    driver: WindowDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whose: str
) -> None:
    monkeypatch.setattr(config_file, "cores", lambda: 2)
    threads = {"player_type": "mcts_uct", "name": "first", "search_threads": 64, "simulation_count": 10**9}
    if whose == "computers":
        game, players = Game.new(RULES).play(Move(19)), (USER, threads)
    else:
        game, players = Game.new(RULES, parse_board(PASS_AHEAD)).play(Move(0)), (threads, USER)
    path = tmp_path / "theirs.othello.json"
    path.write_text(format_game(GameFile(GameTree.of(game, PositionData()), players)), encoding="utf-8")
    driver.keys("F1")  # the help shows no errors
    driver.drop(path)
    driver.dialog(MessageDialog)
    assert "search_threads: 64 is more than this computer can handle; using 2" in str(driver.words())
    driver.keys("Enter")
    for _ in range(20):
        driver.turn()
    assert (driver.session.game.ply, driver.session.pace.paused) == (game.ply, True)
    assert not driver.session.worker.is_wanted


def test_a_row_of_a_game_counts_no_pass_and_shows_one_date() -> None:
    game = Game.new(RULES)
    while not game.is_over:
        game = game.play(game.legal_moves()[0])
    assert game.number < len(game.moves), "there is a pass"
    played = ParsedGame(game.rules, game.moves, players=("A", "B"), date="2026-11-23T21:26:00")
    row = row_of(replace(played, event="2026-11-23-212535"))
    assert row.label == "1  ·  A – B  ·  2026-11-23"
    assert row.right.endswith(f"{game.number} moves")
