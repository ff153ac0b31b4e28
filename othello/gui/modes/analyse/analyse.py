"""The mode Analyse: a live search of the shown position, the move list with variations, and the evaluation curve."""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

import pygame

from othello.config import PlayerConfig
from othello.frozen_dataclass import FrozenDataclass
from othello.game import AnyGame
from othello.gui import commands as gui, labels, ui
from othello.gui.actions import BROWSE, Context
from othello.gui.boards.board_layout import BoardLayout, BoardState
from othello.gui.modes.analyse.evaluation_scale import Evaluation
from othello.gui.modes.analyse.live_search import LiveSearchMode
from othello.gui.toolbar import button
from othello.gui.widgets.board_widget import BoardMark
from othello.gui.widgets.search_tree import chosen_by, draw_note
from othello.gui.widgets.side_cards import SideCard, card
from othello.play import session_commands as cmd
from othello.play.assessment import judge_named
from othello.players.player_registry import type_title
from othello.rules.protocol import Color, Move, Square
from othello.search.report import SearchReport, Unit
from othello.texts import number, tr

_BUTTONS: Final = (*BROWSE, "here", "steps", "learn", "delete_line", "undo", "redo")
_MIN_HEIGHT: Final = 600  # minimum height of the column, in a scroll view if necessary
_MIN_PROGRESS_WIDTH: Final = 130  # width of the shortest progress text and the bar
_SIGMAS_95: Final = 1.96


class AnalyseMode(LiveSearchMode):
    """Shows a live search of the position on the board, and an evaluation curve of the game."""

    name = "analyse"
    has_switches = True
    reads_status = False  # screen readers get the curve's text of the position instead
    shows_values = True

    def enter(self, now: float) -> None:
        """Start a live search and an evaluation of the session's game."""
        super().enter(now)
        self._spec = self.spec
        in_chances = self.person.preferences.value.curve_in_chances
        self.evaluation = Evaluation(self.session, self._judge, in_chances=in_chances)

    @property
    def _judge(self) -> PlayerConfig:
        """The player that evaluates the game: the live search's, if that reports results."""
        return judge_named(self.engine, self.spec)

    # Commands.

    @gui.handles(cmd.TogglePause)
    def _pause(self, command: cmd.TogglePause, now: float) -> None:
        """Pause the game and all searches, or resume them if all are paused."""
        session, judge = self.session, self.session.game_analysis
        judges = judge is not None and judge.is_running and not judge.worker.is_paused
        can_pause = session.allows(cmd.TogglePause)
        pauses = not self.is_paused or judges or (can_pause and not session.pace.paused)
        if can_pause and session.pace.paused != pauses:
            session.do(cmd.TogglePause(), now)
        session.do(cmd.HoldAnalyses(pauses), now)

    @gui.handles(cmd.AnalyseGame)
    def _analyse_game(self, command: cmd.AnalyseGame, now: float) -> None:
        self.session.do(cmd.StopAnalysing() if self.session.is_judging else cmd.AnalyseGame(self._judge), now)

    @gui.handles(gui.PlainCommand.SWITCH_SCALE)
    def _switch_scale(self, command: gui.PlainCommand, now: float) -> None:
        if self.evaluation.has_discs:
            self._use(ui.ControlChanged("scale", not self.evaluation.in_chances), now)

    @gui.handles(ui.ControlChanged)
    def _use(self, command: ui.ControlChanged, now: float) -> None:
        if command.name != "scale":
            self.change_search(command.name, command.value, now)
            return
        self.evaluation.wants_chances = command.value
        self.person.preferences.change(curve_in_chances=command.value)

    @gui.handles(gui.Toggle)
    def _toggle(self, command: gui.Toggle, now: float) -> gui.Answer:
        if command.option != "shows_values":
            return gui.NOT_HANDLED
        self.shows_values = not self.shows_values
        return None

    @gui.handles(gui.MoveCursor)
    def _move_cursor(self, command: gui.MoveCursor, now: float) -> object:
        return cmd.Browse(command.columns) if command.columns else cmd.SwitchBranch(command.rows)

    # View.

    def update(self, now: float) -> None:
        if self.spec != self._spec:
            self.enter(now)
        super().update(now)
        self.evaluation.analyst = self._judge

    def state_key(self) -> int:
        return self.played

    @property
    def named_game(self) -> AnyGame:
        return self.played_out or self.session.view.shown

    def side_panel(self, now: float) -> ui.Widget:
        palette, renderer = self.style.palette, self.host.renderer
        curve = replace(self.evaluation.curve(self.person.limits, renderer), height=116)
        cards = [card(self.session, renderer, color, self.played_out, has_details=self._has_details) for color in Color]
        rows = [SideRow(facts, grow=True, height=40, min_content=120) for facts in cards]
        sides = ui.FirstThatFits((ui.Row(rows, 8), ui.Column([replace(row, grow=0) for row in rows])))
        moves = self.host.move_list(self.evaluation.signs)
        shown = ui.Card(ui.Column((self._curve_head(palette), curve), 2), (12, 8), palette.panel, palette.edge)
        search = partial(self.search_panel, self._button("hold_analysis"))
        small = partial(search, has_tree=False)
        panels = search(), small(), small(is_whole=False), small(has_line=False)
        choices = [ui.Column((shown, moves, panel)) for panel in panels]
        footer = ui.Flow([self._button(name) for name in _BUTTONS])
        whole = ui.Column((sides, ui.FirstThatFits(choices, grow=True), footer))
        return _TallColumn(whole, ui.Column((sides, choices[-1], footer)))

    def _curve_head(self, palette: ui.Palette) -> ui.Widget:
        """Return the row above the curve: its scale, and the progress of the game's analysis."""
        judge = type_title(self.evaluation.analyst.kind)
        title = ui.Label(tr("analysis.curve", judge=judge), 12, palette.muted, bold=True, must_fit=True)
        options = ((False, tr("analysis.discs")), (True, tr("analysis.chances")))
        chosen, called = self.evaluation.in_chances, tr("spoken.scale")
        scale = ui.SegmentedControl(options, chosen, accessible_name=called, name="scale", width=128, height=26)
        scales = (scale,) if self.evaluation.has_discs else ()
        end = replace(self._button("stop_analysis" if self.session.is_judging else "analyse_game"), height=26)
        progress = self._progress()
        whole, rest, last = (title, *scales, progress, end), ui.Row((*scales, progress, end)), ui.Row((progress, end))
        narrow = ui.Column((title, rest), 2), ui.Column((title, *scales, last), 2)
        return ui.FirstThatFits((ui.Row(whole, 12), ui.Row(whole, 6), *narrow))

    def _progress(self) -> ui.Widget:
        words, share, analysis = tuple[str, ...](), None, self.session.game_analysis
        if analysis is not None and analysis.is_running and analysis.ply is not None:
            line, share = self.session.history.tree.line, analysis.share
            moves, move = line.number, line.at(analysis.ply).number + 1
            words = tr("analysis.running", move=move, moves=moves), tr("analysis.running_short", move=move, moves=moves)
        elif analysis is not None and analysis.worker.failure is not None:
            words = (analysis.worker.failure.sentence(),)
        return ProgressNote(words, share, grow=True, height=26, min_content=0 if share is None else _MIN_PROGRESS_WIDTH)

    def _button(self, name: str) -> ui.Button:
        session = self.session
        enabled = {
            **self.enabled(),
            "here": not session.view.is_at_latest and not session.referee.job.is_rated,
            "delete_line": session.view.is_in_variation,
            "analyse_game": session.game_analysis is not None and self.evaluation.has_more,
        }.get(name, True)
        is_hold = name == "hold_analysis" and self.is_paused
        return button(name, Context.GAME, enabled=enabled, chosen=is_hold, other=is_hold)

    def board(self, state: BoardState) -> BoardState:
        """Show the values of the position, or the position that the best line leads to while it is played out."""
        game, report = self.played_out, self.report
        if game is not None:
            last = game.last_move if state.last_move is not None else None
            still = replace(state, position=game.position, report=None, last_move=last, hover=None)
            return replace(still, captures={}, others=None)
        report = report if self.shows_values else None
        return replace(state, report=report, losses=self.person.losses(report))

    @property
    def _has_details(self) -> bool:
        return self.person.preferences.value.details

    def marks(self) -> tuple[BoardMark, ...]:
        """Return a note on the value under the mouse or the cursor."""
        view_state, report = self.host.view_state, self.report
        square = view_state.hover if view_state.hover is not None else view_state.cursor
        moves = [] if square is None else self.host.renderer.values(report, self.picked).get(square, [])
        if report is None or square is None or not moves or not self.shows_values or self.played:
            return ()
        words = about(self.session.view.shown, report, moves[0].move, has_details=self._has_details)
        return (ValueNote(square, words),) if words else ()

    def history_label(self) -> str | None:
        return tr("past.line", n=self.played) if self.played_out is not None else None

    def announcement(self) -> str:
        return ""  # the text of the curve says which move led here

    def status(self) -> str:
        game = self.played_out
        if game is not None:
            last = labels.last_move(game)
            return tr("analysis.played_out", n=self.played, moves=len(self.pv), move=last)
        shown, report = self.session.view.shown, self.report
        side = labels.side(shown.rules, shown.to_move)
        judge = type_title(self.engine)
        note = self.session.history.tree.known(shown).note
        if note:
            return tr("note.shown", note=note)
        if self.note or report is None:
            return self.note or tr("analysis.status", side=side, judge=judge)
        if report.value is None:  # many programs report no value
            return tr("analysis.status_move", side=side, judge=judge, move=labels.move(shown, report.move))
        wanted = self.person.preferences.value
        if wanted.details and wanted.values_by == "bound" and any(stats.terms for stats in report.moves):
            return tr("analysis.status_bound", side=side, judge=judge)
        is_score = report.unit is Unit.SCORE
        return tr("analysis.status_score" if is_score else "analysis.status", side=side, judge=judge)


class _TallColumn(ui.Container):
    """A column with a minimum height, which grows if the essential part needs more."""

    column: ui.Widget
    essential: ui.Widget  # only measured, not shown

    def measure(self, style: ui.Style, width: float) -> ui.Size:
        return ui.Size(width, max(_MIN_HEIGHT, self.essential.size(style, width).height))

    def layout_children(self, style: ui.Style, box: ui.Box, state: Mapping[str, Any]) -> ui.Parts:
        yield self.column, box


class SideRow(ui.Widget):
    """A player in one line."""

    card: SideCard

    def accessible(self, on: ui.PaintContext) -> ui.AccessibleNode:
        return self.card.accessible(on)

    def draw(self, on: ui.PaintContext) -> None:
        style, px, palette, rect, side = on.style, on.style.px, on.style.palette, on.rect, self.card
        ground, edge = (palette.active, palette.accent) if side.is_active else (palette.panel, palette.edge)
        ui.fill_rounded(on.surface, rect, px(8), ground, edge, px(2) if side.is_active else 1)
        side.renderer.draw_piece(on.surface, (rect.left + px(22), rect.centery), px(24), side.color)
        points = on.text((rect.right - px(14), rect.centery), side.points, 16, anchor="midright", bold=True)
        room = points.left - rect.left - px(50)
        at = on.text((rect.left + px(44), rect.centery), side.title, (14, 13, 12, 11, 10, 9, 8), bold=True, room=room)
        note = side.note or (tr("cards.to_move") if side.is_active else "")
        image = style.text(note, 12, palette.accent if side.is_active else palette.last_text, bold=True)
        left = at.right + px(10)
        if left + image.get_width() < points.left:
            on.image(image, at=(left, rect.centery), anchor="midleft")


class ProgressNote(ui.Widget):
    """The progress of the game's analysis: a text and a bar."""

    words: tuple[str, ...]  # from long to short
    share: float | None = None

    def accessible(self, on: ui.PaintContext) -> ui.AccessibleNode | None:
        return ui.AccessibleNode("label", value=self.words[0]) if self.words else None

    def draw(self, on: ui.PaintContext) -> None:
        px, palette, right = on.style.px, on.style.palette, on.rect.right
        if self.share is not None and on.rect.width > 0:
            width = min(px(72), on.rect.width // 3)
            track = pygame.Rect(right - width, on.rect.centery - px(3), width, px(6))
            ui.fill_share(on.surface, track, self.share, palette.accent, palette.line)
            right = track.left - px(8)
        room = right - on.rect.left
        if room >= px(60) and self.words:
            on.text((right, on.rect.centery), self.words, 12, palette.muted, anchor="midright", room=room)


def about(game: AnyGame, report: SearchReport, move: Move, *, has_details: bool) -> tuple[str, ...]:
    """Return details of a move's value; with `has_details`, how certain the value is. Empty: no details.

    The interval contains the expected result in 95 % of cases (Wilson's score interval, J. Am. Stat. Assoc. 22, 1927).
    """
    stats = next((stats for stats in report.moves if stats.move == move), None)
    if stats is None or stats.value is None:
        return ()
    is_proved = report.unit is Unit.DISCS or stats.is_proven
    is_counted = has_details and report.unit is Unit.REWARD and report.simulations and stats.visits
    if is_proved or not is_counted:
        value = labels.value(stats.value, report.unit)
        if not stats.exact:
            return (tr("values.bound", value=value),)
        value = labels.on_board(value, report.expected_end(game, move))
        if is_proved:
            return (tr("values.proved", value=value), *(chosen_by(stats) if has_details else ()))
        return (tr("values.score" if report.unit is Unit.SCORE else "values.expected", value=value),)
    n, mean = stats.visits, stats.value
    z, spread = _SIGMAS_95, 1 + _SIGMAS_95**2 / n
    middle, half = mean + z * z / (2 * n), z * math.sqrt(mean * (1 - mean) / n + (z / (2 * n)) ** 2)
    low, high = (middle - half) / spread, (middle + half) / spread
    words = [tr("values.interval", low=number(100 * low, ".1f"), high=number(100 * high, ".1f"))]
    return (*words, *chosen_by(stats))


class ValueNote(FrozenDataclass):
    """A short text on the board beside a square."""

    square: Square
    words: tuple[str, ...]

    def draw(self, surface: pygame.Surface, layout: BoardLayout) -> None:
        draw_note(surface, layout.style, self.words, layout.square_rect(self.square), layout.board)
