"""The tree of a search: the moves of the root, and one expanded line to the right of them.

To be readable, the tree changes at most four times a second, and its order at most once a second.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from pygame import Rect, Surface

from othello.frozen_dataclass import FrozenDataclass
from othello.game import AnyGame
from othello.gui import commands as gui, labels, ui
from othello.gui.boards.board_layout import draw_at_most, draw_square, draw_triangle, value_text
from othello.gui.boards.renderer import BoardRenderer
from othello.rules.protocol import Color, Move
from othello.search.report import BoundTerms, Line, MoveStats, SearchReport
from othello.texts import number, tr

TREE: Final = "tree"
_PICTURE_SECONDS: Final = 0.25
_ORDER_SECONDS: Final = 1.0
_ROW: Final = 24
_ROOT_WIDTH: Final = 250  # width of the root's moves
_TERMS: Final = 104  # additional width of their selection terms
_COLUMN: Final = 88  # width of an expanded column
_SHOWN_BELOW: Final = 4  # maximum number of replies in a column
_NOTE_ROWS: Final = 3  # maximum number of rows of each text of a note


class TreeNode(FrozenDataclass):
    """A move in the tree."""

    line: Line  # the moves from the root to the node
    mover: Color
    text: str  # the move
    visits: str = ""  # number of visits; empty if the search does not count them
    share: float = 0.0  # its visits as a share of those of the most visited sibling
    value: str = ""
    is_best: bool = False  # it has the best value
    is_most: bool = False  # it has the most visits
    note: tuple[str, ...] = ()  # the selection formula in words
    terms: str = ""  # its mean, exploration term and sum
    is_twin: bool = False  # the search keeps one node for it and its sibling in the expanded line


class TreeColumns(NamedTuple):
    """The visible part of a tree."""

    moves: tuple[TreeNode, ...] = ()  # moves of the root, in order
    below: tuple[tuple[TreeNode, ...], ...] = ()  # the moves after the first move of `path`, the first two moves, ...
    path: Line = ()  # the expanded line
    rest: tuple[str, ...] = ()  # total visits of the moves from each index on, for those without room

    @property
    def columns(self) -> tuple[tuple[TreeNode, ...], ...]:
        return (self.moves, *self.below)


class PressNode(ui.Input):
    """A node of the tree was clicked."""

    line: Line  # the moves from the shown position to the node


class TreePanel(ui.Widget):
    """Shows as much of a search tree as has room."""

    renderer: BoardRenderer
    seen: TreeColumns = TreeColumns()
    unfolds: bool = True  # the user can expand other moves

    takes_focus = True
    takes_arrows = True
    follows_mouse = True

    @property
    def is_enabled(self) -> bool:
        return self.unfolds

    def _rows(self, on: ui.PaintContext) -> Sequence[TreeNode]:
        """Return the moves of the root that have room, with a free row if some have none."""
        room = max(0, on.rect.height // on.style.px(_ROW))
        return (
            self.seen.moves if len(self.seen.moves) <= room else first_nodes(self.seen.moves, room - 1, self.seen.path)
        )

    def _places(self, on: ui.PaintContext) -> dict[Line, Rect]:
        """Return the places of all drawn nodes."""
        px, rect, width = on.style.px, on.rect, root_width(on.style, on.rect, self.seen)
        places: dict[Line, Rect] = {}
        for index, node in enumerate(self._rows(on)):
            places[node.line] = Rect(rect.left + px(34), rect.top + index * px(_ROW), width - px(44), px(_ROW))
        max_rows = max(1, min(_SHOWN_BELOW, rect.height // px(_ROW)))
        for index, column in enumerate(self.seen.below[: columns(on.style, rect, self.seen)]):
            left = rect.left + width + px(22) + index * px(_COLUMN)
            for row, node in enumerate(first_nodes(column, max_rows, self.seen.path)):
                places[node.line] = Rect(left, rect.top + row * px(_ROW) + px(2), px(68), px(_ROW - 3))
        return places

    def _line_at(self, at: ui.Point | None, on: ui.PaintContext) -> Line | None:
        places = {} if at is None else self._places(on)
        return next((line for line, place in places.items() if at is not None and place.collidepoint(at)), None)

    def press(self, at: ui.Point, on: ui.PaintContext) -> object | None:
        line = self._line_at(at, on)
        return None if line is None else PressNode(line)

    def key(self, key: ui.Key, on: ui.PaintContext) -> object | None:
        if key.name == "Enter":
            return gui.PlainCommand.VISIT_NODE
        steps = ui.ARROWS.get(key.name)
        return None if steps is None else gui.StepTree(*steps)

    def accessible(self, on: ui.PaintContext) -> ui.AccessibleNode:
        items = []
        for node in (node for column in self.seen.columns for node in column):
            visits = tr("spoken.visits", visits=node.visits) if node.visits.strip("+") else ""
            words = " ".join(
                filter(None, (labels.side(self.renderer.rules, node.mover), node.text, visits, node.value))
            )
            is_path = self.seen.path[: len(node.line)] == node.line
            item = ui.accessible_list_item(words, is_selected=is_path, press=PressNode(node.line))
            items.append(replace(item, is_active=self.seen.path == node.line))
        return ui.AccessibleNode("list", name=tr("spoken.tree"), parts=tuple(items))

    def draw(self, on: ui.PaintContext) -> None:
        px, rect, at = on.style.px, on.rect, self._places(on)
        if not self.seen.moves or rect.height < px(_ROW):
            return
        root, shown, hover = (rect.left + px(8), rect.top + px(_ROW) // 2), self._rows(on), self._line_at(on.mouse, on)
        for node in reversed(shown):
            end = (at[node.line].left - px(2), at[node.line].centery)
            _connect(on, root, end, node.line == self.seen.path[:1])
        if len(shown) < len(self.seen.moves):
            self._draw_rest(on, root, len(shown))
        color = self.renderer.colors[self.seen.moves[0].mover]
        on.image(ui.ring(px(15), px(1.5), on.style.palette.muted, color), at=root)
        has_terms = root_width(on.style, rect, self.seen) > px(_ROOT_WIDTH)
        for node in shown:
            _draw_move(on, at[node.line], node, has_terms=has_terms, is_hovered=node.line == hover)
        for index, column in enumerate(self.seen.below[: columns(on.style, rect, self.seen)]):
            before = at.get(self.seen.path[: index + 1])
            for node in column:
                if node.line in at:
                    is_path = node.line == self.seen.path[: index + 2]
                    if before is not None:
                        _connect(on, (before.right + px(4), before.centery), at[node.line].midleft, is_path)
                    self._draw_reply(on, at[node.line], node, is_path=is_path, is_hovered=node.line == hover)
        nodes = [node for nodes in (shown, *self.seen.below) for node in nodes if node.line == hover and node.note]
        for node in nodes:
            draw_note(on.surface, on.style, node.note, at[node.line], on.rect)

    def _draw_rest(self, on: ui.PaintContext, root: tuple[int, int], count: int) -> None:
        """Draw the number of moves without room."""
        px, rest = on.style.px, self.seen.rest[count]
        middle = on.rect.top + count * px(_ROW) + px(_ROW) // 2
        _connect(on, root, (on.rect.left + px(44), middle), False)
        more = tr("analysis.more_visits" if rest else "analysis.more", n=len(self.seen.moves) - count, visits=rest)
        on.text((on.rect.left + px(52), middle), more, 12, on.style.palette.muted)

    def _draw_reply(self, on: ui.PaintContext, rect: Rect, node: TreeNode, *, is_path: bool, is_hovered: bool) -> None:
        """Draw a move of an expanded column."""
        style, px, palette = on.style, on.style.px, on.style.palette
        ground = palette.chosen if is_path else palette.small if is_hovered else palette.raised
        ui.fill_rounded(on.surface, rect, px(5), ground, palette.most_visited if is_path else None, px(1.5))
        self.renderer.draw_token(on.surface, (rect.left + px(10), rect.centery), px(10), node.mover)
        at = on.text((rect.left + px(18), rect.centery), node.text, 12, bold=is_path, room=rect.width - px(20))
        if node.visits and at.right + style.width(node.visits, 10) + px(6) <= rect.right:
            ink = ui.readable(palette.muted, ground, palette.text)
            on.text((rect.right - px(4), rect.centery), node.visits, 10, ink, anchor="midright")


def root_width(style: ui.Style, rect: Rect, seen: TreeColumns) -> int:
    """Return the width of the root's moves, which includes their selection terms if these exist and have room."""
    wide = style.px(_ROOT_WIDTH + _TERMS)
    return wide if wide <= rect.width and any(node.terms for node in seen.moves) else style.px(_ROOT_WIDTH)


def columns(style: ui.Style, rect: Rect, seen: TreeColumns) -> int:
    """Return the number of columns that have room beside the root's moves."""
    return max(0, (rect.width - root_width(style, rect, seen)) // style.px(_COLUMN))


def first_nodes(nodes: Sequence[TreeNode], count: int, path: Line) -> Sequence[TreeNode]:
    """Return the first `count` nodes; a node of `path` that would be left out replaces the last of them."""
    shown = nodes[: max(0, count)]
    wanted = [node for node in nodes[len(shown) :] if node.line == path[: len(node.line)]]
    return (*shown[:-1], *wanted) if shown and wanted else shown


def _connect(on: ui.PaintContext, start: tuple[int, int], end: tuple[int, int], is_path: bool) -> None:
    """Draw a line from a node to one of its children."""
    px, palette = on.style.px, on.style.palette
    color, width = (palette.most_visited, px(2)) if is_path else (palette.line, px(1))
    if start[1] == end[1]:
        on.surface.fill(color, (start[0], start[1] - width // 2, max(0, end[0] - start[0]), width))
        return
    bend = (start[0] + (end[0] - start[0]) * 0.55, end[1])
    ui.draw_line(on.surface, color, start, bend, width)
    ui.draw_line(on.surface, color, bend, end, width)


def _draw_move(on: ui.PaintContext, rect: Rect, node: TreeNode, *, has_terms: bool, is_hovered: bool) -> None:
    """Draw a move of the root: marks, name, bar and number of visits, value, and selection terms."""
    style, px, palette, y = on.style, on.style.px, on.style.palette, rect.centery
    if is_hovered:
        ui.fill_rounded(on.surface, rect, px(5), palette.raised)
    if node.is_most:
        draw_square(on.surface, style, (rect.left + px(6), y), palette.most_visited)
    if node.is_best:
        draw_triangle(on.surface, style, (rect.left + px(18 if node.is_most else 6), y), palette.best_value)
    color = palette.most_visited if node.is_most else palette.best_value if node.is_best else palette.muted
    ink = palette.text if color == palette.muted else ui.readable(color, palette.raised, palette.text)
    name = style.text(node.text, 13, ink, bold=True)
    left = rect.left + px(28 if node.is_most and node.is_best else 18)
    on.image(name, anchor="midleft", at=(left, y))
    track = Rect(rect.left + px(62), y - px(5), px(58), px(10))
    ui.fill_rounded(on.surface, track, px(3), palette.raised)
    length = round(track.width * node.share)
    if length >= px(3):
        ui.fill_rounded(on.surface, Rect(track.left, track.top, length, track.height), px(3), color)
    right = rect.right - (px(_TERMS) if has_terms else 0)
    on.text((right - px(46), y), node.visits, 12, anchor="midright")
    at = on.text((right, y), node.value, 12, palette.muted, anchor="midright")
    if node.value.startswith("<"):
        draw_at_most(on.surface, style, at, 12, palette.muted)
    if has_terms:
        on.text((rect.right, y), node.terms, (12, 11, 10), palette.muted, anchor="midright", room=px(_TERMS - 8))


class SearchTree:
    """The expanded part of a search tree."""

    def __init__(self) -> None:
        self.seen = TreeColumns()
        self.wanted: tuple[Line, ...] = ()  # the lines whose next moves the search has to report
        self._game: AnyGame | None = None
        self._report: SearchReport | None = None
        self._opened: Line = ()
        self._orders: dict[Line, list[int]] = {}
        self._ordered_at = self._drawn_at = 0.0

    def open(self, line: Line) -> None:
        """Expand a line."""
        self._opened, self._drawn_at = line, 0.0

    @property
    def expanded_lines(self) -> Line:
        """The line that the user has expanded, or the first move of the expanded line."""
        return self._opened or self.seen.path[:1]

    def step(self, columns: int, rows: int) -> None:
        """Expand the node beside the one that was expanded last."""
        line, path = self.expanded_lines, self.seen.path
        if columns:
            self.open(path[: max(1, min(len(line) + columns, len(path)))])
            return
        levels = self.seen.columns
        beside = [node.line for node in levels[len(line) - 1]] if 0 < len(line) <= len(levels) else []
        if line in beside:
            self.open(beside[min(max(0, beside.index(line) + rows), len(beside) - 1)])

    def follow(self, game: AnyGame, report: SearchReport | None, columns: int, now: float) -> None:
        """Update the tree from the report of a position; `columns` are shown beside the moves of the root."""
        if self._game is None or game.moves != self._game.moves:
            self._game, self._opened, self._orders = game, (), {}
            self._ordered_at = self._drawn_at = 0.0
        is_new = report is not self._report
        if (is_new and (now - self._drawn_at >= _PICTURE_SECONDS or report is None)) or not self._drawn_at:
            if now - self._ordered_at >= _ORDER_SECONDS or (report is not None and report.final):
                self._orders, self._ordered_at = {}, now
            self._report, self._drawn_at = report, now
            self.seen = TreeColumns() if report is None else self._unfold(game, report, columns)
            self.wanted = tuple(self.seen.path[: level + 1] for level in range(min(columns, len(self.seen.path))))

    def next_wake(self, report: SearchReport | None) -> float | None:
        """Return the time at which a newer report can be shown, or None."""
        return None if report is self._report else self._drawn_at + _PICTURE_SECONDS

    def _unfold(self, game: AnyGame, report: SearchReport, columns: int) -> TreeColumns:
        ranked = self._moves(report, ())
        marked = [stats.move for stats in (report.best_value, report.most_visited) if stats is not None]
        moves = _nodes(game, report, (), ranked, marked)
        below: list[tuple[TreeNode, ...]] = []
        path = self._onward(report, ())
        while path and len(below) < columns and (replies := self._moves(report, path)):
            game = game.play(path[-1])
            below.append(_nodes(game, report, path, replies))
            path = self._onward(report, path)
        visits = [stats.visits if report.simulations else 0 for stats in ranked]
        rest = tuple(labels.count(sum(visits[index:])) if any(visits) else "" for index in range(len(visits)))
        return TreeColumns(moves, tuple(below), path, rest)

    def _onward(self, report: SearchReport, line: Line) -> Line:
        """Return a line with one more move: the one that the user has expanded, or the most visited one."""
        moves = self._moves(report, line)
        if not moves:
            return line
        wanted = self._opened[len(line)] if self._opened[: len(line)] == line != self._opened else None
        legal = {stats.move for stats in moves}
        best = max(moves, key=lambda stats: (stats.visits, report.pv[: len(line) + 1] == (*line, stats.move)))
        return (*line, wanted if wanted is not None and wanted in legal else best.move)

    def _moves(self, report: SearchReport, line: Line) -> list[MoveStats]:
        """Return the moves after a line in their order on the screen."""
        moves = report.below.get(line, ()) if line else report.moves
        if not moves and report.pv[: len(line)] == line != report.pv:
            moves = (MoveStats(report.pv[len(line)], 0, None),)
        order = self._orders.setdefault(line, [stats.move for stats in sorted(moves, key=_merit(report), reverse=True)])
        return sorted(moves, key=lambda stats: order.index(stats.move) if stats.move in order else len(order))


def _merit(report: SearchReport) -> Callable[[MoveStats], tuple[float, ...]]:
    """Return the sort key of moves: visits, or the value if the search does not simulate."""

    def merit(stats: MoveStats) -> tuple[float, ...]:
        value = -math.inf if stats.value is None else stats.value
        prefers = float(stats.move == report.move)
        return (stats.visits, prefers, value) if report.simulations else (value, stats.exact, prefers)

    return merit


def _nodes(
    game: AnyGame, report: SearchReport, line: Line, moves: Sequence[MoveStats], marked: Sequence[Move] = ()
) -> tuple[TreeNode, ...]:
    """Return the nodes after a line; `marked` are the best and the most visited move of the root."""
    max_visits = max((stats.visits for stats in moves), default=0)
    return tuple(
        TreeNode(
            line=(*line, stats.move),
            mover=game.to_move,
            text=labels.move(game, stats.move),
            visits=labels.count(stats.visits) if stats.visits else "",
            share=stats.visits / max_visits if max_visits else 0.0,
            value="" if stats.value is None else value_text(report, stats),
            is_best=stats.move in marked[:1],
            is_most=stats.move in marked[1:],
            note=chosen_by(stats),
            terms="" if stats.terms is None else _sum(stats.terms),
        )
        for stats in moves
    )


def chosen_by(stats: MoveStats) -> tuple[str, ...]:
    """Return the selection formula of a move in words; empty if the search reports none."""
    terms = stats.terms
    if terms is None:
        return ()
    value, bonus, bound = _in_per_cent(terms)
    words = tr("values.bonus", value=value, bonus=bonus, bound=bound, visits=labels.count(stats.visits))
    variance = terms.variance
    return (words,) if variance is None else (words, tr("values.variance", variance=number(variance, ".3f")))


def _sum(terms: BoundTerms) -> str:
    value, bonus, bound = _in_per_cent(terms)
    return tr("values.terms", value=value, bonus=bonus, bound=bound)


def _in_per_cent(terms: BoundTerms) -> list[str]:
    return [number(100 * share, ".1f") for share in (terms.mean, terms.bonus, terms.bound)]


def draw_note(surface: Surface, style: ui.Style, words: Sequence[str], beside: Rect, within: Rect) -> None:
    """Draw a note above a place, or below it if there is no room above. Wide texts are wrapped."""
    px = style.px
    images = [style.text(row, 12) for text in words for row in style.wrap(text, 12, within.width - px(20), _NOTE_ROWS)]
    width, height = max(image.get_width() for image in images) + px(20), px(10) + px(18) * len(images)
    box = Rect().move_to(size=(width, height), midbottom=(beside.centerx, beside.top - px(2)))
    if box.top < within.top:
        box.top = beside.bottom + px(2)
    box.clamp_ip(within)
    ui.fill_rounded(surface, box, px(6), style.palette.raised, style.palette.line, px(1))
    for index, image in enumerate(images):
        ui.blit_text(surface, image, at=(box.left + px(10), box.top + px(5) + index * px(18)))
