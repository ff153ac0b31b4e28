"""Learning openings: lines are put into the repertoire, and played from memory."""

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any, cast

import pygame
import pytest

from othello import texts
from othello.gui import commands as gui
from othello.gui.train import openings
from othello.gui.train.openings import OpeningsMode
from othello.play.explorer import Answer, Explorer, Question
from othello.play.repertoire import Rehearsal
from othello.records.transcript import format_transcript, parse_transcript
from othello.rules.protocol import Color
from othello.store.database import ALL, PlayedMove, Source, Wanted
from tests.gui.desk import Desk
from tests.gui.mistakes import SIZES, assert_apart, click_move, mode_of
from tests.play.faulty import PERSON, computer
from tests.positions import RULES, SPEC


@pytest.fixture
def desk(sit_down: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Two persons at an opening."""
    monkeypatch.setattr(openings, "_REPLY_SECONDS", 0.05)
    desk = sit_down(PERSON, PERSON)
    desk.type("f5d6c3d3c4")
    return desk


def learn(desk: Desk, moves: str, color: Color) -> None:
    desk.scene.do(gui.Learn(parse_transcript(moves, RULES), color), 0.0)


def drill(desk: Desk) -> Rehearsal:
    desk.key(pygame.K_6, "6", pygame.KMOD_CTRL)
    desk.press("drill")
    rehearsal = mode_of(desk, OpeningsMode)._rehearsal
    assert rehearsal is not None
    return rehearsal


@pytest.mark.parametrize(
    "mode", [pygame.K_1, *(pytest.param(key, marks=pytest.mark.slow) for key in (pygame.K_2, pygame.K_3))]
)
def test_a_line_is_learnt_from_any_mode_and_asked_move_by_move(desk: Desk, mode: int) -> None:
    desk.key(mode, chr(mode), pygame.KMOD_CTRL)
    desk.key(pygame.K_l, "l", pygame.KMOD_CTRL)
    assert "Tiger" in desk.words()
    desk.key(pygame.K_RETURN)
    assert "Tiger" in desk.status
    game, rehearsal = desk.session.game, drill(desk)
    for ply, text in enumerate(("f5", "c3", "c4")):
        desk.until(lambda: rehearsal.awaits_person)
        on_board = rehearsal.game
        assert on_board is not None
        assert (desk.board.position, on_board.ply) == (on_board.position, 2 * ply)
        assert desk.scene.mode.named_game is None, "nothing tells where a move leads"
        right = RULES.parse_move(on_board.position, text)
        if text == "c3":
            assert texts.say("repertoire.replied", move="d6") in desk.scene.mode.announcement()
            wrong = next(move for move in on_board.legal_moves() if move != right)
            click_move(desk, wrong)
            assert texts.say("repertoire.wrong", move=RULES.move_text(on_board.position, wrong)) in desk.words()
            assert texts.say("repertoire.yours", move="c3") in desk.words()
            assert desk.board.position == on_board.position, "nothing is played"
        elif text == "c4":
            desk.press("show_answer")
            assert texts.say("repertoire.shown", move="c4") in desk.words()
        desk.type(text)
    assert texts.say("repertoire.end") in desk.words()
    assert texts.say("repertoire.left", n=2) in desk.words(), "what was missed comes again"
    desk.key(pygame.K_RETURN)
    for text in ("f5", "c3", "c4"):
        desk.until(lambda: rehearsal.awaits_person)
        desk.type(text)
    assert texts.say("repertoire.none_left") in desk.words()
    desk.key(pygame.K_PAGEDOWN)
    assert mode_of(desk, OpeningsMode)._rehearsal is None
    assert texts.say("training.nothing") in desk.words()
    assert desk.session.game == game
    desk.key(pygame.K_ESCAPE)
    desk.key(pygame.K_ESCAPE)
    assert desk.scene.mode.name == "play"


def test_lines_are_listed_shown_and_removed_after_a_question(desk: Desk) -> None:
    for moves, color in (("f5d6c3d3c4", Color.BLACK), ("f5f6e6f4", Color.WHITE)):
        learn(desk, moves, color)
    desk.key(pygame.K_6, "6", pygame.KMOD_CTRL)
    assert [button.label for button in map(_switch(desk), ("mistakes", "openings"))] == ["Mistakes", "Openings · 5"]
    desk.point_at(desk.placed("line_1").rect.center)
    assert desk.scene.mode.part_of == "train"
    assert desk.board.position == parse_transcript("f5f6e6f4", RULES).position
    desk.press("remove_0")
    desk.key(pygame.K_ESCAPE)
    assert len(desk.scene.person.repertoire.lines) == 2
    desk.press("remove_0")
    desk.key(pygame.K_RETURN)
    assert [line.color for line in desk.scene.person.repertoire.lines] == [Color.WHITE]
    rehearsal = drill(desk)
    assert rehearsal.awaits_reply, "the other side begins"
    desk.until(lambda: rehearsal.awaits_person)
    assert desk.moves() == ["f5", "d6", "c3", "d3", "c4"], "the game stays as it is"


def _switch(desk: Desk) -> Callable[[str], Any]:
    return lambda name: desk.placed(name).panel


def test_a_repertoire_without_lines_says_what_to_do_and_an_empty_game_is_no_line(sit_down: Callable[..., Desk]) -> None:
    desk = sit_down(PERSON, computer("first"))
    desk.key(pygame.K_6, "6", pygame.KMOD_CTRL)
    assert {texts.say("repertoire.empty"), texts.say("repertoire.how_to_begin")} <= {*desk.words()}
    desk.press("learn")
    assert texts.say("repertoire.no_moves") in desk.words()
    assert not desk.is_enabled("learn")


@pytest.mark.slow
@pytest.mark.parametrize("language", texts.languages())
def test_all_that_can_be_pressed_has_its_place(desk: Desk, language: str) -> None:
    for moves, color in product(("f5d6c3d3c4", "f5f6e6f4", "f5d6c4d3c3f4"), Color):
        learn(desk, moves, color)
    preferences = desk.scene.preferences
    preferences.value = replace(preferences.value, language=language)
    for step, text, size in product(("lines", "drill", "shown"), (100, 200), SIZES):
        if step == "lines":
            desk.key(pygame.K_6, "6", pygame.KMOD_CTRL)
        elif step == "drill" and mode_of(desk, OpeningsMode)._rehearsal is None:
            desk.until(partial(getattr, drill(desk), "awaits_person"))
        elif step == "shown":
            desk.key(pygame.K_k, "k", pygame.KMOD_CTRL)
        desk.use_text(text)
        desk.resize(size)
        assert_apart(desk)
    texts.use("en")


def test_replies_come_as_people_have_played_them(desk: Desk) -> None:
    for moves in ("f5d6c3", "f5f6e6"):
        learn(desk, moves, Color.BLACK)
    asked = []

    class Archive(Explorer):
        """Knows of one reply alone."""

        def ask(self, question: Question) -> None:
            asked.append(question.position)
            move = parse_transcript("f5f6", RULES).moves[-1]
            self.answer = Answer(question, (), (PlayedMove(move, 7, 7, 0, 0, 2.0),), {})

    desk.scene._explorer = Archive()
    rehearsal = drill(desk)
    for _ in range(8):
        desk.scene.do(gui.Drill(is_free=True), 0.0)
        desk.type("f5")
        desk.until(partial(getattr, rehearsal, "awaits_person"))
        assert rehearsal.game is not None
        assert format_transcript(rehearsal.game) == "f5f6"
    assert set(asked) == {parse_transcript("f5", RULES).position}


def test_replies_of_computers_count_only_where_no_person_has_played() -> None:
    """A tournament of computers knows many more games than an archive, and games that no person has played."""
    f6, d6 = (parse_transcript(f"f5{move}", RULES).moves[-1] for move in ("f6", "d6"))
    ours, theirs = (PlayedMove(f6, 7, 7, 0, 0, 2.0),), (PlayedMove(d6, 900, 0, 0, 900, 2.0),)
    known = {parse_transcript("f5", RULES).position: ours}

    class Kept:
        notice = None

        def __getattr__(self, name: str) -> Callable[[], None]:
            return lambda: None

        def sources(self) -> tuple[Source, ...]:
            return Source(1, "WTH", "archive"), Source(2, "Tournaments", "tournament")

        def played(self, spec: object, position: Any, wanted: Wanted = ALL) -> tuple[PlayedMove, ...]:
            people = known.get(position, ())
            return people if wanted.sources == frozenset({1}) else (*people, *theirs)

    explorer = Explorer(cast(Any, Kept))
    for moves, replies in (("f5", ours), ("f5d6c3", theirs)):
        explorer.ask(Question(SPEC, parse_transcript(moves, RULES).position, is_of_people=True))
        while explorer.is_busy:
            time.sleep(0.001)
        assert explorer.answer is not None
        assert explorer.answer.moves == replies
    explorer.close()
