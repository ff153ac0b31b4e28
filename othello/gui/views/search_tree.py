"""The tree of a search: the root's moves with their visits, and one line unfolded to the right of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pygame
from pygame import Rect

from othello.gui import theme
from othello.gui.faces import marks
from othello.gui.faces.face import Face
from othello.gui.theme import Style, blit_text
from othello.gui.toolkit.shapes import draw_line, fill_rounded, ring
from othello.rules.protocol import Color
from othello.search.report import Line
from othello.texts import say

_ROW: Final = 24
_ROOT_WIDTH: Final = 250  # of the root's moves
_COLUMN: Final = 88  # from one unfolded column to the next
_BOX: Final = 68
_SHOWN_BELOW: Final = 4  # replies in a column


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A move that the search knows.

    Attributes:
        line: the moves from the root that lead there.
        mover: whose move it is.
        visits: how many went there, in words; empty where nothing is counted.
        share: of the most visited one, 0 .. 1.
        value: in words.
        is_best: whether its value is the best; likewise `is_most`, of visits.
    """

    line: Line
    mover: Color
    text: str
    visits: str = ""
    share: float = 0.0
    value: str = ""
    is_best: bool = False
    is_most: bool = False


@dataclass(frozen=True, slots=True)
class TreeState:
    """What the panel shows.

    Attributes:
        moves: the root's, in order.
        below: the moves after the first of `path`, after the first two, ...
        path: the line that is unfolded.
        rest: visits of the moves from each on, in words, for those that have no room.
        hover: the node under the mouse.
    """

    moves: tuple[TreeNode, ...] = ()
    below: tuple[tuple[TreeNode, ...], ...] = ()
    path: Line = ()
    rest: tuple[str, ...] = ()
    hover: Line | None = None


def columns(style: Style, rect: Rect) -> int:
    """How many columns there is room for beside the root's moves."""
    return max(0, (rect.width - style.px(_ROOT_WIDTH)) // style.px(_COLUMN))


def _rows(style: Style, rect: Rect, state: TreeState) -> Sequence[TreeNode]:
    """The moves of the root that have room; where not all have, a row is left for saying so."""
    room = max(0, rect.height // style.px(_ROW))
    return state.moves if len(state.moves) <= room else _first(state.moves, room - 1, state.path)


def _first(nodes: Sequence[TreeNode], count: int, path: Line) -> Sequence[TreeNode]:
    """So many nodes, of which the last gives way to the one on the path where that were left out."""
    shown = nodes[: max(0, count)]
    wanted = [node for node in nodes[len(shown) :] if node.line == path[: len(node.line)]]
    return (*shown[:-1], *wanted) if shown and wanted else shown


def places(style: Style, rect: Rect, state: TreeState) -> dict[Line, Rect]:
    """Where every node lies that is drawn."""
    px = style.px
    found = {
        node.line: Rect(rect.left + px(34), rect.top + index * px(_ROW), px(_ROOT_WIDTH - 44), px(_ROW))
        for index, node in enumerate(_rows(style, rect, state))
    }
    most = max(1, min(_SHOWN_BELOW, rect.height // px(_ROW)))
    for index, column in enumerate(state.below[: columns(style, rect)]):
        left = rect.left + px(_ROOT_WIDTH) + px(22) + index * px(_COLUMN)
        for row, node in enumerate(_first(column, most, state.path)):
            found[node.line] = Rect(left, rect.top + row * px(_ROW) + px(2), px(_BOX), px(_ROW - 3))
    return found


def line_at(style: Style, rect: Rect, state: TreeState, point: tuple[int, int]) -> Line | None:
    """The node at a point of the window."""
    return next((line for line, place in places(style, rect, state).items() if place.collidepoint(point)), None)


def draw(surface: pygame.Surface, style: Style, face: Face, rect: Rect, state: TreeState) -> None:
    """Draw as much of the tree as has room."""
    px, at = style.px, places(style, rect, state)
    if not state.moves or rect.height < px(_ROW):
        return
    root = (rect.left + px(8), rect.top + px(_ROW) // 2)
    shown = _rows(style, rect, state)
    for node in reversed(shown):
        _connect(surface, style, root, (at[node.line].left - px(2), at[node.line].centery), node.line == state.path[:1])
    if len(shown) < len(state.moves):
        middle = rect.top + len(shown) * px(_ROW) + px(_ROW) // 2
        _connect(surface, style, root, (rect.left + px(44), middle), is_path=False)
        rest = state.rest[len(shown)]
        more = say("analysis.more_visits" if rest else "analysis.more", n=len(state.moves) - len(shown), visits=rest)
        blit_text(surface, style.text(more, 12, theme.MUTED), anchor="midleft", at=(rect.left + px(52), middle))
    disc = ring(px(15), px(1.5), theme.MUTED, face.colors[state.moves[0].mover])
    surface.blit(disc, disc.get_rect(center=root))
    for node in shown:
        _draw_move(surface, style, at[node.line], node, state)
    for index, column in enumerate(state.below[: columns(style, rect)]):
        before = at.get(state.path[: index + 1])
        for node in column:
            if node.line in at:
                is_path = node.line == state.path[: index + 2]
                if before is not None:
                    start = (before.right + px(4), before.centery)
                    _connect(surface, style, start, at[node.line].midleft, is_path)
                _draw_reply(surface, style, face, at[node.line], node, state, is_path=is_path)


def _connect(
    surface: pygame.Surface, style: Style, start: tuple[int, int], end: tuple[int, int], is_path: bool
) -> None:
    """A line from a node to one of its moves, bent once."""
    color, width = (theme.MOST_VISITED, style.px(2)) if is_path else (theme.LINE, style.px(1))
    if start[1] == end[1]:
        surface.fill(color, (start[0], start[1] - width // 2, max(0, end[0] - start[0]), width))
        return
    bend = (start[0] + (end[0] - start[0]) * 0.55, end[1])
    draw_line(surface, color, start, bend, width)
    draw_line(surface, color, bend, end, width)


def _draw_move(surface: pygame.Surface, style: Style, rect: Rect, node: TreeNode, state: TreeState) -> None:
    """A move of the root: marks, name, visits as a bar and in figures, value."""
    px, y = style.px, rect.centery
    if node.line == state.hover:
        fill_rounded(surface, rect, px(5), theme.RAISED)
    if node.is_most:
        marks.draw_square(surface, style, (rect.left + px(6), y), theme.MOST_VISITED)
    if node.is_best:
        marks.draw_triangle(surface, style, (rect.left + px(18 if node.is_most else 6), y), theme.BEST_VALUE)
    color = theme.MOST_VISITED if node.is_most else theme.BEST_VALUE if node.is_best else theme.MUTED
    name = style.text(node.text, 13, theme.TEXT if color == theme.MUTED else color, bold=True)
    left = rect.left + px(28 if node.is_most and node.is_best else 18)
    blit_text(surface, name, anchor="midleft", at=(left, y))
    track = Rect(rect.left + px(62), y - px(5), px(58), px(10))
    fill_rounded(surface, track, px(3), theme.RAISED)
    length = round(track.width * node.share)
    if length >= px(3):
        fill_rounded(surface, Rect(track.left, track.top, length, track.height), px(3), color)
    blit_text(surface, style.text(node.visits, 12), anchor="midright", at=(rect.right - px(46), y))
    blit_text(surface, style.text(node.value, 12, theme.MUTED), anchor="midright", at=(rect.right, y))


def _draw_reply(
    surface: pygame.Surface,
    style: Style,
    face: Face,
    rect: Rect,
    node: TreeNode,
    state: TreeState,
    *,
    is_path: bool,
) -> None:
    """A move further down, in a box."""
    px = style.px
    if is_path:
        fill_rounded(surface, rect, px(5), theme.CHOSEN, theme.MOST_VISITED, px(1.5))
    else:
        fill_rounded(surface, rect, px(5), theme.SMALL if node.line == state.hover else theme.RAISED)
    face.draw_token(surface, (rect.left + px(10), rect.centery), px(10), node.mover)
    name = style.text(style.fit(node.text, 12, rect.width - px(20), bold=is_path), 12, bold=is_path)
    at = blit_text(surface, name, anchor="midleft", at=(rect.left + px(18), rect.centery))
    if node.visits and at.right + style.width(node.visits, 10) + px(6) <= rect.right:
        visits = style.text(node.visits, 10, theme.MUTED)
        blit_text(surface, visits, anchor="midright", at=(rect.right - px(4), rect.centery))
