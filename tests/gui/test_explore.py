"""The mode Explore, driven by real events."""

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pygame
import pytest

from othello.errors import GameFileError, Reason
from othello.game import Game
from othello.gui import commands as gui, ui
from othello.gui.modes.explore.explore import ExploreMode
from othello.gui.modes.explore.explore_widgets import ROW, GameRows, PlayedRow
from othello.play import session_commands as cmd
from othello.records.transcript import format_transcript, parse_transcript
from othello.rules.protocol import Color, Move
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.store.database import Store
from othello.store.import_job import ImportProgress
from othello.study.explorer import Explorer, continued
from othello.study.library import Library
from othello.study.store_writer import StoreWriter
from othello.texts import tr
from tests.gui import scenes
from tests.gui.scenes import ARCHIVE, Opener, write_archive
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON, computer, make_judge
from tests.positions import RULES


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return write_archive(tmp_path)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Return the store of the window's games."""
    with Store(tmp_path / "games.sqlite") as store:
        yield store


@pytest.fixture
def driver(open_window: OpenWindow, tmp_path: Path) -> WindowDriver:
    driver = open_window(PERSON, PERSON, players=make_judge, store=partial(Store, tmp_path / "games.sqlite"))
    driver.prefer(motion="none")
    return driver


@pytest.fixture
def explored(opener: Opener) -> WindowDriver:
    """Open a window with the archive, at a position of all its games."""
    return scenes.explored(opener)


def rows_of(driver: WindowDriver) -> list[str]:
    """Return the moves that were played, from the most frequent one."""
    return [row.label for row in driver.panels(PlayedRow)]


def games_of(driver: WindowDriver) -> list[str]:
    """Return the rows of the list of games."""
    return [item.label for item in driver.widget("games", GameRows).items]


def test_moves_of_other_games_are_marked_pointed_at_and_followed(explored: WindowDriver) -> None:
    assert rows_of(explored) == ["b3", "b4"]
    before = explored.board.position
    explored.point_at(explored.placed("played_0").rect.center)
    assert explored.board.position == explored.session.game.play(Move(17)).position
    explored.point_at((0, 0))
    assert explored.board.position == before
    explored.click_square("b3")
    explored.until(lambda: rows_of(explored) == ["c2"])
    explored.keys("Backspace")
    explored.until(lambda: len(rows_of(explored)) == 2)
    explored.scene.widgets.go_to("played_0")
    explored.keys("Down")
    assert explored.board.position == explored.session.game.play(Move(25)).position
    explored.keys("Backspace")  # one move back, all games went the same way
    explored.until(lambda: rows_of(explored) == ["c5"])
    explored.keys("Enter")
    explored.until(lambda: len(rows_of(explored)) == 2)
    explored.press("played_1")
    explored.until(lambda: explored.session.view.shown.ply == 8)
    assert explored.board.position == explored.session.view.shown.position, "the mouse points at no other row"
    engine = "The engine: c2 (+8), d2 (+8), e3 (+8)."
    explored.until(lambda: explored.shows_words(f"No games continued from here. {engine}"))
    assert not explored.session.view.is_at_latest
    assert format_transcript(explored.session.game) == "f5d6c3d3c4f4c5"


def test_games_are_filtered_compared_and_opened(
    explored: WindowDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    explored.scene.files.library = library = Library(store_writer := StoreWriter(tmp_path / "own.sqlite"))
    explored.press("player")
    explored.type("Nobody")
    explored.until(lambda: explored.shows_words("The filters exclude all 3 games "))
    assert games_of(explored) == []
    explored.press("all_games")
    explored.until(lambda: len(games_of(explored)) == 3)
    assert "Nobody" not in explored.words()
    explored.press("player")
    explored.type("ad")
    explored.until(lambda: len(games_of(explored)) == 2)
    assert [row.played.games for row in explored.panels(PlayedRow)] == [2]

    explored.scene.widgets.focus = "games"
    explored.keys("Home")
    explored.settle()
    assert (explored.session.game.ply, explored.session.view.is_in_variation) == (7, False), "a selection opens nothing"
    explored.keys("Shift+Enter")
    explored.until(lambda: explored.session.view.is_in_variation)
    explored.press("back")
    explored.until(lambda: len(games_of(explored)) == 2)
    row = explored.widget("games", ui.ListView).row_rect(0, explored.canvas("games")).center
    explored.click(row, pygame.BUTTON_RIGHT)
    explored.until(lambda: explored.session.view.is_in_variation)
    explored.until(lambda: explored.status == "Variation: Cy – Ada")
    assert explored.session.view.listed.moves == parse_transcript(ARCHIVE[1][3], RULES).moves
    assert explored.session.view.shown.ply == 8
    explored.press("back")
    explored.until(lambda: len(games_of(explored)) == 2)
    explored.click(row)
    explored.until(lambda: explored.session.game.ply == 10)
    assert explored.session.view.shown.ply == 7, "the explored position is shown"
    assert explored.status.startswith("Opened Cy – Ada.")
    assert [explored.session.players[color].name for color in Color] == ["Cy", "Ada"]
    explored.keys("Page Down")
    store_writer.close()
    players = (player for listed in library.games() for player in listed.headers.players)
    assert all("name" not in player for player in players), "the opened game is no game of the user"

    explored.do(ui.ControlChanged("event", "no such cup"))
    explored.until(lambda: games_of(explored) == [])
    explored.do(ui.ControlChanged("event", ""))
    explored.until(lambda: len(games_of(explored)) == 2)
    explored.do(ui.ControlChanged("years", (2004, 2009)))
    explored.until(lambda: len(games_of(explored)) == 1 and "2004 – 2009, of 3" in explored.words())
    monkeypatch.setattr(ExploreMode, "_show_game", Mock(side_effect=GameFileError("nothing")))
    explored.do(ui.ControlChanged("games", ui.Selection(0, opens=True)))
    explored.until(lambda: explored.is_bad and explored.status == Reason("nothing").sentence())
    assert explored.scene.explorer.failure is None


@pytest.mark.slow
def test_the_list_of_games_reaches_its_end_in_one_step(driver: WindowDriver, store: Store, tmp_path: Path) -> None:
    path = tmp_path / "many.pgn"
    path.write_text("".join(f'[Date "{year}"]\n\n1. f5 d6 *\n\n' for year in range(1200, 1900)))
    store.add([path])
    driver.keys("Ctrl+4")
    driver.until(lambda: len(rows_of(driver)) == 1)
    assert (len(games_of(driver)), games_of(driver)[0]) == (700, "1899 ? – ? f5")
    driver.scene.widgets.go_to("games")
    driver.keys("End")
    driver.until(lambda: games_of(driver)[-1] == "1200 ? – ? f5")
    driver.keys("Enter")
    driver.until(lambda: driver.session.game.ply == 2)


def test_a_higher_window_shows_more_and_nothing_is_read_that_is_not_shown(explored: WindowDriver) -> None:
    for width, height, rows in ((900, 600, 2), (1280, 600, 2), (1280, 656, 4), (1280, 800, 5)):
        explored.resize((width, height))
        assert explored.placed("played").rect.height == rows * ROW
        assert explored.words().count("Tiger") == 1
        values = [str(voice.node.value) for voice in explored.scene.accessibility_tree().voices.values()]
        assert any(words.startswith("Discs: mean result") for words in values) is (width > 900)


def test_the_game_waits_while_others_are_explored(open_window: OpenWindow) -> None:
    driver = open_window(computer("first"), computer("last"), delay=0.01)
    driver.keys("Ctrl+4")
    before = driver.session.game
    for _ in range(20):
        driver.turn()
    assert driver.session.game is before
    driver.keys("Ctrl+1")
    driver.until(lambda: driver.session.game.ply > before.ply)


def test_the_score_of_a_resigned_game_is_its_winner(driver: WindowDriver, store: Store, tmp_path: Path) -> None:
    start = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *"
    file = tmp_path / "resigned.ggf"
    file.write_text(f"(;GM[Othello]PB[Ada]PW[Bo]RE[-64.0:r]TY[8]BO[{start}]B[F5]W[D6];)")
    store.add([file], "Cup")
    driver.keys("Ctrl+4")
    driver.until(lambda: bool(rows_of(driver)))
    (game,) = driver.widget("games", GameRows).items
    assert game.data.score == "White"
    assert "White wins" in game.label
    driver.drop(file)
    driver.until(lambda: driver.session.game.ply == 2)  # a file of a game is opened and not imported


def test_archives_and_folders_are_imported(
    driver: WindowDriver, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as reading:
        reading.setattr(Explorer, "is_busy", True)
        driver.keys("Ctrl+4")
        assert not driver.shows_words("No imported games yet.")
    driver.until(lambda: driver.shows_words("No imported games yet."))
    driver.scene.files.folder = archive.parent
    driver.press("archive")
    dialog = driver.widget("rows", ui.ListView)
    names = [item.label for item in dialog.items]
    driver.click(dialog.row_rect(names.index("games.pgn"), driver.canvas("rows")).center)
    driver.press("add")
    driver.until(lambda: [(row.label, row.played.games) for row in driver.panels(PlayedRow)] == [("f5", 3)])
    driver.until(lambda: {"Start position", "3 games", "1999 – 2009, of 3"} <= set(driver.words()))
    folder = archive.parent / "cup"
    folder.mkdir()
    archive.with_name("other.pgn").write_text("")
    archive.rename(folder / "other.pgn")
    driver.drop(folder)
    driver.until(lambda: [row.played.games for row in driver.panels(PlayedRow)] == [6])


def test_imports_show_progress_and_stop(driver: WindowDriver, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*of: Any) -> None:
        _, paths, _, tell, stop, _ = of
        tell(ImportProgress(3, 9, paths[0].name))
        while not stop():
            time.sleep(0.01)

    monkeypatch.setattr(Store, "add", read)
    driver.do(gui.AddArchive((archive,)))
    driver.until(lambda: "Importing games.pgn: 3 games" in driver.words())
    driver.press("stop_reading")
    driver.until(lambda: not driver.has("stop_reading"))


def test_a_line_continues_from_a_symmetric_position() -> None:
    line, position = parse_transcript(ARCHIVE[2][3], RULES), parse_transcript("f5d6c3d3c4f4c5", RULES).position
    assert continued(line, position) == (7, (25,))
    assert continued(line, RULES.start()) is not None
    assert continued(line, parse_transcript("f5f6", RULES).position) is None


@pytest.mark.parametrize("name", [name for name in GAMES if name != "othello"])
def test_own_games_are_listed_by_player(opener: Opener, name: str) -> None:
    rules = rules_of(game_spec(name))
    game = Game.new(rules).play(rules.legal_moves(rules.start())[0])
    driver = scenes.explored(opener, game.play(game.legal_moves()[0]))
    driver.until(lambda: "1 game" in driver.words() and games_of(driver)[0].startswith("2026 You – "))
    assert not driver.shows_words(", of ")
    (row,) = driver.panels(PlayedRow)
    assert (row.has_discs, row.discs) == (False, ""), "only Othello counts discs"
    driver.do(ui.ControlChanged("games", ui.Selection(0, opens=True)))
    driver.until(lambda: driver.status.startswith("Opened 2026-01-31."))
    driver.do(cmd.PlayVariation((rules.legal_moves(rules.start())[1],)))
    driver.until(lambda: driver.shows_words("No games reached this position. The engine: "))


def test_a_finished_game_opens_where_other_games_ended(driver: WindowDriver, store: Store, archive: Path) -> None:
    store.add([archive], "Cup")
    game = parse_transcript("f5d6c3d3c4f4c5b3", RULES)
    while not game.is_over:
        game = game.play(max(game.legal_moves()))  # not c2, as in the two games of the archive that came so far
    driver.session.do(cmd.OpenGame(game), time.monotonic())
    driver.keys("Ctrl+4")
    driver.until(lambda: rows_of(driver) == ["c2"])
    assert driver.session.view.shown.ply == 8
    driver.keys("End")
    driver.until(lambda: not rows_of(driver))
    assert driver.session.view.shown.ply == game.ply, "the user can go to the end"
    record = archive.with_name("own.txt")
    record.write_text(format_transcript(game))
    store.add([record], "Own")  # the game itself is no other game
    driver.keys("Ctrl+1", "Ctrl+4")
    driver.until(lambda: len(rows_of(driver)) == 2)
    assert driver.shows_words("of 4")
    assert driver.session.view.shown.ply == 8


def test_the_years_of_one_game_offer_no_choice(driver: WindowDriver, store: Store, archive: Path) -> None:
    archive.write_text(archive.read_text().partition("\n\n[")[0])  # a game of one year
    store.add([archive], "Cup")
    driver.keys("Ctrl+4")
    driver.until(lambda: driver.has("years"))
    years = driver.widget("years", ui.Select)
    assert (years.value, years.options) == (None, ((None, tr("explore.any_year")),))
