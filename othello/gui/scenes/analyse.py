"""The mode that shows what a search thinks of whatever position is looked at, and how the game went."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

import pygame
from pygame import Rect

from othello.gui import commands as gui
from othello.gui import mode_commands as modes
from othello.gui import sentences, wording
from othello.gui.choices import Choice
from othello.gui.commands import Command, Point
from othello.gui.faces.board import BoardState
from othello.gui.faces.face import Face
from othello.gui.faces.registry import face_of
from othello.gui.layout import Layout
from othello.gui.scenes.board_input import annotated
from othello.gui.scenes.cards import card
from othello.gui.scenes.evaluation import Evaluation
from othello.gui.scenes.focus import LIST
from othello.gui.scenes.live_search import LiveSearch
from othello.gui.scenes.mode import Mode, Person
from othello.gui.scenes.move_list import MoveList
from othello.gui.views import analysis, curve, moves, values
from othello.gui.views.frame import CardState
from othello.gui.views.move_table import MoveTable
from othello.gui.widgets import ButtonState
from othello.play import commands as play
from othello.play.session import Session
from othello.rules.protocol import Color, Move
from othello.search.report import Unit
from othello.texts import say

_Look: TypeAlias = tuple[tuple[CardState, ...], curve.CurveState, analysis.Progress, moves.MoveListState]


class AnalyseMode(Mode):
    """A live search of the shown position, the moves with all that was tried, and the game as a curve.

    Attributes:
        search: the one that is live.
        evaluation: of the game.
    """

    name = "analyse"
    has_switches = True
    shows_game = False
    least_height = 600

    def __init__(self, session: Session, now: float, person: Person) -> None:
        super().__init__(session, now, person)
        self._begin(now)
        self._moves = MoveList()
        self._on_board = session.view.shown
        self._drags = False
        self._shows_values = True
        self._mouse: Point | None = None
        self._about: tuple[Move, tuple[str, ...]] | None = None
        self._curve = curve.CurveState((), 1, 0)
        self._look: _Look | None = None

    def _begin(self, now: float) -> None:
        """Look at a game whose rules may be others than before."""
        self._spec = self.session.game.rules.spec
        self.search, self.evaluation = LiveSearch(self.session, now), Evaluation(self.session)

    def leave(self, now: float) -> None:
        self.session.do(play.Analyse(None), now)

    # Commands.

    def _places(self, layout: Layout) -> analysis.Places:
        return analysis.places(layout, is_running=self.session.is_judging, has_scale=self.evaluation.has_discs)

    def buttons(self, layout: Layout) -> Mapping[str, Rect]:
        return self._places(layout).buttons

    def lists(self, layout: Layout) -> Mapping[str, Rect]:
        at = self._places(layout)
        found = {"scale": at.scale, "curve": at.curve, LIST: at.moves}
        found |= {"engine": at.engine, "seconds": at.seconds, "line": at.line, "tree": at.tree}
        return {name: rect for name, rect in found.items() if rect}

    def in_list(self, name: str, columns: int, rows: int, layout: Layout) -> Command | None:
        match name:
            case "scale":
                return modes.SwitchScale()
            case "curve":
                return play.Browse(columns)
            case "list":
                return play.Browse(columns + rows * self._table(layout).columns)
        return self.search.in_list(name, columns, rows)

    def button_states(self) -> Mapping[str, ButtonState]:
        session, is_held = self.session, self.search.is_held
        has_more = session.game_analysis is not None and self.evaluation.has_more
        return {
            "here": ButtonState(enabled=not session.view.is_live and not session.referee.job.is_rated),
            "delete_line": ButtonState(enabled=session.view.is_aside),
            "analyse_game": ButtonState(enabled=has_more),
            "hold_analysis": ButtonState(selected=is_held, other=is_held),
            "values": ButtonState(selected=self._shows_values),
        }

    def do(self, command: Command, layout: Layout, now: float) -> Command | bool:
        following = self.search.do(command, now)
        if following is not False:
            return following
        match command:
            case play.TogglePause():
                self._pause(now)
            case play.AnalyseGame() if self.session.is_judging:
                return play.StopAnalysing()
            case modes.SwitchScale() if self.evaluation.has_discs:
                self.evaluation.in_chances = not self.evaluation.in_chances
            case gui.Toggle(gui.Switch.VALUES):
                self._shows_values = not self._shows_values
            case gui.MoveCursor(columns, rows):
                return play.Browse(columns) if columns else play.SwitchBranch(rows)
            case gui.Scroll(rows):
                self._moves.scroll(rows, self._table(layout))
            case gui.Release():
                self._drags = False
            case gui.PointAt(at) if self._drags and at is not None:
                return self._drag(layout, at) or False
            case gui.PressAt(at):
                return self._press(layout, at)
            case gui.PressRight(at):
                return annotated(self._moves.game_at(at, self.session, self._table(layout)), self.session) or True
            case play.PlayMove(move) | gui.Offer(move):
                return play.Explore((move,))
            case _:
                return False
        return True

    def _pause(self, now: float) -> None:
        """Hold the game and every search; where all is held, let all go on."""
        session, judge = self.session, self.session.game_analysis
        judges = judge is not None and judge.is_running and not judge.is_held
        pauses = not self.search.is_held or judges or (session.allows(play.TogglePause) and not session.pace.paused)
        if session.allows(play.TogglePause) and session.pace.paused != pauses:
            session.do(play.TogglePause(), now)
        session.do(play.HoldAnalyses(pauses), now)

    def _press(self, layout: Layout, at: Point) -> Command | bool:
        places, session = self._places(layout), self.session
        if places.scale.collidepoint(at):
            wanted = self._scale(places.scale).press(at)
            return True if wanted in (None, self.evaluation.in_chances) else modes.SwitchScale()
        dragged = self._drag(layout, at)
        if dragged is not None:
            self._drags = True
            return dragged
        visited = self._moves.game_at(at, session, self._table(layout))
        if visited is not None:
            return play.Visit(visited)
        shown = session.view.shown
        move = face_of(shown.rules.spec).move_at(layout.place, at, shown.position)
        if move is not None:
            return play.Explore((move,)) if move in shown.legal_moves() else True
        return self.search.press(layout, places, at)

    def _drag(self, layout: Layout, at: Point) -> Command | None:
        """Move the cursor of the curve; None where the mouse has no hold of it."""
        panel = self._places(layout).curve
        if panel is None:
            return None
        ply = curve.ply_at(layout.style, panel, self._curve.plies, at, is_held=self._drags)
        return None if ply is None else play.GoTo(ply)

    # What is shown.

    def _table(self, layout: Layout) -> MoveTable:
        return self._moves.table(self.session, layout.style, self._places(layout).moves, self.evaluation.signs)

    def _scale(self, rect: Rect) -> Choice:
        options = ((False, say("analysis.discs")), (True, say("analysis.chances")))
        return Choice("scale", rect, options, self.evaluation.in_chances)

    def update(self, layout: Layout, mouse: Point | None, now: float) -> None:
        session = self.session
        if session.game.rules.spec != self._spec:
            self._begin(now)
        self._mouse = mouse
        self._curve = self.evaluation.curve(self.person.limits)
        table = self._table(layout)
        if session.view.shown.moves != self._on_board.moves or self._look is None:
            self._on_board = session.view.shown
            self._moves.show(session, table)
        self._moves.point_at(mouse, table)
        self.search.update(layout.style, self._places(layout), mouse, now)
        cards = tuple(card(session, color, now, self.search.played_out) for color in Color)
        self._look = cards, self._curve, self._progress(), self._moves.state(session)

    def _progress(self) -> analysis.Progress:
        game_analysis = self.session.game_analysis
        if game_analysis is None:
            return analysis.Progress("")
        if game_analysis.is_running and game_analysis.ply is not None and self._look is not None:
            words = say("analysis.running", move=game_analysis.ply + 1, moves=self.session.history.tree.line.ply)
            return analysis.Progress(words, game_analysis.share)
        failure = game_analysis.failure
        return analysis.Progress("" if failure is None else failure.sentence())

    def next_wake(self, now: float) -> float | None:
        return self.search.next_wake()

    def look(self) -> object:
        return self._look, self.search.look, self.evaluation.in_chances, self._about

    def board(self, state: BoardState) -> BoardState:
        """The values of the shown position; while its best line is played out, only the position it leads to."""
        game, report = self.search.played_out, self.search.report
        self._about = None
        if game is not None:
            last = game.last_move if state.last_move is not None else None
            return replace(state, position=game.position, captures={}, report=None, last_move=last, hover=None)
        player = None if self.session.analysis is None else self.session.analysis.player
        square = state.hover if state.hover is not None else state.cursor
        if report is not None and square is not None and self._shows_values:
            self._about = values.about(report, player, square)
        return replace(state, report=report if self._shows_values else None)

    def past(self) -> str:
        if self.search.played_out is not None:
            return say("past.line", n=self.search.panel.played)
        return sentences.past(self.session)

    def status(self) -> str:
        panel, game = self.search.panel, self.search.played_out
        if game is not None:
            last = wording.last_move(game)
            return say("analysis.played_out", n=panel.played, moves=len(panel.line), move=last)
        shown, report = self.session.view.shown, self.search.report
        side = wording.side(shown.rules, shown.to_move)
        note = self.session.history.tree.known(shown).note
        if note:
            return say("note.shown", note=note)
        if panel.note or report is None or report.simulations:
            return panel.note or say("analysis.status", side=side)
        return say("analysis.status_score" if report.unit is Unit.SCORE else "analysis.status_nodes", side=side)

    def draw(self, surface: pygame.Surface, layout: Layout, face: Face) -> None:
        if self._look is None:
            return
        places, style = self._places(layout), layout.style
        cards, curve_state, progress, listed = self._look
        for player, rect in zip(cards, places.cards, strict=True):
            analysis.draw_player(surface, style, face, rect, player)
        analysis.draw_curve(surface, style, face, places, curve_state, progress)
        if places.scale.width:
            self._scale(places.scale).draw(surface, style, places.scale, self._mouse)
        moves.draw(surface, style, places.moves, face, listed)
        self.search.draw(surface, style, face, places, self._mouse)

    @property
    def has_open_list(self) -> bool:
        return self.search.has_open_list

    def draw_list(self, surface: pygame.Surface, layout: Layout) -> None:
        self.search.draw_lists(surface, layout.style)

    def draw_on_board(self, surface: pygame.Surface, layout: Layout, face: Face) -> None:
        if self._about is not None:
            square, words = self._about
            values.draw_about(surface, layout.style, layout.place.square_rect(square), layout.board, words)
