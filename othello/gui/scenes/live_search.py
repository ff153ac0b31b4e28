"""The search of whatever position is looked at: who searches, what was found, its best line and its tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pygame

from othello.config import PlayerConfig
from othello.game import AnyGame
from othello.gui import commands as gui
from othello.gui import mode_commands as modes
from othello.gui import wording
from othello.gui.commands import Command, Point
from othello.gui.faces.face import Face
from othello.gui.layout import Layout
from othello.gui.scenes.picker import Picker
from othello.gui.scenes.search_tree import SearchTree
from othello.gui.theme import Style
from othello.gui.views import analysis, search_tree, values
from othello.gui.views.analysis import LineMove, Places, SearchPanel
from othello.play import commands as play
from othello.play.session import Session
from othello.players.registry import COMPUTERS, PLAYERS, configure, refusal
from othello.rules.protocol import GameSpec
from othello.schema import options_of
from othello.search.report import Line, SearchReport
from othello.texts import say

_SECONDS: Final = (5.0, 20.0, 60.0, 300.0, None)
_USUAL_SECONDS: Final = 60.0
_USUAL: Final = "mcts_uct"


def analysts(spec: GameSpec) -> list[str]:
    """Everybody who plays the game and searches as long as he is let, first who is usual."""
    able = [kind for kind in COMPUTERS if _bounds(kind) and not refusal(_unbounded(kind, None), spec)]
    return sorted(able, key=lambda kind: kind != _USUAL)


def _bounds(kind: str) -> dict[str, float | None]:
    options = options_of(PLAYERS[kind].config_type)
    return {key: option.maximum for key, option in options.items() if option.is_bound}


def _unbounded(kind: str, seconds: float | None) -> PlayerConfig:
    """A player that searches as long as the time allows."""
    return configure(kind, time_limit_seconds=seconds, **_bounds(kind))


class LiveSearch:
    """A search that follows what is looked at.

    Args:
        session: whose analysis it is.
        now: the current time.

    Attributes:
        panel: what is shown of it.
    """

    def __init__(self, session: Session, now: float) -> None:
        kinds = analysts(session.game.rules.spec)
        titles = tuple((kind, wording.type_title(kind)) for kind in kinds)
        times = tuple((seconds, _time_words(seconds)) for seconds in _SECONDS)
        self.engine = Picker("engine", say("settings.engine"), titles, kinds[0])
        self.seconds = Picker("seconds", say("settings.time"), times, _USUAL_SECONDS)
        self.panel = SearchPanel()
        self._session = session
        self._tree = SearchTree()
        self._searched = session.view.shown
        self._stepped = self._pointed = 0
        self._asked: tuple[Line, ...] = ()
        self.begin(now)

    def begin(self, now: float) -> None:
        """Search, with what is chosen."""
        self._session.do(play.Analyse(_unbounded(self.engine.value, self.seconds.value)), now)

    @property
    def is_held(self) -> bool:
        """Whether nobody searches."""
        analysis = self._session.analysis
        return analysis is None or analysis.player is None or analysis.is_held

    @property
    def report(self) -> SearchReport | None:
        """What was found of the shown position, None where there is nothing to choose."""
        report = self._session.shown_analysis
        return None if report is None or values.is_forced(report) else report

    @property
    def played_out(self) -> AnyGame | None:
        """The position that the best line leads to, as far as it is pointed at or stepped through."""
        count = self._pointed or self._stepped
        if not count or self.report is None:
            return None
        return self._session.view.shown.after(self.report.pv[:count])

    # Commands.

    def do(self, command: Command, now: float) -> Command | bool:
        """Carry a command out, as `Mode.do` does."""
        line = () if self.report is None else self.report.pv
        match command:
            case modes.NextEngine(steps) | modes.NextSeconds(steps):
                (self.engine if isinstance(command, modes.NextEngine) else self.seconds).step(steps)
                self.begin(now)
            case modes.HoldAnalysis():
                return play.HoldAnalyses(not self.is_held)
            case modes.StepTree(columns, rows):
                self._tree.step(columns, rows)
            case modes.VisitNode() if self._tree.opened:
                return play.Explore(self._tree.opened)
            case modes.StepLine(steps):
                self._stepped = min(max(0, self._stepped + steps), len(line))
            case gui.Confirm() if self._stepped:
                return play.Explore(line[: self._stepped])
            case gui.Dismiss() if self._stepped:
                self._stepped = 0
            case _:
                return self._do_in_list(command, now)
        return True

    def in_list(self, name: str, columns: int, rows: int) -> Command | None:
        """What an arrow key means in a part of the panel, or Enter, where both are 0."""
        is_enter = not (columns or rows)
        match name:
            case "engine":
                return modes.NextEngine(columns + rows or 1)
            case "seconds":
                return modes.NextSeconds(columns + rows or 1)
            case "tree":
                return modes.VisitNode() if is_enter else modes.StepTree(columns, rows)
            case "line" if is_enter and self._stepped and self.report is not None:
                return play.Explore(self.report.pv[: self._stepped])
            case "line":
                return modes.StepLine(columns)
        return None

    def _do_in_list(self, command: Command, now: float) -> bool:
        """Give a command to the list that is open; whether it is for it alone."""
        for picker in (self.engine, self.seconds):
            if picker.is_open and isinstance(command, gui.WindowCommand | play.Look):
                if picker.do(command):
                    self.begin(now)
                return not isinstance(command, gui.PointAt)
        return False

    @property
    def has_open_list(self) -> bool:
        return self.engine.is_open or self.seconds.is_open

    def press(self, layout: Layout, places: Places, at: Point) -> Command | bool:
        """Open a list or a node of the tree, or visit what is open already."""
        style = layout.style
        for picker, rect in ((self.engine, places.engine), (self.seconds, places.seconds)):
            if rect.collidepoint(at):
                picker.open(rect, layout.window, style)
                return True
        node = self._node_at(style, places, at)
        if node is not None and not self._tree.is_open(node):
            self._tree.open(node)
            return True
        pointed = self._line_at(style, places, at)
        if pointed and self.report is not None:
            node = self.report.pv[:pointed]
        return False if node is None else play.Explore(node)

    def _node_at(self, style: Style, places: Places, at: Point | None) -> Line | None:
        if places.tree is None or at is None:
            return None
        return search_tree.line_at(style, places.tree, self._tree.state, at)

    def _line_at(self, style: Style, places: Places, at: Point | None) -> int:
        """How much of the best line a point of the window points at, in moves."""
        if places.line is None or at is None:
            return 0
        found = analysis.line_places(style, places.line, self.panel)
        return next((index for index, rect in enumerate(found, 1) if rect.collidepoint(at)), 0)

    # What is shown.

    def update(self, style: Style, places: Places, mouse: Point | None, now: float) -> None:
        """Take what the search says, and ask it for what is unfolded of its tree."""
        session, report = self._session, self.report
        if session.view.shown.moves != self._searched.moves:
            self._searched, self._stepped = session.view.shown, 0
        columns = 0 if places.tree is None else search_tree.columns(style, places.tree)
        self._tree.follow(session.view.shown, report, columns, self._node_at(style, places, mouse), now)
        if self._tree.wanted != self._asked:
            self._asked = self._tree.wanted
            session.do(play.LookInto(self._asked), now)
        self._pointed = self._line_at(style, places, mouse)
        self.panel = self._look(report)

    def next_wake(self) -> float | None:
        """When there is something newer to show."""
        return self._tree.next_wake(self.report)

    def _look(self, report: SearchReport | None) -> SearchPanel:
        shown = self._session.view.shown
        if report is None:
            return SearchPanel(note=self._why_nothing())
        figures = values.search_state(shown, (shown.ply, report)).figures
        played = self._pointed or self._stepped
        return SearchPanel(figures, "", tuple(_moves(shown, report.pv)), played, values.legend_of(report))

    def _why_nothing(self) -> str:
        """Why there is nothing to tell."""
        shown = self._session.view.shown
        if shown.is_over:
            return say("analysis.over")
        if shown.must_pass:
            return say("analysis.must_pass")
        second = self._session.analysis
        if second is not None and second.failure is not None:
            return second.failure.sentence()
        return say("analysis.held") if self.is_held else say("status.preparing")

    @property
    def look(self) -> object:
        """What it shows, as a value."""
        return self.panel, self._tree.state, self.engine.look, self.seconds.look

    def draw(self, surface: pygame.Surface, style: Style, face: Face, places: Places, mouse: Point | None) -> None:
        """Draw all of it but the lists that are open."""
        analysis.draw_search(surface, style, face, places, self.panel)
        if places.tree is not None:
            search_tree.draw(surface, style, face, places.tree, self._tree.state)
        for picker, rect in ((self.engine, places.engine), (self.seconds, places.seconds)):
            picker.draw(surface, style, rect, mouse)

    def draw_lists(self, surface: pygame.Surface, style: Style) -> None:
        """Draw the list that is open, over everything."""
        for picker in (self.engine, self.seconds):
            picker.draw_list(surface, style)


def _moves(game: AnyGame, line: Sequence[int]) -> list[LineMove]:
    return [LineMove(color, text) for color, text in wording.line(game, line)]


def _time_words(seconds: float | None) -> str:
    return say("analysis.no_limit") if seconds is None else wording.rough_time(seconds)
