"""Every key has an answer on screen, and words for players: status, title, numbers of moves, help."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pygame
import pytest

from othello.config import Config
from othello.game import Game
from othello.gui import commands as gui
from othello.gui import usual
from othello.gui.dialogs.help import HelpDialog
from othello.gui.play.moves import MOVES, MoveList
from othello.gui.preferences import PreferencesFile
from othello.gui.rooms import Rooms
from othello.gui.toolkit.switches import Choice
from othello.play import commands as play
from othello.players.registry import configure
from othello.rules.registry import game_spec, rules_of
from tests.gui.desk import Desk
from tests.play.faulty import PERSON, computer
from tests.play.table import PASS_AHEAD
from tests.positions import parse_board

Sit = Callable[..., Desk]


@pytest.mark.parametrize(
    ("key", "text", "mod", "answer"),
    [
        (pygame.K_PLUS, "+", 0, "Computer's pace: at least 0.4 s per move"),
        (pygame.K_MINUS, "-", 0, "Computer's pace: at least 1.5 s per move"),
        (pygame.K_m, "m", 0, "Flips and motion: None"),
        (pygame.K_m, "\r", pygame.KMOD_CTRL, "No computer is thinking about a move."),
    ],
)
def test_a_key_has_an_answer_on_screen(sit_down: Sit, key: int, text: str, mod: int, answer: str) -> None:
    desk = sit_down(PERSON, computer("first"), delay=0.8)
    desk.scene.preferences.change(motion="full")
    desk.key(key, text, mod)
    desk.turn()
    assert answer in desk.status


def test_the_computer_that_is_told_to_move_says_so(sit_down: Sit) -> None:
    desk = sit_down(PERSON, computer("first"), delay=60.0)
    desk.type("d3")
    desk.until(lambda: desk.session.worker.answer is not None)
    desk.key(pygame.K_m, "\r", pygame.KMOD_CTRL)
    assert "The computer plays the best move" in desk.status


def test_a_pass_has_no_number(sit_down: Sit) -> None:
    rules = rules_of(game_spec())
    game = Game.new(rules, parse_board(PASS_AHEAD))
    desk = sit_down(PERSON, PERSON, start=game)
    desk.type("a1")
    desk.until(lambda: desk.session.announces_pass)
    desk.key(pygame.K_RETURN)
    desk.scene.do(play.PlayMove(desk.session.game.legal_moves()[0]), 0.0)
    desk.settle()
    moves = desk.placed(MOVES).panel
    assert isinstance(moves, MoveList)
    assert [(each.number, each.is_pass) for each in moves.listing.entries] == [("1", False), ("", True), ("2", False)]
    assert (desk.session.game.ply, desk.session.game.number) == (3, 2)


@pytest.mark.parametrize(
    ("game", "title"), [("othello", "You – First – Othello"), ("tictactoe", "Tic-tac-toe – You – First – Othello")]
)
def test_the_title_names_the_game(sit_down: Sit, game: str, title: str) -> None:
    desk = sit_down(PERSON, configure("random", name="First"), spec=game_spec(game))
    assert desk.scene.title == title
    desk.scene.do(gui.SwitchMode("analyse"), 0.0)
    assert desk.scene.title == "Analyse – Othello"


def test_help_begins_with_how_to_play_until_a_game_was_finished(sit_down: Sit) -> None:
    desk = sit_down(PERSON, PERSON)
    for topic in ("rules", "keys"):
        desk.scene.do(gui.PlainCommand.TOGGLE_HELP, 0.0)
        desk.turn()
        assert isinstance(desk.scene.dialog, HelpDialog)
        choice = desk.placed("topic").panel
        assert isinstance(choice, Choice)
        assert choice.value == topic
        desk.key(pygame.K_ESCAPE)
        desk.scene.do(play.Resign(), 0.0)
        desk.turn()


def test_the_status_does_not_name_files_for_the_last_choice(tmp_path: Path) -> None:
    preferences, path = PreferencesFile(), tmp_path / "config.json"
    players = [{"player_type": "user"}, {"player_type": "random"}]
    preferences.change(usual={"players": players}, configs={str(path.resolve()): ""})
    found = usual.beginning(Config((PERSON, configure("heuristic"))), path, preferences, is_named=False)
    assert found.words == "Same players as last time."


def test_preparing_counts_in_time() -> None:
    told: list[str] = []
    table = SimpleNamespace(do=lambda command, _: told.append(command.words))
    rooms = SimpleNamespace(_compiling=None, _murmur="", table=table)
    for share, now in ((0.0, 0.0), (0.0, 20.0), (0.25, 30.0), (0.5, 60.0), (None, 100.0)):
        Rooms._tell_share(rooms, share, now)  # type: ignore[arg-type]
    assert told == [
        "Preparing other games…",
        "Preparing other games (about 90 s left).",
        "Preparing other games (about 60 s left).",
        "",
    ]
