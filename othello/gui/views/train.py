"""An exercise beside the board: which one it is, what is to be found, what was tried, and the answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

import pygame
from pygame import Rect

from othello.gui import bars, theme
from othello.gui.actions import Where
from othello.gui.faces import marks
from othello.gui.faces.board import BoardPlace
from othello.gui.faces.face import Face
from othello.gui.layout import Layout
from othello.gui.theme import RGB, Style, blit_text
from othello.gui.toolkit.shapes import cross, draw_check, draw_line, fill_polygon, fill_rounded, ring
from othello.gui.views import answer
from othello.gui.views.answer import Answer
from othello.rules.protocol import Color, Move
from othello.texts import say

_HEADER: Final = 88
_TASK: Final = 96
NARROW: Final = 320
"""A column of fewer design pixels has no room for a piece beside the task."""
_NARROW_TASK: Final = 132
_TRIES_HEADER: Final = 36
_ROW: Final = 48
_ANSWER: Final = 216
_HINT: Final = 84
_MOST_STEPS: Final = 10
_AFTER: Final = ("play_on", "analyse_exercise")


class Verdict(Enum):
    """What a tried move is."""

    RIGHT = "right"
    BETTER = "better"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Step:
    """An exercise in the row of all.

    Attributes:
        words: how it went, or its number.
        is_now: whether it is the one on the board.
        verdict: how it went, None while it goes on.
    """

    words: str
    is_now: bool
    verdict: Verdict | None = None


@dataclass(frozen=True, slots=True)
class Try:
    """A move that was tried.

    Attributes:
        move: what; `square` is where.
        when: in the game, or in which try.
        words: what it leads to.
        value: what that is worth.
        verdict: what it is.
    """

    move: str
    square: Move
    when: str
    words: str
    value: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class TrainState:
    """What the column shows.

    Attributes:
        title: which exercise of how many it is.
        source: where it is from, in ever fewer words.
        steps: all of them.
        color: who is to move, None where there is nothing to be done.
        task: what is to be done, and in which position.
        unit: what the values are.
        tries: the mistake, and what was tried.
        answer: None while nothing was found or asked.
    """

    title: str
    source: tuple[str, ...]
    steps: tuple[Step, ...]
    color: Color | None
    task: tuple[str, str]
    unit: str = ""
    tries: tuple[Try, ...] = ()
    answer: Answer | None = None


@dataclass(frozen=True)
class Places:
    """Where that lies, in real pixels."""

    header: Rect
    task: Rect
    tries: Rect
    answer: Rect
    row: int


def places(layout: Layout, bottom: int, tries: int, *, is_over: bool) -> Places:
    """Divide the column above its last row of buttons; the answer has what the tries leave.

    Args:
        layout: of the window.
        bottom: where the buttons begin.
        tries: how many rows of them there are.
        is_over: whether all is said; a hint takes less room.
    """
    px, column = layout.style.px, layout.column
    room = bottom - px(12) - column.top
    is_low = room < px(560)
    gap, row = px(8 if is_low else 16), px(34 if is_low else _ROW)
    header = Rect(column.left, column.top, column.width, px(72 if is_low else _HEADER))
    is_narrow = column.width < px(NARROW)
    task_height = _NARROW_TASK if is_narrow else 84 if is_low else _TASK
    task = Rect(column.left, header.bottom + gap, column.width, px(task_height))
    rest = column.top + room - task.bottom - gap
    wanted = px(_TRIES_HEADER + 8) + tries * row
    most, least = (_ANSWER, answer.LEAST) if is_over else (_HINT, _HINT)
    answer_height = min(px(most), max(px(least), rest - wanted - gap))
    tries_height = min(wanted, rest - answer_height - gap)
    listed = Rect(column.left, task.bottom + gap, column.width, tries_height)
    return Places(header, task, listed, Rect(column.left, listed.bottom + gap, column.width, answer_height), row)


def answer_buttons(style: Style, panel: Rect) -> dict[str, Rect]:
    """Where the buttons of the answer lie."""
    px, height = style.px, style.px(bars.BUTTON_HEIGHT)
    widths = [bars.width_of(style, name, Where.GAME) for name in _AFTER]
    x = panel.left + max(px(4), min(px(16), (panel.width - sum(widths) - px(8)) // 2))
    found = {}
    for name, width in zip(_AFTER, widths, strict=True):
        found[name] = Rect(x, panel.bottom - px(12) - height, min(width, panel.right - px(4) - x), height)
        x += width + px(8)
    return found


def color_of(verdict: Verdict) -> RGB:
    """The colour of a verdict; its sign says the same."""
    return {Verdict.RIGHT: theme.RIGHT, Verdict.BETTER: theme.LAST_TEXT, Verdict.WRONG: theme.WARNING}[verdict]


def draw_sign(surface: pygame.Surface, verdict: Verdict, color: RGB, centre: tuple[float, float], size: int) -> None:
    """A check, an arrow upwards, or a cross."""
    x, y = centre
    if verdict is Verdict.RIGHT:
        draw_check(surface, color, centre, size)
    elif verdict is Verdict.BETTER:
        half = size * 0.36
        draw_line(surface, color, (x, y + size * 0.42), (x, y - size * 0.2), max(1.5, size * 0.16))
        fill_polygon(surface, color, ((x - half, y - size * 0.05), (x + half, y - size * 0.05), (x, y - size * 0.46)))
    else:
        sign = cross(max(5, round(size * 0.8)), max(1.5, size * 0.16), color)
        surface.blit(sign, sign.get_rect(center=centre))


def draw_on_board(surface: pygame.Surface, place: BoardPlace, each: Try) -> None:
    """A tried move on its square: what it is worth, and whether it is right."""
    rect, style = place.square_rect(each.square), place.mark_style
    color = {Verdict.RIGHT: theme.BEST_VALUE, Verdict.BETTER: theme.LAST_MOVE}.get(each.verdict, theme.MOST_VISITED)
    marks.outline(surface, place, rect, place.plate, max(2, place.cell // 26), color, marks.plate_color(place))
    size = style.largest(each.value, (16, 14, 12, 10, 9), place.plate - style.px(12), bold=True)
    value = style.text(each.value, size, color, bold=True)
    blit_text(surface, value, anchor="center", at=(rect.centerx, rect.centery - place.cell * 0.1))
    draw_sign(surface, each.verdict, color, (rect.centerx, rect.centery + place.cell * 0.19), max(7, place.cell // 6))


def draw(surface: pygame.Surface, style: Style, face: Face, at: Places, state: TrainState) -> None:
    """Draw the column; its buttons come on top."""
    _draw_header(surface, style, at.header, state)
    _draw_task(surface, style, face, at.task, state)
    if state.tries:
        _draw_tries(surface, style, at, state)
    if state.answer is not None:
        answer.draw(surface, style, face, at.answer, state.answer)


def _draw_header(surface: pygame.Surface, style: Style, rect: Rect, state: TrainState) -> None:
    px = style.px
    fill_rounded(surface, rect, px(10), theme.PANEL, theme.EDGE, px(1))
    y = rect.top + (rect.height - px(34)) // 2
    title = style.text(state.title, 18, bold=True)
    end = blit_text(surface, title, anchor="midleft", at=(rect.left + px(16), y)).right
    room = rect.right - px(16) - end - px(16)
    fitting = next((words for words in state.source if style.width(words, 12) <= room), state.source[-1])
    source = style.text(style.fit(fitting, 12, room), 12, theme.MUTED)
    blit_text(surface, source, anchor="midright", at=(rect.right - px(16), y))
    steps = state.steps[:_MOST_STEPS]
    gap = px(8)
    width = (rect.width - px(32) - gap * (len(steps) - 1)) // max(1, len(steps))
    for index, step in enumerate(steps):
        _draw_step(
            surface, style, Rect(rect.left + px(16) + index * (width + gap), rect.bottom - px(34), width, px(20)), step
        )


def _draw_step(surface: pygame.Surface, style: Style, rect: Rect, step: Step) -> None:
    px = style.px
    color = theme.ACCENT if step.is_now else theme.MUTED if step.verdict is None else color_of(step.verdict)
    fill = theme.CHOSEN if step.is_now else theme.RAISED
    has_edge = step.is_now or step.verdict is not None
    fill_rounded(surface, rect, px(6), fill, color if has_edge else theme.RAISED, px(1))
    sign = px(18) if step.verdict is not None else 0
    words = step.words if style.width(step.words, 11, bold=step.is_now) + sign <= rect.width - px(10) else ""
    if step.verdict is not None:
        x = rect.left + px(13) if words else rect.centerx
        draw_sign(surface, step.verdict, color, (x, rect.centery), px(11))
    text = style.text(words, 11, color, bold=step.is_now)
    blit_text(surface, text, anchor="center", at=(rect.centerx + sign // 2, rect.centery))


def _draw_task(surface: pygame.Surface, style: Style, face: Face, rect: Rect, state: TrainState) -> None:
    px = style.px
    fill_rounded(surface, rect, px(10), theme.CHOSEN, theme.ACCENT, px(1))
    left = rect.left + px(20)
    if state.color is not None and rect.width >= px(NARROW):
        face.draw_piece(surface, (rect.left + px(44), rect.centery), px(40), state.color)
        left = rect.left + px(84)
    title, text = state.task
    room = rect.right - px(16) - left
    lines = 2 if rect.height < px(_NARROW_TASK) else 4
    text_size, rows = 13, style.wrap(text, 13, room, lines)
    if rows and rows[-1].endswith("…"):
        text_size, rows = 11, style.wrap(text, 11, room, lines + 1)
    pitch = text_size + 5
    top = rect.centery - px(14 + pitch * len(rows) // 2)
    size = style.largest(title, (20, 18, 16), room, bold=True)
    blit_text(surface, style.text(style.fit(title, size, room, bold=True), size, bold=True), at=(left, top))
    for index, row in enumerate(rows):
        blit_text(surface, style.text(row, text_size), at=(left, top + px(29 + pitch * index)))


def _draw_tries(surface: pygame.Surface, style: Style, at: Places, state: TrainState) -> None:
    px, rect = style.px, at.tries
    fill_rounded(surface, rect, px(10), theme.PANEL, theme.EDGE, px(1))
    title = style.text(say("training.tries"), 13, theme.MUTED, bold=True)
    end = blit_text(surface, title, anchor="midleft", at=(rect.left + px(16), rect.top + px(19))).right
    room = rect.right - px(16) - end - px(12)
    size = style.largest(state.unit, (12, 11, 10), room)
    unit = style.text(style.fit(state.unit, size, room), size, theme.MUTED)
    blit_text(surface, unit, anchor="midright", at=(rect.right - px(16), rect.top + px(19)))
    fitting = max(1, (rect.height - px(_TRIES_HEADER + 4)) // at.row)
    shown = state.tries if len(state.tries) <= fitting else (state.tries[0], *state.tries[1 - fitting :])[:fitting]
    for index, each in enumerate(shown):
        top = rect.top + px(_TRIES_HEADER) + index * at.row
        row = Rect(rect.left + px(10), top, rect.width - px(20), at.row - px(6))
        fill_rounded(surface, row, px(8), theme.RAISED)
        _draw_try(surface, style, row, each)


def _draw_try(surface: pygame.Surface, style: Style, row: Rect, each: Try) -> None:
    px, color = style.px, color_of(each.verdict)
    centre = (row.left + px(22), row.centery)
    width = min(px(24), row.height - px(6))
    image = ring(width, px(2), color)
    surface.blit(image, image.get_rect(center=centre))
    draw_sign(surface, each.verdict, color, centre, width // 2)
    blit_text(surface, style.text(each.move, 15, bold=True), anchor="midleft", at=(row.left + px(46), row.centery))
    is_narrow = row.width < px(440)
    left = row.left + px(96)
    if not is_narrow:
        when = style.text(style.fit(each.when, 13, px(100)), 13, theme.MUTED)
        blit_text(surface, when, anchor="midleft", at=(left, row.centery))
        left += px(108)
    value = style.text(each.value, 15, color, bold=True)
    right = blit_text(surface, value, anchor="midright", at=(row.right - px(14), row.centery)).left
    size = style.largest(each.words, (13, 12, 11), right - px(10) - left)
    if is_narrow and style.width(each.words, size) > right - px(10) - left:
        return  # the value says the same
    words = style.text(style.fit(each.words, size, right - px(10) - left), size)
    blit_text(surface, words, anchor="midleft", at=(left, row.centery))
