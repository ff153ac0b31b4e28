"""The layout of the game screen below the toolbar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from othello.errors import cause_of
from othello.gui import sentences, ui
from othello.gui.play.board import BOARD, BoardPanel, Status, TablePlaces
from othello.gui.play.mode import PLAY, Mode
from othello.gui.play.over import board_overlay, result
from othello.gui.toolbar import button
from othello.texts import joined, say

if TYPE_CHECKING:
    pass

from othello.gui.play.host import ModeHost


def game_layout(host: ModeHost, mode: Mode, occasion: Sequence[str], now: float) -> ui.Panel:
    """Return everything below the toolbar.

    Args:
        host: the game screen.
        mode: its mode.
        occasion: which game of a tournament is played, in ever fewer words; empty for other games.
        now: the current time.
    """
    column = mode.side_panel(now)
    if mode.fills_window:
        return column
    session, looking = host.session, host.looking
    over = board_overlay(session, looking, host.style, host.face) if mode.shows_game else None
    has_result = mode.name == PLAY and over is None and looking.shows_result(session)
    board = board_panel(host, mode, now)
    caption = mode.caption(board.state.pointed)
    return TablePlaces(
        board,
        ui.Label((" · ".join(caption), *caption[1:]), 11, bold=True, align="center"),
        _status(host, mode),
        (*_switches(host, mode), *mode.status_buttons()),
        column,
        over,
        result(session, occasion, now, host.style, host.face, has_details=host.preferences.value.details)
        if has_result
        else (),
        mode.footer(),
    )


def board_panel(host: ModeHost, mode: Mode, now: float) -> BoardPanel:
    """Return the widget of the board in a mode."""
    history_label = mode.history_label()
    return BoardPanel(
        host.face,
        mode.board(host.board_state()),
        host.preferences.value.text_size / 100,
        0.0 if host.looking.flip is None else now,
        mode.marks(),
        sentences.history_label(host.session) if history_label is None else history_label,
        name=BOARD,
    )


def _status(host: ModeHost, mode: Mode) -> ui.Panel:
    session, looking = host.session, host.looking
    counts = host.has_both + 1 if host.face.has_captures and host.preferences.value.shows_captures else 0
    advice = looking.typed.advice if looking.typed else ""
    words, meanwhile = mode.status(), looking.message or host.hints.words
    if not words:
        told = sentences.status(session, advice, counts=counts), mode.remark(), looking.introduced(session)
        words = joined(*told)
    unsaved = None if host.files.library is None else host.files.library.notice
    if unsaved is not None:
        words = joined(say("files.unsaved", reason=cause_of(unsaved)), words)
    notice = unsaved or session.not_recorded or session.worker.not_kept or session.worker.failure
    is_bad = bool(notice or (looking.message and not looking.is_good))
    is_urgent = is_bad or (session.view.is_at_latest and (session.referee.is_over or session.announces_pass))
    live = "assertive" if is_urgent else "polite" if mode.reads_status else ""
    return Status(words, is_bad, meanwhile, mode.announcement(), live, looking.background_status, name="status")


def _switches(host: ModeHost, mode: Mode) -> tuple[ui.Panel, ...]:
    """Return the buttons of the options of the board."""
    if not mode.has_switches:
        return ()
    has_captures = host.face.has_captures
    chosen = has_captures and host.preferences.value.shows_captures
    return (
        button("captures", host.place, enabled=has_captures, chosen=chosen, other=chosen and host.has_both),
        button("values", host.place, chosen=mode.shows_values),
    )
