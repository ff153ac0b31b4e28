"""Words of the window for keys, moves and games: status line, title, numbers of moves, help."""

from pathlib import Path
from types import SimpleNamespace

from othello.config import Config
from othello.game import Game
from othello.gui.app import startup
from othello.gui.app.screen_manager import ScreenManager
from othello.gui.preferences import PreferencesFile
from othello.gui.toolkit.controls import SegmentedControl
from othello.gui.widgets.move_list import MOVES, MoveList
from othello.play import session_commands as cmd
from othello.players.player_registry import configure
from othello.rules.registry import game_spec, rules_of
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON, computer
from tests.play.session_driver import PASS_AHEAD
from tests.positions import parse_board


def test_keys_are_answered_in_the_status_line(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, computer("first"), delay=0.8)
    driver.prefer(motion="full")
    for key, answer in (
        ("+", "Computer move delay: at least 0.4 s per move"),
        ("-", "Computer move delay: at least 0.8 s per move"),
        ("-", "Computer move delay: at least 1.5 s per move"),
        ("m", "Animation: None"),
    ):
        driver.type(key)
        driver.turn()
        assert answer in driver.status
    driver.keys("Ctrl+M")
    assert "The computer is not thinking about a move." in driver.status


def test_a_computer_that_has_to_move_at_once_says_so(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, computer("first"), delay=60.0)
    driver.type("d3")
    driver.until(lambda: driver.session.worker.answer is not None)
    driver.keys("Ctrl+M")
    assert "The computer plays the best move" in driver.status


def test_a_pass_has_no_number(open_window: OpenWindow) -> None:
    rules = rules_of(game_spec())
    game = Game.new(rules, parse_board(PASS_AHEAD))
    driver = open_window(PERSON, PERSON, start=game)
    driver.type("a1")
    driver.until(lambda: driver.session.announces_pass)
    driver.keys("Enter")
    driver.do(cmd.PlayMove(driver.session.game.legal_moves()[0]))
    driver.settle()
    moves = driver.widget(MOVES, MoveList)
    assert [each.number for each in moves.listing.entries] == ["1", "", "2"]
    assert (driver.session.game.ply, driver.session.game.number) == (3, 2)


def test_help_begins_with_how_to_play_until_a_game_was_finished(driver: WindowDriver) -> None:
    for topic in ("rules", "keys"):
        driver.open("keys")
        assert driver.widget("topic", SegmentedControl).value == topic
        driver.keys("Esc")
        driver.do(cmd.Resign())


def test_the_status_does_not_name_files_for_the_last_choice(tmp_path: Path) -> None:
    preferences, path = PreferencesFile(), tmp_path / "config.json"
    players = [{"player_type": "user"}, {"player_type": "random"}]
    preferences.change(usual={"players": players}, configs={str(path.resolve()): ""})
    found = startup.startup_game(Config((PERSON, configure("heuristic"))), path, preferences, is_named=False)
    assert found.words == "Same players as last time."


def test_preparing_shows_the_time_left() -> None:
    shown: list[str] = []
    view_state = SimpleNamespace()
    manager = SimpleNamespace(
        _compiling=None, _background_status="", game_screen=SimpleNamespace(view_state=view_state)
    )
    for share, now in ((0.0, 0.0), (0.0, 20.0), (0.25, 30.0), (0.5, 60.0), (None, 100.0)):
        ScreenManager._show_compiling(manager, share, now)  # type: ignore[arg-type]
        if shown[-1:] != [view_state.background_status]:
            shown.append(view_state.background_status)
    assert shown == [
        "Preparing other games…",
        "Preparing other games (about 90 s left).",
        "Preparing other games (about 60 s left).",
        "",
    ]
