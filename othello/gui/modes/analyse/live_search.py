"""The live search in the mode Analyse: its player and time, its result, the best line and the search tree."""

from dataclasses import replace
from typing import Any, Final

from pygame import Rect

from othello.game import AnyGame
from othello.gui import commands as gui, labels, ui
from othello.gui.boards.renderer import BoardRenderer
from othello.gui.modes.mode import VariationMode
from othello.gui.widgets.figures import figure_row, is_forced, legend
from othello.gui.widgets.hints import unbounded
from othello.gui.widgets.search_tree import TREE, PressNode, SearchTree, TreePanel, columns
from othello.play import session_commands as cmd
from othello.play.assessment import default_analyst
from othello.players.player_registry import advisers, type_of, type_title
from othello.rules.protocol import Color, GameSpec
from othello.schema import options_of
from othello.search.report import Line, SearchReport
from othello.texts import tr

LINE: Final = "line"
_SECONDS: Final = (5.0, 20.0, 60.0, 300.0, None)
_ROW: Final = 26  # height of a row of the best line


def analysts(spec: GameSpec) -> list[str]:
    """Return the kinds of players that can search such games without a limit, the default one first."""

    def is_unlimited(kind: str) -> bool:
        options = options_of(type_of(kind).config_type)
        return "program" in options or any(option.is_bound for option in options.values())

    return sorted(filter(is_unlimited, advisers(spec)), key=lambda kind: kind != default_analyst(spec).kind)


class LiveSearchMode(VariationMode):
    """A mode that searches the shown position. The player and the time are stored in the preferences."""

    def enter(self, now: float) -> None:
        self._kinds = analysts(self.spec)
        self.tree = SearchTree()
        self._searched = self.session.view.shown
        self._stepped = 0
        self._asked: tuple[Line, ...] = ()
        self._begin(now)

    def leave(self, now: float) -> None:
        self.session.do(cmd.Analyse(None), now)

    def _begin(self, now: float) -> None:
        """Start the search with the chosen player and time."""
        megabytes = self.person.preferences.value.analysis_megabytes
        self.session.do(cmd.Analyse(unbounded(self.engine, self.seconds, megabytes)), now)

    @property
    def engine(self) -> str:
        """The kind of player that searches."""
        wanted = self.person.preferences.value.analyst
        return wanted if wanted in self._kinds else self._kinds[0]

    @property
    def seconds(self) -> float | None:
        """The time limit in seconds; None: no limit."""
        return self.person.preferences.value.analyst_seconds

    def change_search(self, name: str, value: Any, now: float) -> None:
        """Store another player or time and restart the search. The default player is stored as ""."""
        analyst = "" if value == self._kinds[0] else value
        self.person.preferences.change(**{"analyst": analyst} if name == "engine" else {"analyst_seconds": value})
        self._begin(now)

    @property
    def is_paused(self) -> bool:
        """True if no search is running."""
        analysis = self.session.analysis
        return analysis is None or analysis.player is None or analysis.is_paused

    @property
    def report(self) -> SearchReport | None:
        """The report on the shown position; None: no report yet, or there is only one move."""
        report = self.session.shown_analysis
        return None if report is None or is_forced(report) else report

    @property
    def pv(self) -> Line:
        """The principal variation."""
        return () if self.report is None else self.report.pv

    @property
    def played(self) -> int:
        """Moves of the best line that are played out: up to the mouse, else as many as were stepped through."""
        placed, mouse = self.widgets.find(LINE), self.widgets.mouse
        if mouse is None or placed is None or self.widgets.pointed != LINE or not isinstance(placed.widget, BestLine):
            return self._stepped
        return placed.widget.moves_at(mouse, placed.rect, self.style) or self._stepped

    @property
    def played_out(self) -> AnyGame | None:
        """The position after the moves that are played out; None: no moves are."""
        count = self.played
        return self.session.view.shown.after(self.pv[:count]) if count and self.pv else None

    # Commands.

    @gui.handles(gui.NextEngine, gui.NextSeconds)
    def _next(self, command: gui.NextEngine | gui.NextSeconds, now: float) -> None:
        name, values = ("engine", self._kinds) if isinstance(command, gui.NextEngine) else ("seconds", [*_SECONDS])
        at = values.index(getattr(self, name)) if getattr(self, name) in values else 0
        self.change_search(name, values[(at + 1) % len(values)], now)

    @gui.handles(gui.PlainCommand.HOLD_ANALYSIS)
    def _hold_analysis(self, command: gui.PlainCommand, now: float) -> object:
        return cmd.HoldAnalyses(not self.is_paused)

    @gui.handles(gui.StepTree)
    def _step_tree(self, command: gui.StepTree, now: float) -> None:
        self.tree.step(command.columns, command.rows)

    @gui.handles(gui.PlainCommand.VISIT_NODE)
    def _visit_node(self, command: gui.PlainCommand, now: float) -> object | None:
        return cmd.PlayVariation(self.tree.expanded_lines) if self.tree.expanded_lines else None

    @gui.handles(PressNode)
    def _press_node(self, command: PressNode, now: float) -> object | None:
        """Expand a node of the search tree, or go to the position of an expanded one."""
        if self.tree.seen.path[: len(command.line)] == command.line:
            return cmd.PlayVariation(command.line)
        self.tree.open(command.line)
        return None

    @gui.handles(gui.StepLine)
    def _step_line(self, command: gui.StepLine, now: float) -> None:
        self._stepped = min(max(0, self._stepped + command.steps), len(self.pv))

    @gui.handles(gui.PlainCommand.CONFIRM)
    def _confirm(self, command: gui.PlainCommand, now: float) -> gui.Answer:
        return cmd.PlayVariation(self.pv[: self._stepped]) if self._stepped else gui.NOT_HANDLED

    @gui.handles(gui.PlainCommand.DISMISS)
    def _dismiss(self, command: gui.PlainCommand, now: float) -> gui.Answer:
        if not self._stepped:
            return gui.NOT_HANDLED
        self._stepped = 0
        return None

    # View.

    def update(self, now: float) -> None:
        """Update the search tree, and ask the search for the nodes that the tree shows."""
        session = self.session
        if session.view.shown.moves != self._searched.moves:
            self._searched, self._stepped = session.view.shown, 0
        placed = self.widgets.find(TREE)
        shown = 0 if placed is None else columns(self.style, placed.rect, self.tree.seen)
        self.tree.follow(session.view.shown, self.report, shown, now)
        if self.tree.wanted != self._asked:
            self._asked = self.tree.wanted
            session.do(cmd.ExpandLines(self._asked), now)

    def next_wake(self, now: float) -> float | None:
        return self.tree.next_wake(self.report)

    @property
    def note(self) -> str:
        """Why there is no report; empty: there is one."""
        shown, analysis = self.session.view.shown, self.session.analysis
        if self.report is not None:
            return ""
        if shown.is_over:
            return tr("analysis.over")
        if shown.must_pass:
            return tr("analysis.must_pass")
        if analysis is not None and analysis.worker.failure is not None:
            return analysis.worker.failure.sentence()
        return tr("analysis.held") if self.is_paused else tr("status.preparing")

    def search_panel(
        self, set_paused: ui.Button, *, has_line: bool = True, has_tree: bool = True, is_whole: bool = True
    ) -> ui.Widget:
        """Return the card of the search: player, figures, best line (`is_whole`: all of a proven one), tree."""
        report, palette, has_details = self.report, self.style.palette, self.person.preferences.value.details
        signs = legend(report, palette, has_details=has_details)
        kinds = tuple((kind, type_title(kind)) for kind in self._kinds)
        times = tuple((limit, labels.rough_time(limit) if limit else tr("analysis.no_limit")) for limit in _SECONDS)
        engine = ui.Select(kinds, self.engine, tr("analysis.player"), name="engine", grow=6, min_content=100)
        seconds = ui.Select(times, self.seconds, tr("settings.time"), name="seconds", grow=5, min_content=90)
        row = engine, seconds, set_paused
        narrow = ui.Column((replace(engine, grow=0), ui.Row(row[1:])))
        choices = ui.FirstThatFits((ui.Row(row), narrow))
        wide = ui.Row((*row, ui.Column(signs, 0, width=108)))
        head = ui.FirstThatFits((wide, ui.Column((choices, ui.Row((ui.Spacer(grow=True), *signs))))))
        parts: list[ui.Widget] = [head, ui.Label(self.note, 12, palette.muted, height=34)]
        if report is not None:
            parts[1] = figure_row(report, palette, height=34, has_details=has_details)
        if has_line:
            line = tuple(labels.line(self.session.view.shown, self.pv))
            is_whole = is_whole and report is not None and report.is_certain
            parts.append(BestLine(self.host.renderer, line, self.pv, self.played, is_whole, name=LINE))
        has_tree = has_tree and has_details
        if has_tree:
            tree = TreePanel(self.host.renderer, self.tree.seen, name=TREE, grow=True, height=98, min_content=200)
            parts += [ui.Card(ui.Row(()), (0, 0), palette.line, radius=1, height=1), tree]
        return ui.Card(ui.Column(parts, 6), (16, 8), palette.panel, palette.edge, grow=2 if has_tree else 0)


class BestLine(ui.Widget):
    """The principal variation: in one row as many moves as fit, or all moves in several rows."""

    renderer: BoardRenderer
    line: tuple[tuple[Color, str], ...]  # the side and the text of each move
    moves: Line  # the moves of the best line
    played: int  # how many of them are played out on the board
    is_whole: bool  # True if all moves are shown

    takes_focus = True
    takes_arrows = True

    def measure(self, style: ui.Style, width: float) -> ui.Size:
        places = self._places(Rect(0, 0, style.px(width), style.px(_ROW * len(self.line))), style)
        rows = len({place.top for place in places}) if self.is_whole else 1
        return ui.Size(width, _ROW * max(1, rows))

    def _places(self, rect: Rect, style: ui.Style) -> list[Rect]:
        px, places = style.px, list[Rect]()
        start = x = rect.left + style.width(tr("search.best_line"), 11) + px(10)
        y, high = rect.top, px(_ROW)
        for _, text in self.line:
            width = px(26) + style.width(text, 13, bold=True)
            if x + width > rect.right:
                x, y = start, y + high
                if x + width > rect.right or y + high > rect.bottom + 1:
                    break
            places.append(Rect(x, y, width, high))
            x += width
        return places

    def moves_at(self, at: ui.Point, rect: Rect, style: ui.Style) -> int:
        """Return how many moves of the line end at a point of the window; 0: the point is not on the line."""
        return next((n for n, place in enumerate(self._places(rect, style), 1) if place.collidepoint(at)), 0)

    def press(self, at: ui.Point, on: ui.PaintContext) -> object | None:
        count = self.moves_at(at, on.rect, on.style)
        return cmd.PlayVariation(self.moves[:count]) if count else None

    def key(self, key: ui.Key, on: ui.PaintContext) -> object | None:
        if key.name == "Enter":
            return gui.PlainCommand.CONFIRM
        return gui.StepLine({"Left": -1, "Right": 1}[key.name]) if key.name in ("Left", "Right") else None

    def accessible(self, on: ui.PaintContext) -> ui.AccessibleNode:
        moves = []
        for count, (mover, move) in enumerate(self.line, 1):
            name, press = f"{labels.side(self.renderer.rules, mover)} {move}", cmd.PlayVariation(self.moves[:count])
            moves.append(ui.accessible_list_item(name, is_selected=count == self.played, press=press))
        return ui.AccessibleNode("list", name=tr("search.best_line"), parts=tuple(moves))

    def draw(self, on: ui.PaintContext) -> None:
        style, px, palette = on.style, on.style.px, on.style.palette
        if not self.line:
            return
        on.text((on.rect.left, on.rect.top + px(_ROW // 2)), tr("search.best_line"), 11, palette.muted)
        places = self._places(on.rect, style)
        for index, (place, (mover, move)) in enumerate(zip(places, self.line, strict=False)):
            is_played = index < self.played
            if is_played:
                ui.fill_rounded(on.surface, place.inflate(-px(2), -px(4)), px(5), palette.shown)
            self.renderer.draw_token(on.surface, (place.left + px(9), place.centery), px(11), mover)
            color = palette.last_text if is_played else palette.text
            on.text((place.left + px(18), place.centery), move, 13, color, bold=True)
