"""What clicks and keys around a board mean: a move, a look at another position, or only another square pointed at."""

from __future__ import annotations

from othello.game import AnyGame
from othello.gui import commands as gui
from othello.gui import wording
from othello.gui.commands import Command, Point, WindowCommand
from othello.gui.faces.face import Face
from othello.gui.layout import Layout
from othello.gui.scenes.view import View
from othello.gui.views.move_table import MoveTable
from othello.play import commands as play
from othello.play.session import Session
from othello.rules.protocol import Move
from othello.texts import say


def follow(
    command: WindowCommand, session: Session, view: View, layout: Layout, face: Face, table: MoveTable
) -> Command | None:
    """Take what the person does into the view, and say what follows from it.

    Args:
        command: what the person does.
        session: the game.
        view: how the person looks at it; changed.
        layout: where everything lies.
        face: of the game.
        table: where the moves of the list lie.
    """
    position = session.view.shown.position
    match command:
        case gui.PressAt(at):
            return _press(at, session, view, layout, face, table)
        case gui.PressRight(at):
            return annotated(view.moves.game_at(at, session, table), session)
        case gui.MoveCursor(columns, rows):
            view.cursor = face.moved(view.cursor, position, columns, rows)
        case gui.NextLegal(steps):
            view.cursor = face.next_legal(view.cursor, position, steps)
        case gui.Type(letter):
            return _type(letter, session, view, face)
        case gui.Confirm():
            return _confirm(session, view)
        case gui.Dismiss():
            return _dismiss(session, view)
    return None


def _press(at: Point, session: Session, view: View, layout: Layout, face: Face, table: MoveTable) -> Command | None:
    if session.announces_pass:
        return play.Acknowledge()
    view.cursor = None
    visited = view.moves.game_at(at, session, table)
    if visited is not None:
        return play.Visit(visited)
    if view.shows_failure(session) and layout.board.collidepoint(at):
        view.closed = session.game
        return None
    move = face.move_at(layout.place, at, session.view.shown.position)
    if view.offered(session) is not None:
        view.offer = None
        return None
    return None if move is None or view.shows_result(session) else _play(move, session, view)


def annotated(visited: AnyGame | None, session: Session) -> Command | None:
    """Look at a position to note something about it, where there is one."""
    if visited is None or session.referee.job.is_rated:
        return None
    session.view.visit(visited)
    return gui.Open("note")


def _type(letter: str, session: Session, view: View, face: Face) -> Command | None:
    typed = face.typed("" if view.typed is None else view.typed.text, letter, session.view.shown.position)
    if typed is not None and typed.move is not None and typed.is_complete:
        return _play(typed.move, session, view)
    if typed is not None:
        view.typed, view.message = typed, ""
    return None


def _play(square: Move, session: Session, view: View) -> Command:
    """What a move means: in an earlier position a step to what was played there, else the offer to play on from it."""
    can_move = session.awaits_person or not session.view.is_live
    if can_move and square not in session.view.shown.legal_moves():
        view.typed = None
        return gui.Tell(say("status.illegal", move=wording.move(session.view.shown, square)), is_good=False)
    if not session.view.is_live and not session.referee.job.is_rated:
        followed = (*session.view.shown.moves, square)
        is_known = session.history.tree.line.moves[: len(followed)] == followed
        return play.Explore((square,)) if is_known else gui.Offer(square)
    return play.PlayMove(square)


def _confirm(session: Session, view: View) -> Command | None:
    if session.announces_pass:
        return play.Acknowledge()
    if view.shows_result(session):
        return play.NewGame()
    offered = view.offered(session)
    if offered is not None:
        return play.PlayFromHere(offered)
    square = view.cursor if view.typed is None or view.typed.move is None else view.typed.move
    return None if square is None else _play(square, session, view)


def _dismiss(session: Session, view: View) -> Command | None:
    if view.typed is not None:
        view.typed = None
    elif view.offered(session) is not None:
        view.offer = None
    elif view.shows_result(session) or view.shows_failure(session):
        view.closed = session.game
    elif not session.view.is_live:
        return play.Visit(session.game)
    else:
        view.cursor = None
    return None
