"""The mode Train, driven by real events."""

import json
import time
from dataclasses import replace
from datetime import timedelta
from itertools import product
from pathlib import Path

import pygame
import pytest

from othello import texts
from othello.gui.modes.mode_host import Storage
from othello.gui.modes.train.exercise_text import Verdict, game_at
from othello.gui.modes.train.train import TrainMode
from othello.gui.modes.train.train_widgets import AttemptRow
from othello.gui.screens.game_screen import GameScreen
from othello.gui.widgets.overlays import StatusIcon
from othello.play import session_commands as cmd
from othello.play.assessment import is_right, values_of
from othello.players.player_registry import configure
from othello.rules.registry import game_spec, rules_of
from othello.study.store_writer import StoreWriter
from othello.study.training import Deck, Exercise
from tests.gui.mistakes import SIZES, assert_apart, click_move, mode_of, play_badly, played_badly, train
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON, report
from tests.play.test_library import settle
from tests.positions import RULES, SPEC, random_game_of


def click_right(driver: WindowDriver, mode: TrainMode) -> None:
    attempt = mode._attempt
    assert attempt is not None
    click_move(
        driver, next(move for move in values_of(attempt.exercise.report) if is_right(attempt.exercise.report, move))
    )
    driver.turn()


def badges(driver: WindowDriver) -> list[StatusIcon]:
    driver.turn()
    return driver.panels(StatusIcon)


@pytest.fixture
def driver(open_window: OpenWindow) -> WindowDriver:
    return played_badly(open_window)


def test_tries_turn_nothing_and_are_judged(driver: WindowDriver) -> None:
    mode, game = train(driver), driver.session.game
    attempt = mode._attempt
    assert attempt is not None
    exercise = attempt.exercise
    values = values_of(exercise.report)
    before = driver.board.position
    wrong = [move for move in values if values[move] <= values[exercise.played] and move != exercise.played]
    right = next(move for move in values if is_right(exercise.report, move))
    click_move(driver, exercise.played)  # what was played in the game is no try
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
    driver.key(pygame.K_RIGHT)  # the answer, played out
    assert driver.board.position == game_at(mode._attempt, 1).position
    driver.keys("Enter")
    assert mode._drill.index == 1


def test_training_begins_with_mistakes_that_were_found_outside_review(driver: WindowDriver) -> None:
    driver.keys("Ctrl+2", "Ctrl+G")
    analysis = driver.session.game_analysis
    assert analysis is not None
    driver.until(lambda: not analysis.is_running)
    assert not driver.scene.person.deck.value
    driver.keys("Ctrl+5")
    assert mode_of(driver, TrainMode)._attempt is not None


def test_what_was_shown_comes_again_tomorrow_and_what_was_found_at_once_later(driver: WindowDriver) -> None:
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
    assert texts.tr("training.again", n=mode._drill.tomorrow) in " ".join(driver.words())


def test_the_heading_says_when_an_exercise_is_over(driver: WindowDriver) -> None:
    mode = train(driver)
    assert texts.tr("training.find") in driver.words()
    driver.press("show_answer")
    assert {texts.tr("training.find"), texts.tr("training.is_shown")} & {*driver.words()} == {
        texts.tr("training.is_shown")
    }
    driver.press("exercise_next")
    click_right(driver, mode)
    assert texts.tr("training.is_solved") in driver.words()
    assert texts.tr("training.find") not in driver.words()


def test_after_the_last_exercise_the_missed_ones_and_more_can_be_practised(driver: WindowDriver) -> None:
    mode = train(driver)
    all_of_them = [attempt.exercise for attempt in mode._drill.trials]
    others = [random_game_of(RULES, seed).at(20) for seed in (1, 2)]
    mode.person.deck.add([Exercise(game, game.legal_moves()[-1], report(game, final=True)) for game in others])
    click_right(driver, mode)
    driver.keys("Enter")
    driver.press("show_answer")
    for _ in all_of_them[1:]:  # whoever goes on without an answer has missed, too
        driver.press("exercise_next")
    missed = all_of_them[1:]
    assert mode._attempt is None
    assert texts.tr("training.practise_missed", n=len(missed)) in driver.words()
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


def test_the_answer_stays_hidden_until_it_is_asked_for(driver: WindowDriver) -> None:
    train(driver)
    driver.keys("v")
    assert driver.board.report is None
    assert badges(driver) == []
    assert not driver.has("all_values")
    driver.press("show_answer")
    driver.keys("v")
    assert driver.board.report is not None
    driver.press("retry")
    assert driver.board.report is None


def test_an_exercise_can_be_played_on_and_undo_brings_the_game_back(driver: WindowDriver) -> None:
    mode, game = train(driver), driver.session.game
    attempt = mode._attempt
    assert attempt is not None
    driver.press("show_answer")
    driver.keys("F5")
    assert driver.scene.mode.name == "play"
    assert driver.session.game.moves == attempt.exercise.game.moves
    assert driver.session.awaits_user
    while driver.session.allows(cmd.Undo) and driver.session.game is not game:
        driver.keys("Ctrl+Z")
    assert driver.session.game.moves == game.moves


def test_exercises_of_all_games_are_due_each_with_its_own_board_and_rules(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, configure("engine"))
    deck = driver.scene.person.deck
    specs = [game_spec(options={"goal": "fewest"}), game_spec("ultimate_tictactoe"), SPEC]
    for spec in specs:
        game = random_game_of(rules_of(spec), 1).at(4)
        deck.add([Exercise(game, game.legal_moves()[-1], report(game, final=True))])
    driver.keys("Ctrl+5")
    mode = driver.scene.mode
    assert isinstance(mode, TrainMode)
    shown = []
    while mode._attempt is not None:
        driver.settle()
        game = mode._attempt.exercise.game
        shown.append(game.rules.spec)
        assert driver.scene.renderer.rules.spec == game.rules.spec
        assert driver.board.position == game.position
        assert bool(driver.scene.toolbar().occasion) == (game.rules.spec == specs[0]), "the rules are told"
        move = mode._attempt.exercise.report.best_value
        assert move is not None
        click_move(driver, move.move)
        assert mode._attempt.is_solved
        driver.keys("Page Down")
    assert shown[0] == SPEC, "the game on the table comes first"
    assert set(shown) == set(specs)
    driver.settle()
    assert driver.scene.renderer.rules.spec == SPEC
    driver.keys("Page Up", "F5")
    driver.settle()
    assert driver.session.game.rules.spec == shown[-1]
    assert driver.session.worker.failure is None


def test_what_is_not_seen_while_training_does_not_change(driver: WindowDriver) -> None:
    train(driver)
    session = driver.session
    before = session.game, session.players, session.pace.paused
    for _ in range(6):
        for key in (pygame.K_F2, pygame.K_F3, pygame.K_F4, pygame.K_SPACE, pygame.K_BACKSPACE, pygame.K_PAGEDOWN):
            driver.key(key, " " if key == pygame.K_SPACE else "")
    assert (session.game, session.players, session.pace.paused) == before


def test_the_answers_line_lies_above_its_buttons_after_any_number_of_tries(driver: WindowDriver) -> None:
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


@pytest.mark.parametrize("language", ["en", "pl"])
def test_every_button_of_the_trainer_has_its_place(driver: WindowDriver, language: str) -> None:
    train(driver)
    texts.use(language)
    for command in (None, "show_answer"):
        if command:
            driver.press(command)
        for size in SIZES:
            driver.resize(size)
            assert_apart(driver)


def test_the_first_mistakes_of_a_person_are_kept_and_a_damaged_file_is_told(
    open_window: OpenWindow, tmp_path: Path
) -> None:
    driver = open_window(PERSON, PERSON)
    store_writer = StoreWriter(tmp_path / "games.sqlite")
    driver.scene = GameScreen(driver.session, (1280, 800), time.monotonic(), storage=Storage(deck=Deck(store_writer)))
    assert not (tmp_path / "games.sqlite").exists(), "read when it is needed, and no sooner"
    store_writer.store.update_value("training.json", lambda _: b"{broken")
    driver.keys("Ctrl+5")
    assert "training.damaged.json" in driver.status
    driver.keys("Ctrl+1")
    play_badly(driver, 8)
    train(driver)
    settle(store_writer)
    assert json.loads(store_writer.store.get_value("training.json") or b"")["exercises"]
    store_writer.close()


def test_a_position_that_is_played_on_is_the_persons_to_move_whatever_colour_they_had(driver: WindowDriver) -> None:
    mode = train(driver)
    driver.session.do(cmd.SwapSides(), 0.0)
    assert mode._attempt is not None
    mover = mode._attempt.exercise.game.to_move
    assert not driver.session.players[mover].is_user
    driver.press("show_answer", "play_on")
    assert driver.session.game.to_move is mover
    assert driver.session.players[mover].is_user
    assert not driver.session.players[mover.opponent].is_user
