"""Learning openings: lines are put into the repertoire, and played from memory."""

import time
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any, cast

import pytest

from othello import texts
from othello.gui import commands as gui
from othello.gui.mode_registry import MODES
from othello.gui.modes.openings import openings_mode
from othello.gui.modes.openings.openings_mode import OpeningsMode
from othello.gui.toolkit.controls import Button
from othello.records.transcript import format_transcript, parse_transcript
from othello.rules.protocol import Color
from othello.store.database import ALL, GameFilter, PlayedMove, Source
from othello.study.explorer import Explorer, ExplorerQuery, ExplorerResult
from othello.study.repertoire import OpeningDrill
from othello.texts import tr
from tests.gui.mistakes import SIZES, assert_apart, click_move, mode_of
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON, computer
from tests.positions import RULES, SPEC


@pytest.fixture
def driver(open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch) -> WindowDriver:
    """Open a window for two people after an opening."""
    monkeypatch.setattr(openings_mode, "_REPLY_SECONDS", 0.05)
    driver = open_window(PERSON, PERSON)
    driver.type("f5d6c3d3c4")
    return driver


def learn(driver: WindowDriver, moves: str, color: Color) -> None:
    driver.do(gui.Learn(parse_transcript(moves, RULES), color))


def drill(driver: WindowDriver) -> OpeningDrill:
    driver.keys("Ctrl+6")
    driver.press("drill")
    rehearsal = mode_of(driver, OpeningsMode)._drill
    assert rehearsal is not None
    return rehearsal


@pytest.mark.parametrize(
    "mode", ["Ctrl+1", *(pytest.param(key, marks=pytest.mark.slow) for key in ("Ctrl+2", "Ctrl+3"))]
)
def test_a_line_is_added_in_any_mode_and_practised_move_by_move(driver: WindowDriver, mode: str) -> None:
    driver.keys(mode, "Ctrl+L")
    assert "Tiger" in driver.words()
    driver.keys("Enter")
    assert "Tiger" in driver.status
    game, rehearsal = driver.session.game, drill(driver)
    for ply, text in enumerate(("f5", "c3", "c4")):
        driver.until(lambda: rehearsal.awaits_user)
        on_board = rehearsal.game
        assert on_board is not None
        assert (driver.board.position, on_board.ply) == (on_board.position, 2 * ply)
        assert driver.scene.mode.named_game is None, "the names of openings would tell the answer"
        right = RULES.parse_move(on_board.position, text)
        if text == "c3":
            assert tr("repertoire.replied", move="d6") in driver.scene.mode.announcement()
            wrong = next(move for move in on_board.legal_moves() if move != right)
            click_move(driver, wrong)
            assert tr("repertoire.wrong", move=RULES.move_text(on_board.position, wrong)) in driver.words()
            assert tr("repertoire.yours", move="c3") in driver.words()
            assert driver.board.position == on_board.position
        elif text == "c4":
            driver.press("show_answer")
            assert tr("repertoire.shown", move="c4") in driver.words()
        driver.type(text)
    assert tr("repertoire.end") in driver.words()
    assert tr("repertoire.left", n=2) in driver.words(), "missed moves return"
    driver.keys("Enter")
    for text in ("f5", "c3", "c4"):
        driver.until(lambda: rehearsal.awaits_user)
        driver.type(text)
    assert tr("repertoire.none_left") in driver.words()
    driver.keys("Page Down")
    assert mode_of(driver, OpeningsMode)._drill is None
    assert tr("training.nothing") in driver.words()
    assert driver.session.game == game
    driver.keys("Esc", "Esc")
    assert driver.scene.mode.name == "play"


def test_lines_are_listed_shown_and_removed_with_a_confirmation(driver: WindowDriver) -> None:
    for moves, color in (("f5d6c3d3c4", Color.BLACK), ("f5f6e6f4", Color.WHITE)):
        learn(driver, moves, color)
    driver.keys("Ctrl+6")
    assert [driver.widget(name, Button).label for name in ("mistakes", "openings")] == ["Mistakes", "Openings · 5"]
    driver.point_at(driver.placed("line_1").rect.center)
    assert MODES[driver.scene.mode.name].part_of == "train"
    assert driver.board.position == parse_transcript("f5f6e6f4", RULES).position
    driver.press("remove_0")
    driver.keys("Esc")
    assert len(driver.scene.person.repertoire.lines) == 2
    driver.press("remove_0")
    driver.keys("Enter")
    assert [line.color for line in driver.scene.person.repertoire.lines] == [Color.WHITE]
    rehearsal = drill(driver)
    assert rehearsal.awaits_reply, "the other side begins"
    driver.until(lambda: rehearsal.awaits_user)
    assert driver.moves() == ["f5", "d6", "c3", "d3", "c4"], "the game does not change"


def test_an_empty_repertoire_says_how_to_begin(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, computer("first"))
    driver.keys("Ctrl+6")
    assert {tr("repertoire.empty"), tr("repertoire.how_to_begin")} <= {*driver.words()}
    driver.press("learn")
    assert tr("repertoire.no_moves") in driver.words()
    assert not driver.is_enabled("learn")


@pytest.mark.slow
@pytest.mark.parametrize("language", texts.languages())
def test_no_controls_overlap(driver: WindowDriver, language: str) -> None:
    for moves, color in product(("f5d6c3d3c4", "f5f6e6f4", "f5d6c4d3c3f4"), Color):
        learn(driver, moves, color)
    driver.prefer(language=language)
    for step, text, size in product(("lines", "drill", "shown"), (100, 200), SIZES):
        if step == "lines":
            driver.keys("Ctrl+6")
        elif step == "drill" and mode_of(driver, OpeningsMode)._drill is None:
            driver.until(partial(getattr, drill(driver), "awaits_user"))
        elif step == "shown":
            driver.keys("Ctrl+K")
        driver.use_text(text)
        driver.resize(size)
        assert_apart(driver)


def test_replies_are_those_of_the_archive(driver: WindowDriver) -> None:
    for moves in ("f5d6c3", "f5f6e6"):
        learn(driver, moves, Color.BLACK)
    asked = []

    class Archive(Explorer):
        """An archive with one reply."""

        def ask(self, question: ExplorerQuery) -> None:
            asked.append(question.position)
            move = parse_transcript("f5f6", RULES).moves[-1]
            self.answer = ExplorerResult(question, (), (PlayedMove(move, 7, 7, 0, 0, 2.0),), {})

    driver.scene._explorer = Archive()
    rehearsal = drill(driver)
    for _ in range(8):
        driver.do(gui.StartTrainingRun(is_free=True))
        driver.type("f5")
        driver.until(partial(getattr, rehearsal, "awaits_user"))
        assert rehearsal.game is not None
        assert format_transcript(rehearsal.game) == "f5f6"
    assert set(asked) == {parse_transcript("f5", RULES).position}


def test_replies_of_computers_are_used_only_without_games_of_people() -> None:
    f6, d6 = (parse_transcript(f"f5{move}", RULES).moves[-1] for move in ("f6", "d6"))
    ours, theirs = (PlayedMove(f6, 7, 7, 0, 0, 2.0),), (PlayedMove(d6, 900, 0, 0, 900, 2.0),)
    known = {parse_transcript("f5", RULES).position: ours}

    class Kept:
        notice = None

        def __getattr__(self, name: str) -> Callable[[], None]:
            return lambda: None

        def sources(self) -> tuple[Source, ...]:
            return Source(1, "WTH", "archive"), Source(2, "Tournaments", "tournament")

        def played(self, spec: object, position: Any, wanted: GameFilter = ALL) -> tuple[PlayedMove, ...]:
            people = known.get(position, ())
            return people if wanted.sources == frozenset({1}) else (*people, *theirs)

    explorer = Explorer(cast(Any, Kept))
    for moves, replies in (("f5", ours), ("f5d6c3", theirs)):
        explorer.ask(ExplorerQuery(SPEC, parse_transcript(moves, RULES).position, is_of_people=True))
        while explorer.is_busy:
            time.sleep(0.001)
        assert explorer.answer is not None
        assert explorer.answer.moves == replies
    explorer.close()
