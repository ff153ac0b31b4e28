"""The panels of exercises: tried moves, progress, and the line after the answer."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import pygame

from othello.frozen_dataclass import FrozenDataclass
from othello.gui import commands as gui, labels, ui
from othello.gui.actions import Context
from othello.gui.boards.board_layout import BoardLayout, draw_path
from othello.gui.boards.renderer import BoardRenderer
from othello.gui.modes.train.exercise_text import Verdict
from othello.gui.toolbar import button
from othello.rules.protocol import Color, Square
from othello.texts import tr

MIN_TEXT_WIDTH: Final = 200  # beside a piece or a badge


def color_of(palette: ui.Palette, verdict: Verdict) -> ui.RGB:
    """Return the colour of a verdict; the sign has the same meaning."""
    return {Verdict.RIGHT: palette.right, Verdict.BETTER: palette.last_text, Verdict.WRONG: palette.warning}[verdict]


def draw_sign(surface: pygame.Surface, verdict: Verdict, color: ui.RGB, centre: tuple[float, float], size: int) -> None:
    """Draw a check mark, an upward arrow or a cross."""
    x, y = centre
    if verdict is Verdict.RIGHT:
        ui.draw_check(surface, color, centre, size)
    elif verdict is Verdict.BETTER:
        half = size * 0.36
        ui.draw_line(surface, color, (x, y + size * 0.42), (x, y - size * 0.2), max(1.5, size * 0.16))
        low = y - size * 0.05
        ui.fill_polygon(surface, color, ((x - half, low), (x + half, low), (x, y - size * 0.46)))
    else:
        sign = ui.cross(max(5, round(size * 0.8)), max(1.5, size * 0.16), color)
        surface.blit(sign, sign.get_rect(center=centre))


class TriedMove(FrozenDataclass):
    """A mark on the squares of a tried move: its value and its verdict."""

    squares: tuple[Square, ...]
    value: str  # empty: not shown
    verdict: Verdict

    def draw(self, surface: pygame.Surface, layout: BoardLayout) -> None:
        rect, style = layout.square_rect(self.squares[-1]), layout.mark_style
        palette = style.palette
        known = {Verdict.RIGHT: palette.best_value, Verdict.BETTER: palette.last_move}
        color = known.get(self.verdict, palette.most_visited)
        draw_path(surface, layout, self.squares, color)
        layout.outline(surface, rect, layout.plate, max(2, layout.cell // 26), color, layout.plate_color)
        size = style.largest(self.value, (16, 14, 12, 10, 9), layout.plate - style.px(12), bold=True)
        ink = ui.readable(color, layout.plate_color, palette.board_text)
        value = style.text(self.value, size, ink, bold=True)
        ui.blit_text(surface, value, anchor="center", at=(rect.centerx, rect.centery - layout.cell * 0.1))
        sign = (rect.centerx, rect.centery + layout.cell * (0.19 if self.value else 0))
        draw_sign(surface, self.verdict, color, sign, max(7, layout.cell // 6))


def switch(due: Mapping[str, int], chosen: str) -> ui.Widget:
    """Return the buttons for the parts of training, each with the number of due items."""
    buttons = (replace(button(name, Context.GAME, chosen=name == chosen), widest=()) for name in due)
    labelled = (replace(part, label=f"{part.label} · {due[part.name]}") if due[part.name] else part for part in buttons)
    return ui.FocusGroup([*labelled], 0)


def task_card(
    palette: ui.Palette, title: str, text: str, picture: ui.Widget | None, edge: ui.RGB, *, is_low: bool
) -> ui.Widget:
    """Return the card of a task: a heading and a text, beside a piece or a badge if there is room."""
    heading = ui.Label(title, 20, bold=True, sizes=(18, 16))
    words = ui.Column((heading, ui.Paragraph(text, 13, max_lines=5)), 2, grow=True, min_content=MIN_TEXT_WIDTH)
    beside = () if picture is None else (picture, ui.Spacer(width=12))
    wide = ui.Row((ui.Spacer(width=4, height=56 if is_low else 72), *beside, words), 4)
    return ui.Card(ui.FirstThatFits((wide, words)), (16, 6 if is_low else 10), palette.chosen, edge)


class StepBox(ui.Widget):
    """An exercise in the progress row."""

    words: str  # its result or its number
    verdict: Verdict | None  # None: not finished
    number: int  # shown if the words do not fit
    is_now: bool  # True if it is on the board

    def accessible(self, on: ui.PaintContext) -> ui.AccessibleNode:
        name = tr("training.step", number=self.number, words=self.words)
        return ui.AccessibleNode("list_item", name=name, selected=self.is_now)

    def draw(self, on: ui.PaintContext) -> None:
        style, rect, px, palette = on.style, on.rect, on.style.px, on.style.palette
        judged = palette.muted if self.verdict is None else color_of(palette, self.verdict)
        color = palette.accent if self.is_now else judged
        has_edge = self.is_now or self.verdict is not None
        fill = palette.chosen if self.is_now else palette.raised
        ui.fill_rounded(on.surface, rect, px(6), fill, color if has_edge else palette.raised, px(1))
        sign = px(18) if self.verdict is not None else 0
        fits = style.width(self.words, 11, bold=self.is_now) + sign <= rect.width - px(6)
        if self.verdict is not None:
            x = rect.left + px(13) if fits else rect.centerx
            draw_sign(on.surface, self.verdict, color, (x, rect.centery), px(11))
        words = self.words if fits else "" if sign else str(self.number)
        at = (rect.centerx + sign // 2, rect.centery)
        on.text(at, words, (11, 10, 9, 8), color, anchor="center", bold=self.is_now, room=rect.width)


class AttemptRow(ui.Widget):
    """A row for a tried move."""

    move: str  # text of the move
    when: str  # in the game, or in which try
    words: str  # its outcome
    value: str  # its value
    verdict: Verdict

    def measure(self, style: ui.Style, width: float) -> ui.Size:
        return ui.Size(width, 42 if style.scale < 1.3 else 34)

    def accessible(self, on: ui.PaintContext) -> ui.AccessibleNode:
        return ui.AccessibleNode("label", value=", ".join((self.move, self.when, self.words, self.value)))

    def draw(self, on: ui.PaintContext) -> None:
        style, row, px = on.style, on.rect, on.style.px
        color, muted = color_of(style.palette, self.verdict), style.palette.muted
        ui.fill_rounded(on.surface, row, px(8), style.palette.raised)
        centre, width = (row.left + px(22), row.centery), min(px(24), row.height - px(6))
        on.image(ui.ring(width, px(2), color), at=centre)
        draw_sign(on.surface, self.verdict, color, centre, width // 2)
        on.text((row.left + px(46), row.centery), self.move, 15, bold=True)
        is_narrow, left = row.width < px(440), row.left + px(96)
        if not is_narrow:
            on.text((left, row.centery), self.when, 13, muted, room=px(100))
            left += px(108)
        value = on.text((row.right - px(14), row.centery), self.value, 15, color, anchor="midright", bold=True)
        room = value.left - px(10) - left
        if not is_narrow or style.width(self.words, 11) <= room:  # otherwise, the value says enough
            on.text((left, row.centery), self.words, (13, 12, 11), room=room)


class ExerciseMoves(ui.Row):
    """A row of as many moves as fit."""

    gap: float = 6

    def layout_children(self, style: ui.Style, box: ui.Box, state: Mapping[str, Any]) -> ui.Parts:
        places = super().layout_children(style, box, state)
        return ((move, place) for move, place in places if place.right <= box.right + 0.5)


class LineStep(ui.Widget):
    """A move of the line after the answer."""

    renderer: BoardRenderer
    mover: Color  # side that makes it
    move: str  # text of the move
    number: int  # its position in the line, from 1
    is_played: bool  # True if it is on the board
    color: ui.RGB  # of the edge of a played move

    def measure(self, style: ui.Style, width: float) -> ui.Size:
        return ui.Size(style.length(self.move, 13, bold=True) + 36, 28)

    def accessible(self, on: ui.PaintContext) -> ui.AccessibleNode:
        name = f"{labels.side(self.renderer.rules, self.mover)} {self.move}"
        return ui.AccessibleNode("list_item", name=name, selected=self.is_played, press=gui.StepLine(self.number))

    def draw(self, on: ui.PaintContext) -> None:
        rect, px, well = on.rect, on.style.px, on.style.palette.well
        edge, width = (self.color, 2) if self.is_played else (well, 1)
        ui.fill_rounded(on.surface, rect, px(6), well, edge, px(width))
        self.renderer.draw_token(on.surface, (rect.left + px(14), rect.centery), px(10), self.mover)
        on.text((rect.left + px(25), rect.centery), self.move, 13, bold=self.is_played)

    def press(self, at: ui.Point, on: ui.PaintContext) -> object | None:
        return gui.StepLine(self.number)
