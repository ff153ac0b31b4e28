"""The game as a curve: what every position is worth, where the mistakes lie, and a cursor on the shown one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import pygame
from pygame import Rect

from othello.gui import theme
from othello.gui.faces.face import Face
from othello.gui.theme import Style, blit_text
from othello.gui.toolkit.shapes import circle, ring
from othello.gui.views.moves import sign_color
from othello.rules.protocol import Color
from othello.texts import say

_ENDS: Final = (8, 20, 40)  # differences at which a scale may end before the whole board

HEADER: Final = 40
"""What is left free above the curve for words and buttons, in design pixels."""

_SCALE: Final = 2  # drawn so many times larger, then made smaller: smooth lines
_MARK: Final = 17


@dataclass(frozen=True, slots=True)
class Point:
    """A position on the curve.

    Attributes:
        ply: after so many moves.
        value: for the side that began, -1 .. 1 of what the scale ends with.
        is_exact: whether that is proved.
    """

    ply: int
    value: float
    is_exact: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """A mistake: the move that led to a position, and its sign."""

    ply: int
    sign: str


@dataclass(frozen=True, slots=True)
class CurveState:
    """What the panel shows.

    Attributes:
        points: in the order of their plies; a position of which nothing is known has none.
        plies: where the scale below ends.
        shown_ply: where the cursor is.
        top: what stands at the upper end of the scale; likewise `middle` and `bottom`.
        marks: the mistakes.
        note: what is said where there are no points.
    """

    points: tuple[Point, ...]
    plies: int
    shown_ply: int
    top: str = ""
    middle: str = "0"
    bottom: str = ""
    marks: tuple[Mark, ...] = ()
    note: str = ""


def disc_scale(values: Sequence[float], squares: int) -> int:
    """Where a scale ends that all values fit in, on a board of so many squares."""
    most = max(map(abs, values), default=0.0)
    return next((end for end in _ENDS if most <= end < squares), squares)


def area(style: Style, panel: Rect) -> Rect:
    """Where the curve lies in its panel."""
    px = style.px
    top = panel.top + px(HEADER + 6)
    return Rect(panel.left + px(64), top, panel.width - px(80), max(1, panel.bottom - px(26) - top))


def ply_at(style: Style, panel: Rect, plies: int, point: tuple[int, int], *, is_held: bool = False) -> int | None:
    """The ply at a point of the window, None beside the curve; one that is held follows the mouse anywhere."""
    within = area(style, panel)
    if not is_held and not within.inflate(style.px(16), style.px(20)).collidepoint(point):
        return None
    return min(max(0, round((point[0] - within.left) * plies / within.width)), plies)


def draw(surface: pygame.Surface, style: Style, face: Face, panel: Rect, state: CurveState) -> None:
    """Draw the curve: above the middle it is better for the side that began. The panel itself is there already."""
    surface.blit(_drawn(panel.size, style.scale, face, replace(state, shown_ply=0)), panel)
    within = area(style, panel)
    x, _ = _at(within, state.plies, state.shown_ply, 0.0)
    surface.fill(theme.LAST_MOVE, (x - style.px(1), within.top - style.px(3), style.px(2), within.height + style.px(6)))
    shown = next((point for point in state.points if point.ply == state.shown_ply), None)
    if shown is not None:
        dot = ring(style.px(9), style.px(1), theme.PANEL, theme.LAST_MOVE)
        surface.blit(dot, dot.get_rect(center=_at(within, state.plies, shown.ply, shown.value)))


@theme.drawn_once(4)
def _drawn(size: tuple[int, int], scale: float, face: Face, state: CurveState) -> pygame.Surface:
    """All but the cursor, which alone moves while somebody browses."""
    style = theme.style(scale)
    surface = pygame.Surface(size, pygame.SRCALPHA)
    surface.fill((*theme.PANEL, 0))
    within = area(style, surface.get_rect())
    if state.points:
        _draw_line(surface, style, within, state)
    else:
        surface.fill(theme.LINE, (within.left, within.centery, within.width, 1))
        rows = style.wrap(state.note, 12, within.width - style.px(8), lines=3)
        for index, row in enumerate(reversed(rows)):
            at = within.centerx, within.centery - style.px(4 + 17 * index)
            blit_text(surface, style.text(row, 12, theme.MUTED), anchor="midbottom", at=at)
    _draw_scales(surface, style, face, within, state)
    _draw_marks(surface, style, within, state)
    return surface


def _at(within: Rect, plies: int, ply: int, value: float) -> tuple[int, int]:
    x = within.left + within.width * ply // max(1, plies)
    return x, round(within.centery - min(max(value, -1.0), 1.0) * within.height / 2)


def _draw_scales(surface: pygame.Surface, style: Style, face: Face, within: Rect, state: CurveState) -> None:
    px = style.px
    for y, label in ((within.top, state.top), (within.centery, state.middle), (within.bottom, state.bottom)):
        if y != within.centery:
            surface.fill(theme.LINE, (within.left, y, within.width, 1))
        text = style.text(label, 11, theme.MUTED)
        blit_text(surface, text, anchor="midright", at=(within.left - px(7), y))
    for color, y in ((Color.BLACK, within.top), (Color.WHITE, within.bottom)):
        face.draw_token(surface, (within.left - px(50), y), px(11), color)
    step = 10 if state.plies > 15 else 2
    for ply in range(step, state.plies + 1, step):
        x, _ = _at(within, state.plies, ply, 0.0)
        blit_text(surface, style.text(str(ply), 11, theme.MUTED), anchor="midtop", at=(x, within.bottom + px(4)))


def _draw_line(surface: pygame.Surface, style: Style, within: Rect, state: CurveState) -> None:
    """The line with what lies between it and the middle; what is exact has a ground of its own."""
    px = style.px
    points = [_at(within, state.plies, point.ply, point.value) for point in state.points]
    exact = [at for at, point in zip(points, state.points, strict=True) if point.is_exact]
    if exact:
        left, right = exact[0][0], max(exact[-1][0], exact[0][0] + px(3))
        surface.fill(theme.RAISED, (left, within.top, right - left, within.height))
        surface.fill(theme.MUTED, (left, within.top, 1, within.height))
    for x in range(within.left, within.right, px(6)):
        surface.fill(theme.MUTED, (x, within.centery, px(3), 1))
    large = pygame.Surface((within.width * _SCALE, (within.height + 2) * _SCALE), pygame.SRCALPHA)
    large.fill((*theme.ACCENT, 0))
    curve = [((x - within.left) * _SCALE, (y - within.top) * _SCALE) for x, y in points]
    middle = within.height * _SCALE // 2
    if len(curve) > 1:
        around = [(curve[0][0], middle), *curve, (curve[-1][0], middle)]
        pygame.draw.polygon(large, (*theme.ACCENT, 48), around)
        pygame.draw.lines(large, theme.ACCENT, False, curve, px(2) * _SCALE)
    surface.blit(pygame.transform.smoothscale(large, (within.width, within.height + 2)), within)
    if len(points) == 1:
        dot = circle(px(6), theme.ACCENT)
        surface.blit(dot, dot.get_rect(center=points[0]))
    if exact:
        _draw_exact(surface, style, within, exact)


def _draw_exact(surface: pygame.Surface, style: Style, within: Rect, exact: Sequence[tuple[int, int]]) -> None:
    """The word for the ground of what is exact: beside it where there is room, else in the corner off the curve."""
    text = style.text(say("analysis.exact"), 11, theme.MUTED)
    if exact[-1][0] + style.px(8) + text.get_width() <= within.right:
        blit_text(surface, text, anchor="bottomleft", at=(exact[-1][0] + style.px(6), within.bottom - style.px(2)))
    elif exact[-1][1] > within.centery:
        blit_text(surface, text, anchor="topright", at=(within.right - style.px(6), within.top + style.px(2)))
    else:
        blit_text(surface, text, anchor="bottomright", at=(within.right - style.px(6), within.bottom - style.px(2)))


def _draw_marks(surface: pygame.Surface, style: Style, within: Rect, state: CurveState) -> None:
    """A dot for every mistake; its sign beside it where there is room, of the worst ones first."""
    px = style.px
    values = {point.ply: point.value for point in state.points}
    known = [mark for mark in state.marks if mark.ply in values]
    taken: list[Rect] = []
    for mark in sorted(known, key=lambda mark: ("??", "?", "?!").index(mark.sign)):
        x, y = _at(within, state.plies, mark.ply, values[mark.ply])
        color = sign_color(mark.sign)
        dot = circle(px(6), color)
        surface.blit(dot, dot.get_rect(center=(x, y)))
        fell = values[mark.ply] < values.get(mark.ply - 1, 0.0)
        for away in (px(_MARK), -px(_MARK)) if fell else (-px(_MARK), px(_MARK)):
            plate = Rect(0, 0, px(_MARK), px(_MARK))
            plate.center = (x, y + away)
            if within.top <= plate.centery <= within.bottom and plate.collidelist(taken) < 0:
                taken.append(plate)
                surface.blit(ring(px(_MARK), px(1.5), color, theme.PANEL), plate)
                blit_text(surface, style.text(mark.sign, 10, color, bold=True), anchor="center", at=plate.center)
                break
