"""The user's games: as files, saved while they are played, reopened, and recovered after a crash."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest

from othello import texts
from othello.config import Config, PlayerConfig
from othello.config_file import entry_of
from othello.errors import GameFileError, StoreError
from othello.files import BackgroundWriter
from othello.game import Game
from othello.gui.dialogs.file_dialogs import item_of
from othello.gui.labels import player_name
from othello.play import session_commands as cmd
from othello.play.history import History
from othello.play.referee import Fault, Forfeit, GameJob
from othello.play.session import Session
from othello.players.player_registry import configure
from othello.records.formats.parsed_game import ParsedGame
from othello.records.game_file import GameFile, GameHeaders, GameListEntry, format_game, parse_game
from othello.records.readers import recognise
from othello.records.transcript import format_transcript, parse_transcript
from othello.rules.protocol import Color, Move
from othello.store import database
from othello.store.database import GameFilter, Store
from othello.store.own_games import OwnGames
from othello.store.store_file import StoreFile
from othello.study.game_file_conversion import game_file_from, open_command
from othello.study.library import Library
from othello.study.store_writer import StoreWriter
from tests.play.fake_players import report
from tests.play.session_driver import ScriptedWorker
from tests.positions import DRAWN, RULES, SPEC

USER = configure("user", player_color=Color.BLACK)
UCT = configure("mcts_uct", player_color=Color.WHITE, simulation_count=77, name="Deep", clock_seconds=60.0)
JUDGE = configure("heuristic", depth=3)
EXTERNAL = configure("external.Edax", player_color=Color.WHITE)
WIPE_OUT = "e6f4e3f6g5d6e7f5c5"


def at_table(moves: int = 0, black: str = "user") -> Session:
    session = Session(Config((configure(black), configure("user"))), ScriptedWorker(), 0.0, analyst=ScriptedWorker())
    for _ in range(moves):
        session.do(cmd.PlayMove(session.game.legal_moves()[0]), 1.0)
    return session


def parse_game_of(session: Session) -> GameFile:
    return parse_game(format_game(game_file_from(session.history.tree, session.history.referee, "2026-01-31T18:30:00")))


@pytest.mark.parametrize(
    ("players", "person", "names"),
    [
        ((USER, UCT), "", ("You", "Deep")),
        ((USER, UCT), "Anna", ("Anna", "Deep")),
        ((USER, replace(USER, player_color=Color.WHITE)), "Anna", ("Black", "White")),
        ((USER, EXTERNAL), "", ("You", "Edax")),
        ((replace(USER, name="Bob", number=None), configure("mcts_uct")), "Anna", ("Bob", "UCT")),
    ],
)
def test_files_store_names(players: tuple[PlayerConfig, PlayerConfig], person: str, names: tuple[str, str]) -> None:
    session = Session(Config(players), ScriptedWorker(), 0.0)
    texts.set_user(person)
    try:
        assert tuple(player_name(RULES, session.players, color) for color in Color) == names
        file = parse_game_of(session)
    finally:
        texts.set_user("")
    assert file.names == names == ParsedGame.of(file).players


def played(text: str, *steps: tuple[str, cmd.SessionCommand]) -> Session:
    """Return a game against the computer in which the user makes all moves, with commands after some of them."""
    session = Session(Config((USER, UCT)), ScriptedWorker(), 0.0)
    for move in parse_transcript(text, RULES).moves:
        if not session.awaits_user:
            session.history.play(move)
            session.history.begin_turn(1.0)
        else:
            session.do(cmd.PlayMove(move), 1.0)
        for after, command in steps:
            if format_transcript(session.game).endswith(after):
                session.do(command, 1.0)
    return session


def test_a_session_is_restored_from_its_file() -> None:
    session = Session(Config((USER, UCT)), ScriptedWorker(), 0.0)
    session.referee.begin(0.0)  # as for a later move: no person's time runs before the first
    session.do(cmd.PlayMove(Move(19)), 7.0)
    session.do(cmd.Annotate("Now?"), 7.0)
    session.history.remember(session.game, analyses={JUDGE: report(session.game)})
    history = session.history
    again = at_table(3)
    before = again.game
    again.do(open_command(parse_game_of(session)), 0.0)
    assert (again.game, again.history.tree.known(again.game).note) == (history.game, "Now?")
    assert list(again.referee.players.values()) == list(history.referee.players.values())
    assert again.referee.clock.spent == (7.0, 0.0)
    assert again.history.tree.known(again.game).analyses[JUDGE].pv == report(again.game).pv
    again.do(cmd.Undo(), 1.0)
    assert again.game.ply == 0
    again.do(cmd.RestoreGame(), 1.0)
    assert again.game == before


def test_a_game_can_be_reopened_after_a_level_has_taken_over() -> None:
    def names(file: GameFile) -> list[str]:
        return [player.name for player in open_command(file).players or ()]

    session = Session(Config((USER, UCT)), ScriptedWorker(), 0.0)
    session.do(cmd.HandOver(Color.BLACK), 1.0)
    file = parse_game_of(session)
    assert names(file) == ["Deep 2", "Deep"]
    black, white = file.players or ({}, {})
    assert names(replace(file, players=({**black, "name": "Deep"}, white))) == ["Deep", "Deep 2"]


def test_only_games_that_the_players_played_themselves_count() -> None:
    own = played(WIPE_OUT)
    handed_over = played(WIPE_OUT, ("e6", cmd.HandOver(Color.WHITE)), ("e3", cmd.HandOver(Color.WHITE)))
    pasted = played("e6")
    pasted.do(open_command(recognise(WIPE_OUT[:-2], SPEC)), 1.0)
    pasted.do(cmd.PlayMove(parse_transcript(WIPE_OUT, RULES).moves[-1]), 1.0)
    again = played("e6")
    again.do(open_command(parse_game_of(handed_over)), 1.0)
    assert all(session.referee.is_over for session in (own, handed_over, pasted, again))
    results = [parse_game_of(session).result for session in (own, handed_over, pasted, again)]
    assert [result.get("counts", True) for result in results] == [True, False, False, False]
    pasted.do(open_command(recognise(WIPE_OUT, SPEC)), 1.0)
    assert [(seat.is_user, seat.is_named) for seat in pasted.players.values()] == [(True, False)] * 2
    games = own, handed_over, Session(Config((USER, UCT)), ScriptedWorker(), 0.0, start=Game.new(RULES, DRAWN))
    assert [GameListEntry.of(parse_game_of(game)).headers.counts for game in games] == [True, False, False]


def test_files_of_knowledge_are_neither_stored_nor_read() -> None:
    player = {"player_type": "mcts_uct", "mcts_tree_file": "/tmp/tree.npz"}
    own = entry_of(configure("mcts_uct", mcts_tree_file=Path("/tmp/tree.npz"), simulation_count=77))
    assert own == {"player_type": "mcts_uct", "simulation_count": 77}
    command = open_command(GameFile(parse_game_of(at_table(1)).tree, ({"player_type": "user"}, player)))
    assert [player.memory_files for player in command.players or ()] == [{}, {}]


@pytest.mark.parametrize("entry", [{"player_type": "nobody"}, {"player_type": "heuristic", "depth": "deep"}, {}])
def test_unknown_players_are_refused(entry: dict[str, object]) -> None:
    file = GameFile(parse_game_of(at_table(1)).tree, ({"player_type": "user"}, entry))
    with pytest.raises(GameFileError, match=r"players\[1\]"):
        open_command(file)


def test_an_opened_game_of_computers_is_paused() -> None:
    session = Session(Config((configure("heuristic"), configure("random"))), ScriptedWorker(), 0.0)
    session.do(open_command(recognise("f5d6c3", SPEC)), 1.0)
    session.update(100.0)
    assert (session.pace.paused, session.worker.is_wanted, session.game.ply) == (True, False, 3)
    session.do(cmd.TogglePause(), 101.0)
    session.update(102.0)
    assert session.worker.is_wanted


@pytest.mark.parametrize("command", [cmd.Resign(), cmd.AgreeDraw(), None])
def test_a_file_stores_how_a_game_was_broken_off(command: cmd.SessionCommand | None) -> None:
    session, records = at_table(3), list[object]()
    session.referee.forfeit = None if command else Forfeit(Color.WHITE, Fault.OUT_OF_TIME)
    if command is not None:
        session.do(command, 1.0)
    file, forfeit = parse_game_of(session), session.referee.forfeit
    assert forfeit is not None
    black, white = RULES.score(session.game.position)
    assert file.result.items() >= {"fault": forfeit.fault.name.lower(), "black": black, "white": white}.items()
    again = Session(Config((USER, USER)), ScriptedWorker(), 0.0, records.append)
    again.do(open_command(file), 1.0)
    again.update(1.0)
    assert (again.referee.is_over, str(again.referee.forfeit)) == (True, str(forfeit))
    assert not records, "it was recorded before"
    read = Forfeit.of(session.referee.record())
    assert (read and read.fault, read and read.winner) == (forfeit.fault, again.referee.winner)


SECONDS = 30.0


def settle(store_writer: StoreWriter) -> None:
    """Wait until everything is written, or has failed."""
    is_done = Event()
    store_writer.do(object(), lambda _store: None, lambda _error: is_done.set())
    assert is_done.wait(SECONDS)


def save(library: Library, session: Session, at: float = 0.0, ended: Sequence[History] = ()) -> None:
    library.follow(session, at, ended)
    settle(library.store_writer)


def begun(store_writer: StoreWriter) -> Library:
    """Return the library of a window that was just opened."""
    library = Library(store_writer)
    library.begin()
    settle(store_writer)
    return library


def saved_games(library: Library) -> list[str]:
    """Return the moves of all saved games, the newest first."""
    return [format_transcript(library.game(listed.number)[0].tree.game) for listed in library.games()]


def move(session: Session, choice: int = 0, at: float = 2.0) -> None:
    session.do(cmd.PlayMove(session.game.legal_moves()[choice]), at)


def reopened(library: Library, number: int) -> Session:
    """Return a session that continues a saved game."""
    session = at_table()
    file, version = library.game(number)
    session.do(open_command(file), 1.0)
    library.adopt(session.history, number, version)
    return session


def test_a_game_is_saved_after_every_move_and_in_the_archive_once_it_has_ended(library: Library) -> None:
    store = library.store_writer.store
    session = Session(Config((configure("user", clock_seconds=5.0), configure("user"))), ScriptedWorker(), 0.0)
    save(library, session)
    assert library.games() == []
    for at in (1.0, 2.0):
        move(session, at=at)
        save(library, session, at, session.ended_games())
        assert saved_games(library) == [format_transcript(session.game)]
    assert (library.games()[0].headers.game, library.games()[0].headers.result) == ("othello", {})
    assert store.sources() == ()
    session.update(8.0)
    save(library, session, 8.0, session.ended_games())
    assert library.games()[0].headers.result["fault"] == "out_of_time"
    assert [source.games for source in store.sources()] == [1]
    session.do(cmd.Annotate("A note."), 9.0)
    library.follow(session, 9.0)
    save(library, session, 11.0)
    (line,) = store.games(SPEC, session.game.position, GameFilter(), 0, 2)
    assert store.game(line.number).tree.known(session.game).note == "A note."
    session = played(WIPE_OUT)
    save(library, session, 15.0)
    assert [source.games for source in store.sources()] == [2]
    session.do(cmd.Undo(), 15.0)
    save(library, session, 15.0)
    assert [source.games for source in store.sources()] == [1], "it goes on"


def test_an_opened_game_is_saved_in_its_place(library: Library) -> None:
    save(library, at_table(2))
    (listed,) = library.games()
    library.rename(listed, "My best game")
    assert [each.name for each in library.games()] == ["My best game"]
    session = reopened(library, listed.number)
    library.flush(session, 2.0)
    settle(library.store_writer)
    assert library.game(listed.number)[1] == 1, "a game without changes is not saved again"
    move(session)
    save(library, session, 2.0)
    assert saved_games(library) == [format_transcript(session.game)]
    assert [(each.name, each.headers.date) for each in library.games()] == [("My best game", listed.headers.date)]


def test_changes_show_at_once_while_another_program_writes(library: Library, store_writer: StoreWriter) -> None:
    sessions = [at_table(1), at_table(2)]
    for session in sessions:
        save(library, session)
    with closing(sqlite3.connect(store_writer.store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        first, second = library.games()
        library.delete(first)
        library.rename(second, "Renamed")
        move(sessions[0])
        library.follow(sessions[0], 1.0)
        assert [each.name for each in library.games()] == ["Renamed"]
        assert library.restore() == first
        assert [each.number for each in library.games()] == [first.number, second.number]
        other.execute("COMMIT")
    settle(store_writer)
    (file := store_writer.store.path.with_name("game.sgf")).touch()
    library.delete(file)
    assert (library.restore(), file.exists()) == (file, True)
    assert [each.name for each in library.games()] == ["", "Renamed"]
    assert saved_games(library)[1] == format_transcript(sessions[0].game)


def test_deleted_games_are_removed_unless_they_are_played(store_writers: list[StoreWriter], tmp_path: Path) -> None:
    first, second = map(Library, store_writers[:2])
    session = at_table(1)
    first.follow(session, 0.0)
    save(first, played(WIPE_OUT))
    for listed in second.games():
        second.delete(listed)
    settle(second.store_writer)
    assert second.store_writer.store.sources()[0].games == 0
    move(session)
    first.follow(session, 1.0)
    for store_writer in store_writers:
        store_writer.close()
    with closing(sqlite3.connect(tmp_path / "games.sqlite")) as direct:
        assert direct.execute("SELECT count(*) FROM own_games").fetchone() == (1,), "deleted rows are removed"
    with closing(StoreWriter(tmp_path / "games.sqlite")) as again:
        assert saved_games(Library(again)) == [format_transcript(session.game)]
        (listed,) = Library(again).games()
        again.store.own.delete(listed.number, "killed window")
        assert again.store.own.abandoned_game(lambda window: window == "killed window") is None
    with closing(sqlite3.connect(tmp_path / "games.sqlite")) as direct:
        assert direct.execute("SELECT count(*) FROM own_games").fetchone() == (0,)


def test_a_full_disk_is_one_notice(library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = at_table(1)
    with monkeypatch.context() as patch:
        patch.setattr(StoreFile, "writing", full)
        save(library, session)
        assert "full" in str(library.notice)
        assert library.games() == []
    library.flush(session, 1.0)
    settle(library.store_writer)
    assert (library.notice, saved_games(library)) == (None, [format_transcript(session.game)])
    (tmp_path / "file").write_text("")
    with closing(StoreWriter(tmp_path / "file" / "games.sqlite")) as blocked:
        library, unlisted = Library(blocked), Library(StoreWriter(tmp_path))  # a folder
        save(library, session)
        assert library.games() == unlisted.games() == []
        assert None not in (library.notice, unlisted.notice)


@pytest.mark.parametrize("is_removed", [True, False], ids=["removed", "damaged"])
def test_a_game_is_saved_after_the_store_was_removed_or_damaged(library: Library, is_removed: bool) -> None:
    session, path = at_table(1), library.store_writer.store.path
    save(library, session)
    if is_removed:
        for file in path.parent.glob("games.sqlite*"):
            file.unlink()
    else:
        with closing(sqlite3.connect(path)) as other:
            other.execute("DROP TABLE documents")
    move(session)
    save(library, session, 1.0)
    assert (library.notice, saved_games(library)) == (None, [format_transcript(session.game)])
    assert (library.store_writer.notice is None) is is_removed


def full(file: StoreFile) -> None:
    raise StoreError("in_file", path=file.path, reason="the disk is full")


_PLAYS = """
import sys, time
from pathlib import Path
from tests.play.test_library import at_table, save
from othello.study.store_writer import StoreWriter
from othello.study.library import Library
save(Library(StoreWriter(Path(sys.argv[1]))), at_table(4))
print("playing", flush=True)
time.sleep(60)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
def test_a_killed_game_is_offered_again(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with subprocess.Popen([sys.executable, "-c", _PLAYS, str(path)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"playing\n"
        with closing(StoreWriter(path)) as store_writer:
            assert begun(store_writer).abandoned_game is None
        os.kill(process.pid, signal.SIGKILL)
    for _ in range(2):  # until the user has decided
        with closing(StoreWriter(path)) as store_writer:
            left = begun(store_writer).abandoned_game
            assert left is not None
            assert store_writer.store.own.read(left.number)[0].tree.game.ply == 4
    with closing(StoreWriter(path)) as store_writer:
        begun(store_writer).forget_left()
    with closing(StoreWriter(path)) as store_writer:
        assert begun(store_writer).abandoned_game is None
    assert [*tmp_path.glob("running*")] == []


def test_a_game_is_kept_when_the_window_closes_before_the_store_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, is_closing, close = tmp_path / "games.sqlite", Event(), BackgroundWriter.close

    def close_first(writer: BackgroundWriter, seconds: float) -> bool:
        is_closing.set()
        return close(writer, seconds)

    monkeypatch.setattr(database, "Store", lambda path: Store(path) if is_closing.wait(SECONDS) else None)
    monkeypatch.setattr(BackgroundWriter, "close", close_first)
    with closing(StoreWriter(path)) as store_writer:
        Library(store_writer).follow(at_table(2), 0.0)
    assert [*tmp_path.glob("running*")] == []
    with closing(StoreWriter(path)) as store_writer:
        assert begun(store_writer).abandoned_game is not None


def test_windows_never_overwrite_each_other_s_games(store_writers: list[StoreWriter]) -> None:
    libraries, sessions = [*map(Library, store_writers)], [at_table(ply + 1) for ply in range(4)]
    for number in range(3):
        for library, session in zip(libraries, sessions, strict=True):
            move(session, -1)
            library.follow(session, float(number))
    for store_writer in store_writers:
        settle(store_writer)
    assert {*saved_games(libraries[0])} == {format_transcript(session.game) for session in sessions}
    number = libraries[0].games()[0].number
    both = [reopened(library, number) for library in libraries[:2]]
    for choice, (library, session) in enumerate(zip(libraries, both, strict=False)):  # continue the same game
        move(session, -choice)
        save(library, session, 5.0)
    assert len(saved_games(libraries[0])) == 5
    assert {*saved_games(libraries[0])} >= {format_transcript(session.game) for session in both}


def test_a_tournament_game_is_not_saved(library: Library) -> None:
    players = configure("user", name="A"), configure("user", name="B")
    session = Session(Config(players), ScriptedWorker(), 0.0, job=GameJob(1, 1, players, SPEC, 7))
    assert session.referee.job.is_rated
    move(session)
    save(library, session, 1.0)
    assert library.games() == []


def test_any_number_of_games_is_listed(library: Library) -> None:
    save(library, at_table(1))
    with closing(sqlite3.connect(library.store_writer.store.path)) as direct:
        numbers = "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 9999)"
        direct.execute(f"INSERT INTO own_games (name, date, head) {numbers} SELECT n, n, head FROM own_games, numbers")
        direct.commit()
    assert (len(library.games()), library.games()[0].name) == (10_000, "9999")


VALID = '["", "x", [{}, {}], {}, {}, true]'


@pytest.mark.parametrize(
    "head", ["", "{", "[]", "null", '["a", "b"]', "[0, 1, [2, 3], 4, 5, 6]", VALID, VALID.replace("x", "\u202e")]
)
def test_odd_headers_of_a_game_can_be_shown(head: str) -> None:
    listed = GameListEntry(head, 7, "\u202e")
    assert (listed.headers.players, listed.persons_accuracy) == (({}, {}), None)
    assert listed.headers.game.isprintable()


@pytest.mark.parametrize("number", [10**400, 10**200, -1, True, "x", None])
def test_an_accuracy_is_a_share_or_is_not_known(number: object) -> None:
    players = {"player_type": "user"}, {"player_type": "engine"}
    headers = GameHeaders("", "othello", players, {"winner": "black", "black_accuracy": number})
    assert GameListEntry(headers.headers_json).persons_accuracy is None or number is True


def test_odd_rows_of_a_store_can_be_shown(store_writer: StoreWriter) -> None:
    store = store_writer.store
    library = begun(store_writer)
    library.follow(played(WIPE_OUT), 0.0)
    library.remember(Path("a.json"))
    settle(store_writer)
    with closing(sqlite3.connect(store.path)) as direct:
        direct.executescript(
            "UPDATE own_games SET head = x'ff', name = x'ff', playing = x'ff'; UPDATE kept SET value = -1;"
            "UPDATE games SET black = x'ff', event = x'ff'; UPDATE sources SET name = x'ff';"
            "UPDATE segments SET games = 'x'; UPDATE chunks SET segment = 9"
        )
    library = begun(store_writer)
    (listed,) = library.games()
    assert item_of(listed).label.startswith("\ufffd")
    assert library.recent() == []
    assert (store.search(GameFilter(), 0, 1)[0].black, store.sources()[0].name) == ("\ufffd", "\ufffd")
    library.delete(listed)
    settle(store_writer)
    assert store.own.listed() == []


def test_a_name_that_is_stored_while_the_list_is_read_shows(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    gate, store_writer = Event(), library.store_writer
    save(library, at_table(1))
    store_writer.do(object(), lambda _store: gate.wait(SECONDS), lambda _error: None)
    library.rename(library.games()[0], "Rose")
    listed = OwnGames.listed

    def read(own: OwnGames) -> list[GameListEntry]:
        found = listed(own)
        gate.set()
        settle(store_writer)
        return found

    monkeypatch.setattr(OwnGames, "listed", read)
    assert [listed.name for listed in library.games()] == ["Rose"]


def test_recent_files_may_have_any_name(library: Library, tmp_path: Path) -> None:
    files = [tmp_path / os.fsdecode(b"g\xe9.json"), *(tmp_path / f"{number}.json" for number in range(13))]
    for path in files:
        path.write_text("{}", encoding="utf-8")
        library.remember(path)
    library.remember(files[7])
    assert library.recent() == [files[7], *(path for path in files[:1:-1] if path != files[7])][:12]
    library.remember(files[0])
    settle(library.store_writer)
    files[7].unlink()
    assert Library(library.store_writer).recent()[:2] == [files[0], files[13]]
