"""The mode Explore, driven by real events."""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pygame
import pytest

from othello.game import Game, GameTree
from othello.gui import commands as gui
from othello.gui.modes.explore.explore_widgets import ROW, GameRows, PlayedMark, PlayedRow
from othello.gui.toolkit.controls import Select
from othello.gui.toolkit.inputs import ControlChanged
from othello.gui.toolkit.list_view import ListView
from othello.play import session_commands as cmd
from othello.records.game_file import GameFile, PositionData
from othello.records.transcript import format_transcript, parse_transcript
from othello.rules.protocol import Color, Move
from othello.rules.registry import game_spec, rules_of
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
def driver(open_window: OpenWindow, tmp_path: Path) -> WindowDriver:
    opened = partial(Store, tmp_path / "games.sqlite")
    driver = open_window(PERSON, PERSON, players=make_judge, store=opened)
    driver.prefer(motion="none")
    return driver


@pytest.fixture
def explored(opener: Opener) -> WindowDriver:
    """Open a window with the archive, at a position of all its games."""
    return scenes.explored(opener)


def rows_of(driver: WindowDriver) -> list[PlayedRow]:
    return driver.panels(PlayedRow)


def labels(driver: WindowDriver) -> list[str]:
    panel = driver.widget("games", GameRows)
    return [item.label for item in panel.items]


def test_every_move_that_was_played_is_told_and_can_be_followed(explored: WindowDriver) -> None:
    driver = explored
    assert [(row.label, row.played.games, row.leads) for row in rows_of(driver)] == [
        ("b3", 2, "Rose-Bill"),
        ("b4", 1, "Ishii"),
    ]
    driver.until(lambda: {"Tiger", "f5 d6 c3 d3 c4", "then f4 c5", "3 games"} <= set(driver.words()))
    marks = [mark for mark in driver.board_panel.marks if isinstance(mark, PlayedMark)]
    assert [(mark.square, mark.games, mark.is_most) for mark in marks] == [(17, "2", True), (25, "1", False)]

    heard = [voice.node.name for voice in driver.scene.accessibility_tree().voices.values()]
    assert any(name.startswith("b3, 2 games, ") and name.endswith("b3 leads to Rose-Bill") for name in heard)

    before = driver.board.position
    driver.point_at(driver.placed("played_0").rect.center)  # plays it on the board meanwhile
    assert driver.board.position == driver.session.game.play(Move(17)).position
    driver.point_at((0, 0))
    assert driver.board.position == before
    driver.click_square("b3")
    driver.until(lambda: [row.label for row in rows_of(driver)] == ["c2"])
    driver.keys("Backspace")
    driver.until(lambda: len(rows_of(driver)) == 2)
    driver.scene.widgets.go_to("played_0")
    driver.keys("Down")
    assert driver.board.position == driver.session.game.play(Move(25)).position
    driver.key(pygame.K_BACKSPACE)  # one move back, where all games went the same way
    driver.until(lambda: [row.label for row in rows_of(driver)] == ["c5"])
    driver.keys("Enter")
    driver.until(lambda: len(rows_of(driver)) == 2)
    driver.press("played_1")
    driver.until(lambda: driver.session.view.shown.ply == 8)
    assert driver.board.position == driver.session.view.shown.position  # the mouse has stayed where it is
    driver.until(
        lambda: any(words.startswith("No games continued from here. The engine: ") for words in driver.words())
    )
    assert not driver.session.view.is_at_latest  # the game itself has stayed as it was
    assert format_transcript(driver.session.game) == "f5d6c3d3c4f4c5"


def test_games_are_chosen_by_player_and_open_with_a_click(explored: WindowDriver, tmp_path: Path) -> None:
    driver = explored
    driver.scene.files.library = library = Library(store_writer := StoreWriter(tmp_path / "own.sqlite"))
    assert [label.split()[0] for label in labels(driver)] == ["2011", "2004", "1999"]
    driver.press("player")
    driver.type("ad")
    driver.until(lambda: len(labels(driver)) == 2)
    assert [row.played.games for row in rows_of(driver)] == [2]

    rows = driver.widget("games", ListView)
    row = rows.row_rect(0, driver.canvas("games")).center
    driver.click(row, pygame.BUTTON_RIGHT)
    driver.until(lambda: driver.session.view.is_in_variation)
    assert driver.session.view.listed.moves == parse_transcript(ARCHIVE[1][3], RULES).moves
    driver.press("back")
    driver.until(lambda: len(labels(driver)) == 2)
    driver.click(row)
    driver.until(lambda: driver.session.game.ply == 10)
    assert driver.session.view.shown.ply == 7  # where it was explored
    assert [driver.session.players[color].name for color in Color] == ["Cy", "Ada"]
    driver.keys("Page Down")
    store_writer.close()
    players = (player for listed in library.games() for player in listed.headers.players)
    assert all("name" not in player for player in players)  # the store has it

    driver.do(ControlChanged("event", "no such cup"))
    driver.until(lambda: labels(driver) == [])
    driver.do(ControlChanged("event", ""))
    driver.until(lambda: len(labels(driver)) == 2)
    driver.do(ControlChanged("years", (2004, 2009)))
    driver.until(lambda: len(labels(driver)) == 1 and "2004 – 2009, of 3" in driver.words())


@pytest.mark.slow
def test_the_list_goes_on_to_its_last_game_in_one_step(driver: WindowDriver, tmp_path: Path) -> None:
    path = tmp_path / "many.pgn"
    path.write_text("".join(f'[Date "{year}"]\n\n1. f5 d6 *\n\n' for year in range(1200, 1900)))
    with Store(tmp_path / "games.sqlite") as kept:
        kept.add([path])
    driver.keys("Ctrl+4")
    driver.until(lambda: len(rows_of(driver)) == 1)
    assert (len(labels(driver)), labels(driver)[0]) == (700, "1899 ? – ? f5")
    driver.scene.widgets.go_to("games")
    driver.keys("End")
    driver.until(lambda: labels(driver)[-1] == "1200 ? – ? f5")
    driver.keys("Enter")
    driver.until(lambda: driver.session.game.ply == 2)


def test_filters_that_leave_no_game_are_told_and_taken_back(explored: WindowDriver) -> None:
    driver = explored
    driver.press("player")
    driver.type("Nobody")
    driver.until(lambda: any(words.startswith("The filters exclude all 3 games ") for words in driver.words()))
    assert labels(driver) == []
    driver.press("all_games")
    driver.until(lambda: len(labels(driver)) == 3)
    assert "Nobody" not in driver.words()


def test_a_small_window_says_each_thing_once_and_nothing_of_what_it_leaves_out(explored: WindowDriver) -> None:
    driver, means = explored, []
    for size in ((1280, 800), (900, 600)):
        driver.resize(size)
        assert driver.words().count("Tiger") == 1
        told = [voice.node.value for voice in driver.scene.accessibility_tree().voices.values()]
        means.append(any(str(words).startswith("Discs: mean result") for words in told))
    assert means == [True, False]


def test_the_game_waits_while_others_are_explored(open_window: OpenWindow) -> None:
    driver = open_window(computer("first"), computer("last"), delay=0.01)
    driver.keys("Ctrl+4")
    before = driver.session.game
    for _ in range(20):
        driver.turn()
    assert driver.session.game is before
    driver.keys("Ctrl+1")
    driver.until(lambda: driver.session.game.ply > before.ply)


def test_a_game_that_was_resigned_names_the_winner_in_a_word(driver: WindowDriver, tmp_path: Path) -> None:
    start = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *"
    file = tmp_path / "resigned.ggf"
    file.write_text(f"(;GM[Othello]PB[Ada]PW[Bo]RE[-64.0:r]TY[8]BO[{start}]B[F5]W[D6];)")
    with Store(tmp_path / "games.sqlite") as store:
        store.add([file], "Cup")
    driver.keys("Ctrl+4")
    driver.until(lambda: bool(rows_of(driver)))
    games = driver.widget("games", GameRows)
    [game] = games.items
    assert game.data.score == "White"
    assert "White wins" in game.label


def test_no_archive_is_said_only_once_the_store_was_read(driver: WindowDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    def is_said() -> bool:
        return any(words.startswith("No imported games yet.") for words in driver.words())

    with monkeypatch.context() as reading:
        reading.setattr(Explorer, "is_busy", True)
        driver.keys("Ctrl+4")
        assert not is_said()
    driver.until(is_said)


def test_an_archive_is_added_in_the_window(driver: WindowDriver, archive: Path) -> None:
    driver.keys("Ctrl+4")
    driver.until(lambda: any(words.startswith("No imported games yet.") for words in driver.words()))
    driver.scene.files.folder = archive.parent
    driver.press("archive")
    dialog = driver.widget("rows", ListView)
    names = [item.label for item in dialog.items]
    driver.click(dialog.row_rect(names.index("games.pgn"), driver.canvas("rows")).center)
    driver.press("add")
    driver.until(lambda: [(row.label, row.played.games) for row in rows_of(driver)] == [("f5", 3)])
    driver.until(lambda: {"Start position", "3 games", "1999 – 2011, of 3"} <= set(driver.words()))


def test_a_folder_that_is_dropped_is_an_archive(driver: WindowDriver, archive: Path) -> None:
    folder = archive.parent / "cup"
    folder.mkdir()
    archive.rename(folder / archive.name)
    driver.keys("Ctrl+4")
    pygame.event.post(pygame.event.Event(pygame.DROPFILE, file=str(folder)))
    driver.until(lambda: [row.played.games for row in rows_of(driver)] == [3])


def test_reading_an_archive_is_told_and_can_be_stopped(
    driver: WindowDriver, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(
        _: Store,
        paths: list[Path],
        name: None,
        tell: Callable[[ImportProgress], None],
        stop: Callable[[], bool],
        fault: object,
    ) -> None:
        tell(ImportProgress(3, 9, paths[0].name))
        while not stop():
            time.sleep(0.01)

    monkeypatch.setattr(Store, "add", read)
    driver.do(gui.AddArchive((archive,)))
    driver.until(lambda: "Importing games.pgn: 3 games" in driver.words())
    driver.press("stop_reading")
    driver.until(lambda: not driver.has("stop_reading"))


def test_a_line_goes_on_from_a_position_that_lies_otherwise_on_the_board() -> None:
    line, position = parse_transcript(ARCHIVE[2][3], RULES), parse_transcript("f5d6c3d3c4f4c5", RULES).position
    found = continued(line, position)
    assert found == (7, (25,))
    assert continued(line, RULES.start()) is not None
    assert continued(line, parse_transcript("f5f6", RULES).position) is None


@pytest.mark.slow
@pytest.mark.parametrize("game", ["tictactoe", "ultimate_tictactoe", "connect_four"])
def test_other_games_are_explored_likewise(open_window: OpenWindow, tmp_path: Path, game: str) -> None:
    driver = open_window(PERSON, PERSON, players=make_judge, spec=game_spec(game), store=partial(Store, tmp_path / "s"))
    driver.keys("Ctrl+4")
    driver.until(
        lambda: any(words.startswith("No games reached this position. The engine: ") for words in driver.words())
    )


@pytest.mark.parametrize("name", ["tictactoe", "ultimate_tictactoe"])
def test_own_games_are_told_by_who_played_and_stand_beside_no_counts_of_othello(
    open_window: OpenWindow, tmp_path: Path, name: str
) -> None:
    rules = rules_of(game_spec(name))
    game = Game.new(rules).after((Move(0), rules.legal_moves(rules.play(rules.start(), Move(0)))[0]))
    players = {"player_type": "user"}, {"player_type": "engine", "level": 3}
    file = GameFile(GameTree.of(game, PositionData()), players, "2026-01-31", result={"winner": "black"})
    opened = partial(Store, tmp_path / "games.sqlite")
    with opened() as store:
        store.own.write(file, None, 0, "", is_played=False)
    driver = open_window(PERSON, PERSON, players=make_judge, spec=rules.spec, store=opened)
    driver.keys("Ctrl+4")
    driver.until(lambda: bool(rows_of(driver)) and bool(labels(driver)))
    driver.until(lambda: "1 game" in driver.words() and labels(driver)[0].startswith("2026 You – "))
    assert not driver.shows_words(", of ")
    assert (rows_of(driver)[0].has_discs, rows_of(driver)[0].discs) == (False, "")


def test_after_a_finished_game_explore_opens_where_other_games_left_it(driver: WindowDriver, archive: Path) -> None:
    with_archive = Store(archive.with_name("games.sqlite"))
    with_archive.add([archive], "Cup")
    game = parse_transcript("f5d6c3d3c4f4c5b3", RULES)
    while not game.is_over:
        game = game.play(max(game.legal_moves()))  # not c2, as in the two games of the archive that came so far
    driver.session.do(cmd.OpenGame(game), time.monotonic())
    driver.keys("Ctrl+4")
    driver.until(lambda: [row.label for row in rows_of(driver)] == ["c2"])
    assert driver.session.view.shown.ply == 8
    driver.keys("End")
    driver.until(lambda: not rows_of(driver))
    assert driver.session.view.shown.ply == game.ply, "whoever goes to the end stays there"
    record = archive.with_name("own.txt")
    record.write_text(format_transcript(game))
    with_archive.add([record], "Own")  # the game itself is no other game
    with_archive.close()
    driver.keys("Ctrl+1", "Ctrl+4")
    driver.until(lambda: len(rows_of(driver)) == 2)
    assert driver.session.view.shown.ply == 8


def test_the_box_of_years_says_when_no_year_is_chosen(driver: WindowDriver, archive: Path) -> None:
    archive.write_text(archive.read_text().partition("\n\n[")[0])  # a game of one year
    with Store(archive.with_name("games.sqlite")) as store:
        store.add([archive], "Cup")
    driver.keys("Ctrl+4")
    driver.until(lambda: driver.has("years"))
    years = driver.widget("years", Select)
    assert (years.value, years.options) == (None, ((None, tr("explore.any_year")),))


@pytest.mark.parametrize(("height", "rows"), [(600, 2), (656, 4), (800, 5)])
def test_a_higher_window_shows_more_moves(explored: WindowDriver, height: int, rows: int) -> None:
    explored.resize((1280, height))
    page = explored.placed("played")
    assert page.rect.height == rows * ROW
