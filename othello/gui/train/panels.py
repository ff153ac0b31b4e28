"""An exercise beside the board: which one it is, what is to be found, what was tried, and the answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pygame

from othello.gui import commands as gui
from othello.gui import wording
from othello.gui.faces.board import BoardPlace, outline
from othello.gui.faces.face import Face
from othello.gui.play.over import Piece
from othello.gui.toolkit.card import Card
from othello.gui.toolkit.inputs import Point
from othello.gui.toolkit.layout import Column, First, Row, Space
from othello.gui.toolkit.panel import Canvas, Panel
from othello.gui.toolkit.shapes import circle, cross, draw_check, draw_line, fill_polygon, fill_rounded, ring
from othello.gui.toolkit.style import RGB, Box, Palette, Size, Style, blit_text
from othello.gui.toolkit.words import Label, Paragraph
from othello.gui.train import words
from othello.gui.train.words import Verdict
from othello.play.drill import Drill
from othello.play.training import Trial
from othello.rules.protocol import Color, Move
from othello.texts import say

_NARROW: Final = 320
_MOST_STEPS: Final = 10


def color_of(palette: Palette, verdict: Verdict) -> RGB:
    """The colour of a verdict; its sign says the same."""
    return {Verdict.RIGHT: palette.right, Verdict.BETTER: palette.last_text, Verdict.WRONG: palette.warning}[verdict]


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


@dataclass(frozen=True)
class TriedSquare:
    """A tried move on its square of the board: what it is worth, and whether it is right."""

    square: Move
    value: str
    verdict: Verdict

    def draw(self, surface: pygame.Surface, place: BoardPlace) -> None:
        rect, style = place.square_rect(self.square), place.mark_style
        palette = style.palette
        known = {Verdict.RIGHT: palette.best_value, Verdict.BETTER: palette.last_move}
        color = known.get(self.verdict, palette.most_visited)
        outline(surface, place, rect, place.plate, max(2, place.cell // 26), color, place.plate_color)
        size = style.largest(self.value, (16, 14, 12, 10, 9), place.plate - style.px(12), bold=True)
        value = style.text(self.value, size, color, bold=True)
        blit_text(surface, value, anchor="center", at=(rect.centerx, rect.centery - place.cell * 0.1))
        sign = (rect.centerx, rect.centery + place.cell * 0.19)
        draw_sign(surface, self.verdict, color, sign, max(7, place.cell // 6))


def header(drill: Drill, palette: Palette) -> Panel:
    """Which exercise of how many, where it is from, and how all went."""
    count, trial = len(drill.trials), drill.trial
    title, source = say("training.done" if count else "training.title"), tuple[str, ...](("",))
    if trial is not None:
        title, source = say("training.of", number=drill.index + 1, count=count), words.source(trial.exercise)
    steps = [StepBox(*words.step(drill, n), n == drill.index, grow=1) for n in range(min(count, _MOST_STEPS))]
    head = Row((Label(title, 18, bold=True), Label(source, 12, palette.muted, align="right", grow=1)), 16)
    return Card(Column((head, Row(steps)), 8), (16, 10), palette.panel, palette.edge)


class StepBox(Panel):
    """An exercise in the row of all."""

    words: str  # how it went, or its number
    verdict: Verdict | None  # how it went, None while it goes on
    is_now: bool  # whether it is the one on the board

    def measure(self, style: Style, width: float) -> Size:
        return Size(20, 20)

    def draw(self, on: Canvas) -> None:
        style, rect, px, palette = on.style, on.rect, on.style.px, on.style.palette
        judged = palette.muted if self.verdict is None else color_of(palette, self.verdict)
        color = palette.accent if self.is_now else judged
        has_edge = self.is_now or self.verdict is not None
        fill = palette.chosen if self.is_now else palette.raised
        fill_rounded(on.surface, rect, px(6), fill, color if has_edge else palette.raised, px(1))
        sign = px(18) if self.verdict is not None else 0
        fits = style.width(self.words, 11, bold=self.is_now) + sign <= rect.width - px(10)
        if self.verdict is not None:
            x = rect.left + px(13) if fits else rect.centerx
            draw_sign(on.surface, self.verdict, color, (x, rect.centery), px(11))
        words = self.words if fits else ""
        on.text((rect.centerx + sign // 2, rect.centery), words, 11, color, anchor="center", bold=self.is_now)


def task(face: Face, palette: Palette, title: str, text: str, color: Color | None, *, is_low: bool) -> Panel:
    """What is to be done, beside the piece of the side that is to move; None: there is nothing to be done."""
    said = Column(
        (Label(title, 20, bold=True, sizes=(18, 16)), Paragraph(text, 13, most=5)), 2, grow=1, least=_NARROW - 120
    )
    piece = () if color is None else (Piece(face, color, 40), Space(width=12))
    wide = Row((Space(width=4, height=56 if is_low else 72), *piece, said), 4)
    return Card(First((wide, said)), (16, 6 if is_low else 10), palette.chosen, palette.accent)


def tries(trial: Trial, palette: Palette, *, is_low: bool) -> Panel:
    """The mistake and all that was tried, each with what it leads to; an answer that is told below only with room."""
    head = Row(
        (
            Label(say("training.tries"), 13, palette.muted, bold=True),
            Label(words.unit_of(trial.exercise), 12, palette.muted, align="right", sizes=(11, 10), grow=1),
        ),
        12,
    )
    rows = [
        Attempt(
            wording.move(trial.exercise.game, move),
            when,
            words.outcome(trial, move),
            words.value(trial, move),
            words.verdict(trial, move),
            height=30 if is_low else None,
        )
        for move, when in words.attempts(trial)[: -1 if is_low and trial.is_shown else None]
    ]
    return Card(Column((Card(head, (6, 2)), *rows), 4 if is_low else 6), (10, 8), palette.panel, palette.edge)


class Attempt(Panel):
    """A move that was tried."""

    move: str  # which
    when: str  # in the game, or in which try
    words: str  # what it leads to
    value: str  # what that is worth
    verdict: Verdict  # whether it is right

    def measure(self, style: Style, width: float) -> Size:
        return Size(width, 42 if style.scale < 1.3 else 34)

    def draw(self, on: Canvas) -> None:
        style, row, px = on.style, on.rect, on.style.px
        color, muted = color_of(style.palette, self.verdict), style.palette.muted
        fill_rounded(on.surface, row, px(8), style.palette.raised)
        centre, width = (row.left + px(22), row.centery), min(px(24), row.height - px(6))
        on.image(ring(width, px(2), color), at=centre)
        draw_sign(on.surface, self.verdict, color, centre, width // 2)
        on.text((row.left + px(46), row.centery), self.move, 15, bold=True)
        is_narrow, left = row.width < px(440), row.left + px(96)
        if not is_narrow:
            on.text((left, row.centery), self.when, 13, muted, room=px(100))
            left += px(108)
        value = on.text((row.right - px(14), row.centery), self.value, 15, color, anchor="midright", bold=True)
        room = value.left - px(10) - left
        size = style.largest(self.words, (13, 12, 11), room)
        if is_narrow and style.width(self.words, size) > room:
            return  # the value says the same
        on.text((left, row.centery), self.words, size, room=room)


def answer(
    palette: Palette, said: tuple[str, str], *, is_found: bool, is_low: bool, below: Sequence[Panel] = ()
) -> Panel:
    """What is said once an exercise is over, or as a hint; `below`: how the game goes on, and buttons."""
    color = palette.right if is_found else palette.accent
    title, details = said
    text = Column(
        (Label(title, 16, bold=True, sizes=(15, 14, 13)), Paragraph(details, 13, most=3)),
        2,
        grow=1,
        least=_NARROW - 120,
    )
    head = First((Row((Badge(color, is_found), text), 14), text))
    return Card(Column((head, *below), 8), (16, 8 if is_low else 12), palette.panel, color)


class Badge(Panel):
    """A check in a disc, or an i where nothing was found."""

    color: RGB
    is_found: bool

    def measure(self, style: Style, width: float) -> Size:
        return Size(34, 40)

    def draw(self, on: Canvas) -> None:
        style, centre = on.style, on.rect.center
        on.image(circle(style.px(30), self.color), at=centre)
        if self.is_found:
            draw_check(on.surface, style.palette.panel, centre, style.px(17))
        else:
            on.text(centre, "i", 18, style.palette.panel, anchor="center", bold=True)


def line(face: Face, trial: Trial, palette: Palette, *, step: int) -> list[Panel]:
    """How the game goes on after the answer; `step`: so many of the moves are on the board."""
    head = Row(
        (
            Label(say("training.goes_on"), 13, palette.muted, bold=True),
            Space(grow=1),
            Label((say("training.point"), ""), 11, palette.muted, align="right"),
        )
    )
    color = palette.right if trial.is_solved else palette.accent
    moves, game = list[Panel](), trial.exercise.game
    for index, move in enumerate(words.best_line(trial)):
        text = wording.move(game, move)
        moves.append(LineStep(face, game.to_move, text, index + 1, index < step, color, name=f"line_{index}"))
        game = game.play(move)
    return [head, Moves(tuple(moves), height=28)]


class Moves(Row):
    """As many moves beside each other as there is room for."""

    gap: float = 6

    def parts(self, style: Style, box: Box, kept: Mapping[str, Any]) -> Iterator[tuple[Panel, Box]]:
        for each, place in super().parts(style, box, kept):
            if place.right <= box.right + 0.5:
                yield each, place


class LineStep(Panel):
    """A move of the answer's line."""

    face: Face
    mover: Color  # whose move it is
    move: str  # which
    number: int  # how many moves of the line are played with it
    is_played: bool  # whether it is on the board
    color: RGB  # of the edge then

    follows_mouse = True

    def measure(self, style: Style, width: float) -> Size:
        return Size(style.length(self.move, 13, bold=True) + 36, 28)

    def draw(self, on: Canvas) -> None:
        place, px, well = on.rect, on.style.px, on.style.palette.well
        fill_rounded(
            on.surface, place, px(6), well, self.color if self.is_played else well, px(2 if self.is_played else 1)
        )
        self.face.draw_token(on.surface, (place.left + px(14), place.centery), px(10), self.mover)
        on.text((place.left + px(25), place.centery), self.move, 13, bold=self.is_played)

    def press(self, at: Point, on: Canvas) -> object | None:
        return gui.StepLine(self.number)
