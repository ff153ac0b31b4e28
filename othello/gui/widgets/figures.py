"""The figures of a search, and the legend of the marks on the board."""

from collections.abc import Sequence

from othello.game import AnyGame
from othello.gui import labels, ui
from othello.gui.boards.board_layout import draw_square, draw_triangle
from othello.players.player_registry import counts_of
from othello.search.report import SearchReport, Unit
from othello.texts import tr


def is_forced(report: SearchReport) -> bool:
    """Return whether the only legal move was played without a search."""
    return report.nodes == report.simulations == 0 and len(report.moves) == 1


def legend_of(report: SearchReport | None, *, has_details: bool) -> tuple[str, ...]:
    """Return the names of the marks that a search puts on the board; their texts are `legend.NAME`."""
    if report is None:
        return ("most_visited", "best") if has_details else ("best",)
    shown = {
        "bound": any(not stats.exact for stats in report.moves),
        "proved": report.unit is Unit.DISCS or any(stats.is_proven for stats in report.moves),
        "most_visited": has_details and report.most_visited is not None,
        "best": True,
    }
    return tuple(name for name, is_shown in shown.items() if is_shown)


def figures_of(report: SearchReport, *, has_details: bool) -> tuple[tuple[str, str], ...]:
    """Return the names and values of a search's figures; with details also simulations, speed and nodes."""
    results = (
        (tr("search.book" if report.from_book else "search.depth"), str(report.depth)),
        (tr("search.points" if report.unit is Unit.SCORE else "search.value"), labels.worth(report)),
    )
    if not has_details:
        return results
    speed = report.simulations_per_second or report.nodes / max(report.seconds, 1e-9)
    counted = tr(f"search.counted.{counts_of(report.player)}")
    return (
        *([(counted, labels.count(report.simulations))] if report.simulations else []),
        (tr("search.speed"), tr("search.a_second", count=labels.count(speed))),
        (tr("search.nodes"), labels.count(report.nodes)),
        *results,
    )


def figure_row(report: SearchReport, palette: ui.Palette, *, height: float, has_details: bool) -> ui.Widget:
    """Return a row of names with figures below them."""
    columns = []
    for name, figure in figures_of(report, has_details=has_details):
        names = (name, tr("search.sims")) if name == tr("search.counted.simulations") else name
        rows = ui.Label(names, 11, palette.muted, height=15), ui.Label(figure, 14, bold=True, height=height - 15)
        columns.append(ui.Column(rows, 0, grow=True))
    return ui.Row(columns, 0, height=height)


def search_panel(
    game: AnyGame,
    searched: tuple[int, SearchReport] | None,
    legend: Sequence[ui.Widget],
    palette: ui.Palette,
    tree: ui.Widget | None,
) -> ui.Widget:
    """Return the figures of a search, its best line, and the legend.

    Args:
        game: the shown line.
        searched: the ply of the searched position in `game`, and the report.
        legend: the widgets of the legend.
        palette: colours.
        tree: the search tree; None without details.
    """
    title = tr("search.title")
    rows: list[ui.Widget] = [ui.Label(tr("search.none"), 12, palette.muted)]
    if searched is not None:
        ply, report = searched
        game = game.at(ply)
        remarks = (tr("search.exact") if report.is_certain else "", tr("search.full") if report.is_full else "")
        title = " · ".join(filter(None, (tr("search.of_move", move=ply + 1), *remarks)))
        if is_forced(report):
            move = labels.move(game, report.moves[0].move)
            rows = [ui.Label(tr("search.only_move", move=move), 12, palette.muted)]
        else:
            title = labels.on_board(title, report.expected_end(game, report.move))
            line = "  ".join(text for _, text in labels.line(game, report.pv))
            ink = ui.readable(palette.best_value, palette.panel, palette.text)
            best = ui.Label(tr("search.best_line"), 11, palette.muted), ui.Label(line, 12, ink, grow=True)
            rows = [figure_row(report, palette, height=32, has_details=tree is not None), ui.Row(best, 10)]
    head = ui.Row((ui.Label(title, 12, palette.muted, bold=True), ui.Spacer(grow=True), *legend), 12)
    below = () if tree is None else (tree,)
    return ui.Card(ui.Column((head, *rows, *below), 3, grow=1), (16, 8), palette.panel, height=96, grow=2 * len(below))


def legend(report: SearchReport | None, palette: ui.Palette, *, has_details: bool) -> list[ui.Widget]:
    """Return the marks that a search puts on the board, with their meanings."""
    kinds = reversed(legend_of(report, has_details=has_details))
    words = ((kind, ui.Label(tr(f"legend.{kind}"), 11, palette.muted, must_fit=True, height=16)) for kind in kinds)
    return [ui.Row((LegendSign(kind, width=18, height=16), label), 0) for kind, label in words]


class LegendSign(ui.Widget):
    """A mark on the board."""

    kind: str

    def draw(self, on: ui.PaintContext) -> None:
        style, palette, at = on.style, on.style.palette, (on.rect.left + on.style.px(9), on.rect.centery)
        if self.kind == "best":
            draw_triangle(on.surface, style, at, palette.best_value)
        elif self.kind == "most_visited":
            draw_square(on.surface, style, at, palette.most_visited)
        else:
            sign = on.text(at, "=" if self.kind == "proved" else "<", 12, palette.text, anchor="center", bold=True)
            if self.kind == "bound":
                on.surface.fill(palette.text, (sign.left + 1, sign.centery + style.px(5), sign.width - 2, style.px(1)))
