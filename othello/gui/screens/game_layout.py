"""The layout of the game screen below the toolbar."""

from collections.abc import Sequence
from dataclasses import replace

from othello.errors import cause_of
from othello.gui import status_text, ui
from othello.gui.mode_registry import PLAY
from othello.gui.modes.mode import Mode
from othello.gui.modes.mode_host import ModeHost
from othello.gui.toolbar import button
from othello.gui.widgets.board_widget import BOARD, BoardPanel, GameScreenLayout, Status
from othello.gui.widgets.overlays import board_overlay, result
from othello.texts import joined, tr


def game_layout(host: ModeHost, mode: Mode, occasion: Sequence[str], now: float) -> ui.Widget:
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
    session, view_state = host.session, host.view_state
    over = board_overlay(session, view_state, host.renderer) if mode.shows_game else None
    has_result = mode.name == PLAY and over is None and view_state.shows_result(session)
    beside: tuple[ui.Widget, ...] = ()
    if has_result:
        beside = result(session, occasion, now, host.renderer, has_details=host.preferences.value.details)
    board = board_panel(host, mode, now)
    caption = mode.caption(host.renderer.pointed_move(board.state))
    return GameScreenLayout(
        board,
        ui.Label((" · ".join(caption), *caption[1:]), 11, bold=True, align="center"),
        _status(host, mode),
        (*_switches(host, mode), *mode.status_buttons()),
        column,
        over,
        beside,
        mode.footer(),
    )


def board_panel(host: ModeHost, mode: Mode, now: float) -> BoardPanel:
    """Return the widget of the board in a mode."""
    history_label = mode.history_label()
    state = mode.board(host.board_state())
    return BoardPanel(
        host.renderer,
        replace(state, picked=host.view_state.picked(state.position)),
        host.preferences.value.text_size / 100,
        0.0 if host.view_state.flip is None else now,
        mode.marks(),
        status_text.history_label(host.session) if history_label is None else history_label,
        name=BOARD,
    )


def _status(host: ModeHost, mode: Mode) -> ui.Widget:
    session, view_state = host.session, host.view_state
    words, meanwhile = _words(host, mode), view_state.message or host.hints.words
    unsaved = None if host.files.library is None else host.files.library.notice
    if unsaved is not None:
        words = joined(tr("files.unsaved", reason=cause_of(unsaved)), words)
    notice = unsaved or session.not_recorded or session.worker.save_failure or session.worker.failure
    is_bad = bool(notice or (view_state.message and not view_state.is_success))
    is_urgent = is_bad or (session.view.is_at_latest and (session.referee.is_over or session.announces_pass))
    live = "assertive" if is_urgent else "polite" if mode.reads_status else ""
    return Status(words, is_bad, meanwhile, mode.announcement(), live, view_state.background_status, name="status")


def _words(host: ModeHost, mode: Mode) -> str:
    session, advice, words = host.session, host.advice(mode.picked), mode.status()
    if words:
        return advice or words
    counts = host.has_both + 1 if host.renderer.has_captures and host.preferences.value.shows_captures else 0
    status = status_text.status(session, advice, counts=counts)
    return joined(status, mode.remark(), host.view_state.introduced(session))


def _switches(host: ModeHost, mode: Mode) -> tuple[ui.Widget, ...]:
    """Return the buttons of the options of the board."""
    if not mode.has_switches:
        return ()
    has_captures = host.renderer.has_captures
    chosen = has_captures and host.preferences.value.shows_captures
    return (
        button("captures", host.base_context, enabled=has_captures, chosen=chosen, other=chosen and host.has_both),
        button("values", host.base_context, chosen=mode.shows_values),
    )
