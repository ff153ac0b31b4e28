"""A person's games as files: kept while they are played, opened again, left behind by a crash."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from othello.config import Config
from othello.errors import GameFileError
from othello.game import Game
from othello.play import commands as cmd
from othello.play.archive import kept, opened
from othello.play.library import Library
from othello.play.referee import Fault, Forfeit
from othello.play.session import Session
from othello.players.registry import configure
from othello.records.game_file import GameFile, format_game, parse_game
from othello.records.recognition import recognise
from othello.records.transcript import format_transcript, parse_transcript
from othello.rules.protocol import Color
from tests.play.faulty import report
from tests.play.table import Script
from tests.positions import DRAWN, RULES, SPEC

USER = configure("user", player_color=Color.BLACK)
UCT = configure("mcts_uct", player_color=Color.WHITE, simulation_count=77, name="Deep", clock_seconds=60.0)
JUDGE = configure("heuristic", depth=3)
SECONDS = 120.0


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    library = Library(tmp_path / "games")
    yield library
    library.close()


def at_table(moves: int = 0, black: str = "user") -> Session:
    session = Session(Config((configure(black), configure("user"))), Script(), 0.0, analyst=Script())
    for _ in range(moves):
        session.do(cmd.PlayMove(session.game.legal_moves()[0]), 1.0)
    return session


def eventually(path: Path, holds: str) -> str:
    end = time.monotonic() + SECONDS
    while not (path.exists() and holds in path.read_text(encoding="utf-8")):
        assert time.monotonic() < end
        time.sleep(0.01)
    return path.read_text(encoding="utf-8")


def only(folder: Path) -> Path:
    end = time.monotonic() + SECONDS
    while not (found := list(folder.glob("*.othello.json"))):
        assert time.monotonic() < end
        time.sleep(0.01)
    return found[0]


def test_a_session_comes_back_as_it_was() -> None:
    session = Session(Config((USER, UCT)), Script(), 0.0)
    session.do(cmd.PlayMove(19), 7.0)
    session.do(cmd.Annotate("Now?"), 7.0)
    session.history.remember(session.game, analyses={JUDGE: report(session.game)})
    history = session.history
    file = parse_game_of(session)
    again = at_table()
    again.do(opened(file), 0.0)
    assert again.game == history.game
    assert again.history.tree.known(again.game).note == "Now?"
    assert list(again.seats.values()) == list(history.referee.seats.values())
    assert again.clock.spent == (7.0, 0.0)
    assert again.history.tree.known(again.game).analyses[JUDGE].pv == report(again.game).pv
    again.do(cmd.Undo(), 1.0)
    assert again.game.ply == 0


def parse_game_of(session: Session) -> GameFile:
    history = session.history
    return parse_game(format_game(kept(history.tree, history.referee, "2026-01-31T18:30:00")))


def test_the_game_that_was_there_is_put_aside() -> None:
    session = at_table(3)
    before = session.game
    session.do(opened(parse_game_of(at_table(5))), 0.0)
    assert session.game.ply == 5
    session.do(cmd.RestoreGame(), 0.0)
    assert session.game == before


def test_a_lost_game_stays_lost_and_is_not_recorded_again() -> None:
    session = at_table(2)
    session.history.referee.forfeit = Forfeit(Color.WHITE, Fault.OUT_OF_TIME)
    file = parse_game_of(session)
    assert file.result["fault"] == "out_of_time"
    records: list[object] = []
    again = Session(Config((USER, USER)), Script(), 0.0, records.append)
    again.do(opened(file), 0.0)
    again.update(1.0)
    assert again.forfeit == session.forfeit
    assert not records


def test_a_game_is_opened_again_after_a_level_has_taken_over() -> None:
    session = Session(Config((USER, UCT)), Script(), 0.0)
    session.do(cmd.HandOver(Color.BLACK), 1.0)
    file = parse_game_of(session)
    players = opened(file).players
    assert players is not None
    assert file.players is not None
    assert [player.name for player in players] == ["Deep 2", "Deep"]
    black, white = file.players
    players = opened(replace(file, players=({**black, "name": "Deep"}, white))).players
    assert players is not None
    assert [player.name for player in players] == ["Deep", "Deep 2"]


WIPE_OUT = "e6f4e3f6g5d6e7f5c5"


def played(text: str, *steps: tuple[str, cmd.SessionCommand]) -> Session:
    """A game with the computer in which the person makes all moves, with commands after some of them."""
    session = Session(Config((USER, UCT)), Script(), 0.0)
    for move in parse_transcript(text, RULES).moves:
        if not session.awaits_person:
            session.history.play(move)
            session.history.begin_turn(1.0)
        else:
            session.do(cmd.PlayMove(move), 1.0)
        for after, command in steps:
            if format_transcript(session.game).endswith(after):
                session.do(command, 1.0)
    return session


def test_only_what_the_players_played_themselves_counts_for_them(library: Library) -> None:
    own = played(WIPE_OUT)
    handed_over = played(WIPE_OUT, ("e6", cmd.HandOver(Color.WHITE)), ("e3", cmd.HandOver(Color.WHITE)))
    pasted = played("e6")
    pasted.do(opened(recognise(WIPE_OUT[:-2], SPEC)), 1.0)
    pasted.do(cmd.PlayMove(parse_transcript(WIPE_OUT, RULES).moves[-1]), 1.0)
    again = played("e6")
    again.do(opened(parse_game_of(handed_over)), 1.0)
    assert all(session.is_over for session in (own, handed_over, pasted, again))
    results = [parse_game_of(session).result for session in (own, handed_over, pasted, again)]
    assert [result.get("counts", True) for result in results] == [True, False, False, False]
    library.folder.mkdir()
    board = Game.new(RULES, DRAWN)
    for number, game in enumerate((own, handed_over, Session(Config((USER, UCT)), Script(), 0.0, start=board))):
        text = format_game(kept(game.history.tree, game.history.referee, ""))
        (library.folder / f"{number}.othello.json").write_text(text, encoding="utf-8")
    assert [listed.counts for listed in library.games()] == [False, False, True]


def test_a_finished_game_of_others_is_nobodys_here() -> None:
    session = played("e6")
    session.do(opened(recognise(WIPE_OUT, SPEC)), 1.0)
    assert [(seat.is_user, seat.is_named) for seat in session.seats.values()] == [(True, False)] * 2


def test_a_file_of_others_names_no_files_here() -> None:
    player = {"player_type": "mcts_uct", "mcts_tree_file": "/tmp/tree.npz"}
    file = GameFile(parse_game_of(at_table(1)).tree, ({"player_type": "user"}, player))
    command = opened(file)
    assert command.players is not None
    assert not command.players[1].memory_files


@pytest.mark.parametrize("entry", [{"player_type": "nobody"}, {"player_type": "heuristic", "depth": "deep"}, {}])
def test_players_that_are_none_are_told(entry: dict[str, object]) -> None:
    file = GameFile(parse_game_of(at_table(1)).tree, ({"player_type": "user"}, entry))
    with pytest.raises(GameFileError, match=r"players\[1\]"):
        opened(file)


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
    library.adopt(session.history, path)
    session.do(cmd.PlayMove(session.game.legal_moves()[0]), 2.0)
    library.follow(session, 2.0)
    assert parse_game(eventually(path, '"played": 3')).date == before.date
    assert len(library.games()) == 1


def test_an_opened_game_of_computers_waits_to_be_gone_on_with() -> None:
    session = Session(Config((configure("heuristic"), configure("random"))), Script(), 0.0, analyst=Script())
    session.do(opened(recognise("f5d6c3", SPEC)), 1.0)
    session.update(100.0)
    assert (session.paused, session.thinking.is_wanted, session.game.ply) == (True, False, 3)
    session.do(cmd.TogglePause(), 101.0)
    session.update(102.0)
    assert session.thinking.is_wanted


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
from tests.play.test_library import Library, at_table
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
        path = only(folder)
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


def test_damaged_files_are_not_listed(library: Library) -> None:
    library.folder.mkdir()
    for name, text in (("a", "{"), ("b", "[]"), ("c", '{"format": 3,\n  "moves": []}'), ("d", "\0")):
        (library.folder / f"{name}.othello.json").write_text(text, encoding="utf-8")
    assert library.games() == []
