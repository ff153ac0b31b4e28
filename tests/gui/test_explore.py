"""Exploring kept games, as a person does it at the window."""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pygame
import pytest

from othello.game import Game, GameTree
from othello.gui import commands as gui
from othello.gui.explore.panels import ROW, GameRows, PlayedMark, PlayedRow
from othello.gui.toolkit.inputs import Use
from othello.gui.toolkit.rows import Rows
from othello.gui.toolkit.switches import Select
from othello.play import commands as play
from othello.play.explorer import continued
from othello.play.keeper import Keeper
from othello.play.library import Library
from othello.records.game_file import GameFile, Known
from othello.records.transcript import format_transcript, parse_transcript
from othello.rules.protocol import Color
from othello.rules.registry import game_spec, rules_of
from othello.store.adding import Progress
from othello.store.database import Store
from othello.texts import say
from tests.gui.desk import Desk
from tests.play.faulty import PERSON, computer, make_judge
from tests.positions import RULES

Open = Callable[..., Desk]

_GAMES = (
    ("Ada", "Bo", 1999, "f5 d6 c3 d3 c4 f4 c5 b3 c2"),
    ("Cy", "Ada", 2004, "f5 d6 c3 d3 c4 f4 c5 b3 c2 e6"),
    ("Bo", "Di", 2011, "c4 e3 f6 e6 f5 c5 f4 g5"),  # the same with the board turned, and then another move
)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """A file of three games."""
    told = (
        f'[Black "{black}"]\n[White "{white}"]\n[Date "{year}.01.01"]\n[Event "Cup"]\n\n{moves}\n\n'
        for black, white, year, moves in _GAMES
    )
    path = tmp_path / "games.pgn"
    path.write_text("".join(told))
    return path


@pytest.fixture
def desk(sit_down: Open, tmp_path: Path) -> Desk:
    """A window whose store is empty yet."""
    opened = partial(Store, tmp_path / "games.sqlite")
    desk = sit_down(PERSON, PERSON, players=make_judge, store=opened)
    desk.prefer(motion="none")
    return desk


@pytest.fixture
def tiger(desk: Desk, archive: Path) -> Desk:
    """The same with the archive, at a position of all its games."""
    with_archive = Store(archive.with_name("games.sqlite"))
    with_archive.add([archive], "Cup")
    with_archive.close()
    desk.type("f5d6c3d3c4f4c5")
    desk.key(pygame.K_4, mod=pygame.KMOD_CTRL)
    desk.until(lambda: bool(rows_of(desk)) and bool(rows_of(desk)[0].value))
    return desk


def rows_of(desk: Desk) -> list[PlayedRow]:
    return [each.panel for each in desk.scene.stage.panels() if isinstance(each.panel, PlayedRow)]


def labels(desk: Desk) -> list[str]:
    """The games that are listed."""
    panel = desk.placed("games").panel
    assert isinstance(panel, GameRows)
    return [item.label for item in panel.items]


def test_every_move_that_was_played_is_told_and_can_be_followed(tiger: Desk) -> None:
    desk = tiger
    assert [(row.words, row.games, row.leads) for row in rows_of(desk)] == [("b3", 2, "Rose-Bill"), ("b4", 1, "Ishii")]
    assert {"Tiger", "f5 d6 c3 d3 c4", "then f4 c5", "3 games"} <= set(desk.words())
    marks = [mark for mark in desk.board_panel.marks if isinstance(mark, PlayedMark)]
    assert [(mark.move, mark.games, mark.is_most) for mark in marks] == [(17, "2", True), (25, "1", False)]

    heard = [voice.spoken.name for voice in desk.scene.told().voices.values()]
    assert any(name.startswith("b3, 2 games, ") and name.endswith("b3 leads to Rose-Bill") for name in heard)

    before = desk.board.position
    desk.point_at(desk.placed("played_0").rect.center)  # plays it on the board meanwhile
    assert desk.board.position == desk.session.game.play(17).position
    desk.point_at((0, 0))
    assert desk.board.position == before
    desk.click_square("b3")
    desk.until(lambda: [row.words for row in rows_of(desk)] == ["c2"])
    desk.key(pygame.K_BACKSPACE)
    desk.until(lambda: len(rows_of(desk)) == 2)
    desk.scene.stage.go_to("played_0")
    desk.key(pygame.K_DOWN)
    assert desk.board.position == desk.session.game.play(25).position
    desk.key(pygame.K_BACKSPACE)  # one move back, where all games went the same way
    desk.until(lambda: [row.words for row in rows_of(desk)] == ["c5"])
    desk.key(pygame.K_RETURN)
    desk.until(lambda: len(rows_of(desk)) == 2)
    desk.press("played_1")
    desk.until(lambda: desk.session.view.shown.ply == 8)
    assert desk.board.position == desk.session.view.shown.position  # the mouse has stayed where it is
    desk.until(lambda: any(words.startswith("No game went on from here. The engine: ") for words in desk.words()))
    assert not desk.session.view.is_at_latest  # the game itself has stayed as it was
    assert format_transcript(desk.session.game) == "f5d6c3d3c4f4c5"


def test_games_are_chosen_by_player_and_open_with_a_click(tiger: Desk, tmp_path: Path) -> None:
    desk = tiger
    desk.scene.files.library = library = Library(keeper := Keeper(tmp_path / "own.sqlite"))
    assert [label.split()[0] for label in labels(desk)] == ["2011", "2004", "1999"]
    desk.press("player")
    desk.type("ad")
    desk.until(lambda: len(labels(desk)) == 2)
    assert [row.games for row in rows_of(desk)] == [2]

    rows = desk.placed("games").panel
    assert isinstance(rows, Rows)
    row = rows.row_rect(0, desk.canvas("games")).center
    desk.click(row, pygame.BUTTON_RIGHT)
    desk.until(lambda: desk.session.view.is_in_variation)
    assert desk.session.view.listed.moves == parse_transcript(_GAMES[1][3], RULES).moves
    desk.press("back")
    desk.until(lambda: len(labels(desk)) == 2)
    desk.click(row)
    desk.until(lambda: desk.session.game.ply == 10)
    assert desk.session.view.shown.ply == 7  # where it was explored
    assert [desk.session.seats[color].name for color in Color] == ["Cy", "Ada"]
    desk.key(pygame.K_PAGEDOWN)
    keeper.close()
    assert all("name" not in player for listed in library.games() for player in listed.players)  # the store has it

    desk.scene.do(Use("event", "no such cup"), 0.0)
    desk.until(lambda: labels(desk) == [])
    desk.scene.do(Use("event", ""), 0.0)
    desk.until(lambda: len(labels(desk)) == 2)
    desk.scene.do(Use("years", (2004, 2009)), 0.0)
    desk.until(lambda: len(labels(desk)) == 1)
    assert "2004 – 2009, of 3" in desk.words()


@pytest.mark.slow
def test_the_list_goes_on_to_its_last_game_in_one_step(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "many.pgn"
    path.write_text("".join(f'[Date "{year}"]\n\n1. f5 d6 *\n\n' for year in range(1200, 1900)))
    with Store(tmp_path / "games.sqlite") as kept:
        kept.add([path])
    desk.key(pygame.K_4, mod=pygame.KMOD_CTRL)
    desk.until(lambda: len(rows_of(desk)) == 1)
    assert (len(labels(desk)), labels(desk)[0]) == (700, "1899 ? – ? f5")
    desk.scene.stage.go_to("games")
    desk.key(pygame.K_END)
    desk.until(lambda: labels(desk)[-1] == "1200 ? – ? f5")
    desk.key(pygame.K_RETURN)
    desk.until(lambda: desk.session.game.ply == 2)


def test_filters_that_leave_no_game_are_told_and_taken_back(tiger: Desk) -> None:
    desk = tiger
    desk.press("player")
    desk.type("Nobody")
    desk.until(lambda: any(words.startswith("The filters below leave out all 3 games ") for words in desk.words()))
    assert labels(desk) == []
    desk.press("all_games")
    desk.until(lambda: len(labels(desk)) == 3)
    assert "Nobody" not in desk.words()


def test_a_small_window_says_each_thing_once_and_nothing_of_what_it_leaves_out(tiger: Desk) -> None:
    desk, means = tiger, []
    for size in ((1280, 800), (900, 600)):
        desk.resize(size)
        assert desk.words().count("Tiger") == 1
        told = [voice.spoken.value for voice in desk.scene.told().voices.values()]
        means.append(any(str(words).startswith("Discs: mean result") for words in told))
    assert means == [True, False]


def test_the_game_waits_while_others_are_explored(sit_down: Open) -> None:
    desk = sit_down(computer("first"), computer("last"), delay=0.01)
    desk.key(pygame.K_4, mod=pygame.KMOD_CTRL)
    before = desk.session.game
    for _ in range(20):
        desk.turn()
    assert desk.session.game is before
    desk.key(pygame.K_1, mod=pygame.KMOD_CTRL)
    desk.until(lambda: desk.session.game.ply > before.ply)


def test_an_archive_is_added_in_the_window(desk: Desk, archive: Path) -> None:
    desk.key(pygame.K_4, mod=pygame.KMOD_CTRL)
    desk.until(lambda: any(words.startswith("There are no archives yet.") for words in desk.words()))
    desk.scene.files.folder = archive.parent
    desk.press("archive")
    dialog = desk.placed("rows").panel
    assert isinstance(dialog, Rows)
    names = [item.label for item in dialog.items]
    desk.click(dialog.row_rect(names.index("games.pgn"), desk.canvas("rows")).center)
    desk.press("add")
    desk.until(lambda: [(row.words, row.games) for row in rows_of(desk)] == [("f5", 3)])
    assert {"Start position", "3 games", "1999 – 2011, of 3"} <= set(desk.words())


def test_a_folder_that_is_dropped_is_an_archive(desk: Desk, archive: Path) -> None:
    folder = archive.parent / "cup"
    folder.mkdir()
    archive.rename(folder / archive.name)
    desk.key(pygame.K_4, mod=pygame.KMOD_CTRL)
    pygame.event.post(pygame.event.Event(pygame.DROPFILE, file=str(folder)))
    desk.until(lambda: [row.games for row in rows_of(desk)] == [3])


def test_reading_an_archive_is_told_and_can_be_stopped(
    desk: Desk, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(
        _: Store,
        paths: list[Path],
        name: None,
        tell: Callable[[Progress], None],
        stop: Callable[[], bool],
        fault: object,
    ) -> None:
        tell(Progress(3, 9, paths[0].name))
        while not stop():
            time.sleep(0.01)

    monkeypatch.setattr(Store, "add", read)
    desk.scene.do(gui.AddArchive((archive,)), 0.0)
    desk.until(lambda: "Reading games.pgn: 3 games" in desk.words())
    desk.press("stop_reading")
    desk.until(lambda: not desk.has("stop_reading"))


def test_a_line_goes_on_from_a_position_that_lies_otherwise_on_the_board() -> None:
    line, position = parse_transcript(_GAMES[2][3], RULES), parse_transcript("f5d6c3d3c4f4c5", RULES).position
    found = continued(line, position)
    assert found == (7, (25,))
    assert continued(line, RULES.start()) is not None
    assert continued(line, parse_transcript("f5f6", RULES).position) is None


@pytest.mark.slow
@pytest.mark.parametrize("game", ["tictactoe", "ultimate_tictactoe", "connect_four"])
def test_other_games_are_explored_likewise(sit_down: Open, tmp_path: Path, game: str) -> None:
    desk = sit_down(PERSON, PERSON, players=make_judge, spec=game_spec(game), store=partial(Store, tmp_path / "s"))
    desk.key(pygame.K_4, mod=pygame.KMOD_CTRL)
    desk.until(lambda: any(words.startswith("No games reached this position. The engine: ") for words in desk.words()))


@pytest.mark.parametrize("name", ["tictactoe", "ultimate_tictactoe"])
def test_own_games_are_told_by_who_played_and_stand_beside_no_counts_of_othello(
    sit_down: Open, tmp_path: Path, name: str
) -> None:
    rules = rules_of(game_spec(name))
    game = Game.new(rules).after((0, rules.legal_moves(rules.play(rules.start(), 0))[0]))
    players = {"player_type": "user"}, {"player_type": "engine", "level": 3}
    file = GameFile(GameTree.of(game, Known()), players, "2026-01-31", result={"winner": "black"})
    opened = partial(Store, tmp_path / "games.sqlite")
    with opened() as store:
        store.own.write(file, None, 0, "", is_played=False)
    desk = sit_down(PERSON, PERSON, players=make_judge, spec=rules.spec, store=opened)
    desk.key(pygame.K_4, mod=pygame.KMOD_CTRL)
    desk.until(lambda: bool(rows_of(desk)) and bool(labels(desk)))
    assert labels(desk)[0].startswith("2026 You – ")
    assert "1 game" in desk.words()
    assert not any(", of " in words for words in desk.words())
    assert (rows_of(desk)[0].has_discs, rows_of(desk)[0].discs) == (False, "")


def test_after_a_finished_game_explore_opens_where_other_games_left_it(desk: Desk, archive: Path) -> None:
    with_archive = Store(archive.with_name("games.sqlite"))
    with_archive.add([archive], "Cup")
    game = parse_transcript("f5d6c3d3c4f4c5b3", RULES)
    while not game.is_over:
        game = game.play(max(game.legal_moves()))  # not c2, as in the two games of the archive that came so far
    desk.session.do(play.OpenGame(game), time.monotonic())
    desk.key(pygame.K_4, mod=pygame.KMOD_CTRL)
    desk.until(lambda: [row.words for row in rows_of(desk)] == ["c2"])
    assert desk.session.view.shown.ply == 8
    desk.key(pygame.K_END)
    desk.until(lambda: not rows_of(desk))
    assert desk.session.view.shown.ply == game.ply, "whoever goes to the end stays there"
    record = archive.with_name("own.txt")
    record.write_text(format_transcript(game))
    with_archive.add([record], "Own")  # the game itself is no other game
    with_archive.close()
    desk.key(pygame.K_1, mod=pygame.KMOD_CTRL)
    desk.key(pygame.K_4, mod=pygame.KMOD_CTRL)
    desk.until(lambda: len(rows_of(desk)) == 2)
    assert desk.session.view.shown.ply == 8


def test_the_box_of_years_says_when_no_year_is_chosen(desk: Desk, archive: Path) -> None:
    archive.write_text(archive.read_text().partition("\n\n[")[0])  # a game of one year
    with Store(archive.with_name("games.sqlite")) as store:
        store.add([archive], "Cup")
    desk.key(pygame.K_4, mod=pygame.KMOD_CTRL)
    desk.until(lambda: desk.has("years"))
    years = desk.placed("years").panel
    assert isinstance(years, Select)
    assert (years.value, years.options) == (None, ((None, say("explore.any_year")),))


@pytest.mark.parametrize(("height", "rows"), [(600, 2), (656, 4), (800, 5)])
def test_a_higher_window_shows_more_moves(tiger: Desk, height: int, rows: int) -> None:
    tiger.resize((1280, height))
    page = tiger.placed("played")
    assert page.rect.height == rows * ROW
