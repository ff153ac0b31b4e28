"""What the window of a game shows at one moment, as values, and how that is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pygame

from othello.gui import actions, sentences, theme, wording
from othello.gui.commands import Switch
from othello.gui.faces.board import BoardState
from othello.gui.faces.face import Face
from othello.gui.faces.registry import face_of
from othello.gui.layout import Layout
from othello.gui.scenes.cards import card
from othello.gui.scenes.mode import Mode
from othello.gui.scenes.view import View
from othello.gui.toolkit.shapes import draw_scroll_bar
from othello.gui.views import frame, moves, panels, values
from othello.gui.widgets import Widgets
from othello.play import commands as play
from othello.play.session import Session
from othello.rules.protocol import Color, Move
from othello.texts import say

if TYPE_CHECKING:
    from othello.gui.dialogs.dialog import Dialog


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything that the window shows. Two equal pictures look the same, so the second need not be drawn.

    Attributes:
        buttons: the look of the widgets.
        occasion: what is special about the game, in ever fewer words; empty where nothing is.
        score: what black and white have.
        search: the search in figures, None where it is not wanted.
        is_bad: whether the status is bad news.
        over: what lies over the board.
        past: which position is shown instead of the game's latest; empty where that is shown.
        flip_at: the time that the flip animation has reached.
        beside: what the mode shows beside the board, None while playing.
        dialog: the dialog that is open, and how often it has changed; None where none is.
    """

    size: tuple[int, int]
    scroll: int
    buttons: tuple[object, ...]
    occasion: tuple[str, ...]
    board: BoardState
    cards: tuple[frame.CardState, ...]
    score: tuple[int, int]
    moves: moves.MoveListState
    search: values.SearchState | None
    status: str
    is_bad: bool
    over: panels.Banner | panels.Result | panels.Offer | None
    past: str
    flip_at: float
    beside: object
    dialog: tuple[str, object] | None


def look(
    session: Session,
    view: View,
    *,
    occasion: Sequence[str],
    size: tuple[int, int],
    scroll: int,
    buttons: tuple[object, ...],
    mode: Mode | None,
    dialog: Dialog | None,
    hint: str,
    now: float,
) -> Picture:
    """What the window shows now.

    Args:
        session: the game.
        view: how the person looks at it.
        occasion: which game of a tournament it is, in ever fewer words.
        size: of the window.
        scroll: how far what is beside the board is scrolled.
        buttons: the look of the widgets.
        mode: what stands beside the board, None while playing.
        dialog: what lies over everything, None where nothing does.
        hint: what is said of a hint.
        now: the current time.
    """
    game, shown = session.game, session.view.shown
    face = face_of(game.rules.spec if mode is None else mode.spec)
    has_counts = face.has_captures and Switch.CAPTURES in view.shown
    notice = session.recorder.notice or session.thinking.not_kept
    return Picture(
        size=size,
        scroll=scroll,
        buttons=buttons,
        occasion=_with_rules(wording.unusual_rules(face.rules), occasion),
        board=_board(session, view) if mode is None else mode.board(_board(session, view)),
        cards=tuple(card(session, color, now) for color in Color),
        score=shown.rules.score(shown.position) if shown.rules.points else (0, 0),
        moves=view.moves.state(session),
        search=values.search_state(shown, session.view.report) if Switch.VALUES in view.shown else None,
        status=view.message
        or (mode and mode.status())
        or hint
        or sentences.status(session, view.typed.advice if view.typed else "", counts=has_counts),
        is_bad=bool(session.thinking.failure or notice or (view.message and not view.is_good)),
        over=_over(session, view, occasion, now, is_playing=mode is None) if mode is None or mode.shows_game else None,
        past=sentences.past(session) if mode is None else mode.past(),
        flip_at=0.0 if view.flip is None else now,
        beside=None if mode is None else (mode.name, mode.look()),
        dialog=None if dialog is None else (dialog.title, dialog.version),
    )


def _with_rules(rules: str, occasion: Sequence[str]) -> tuple[str, ...]:
    """Which game it is, before it the rules that are not the usual ones."""
    if not rules:
        return tuple(occasion)
    return (*(f"{rules} · {words}" for words in occasion), rules)


def _board(session: Session, view: View) -> BoardState:
    shown = session.view.shown
    rules = shown.rules
    report = session.history.tree.known(shown).report if Switch.VALUES in view.shown else None
    report = None if report is None or values.is_forced(report) else report
    captures = {}
    is_forfeited = session.view.is_live and session.referee.forfeit is not None
    if view.flip is None and not shown.must_pass and not is_forfeited:
        captures = {move: len(rules.captured(shown.position, move)) for move in shown.legal_moves()}
    return BoardState(
        position=shown.position,
        captures=captures,
        is_choice=not session.view.is_live or session.referee.seat.is_user,
        shows_counts=Switch.CAPTURES in view.shown and view.hint is None,
        shows_legal=Switch.LEGAL in view.shown,
        shows_coordinates=Switch.COORDINATES in view.shown,
        report=view.hint or report,
        last_move=shown.last_move if Switch.LAST_MOVE in view.shown else None,
        cursor=view.cursor,
        typed=view.typed,
        hover=view.hover,
        flip=view.flip,
        is_over=is_forfeited,
    )


def _over(
    session: Session, view: View, occasion: Sequence[str], now: float, *, is_playing: bool
) -> panels.Banner | panels.Result | panels.Offer | None:
    """What lies over the board, or for the end of a game, beside it."""
    rules, color = session.game.rules, session.game.to_move
    offered = view.offered(session)
    if offered is not None:
        return _offer(session, offered)
    if view.shows_result(session):
        return _result(session, occasion, now) if is_playing else None
    if session.announces_pass and view.flip is None:
        return panels.Banner(*sentences.no_move(session), say("pass.advice"), color=color)
    if view.shows_failure(session):
        title = say("failure.title", name=wording.player_name(rules, session.seats, color))
        failure = "" if session.thinking.failure is None else session.thinking.failure.sentence()
        steps = sentences.next_steps(session, actions.key_of(play.HandOver(color)))
        return panels.Banner(title, failure, steps, border=theme.WARNING)
    return None


def _offer(session: Session, move: Move) -> panels.Offer:
    """The question whether the game is to go on from the shown position."""
    shown, seats = session.view.shown, session.history.tree.known(session.view.shown).seats or session.seats
    rules, color = shown.rules, shown.to_move
    if not seats[color].is_user:  # whatever was pointed at
        return panels.Offer(say("offer.go_on"), say("offer.computers", name=wording.player_name(rules, seats, color)))
    title = say("offer.title", move=wording.move(shown, move), number=shown.ply + 1)
    return panels.Offer(title, say("offer.text"))


def _result(session: Session, occasion: Sequence[str], now: float) -> panels.Result:
    rules = session.game.rules
    details = [occasion[-1] if occasion else sentences.occasion(session)]
    if session.referee.forfeit is not None:
        details.insert(0, wording.fault(rules, session.referee.forfeit, sentences.contender(session)))
    if session.next_game_at is not None:
        details.append(say("results.countdown", seconds=max(1, round(session.next_game_at - now + 0.5))))
    black, white = (wording.player_name(rules, session.seats, color) for color in Color)
    title = sentences.ending(session)
    return panels.Result(
        title, session.referee.winner, *rules.score(session.game.position), (black, white), tuple(details)
    )


def draw(
    surface: pygame.Surface, layout: Layout, face: Face, picture: Picture, widgets: Widgets, mode: Mode | None
) -> None:
    """Draw the whole window, but for what lies over all of it."""
    style = layout.style
    surface.fill(theme.BACKGROUND)
    if mode is None:
        _draw_column(surface, layout, face, picture)
    else:
        mode.draw(surface, layout, face)
    _cover_hidden(surface, layout, picture.scroll)
    if mode is None or not mode.fills_window:  # in a high window the board is above the column
        face.draw(surface, layout.place, picture.board, picture.flip_at)
    if mode is not None:
        mode.draw_on_board(surface, layout, face)
    frame.draw_toolbar(surface, style, layout.toolbar, face)
    if picture.occasion:
        frame.draw_occasion(surface, style, layout.toolbar, picture.occasion)
    color = theme.WARNING if picture.is_bad else theme.MUTED
    place = layout.status if mode is None else mode.status_place(layout)
    frame.draw_status(surface, style, place, picture.status, color)
    if picture.past:
        frame.draw_past(surface, style, layout.board, picture.past)
    if isinstance(picture.over, panels.Offer):
        panels.draw_offer(surface, layout, picture.over)
    elif isinstance(picture.over, panels.Result):
        panels.draw_result(surface, layout, face, picture.over)
    elif picture.over is not None:
        panels.draw_banner(surface, layout, face, picture.over)
    widgets.draw(surface)
    if mode is not None:
        mode.draw_list(surface, layout)


def _cover_hidden(surface: pygame.Surface, layout: Layout, scroll: int) -> None:
    """Hide what is drawn of the column beyond what is to be seen of it, and tell how far it is scrolled."""
    seen, px = layout.viewport, layout.style.px
    if not layout.longest:
        return
    for top, bottom in ((0, seen.top), (seen.bottom, layout.window.bottom)):
        surface.fill(theme.BACKGROUND, (seen.left - px(4), top, seen.width + px(8), bottom - top))
    bar = pygame.Rect(seen.left, seen.top, seen.width + px(8), seen.height)
    draw_scroll_bar(surface, theme.LINE, bar, scroll, layout.longest, px(5))


def _draw_column(surface: pygame.Surface, layout: Layout, face: Face, picture: Picture) -> None:
    """What is beside the board while playing."""
    style = layout.style
    for state, rect in zip(picture.cards, layout.cards, strict=True):
        frame.draw_card(surface, style, face, rect, state)
    frame.draw_score_bar(surface, face, layout.score_bar, *picture.score)
    list_panel, search_panel = layout.side_panels(picture.search is not None)
    moves.draw(surface, style, list_panel, face, picture.moves)
    if search_panel is not None and picture.search is not None:
        values.draw_panel(surface, style, search_panel, picture.search)
