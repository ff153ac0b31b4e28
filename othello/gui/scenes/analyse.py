"""The mode that shows what a search thinks of whatever position is looked at, and how the game went."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import pygame
from pygame import Rect

from othello.config import PlayerConfig
from othello.gui import bars, theme
from othello.gui import commands as gui
from othello.gui.actions import Where
from othello.gui.commands import Command
from othello.gui.faces.board import BoardState
from othello.gui.faces.face import Face
from othello.gui.faces.registry import face_of
from othello.gui.layout import Layout
from othello.gui.scenes.cards import card
from othello.gui.scenes.mode import Mode, Person
from othello.gui.shapes import fill_rounded
from othello.gui.texts import say
from othello.gui.views import analysis, moves, values
from othello.gui.views.frame import CardState
from othello.gui.widgets import ButtonState
from othello.play import commands as play
from othello.play.session import Session
from othello.players.registry import PLAYERS, configure, refusal
from othello.rules.protocol import Color
from othello.schema import options_of
from othello.search.report import Unit

_SECONDS: Final = 60.0
_ENGINES: Final = ("mcts_uct", "engine", "mcts_ucb1", "mcts_grouping", "heuristic")
_CURVE_LEAST: Final = 600  # a column that is lower, in design pixels, has no room for the curve
_BUTTONS: Final = ("first", "back", "forward", "last", "here", "engine", "hold_analysis")


@dataclass(frozen=True, slots=True)
class AnalysisPicture:
    """What the column shows."""

    cards: tuple[CardState, ...]
    curve: analysis.CurveState
    moves: moves.MoveListState
    search: values.SearchState
    bars: analysis.BarsState


@dataclass(frozen=True)
class Places:
    """Where that lies, in real pixels; what there is no room for is None."""

    cards: tuple[Rect, Rect]
    curve: Rect | None
    moves: Rect
    search: Rect
    bars: Rect
    buttons: Mapping[str, Rect]


def places(layout: Layout) -> Places:
    """Divide the column: the curve goes first where there is little room."""
    px, column = layout.style.px, layout.column
    gap, half = px(8), (layout.column.width - px(8)) // 2
    top = column.top
    cards = (Rect(column.left, top, half, px(40)), Rect(column.right - half, top, half, px(40)))
    top += px(40) + gap
    buttons, bottom = bars.controls(layout.style, column, column.bottom, Where.GAME, _BUTTONS)
    bottom -= px(12)
    curve = None
    if column.height >= px(_CURVE_LEAST):
        curve = Rect(column.left, top, column.width, px(160))
        top += curve.height + gap
    rest = bottom - top - gap
    moves_height = min(px(168), rest * 2 // 5)
    search = Rect(column.left, top + moves_height + gap, column.width, rest - moves_height)
    figures = px(88)
    return Places(
        cards=cards,
        curve=curve,
        moves=Rect(column.left, top, column.width, moves_height),
        search=search,
        bars=Rect(search.left + px(12), search.top + figures, search.width - px(24), search.height - figures - px(4)),
        buttons=buttons,
    )


def _unbounded(player_type: str) -> PlayerConfig:
    """A player that searches as long as it is let, but not for ever."""
    options = options_of(PLAYERS[player_type].config_type).items()
    bounds = {key: option.maximum for key, option in options if option.is_bound}
    return configure(player_type, time_limit_seconds=_SECONDS, **bounds)


class AnalyseMode(Mode):
    """A live search of the shown position, by any player that plays the game."""

    name = "analyse"

    def __init__(self, session: Session, now: float, person: Person) -> None:
        super().__init__(session, now, person)
        spec = session.game.rules.spec
        self._engines = [engine for engine in map(_unbounded, _ENGINES) if not refusal(engine, spec)]
        self._engine = 0
        self._usual_plies = face_of(spec).squares
        self._first_row = 0
        self._shown_ply = -1
        self._picture: AnalysisPicture | None = None
        self._hover: int | None = None
        self._search(now)

    def _search(self, now: float) -> None:
        self.session.do(play.Analyse(self._engines[self._engine]), now)

    @property
    def _is_held(self) -> bool:
        return self.session.analysis is None or self.session.analysis.player is None

    def leave(self, now: float) -> None:
        self.session.do(play.Analyse(None), now)

    # Commands.

    def buttons(self, layout: Layout) -> Mapping[str, Rect]:
        return places(layout).buttons

    def button_states(self) -> Mapping[str, ButtonState]:
        return {
            "here": ButtonState(enabled=not self.session.is_live and not self.session.is_rated),
            "hold_analysis": ButtonState(selected=self._is_held, other=self._is_held),
        }

    def do(self, command: Command, layout: Layout, now: float) -> bool:
        match command:
            case gui.NextEngine():
                self._engine = (self._engine + 1) % len(self._engines)
                self._search(now)
            case gui.HoldAnalysis():
                self.session.do(play.Analyse(self._engines[self._engine] if self._is_held else None), now)
            case gui.Scroll(rows):
                self._scroll(self._first_row + rows, self._grid(layout))
            case gui.PressAt(at):
                ply = self._ply_at(layout, at)
                if ply is None:
                    return False
                self.session.do(play.GoTo(ply), now)
            case _:
                return False
        return True

    def _ply_at(self, layout: Layout, at: tuple[int, int]) -> int | None:
        """The move or the place on the curve that lies at a point of the window."""
        curve = places(layout).curve
        ply = self._grid(layout).ply_at(at, self.session.view.listed.ply, self._first_row)
        if ply is None and curve is not None and self._picture is not None:
            return analysis.ply_at(layout.style, curve, self._picture.curve, at)
        return ply

    def _grid(self, layout: Layout) -> moves.MoveGrid:
        return moves.MoveGrid(
            layout.style, places(layout).moves, self.session.game.rules.columns * self.session.game.rules.rows
        )

    def _scroll(self, row: int, grid: moves.MoveGrid) -> None:
        self._first_row = min(max(0, row), grid.last_first_row(self.session.view.listed.ply))

    # What is shown.

    def update(self, layout: Layout, mouse: tuple[int, int] | None, now: float) -> None:
        session, grid = self.session, self._grid(layout)
        if session.shown_ply != self._shown_ply:
            self._shown_ply = session.shown_ply
            row = grid.row_of(session.shown_ply)
            self._scroll(min(max(self._first_row, row - grid.rows + 1), row), grid)
        listed = session.view.listed
        hovered = None if mouse is None else grid.ply_at(mouse, listed.ply, self._first_row)
        report, rules = session.shown_analysis, session.game.rules
        title = say("analysis.of", player=self._engines[self._engine].player_type, move=session.shown_ply + 1)
        self._picture = AnalysisPicture(
            cards=tuple(card(session, color, now) for color in Color),
            curve=analysis.CurveState(tuple(self._points()), max(listed.ply, 1), session.shown_ply),
            moves=moves.MoveListState(moves.entries(listed), session.shown_ply, self._first_row, hovered),
            search=replace(
                values.search_state(rules, None if report is None else (session.shown_ply, report)), title=title
            ),
            bars=analysis.bars_state(rules, report),
        )

    def _points(self) -> list[analysis.Point]:
        """What is known of every position of the line, by this analysis or by whoever was to move."""
        session, points = self.session, []
        listed = session.view.listed
        for ply, moment in enumerate(session.history.tree.along(listed)):
            report = moment.analyses.get(self._engines[self._engine]) or moment.report
            value = None if report is None else analysis.value_for(listed.positions[ply].to_move, report)
            if report is not None and value is not None:
                points.append(analysis.Point(ply, value, report.unit is Unit.DISCS))
        return points

    def look(self) -> AnalysisPicture | None:
        return self._picture

    def board(self, state: BoardState) -> BoardState:
        report = self.session.shown_analysis
        return replace(state, report=None if report is None or values.is_forced(report) else report, is_past=False)

    def status(self) -> str:
        shown = self.session.shown
        if self._is_held:
            return say("analysis.held")
        if self.session.shown_analysis is None and not (shown.is_over or shown.must_pass):
            return say("status.preparing")
        return say("analysis.status")

    def draw(self, surface: pygame.Surface, layout: Layout, face: Face) -> None:
        state, at, style = self._picture, places(layout), layout.style
        if state is None:
            return
        for player, rect in zip(state.cards, at.cards, strict=True):
            analysis.draw_player(surface, style, face, rect, player)
        if at.curve is not None:
            analysis.draw_curve(surface, style, face, at.curve, state.curve)
        moves.draw(surface, self._grid(layout), face, state.moves)
        fill_rounded(surface, at.search, style.px(10), theme.PANEL, theme.EDGE)
        values.draw_panel(surface, style, at.search, state.search)
        analysis.draw_bars(surface, style, at.bars, state.bars)
