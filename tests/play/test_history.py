"""Taking back and replaying moves, looking at earlier positions, and continuing from them."""

from dataclasses import replace

import pytest

from othello.config import Config
from othello.game import Game
from othello.play import session_commands as cmd
from othello.play.board_view import BoardStep
from othello.play.history import PositionState, Tree
from othello.play.session import Session
from othello.players.player_registry import configure
from othello.rules.protocol import Color, Move
from othello.rules.registry import game_spec
from tests.play.faulty import PERSON
from tests.play.table import FIRST, PASS_AHEAD, SECOND, Script, table
from tests.positions import RULES


def test_undo_goes_to_the_persons_last_choice_and_redo_back() -> None:
    made = table(PERSON, FIRST)
    made.do(cmd.PlayMove(Move(19)))
    made.answer()
    made.do(cmd.PlayMove(made.session.game.legal_moves()[0]))
    made.answer()
    played = made.session.game.moves
    made.do(cmd.Undo(), cmd.Undo())
    assert made.ply == 0
    made.do(cmd.Undo())
    assert made.ply == 0
    made.do(cmd.Redo())
    assert made.session.game.moves == played[:2]
    made.do(cmd.Redo())
    assert made.session.game.moves == played
    assert not made.session.allows(cmd.Redo)


def test_a_new_move_ends_what_could_be_redone() -> None:
    made = table(PERSON, PERSON)
    made.do(cmd.PlayMove(Move(19)), cmd.Undo(), cmd.PlayMove(Move(26)))
    assert not made.session.allows(cmd.Redo)


def test_nothing_to_undo_before_the_person_has_moved() -> None:
    made = table(FIRST, PERSON)
    made.answer()
    assert not made.session.allows(cmd.Undo)
    made.do(cmd.Undo())
    assert made.ply == 1


def test_undo_between_computers_pauses() -> None:
    made = table(FIRST, SECOND)
    made.answer()
    made.answer()
    made.do(cmd.Undo())
    assert (made.ply, made.session.pace.paused) == (1, True)
    made.wait(10.0)
    assert made.ply == 1


def test_undo_skips_a_forced_pass() -> None:
    made = table(PERSON, PERSON, board=PASS_AHEAD)
    made.do(cmd.PlayMove(Move(0)), cmd.Acknowledge(), cmd.Undo())
    assert made.ply == 0


def test_looking_back_does_not_stop_the_game() -> None:
    made = table(FIRST, SECOND)
    for _ in range(4):
        made.answer()
    made.do(cmd.GoTo(1))
    made.answer()
    assert (made.session.view.shown.ply, made.ply) == (1, 5)
    assert made.session.view.shown.ply == 1
    made.do(cmd.Browse(2))
    assert made.session.view.shown.ply == 3
    made.do(cmd.Browse(99))
    assert made.session.view.is_at_latest


def test_a_click_into_the_past_only_returns_to_the_present() -> None:
    made = table(PERSON, PERSON)
    made.do(cmd.PlayMove(Move(19)), cmd.GoTo(0), cmd.PlayMove(Move(26)))
    assert made.session.view.is_at_latest
    assert made.session.game.moves == (19,)


def test_undo_after_a_swap_gives_everybody_the_old_seat() -> None:
    made = table(PERSON, FIRST)
    made.do(cmd.PlayMove(Move(19)), cmd.SwapSides())
    assert made.session.allows(cmd.Undo)
    made.do(cmd.Undo())
    assert (made.ply, made.session.players[Color.BLACK], made.session.awaits_user) == (0, PERSON, True)
    made.do(cmd.Redo())
    assert (made.ply, made.session.players[Color.WHITE]) == (1, PERSON)


@pytest.mark.parametrize("command", [cmd.Undo(), cmd.Redo()])
def test_what_is_not_shown_is_not_changed(command: cmd.SessionCommand) -> None:
    made = table(PERSON, PERSON)
    made.do(cmd.PlayMove(Move(19)), cmd.PlayMove(Move(18)), cmd.PlayMove(Move(17)), cmd.Undo(), cmd.GoTo(1), command)
    assert (made.session.view.is_at_latest, made.ply) == (True, 2)
    made.do(command)
    assert made.ply == (1 if command == cmd.Undo() else 3)


def test_redo_shows_the_searches_again() -> None:
    made = table(PERSON, FIRST)
    made.do(cmd.PlayMove(Move(19)))
    made.answer()
    made.do(cmd.Undo(), cmd.Redo(), cmd.GoTo(1))
    shown = made.session.view.report
    assert shown is not None
    assert shown[0] == 1


def test_a_game_goes_on_from_any_position_and_keeps_what_was_played() -> None:
    made = table(PERSON, PERSON)
    made.do(cmd.PlayMove(Move(19)), cmd.PlayMove(Move(18)), cmd.PlayMove(Move(17)))
    played = made.session.game
    made.do(cmd.GoTo(1), cmd.Annotate("worth a try"), cmd.PlayFromHere(), cmd.PlayMove(Move(20)))
    game = made.session.game
    assert (game.moves, made.session.view.is_at_latest) == ((19, 20), True)
    tree = made.session.history.tree
    assert tree.variations(game.at(1)) == (18, 20)
    assert tree.known(game.at(1)).note == "worth a try"
    made.do(cmd.Visit(played.moves[:2]))
    assert made.session.view.listed.moves == played.moves
    made.do(cmd.Browse(1))
    assert (made.session.view.shown.moves, made.session.view.is_at_latest) == (played.moves, False)
    made.do(cmd.PlayFromHere())
    assert made.session.game.moves == played.moves


def test_a_game_that_was_thrown_away_comes_back() -> None:
    made = table(PERSON, FIRST)
    made.do(cmd.PlayMove(Move(19)), cmd.HandOver(Color.WHITE))
    seed = made.session.referee.job.seed
    made.do(cmd.NewGame())
    assert (made.ply, made.session.referee.job.number) == (0, 2)
    made.do(cmd.Undo())
    assert (made.session.game.moves, made.session.referee.job.number, made.session.referee.job.seed) == ((19,), 1, seed)
    made.do(cmd.NewGame(), cmd.PlayMove(Move(26)), cmd.RestoreGame())
    assert made.session.game.moves == (19,)
    made.do(cmd.RestoreGame())
    assert made.session.game.moves == (26,)


def test_a_session_begins_from_a_tree() -> None:
    tree = Tree.of(Game.new(RULES).play(Move(19)).play(Move(18)), PositionState()).to(Game.new(RULES).play(Move(19)))
    script = Script()
    session = Session(Config((PERSON, PERSON), seed=1), script, 0.0, start=tree)
    assert (session.game.moves, session.allows(cmd.Redo), session.allows(cmd.Undo)) == ((19,), True, True)
    session.do(cmd.Redo(), 1.0)
    assert session.game.moves == (19, 18)


def test_whatever_is_looked_at_is_analysed_beside_the_game() -> None:
    made = table(FIRST, PERSON)
    made.do(cmd.Analyse(SECOND))
    game, seat = made.analyst.requests[-1]
    assert (game.moves, seat.config) == ((), SECOND)
    made.answer()
    assert made.analyst.requests[-1][0].moves == (19,)
    assert made.analyst.cancelled == 1
    assert made.session.shown_analysis is None
    made.analyst.answer_last(0.0, 0.1)
    made.wait()
    made.do(cmd.GoTo(0), cmd.GoTo(1))
    assert [asked.ply for asked, _ in made.analyst.requests] == [0, 1, 0]  # what is known is not searched again
    assert made.session.shown_analysis is not None
    made.do(cmd.Analyse(None))
    assert made.session.shown_analysis is None


def test_nobody_analyses_another_game_that_he_does_not_play() -> None:
    made = table(PERSON, PERSON)
    made.do(cmd.Analyse(configure("engine")), cmd.NewGame(game=game_spec("connect_four")))
    assert [asked.rules.name for asked, _ in made.analyst.requests] == ["othello"]
    made.do(cmd.Analyse(SECOND))
    assert [asked.rules.name for asked, _ in made.analyst.requests] == ["othello", "connect_four"]


def test_the_step_that_led_to_what_is_looked_at_is_told() -> None:
    made = table(PERSON, PERSON)
    start = made.session.game
    f5, d6 = RULES.parse_move(RULES.start(), "f5"), RULES.parse_move(RULES.start(), "d6")
    made.do(cmd.PlayMove(f5))
    there = BoardStep(f5, RULES.captured(start.position, f5), Color.BLACK)
    assert made.session.view.step == there
    made.do(cmd.Undo())
    back = replace(there, color=Color.WHITE)
    assert made.session.view.step == back
    made.do(cmd.Redo(), cmd.PlayMove(d6), cmd.Browse(-1), cmd.Browse(-1))
    assert made.session.view.step == back
    made.do(cmd.Browse(1))
    assert made.session.view.step == there
    for command in (cmd.GoTo(0), cmd.Visit(made.session.game.moves), cmd.NewGame()):
        made.do(cmd.Browse(1), cmd.Browse(1), command)
        assert made.session.view.step is None
    made.do(cmd.NewGame(), cmd.PlayVariation((f5,)))
    assert made.session.view.step == there
    made.do(cmd.PlayVariation((d6, RULES.parse_move(RULES.start(), "c3"))))
    assert made.session.view.step is None


def test_who_gives_back_a_seat_by_undo_is_dismissed_and_who_takes_it_is_prepared() -> None:
    made = table(PERSON, FIRST)
    made.do(cmd.PlayMove(Move(19)), cmd.SwapSides())
    dismissed, prepared = len(made.script.dismissed), len(made.script.prepared)
    made.do(cmd.Undo())
    assert len(made.script.dismissed) > dismissed
    assert made.script.prepared[prepared:] == ["first"]


def test_undo_brings_a_deleted_line_back_where_it_was_with_all_that_was_known_of_it() -> None:
    made = table(PERSON, PERSON)
    made.do(cmd.PlayMove(Move(19)), cmd.GoTo(0))
    for move in (26, 37, 44):
        made.do(cmd.GoTo(0), cmd.PlayVariation((Move(move),)))
    start, line = made.session.game.at(0), made.session.game.at(0).play(Move(37))
    made.do(
        cmd.Visit(line.moves), cmd.Annotate("a try"), cmd.PlayVariation(line.legal_moves()[:1]), cmd.Visit(line.moves)
    )
    before = made.session.history.tree
    made.do(cmd.DeleteLine())
    assert made.session.history.tree.variations(start) == (19, 26, 44)
    made.do(cmd.Undo())
    assert made.session.history.tree.variations(start) == (19, 26, 37, 44)
    assert made.session.history.tree.node(line) == before.node(line)
    assert (made.session.view.shown.moves, made.ply) == (line.moves, 1)
    made.do(cmd.Redo())
    assert made.session.history.tree.variations(start) == (19, 26, 44)
    made.do(cmd.Undo(), cmd.Undo())  # the note comes next
    assert made.session.history.tree.known(line).note == ""
    made.do(cmd.Undo(), cmd.Undo())  # back to the game, whose moves follow
    assert made.ply == 0


def test_undo_takes_moves_and_edits_back_in_the_order_in_which_they_were_made() -> None:
    made = table(PERSON, PERSON)
    made.do(cmd.PlayMove(Move(19)), cmd.Annotate("first"), cmd.PlayMove(Move(18)), cmd.Annotate("second"))

    def notes() -> list[str]:
        tree = made.session.history.tree
        return [moment.note for moment in tree.along(tree.line)]

    seen = [(made.ply, notes())]
    for command in [cmd.Undo()] * 4 + [cmd.Redo()] * 4:
        made.do(command)
        seen.append((made.ply, notes()))
    assert seen[:5] == [
        (2, ["", "first", "second"]),
        (2, ["", "first", ""]),
        (1, ["", "first", ""]),
        (1, ["", "", ""]),
        (0, ["", "", ""]),
    ]
    assert seen[5:] == seen[3::-1]


def test_a_game_that_was_led_elsewhere_is_led_back() -> None:
    made = table(PERSON, PERSON)
    made.do(cmd.PlayMove(Move(19)), cmd.PlayMove(Move(18)), cmd.PlayMove(Move(17)), cmd.Undo())
    tree = made.session.history.tree
    made.do(cmd.GoTo(1), cmd.PlayFromHere(), cmd.PlayMove(Move(20)), cmd.Undo(), cmd.Undo())
    assert (made.session.history.tree.game, made.session.history.tree.line) == (tree.game, tree.line)
    made.do(cmd.Redo())
    assert (made.ply, made.session.history.tree.line.moves) == (1, (19, 20))


def test_an_analysis_of_another_game_gives_the_memory_of_the_last_one_back() -> None:
    made = table(FIRST, PERSON)
    made.do(cmd.Analyse(SECOND))
    game, before = made.session.game, len(made.analyst.dismissed)
    made.do(cmd.NewGame())
    assert made.analyst.dismissed[before:] == [game]
    assert made.analyst.requests[-1][0] is not game, "and goes on with the new one"
