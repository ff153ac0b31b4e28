"""Training the mistakes of a game, as a person does it."""

import json
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from itertools import product
from pathlib import Path

import pygame
import pytest

from othello import texts
from othello.gui.modes import REGISTRY
from othello.gui.play.host import Storage
from othello.gui.play.over import Badge
from othello.gui.play.table import Table
from othello.gui.review.review import ReviewMode
from othello.gui.train.panels import Attempt
from othello.gui.train.train import TrainMode
from othello.gui.train.words import Verdict, game_at
from othello.play import commands as play
from othello.play.judging import is_right, values_of
from othello.play.keeper import Keeper
from othello.play.training import Deck, Exercise
from othello.players.registry import configure
from othello.rules.registry import game_spec, rules_of
from tests.gui.desk import Desk
from tests.gui.mistakes import SIZES, assert_apart, click_move, play_badly, played_badly, train
from tests.play.faulty import PERSON, computer, report
from tests.play.test_library import settle
from tests.positions import RULES, SPEC, random_game_of


def click_right(desk: Desk, mode: TrainMode) -> None:
    """Find the answer of the exercise."""
    trial = mode._trial
    assert trial is not None
    click_move(desk, next(move for move in values_of(trial.exercise.report) if is_right(trial.exercise.report, move)))
    desk.turn()


def badges(desk: Desk) -> list[Badge]:
    """The sign of the answer, where one is told."""
    desk.turn()
    return [each.panel for each in desk.scene.stage.panels() if isinstance(each.panel, Badge)]


@pytest.fixture
def desk(sit_down: Callable[..., Desk]) -> Desk:
    return played_badly(sit_down)


def test_tries_turn_nothing_and_are_judged(desk: Desk) -> None:
    mode, game = train(desk), desk.session.game
    trial = mode._trial
    assert trial is not None
    exercise = trial.exercise
    values = values_of(exercise.report)
    before = desk.board.position
    wrong = [move for move in values if values[move] <= values[exercise.played] and move != exercise.played]
    right = next(move for move in values if is_right(exercise.report, move))
    click_move(desk, exercise.played)  # what was played in the game is no try
    assert mode._trial == trial
    for move in wrong[:1]:
        click_move(desk, move)
    assert mode._trial is not None
    assert not mode._trial.is_over
    assert desk.board.position == before
    desk.type(RULES.move_text(RULES.start(), right))
    assert mode._trial.is_solved
    attempts = [each.panel for each in desk.scene.stage.panels() if isinstance(each.panel, Attempt)]
    assert attempts[-1].verdict is Verdict.RIGHT
    assert [badge.sign for badge in badges(desk)] == ["check"]
    assert desk.board.position == before
    assert desk.session.game is game
    desk.key(pygame.K_RIGHT)  # the answer, played out
    assert desk.board.position == game_at(mode._trial, 1).position
    desk.key(pygame.K_RETURN)
    assert mode._drill.index == 1


def test_what_was_shown_comes_again_tomorrow_and_what_was_found_at_once_later(desk: Desk) -> None:
    mode = train(desk)
    deck, today = mode.person.deck, mode.person.deck.today
    count = len(mode._drill.trials)
    assert count > 1
    assert {exercise.memory.due for exercise in deck.due()} == {today}
    desk.press("hint")
    assert [badge.sign for badge in badges(desk)] == ["i"]
    desk.key(pygame.K_k, "k", pygame.KMOD_CTRL)
    desk.key(pygame.K_PAGEDOWN)
    click_right(desk, mode)
    assert mode._drill.known == 1
    assert len(deck.due()) == count - 2
    for _ in range(count):
        desk.key(pygame.K_PAGEDOWN)
        desk.key(pygame.K_k, "k", pygame.KMOD_CTRL)
    assert mode._trial is None
    assert not deck.due()
    assert deck.next_due == today + timedelta(days=1)
    assert max(each.memory.due for each in deck.value.values()) > deck.next_due
    assert texts.say("training.again", n=mode._drill.tomorrow) in " ".join(desk.words())


def test_the_heading_says_when_an_exercise_is_over(desk: Desk) -> None:
    mode = train(desk)
    assert texts.say("training.find") in desk.words()
    desk.press("show_answer")
    assert {texts.say("training.find"), texts.say("training.is_shown")} & {*desk.words()} == {
        texts.say("training.is_shown")
    }
    desk.press("exercise_next")
    click_right(desk, mode)
    assert texts.say("training.is_solved") in desk.words()
    assert texts.say("training.find") not in desk.words()


def test_after_the_last_exercise_the_missed_ones_and_more_can_be_practised(desk: Desk) -> None:
    mode = train(desk)
    all_of_them = [trial.exercise for trial in mode._drill.trials]
    others = [random_game_of(RULES, seed).at(20) for seed in (1, 2)]
    mode.person.deck.add([Exercise(game, game.legal_moves()[-1], report(game, final=True)) for game in others])
    click_right(desk, mode)
    desk.key(pygame.K_RETURN)
    desk.press("show_answer")
    for _ in all_of_them[1:]:  # whoever goes on without an answer has missed, too
        desk.press("exercise_next")
    missed = all_of_them[1:]
    assert mode._trial is None
    assert texts.say("training.practise_missed", n=len(missed)) in desk.words()
    desk.press("practise_more")
    assert {trial.exercise.game for trial in mode._drill.trials} == {*others}
    for _ in others:
        desk.key(pygame.K_PAGEDOWN)
    desk.key(pygame.K_RETURN)
    assert {trial.exercise.game for trial in mode._drill.trials} == {*others}
    click_right(desk, mode)
    desk.press("exercise_next")
    click_right(desk, mode)
    desk.press("exercise_next")
    assert not desk.has("practise_missed"), "nothing was missed"


def test_the_answer_stays_hidden_until_it_is_asked_for(desk: Desk) -> None:
    train(desk)
    desk.key(pygame.K_v, "v")
    assert desk.board.report is None
    assert badges(desk) == []
    assert not desk.has("all_values")
    desk.press("show_answer")
    desk.key(pygame.K_v, "v")
    assert desk.board.report is not None
    desk.press("retry")
    assert desk.board.report is None


def test_an_exercise_can_be_played_on_and_undo_brings_the_game_back(desk: Desk) -> None:
    mode, game = train(desk), desk.session.game
    trial = mode._trial
    assert trial is not None
    desk.press("show_answer")
    desk.key(pygame.K_F5)
    assert desk.scene.mode.name == "play"
    assert desk.session.game.moves == trial.exercise.game.moves
    assert desk.session.awaits_person
    while desk.session.allows(play.Undo) and desk.session.game is not game:
        desk.key(pygame.K_z, "z", pygame.KMOD_CTRL)
    assert desk.session.game.moves == game.moves


def test_exercises_of_all_games_are_due_each_with_its_own_board_and_rules(sit_down: Callable[..., Desk]) -> None:
    desk = sit_down(PERSON, configure("engine"))
    deck = desk.scene.person.deck
    specs = [game_spec(options={"goal": "fewest"}), game_spec("ultimate_tictactoe"), SPEC]
    for spec in specs:
        game = random_game_of(rules_of(spec), 1).at(4)
        deck.add([Exercise(game, game.legal_moves()[-1], report(game, final=True))])
    desk.key(pygame.K_5, "5", pygame.KMOD_CTRL)
    mode = desk.scene.mode
    assert isinstance(mode, TrainMode)
    shown = []
    while mode._trial is not None:
        desk.settle()
        game = mode._trial.exercise.game
        shown.append(game.rules.spec)
        assert desk.scene.face.rules.spec == game.rules.spec
        assert desk.board.position == game.position
        assert bool(desk.scene.toolbar().occasion) == (game.rules.spec == specs[0]), "the rules are told"
        move = mode._trial.exercise.report.best_value
        assert move is not None
        click_move(desk, move.move)
        assert mode._trial.is_solved
        desk.key(pygame.K_PAGEDOWN)
    assert shown[0] == SPEC, "the game on the table comes first"
    assert set(shown) == set(specs)
    desk.settle()
    assert desk.scene.face.rules.spec == SPEC
    desk.key(pygame.K_PAGEUP)
    desk.turn()
    desk.key(pygame.K_F5)
    desk.settle()
    assert desk.session.game.rules.spec == shown[-1]
    assert desk.session.worker.failure is None


def test_a_trainer_with_nothing_to_train_says_what_to_do(sit_down: Callable[..., Desk]) -> None:
    desk = sit_down(PERSON, computer("first"))
    desk.key(pygame.K_5, "5", pygame.KMOD_CTRL)
    mode = desk.scene.mode
    assert isinstance(mode, TrainMode)
    assert {texts.say("training.empty"), texts.say("training.how_to_begin")} <= {*desk.words()}
    desk.press("look_back")
    assert isinstance(desk.scene.mode, ReviewMode)


def test_what_is_not_seen_while_training_does_not_change(desk: Desk) -> None:
    train(desk)
    session = desk.session
    before = session.game, session.seats, session.pace.paused
    for _ in range(6):
        for key in (pygame.K_F2, pygame.K_F3, pygame.K_F4, pygame.K_SPACE, pygame.K_BACKSPACE, pygame.K_PAGEDOWN):
            desk.key(key, " " if key == pygame.K_SPACE else "")
    assert (session.game, session.seats, session.pace.paused) == before


def test_the_answers_line_lies_above_its_buttons_after_any_number_of_tries(desk: Desk) -> None:
    mode = train(desk)
    assert mode._trial is not None
    report = mode._trial.exercise.report
    wrong = [move for move in values_of(report) if not is_right(report, move)]
    trial = replace(mode._trial, tries=tuple(wrong[:3]), is_shown=True)
    mode._drill.change(trial)
    for text, size in product((100, 200), (*SIZES, (1280, 774))):
        desk.use_text(text)
        desk.resize(size)
        page = desk.placed("column").parts[0].rect
        line = [each.rect for each in desk.scene.stage.panels() if each.panel.name.startswith("line_")]
        buttons = [desk.placed(name).rect for name in ("play_on", "analyse_exercise")]
        assert line
        assert all(page.contains(rect) for rect in (*line, *buttons))
        assert max(rect.bottom for rect in line) < min(rect.top for rect in buttons)
        assert_apart(desk)


@pytest.mark.parametrize("language", ["en", "pl"])
def test_every_button_of_the_trainer_has_its_place(desk: Desk, language: str) -> None:
    train(desk)
    try:
        texts.use(language)
        for command in (None, "show_answer"):
            if command:
                desk.press(command)
            for size in SIZES:
                desk.resize(size)
                assert_apart(desk)
    finally:
        texts.use("en")


def test_the_first_mistakes_of_a_person_are_kept_and_a_damaged_file_is_told(
    sit_down: Callable[..., Desk], tmp_path: Path
) -> None:
    desk = sit_down(PERSON, PERSON)
    keeper = Keeper(tmp_path / "games.sqlite")
    desk.scene = Table(desk.session, (1280, 800), time.monotonic(), REGISTRY, storage=Storage(deck=Deck(keeper)))
    assert not (tmp_path / "games.sqlite").exists(), "read when it is needed, and no sooner"
    keeper.store.keep("training.json", lambda _: b"{broken")
    desk.key(pygame.K_5, "5", pygame.KMOD_CTRL)
    assert "training.damaged.json" in desk.status
    desk.key(pygame.K_1, "1", pygame.KMOD_CTRL)
    play_badly(desk, 8)
    train(desk)
    settle(keeper)
    assert json.loads(keeper.store.kept("training.json") or b"")["exercises"]
    keeper.close()


def test_a_position_that_is_played_on_is_the_persons_to_move_whatever_colour_they_had(desk: Desk) -> None:
    mode = train(desk)
    desk.session.do(play.SwapSides(), 0.0)
    assert mode._trial is not None
    mover = mode._trial.exercise.game.to_move
    assert not desk.session.seats[mover].is_user
    desk.press("show_answer")
    desk.turn()
    desk.press("play_on")
    assert desk.session.game.to_move is mover
    assert desk.session.seats[mover].is_user
    assert not desk.session.seats[mover.opponent].is_user
