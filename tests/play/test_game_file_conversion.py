"""A session's game saved and reopened: players, results and analyses."""

from dataclasses import replace
from pathlib import Path

import pytest

from othello import texts
from othello.config import Config, PlayerConfig
from othello.config_file import entry_of
from othello.errors import GameFileError
from othello.game import Game
from othello.gui.labels import player_name
from othello.play import session_commands as cmd
from othello.play.referee import Fault, Forfeit
from othello.play.session import Session
from othello.players.player_registry import configure
from othello.records.formats.parsed_game import ParsedGame
from othello.records.game_file import GameFile, GameListEntry, format_game, parse_game
from othello.records.readers import recognise
from othello.records.transcript import format_transcript, parse_transcript
from othello.rules.protocol import Color, Move
from othello.study.game_file_conversion import game_file_from, open_command
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
    file = game_file_from(session.history.tree, session.history.referee, "2026-01-31T18:30:00")
    return parse_game(format_game(file))


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
    file = parse_game_of(session)
    again = at_table(3)
    before = again.game
    again.do(open_command(file), 0.0)
    assert again.game == history.game
    assert again.history.tree.known(again.game).note == "Now?"
    assert list(again.referee.players.values()) == list(history.referee.players.values())
    assert again.referee.clock.spent == (7.0, 0.0)
    assert again.history.tree.known(again.game).analyses[JUDGE].pv == report(again.game).pv
    again.do(cmd.Undo(), 1.0)
    assert again.game.ply == 0
    again.do(cmd.RestoreGame(), 1.0)
    assert again.game == before


def test_a_reopened_forfeit_is_not_recorded_again() -> None:
    session = at_table(2)
    session.history.referee.forfeit = Forfeit(Color.WHITE, Fault.OUT_OF_TIME)
    file = parse_game_of(session)
    assert file.result["fault"] == "out_of_time"
    records: list[object] = []
    again = Session(Config((USER, USER)), ScriptedWorker(), 0.0, records.append)
    again.do(open_command(file), 0.0)
    again.update(1.0)
    assert again.referee.forfeit == session.referee.forfeit
    assert not records


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
    board = Game.new(RULES, DRAWN)
    games = own, handed_over, Session(Config((USER, UCT)), ScriptedWorker(), 0.0, start=board)
    assert [GameListEntry.of(parse_game_of(game)).headers.counts for game in games] == [True, False, False]


def test_files_of_knowledge_are_neither_stored_nor_read() -> None:
    player = {"player_type": "mcts_uct", "mcts_tree_file": "/tmp/tree.npz"}
    own = entry_of(configure("mcts_uct", mcts_tree_file=Path("/tmp/tree.npz"), simulation_count=77))
    assert own == {"player_type": "mcts_uct", "simulation_count": 77}
    file = GameFile(parse_game_of(at_table(1)).tree, ({"player_type": "user"}, player))
    command = open_command(file)
    assert command.players is not None
    assert not command.players[1].memory_files


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


@pytest.mark.parametrize("command", [cmd.Resign(), cmd.AgreeDraw()])
def test_a_file_stores_resignations_and_agreed_draws(command: cmd.SessionCommand) -> None:
    session = at_table(3)
    session.do(command, 1.0)
    again, forfeit = at_table(), session.referee.forfeit
    again.do(open_command(parse_game_of(session)), 1.0)
    assert (again.referee.is_over, str(again.referee.forfeit)) == (True, str(forfeit))
    read = Forfeit.of(session.referee.record())
    assert forfeit is not None
    assert (read and read.fault, read and read.winner) == (forfeit.fault, again.referee.winner)
