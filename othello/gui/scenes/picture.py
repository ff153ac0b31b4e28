"""What the scene of a game looks like at one moment, and how that is drawn."""

from __future__ import annotations

from dataclasses import dataclass, field

import pygame

from othello.game import AnyGame
from othello.gui import theme, wording
from othello.gui.actions import Where, key_list
from othello.gui.layout import Layout
from othello.gui.texts import say
from othello.gui.views import board, cards, frame, moves, panels, values
from othello.gui.widgets import Widgets
from othello.play.session import Session
from othello.rules.protocol import Color, Move


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything that the window shows. Two equal pictures look the same, so the second need not be drawn.

    Attributes:
        session: the game; of it, `version` tells whether it looks the same.
        occasion: which game of a tournament it is, in ever fewer words; none elsewhere.
        buttons: the look of the widgets.
        message: an answer to the person's last input, empty where none is needed.
        column: the column of a half-typed move.
        hovered_ply: the ply in the list of moves that the mouse is on.
        first_row: how far that list is scrolled.
        flip_at: the time that the flip animation has reached.
        times: used by black and white, or left on their clocks.
        low: whether hardly any of it is left.
        thinking: seconds since the running search began.
        countdown: seconds until the next game begins by itself, 0 where none does.
    """

    session: Session = field(compare=False)
    version: int
    occasion: tuple[str, ...]
    size: tuple[int, int]
    buttons: tuple[object, ...]
    shows_captures: bool
    shows_values: bool
    shows_help: bool
    shows_result: bool
    shows_failure: bool
    message: str
    cursor: Move | None
    column: int | None
    hover: Move | None
    hovered_ply: int | None
    first_row: int
    flip: board.Flip | None
    flip_at: float
    times: tuple[str, str]
    low: tuple[bool, bool]
    thinking: float | None
    countdown: int


def draw(surface: pygame.Surface, layout: Layout, picture: Picture, widgets: Widgets) -> None:
    """Draw the whole window."""
    session = picture.session
    surface.fill(theme.BACKGROUND)
    frame.draw_toolbar(surface, layout, session.delay)
    if session.is_rated:
        frame.draw_occasion(surface, layout, picture.occasion)
    board.draw(surface, layout, _board(picture), picture.flip_at)
    _draw_side(surface, layout, picture)
    is_bad = session.failure or session.notice or session.thinking.not_kept or picture.message
    typed = "abcdefgh"[picture.column] if picture.column is not None else ""
    text = picture.message or wording.status(session, typed, counts=picture.shows_captures)
    frame.draw_status(surface, layout.style, layout.status, text, theme.WARNING if is_bad else theme.MUTED)
    _draw_over_board(surface, layout, picture)
    widgets.draw(surface)
    if picture.shows_help:
        panels.draw_help(surface, layout, key_list(Where.RATED if session.is_rated else Where.GAME))


def _board(picture: Picture) -> board.BoardState:
    shown: AnyGame = picture.session.shown
    searched = picture.session.shown_report if picture.shows_values else None
    captures = {}
    is_forfeited = picture.session.is_live and picture.session.forfeit is not None
    if picture.flip is None and not shown.must_pass and not is_forfeited:
        captures = {move: len(shown.rules.captured(shown.position, move)) for move in shown.legal_moves()}
    return board.BoardState(
        position=shown.position,
        captures=captures,
        shows_counts=picture.shows_captures,
        report=None if searched is None or values.is_forced(searched[1]) else searched[1],
        is_past=searched is not None and searched[0] < picture.session.shown_ply,
        last_move=next((move for move in reversed(shown.moves) if not shown.rules.is_pass(move)), None),
        cursor=picture.cursor,
        column=picture.column,
        hover=picture.hover,
        flip=picture.flip,
    )


def _draw_side(surface: pygame.Surface, layout: Layout, picture: Picture) -> None:
    session, style = picture.session, layout.style
    black, white = session.shown.rules.score(session.shown.position)
    for color, rect, discs in zip(Color, layout.cards, (black, white), strict=True):
        cards.draw_card(surface, style, rect, _card(picture, color, discs))
    cards.draw_score_bar(surface, layout, black, white)
    list_panel, search_panel = layout.side_panels(picture.shows_values)
    listed = moves.MoveListState(moves.entries(session.game), session.shown_ply, picture.first_row, picture.hovered_ply)
    moves.draw(surface, moves.MoveGrid(style, list_panel), listed)
    if search_panel is not None:
        searched = session.shown_report
        title = say("search.title") if searched is None else say("search.of_move", move=searched[0] + 1)
        report = None if searched is None else searched[1]
        values.draw_panel(surface, style, search_panel, title, report, session.game.rules)


def _card(picture: Picture, color: Color, discs: int) -> cards.CardState:
    session, game = picture.session, picture.session.game
    is_active = game.to_move is color and not session.is_over
    has_passed = bool(game.moves) and game.rules.is_pass(game.moves[-1]) and not is_active and not session.is_over
    return cards.CardState(
        color=color,
        name=wording.player_name(session.seats, color),
        details=wording.player_details(session.seats[color]),
        discs=discs,
        time=picture.times[color],
        has_clock=session.seats[color].clock_seconds is not None,
        is_low=picture.low[color],
        is_active=is_active,
        thinking=picture.thinking if is_active else None,
        note=say("cards.passed") if has_passed else say("cards.passes") if is_active and game.must_pass else "",
    )


def _draw_over_board(surface: pygame.Surface, layout: Layout, picture: Picture) -> None:
    session = picture.session
    if picture.shows_result:
        panels.draw_result(surface, layout, _result(picture))
    elif session.announces_pass and picture.flip is None:
        side = session.game.to_move
        name, other = wording.side(side), wording.side(side.opponent)
        text = say("pass.text", side=name, other=other)
        banner = panels.Banner(say("pass.title", side=name), text, say("pass.advice"), color=side)
        panels.draw_banner(surface, layout, banner)
    elif picture.shows_failure:
        title = say("failure.title", name=wording.player_name(session.seats, session.game.to_move))
        banner = panels.Banner(title, session.failure or "", wording.next_steps(session), border=theme.WARNING)
        panels.draw_banner(surface, layout, banner)


def _result(picture: Picture) -> panels.Result:
    session = picture.session
    black, white = session.game.rules.score(session.game.position)
    names = (wording.player_name(session.seats, Color.BLACK), wording.player_name(session.seats, Color.WHITE))
    details = [picture.occasion[-1] if picture.occasion else wording.occasion(session)]
    if session.forfeit is not None:
        details.insert(0, wording.fault(session.forfeit))
    if picture.countdown:
        details.append(say("results.countdown", seconds=picture.countdown))
    return panels.Result(wording.outcome(session.winner), session.winner, black, white, names, tuple(details))
