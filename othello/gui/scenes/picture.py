"""What the window of a game shows at one moment, as values, and how that is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import pygame

from othello.game import AnyGame
from othello.gui import theme, wording
from othello.gui.actions import Where, key_list
from othello.gui.commands import Switch
from othello.gui.dialog import Dialog
from othello.gui.faces.board import BoardState, Flip, Typed
from othello.gui.faces.face import Face
from othello.gui.faces.registry import face_of
from othello.gui.layout import Layout
from othello.gui.scenes.mode import Mode
from othello.gui.texts import say
from othello.gui.views import frame, moves, panels, values
from othello.gui.widgets import ButtonState, Widgets
from othello.play.session import Session
from othello.play.turns import PACES
from othello.rules.protocol import Color, Move
from othello.search.report import SearchReport

TICK_SECONDS: Final = 0.1  # the finest step of time that is shown
_LOW_SECONDS: Final = 10.0  # on a clock, time that is called low
_LOW_SHARE: Final = 0.2  # and of a short clock, so much of it


@dataclass(slots=True)
class View:
    """How somebody looks at a game.

    Attributes:
        shown: what is switched on.
        message: an answer to the person's last input, empty where none is needed.
        is_good: whether it says that all went well.
        cursor: the keyboard's square.
        typed: a move that is half typed.
        hover: the square under the mouse, where it could be played.
        hovered_ply: the ply in the list of moves that the mouse is on.
        first_row: how far that list is scrolled.
        flip: what is turning over.
        closed: the game whose result or failure was closed.
        hint: the search for the person's best move, None where no hint is shown.
    """

    shown: frozenset[Switch] = frozenset(Switch) - {Switch.VALUES}
    message: str = ""
    is_good: bool = False
    cursor: Move | None = None
    typed: Typed | None = None
    hover: Move | None = None
    hovered_ply: int | None = None
    first_row: int = 0
    flip: Flip | None = None
    closed: AnyGame | None = None
    hint: SearchReport | None = None

    def shows_result(self, session: Session) -> bool:
        return session.is_over and session.is_live and session.game is not self.closed and self.flip is None

    def shows_failure(self, session: Session) -> bool:
        return session.failure is not None and session.game is not self.closed


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
        keys: the list of keys, empty where it is closed.
        flip_at: the time that the flip animation has reached.
        beside: what the mode shows beside the board, None while playing.
        dialog: the dialog that is open, and how often it has changed; None where none is.
    """

    size: tuple[int, int]
    buttons: tuple[object, ...]
    occasion: tuple[str, ...]
    board: BoardState
    cards: tuple[frame.CardState, ...]
    score: tuple[int, int]
    moves: moves.MoveListState
    search: values.SearchState | None
    status: str
    is_bad: bool
    over: panels.Banner | panels.Result | None
    keys: tuple[tuple[str, str], ...]
    flip_at: float
    beside: object
    dialog: tuple[str, int] | None


def button_states(session: Session, view: View, face: Face) -> dict[str, ButtonState]:
    """The looks of the buttons that do not always look the same."""
    return {
        "slower": ButtonState(enabled=session.delay < PACES[-1]),
        "faster": ButtonState(enabled=session.delay > PACES[0]),
        **{switch.value: ButtonState(selected=switch in view.shown) for switch in Switch},
        "captures": ButtonState(face.has_captures, selected=face.has_captures and Switch.CAPTURES in view.shown),
        "first": ButtonState(enabled=session.shown_ply > 0),
        "back": ButtonState(enabled=session.shown_ply > 0),
        "forward": ButtonState(enabled=session.shown_ply < session.view.listed.ply),
        "last": ButtonState(enabled=session.shown_ply < session.view.listed.ply),
        "pause": ButtonState(session.can_pause, selected=session.paused, other=session.paused),
        "step": ButtonState(enabled=session.can_step),
        "move_now": ButtonState(enabled=session.can_hurry),
        "undo": ButtonState(enabled=session.can_undo),
        "redo": ButtonState(enabled=session.can_redo),
        "new": ButtonState(enabled=session.is_over or not session.is_rated),
        "hand_black": ButtonState(other=session.seats[Color.BLACK].is_user),
        "hand_white": ButtonState(other=session.seats[Color.WHITE].is_user),
    }


def turn_button(session: Session) -> str:
    """The button that fits whose turn it is."""
    if session.is_rated or session.is_between_computers:
        return "step"
    return "hint" if session.awaits_person or session.is_over else "move_now"


def look(
    session: Session,
    view: View,
    *,
    where: Where | None,
    occasion: Sequence[str],
    size: tuple[int, int],
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
        where: the place whose keys are listed, None where none are.
        occasion: which game of a tournament it is, in ever fewer words.
        size: of the window.
        buttons: the look of the widgets.
        mode: what stands beside the board, None while playing.
        dialog: what lies over everything, None where nothing does.
        hint: what is said of a hint.
        now: the current time.
    """
    game, shown = session.game, session.shown
    face = face_of(game.rules.spec)
    has_counts = face.has_captures and Switch.CAPTURES in view.shown
    notice = session.notice or session.thinking.not_kept
    listed = moves.MoveListState(
        moves.entries(session.view.listed), session.shown_ply, view.first_row, view.hovered_ply
    )
    return Picture(
        size=size,
        buttons=buttons,
        occasion=_with_rules(wording.unusual_rules(game.rules), occasion),
        board=_board(session, view) if mode is None else mode.board(_board(session, view)),
        cards=tuple(card(session, color, now) for color in Color),
        score=shown.rules.score(shown.position) if face.counts else (0, 0),
        moves=listed,
        search=values.search_state(game.rules, session.shown_report) if Switch.VALUES in view.shown else None,
        status=view.message
        or (mode and mode.status())
        or hint
        or wording.status(session, view.typed.advice if view.typed else "", counts=has_counts),
        is_bad=bool(session.failure or notice or (view.message and not view.is_good)),
        over=_over(session, view, occasion, now) if mode is None or mode.shows_game else None,
        keys=() if where is None else tuple(key_list(where, game.rules.name)),
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
    shown = session.shown
    rules: Any = shown.rules
    searched = session.shown_report if Switch.VALUES in view.shown else None
    captures = {}
    is_forfeited = session.is_live and session.forfeit is not None
    if view.flip is None and not shown.must_pass and not is_forfeited:
        captures = {move: len(rules.captured(shown.position, move)) for move in shown.legal_moves()}
    return BoardState(
        position=shown.position,
        captures=captures,
        shows_counts=Switch.CAPTURES in view.shown,
        shows_legal=Switch.LEGAL in view.shown,
        shows_coordinates=Switch.COORDINATES in view.shown,
        report=view.hint or (None if searched is None or values.is_forced(searched[1]) else searched[1]),
        is_past=view.hint is None and searched is not None and searched[0] < session.shown_ply,
        last_move=wording.last_move(shown) if Switch.LAST_MOVE in view.shown else None,
        cursor=view.cursor,
        typed=view.typed,
        hover=view.hover,
        flip=view.flip,
    )


def card(session: Session, color: Color, now: float) -> frame.CardState:
    game, seats = session.game, session.seats
    is_active = game.to_move is color and not session.is_over
    has_passed = any(map(game.rules.is_pass, game.moves[-1:])) and not is_active and not session.is_over
    note = say("cards.passed") if has_passed else say("cards.passes") if is_active and game.must_pass else ""
    remaining, limit = session.remaining(color, now), seats[color].clock_seconds
    return frame.CardState(
        color=color,
        name=wording.player_name(game.rules, seats, color),
        details=wording.player_details(seats[color]),
        points=str(session.shown.rules.score(session.shown.position)[color]) if face_of(game.rules.spec).counts else "",
        unit=say(f"games.{game.rules.name}.points", ""),
        time=_time(session, color, now),
        has_clock=limit is not None,
        is_low=remaining is not None and limit is not None and remaining < min(_LOW_SECONDS, limit * _LOW_SHARE),
        is_active=is_active,
        thinking=_thinking_seconds(session, now) if is_active else None,
        note=note,
    )


def _time(session: Session, color: Color, now: float) -> str:
    """What a side has left on its clock, or has used where it has none.

    A person's time is told to the second: nobody cares for more, and a window that waits for a person is to cost
    next to nothing.
    """
    remaining = session.remaining(color, now)
    if remaining is not None:
        return wording.time_left(remaining)
    return wording.time_used(session.clock.used(color, now), tenths=not session.seats[color].is_user)


def until_change(session: Session, color: Color, now: float) -> float:
    """How long the running time of a person looks the same, in seconds."""
    remaining = session.remaining(color, now)
    if remaining is None:
        return 1.01 - session.clock.used(color, now) % 1
    return TICK_SECONDS if remaining <= wording.TENTHS_LEFT + 1 else remaining % 1 + 0.01


def _thinking_seconds(session: Session, now: float) -> float | None:
    """Time since the search began, in steps that can be seen."""
    thinking = session.thinking
    if not thinking.is_running or thinking.started_at is None:
        return None
    return int(max(0.0, now - thinking.started_at) / TICK_SECONDS) * TICK_SECONDS


def _over(session: Session, view: View, occasion: Sequence[str], now: float) -> panels.Banner | panels.Result | None:
    """What lies over the board."""
    rules, color = session.game.rules, session.game.to_move
    if view.shows_result(session):
        return _result(session, occasion, now)
    if session.announces_pass and view.flip is None:
        side, other = wording.side(rules, color), wording.side(rules, color.opponent)
        text = say("pass.text", side=side, other=other)
        return panels.Banner(say("pass.title", side=side), text, say("pass.advice"), color=color)
    if view.shows_failure(session):
        title = say("failure.title", name=wording.player_name(rules, session.seats, color))
        return panels.Banner(title, session.failure or "", wording.next_steps(session), border=theme.WARNING)
    return None


def _result(session: Session, occasion: Sequence[str], now: float) -> panels.Result:
    rules = session.game.rules
    details = [occasion[-1] if occasion else wording.occasion(session)]
    if session.forfeit is not None:
        details.insert(0, wording.fault(rules, session.forfeit))
    if session.next_game_at is not None:
        details.append(say("results.countdown", seconds=max(1, round(session.next_game_at - now + 0.5))))
    black, white = (wording.player_name(rules, session.seats, color) for color in Color)
    title = wording.outcome(rules, session.winner)
    return panels.Result(title, session.winner, *rules.score(session.game.position), (black, white), tuple(details))


def draw(
    surface: pygame.Surface,
    layout: Layout,
    face: Face,
    picture: Picture,
    widgets: Widgets,
    mode: Mode | None,
    dialog: Dialog | None,
) -> None:
    """Draw the whole window."""
    style = layout.style
    surface.fill(theme.BACKGROUND)
    frame.draw_toolbar(surface, layout, face)
    if picture.occasion:
        frame.draw_occasion(surface, layout, picture.occasion)
    face.draw(surface, layout.place, picture.board, picture.flip_at)
    if mode is None:
        _draw_column(surface, layout, face, picture)
    else:
        mode.draw(surface, layout, face)
    color = theme.WARNING if picture.is_bad else theme.MUTED
    frame.draw_status(surface, style, layout.status, picture.status, color)
    if isinstance(picture.over, panels.Result):
        panels.draw_result(surface, layout, face, picture.over)
    elif picture.over is not None:
        panels.draw_banner(surface, layout, face, picture.over)
    widgets.draw(surface)
    if dialog is not None:
        dialog.draw(surface)
    if picture.keys:
        panels.draw_help(surface, layout, picture.keys)


def _draw_column(surface: pygame.Surface, layout: Layout, face: Face, picture: Picture) -> None:
    """What is beside the board while playing."""
    style = layout.style
    for card, rect in zip(picture.cards, layout.cards, strict=True):
        frame.draw_card(surface, style, face, rect, card)
    frame.draw_score_bar(surface, face, layout.score_bar, *picture.score)
    list_panel, search_panel = layout.side_panels(picture.search is not None)
    moves.draw(surface, moves.MoveGrid(style, list_panel, face.squares), face, picture.moves)
    if search_panel is not None and picture.search is not None:
        values.draw_panel(surface, style, search_panel, picture.search)
