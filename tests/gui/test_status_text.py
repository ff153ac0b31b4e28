"""The status line, for games with one, two or no users."""

import re
import time
from dataclasses import replace

import pytest

from othello.game import Game
from othello.gui import actions, labels
from othello.gui.boards.renderer import renderer_for
from othello.gui.modes.analyse.analyse import about
from othello.gui.modes.review import review
from othello.gui.preferences import palette_named
from othello.gui.widgets import hints
from othello.play import session_commands as cmd
from othello.play.referee import Fault, Forfeit
from othello.records.transcript import parse_transcript
from othello.rules.protocol import Color, Move
from othello.rules.registry import game_spec, rules_of
from othello.search.report import MoveStats, Unit
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON, computer, report
from tests.positions import RULES, random_game_of, with_forced_pass


def test_the_status_line_has_the_last_move_and_the_side_to_move(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, computer("first"))
    assert driver.status.startswith("Your move. Numbers: how many")
    driver.type("d3")
    driver.until(lambda: driver.session.game.ply == 2)
    driver.turn()
    assert re.fullmatch(r".+ played [a-h][1-8]\. Your move\.", driver.status)
    driver.press("pause", "swap")
    assert "played d3" not in driver.status, "after a swap, it was the user who played d3"
    slow = open_window(PERSON, computer("slow"))
    slow.type("d3")
    slow.until(lambda: slow.session.game.ply == 1)
    slow.press("swap")
    assert "played" not in slow.status
    delayed = open_window(PERSON, computer("first"), delay=60.0)
    delayed.type("d3")
    delayed.until(lambda: delayed.session.worker.answer is not None)
    delayed.turn()
    assert delayed.status.endswith("will move in a moment."), "the delay is not called thinking"
    delayed.press("move_now")
    delayed.until(lambda: delayed.session.game.ply == 2)


def test_undo_restores_the_game_before_a_new_game(driver: WindowDriver) -> None:
    driver.type("d3c3")
    driver.keys("Ctrl+R")
    assert driver.moves() == []
    assert "Undo restores the previous game." in driver.status
    driver.keys("Ctrl+Z")
    assert driver.moves() == ["d3", "c3"]
    driver.keys("Ctrl+R")
    driver.type("f5")
    driver.keys("Ctrl+N")
    assert driver.scene.dialog is not None
    driver.press("restore")
    assert driver.scene.dialog is None
    assert driver.moves() == ["d3", "c3"]


@pytest.mark.parametrize(
    ("board", "move", "title", "status"),
    [
        ("XO" + "-" * 62 + " X", "c1", "You win", "You win. Black 3 : 0 White. 64 : 0 including empty squares."),
        ("XO-OOOOO" + "O" * 56 + " X", "c1", "You lose", "You lose. Black 3 : 61 White."),
    ],
)
def test_the_result_addresses_the_user(open_window: OpenWindow, board: str, move: str, title: str, status: str) -> None:
    driver = open_window(PERSON, computer("first"), start=Game.new(RULES, RULES.parse_position(board)))
    driver.type(move)
    driver.until(lambda: driver.has("look_back"))
    assert title in driver.words()
    assert driver.status == status


@pytest.mark.parametrize("is_lost_on_time", [False, True])
def test_the_result_of_an_opened_game_does_not_address_the_user(open_window: OpenWindow, is_lost_on_time: bool) -> None:
    driver = open_window(PERSON, computer("first"))
    line = random_game_of(RULES, 3)
    ply = max(ply for ply in range(line.ply) if line.positions[ply].to_move is Color.BLACK)
    driver.session.do(cmd.OpenGame(line.at(ply)), time.monotonic())
    assert "You" not in review.title(driver.session)
    if is_lost_on_time:
        driver.session.history.referee.forfeit = Forfeit(Color.WHITE, Fault.OUT_OF_TIME)
    driver.until(lambda: driver.session.referee.is_over or driver.session.awaits_user)
    while not driver.session.referee.is_over:
        driver.session.do(cmd.PlayMove(driver.session.game.legal_moves()[0]), time.monotonic())
        driver.until(lambda: driver.session.referee.is_over or driver.session.awaits_user)
    driver.until(lambda: driver.has("look_back"))
    said = (*driver.words(), driver.status, review.title(driver.session))
    name = labels.player_name(RULES, driver.session.players, Color.BLACK)
    assert not [words for words in said if "You" in words and words != name]


def test_a_pass_addresses_the_user(open_window: OpenWindow) -> None:
    (position,) = with_forced_pass(1)
    players = (PERSON, computer("first"))[:: 1 if position.to_move is Color.BLACK else -1]
    driver = open_window(*players, start=Game.new(RULES, position))
    driver.until(lambda: "You have no legal move" in driver.words())
    assert driver.status == "You have no legal move and must pass."


def test_the_key_of_an_action_comes_from_the_list_of_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    other = [replace(each, keys=("F12",)) if each.name == "hand_white" else each for each in actions.ACTIONS]
    monkeypatch.setattr(actions, "ACTIONS", tuple(other))
    assert [actions.key_of(cmd.HandOver(color)) for color in Color] == ["F2", "F12"]


def test_results_name_the_discs_and_the_counted_empty_squares(open_window: OpenWindow) -> None:
    wiped_out = RULES.parse_position("XO" + "-" * 62 + " X")
    shared = rules_of(game_spec(options={"empty_squares": "to_winner"}))
    for rules, text in (RULES, "64 (3 : 0 on the board)"), (shared, "64"):
        game = Game.new(rules, wiped_out)
        moves = (MoveStats(Move(2), 0, 64.0),)
        found = replace(report(game, 2), unit=Unit.DISCS, value=64.0, moves=moves, pv=(Move(2),))
        assert hints.sentence(game, found) == f"c1 is best; you win by {text}."
        assert about(game, found, Move(2), has_details=False) == (f"exactly +{text}",)
        driver = open_window(PERSON, PERSON, start=game)
        driver.type("c1")
        driver.settle()
        both = "Black wins 3 : 0 · 64 : 0 including empty squares"
        assert review.title(driver.session) == (both if rules is RULES else "Black wins 64 : 0")
        text = "Black 3 : 0 White. 64 : 0 including empty squares" if rules is RULES else "Black 64 : 0 White"
        assert driver.status == f"Black wins. {text}."
        assert driver.records[-1].black_points == (3 if rules is RULES else 64)


@pytest.mark.parametrize(
    ("unit", "value", "text"),
    [
        (Unit.EXPECTED, -34.6, "you would lose by about 35."),
        (Unit.EXPECTED, 0.2, "the game is about even."),
        (Unit.DISCS, 4.0, "you win by 4."),
        (Unit.REWARD, 0.447, "your chance of winning is about 45%."),
        (Unit.SCORE, 10_012.0, "d3 is best and wins."),
        (Unit.SCORE, 37.0, "d3 is best."),
        (Unit.NONE, None, "d3 is best."),
    ],
)
def test_a_hint_is_one_sentence_in_plain_words(unit: Unit, value: float | None, text: str) -> None:
    game = Game.new(RULES)
    found = replace(report(game, RULES.parse_move(game.position, "d3")), unit=unit, value=value)
    assert hints.sentence(game, found).startswith("d3 is best")
    assert hints.sentence(game, found).endswith(text)


def test_ultimate_names_the_board_to_play_in_and_the_reason(open_window: OpenWindow) -> None:
    rules = rules_of(game_spec("ultimate_tictactoe"))
    start = Game.new(rules).play(rules.parse_move(rules.start(), "5,5"))
    driver = open_window(computer("slow"), PERSON, start=start, spec=rules.spec)
    assert "Your turn: the centre board" in driver.words()
    assert "X played 5, 5, the centre square of its board: it sends you there." in driver.words()
    driver.type("45")
    driver.keys("Enter", "Page Up")
    assert "X played 5, 5, the centre square of its board: it sends O there." in driver.words()
    free = open_window(PERSON, PERSON, start=parse_transcript("5,5 5,4 5,1 4,1", rules), spec=rules.spec)
    assert "X to move: the top left board" in free.words()


def test_a_finished_board_of_ultimate_frees_the_choice() -> None:
    rules = rules_of(game_spec("ultimate_tictactoe"))
    game = Game.new(rules)
    while not game.ply or len({move // 27 * 3 + move % 9 // 3 for move in game.legal_moves()}) == 1:
        game = game.play(game.legal_moves()[0])
    task, reason = renderer_for(rules.spec, palette_named()).task(game.position, game.last_move, is_own=True)
    assert task == "any open board"
    assert "is finished" in reason
