"""The mode Review, driven by real events."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event

import pygame
import pytest

from othello.config import PlayerConfig
from othello.engine.endgame import solve
from othello.game import Game
from othello.gui import commands as gui, labels
from othello.gui.modes.analyse.curve import CURVE, CurvePanel
from othello.gui.modes.analyse.evaluation_scale import Evaluation
from othello.gui.modes.review.review import PAGE_SIZE, ReviewMode
from othello.gui.modes.review.review_widgets import ScoreCard, SmallBoard, WorstCard
from othello.gui.toolkit.controls import Button
from othello.gui.toolkit.inputs import ControlChanged
from othello.play import session_commands as cmd
from othello.play.assessment import Limits, Mistake, MoveAssessment, judged, plies_with_choice, summary, worst
from othello.players.player import Player
from othello.players.player_registry import configure, create_player
from othello.rules.protocol import Color, GameSpec, Move
from othello.rules.registry import game_spec
from othello.search.report import MoveStats, SearchReport, Unit
from othello.search.stop import StopFlag
from othello.study.library import Library
from othello.study.rating_history import rating_histories
from othello.study.store_writer import StoreWriter
from othello.texts import tr
from tests.gui.mistakes import mode_of, play_badly, played_badly, review
from tests.gui.window_driver import COMPILE_TIMEOUT, OpenWindow, WindowDriver
from tests.play.fake_players import PERSON, computer, make_judge, make_player
from tests.play.test_library import settle
from tests.positions import RULES, SPEC, random_game_of


def worst_shown(driver: WindowDriver) -> list[WorstCard]:
    driver.turn()
    return driver.panels(WorstCard)


def moves_shown(driver: WindowDriver) -> list[Move]:
    return [card.was[1] for card in worst_shown(driver)]


@pytest.fixture
def unreviewed(open_window: OpenWindow) -> WindowDriver:
    return played_badly(open_window)


@pytest.fixture
def driver(unreviewed: WindowDriver) -> WindowDriver:
    """Show the review of a game with mistakes of the user."""
    review(unreviewed)
    return unreviewed


def assessments(driver: WindowDriver) -> Sequence[MoveAssessment | None]:
    tree = driver.session.history.tree
    return judged(tree, tree.line)


def test_a_review_sums_up_both_sides_and_pages_through_all_mistakes(driver: WindowDriver) -> None:
    found = assessments(driver)
    for side, color in zip(driver.panels(ScoreCard), Color, strict=True):
        expected = summary(found, color, Limits())
        assert expected is not None
        assert (side.color, side.loss, side.accuracy) == (color, f"{expected.mean_loss:.1f}", expected.accuracy)
        assert [count for _, count, _ in side.kinds] == [expected.mistakes[mistake] for mistake in reversed(Mistake)]
    own = [each.move for each in worst((each for each in found if each and each.color is Color.BLACK), Limits(), 3)]
    assert moves_shown(driver) == own
    driver.keys("Alt+B")
    wanted = worst(found, Limits())
    assert moves_shown(driver) == [each.move for each in wanted[:3]]
    driver.press("worst_own")
    assert moves_shown(driver) == own

    driver.keys("Alt+B")
    assert len(wanted) > 2 * PAGE_SIZE
    seen: list[Move] = []
    assert not driver.is_enabled("worst_before")
    while True:
        first = len(seen) + 1
        seen += moves_shown(driver)
        shown = f"{first} – {len(seen)}" if first < len(seen) else str(first)
        assert tr("review.shown", shown=shown, total=len(wanted)) in driver.words()
        if not driver.is_enabled("worst_after"):
            break
        driver.press("worst_after")
    assert seen == [each.move for each in wanted]
    driver.keys("1")
    assert driver.scene.mode.name == "analyse"
    assert driver.session.view.shown.ply == wanted[first - 1].ply
    driver.keys("Ctrl+3")
    assert moves_shown(driver) == own


def test_part_of_an_analysis_is_shown_and_stored_for_training_when_completed(unreviewed: WindowDriver) -> None:
    driver, line, deck = unreviewed, unreviewed.session.history.tree.line, unreviewed.scene.person.deck
    driver.keys("Ctrl+3")
    plies = plies_with_choice(line)
    units = [Unit.EXPECTED, Unit.EXPECTED, Unit.DISCS]
    for ply, unit in zip(plies, units, strict=False):  # the moves of the game lose 8 discs
        game, move = line.at(ply), line.moves[ply]
        stats = tuple(MoveStats(each, 1, -8.0 * (each == move)) for each in game.legal_moves())
        found = SearchReport("judge", stats[0].move, 0.0, stats, unit, depth=12, final=True)
        driver.session.history.remember(game, analyses={configure("engine"): found})
    driver.keys("Alt+B")  # shows the analysis so far
    driver.turn()
    assert driver.status == tr("review.part", n=len(plies), done=3, total=len(plies))
    assert tr("review.exact_from", move=line.at(plies[2]).number + 1, estimate="estimate, depth 12") in driver.words()
    assert driver.is_enabled("try_again")
    assert not deck.due()
    assert {side.loss for side in driver.panels(ScoreCard)} == {""}
    assert driver.widget("analyse_game", Button).label == tr("actions.analyse_game.else")
    driver.do(ControlChanged("judge", "engine"))
    assert driver.screen.preferences.value.analyst == "", "the usual analyst is not stored by name"
    driver.until(lambda: mode_of(driver, ReviewMode)._missing == 0)
    driver.settle()
    assert "" not in {side.loss for side in driver.panels(ScoreCard)}
    assert not driver.has("analyse_game")
    assert deck.due()
    driver.do(cmd.OpenGame(line))
    review(driver)
    assert not driver.is_enabled("try_again"), "a game of others has no mistakes to train"
    assert tr("review.not_yours") in driver.words()


def test_everything_is_visible_in_a_window_above_a_task_bar(driver: WindowDriver) -> None:
    driver.resize((1280, 728))
    stage = driver.scene.widgets
    shown = [each for each in stage.walk() if isinstance(each.widget, WorstCard | ScoreCard | CurvePanel)]
    assert len(shown) == 2 + 1 + PAGE_SIZE
    assert all(driver.scene.window.contains(each.rect) for each in shown)
    assert min(each.rect.width for each in stage.walk() if isinstance(each.widget, SmallBoard)) >= 120
    for size in ((1280, 728), (900, 600)):
        driver.resize(size)
        stage.reveal("worst_1")
        driver.turn()
        board = next(each.rect for each in stage.walk() if isinstance(each.widget, SmallBoard) and each.widget.sign)
        frame = driver.brightness(pygame.Rect(board.left, board.centery - 20, 12, 40))
        assert frame.max() > frame.min() + 20, "there are names of rows"


def test_only_own_mistakes_are_listed_first(driver: WindowDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    found, first = assessments(driver), mode_of(driver, ReviewMode)._worst[0].ply
    handed_over = [each and replace(each, is_persons=each.ply == first) for each in found]
    monkeypatch.setattr(Evaluation, "judgements", handed_over)
    driver.do(gui.PlainCommand.REDRAW)
    assert [each.title for each in worst_shown(driver)] == [tr("review.move", move=first + 1)]
    faultless = [each and replace(each, is_persons=Limits().of(each.discs) is None) for each in found]
    monkeypatch.setattr(Evaluation, "judgements", faultless)
    driver.do(gui.PlainCommand.REDRAW)
    assert not worst_shown(driver)
    assert tr("review.faultless_own") in driver.words()
    assert not driver.shows_words("0 of your positions")
    driver.press("worst_both")
    assert worst_shown(driver)


def test_the_worst_moves_open_their_positions(driver: WindowDriver) -> None:
    mode, view = mode_of(driver, ReviewMode), driver.session.view
    driver.keys("1")
    assert (driver.scene.mode.name, view.shown.ply) == ("analyse", mode._worst[0].ply)
    driver.keys("Ctrl+3")
    driver.press("worst_2")
    assert (driver.scene.mode.name, view.shown.ply) == ("analyse", mode._worst[1].ply)
    driver.keys("Ctrl+3")
    for ply, key in enumerate(("Home", "Right")):
        driver.keys(key)
        assert view.shown.ply == ply
    driver.keys("Esc")
    assert driver.scene.mode.name == "play"


def test_the_curve_shows_the_position_of_a_click(driver: WindowDriver) -> None:
    worst = mode_of(driver, ReviewMode)._worst[0]
    (board,) = (each for each in driver.scene.widgets.walk() if each.widget.tip and isinstance(each.widget, SmallBoard))
    panel = driver.widget(CURVE, CurvePanel)
    within = panel.area(driver.canvas(CURVE))
    at = within.left + within.width * (worst.ply + 1) // panel.plies, within.centery
    driver.click(at)
    shown = driver.session.game.at(worst.ply + 1)
    assert shown.position in [each.position for each in driver.panels(SmallBoard)]
    assert labels.moment(shown) in driver.words()
    driver.scene.widgets.go_to(CURVE)
    driver.keys("Left")
    assert labels.moment(driver.session.game.at(worst.ply)) in driver.words()
    driver.click(board.rect.center)
    assert (driver.scene.mode.name, driver.session.view.shown.ply) == ("analyse", worst.ply)


def test_the_result_of_a_game_leads_to_its_review(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, spec=game_spec("tictactoe"))
    driver.type("a1a2b1b2c1")
    driver.settle()
    driver.press("look_back")
    mode = mode_of(driver, ReviewMode)
    driver.until(lambda: mode._missing == 0)  # a finished game is analysed without a command
    driver.settle()
    assert driver.panels(ScoreCard)[0].loss.endswith("%")
    driver.keys("Ctrl+R")
    assert (driver.scene.mode.name, driver.session.game.ply) == ("play", 0)


@pytest.mark.slow
def test_the_engine_analyses_the_end_of_a_game_exactly(open_window: OpenWindow) -> None:
    start = Game.new(RULES, random_game_of(RULES, 2).positions[46])
    driver = open_window(PERSON, computer("first"), start=start, judges=create_player)
    play_badly(driver, 8)
    driver.keys("Ctrl+3", "Ctrl+G")
    driver.until(lambda: not mode_of(driver, ReviewMode)._missing, COMPILE_TIMEOUT)
    found = [each for each in assessments(driver) if each is not None]
    assert found
    for each in found:
        solved = solve(driver.session.history.tree.line.positions[each.ply], StopFlag())
        assert solved is not None
        assert (each.is_exact, each.best_value) == (True, solved.score)


def test_a_finished_game_is_listed_with_accuracy_and_rated(open_window: OpenWindow, tmp_path: Path) -> None:
    level = configure("engine", level=3, name="Casual")
    opponent = make_player(computer("first"), SPEC)
    driver = open_window(PERSON, level, players=lambda *_: opponent)
    driver.scene.files.library = library = Library(store_writer := StoreWriter(tmp_path / "games.sqlite"))
    driver.game_analysis.judges_ended = True
    play_badly(driver, 14)
    driver.do(cmd.Resign())
    driver.until(lambda: not driver.game_analysis.is_running)
    library.flush(driver.session, 0.0)
    settle(store_writer)
    (listed,) = library.games()
    expected = summary(assessments(driver), Color.BLACK, Limits())
    assert expected is not None
    assert listed.persons_accuracy == pytest.approx(expected.accuracy, abs=1e-3)
    assert [game.level for game in rating_histories([listed])["othello"].games] == [3]
    driver.keys("F12")
    assert all(map(driver.has, ("plot:othello", "score:othello:3")))
    store_writer.close()


@pytest.mark.parametrize(("mode", "key"), [("review", "F5"), ("train", "Page Down"), ("edit", "F5")])
def test_no_key_of_the_game_works_in_another_mode(driver: WindowDriver, mode: str, key: str) -> None:
    session = driver.session
    session.do(cmd.GoTo(2), 0.0)
    move = next(move for move in session.view.shown.legal_moves() if move != session.game.moves[2])
    session.do(cmd.PlayVariation((move,)), 0.0)
    driver.switch(mode)
    before = session.history.tree, session.view.shown, session.players
    for _ in range(2):
        driver.keys("Backspace", "Delete", "Space", ".", "F2", "F3", "F4", "Ctrl+Z", "Ctrl+Y", "Ctrl+M", "Ctrl+Up", key)
    assert (session.history.tree, session.view.shown, session.players) == before
    assert session.pace.paused is (mode != "review"), "the game waits until the mode is left"
    assert driver.scene.mode.name == mode


def test_a_click_on_a_review_whose_game_has_changed_is_harmless(driver: WindowDriver) -> None:
    at = driver.placed("worst_1").rect.center
    for spec in (game_spec("connect_four"), game_spec()):
        driver.do(cmd.NewGame(game=spec))
        driver.click(at)
        assert driver.scene.spec == spec
        driver.switch("review")


def test_a_review_says_that_the_analyst_is_being_prepared(open_window: OpenWindow) -> None:
    resume = Event()

    def made(config: PlayerConfig, spec: GameSpec) -> Player:
        assert resume.wait(60)
        return make_judge(config, spec)

    driver = open_window(PERSON, PERSON, judges=made)
    driver.type("f5d6")
    driver.switch("review")
    driver.keys("Ctrl+G")
    driver.until(lambda: tr("status.preparing") in driver.words())
    resume.set()
    driver.until(lambda: tr("review.faultless_own") in driver.words())
