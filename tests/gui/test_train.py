"""The mode Train, driven by real events: exercises from mistakes, and lines of the repertoire."""

import json
import time
from dataclasses import replace
from datetime import timedelta
from functools import partial
from itertools import product
from pathlib import Path
from unittest.mock import Mock

import pytest

from othello.errors import StoreError
from othello.game import Game
from othello.gui import commands as gui
from othello.gui.mode_registry import MODES
from othello.gui.modes.mode_host import Storage
from othello.gui.modes.openings import openings_mode
from othello.gui.modes.openings.openings_mode import OpeningsMode
from othello.gui.modes.train.exercise_text import Verdict, best_line, game_at, hint
from othello.gui.modes.train.train import TrainMode
from othello.gui.modes.train.train_widgets import AttemptRow
from othello.gui.screens.game_screen import GameScreen
from othello.gui.widgets.overlays import StatusIcon
from othello.play import session_commands as cmd
from othello.play.assessment import is_right, values_of
from othello.players.player_registry import configure
from othello.records.transcript import format_transcript, parse_transcript
from othello.rules.protocol import Color, Position
from othello.rules.registry import game_spec, rules_of
from othello.search.report import MoveStats
from othello.store.database import ALL, GameFilter, PlayedMove, Source
from othello.study.explorer import Explorer, ExplorerQuery, ExplorerResult
from othello.study.repertoire import OpeningDrill
from othello.study.store_writer import StoreWriter
from othello.study.training import Deck, Exercise, ExerciseAttempt
from othello.texts import tr
from tests.gui.mistakes import SIZES, assert_apart, click_move, mode_of, play_badly, played_badly, train
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON, report
from tests.play.test_library import settle
from tests.positions import RULES, SPEC, random_game_of


def click_right(driver: WindowDriver, mode: TrainMode) -> None:
    assert mode._attempt is not None
    report = mode._attempt.exercise.report
    click_move(driver, next(move for move in values_of(report) if is_right(report, move)))
    driver.turn()


def badges(driver: WindowDriver) -> list[StatusIcon]:
    driver.turn()
    return driver.panels(StatusIcon)


@pytest.fixture
def played(open_window: OpenWindow) -> WindowDriver:
    return played_badly(open_window)


def test_attempts_are_assessed_without_moves_on_the_board(played: WindowDriver) -> None:
    mode, game = train(played), played.session.game
    attempt, before = mode._attempt, played.board.position
    assert attempt is not None
    exercise, values = attempt.exercise, values_of(attempt.exercise.report)
    right = next(move for move in values if is_right(exercise.report, move))
    click_move(played, exercise.played)  # the move of the game is no attempt
    assert mode._attempt == attempt
    click_move(played, next(move for move in values if move not in (right, exercise.played)))
    assert mode._attempt is not None
    assert not mode._attempt.is_over
    assert played.board.position == before
    played.type(RULES.move_text(RULES.start(), right))
    assert mode._attempt.is_solved
    assert played.panels(AttemptRow)[-1].verdict is Verdict.RIGHT
    assert [badge.sign for badge in badges(played)] == ["check"]
    assert played.board.position == before
    assert played.session.game is game
    played.keys("Right")
    assert played.board.position == game_at(mode._attempt, 1).position
    played.keys("Enter")
    assert mode._drill.index == 1


def test_the_line_of_an_answer_begins_with_it_and_a_hint_counts_the_others() -> None:
    game = Game.new(RULES)
    best, other, *_ = legal = game.legal_moves()
    for pv, line in (((best, other), (best, other)), ((other, best), (best,))):
        exercise = Exercise(game, other, replace(report(game), pv=pv))
        assert best_line(ExerciseAttempt(exercise)) == line
    for good, others in ((1, tr("training.only")), (2, tr("training.others", n=1)), (3, tr("training.others", n=2))):
        stats = tuple(MoveStats(move, 9, 0.9 if index < good else 0.1) for index, move in enumerate(legal))
        hinted = Exercise(game, legal[-1], replace(report(game), moves=stats))
        assert hint(hinted) == (tr("training.hint", column="d"), others)


def test_training_uses_mistakes_that_were_found_outside_review(played: WindowDriver) -> None:
    played.keys("Ctrl+2", "Ctrl+G")
    played.until(lambda: not played.game_analysis.is_running)
    assert not played.scene.person.deck.value
    played.keys("Ctrl+5")
    assert mode_of(played, TrainMode)._attempt is not None


def test_shown_exercises_return_tomorrow_and_solved_ones_later(played: WindowDriver) -> None:
    mode = train(played)
    deck, today = mode.person.deck, mode.person.deck.today()
    count = len(mode._drill.trials)
    assert count > 1
    assert {exercise.memory.due for exercise in deck.due()} == {today}
    played.keys("Ctrl+K", "Page Down")
    click_right(played, mode)
    assert mode._drill.known == 1
    assert len(deck.due()) == count - 2
    for _ in range(count):
        played.keys("Page Down", "Ctrl+K")
    assert mode._attempt is None
    assert not deck.due()
    assert deck.next_due == today + timedelta(days=1)
    assert max(each.memory.due for each in deck.value.values()) > deck.next_due


def test_missed_and_more_exercises_follow_the_last(played: WindowDriver) -> None:
    mode = train(played)
    missed = len(mode._drill.trials) - 1
    others = [random_game_of(RULES, seed).at(20) for seed in (1, 2)]
    mode.person.deck.add([Exercise(game, game.legal_moves()[-1], report(game, final=True)) for game in others])
    click_right(played, mode)
    played.keys("Enter")
    played.press("show_answer")
    for _ in range(missed):  # an exercise without an answer is missed, too
        played.press("exercise_next")
    assert mode._attempt is None
    assert tr("training.practise_missed", n=missed) in played.words()
    played.press("practise_more")
    assert {attempt.exercise.game for attempt in mode._drill.trials} == {*others}
    played.keys("Page Down", "Page Down", "Enter")
    assert {attempt.exercise.game for attempt in mode._drill.trials} == {*others}
    for _ in others:
        click_right(played, mode)
        played.press("exercise_next")
    assert not played.has("practise_missed"), "nothing was missed"


def test_the_answer_is_hidden_until_the_exercise_is_over(played: WindowDriver) -> None:
    train(played)
    played.keys("f", "Esc")
    assert played.scene.mode.name == "train", "the letter is removed first"
    played.keys("v")
    assert played.board.report is None
    assert badges(played) == []
    assert not played.has("all_values")
    played.press("show_answer")
    played.keys("v")
    assert played.board.report is not None
    played.press("retry")
    assert played.board.report is None


def test_a_game_continues_from_an_exercise_and_undo_restores_the_game_before(played: WindowDriver) -> None:
    mode, session = train(played), played.session
    assert mode._attempt is not None
    exercise = mode._attempt.exercise.game
    session.do(cmd.SwapSides(), 0.0)
    game = session.game
    assert not session.players[exercise.to_move].is_user
    played.press("show_answer", "play_on")
    assert (played.scene.mode.name, session.game.moves) == ("play", exercise.moves)
    assert session.awaits_user
    assert [session.players[side].is_user for side in (exercise.to_move, exercise.to_move.opponent)] == [True, False]
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
        click_right(driver, mode)
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


def test_the_line_of_the_answer_lies_above_its_buttons(played: WindowDriver) -> None:
    mode = train(played)
    assert mode._attempt is not None
    report = mode._attempt.exercise.report
    wrong = [move for move in values_of(report) if not is_right(report, move)]
    mode._drill.change(replace(mode._attempt, tries=tuple(wrong[:3]), is_shown=True))
    for text, size in product((100, 200), (*SIZES[:2], (1280, 774))):
        played.use_text(text)
        played.resize(size)
        page = played.placed("column").parts[0].rect
        line = [each.rect for each in played.scene.widgets.walk() if each.widget.name.startswith("line_")]
        buttons = [played.placed(name).rect for name in ("play_on", "analyse_exercise")]
        assert line
        assert all(page.contains(rect) for rect in (*line, *buttons))
        assert max(rect.bottom for rect in line) < min(rect.top for rect in buttons)
        assert_apart(played)


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
    driver.scene.person.deck.notice = driver.scene.person.repertoire.notice = error = StoreError("nothing")
    for key, part in (("Ctrl+5", "training"), ("Ctrl+6", "repertoire")):
        driver.keys(key)
        assert driver.status == tr(f"{part}.save_failure", reason=str(error.reason))


@pytest.fixture
def opening(driver: WindowDriver, monkeypatch: pytest.MonkeyPatch) -> WindowDriver:
    """Open a window for two people after an opening."""
    monkeypatch.setattr(openings_mode, "_REPLY_SECONDS", 0.05)
    monkeypatch.setattr(openings_mode, "_MAX_REPLY_DELAY", 600.0)
    driver.type("f5d6c3d3c4")
    return driver


def drill(driver: WindowDriver) -> OpeningDrill:
    driver.keys("Ctrl+6")
    driver.press("drill")
    rehearsal = mode_of(driver, OpeningsMode)._drill
    assert rehearsal is not None
    return rehearsal


@pytest.mark.parametrize(
    "mode", ["Ctrl+1", *(pytest.param(key, marks=pytest.mark.slow) for key in ("Ctrl+2", "Ctrl+3"))]
)
def test_a_line_is_added_in_any_mode_and_practised_move_by_move(opening: WindowDriver, mode: str) -> None:
    opening.keys(mode, "Ctrl+L")
    assert "Tiger" in opening.words()
    opening.keys("Enter")
    assert "Tiger" in opening.status
    game, rehearsal = opening.session.game, drill(opening)
    for ply, text in enumerate(("f5", "c3", "c4")):
        opening.until(lambda: rehearsal.awaits_user)
        on_board = rehearsal.game
        assert on_board is not None
        assert (opening.board.position, on_board.ply) == (on_board.position, 2 * ply)
        assert opening.scene.mode.named_game is None, "the names of openings would tell the answer"
        right = RULES.parse_move(on_board.position, text)
        if text == "c3":
            assert tr("repertoire.replied", move="d6") in opening.scene.mode.announcement()
            wrong = next(move for move in on_board.legal_moves() if move != right)
            click_move(opening, wrong)
            assert opening.board.position == on_board.position
        elif text == "c4":
            opening.press("show_answer")
            assert tr("repertoire.shown", move="c4") in opening.words()
        opening.type(text)
    assert tr("repertoire.left", n=2) in opening.words(), "missed moves return"
    repertoire = opening.scene.person.repertoire
    assert max(repertoire.memory(card).due for card in repertoire.cards) > repertoire.today() + timedelta(days=1)
    opening.keys("Enter")
    for text in ("f5", "c3", "c4"):
        opening.until(lambda: rehearsal.awaits_user)
        opening.type(text)
    assert tr("repertoire.none_left") in opening.words()
    opening.keys("Page Down")
    assert mode_of(opening, OpeningsMode)._drill is None
    assert tr("training.nothing") in opening.words()
    assert opening.session.game == game
    opening.keys("Esc", "Esc")
    assert opening.scene.mode.name == "play"


def test_lines_are_listed_shown_and_removed_with_a_confirmation(opening: WindowDriver) -> None:
    for moves, color in (("f5d6c3d3c4", Color.BLACK), ("f5f6e6f4", Color.WHITE)):
        opening.do(gui.Learn(parse_transcript(moves, RULES), color))
    opening.keys("Ctrl+6")
    assert MODES[opening.scene.mode.name].part_of == "train"
    opening.press("remove_0")
    opening.keys("Esc")
    assert len(opening.scene.person.repertoire.lines) == 2
    opening.press("remove_0")
    opening.keys("Enter")
    assert [line.color for line in opening.scene.person.repertoire.lines] == [Color.WHITE]
    rehearsal = drill(opening)
    opening.until(lambda: rehearsal.awaits_user)
    assert rehearsal.game is not None
    assert rehearsal.game.ply == 1, "the other side begins"
    assert opening.moves() == ["f5", "d6", "c3", "d3", "c4"], "the game does not change"
    mode = mode_of(opening, OpeningsMode)
    mode.take(gui.StartTrainingRun(), 100.0)
    for now, wake in ((100.0, 100.05), (100.04, 100.05), (100.06, None)):
        mode.update(now)
        assert mode.next_wake(now) == wake, "the reply comes after a moment"


@pytest.mark.parametrize("mode", ["train", "openings", "explore"])
def test_a_mode_follows_the_rules_of_the_game(driver: WindowDriver, mode: str) -> None:
    driver.switch(mode)
    driver.do(cmd.OpenGame(Game.new(rules_of(game_spec("tictactoe")))))
    driver.settle()
    assert driver.scene.renderer.rules.spec == game_spec("tictactoe")
    assert driver.analysis.player is None or driver.analysis.player.kind != "engine", "it analyses only Othello"


def test_replies_are_those_of_the_archive(opening: WindowDriver) -> None:
    for moves in ("f5d6c3", "f5f6e6f4c3"):
        opening.do(gui.Learn(parse_transcript(moves, RULES), Color.BLACK))
    asked = list[ExplorerQuery]()

    class Archive(Explorer):
        def ask(self, question: ExplorerQuery) -> None:
            asked.append(question)

        @property
        def is_busy(self) -> bool:  # until it is asked again
            move, is_busy = parse_transcript("f5f6", RULES).moves[-1], self.answer is None
            self.answer = ExplorerResult(asked[-1], (), (PlayedMove(move, 7, 7, 0, 0, 2.0),), {})
            return is_busy

    opening.scene._explorer = Archive()
    rehearsal = drill(opening)
    for _ in range(8):
        opening.do(gui.StartTrainingRun(is_free=True))
        opening.type("f5")
        opening.until(partial(getattr, rehearsal, "awaits_user"))
        assert rehearsal.game is not None
        assert format_transcript(rehearsal.game) == "f5f6"
        opening.scene._explorer.answer = None
    opening.type("e6")
    assert {question.position for question in asked} == {parse_transcript("f5", RULES).position}


def test_replies_of_computers_are_used_only_without_games_of_people() -> None:
    f6, d6 = (parse_transcript(f"f5{move}", RULES).moves[-1] for move in ("f6", "d6"))
    ours, theirs = (PlayedMove(f6, 7, 7, 0, 0, 2.0),), (PlayedMove(d6, 900, 0, 0, 900, 2.0),)
    known = {parse_transcript("f5", RULES).position: ours}

    def find(spec: object, position: Position, wanted: GameFilter = ALL) -> tuple[PlayedMove, ...]:
        people = known.get(position, ())
        return people if wanted.sources == frozenset({1}) else (*people, *theirs)

    store = Mock(notice=None, played=find)
    store.sources.return_value = Source(1, "WTH", "archive"), Source(2, "Tournaments", "tournament")
    explorer = Explorer(lambda: store)
    for moves, replies in (("f5", ours), ("f5d6c3", theirs)):
        explorer.ask(ExplorerQuery(SPEC, parse_transcript(moves, RULES).position, is_of_people=True))
        while explorer.is_busy:
            time.sleep(0.001)
        assert explorer.answer is not None
        assert explorer.answer.moves == replies
    explorer.close()
