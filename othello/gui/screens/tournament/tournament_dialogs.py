"""Dialogs of a tournament: one live game, and the comparison with another experiment."""

from typing import Any, Final, TypeAlias

from othello.config import Comparison, Figures
from othello.gui import commands as gui, labels, ui
from othello.gui.boards.renderer import renderer_for
from othello.gui.dialogs.dialog import Dialog
from othello.gui.screens.tournament import standings_text
from othello.gui.screens.tournament.standings_widgets import LiveBoard
from othello.gui.screens.tournament.tournament_state import LiveGame, TournamentState
from othello.rules.protocol import Color, Position, Rules
from othello.schema import options_of
from othello.texts import number, tr
from othello.tournament.standings import PlayerTotal, TournamentAnalysis

_ROW: Final = 20
_GAP: Final = 8  # between two players, in design pixels


class ComparisonDialog(Dialog):
    """Compares players and sides with another experiment: a line each for this one and for the other."""

    buttons = ("close_keys",)

    def __init__(self, state: TournamentState, comparison: Comparison, rules: Rules[Position]) -> None:
        self.title = tr("comparison.title", other=comparison.label)
        self._following, self._comparison, self._rules = state, comparison, rules

    def content(self) -> ui.Widget:
        return ComparisonTable(*compared(self._following.findings, self._comparison, self._rules))


_Rows: TypeAlias = tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]  # names, each with two lines of figures


def compared(
    analysis: TournamentAnalysis, comparison: Comparison, rules: Rules[Position]
) -> tuple[tuple[str, ...], _Rows]:
    """Return the headings, and the rows of each player and side."""
    theirs, rows = comparison.players, []
    known = [kind for kind in options_of(Figures) if any(getattr(their, kind) is not None for their in theirs.values())]
    totals = [(standings_text.called(total.name), total) for total in analysis.ranking]
    totals += [(labels.side(rules, color), analysis.colors[color]) for color in Color]
    for name, total in totals:
        there = theirs.get(total.name, Figures())
        here = (tr("comparison.here"), *(_ours(total, kind) for kind in known))
        rows.append((name, here, (comparison.label, *(_figure(getattr(there, kind), kind) for kind in known))))
    return ("", *(tr(f"comparison.figures.{kind}") for kind in known)), tuple(rows)


def _ours(total: PlayerTotal, kind: str) -> str:
    if kind == "seconds":
        return standings_text.seconds(total.seconds_per_game if total.games else None)
    names = {"discs_won": "own", "discs_lost": "others"}
    return _figure(getattr(total, names.get(kind, kind)), kind)


def _figure(figure: float | None, kind: str) -> str:
    if figure is None:
        return "–"
    return labels.signed(figure) if kind == "balance" else number(figure, ".12g")


class ComparisonTable(ui.Widget):
    """A table with two lines for each name."""

    header: tuple[str, ...]
    rows: _Rows

    def measure(self, style: ui.Style, width: float) -> ui.Size:
        return ui.Size(width, _ROW + len(self.rows) * (3 * _ROW + _GAP))

    def accessible(self, on: ui.PaintContext) -> ui.AccessibleNode:
        rows = ((name, *cells) for name, *lines in self.rows for cells in lines)
        return ui.accessible_table(tr("actions.compare.button"), (tr("columns.player"), *self.header), rows)

    def draw(self, on: ui.PaintContext) -> None:
        palette, row = on.style.palette, on.style.px(_ROW)
        top = on.rect.top + row // 2
        self._draw_cells(on, top, self.header, 12, is_muted=True)
        for name, here, there in self.rows:
            top += row + on.style.px(_GAP)
            on.text((on.rect.left, top), name, 14, palette.text, bold=True, room=on.rect.width)
            for cells in (here, there):
                top += row
                self._draw_cells(on, top, cells, 13, is_muted=cells is there)

    def _draw_cells(self, on: ui.PaintContext, y: int, cells: tuple[str, ...], size: int, *, is_muted: bool) -> None:
        color = on.style.palette.muted if is_muted else on.style.palette.text
        column = on.rect.width // (len(cells) + 1)  # the first cell is two columns wide
        for index, cell in enumerate(cells):
            x, anchor = (on.rect.left, "midleft") if index == 0 else (on.rect.left + (index + 2) * column, "midright")
            room = (2 if index == 0 else 1) * column - on.style.px(6)
            on.text((x, y), cell, size, color, anchor=anchor, room=room)


class LiveDialog(Dialog):
    """Shows one game as it goes on; a button opens its moves for analysis."""

    buttons = ("analyse", "close_keys")

    def __init__(self, state: TournamentState, live: LiveGame) -> None:
        self.title = tr("tournament.game", game=live.number)
        self._following, self._live = state, live

    def content(self) -> ui.Widget:
        state = standings_text.live(self._live, is_last=self._following.end is not None)
        renderer = renderer_for(self._live.game.rules.spec, self.style.palette)
        height = max(240.0, self.window.height / self.style.scale - 216)
        return LiveBoard(renderer=renderer, live=state, enabled=False, height=height)

    def button_label(self, name: str) -> str:
        return tr("actions.analyse.button") if name == "analyse" else super().button_label(name)

    def on_control_changed(self, name: str, value: Any) -> gui.Command | None:
        return gui.AnalyseTournamentGame(self._live.game, self._following.players_of(self._live))
