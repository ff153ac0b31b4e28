"""A person's games as files: kept while they are played, opened again, left behind by a crash."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from othello.config import Config
from othello.game import Game
from othello.play import commands as cmd
from othello.play.archive import opened
from othello.play.library import Library, stamp_of
from othello.play.referee import Job
from othello.play.session import Session
from othello.players.registry import configure
from othello.records.game_file import parse_game
from tests.play.faulty import report
from tests.play.table import Script
from tests.play.test_archive import WIPE_OUT, at_table, played, text_of
from tests.positions import RULES, SPEC

SECONDS = 120.0


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    library = Library(tmp_path / "games")
    yield library
    library.close()


def wait_until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def eventually(path: Path, holds: str) -> str:
    wait_until(lambda: path.exists() and holds in path.read_text(encoding="utf-8"))
    return path.read_text(encoding="utf-8")


def only(folder: Path) -> Path:
    wait_until(lambda: any(folder.glob("*.othello.json")))
    return next(folder.glob("*.othello.json"))


def test_a_game_that_is_lost_on_time_is_kept_at_once(library: Library) -> None:
    session = Session(Config((configure("user", clock_seconds=5.0), configure("user"))), Script(), 0.0)
    for at in (1.0, 2.0):
        session.do(cmd.PlayMove(session.game.legal_moves()[0]), at)
    library.follow(session, 2.0, session.events())
    eventually(only(library.folder), '"moves"')
    session.update(8.0)
    library.follow(session, 8.0, session.events())
    assert "out_of_time" in eventually(only(library.folder), '"result"')


def test_every_move_is_written(library: Library) -> None:
    session = at_table()
    library.follow(session, 0.0)
    assert not list(library.folder.glob("*.othello.json"))
    for ply in range(1, 4):
        session.do(cmd.PlayMove(session.game.legal_moves()[0]), ply)
        library.follow(session, ply)
        text = eventually(only(library.folder), f'"played": {ply}')
    assert parse_game(text).tree.game == session.game
    session.do(cmd.Annotate("A note."), 5.0)
    library.follow(session, 5.0)
    library.follow(session, 9.0)
    eventually(only(library.folder), "A note.")
    (listed,) = library.games()
    assert (listed.game, listed.players[0]["player_type"]) == ("othello", "user")


@pytest.mark.parametrize("name", [None, "My best game.othello.json"])
def test_what_is_opened_goes_on_in_its_file(library: Library, name: str | None) -> None:
    session = at_table(2)
    library.follow(session, 0.0)
    path = only(library.folder)
    before = parse_game(eventually(path, '"played": 2'))
    if name is not None:
        path = path.rename(path.with_name(name))
    session.do(cmd.NewGame(), 1.0)
    session.do(opened(before), 1.0)
    library.adopt(session.history, path, stamp_of(path))
    session.do(cmd.PlayMove(session.game.legal_moves()[0]), 2.0)
    library.follow(session, 2.0)
    assert parse_game(eventually(path, '"played": 3')).date == before.date
    assert len(library.games()) == 1


def test_a_folder_that_cannot_be_written_is_one_notice(tmp_path: Path) -> None:
    (tmp_path / "games").write_text("a file", encoding="utf-8")
    library = Library(tmp_path / "games")
    session = at_table(1)
    library.follow(session, 0.0)
    library.close()
    assert "cannot be written" in str(library.notice)
    assert session.game.ply == 1
    assert library.games() == []


_PLAYS = """
import sys, time
from pathlib import Path
from tests.play.test_archive import at_table
from othello.play.library import Library
library = Library(Path(sys.argv[1]))
library.follow(at_table(4), 0.0)
print("playing", flush=True)
time.sleep(60)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
def test_a_killed_game_is_offered_again(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    with subprocess.Popen([sys.executable, "-c", _PLAYS, str(folder)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"playing\n"
        eventually(path := only(folder), '"played": 4')
        while_it_plays = Library(folder)
        assert while_it_plays.left is None
        while_it_plays.close()
        os.kill(process.pid, signal.SIGKILL)
    afterwards = Library(folder)
    assert afterwards.left == path
    assert parse_game(path.read_text(encoding="utf-8")).tree.game.ply == 4
    afterwards.close()
    after_that = Library(folder)
    assert after_that.left is None
    after_that.close()


def changed(text: str, key: str, value: str) -> str:
    """The text of a file with another value at one key of its head."""
    document = json.loads(text)
    assert key in document
    return text.replace(f'"{key}": {json.dumps(document[key])}', f'"{key}": {value}', 1)


def test_what_is_no_game_hides_no_other(library: Library) -> None:
    library.folder.mkdir()
    session = at_table(2)
    sound = text_of(session)
    odd = {
        "a": "{",
        "b": "[]",
        "c": '{"format": 3,\n  "moves": []}',
        "d": "\0",
        "deep": '{"a": ' + "[" * 100_000 + ',\n  "moves": [',
        "number": changed(sound, "played", "9" * 400),
        "half": changed(sound, "date", r'"\ud800"'),
        "players": sound.replace('"players": {', '"players": [], "others": {'),
    }
    for name, text in odd.items():
        (library.folder / f"{name}.othello.json").write_text(text, encoding="utf-8")
    (library.folder / "folder.othello.json").mkdir()
    (library.folder / "link.othello.json").symlink_to("nowhere")
    if hasattr(os, "mkfifo"):
        for name in ("pipe.othello.json", "running-1", "recent.json", "games.lock"):
            os.mkfifo(library.folder / name)
    assert library.games() == []
    again = Library(library.folder)
    (library.folder / "sound.othello.json").write_text(sound, encoding="utf-8")
    assert "sound.othello.json" in [listed.path.name for listed in again.games()]
    assert again.recent() == []
    again.close()


@pytest.mark.parametrize("value", ["\0", "{", "}{0}", "\u202e", 'x" " x'])
def test_whatever_stands_in_the_head_of_a_game_can_be_shown(library: Library, value: str) -> None:
    library.folder.mkdir()
    session = at_table(1)
    text = text_of(session)
    for key in ("date", "game"):
        text = changed(text, key, json.dumps(value))
    text = text.replace('"user"', json.dumps(value), 1)
    (library.folder / "x.othello.json").write_text(text, encoding="utf-8")
    (listed,) = library.games()
    for shown in (listed.date, listed.game, listed.players[0]["player_type"]):
        assert shown.isprintable()


@pytest.mark.parametrize("number", ["1" + "0" * 400, "1" + "0" * 200, "-1", "true", '"x"', "null"])
def test_an_accuracy_is_a_share_or_is_not_known(library: Library, number: str) -> None:
    library.folder.mkdir()
    session = played(WIPE_OUT)
    text = text_of(session)
    text = text.replace('"winner"', f'"black_accuracy": {number}, "winner"')
    (library.folder / "x.othello.json").write_text(text, encoding="utf-8")
    for listed in library.games():
        assert listed.persons_accuracy is None or number == "true"


LONG = replace(report(Game.new(RULES)), pv=())


def test_a_game_with_a_long_beginning_is_listed(library: Library) -> None:
    library.folder.mkdir()
    session = at_table()
    for number in range(90):
        judge = configure("heuristic", depth=3, name=f"{number:02}" + 30 * "é")
        session.history.remember(session.game, analyses={**session.history.tree.root.known.analyses, judge: LONG})
    session.do(cmd.PlayMove(session.game.legal_moves()[0]), 1.0)
    text = text_of(session)
    assert text.index('\n  "moves": [') > 1 << 16
    (library.folder / "x.othello.json").write_text(text, encoding="utf-8")
    assert [listed.game for listed in library.games()] == ["othello"]


def test_two_windows_never_write_over_each_other(tmp_path: Path) -> None:
    """Their first moves come in the same second, all their moves come close together."""
    libraries = [Library(tmp_path / "games") for _ in range(4)]
    sessions = [at_table(ply + 1) for ply in range(4)]
    for number in range(3):
        for library, session in zip(libraries, sessions, strict=True):
            session.do(cmd.PlayMove(session.game.legal_moves()[-1]), 1.0)
            library.follow(session, float(number))
    for library in libraries:
        library.close()
    written = [parse_game(path.read_text(encoding="utf-8")) for path in (tmp_path / "games").glob("*.othello.json")]
    assert {file.tree.game.moves for file in written} == {session.game.moves for session in sessions}
    assert len(written) == len(sessions)


def test_who_finds_the_file_changed_writes_another(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    first = Library(folder)
    first.follow(at_table(2), 0.0)
    first.close()
    path = only(folder)
    libraries, sessions = [Library(folder), Library(folder)], [at_table(), at_table()]
    for library, session in zip(libraries, sessions, strict=True):
        session.do(opened(parse_game(path.read_text(encoding="utf-8"))), 1.0)
        library.adopt(session.history, path, stamp_of(path))
    for number in range(1, 4):
        for library, session, choice in zip(libraries, sessions, (0, -1), strict=True):
            session.do(cmd.PlayMove(session.game.legal_moves()[choice]), 1.0 + number)
            library.follow(session, 1.0 + number)
            library.close() if number == 3 else time.sleep(0.05)
    written = [parse_game(each.read_text(encoding="utf-8")).tree.game for each in folder.glob("*.othello.json")]
    assert {game.moves for game in written} == {session.game.moves for session in sessions}
    assert len(written) == 2


def test_a_game_that_was_only_looked_at_is_not_written_again(library: Library) -> None:
    session = at_table(2)
    library.follow(session, 0.0)
    path = only(library.folder)
    eventually(path, '"played": 2')
    again = at_table()
    again.do(opened(parse_game(path.read_text(encoding="utf-8"))), 1.0)
    other = Library(library.folder)
    other.adopt(again.history, path, stamp_of(path))
    other.flush(again, 2.0)
    session.do(cmd.PlayMove(session.game.legal_moves()[0]), 2.0)
    library.follow(session, 2.0)
    eventually(path, '"played": 3')
    other.flush(again, 3.0)
    other.close()
    assert [*library.folder.glob("*.othello.json")] == [path]


def test_recent_files_may_have_any_name(library: Library, tmp_path: Path) -> None:
    odd, plain = tmp_path / os.fsdecode(b"g\xe9.json"), tmp_path / "plain.json"
    for path in (odd, plain):
        path.write_text("{}", encoding="utf-8")
        library.remember(path)
    assert library.recent() == [plain, odd]
    listed = json.loads((library.folder / "recent.json").read_text(encoding="utf-8"))
    (library.folder / "recent.json").write_text(json.dumps([3, None, "a\0b", *listed]), encoding="utf-8")
    assert library.recent() == [plain, odd]


def test_a_note_waits_a_moment_and_is_written_at_the_end(library: Library) -> None:
    session = at_table(1)
    library.follow(session, 5.0)
    session.do(cmd.Annotate("A note."), 5.5)
    library.follow(session, 6.0)
    library.close()
    path = only(library.folder)
    assert "A note." not in path.read_text(encoding="utf-8")
    again = Library(library.folder)
    other = at_table()
    other.do(opened(parse_game(path.read_text(encoding="utf-8"))), 1.0)
    again.adopt(other.history, path, stamp_of(path))
    other.do(cmd.Annotate("Another."), 1.5)
    again.flush(other, 2.0)
    again.close()
    assert "Another." in path.read_text(encoding="utf-8")


def test_a_game_that_counts_is_not_kept(library: Library) -> None:
    players = configure("user", name="A"), configure("user", name="B")
    session = Session(Config(players), Script(), 0.0, job=Job(1, 1, players, SPEC, 7))
    assert session.referee.job.is_rated
    session.do(cmd.PlayMove(session.game.legal_moves()[0]), 1.0)
    library.follow(session, 1.0)
    library.close()
    assert library.games() == []


def test_a_file_that_somebody_removed_is_written_again(library: Library) -> None:
    session = at_table(1)
    library.follow(session, 0.0)
    path = only(library.folder)
    eventually(path, '"played": 1')
    wait_until(lambda: library._games[session.history].stamp == stamp_of(path))
    path.unlink()
    session.do(cmd.PlayMove(session.game.legal_moves()[0]), 1.0)
    library.follow(session, 1.0)
    eventually(path, '"played": 2')
    assert only(library.folder) == path


def test_the_newest_of_the_games_that_were_left_is_offered(tmp_path: Path) -> None:
    for number, at in enumerate((2000, 3000, 1000)):
        path = tmp_path / f"{number}.othello.json"
        path.write_text("{}", encoding="utf-8")
        os.utime(path, (at, at))
        (tmp_path / f"running-{number}").write_text(f"old.othello.json\n{path.name}\n", encoding="utf-8")
    library = Library(tmp_path)
    assert library.left == tmp_path / "1.othello.json"
    library.close()
    assert not list(tmp_path.glob("running-*"))


def test_all_games_are_listed_and_the_newest_of_other_files(library: Library, tmp_path: Path) -> None:
    library.folder.mkdir()
    sound = text_of(at_table(1))
    for number in range(502):
        (library.folder / f"{number:03}.othello.json").write_text(sound, encoding="utf-8")
    names = [listed.path.name for listed in library.games()]
    assert names == [f"{number:03}.othello.json" for number in range(501, -1, -1)]
    files = [tmp_path / f"{number}.json" for number in range(14)]
    for path in files:
        path.write_text("{}", encoding="utf-8")
        library.remember(path)
    library.remember(files[7])
    assert library.recent() == [files[7], *(path for path in files[:1:-1] if path != files[7])][:12]
