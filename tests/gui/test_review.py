"""Looking back on a game, and training its mistakes, as a person does it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from itertools import combinations, product
from pathlib import Path

import pygame
import pytest
from pygame import Rect

from othello.engine.endgame import solve
from othello.game import Game
from othello.gui import texts
from othello.gui.actions import Where
from othello.gui.layout import arrange
from othello.gui.scenes.coach import answer as answer_of
from othello.gui.scenes.coach import game_at
from othello.gui.scenes.file_dialogs import OpenDialog
from othello.gui.scenes.play import PlayScene
from othello.gui.scenes.review import ReviewMode
from othello.gui.scenes.train import TrainMode
from othello.gui.views import answer, panels
from othello.gui.views.train import Verdict
from othello.play import commands as play
from othello.play.career import careers
from othello.play.deck import Deck
from othello.play.judging import Limits, Mistake, is_right, judged, summary, values_of, worst
from othello.play.library import Library
from othello.play.training import Exercise
from othello.players.registry import configure, create_player
from othello.rules.protocol import Color
from othello.rules.registry import game_spec, rules_of
from othello.search.stop import StopFlag
from tests.gui.desk import FACE, Desk
from tests.play.faulty import PERSON, computer, make_player, report
from tests.positions import RULES, SPEC, random_game_of

SIZES = ((900, 600), (1280, 800), (2560, 1600), (900, 1500))


def play_badly(desk: Desk, plies: int) -> None:
    """Always take as few discs as possible, which the judge holds to be wrong."""
    session = desk.session
    while session.game.ply < plies and not session.is_over:
        desk.until(lambda: session.awaits_person or session.announces_pass or session.is_over)
        game = session.game
        if session.announces_pass or session.is_over:
            session.do(play.Acknowledge(), 0.0)
            continue
        move = min(game.legal_moves(), key=lambda move: len(game.rules.captured(game.position, move)))
        session.do(play.PlayMove(move), 0.0)
        desk.turn()
    desk.until(lambda: session.awaits_person or session.is_over)


def review(desk: Desk) -> ReviewMode:
    """Have the game judged, and look at what was found."""
    desk.key(pygame.K_3, "3", pygame.KMOD_CTRL)
    desk.key(pygame.K_g, "g", pygame.KMOD_CTRL)
    desk.until(lambda: mode_of(desk, ReviewMode)._missing == 0)
    desk.settle()
    return mode_of(desk, ReviewMode)


def mode_of(desk: Desk, kind: type) -> ReviewMode:
    mode = desk.scene.mode
    assert isinstance(mode, kind)
    return mode  # type: ignore[return-value]


def train(desk: Desk) -> TrainMode:
    review(desk)
    desk.key(pygame.K_RETURN)
    mode = desk.scene.mode
    assert isinstance(mode, TrainMode)
    return mode


def press(desk: Desk, button: str) -> None:
    assert desk.scene.mode is not None
    desk.click(desk.scene.mode.buttons(desk.scene.layout)[button].center)


def click_move(desk: Desk, move: int) -> None:
    desk.click(desk.scene.layout.place.square_rect(move).center)


@pytest.fixture
def desk(sit_down: Callable[..., Desk]) -> Desk:
    """A game of a person who plays badly, some moves old."""
    desk = sit_down(PERSON, computer("first"))
    play_badly(desk, 14)
    return desk


# Review.


def test_a_game_is_judged_and_summed_up(desk: Desk) -> None:
    mode, history = review(desk), desk.session.history
    found, state = judged(history.tree, history.tree.line), mode._state
    assert state is not None
    for side in state.sides:
        told = summary(found, side.color, Limits())
        assert told is not None
        assert side.loss == f"{told.mean_loss:.1f}"
        assert side.accuracy == told.accuracy
        assert [kind.count for kind in side.kinds] == [told.mistakes[mistake] for mistake in reversed(Mistake)]
    own = worst((each for each in found if each and each.color is Color.BLACK), Limits(), 3)
    assert [each.was[1] for each in state.worst] == [each.move for each in own]
    desk.key(pygame.K_b, "b", pygame.KMOD_ALT)
    assert [each.was[1] for each in mode._state.worst] == [each.move for each in worst(found, Limits(), 3)]  # type: ignore[union-attr]
    press(desk, "worst_own")
    assert [each.was[1] for each in mode._state.worst] == [each.move for each in own]  # type: ignore[union-attr]


def test_moves_that_were_handed_over_are_not_ones_own(desk: Desk) -> None:
    mode, history = review(desk), desk.session.history
    first = mode._worst[0].ply
    found = judged(history.tree, history.tree.line)
    mode._look_back([each and replace(each, is_persons=each.ply == first) for each in found], mode._state.curve, None)  # type: ignore[union-attr]
    assert [each.ply for each in mode._worst] == [first]


def test_a_worst_move_can_be_visited_by_click_and_by_key(desk: Desk) -> None:
    mode = review(desk)
    ply = mode._worst[0].ply
    desk.key(pygame.K_1, "1")
    assert (desk.scene.mode and desk.scene.mode.name, desk.session.shown_ply) == ("analyse", ply)
    desk.key(pygame.K_3, "3", pygame.KMOD_CTRL)
    press(desk, "worst_2")
    assert (desk.scene.mode and desk.scene.mode.name, desk.session.shown_ply) == ("analyse", mode._worst[1].ply)
    desk.key(pygame.K_3, "3", pygame.KMOD_CTRL)
    desk.key(pygame.K_HOME)
    assert desk.session.shown_ply == 0
    desk.key(pygame.K_RIGHT)
    assert desk.session.shown_ply == 1
    desk.key(pygame.K_ESCAPE)
    assert desk.scene.mode is None


def test_a_point_on_the_curve_can_be_visited(desk: Desk) -> None:
    mode = review(desk)
    curve = mode._places(desk.scene.layout).curve
    assert curve is not None
    desk.click((curve.left + 200, curve.centery))
    last = desk.session.shown_ply
    desk.click((curve.left + 120, curve.centery))
    assert 0 < desk.session.shown_ply < last


def test_the_result_leads_to_the_review(sit_down: Callable[..., Desk]) -> None:
    desk = sit_down(PERSON, PERSON, spec=game_spec("tictactoe"))
    for move in (0, 3, 1, 4, 2):
        desk.session.do(play.PlayMove(move), 0.0)
        desk.turn()
    desk.settle()
    desk.click(panels.result_buttons(desk.scene.layout)["look_back"].center)
    mode = mode_of(desk, ReviewMode)
    desk.until(lambda: mode._missing == 0)  # a game that is over is judged unasked
    desk.settle()
    assert mode._state is not None
    assert mode._state.sides[0].loss.endswith("%")
    desk.key(pygame.K_r, "r", pygame.KMOD_CTRL)
    assert (desk.scene.mode, desk.session.game.ply) == (None, 0)


def test_without_a_game_the_review_says_what_to_do(sit_down: Callable[..., Desk]) -> None:
    desk = sit_down(PERSON, computer("first"))
    desk.key(pygame.K_3, "3", pygame.KMOD_CTRL)
    mode = mode_of(desk, ReviewMode)
    assert mode._state is not None
    assert mode._state.empty == texts.say("review.no_game")
    desk.key(pygame.K_RETURN)
    assert desk.scene.mode is mode


def test_a_game_of_others_gives_nothing_to_try_again_and_says_why(desk: Desk) -> None:
    line = desk.session.history.tree.line
    desk.session.do(play.OpenGame(line), time.monotonic())
    mode = review(desk)
    assert mode._state is not None
    assert not mode.button_states()["try_again"].enabled
    assert mode._state.training == texts.say("review.not_yours")


@pytest.mark.parametrize("language", ["en", "pl"])
@pytest.mark.parametrize("text", [0.8, 1.0, 1.6, 2.0])
def test_every_button_has_its_place(desk: Desk, language: str, text: float) -> None:
    mode = review(desk)
    try:
        texts.use(language)
        for size in SIZES:
            layout = arrange(size, desk.scene.face, Where.GAME, text, has_switches=mode.has_switches)
            buttons = {**layout.fixed, **mode.buttons(layout)}
            _assert_apart(buttons, layout.window)
            at = mode._places(layout)
            _assert_apart({"heading": at.heading, "left": at.sides[0], "right": at.sides[1], "worst": at.worst}, None)
    finally:
        texts.use("en")


def _assert_apart(places: dict[str, Rect], window: Rect | None) -> None:
    for (one, first), (other, second) in combinations(places.items(), 2):
        assert not first.colliderect(second), (one, other)
    for name, rect in places.items():
        assert window is None or window.contains(rect), name


@pytest.mark.slow
def test_the_engine_judges_the_end_of_a_game_exactly(sit_down: Callable[..., Desk]) -> None:
    desk = sit_down(
        PERSON, computer("first"), start=Game.new(RULES, random_game_of(RULES, 2).positions[46]), judges=create_player
    )
    play_badly(desk, 8)
    desk.key(pygame.K_3, "3", pygame.KMOD_CTRL)
    desk.key(pygame.K_g, "g", pygame.KMOD_CTRL)
    end = time.monotonic() + 300  # the engine is compiled first
    while mode_of(desk, ReviewMode)._missing and time.monotonic() < end:
        desk.turn()
    history = desk.session.history
    found = [each for each in judged(history.tree, history.tree.line) if each is not None]
    assert found
    for each in found:
        assert each.is_exact
        solved = solve(history.tree.line.positions[each.ply], StopFlag())
        assert solved is not None
        assert each.best_value == solved.score


def test_a_finished_game_is_listed_with_ones_accuracy_and_counts_against_its_level(
    sit_down: Callable[..., Desk], tmp_path: Path
) -> None:
    level = configure("engine", level=3, name="Casual")
    opponent = make_player(computer("first"), SPEC)
    desk = sit_down(PERSON, level, players=lambda *_: opponent)
    desk.scene.files.library = library = Library(tmp_path / "games")
    assert desk.session.game_analysis is not None
    desk.session.game_analysis.judges_ended = True
    play_badly(desk, 100)
    analysis = desk.session.game_analysis
    desk.until(lambda: not analysis.is_running)
    library.flush(desk.session, 0.0)
    library.close()
    (listed,) = library.games()
    history = desk.session.history
    told = summary(judged(history.tree, history.tree.line), Color.BLACK, Limits())
    assert told is not None
    assert listed.persons_accuracy == pytest.approx(told.accuracy, abs=1e-3)
    assert [game.level for game in careers([listed])["othello"].games] == [3]
    desk.key(pygame.K_o, "o", pygame.KMOD_CTRL)
    dialog = desk.scene.dialog
    assert isinstance(dialog, OpenDialog)
    tabs = dialog.place_of("tab")
    desk.click((tabs.left + tabs.width * 3 // 8, tabs.centery))
    assert dialog.place_of("plot:othello")
    assert dialog.place_of("score:othello:3")


# Training.


def test_tries_turn_nothing_and_are_judged(desk: Desk) -> None:
    mode, game = train(desk), desk.session.game
    trial = mode._trial
    assert trial is not None
    exercise = trial.exercise
    values = values_of(exercise.report)
    before = mode.board(desk.scene.picture.board).position
    wrong = [move for move in values if values[move] <= values[exercise.played] and move != exercise.played]
    right = next(move for move in values if is_right(exercise.report, move))
    click_move(desk, exercise.played)  # what was played in the game is no try
    assert mode._trial == trial
    for move in wrong[:1]:
        click_move(desk, move)
    assert mode._trial is not None
    assert not mode._trial.is_over
    assert mode.board(desk.scene.picture.board).position == before
    desk.type(RULES.move_text(right))
    assert mode._trial.is_solved
    assert mode._state is not None
    assert mode._state.tries[-1].verdict is Verdict.RIGHT
    assert mode._state.answer is not None
    assert mode._state.answer.is_found
    assert mode.board(desk.scene.picture.board).position == before
    assert desk.session.game is game
    desk.key(pygame.K_RIGHT)  # the answer, played out
    assert mode.board(desk.scene.picture.board).position == game_at(mode._trial, 1).position
    desk.key(pygame.K_RETURN)
    assert mode._drill.index == 1


def test_what_was_shown_comes_again_tomorrow_and_what_was_found_at_once_does_too(desk: Desk) -> None:
    mode = train(desk)
    deck, today = mode.person.deck, mode.person.deck.today
    count = len(mode._drill.trials)
    assert count > 1
    assert {exercise.due for exercise in deck.due()} == {today}
    press(desk, "hint")
    assert mode._state is not None
    assert mode._state.answer is not None
    assert not mode._state.answer.is_found
    desk.key(pygame.K_k, "k", pygame.KMOD_CTRL)
    desk.key(pygame.K_PAGEDOWN)
    trial = mode._trial
    assert trial is not None
    click_move(desk, next(move for move in values_of(trial.exercise.report) if is_right(trial.exercise.report, move)))
    assert mode._drill.known == 1
    assert len(deck.due()) == count - 2
    for _ in range(count):
        desk.key(pygame.K_PAGEDOWN)
        desk.key(pygame.K_k, "k", pygame.KMOD_CTRL)
    assert mode._trial is None
    assert not deck.due()
    assert deck.next_due == today + timedelta(days=1)


def test_the_answer_stays_hidden_until_it_is_asked_for(desk: Desk) -> None:
    mode = train(desk)
    desk.key(pygame.K_v, "v")
    assert mode.board(desk.scene.picture.board).report is None
    assert mode._state is not None
    assert mode._state.answer is None
    assert "all_values" not in mode.buttons(desk.scene.layout)
    press(desk, "show_answer")
    desk.key(pygame.K_v, "v")
    assert mode.board(desk.scene.picture.board).report is not None
    press(desk, "retry")
    assert mode.board(desk.scene.picture.board).report is None


def test_an_exercise_can_be_played_on_and_undo_brings_the_game_back(desk: Desk) -> None:
    mode, game = train(desk), desk.session.game
    trial = mode._trial
    assert trial is not None
    press(desk, "show_answer")
    desk.key(pygame.K_F5)
    assert desk.scene.mode is None
    assert desk.session.game.moves == trial.exercise.game.moves
    assert desk.session.awaits_person
    while desk.session.can_undo and desk.session.game is not game:
        desk.key(pygame.K_z, "z", pygame.KMOD_CTRL)
    assert desk.session.game.moves == game.moves


def test_exercises_of_all_games_are_due_each_with_its_own_board_and_rules(sit_down: Callable[..., Desk]) -> None:
    desk = sit_down(PERSON, configure("engine"))
    deck = desk.scene._person.deck
    specs = [game_spec(options={"goal": "fewest"}), game_spec("ultimate_tictactoe"), SPEC]
    for spec in specs:
        game = random_game_of(rules_of(spec), 1).at(4)
        deck.add([Exercise(game, game.legal_moves()[-1], report(game, final=True))])
    desk.key(pygame.K_4, "4", pygame.KMOD_CTRL)
    mode = desk.scene.mode
    assert isinstance(mode, TrainMode)
    shown = []
    while mode._trial is not None:
        desk.settle()
        game = mode._trial.exercise.game
        shown.append(game.rules.spec)
        assert desk.scene.face.rules.spec == game.rules.spec
        assert desk.scene.picture.board.position == game.position
        assert bool(desk.scene.picture.occasion) == (game.rules.spec == specs[0]), "the rules are told"
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
    assert desk.session.failure is None


def test_a_trainer_with_nothing_to_train_says_what_to_do(sit_down: Callable[..., Desk]) -> None:
    desk = sit_down(PERSON, computer("first"))
    desk.key(pygame.K_4, "4", pygame.KMOD_CTRL)
    mode = desk.scene.mode
    assert isinstance(mode, TrainMode)
    assert mode._state is not None
    assert mode._state.task == (texts.say("training.empty"), texts.say("training.how_to_begin"))
    press(desk, "look_back")
    assert isinstance(desk.scene.mode, ReviewMode)


def test_what_is_not_seen_while_training_does_not_change(desk: Desk) -> None:
    train(desk)
    session = desk.session
    before = session.game, session.seats, session.paused
    for _ in range(6):
        for key in (pygame.K_F2, pygame.K_F3, pygame.K_F4, pygame.K_SPACE, pygame.K_BACKSPACE, pygame.K_PAGEDOWN):
            desk.key(key, " " if key == pygame.K_SPACE else "")
    assert (session.game, session.seats, session.paused) == before


def test_the_answers_line_lies_above_its_buttons_after_any_number_of_tries(desk: Desk) -> None:
    mode = train(desk)
    assert mode._trial is not None
    report = mode._trial.exercise.report
    wrong = [move for move in values_of(report) if not is_right(report, move)]
    trial = replace(mode._trial, tries=tuple(wrong[:3]), is_shown=True)
    mode._drill.change(trial)
    for size, text in product((*SIZES, (1280, 774)), (1.0, 2.0)):
        layout = arrange(size, FACE, Where.GAME, text, 660, has_switches=False)
        panel = mode._places(layout).answer
        line = answer.places(layout.style, panel, answer_of(trial, 0))
        buttons = [mode.buttons(layout)[name] for name in ("play_on", "analyse_exercise")]
        assert line
        assert all(panel.contains(rect) for rect in (*line, *buttons))
        assert not [rect for rect in line if rect.collidelist(buttons) >= 0]
        values = mode.buttons(layout)["all_values"]
        assert not values.colliderect(mode.status_place(layout))
        assert layout.column.contains(values) or values.right <= layout.board.right


@pytest.mark.parametrize("language", ["en", "pl"])
def test_every_button_of_the_trainer_has_its_place(desk: Desk, language: str) -> None:
    mode = train(desk)
    try:
        texts.use(language)
        for command in (None, "show_answer"):
            if command:
                press(desk, command)
            for size in SIZES:
                layout = arrange(size, desk.scene.face, Where.GAME, has_switches=mode.has_switches)
                _assert_apart({**layout.fixed, **mode.buttons(layout)}, layout.window)
    finally:
        texts.use("en")


def test_the_first_mistakes_of_a_person_are_kept_and_a_damaged_file_is_told(
    sit_down: Callable[..., Desk], tmp_path: Path
) -> None:
    path = tmp_path / "training.json"
    path.write_text("{broken")
    desk = sit_down(PERSON, PERSON)
    deck = Deck(path)
    desk.scene = PlayScene(desk.session, (1280, 800), time.monotonic(), deck=deck)
    assert path.exists(), "read when it is needed, and no sooner"
    desk.key(pygame.K_4, "4", pygame.KMOD_CTRL)
    assert "training.damaged.json" in desk.scene.picture.status
    desk.key(pygame.K_1, "1", pygame.KMOD_CTRL)
    play_badly(desk, 8)
    train(desk)
    deck.close()
    assert json.loads(path.read_text())["exercises"]
