"""The mode Train, driven by real events."""

import json
import time
from dataclasses import replace
from datetime import timedelta
from itertools import product
from pathlib import Path

import pytest

from othello.game import Game
from othello.gui.modes.mode_host import Storage
from othello.gui.modes.train.exercise_text import Verdict, best_line, game_at
from othello.gui.modes.train.train import TrainMode
from othello.gui.modes.train.train_widgets import AttemptRow
from othello.gui.screens.game_screen import GameScreen
from othello.gui.widgets.overlays import StatusIcon
from othello.play import session_commands as cmd
from othello.play.assessment import is_right, values_of
from othello.players.player_registry import configure
from othello.rules.registry import game_spec, rules_of
from othello.study.store_writer import StoreWriter
from othello.study.training import Deck, Exercise, ExerciseAttempt
from othello.texts import tr
from tests.gui.mistakes import SIZES, assert_apart, click_move, mode_of, play_badly, played_badly, train
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON, report
from tests.play.test_library import settle
from tests.positions import RULES, SPEC, random_game_of


def click_right(driver: WindowDriver, mode: TrainMode) -> None:
    """Click the right move of the exercise."""
    assert mode._attempt is not None
    report = mode._attempt.exercise.report
    click_move(driver, next(move for move in values_of(report) if is_right(report, move)))
    driver.turn()


def badges(driver: WindowDriver) -> list[StatusIcon]:
    driver.turn()
    return driver.panels(StatusIcon)


@pytest.fixture
def driver(open_window: OpenWindow) -> WindowDriver:
    return played_badly(open_window)


def test_attempts_are_assessed_without_moves_on_the_board(driver: WindowDriver) -> None:
    mode, game = train(driver), driver.session.game
    attempt = mode._attempt
    assert attempt is not None
    exercise = attempt.exercise
    values = values_of(exercise.report)
    before = driver.board.position
    wrong = [move for move in values if values[move] <= values[exercise.played] and move != exercise.played]
    right = next(move for move in values if is_right(exercise.report, move))
    click_move(driver, exercise.played)  # the move of the game is no attempt
    assert mode._attempt == attempt
    for move in wrong[:1]:
        click_move(driver, move)
    assert mode._attempt is not None
    assert not mode._attempt.is_over
    assert driver.board.position == before
    driver.type(RULES.move_text(RULES.start(), right))
    assert mode._attempt.is_solved
    attempts = driver.panels(AttemptRow)
    assert attempts[-1].verdict is Verdict.RIGHT
    assert [badge.sign for badge in badges(driver)] == ["check"]
    assert driver.board.position == before
    assert driver.session.game is game
    driver.keys("Right")
    assert driver.board.position == game_at(mode._attempt, 1).position
    driver.keys("Enter")
    assert mode._drill.index == 1


def test_the_line_of_an_answer_begins_with_the_answer() -> None:
    game = Game.new(RULES)
    best, other, *_ = game.legal_moves()
    for pv, line in (((best, other), (best, other)), ((other, best), (best,))):
        exercise = Exercise(game, other, replace(report(game), pv=pv))
        assert best_line(ExerciseAttempt(exercise)) == line


def test_training_uses_mistakes_that_were_found_outside_review(driver: WindowDriver) -> None:
    driver.keys("Ctrl+2", "Ctrl+G")
    analysis = driver.game_analysis
    driver.until(lambda: not analysis.is_running)
    assert not driver.scene.person.deck.value
    driver.keys("Ctrl+5")
    assert mode_of(driver, TrainMode)._attempt is not None


def test_shown_exercises_return_tomorrow_and_solved_ones_later(driver: WindowDriver) -> None:
    mode = train(driver)
    deck, today = mode.person.deck, mode.person.deck.today()
    count = len(mode._drill.trials)
    assert count > 1
    assert {exercise.memory.due for exercise in deck.due()} == {today}
    driver.press("hint")
    assert [badge.sign for badge in badges(driver)] == ["i"]
    driver.keys("Ctrl+K", "Page Down")
    click_right(driver, mode)
    assert mode._drill.known == 1
    assert len(deck.due()) == count - 2
    for _ in range(count):
        driver.keys("Page Down", "Ctrl+K")
    assert mode._attempt is None
    assert not deck.due()
    assert deck.next_due == today + timedelta(days=1)
    assert max(each.memory.due for each in deck.value.values()) > deck.next_due
    assert tr("training.again", n=mode._drill.tomorrow) in " ".join(driver.words())


def test_missed_and_more_exercises_follow_the_last(driver: WindowDriver) -> None:
    mode = train(driver)
    all_of_them = [attempt.exercise for attempt in mode._drill.trials]
    others = [random_game_of(RULES, seed).at(20) for seed in (1, 2)]
    mode.person.deck.add([Exercise(game, game.legal_moves()[-1], report(game, final=True)) for game in others])
    click_right(driver, mode)
    driver.keys("Enter")
    driver.press("show_answer")
    for _ in all_of_them[1:]:  # an exercise without an answer is missed, too
        driver.press("exercise_next")
    missed = all_of_them[1:]
    assert mode._attempt is None
    assert tr("training.practise_missed", n=len(missed)) in driver.words()
    driver.press("practise_more")
    assert {attempt.exercise.game for attempt in mode._drill.trials} == {*others}
    for _ in others:
        driver.keys("Page Down")
    driver.keys("Enter")
    assert {attempt.exercise.game for attempt in mode._drill.trials} == {*others}
    click_right(driver, mode)
    driver.press("exercise_next")
    click_right(driver, mode)
    driver.press("exercise_next")
    assert not driver.has("practise_missed"), "nothing was missed"


def test_the_answer_is_hidden_until_the_exercise_is_over(driver: WindowDriver) -> None:
    headings = {tr(f"training.{name}") for name in ("find", "is_shown", "is_solved")}
    mode = train(driver)
    assert headings & {*driver.words()} == {tr("training.find")}
    driver.keys("v")
    assert driver.board.report is None
    assert badges(driver) == []
    assert not driver.has("all_values")
    driver.press("show_answer")
    assert headings & {*driver.words()} == {tr("training.is_shown")}
    driver.keys("v")
    assert driver.board.report is not None
    driver.press("retry")
    assert driver.board.report is None
    driver.press("exercise_next")
    click_right(driver, mode)
    assert headings & {*driver.words()} == {tr("training.is_solved")}


def test_a_game_continues_from_an_exercise_and_undo_restores_the_game_before(driver: WindowDriver) -> None:
    mode, session = train(driver), driver.session
    assert mode._attempt is not None
    exercise = mode._attempt.exercise.game
    session.do(cmd.SwapSides(), 0.0)
    game = session.game
    assert not session.players[exercise.to_move].is_user
    driver.press("show_answer", "play_on")
    assert driver.scene.mode.name == "play"
    assert session.game.moves == exercise.moves
    assert session.awaits_user
    assert session.players[exercise.to_move].is_user
    assert not session.players[exercise.to_move.opponent].is_user
    while session.allows(cmd.Undo) and session.game is not game:
        session.do(cmd.Undo(), 0.0)  # by the key, the computer might move at once
    assert session.game.moves == game.moves


def test_exercises_of_all_games_have_their_own_boards_and_rules(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, configure("engine"))
    deck = driver.scene.person.deck
    specs = [game_spec(options={"goal": "fewest"}), game_spec("ultimate_tictactoe"), SPEC]
    for spec in specs:
        game = random_game_of(rules_of(spec), 1).at(4)
        deck.add([Exercise(game, game.legal_moves()[-1], report(game, final=True))])
    driver.keys("Ctrl+5")
    mode, shown = mode_of(driver, TrainMode), []
    while mode._attempt is not None:
        driver.settle()
        game = mode._attempt.exercise.game
        shown.append(game.rules.spec)
        assert driver.scene.renderer.rules.spec == game.rules.spec
        assert driver.board.position == game.position
        assert bool(driver.scene.toolbar().occasion) == (game.rules.spec == specs[0]), "variants are named"
        move = mode._attempt.exercise.report.best_value
        assert move is not None
        click_move(driver, move.move)
        assert mode._attempt.is_solved
        driver.keys("Page Down")
    assert shown[0] == SPEC, "the game in progress comes first"
    assert set(shown) == set(specs)
    driver.settle()
    assert driver.scene.renderer.rules.spec == SPEC
    driver.keys("Page Up", "F5")
    driver.settle()
    assert driver.session.game.rules.spec == shown[-1]
    assert driver.session.worker.failure is None


def test_no_key_changes_the_game_during_training(driver: WindowDriver) -> None:
    train(driver)
    session = driver.session
    before = session.game, session.players, session.pace.paused
    for _ in range(6):
        driver.keys("F2", "F3", "F4", "Space", "Backspace", "Page Down")
    assert (session.game, session.players, session.pace.paused) == before


def test_the_line_of_the_answer_lies_above_its_buttons(driver: WindowDriver) -> None:
    mode = train(driver)
    assert mode._attempt is not None
    report = mode._attempt.exercise.report
    wrong = [move for move in values_of(report) if not is_right(report, move)]
    attempt = replace(mode._attempt, tries=tuple(wrong[:3]), is_shown=True)
    mode._drill.change(attempt)
    for text, size in product((100, 200), (*SIZES, (1280, 774))):
        driver.use_text(text)
        driver.resize(size)
        page = driver.placed("column").parts[0].rect
        line = [each.rect for each in driver.scene.widgets.walk() if each.widget.name.startswith("line_")]
        buttons = [driver.placed(name).rect for name in ("play_on", "analyse_exercise")]
        assert line
        assert all(page.contains(rect) for rect in (*line, *buttons))
        assert max(rect.bottom for rect in line) < min(rect.top for rect in buttons)
        assert_apart(driver)


def test_no_controls_overlap(driver: WindowDriver) -> None:
    train(driver)
    for is_shown, language in product((False, True), ("en", "pl")):
        if is_shown:
            driver.keys("Ctrl+K")
        driver.prefer(language=language)
        for size in SIZES:
            driver.resize(size)
            assert_apart(driver)


def test_mistakes_are_stored_and_damaged_exercises_are_reported(open_window: OpenWindow, tmp_path: Path) -> None:
    driver = open_window(PERSON, PERSON)
    store_writer = StoreWriter(tmp_path / "games.sqlite")
    driver.scene = GameScreen(driver.session, (1280, 800), time.monotonic(), storage=Storage(deck=Deck(store_writer)))
    assert not (tmp_path / "games.sqlite").exists(), "the file is not read before it is needed"
    store_writer.store.update_value("training.json", lambda _: b"{broken")
    driver.keys("Ctrl+5")
    assert "training.damaged.json" in driver.status
    driver.keys("Ctrl+1")
    play_badly(driver, 8)
    train(driver)
    settle(store_writer)
    assert json.loads(store_writer.store.get_value("training.json") or b"")["exercises"]
    store_writer.close()
