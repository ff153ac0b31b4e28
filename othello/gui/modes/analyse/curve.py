"""The evaluation curve of a game, with its mistakes and a cursor on the shown position."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import pygame
from pygame import Rect

from othello.gui import ui
from othello.gui.boards.renderer import BoardRenderer
from othello.gui.labels import SIGNS, mistake, sign_color
from othello.play import session_commands as cmd
from othello.rules.protocol import Color
from othello.texts import joined, tr

CURVE: Final = "curve"
# Differences in discs at which the scale can end; beyond these it ends at the number of squares.
_ENDS: Final = (8, 20, 40)
_SCALE: Final = 2  # factor by which the line is drawn larger, to scale it down smoothly
_MARK: Final = 17
_MAX_GAP: Final = 6  # moves without a value in a row, above which the line is interrupted


class CurvePoint(NamedTuple):
    """The value of a position."""

    ply: int  # moves before the position
    value: float  # for the side that moved first, -1 .. 1 of the scale
    is_exact: bool  # True if the value is proven


def disc_scale(values: Sequence[float], squares: int) -> int:
    """Return the end of the scale for values in discs; `squares` is the number of squares of the board."""
    most = max(map(abs, values), default=0.0)
    return next((end for end in _ENDS if most <= end < squares), squares)


class CurvePanel(ui.Widget):
    """The evaluation curve. Above the middle, the side that moved first is ahead.

    A click or an arrow key moves the cursor.
    """

    renderer: BoardRenderer
    points: tuple[CurvePoint, ...]  # in the order of plies, without positions that have no value
    plies: int  # where the horizontal scale ends
    end: str  # label at both ends of the vertical scale
    middle: str  # label in its middle
    marks: Mapping[int, str]  # the sign of each mistake, by the ply after the move
    worst: tuple[int, ...] = ()  # plies of the worst mistakes, whose signs are drawn; the others get a tick
    shown_ply: int = 0  # position of the cursor
    note: str = ""  # shown if there are no points
    tooltips: tuple[tuple[str, ...], ...] = ()  # the lines of each position's tooltip

    takes_focus = True
    takes_arrows = True
    is_dragged = True
    follows_mouse = True

    def area(self, on: ui.PaintContext) -> Rect:
        """Return the rectangle of the curve within the panel."""
        px, rect = on.style.px, on.rect
        return Rect(rect.left + px(52), rect.top + px(8), rect.width - px(62), max(1, rect.height - px(28)))

    def press(self, at: ui.Point, on: ui.PaintContext) -> object | None:
        return self.drag(at, on) if self._is_near(at, on) else None

    def drag(self, at: ui.Point, on: ui.PaintContext) -> object | None:
        return cmd.GoTo(self._ply_at(at, on))

    def _is_near(self, at: ui.Point, on: ui.PaintContext) -> bool:
        return self.area(on).inflate(on.style.px(16), on.style.px(20)).collidepoint(at)

    def _ply_at(self, at: ui.Point, on: ui.PaintContext) -> int:
        within = self.area(on)
        return min(max(0, round((at[0] - within.left) * self.plies / within.width)), self.plies)

    def key(self, key: ui.Key, on: ui.PaintContext) -> object | None:
        return cmd.Browse({"Left": -1, "Right": 1}[key.name]) if key.name in ("Left", "Right") else None

    def accessible(self, on: ui.PaintContext) -> ui.AccessibleNode:
        tooltip = self.tooltips[self.shown_ply] if self.shown_ply < len(self.tooltips) else (self.note,)
        share = self.shown_ply, 0, self.plies
        sign = self.marks.get(self.shown_ply, "")
        parts = f"{tooltip[0].removesuffix(sign)}{mistake(sign)}", *tooltip[1:]
        words = joined(*(tr("sentence", words=part) for part in parts))
        moment = ui.AccessibleNode("label", value=words, live="polite")
        return ui.AccessibleNode("slider", name=tr("spoken.curve"), value=words, value_range=share, parts=(moment,))

    def put(self, value: str | float) -> object | None:
        return cmd.GoTo(min(max(0, round(float(value))), self.plies))

    def draw(self, on: ui.PaintContext) -> None:
        style, palette, within = on.style, on.style.palette, self.area(on)
        if self.points:
            self._draw_line(on, within)
        else:
            self._draw_note(on, within)
        self._draw_scales(on, within)
        self._draw_marks(on, within)
        x, _ = self._at(within, self.shown_ply, 0.0)
        cursor = (x - style.px(1), within.top - style.px(3), style.px(2), within.height + style.px(6))
        on.surface.fill(palette.last_move, cursor)
        shown = next((point for point in self.points if point.ply == self.shown_ply), None)
        if shown is not None:
            dot = ui.ring(style.px(9), style.px(1), palette.panel, palette.last_move)
            on.image(dot, at=self._at(within, shown.ply, shown.value))
        if on.mouse is not None and self._is_near(on.mouse, on):
            self._draw_tooltip(on, within, self._ply_at(on.mouse, on))

    def _draw_tooltip(self, on: ui.PaintContext, within: Rect, ply: int) -> None:
        """Draw the text of the position under the mouse beside the curve."""
        style, px, palette = on.style, on.style.px, on.style.palette
        if ply >= len(self.tooltips):
            return
        value = next((point.value for point in self.points if point.ply == ply), 0.0)
        x, y = self._at(within, ply, value)
        on.surface.fill(palette.muted, (x, within.top, 1, within.height))
        on.image(ui.ring(px(9), px(1), palette.panel, palette.text), at=(x, y))
        images = [style.text(row, 12, bold=not index) for index, row in enumerate(self.tooltips[ply])]
        width = max(image.get_width() for image in images) + px(16)
        plate = Rect().move_to(size=(width, px(17) * len(images) + px(8)), midleft=(x + px(10), y))
        if plate.right > on.rect.right:
            plate.right = x - px(10)
        plate.clamp_ip(on.rect)
        ui.fill_rounded(on.surface, plate, px(6), palette.small, palette.muted, 1)
        for index, image in enumerate(images):
            on.image(image, at=(plate.left + px(8), plate.top + px(4) + index * px(17)), anchor="topleft")

    def _at(self, within: Rect, ply: int, value: float) -> tuple[int, int]:
        x = within.left + within.width * ply // max(1, self.plies)
        return x, round(within.centery - min(max(value, -1.0), 1.0) * within.height / 2)

    def _draw_note(self, on: ui.PaintContext, within: Rect) -> None:
        style, palette = on.style, on.style.palette
        on.surface.fill(palette.line, (within.left, within.centery, within.width, 1))
        rows = style.wrap(self.note, 12, within.width - style.px(8), lines=3)
        for index, row in enumerate(reversed(rows)):
            at = within.centerx, within.centery - style.px(4 + 17 * index)
            on.text(at, row, 12, palette.muted, anchor="midbottom")

    def _draw_scales(self, on: ui.PaintContext, within: Rect) -> None:
        px, palette = on.style.px, on.style.palette
        for y, label in ((within.top, self.end), (within.centery, self.middle), (within.bottom, self.end)):
            if y != within.centery:
                on.surface.fill(palette.line, (within.left, y, within.width, 1))
            on.text((within.left - px(7), y), label, 11, palette.muted, anchor="midright")
        for color, y in ((Color.BLACK, within.top), (Color.WHITE, within.bottom)):
            self.renderer.draw_token(on.surface, (within.left - px(46), y), px(11), color)
        step = 10 if self.plies > 15 else 2
        for ply in range(step, self.plies + 1, step):
            x, _ = self._at(within, ply, 0.0)
            on.text((x, within.bottom + px(4)), str(ply), 11, palette.muted, anchor="midtop")

    def _draw_line(self, on: ui.PaintContext, within: Rect) -> None:
        """Draw the line and fill the area between the line and the middle; exact values have another background."""
        px, palette = on.style.px, on.style.palette
        points = [self._at(within, point.ply, point.value) for point in self.points]
        exact = [at for at, point in zip(points, self.points, strict=True) if point.is_exact]
        if exact:
            left, right = exact[0][0], max(exact[-1][0], exact[0][0] + px(3))
            on.surface.fill(palette.raised, (left, within.top, right - left, within.height))
            on.surface.fill(palette.muted, (left, within.top, 1, within.height))
        for x in range(within.left, within.right, px(6)):
            on.surface.fill(palette.muted, (x, within.centery, px(3), 1))
        large = pygame.Surface((within.width * _SCALE, (within.height + 2) * _SCALE), pygame.SRCALPHA)
        large.fill((*palette.accent, 0))
        curve = [((x - within.left) * _SCALE, (y - within.top) * _SCALE) for x, y in points]
        middle = within.height * _SCALE // 2
        gaps = [at for at, (one, two) in enumerate(pairwise(self.points), 1) if two.ply - one.ply > _MAX_GAP]
        for first, end in pairwise((0, *gaps, len(curve))):
            if end - first > 1:
                part = curve[first:end]
                pygame.draw.polygon(large, (*palette.accent, 48), [(part[0][0], middle), *part, (part[-1][0], middle)])
                pygame.draw.lines(large, palette.accent, False, part, px(2) * _SCALE)
            else:
                on.image(ui.circle(px(6), palette.accent), at=points[first])
        on.surface.blit(pygame.transform.smoothscale(large, (within.width, within.height + 2)), within)
        if exact:
            _draw_exact(on, within, exact)

    def _draw_marks(self, on: ui.PaintContext, within: Rect) -> None:
        """Draw a dot and a sign for the worst mistakes, and a tick at the bottom for the others.

        The tick is longer for a worse mistake.
        """
        px, palette = on.style.px, on.style.palette
        at = {point.ply: self._at(within, point.ply, point.value) for point in self.points}
        for ply, sign in self.marks.items():
            if ply in at and ply not in self.worst:
                height = px(4 * (1 + [*SIGNS.values()].index(sign)))
                on.surface.fill(sign_color(palette, sign), (at[ply][0] - px(1), within.bottom - height, px(2), height))
        line, taken = [*at.values()], list[Rect]()
        for ply in self.worst:
            if ply in at:
                color = sign_color(palette, self.marks[ply])
                on.image(ui.circle(px(6), color), at=at[ply])
                plate = _free(Rect(0, 0, px(_MARK), px(_MARK)), at[ply], within, line, taken)
                if plate is not None:
                    taken.append(plate)
                    on.surface.blit(ui.ring(px(_MARK), px(1.5), color, palette.panel), plate)
                    on.text(plate.center, self.marks[ply], 10, color, anchor="center", bold=True)


def _free(
    plate: Rect, at: tuple[int, int], within: Rect, line: Sequence[tuple[int, int]], taken: Sequence[Rect]
) -> Rect | None:
    """Return the place nearest to `at` where a sign covers neither the curve nor another sign, or None."""
    steps = range(plate.height, within.height, plate.height // 4)
    for away in (sign * step for step in steps for sign in (-1, 1)):
        plate.center = at[0], at[1] + away
        hides = any(plate.clipline(*ends) for ends in pairwise(line))
        if within.top <= plate.centery <= within.bottom and not hides and plate.collidelist(taken) < 0:
            return plate
    return None


def _draw_exact(on: ui.PaintContext, within: Rect, exact: Sequence[tuple[int, int]]) -> None:
    """Draw the label of the exact values at the left end of their background."""
    px, text = on.style.px, on.style.text(tr("analysis.exact"), 11, on.style.palette.muted)
    x, y = min(exact[0][0] + px(6), within.right - text.get_width() - px(2)), exact[0][1]
    anchor, edge = ("topleft", within.top + px(2)) if y > within.centery else ("bottomleft", within.bottom - px(2))
    on.image(text, anchor=anchor, at=(x, edge))
