"""Undo and redo, browsing earlier positions, and continuing from them."""

from dataclasses import replace

import pytest

from othello.config import Config, PlayerConfig
from othello.game import Game
from othello.play import session_commands as cmd
from othello.play.board_view import BoardStep
from othello.play.history import PositionState, Tree
from othello.play.session import Session
from othello.players.player_registry import configure
from othello.rules.protocol import Color, Move
from othello.rules.registry import game_spec
from tests.play.fake_players import PERSON
from tests.play.session_driver import (
    BEFORE_PASS,
    FIRST,
    SECOND,
    ScriptedWorker,
    Step,
    answer,
    drive_session,
    play,
    wait,
)
from tests.positions import RULES, START


def test_undo_and_redo_take_both_moves_and_the_reports_of_searches() -> None:
    driver = drive_session(PERSON, FIRST, *[play(), answer()] * 2)
    played = driver.session.game.moves
    for command, ply in ((cmd.Undo(), 2), (cmd.Undo(), 0), (cmd.Undo(), 0), (cmd.Redo(), 2), (cmd.Redo(), 4)):
        driver.do(command)
        assert driver.session.game.moves == played[:ply]
    assert not driver.session.allows(cmd.Redo)
    driver.do(cmd.GoTo(1))
    shown = driver.session.view.report
    assert shown is not None
    assert shown[0] == 1


BOTH = PERSON, PERSON
C4 = cmd.PlayMove(Move(26))


@pytest.mark.parametrize(
    ("players", "steps", "ply", "allowed"),
    [
        pytest.param(BOTH, [play("d3"), cmd.Undo(), C4], 1, [cmd.Undo], id="a new move ends what could be redone"),
        pytest.param(BOTH, [play("d3"), cmd.GoTo(0), C4], 1, [cmd.Undo], id="a click in the past leads to the present"),
        pytest.param(BOTH, [play("a1"), cmd.Acknowledge(), cmd.Undo()], 0, [cmd.Redo], id="undo of a forced pass"),
        pytest.param((FIRST, PERSON), [answer(), cmd.Undo()], 1, [], id="nothing to undo before the user moves"),
        pytest.param((FIRST, SECOND), [answer(), answer(), cmd.Undo(), wait(10)], 1, [cmd.Undo, cmd.Redo], id="pauses"),
    ],
)
def test_undo_and_redo(players: tuple[PlayerConfig, ...], steps: list[Step], ply: int, allowed: list[type]) -> None:
    black, white = players
    driver = drive_session(black, white, *steps, start=BEFORE_PASS if ply == 0 else None)
    assert (driver.ply, driver.session.view.is_at_latest) == (ply, True)
    assert driver.session.pace.paused is (players == (FIRST, SECOND))
    assert [kind for kind in (cmd.Undo, cmd.Redo) if driver.session.allows(kind)] == allowed


def test_looking_back_does_not_stop_the_game() -> None:
    driver = drive_session(FIRST, SECOND, *[answer()] * 4, cmd.GoTo(1), answer())
    assert (driver.session.view.shown.ply, driver.ply) == (1, 5)
    driver.do(cmd.Browse(2))
    assert driver.session.view.shown.ply == 3
    driver.do(cmd.Browse(99))
    assert driver.session.view.is_at_latest


def test_undo_after_a_swap_restores_the_sides_and_prepares_the_player_anew() -> None:
    driver = drive_session(PERSON, FIRST, cmd.PlayMove(Move(19)), cmd.SwapSides())
    assert driver.session.allows(cmd.Undo)
    dismissed, prepared = len(driver.script.dismissed), len(driver.script.prepared)
    driver.do(cmd.Undo())
    assert len(driver.script.dismissed) > dismissed
    assert driver.script.prepared[prepared:] == ["first"]
    assert (driver.ply, driver.session.players[Color.BLACK], driver.session.awaits_user) == (0, PERSON, True)
    driver.do(cmd.Redo())
    assert (driver.ply, driver.session.players[Color.WHITE]) == (1, PERSON)


def test_a_game_continues_from_any_position_and_keeps_the_played_line() -> None:
    driver = drive_session(PERSON, PERSON)
    driver.play(19, 18, 17)
    played = driver.session.game
    driver.do(cmd.GoTo(1), cmd.Annotate("worth a try"), cmd.PlayFromHere(), cmd.PlayMove(Move(20)))
    game = driver.session.game
    assert (game.moves, driver.session.view.is_at_latest) == ((19, 20), True)
    tree = driver.session.history.tree
    assert tree.variations(game.at(1)) == (18, 20)
    assert tree.known(game.at(1)).note == "worth a try"
    driver.do(cmd.Visit(played.moves[:2]))
    assert driver.session.view.listed.moves == played.moves
    driver.do(cmd.Browse(1))
    assert (driver.session.view.shown.moves, driver.session.view.is_at_latest) == (played.moves, False)
    driver.do(cmd.PlayFromHere())
    assert driver.session.game.moves == played.moves


def test_a_session_that_starts_from_a_tree_can_redo_its_moves() -> None:
    tree = Tree.of(Game.new(RULES).play(Move(19)).play(Move(18)), PositionState()).to(Game.new(RULES).play(Move(19)))
    session = Session(Config((PERSON, PERSON), seed=1), ScriptedWorker(), 0.0, start=tree)
    assert (session.game.moves, session.allows(cmd.Redo), session.allows(cmd.Undo)) == ((19,), True, True)
    session.do(cmd.Redo(), 1.0)
    assert session.game.moves == (19, 18)


def test_a_replaced_game_can_be_restored() -> None:
    driver = drive_session(PERSON, FIRST, cmd.PlayMove(Move(19)), cmd.HandOver(Color.WHITE))
    seed = driver.session.referee.job.seed
    driver.do(cmd.NewGame())
    assert (driver.ply, driver.session.referee.job.number) == (0, 2)
    driver.do(cmd.Undo())
    job = driver.session.referee.job
    assert (driver.session.game.moves, job.number, job.seed) == ((19,), 1, seed)
    driver.do(cmd.NewGame(), cmd.PlayMove(Move(26)), cmd.RestoreGame())
    assert driver.session.game.moves == (19,)
    driver.do(cmd.RestoreGame())
    assert driver.session.game.moves == (26,)


def test_the_shown_position_is_analysed_during_the_game() -> None:
    driver = drive_session(FIRST, PERSON, cmd.Analyse(SECOND))
    game, seat = driver.analyst.requests[-1]
    assert (game.moves, seat.config) == ((), SECOND)
    driver.answer()
    assert driver.analyst.requests[-1][0].moves == (19,)
    assert driver.analyst.cancelled == 1
    assert driver.session.shown_analysis is None
    driver.analyst.answer_last(0.0, 0.1)
    driver.wait()
    driver.do(cmd.GoTo(0), cmd.GoTo(1))
    assert [asked.ply for asked, _ in driver.analyst.requests] == [0, 1, 0]  # what is known is not searched again
    assert driver.session.shown_analysis is not None
    game, dismissed = driver.session.game, len(driver.analyst.dismissed)
    driver.do(cmd.NewGame())
    assert driver.analyst.dismissed[dismissed:] == [game], "its memory is released"
    assert driver.analyst.requests[-1][0] is not game, "the new game is analysed"
    driver.do(cmd.Analyse(None))
    assert driver.session.shown_analysis is None
    asked = len(driver.analyst.requests)
    driver.do(cmd.Analyse(configure("engine")), cmd.NewGame(game=game_spec("connect_four")))
    assert len(driver.analyst.requests) == asked + 1, "the engine does not play the other game"
    driver.do(cmd.Analyse(SECOND))
    assert driver.analyst.requests[-1][0].rules.name == "connect_four"


def test_the_view_has_the_step_that_led_to_the_shown_position() -> None:
    driver = drive_session(PERSON, PERSON, play("f5"))
    f5, d6, c3 = (RULES.parse_move(START, name) for name in ("f5", "d6", "c3"))
    there = BoardStep(f5, RULES.captured(START, f5), Color.BLACK)
    assert driver.session.view.step == there
    driver.do(cmd.Undo())
    back = replace(there, color=Color.WHITE)
    assert driver.session.view.step == back
    driver.do(cmd.Redo(), cmd.PlayMove(d6), cmd.Browse(-1), cmd.Browse(-1))
    assert driver.session.view.step == back
    driver.do(cmd.Browse(1))
    assert driver.session.view.step == there
    for command in (cmd.GoTo(0), cmd.Visit(driver.session.game.moves), cmd.NewGame()):
        driver.do(cmd.Browse(1), cmd.Browse(1), command)
        assert driver.session.view.step is None
    driver.do(cmd.NewGame(), cmd.PlayVariation((f5,)))
    assert driver.session.view.step == there
    driver.do(cmd.PlayVariation((d6, c3)))
    assert driver.session.view.step is None


def test_undo_restores_a_deleted_line_in_its_place() -> None:
    driver = drive_session(PERSON, PERSON, cmd.PlayMove(Move(19)))
    for move in (26, 37, 44):
        driver.do(cmd.GoTo(0), cmd.PlayVariation((Move(move),)))
    start, line = driver.session.game.at(0), driver.session.game.at(0).play(Move(37))
    visit = cmd.Visit(line.moves)
    driver.do(visit, cmd.Annotate("a try"), cmd.PlayVariation(line.legal_moves()[:1]), visit)
    before = driver.session.history.tree
    driver.do(cmd.DeleteLine())
    assert driver.session.history.tree.variations(start) == (19, 26, 44)
    driver.do(cmd.Undo())
    assert driver.session.history.tree.variations(start) == (19, 26, 37, 44)
    assert driver.session.history.tree.node(line) == before.node(line)
    assert (driver.session.view.shown.moves, driver.ply) == (line.moves, 1)
    driver.do(cmd.Redo())
    assert driver.session.history.tree.variations(start) == (19, 26, 44)
    driver.do(cmd.Undo(), cmd.Undo())  # the note comes next
    assert driver.session.history.tree.known(line).note == ""
    driver.do(cmd.Undo(), cmd.Undo())  # back to the game, whose moves follow
    assert driver.ply == 0


def test_undo_takes_moves_and_edits_back_in_reverse_order() -> None:
    driver = drive_session(PERSON, PERSON)
    driver.do(cmd.PlayMove(Move(19)), cmd.Annotate("first"), cmd.PlayMove(Move(18)), cmd.Annotate("second"))

    def notes() -> list[str]:
        tree = driver.session.history.tree
        return [moment.note for moment in tree.along(tree.line)]

    seen = [(driver.ply, notes())]
    for command in [cmd.Undo()] * 4 + [cmd.Redo()] * 4:
        driver.do(command)
        seen.append((driver.ply, notes()))
    noted = [["", "first", "second"], *[["", "first", ""]] * 2, *[["", "", ""]] * 2]
    assert seen[:5] == [*zip((2, 2, 1, 1, 0), noted, strict=True)]
    assert seen[5:] == seen[3::-1]


def test_undo_returns_from_a_continuation() -> None:
    driver = drive_session(PERSON, PERSON)
    driver.play(19, 18, 17)
    driver.do(cmd.Undo())
    tree = driver.session.history.tree
    driver.do(cmd.GoTo(1), cmd.PlayFromHere(), cmd.PlayMove(Move(20)), cmd.Undo(), cmd.Undo())
    assert (driver.session.history.tree.game, driver.session.history.tree.line) == (tree.game, tree.line)
    driver.do(cmd.Redo())
    assert (driver.ply, driver.session.history.tree.line.moves) == (1, (19, 20))
