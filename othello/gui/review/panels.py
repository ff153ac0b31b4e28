"""A game looked back on: how well both sides played, and the moves that lost most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pygame import Rect

from othello.gui import commands as gui
from othello.gui.faces.board import BoardState, draw_choice, draw_tag, draw_triangle
from othello.gui.faces.face import Face
from othello.gui.toolkit.button import Button
from othello.gui.toolkit.inputs import Point
from othello.gui.toolkit.panel import Canvas, Panel
from othello.gui.toolkit.shapes import arc, cross, fill_rounded, ring
from othello.gui.toolkit.spoken import Spoken
from othello.gui.toolkit.style import Box, Style
from othello.gui.wording import mistake, sign_color
from othello.rules.protocol import Color, Move, Position
from othello.texts import percent, say


@dataclass(frozen=True, slots=True)
class MistakeKind:
    """A kind of mistake: its sign, how many there were, what they are called, and from what loss."""

    sign: str
    count: int
    name: str
    limits: str


def draw_sign(on: Canvas, at: tuple[int, int], sign: str, size: int = 22) -> None:
    """The sign of a mistake in its ring."""
    color = sign_color(on.style.palette, sign)
    on.image(ring(on.style.px(size), on.style.px(2), color), at=at)
    on.text(at, sign, size * 0.5, color, anchor="center", bold=True)


class ScoreCard(Panel):
    """How well one side played."""

    face: Face
    color: Color  # whose card it is
    title: str  # who that is
    details: tuple[str, ...]  # what else is said of the player, in ever fewer words
    loss: str = ""  # what a move lost on average, empty where nothing is known
    accuracy: float = 0.0  # 0 .. 1
    kinds: tuple[MistakeKind, ...] = ()  # the mistakes, the worst first
    lost: tuple[tuple[str, ...], tuple[str, ...]] = (
        ("",),
        ("",),
    )  # what the loss counts: two lines in ever fewer words

    def spoken(self, on: Canvas) -> Spoken:
        accuracy = f"{say('review.accuracy')} {percent(f'{100 * self.accuracy:.0f}')}"
        kinds = (f"{kind.count} {kind.name}" for kind in self.kinds)
        loss = (f"{self.loss} {' '.join(line[0] for line in self.lost)}", accuracy, *kinds) if self.loss else ()
        return Spoken(role="group", name=", ".join((self.title, self.details[0], *loss)))

    def draw(self, on: Canvas) -> None:
        style, px, palette, card = on.style, on.style.px, on.style.palette, on.rect
        fill_rounded(on.surface, card, px(10), palette.panel, palette.edge, px(1))
        is_narrow = card.width < px(540)
        edge, counts = px(12 if is_narrow else 20), px(146 if is_narrow else 224)
        dial = Rect(0, 0, px(80 if is_narrow else 96), px(80 if is_narrow else 96))
        dial.midright = (card.right - edge - counts - px(8 if is_narrow else 32), card.centery)
        words = (dial.left - px(12) if self.loss else card.right - edge) - card.left - px(64)
        self.face.draw_piece(on.surface, (card.left + px(36), card.top + px(35)), px(32), self.color)
        on.text(
            (card.left + px(64), card.top + px(15)),
            self.title,
            (16, 15, 14, 13, 12),
            anchor="topleft",
            bold=True,
            room=words,
        )
        fitting = next((each for each in self.details if style.width(each, 12) <= words), self.details[-1])
        on.text((card.left + px(64), card.top + px(38)), fitting, 12, palette.muted, anchor="topleft", room=words)
        if not self.loss:
            on.text((card.left + px(20), card.top + px(72)), "–", 32, palette.muted, anchor="topleft", bold=True)
            return
        self._draw_loss(on, dial.left - px(8), is_narrow=is_narrow)
        self._draw_dial(on, dial)
        for index, kind in enumerate(self.kinds):
            y = card.top + px(32) + index * px(36)
            _draw_kind(on, Rect(card.right - edge - counts, y - px(16), counts, px(32)), kind, is_narrow)

    def _draw_loss(self, on: Canvas, right: int, *, is_narrow: bool) -> None:
        px, palette, card = on.style.px, on.style.palette, on.rect
        end = on.text((card.left + px(20), card.top + px(95)), self.loss, 24 if is_narrow else 32, bold=True).right
        room = right - end - px(9)
        for index, texts in enumerate(self.lost):
            line = next((each for each in texts if on.style.width(each, 12) <= room), texts[-1])
            color = palette.text if index == 0 else palette.muted
            at = (end + px(9), card.top + px(79) + index * px(17))
            on.text(at, line, (12, 11, 10, 9), color, anchor="topleft", room=room)

    def _draw_dial(self, on: Canvas, dial: Rect) -> None:
        style, palette = on.style, on.style.palette
        on.surface.blit(arc(dial.width, style.px(8), self.accuracy, palette.right, palette.line), dial)
        at = (dial.centerx, dial.centery - style.px(4))
        on.text(at, percent(f"{100 * self.accuracy:.0f}"), 18, anchor="center", bold=True)
        size = style.largest(say("review.accuracy"), (11, 10, 9, 8), dial.width - style.px(22))
        place = (dial.centerx, dial.centery + style.px(16))
        on.text(place, say("review.accuracy"), size, palette.muted, anchor="center")


def _draw_kind(on: Canvas, rect: Rect, kind: MistakeKind, is_narrow: bool) -> None:
    style, px, palette = on.style, on.style.px, on.style.palette
    draw_sign(on, (rect.left + px(11), rect.centery), kind.sign)
    color = palette.text if kind.count else palette.muted
    on.text((rect.left + px(50), rect.centery), str(kind.count), 18, color, anchor="midright", bold=True)
    end = on.text((rect.left + px(58), rect.centery), kind.name, (13, 12, 11, 10), room=rect.width - px(58)).right
    if not is_narrow and style.width(kind.limits, 12) <= rect.right - end - px(6):
        on.text((rect.right, rect.centery), kind.limits, 12, palette.muted, anchor="midright")


class WorstCard(Panel):
    """A move that lost much, on a small board; a click looks at its position."""

    face: Face
    index: int  # the worst being 0
    button: Button  # looks at its position
    title: str  # which one it is
    sign: str  # of the mistake
    position: Position  # before it; `last_move` led there
    last_move: Move | None
    was: tuple[str, Move]  # what was played, and its square; likewise `best`, what would have been best
    best: tuple[str, Move]
    loss: str  # what was lost
    gain: str  # by how much that is better; `unit` follows it
    unit: str
    how: str  # how well that is known

    def parts(self, style: Style, box: Box, kept: Mapping[str, Any]) -> Iterator[tuple[Panel, Box]]:
        margin = 16.0 if box.width > 320 else 12.0
        side = min(box.height - 2 * margin, box.width - 3 * margin - 104)
        left = box.x + margin + side + 12
        board = SmallBoard(self.face, self.position, self.last_move, self.was[1], self.best[1], self.sign, self.loss)
        yield board, Box(box.x + margin, box.y + (box.height - side) / 2, side, side)
        yield self.button, Box(left, box.bottom - 44, min(box.right - 12 - left, 200), 32)

    def press(self, at: Point, on: Canvas) -> object | None:
        return gui.VisitWorst(self.index)

    def spoken(self, on: Canvas) -> Spoken:
        moves = f"{say('review.was')} {self.was[0]}, {say('review.best')} {self.best[0]}"
        told = (f"{self.title} {mistake(self.sign)}", moves, f"{self.gain} {self.unit}", self.how)
        return Spoken(role="group", name=", ".join(told), press=gui.VisitWorst(self.index))

    def draw(self, on: Canvas) -> None:
        style, px, palette, card = on.style, on.style.px, on.style.palette, on.rect
        fill_rounded(on.surface, card, px(12), palette.raised, palette.button_edge, px(1))
        left = (on.inner.right if on.inner is not None else card.left) + px(12)
        right, is_small = card.right - px(12), card.height < px(240)  # else its words would reach below the button
        end = on.text((left, card.top + px(28)), self.title, 13, palette.muted, room=right - left - px(34)).right
        draw_sign(on, (end + px(20), card.top + px(28)), self.sign)
        y = card.top + px(52 if is_small else 65)
        on.image(cross(px(11), px(2.5), palette.warning), at=(left, y), anchor="midleft")
        _draw_pair(on, (left + px(20), y), right, say("review.was"), self.was[0])
        y += px(22 if is_small else 28)
        draw_triangle(on.surface, style, (left + px(5), y), palette.best_value)
        _draw_pair(on, (left + px(20), y), right, say("review.best"), self.best[0])
        y += px(30 if is_small else 40)
        end = on.text((left, y), self.gain, 24 if is_small else 32, palette.accent, bold=True).right
        on.text((end + px(8), y + px(4)), self.unit, (13, 12, 11, 10), palette.muted, room=right - end - px(8))
        for index, row in enumerate(style.wrap(self.how, 12, right - left, lines=2)):
            on.text((left, y + px(22 if is_small else 31) + index * px(16)), row, 12, palette.muted)


def _draw_pair(on: Canvas, at: tuple[int, int], right: int, word: str, move: str) -> None:
    """A word, and the move that it is said of."""
    style = on.style
    end = on.text(at, word, 15, style.palette.muted).right
    on.text((end + style.px(6), at[1]), move, 15, bold=True, room=right - end - style.px(6))


class SmallBoard(Panel):
    """A position, perhaps with the move that was made in it and what would have been best."""

    face: Face
    position: Position
    last_move: Move | None  # that led there
    was: Move | None = None
    best: Move | None = None
    sign: str = ""  # of the mistake that the move was; empty for none
    loss: str = ""  # what the move lost
    command: object | None = None  # what follows from a press; None: what lies below hears of it

    def draw(self, on: Canvas) -> None:
        palette, place = on.style.palette, self.face.place(on.style, on.rect, on.style.px(6))
        self.face.draw(on.surface, place, BoardState(self.position, last_move=self.last_move), 0.0)
        if self.was is not None and self.best is not None:
            color = sign_color(palette, self.sign) if self.sign else palette.right
            draw_choice(on.surface, place, self.was, color, is_right=False)
            draw_choice(on.surface, place, self.best, palette.best_value, is_right=True)
            draw_tag(on.surface, place, self.was, f"{self.loss} {self.sign}".strip(), color)

    def press(self, at: Point, on: Canvas) -> object | None:
        return self.command
