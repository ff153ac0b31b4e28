"""Widgets of the mode Review: a score card per side, and cards of the worst moves."""

from collections.abc import Mapping
from typing import Any

from pygame import Rect, Surface

from othello.gui import ui
from othello.gui.boards.board_layout import BoardState, draw_choice, draw_triangle
from othello.gui.boards.renderer import BoardRenderer
from othello.gui.labels import mistake, sign_color
from othello.rules.protocol import Color, Move, Position
from othello.texts import percent, tr


def draw_sign(on: ui.PaintContext, at: tuple[int, int], sign: str, size: int = 22) -> None:
    """Draw the sign of a mistake in a ring."""
    color = ui.readable(sign_color(on.style.palette, sign), on.style.palette.raised, on.style.palette.text)
    on.image(ui.ring(on.style.px(size), on.style.px(2), color), at=at)
    on.text(at, sign, size * 0.5, color, anchor="center", bold=True)


class ScoreCard(ui.Widget):
    """Accuracy, average loss and mistakes of one side."""

    renderer: BoardRenderer
    color: Color
    title: str  # name of the player
    details: tuple[str, ...]  # description of the player, longest version first
    loss: str = ""  # average loss of a move; empty: unknown
    accuracy: float = 0.0  # from 0 to 1
    kinds: tuple[tuple[str, int, str], ...] = ()  # sign, number and name of mistakes, worst first
    lost: tuple[str, str] = "", ""  # unit of the loss, on two lines

    def accessible(self, on: ui.PaintContext) -> ui.AccessibleNode:
        accuracy = f"{tr('review.accuracy')} {percent(f'{100 * self.accuracy:.0f}')}"
        kinds = (f"{count} {name}" for _, count, name in self.kinds)
        loss = (f"{self.loss} {' '.join(self.lost)}", accuracy, *kinds) if self.loss else ()
        return ui.AccessibleNode("group", name=", ".join((self.title, self.details[0], *loss)))

    def draw(self, on: ui.PaintContext) -> None:
        px, palette, card = on.style.px, on.style.palette, on.rect
        ui.fill_rounded(on.surface, card, px(10), palette.panel, palette.edge, px(1))
        is_narrow = card.width < px(540)
        edge, counts = px(12 if is_narrow else 20), px(128 if is_narrow else 156)
        end = card.right - edge - counts - px(8 if is_narrow else 28)
        dial = Rect().move_to(size=(px(64), px(64)), midright=(end, card.centery))
        left, right = card.left + px(64), dial.left - px(6) if self.loss else card.right - edge
        if self.loss:
            on.surface.blit(ui.arc(dial.width, px(6), self.accuracy, palette.right, palette.line), dial)
            on.text(dial.center, percent(f"{100 * self.accuracy:.0f}"), 14, anchor="center", bold=True)
            for index, kind in enumerate(self.kinds):
                y = card.centery + (index - 1) * px(24)
                _draw_kind(on, Rect(card.right - edge - counts, y - px(12), counts, px(24)), *kind)
            end = self._draw_loss(on, Rect(left, card.top, right - left, card.height), is_low=is_narrow)
            right = right if is_narrow else end - px(12)
        self.renderer.draw_piece(on.surface, (card.left + px(36), card.centery), px(32), self.color)
        is_low = is_narrow and bool(self.loss)  # the loss is drawn below the name instead of the details
        y = card.top + px(22 if is_low else 34)
        on.text((left, y), self.title, (16, 15, 14, 13, 12), bold=True, room=right - left)
        if not is_low:
            on.text((left, y + px(22)), self.details, 12, palette.muted, room=right - left)

    def _draw_loss(self, on: ui.PaintContext, room: Rect, *, is_low: bool) -> int:
        """Draw the average loss right in `room`, or with `is_low` at its lower left. Return its left edge."""
        style, px = on.style, on.style.px
        number = style.text(self.loss, 22 if is_low else 28, bold=True)
        lines = style.text(self.lost[0], 12), style.text(self.lost[1], 12, style.palette.muted)
        x = room.left + number.get_width() + px(8) if is_low else room.right - max(map(Surface.get_width, lines))
        y = room.top + px(56) if is_low else room.centery
        for line, away in zip(lines, (-px(8), px(8)), strict=True):
            on.image(line, anchor="midleft", at=(x, y + away))
        return on.image(number, anchor="midright", at=(x - px(8), y)).left


def _draw_kind(on: ui.PaintContext, rect: Rect, sign: str, count: int, name: str) -> None:
    px, palette = on.style.px, on.style.palette
    draw_sign(on, (rect.left + px(11), rect.centery), sign, 20)
    color = palette.text if count else palette.muted
    on.text((rect.left + px(41), rect.centery), str(count), 16, color, anchor="midright", bold=True)
    on.text((rect.left + px(48), rect.centery), name, (13, 12, 11, 10), room=rect.width - px(48))


class SmallBoard(ui.Widget):
    """A small board with a position, and optionally the played and the best move."""

    renderer: BoardRenderer
    position: Position
    last_move: Move | None  # before the position
    was: Move | None = None  # the played move
    best: Move | None = None
    sign: str = ""  # of the mistake; empty: the played move was no mistake
    command: object | None = None  # command of a press; None: the widget below handles it

    def draw(self, on: ui.PaintContext) -> None:
        px, palette = on.style.px, on.style.palette
        place = self.renderer.layout_in(on.style, on.rect, px(16 if on.rect.width > px(160) else 12))
        self.renderer.draw(on.surface, place, BoardState(self.position, last_move=self.last_move), 0.0)
        if self.was is not None and self.best is not None:
            squares_of = self.renderer.rules.squares_of
            color = sign_color(palette, self.sign) if self.sign else palette.right
            draw_choice(on.surface, place, squares_of(self.was), color, is_right=False)
            draw_choice(on.surface, place, squares_of(self.best), palette.best_value, is_right=True)

    def press(self, at: ui.Point, on: ui.PaintContext) -> object | None:
        return self.command


class WorstCard(ui.Widget):
    """A mistake on a small board. A click shows its position."""

    board: SmallBoard  # the position before the mistake
    button: ui.Button  # shows the position
    title: str
    sign: str  # sign of the mistake, such as "??"
    was: tuple[str, Move]  # text and square of the mistake
    best: tuple[str, Move]  # text and square of the best move
    gain: str  # by how much the best move is better
    unit: str  # unit of the gain
    how: str  # how certain the gain is

    def layout_children(self, style: ui.Style, box: ui.Box, state: Mapping[str, Any]) -> ui.Parts:
        margin = 8.0
        side = min(box.height - 2 * margin, box.width - 3 * margin - 96)
        left = box.x + margin + side + margin
        yield self.board, ui.Box(box.x + margin, box.y + (box.height - side) / 2, side, side)
        yield self.button, ui.Box(left, box.bottom - 32 - margin, min(box.right - margin - left, 200), 32)

    def press(self, at: ui.Point, on: ui.PaintContext) -> object | None:
        return self.button.command

    def accessible(self, on: ui.PaintContext) -> ui.AccessibleNode:
        moves = f"{tr('review.was')} {self.was[0]}, {tr('review.best')} {self.best[0]}"
        parts = (f"{self.title} {mistake(self.sign)}", moves, f"{self.gain} {self.unit}", self.how)
        return ui.AccessibleNode("group", name=", ".join(parts), press=self.button.command)

    def draw(self, on: ui.PaintContext) -> None:
        style, px, palette, card = on.style, on.style.px, on.style.palette, on.rect
        ui.fill_rounded(on.surface, card, px(12), palette.raised, palette.button_edge, px(1))
        left, right = (on.inner.right if on.inner is not None else card.left) + px(8), card.right - px(8)
        is_small = card.height < px(240)  # otherwise, the text would reach the button
        end = on.text((left, card.top + px(28)), self.title, 13, palette.muted, room=right - left - px(30)).right
        draw_sign(on, (end + px(20), card.top + px(28)), self.sign)
        y = card.top + px(52 if is_small else 65)
        on.image(ui.cross(px(11), px(2.5), palette.warning), at=(left, y), anchor="midleft")
        _draw_pair(on, (left + px(20), y), right, tr("review.was"), self.was[0])
        y += px(22 if is_small else 28)
        draw_triangle(on.surface, style, (left + px(5), y), palette.best_value)
        _draw_pair(on, (left + px(20), y), right, tr("review.best"), self.best[0])
        y += px(30 if is_small else 40)
        ink, room = ui.readable(palette.best_value, palette.raised, palette.text), right - left - px(8)
        room -= style.width(self.unit, 11)
        gain = on.text((left, y), self.gain, (24, 20, 16) if is_small else (32, 28, 24, 20), ink, bold=True, room=room)
        end = gain.right + px(8)
        on.text((end, y + px(4)), self.unit, (13, 12, 11), palette.muted, room=right - end)
        for index, row in enumerate(style.wrap(self.how, 12, right - left, lines=2)):
            on.text((left, y + px(22 if is_small else 31) + index * px(16)), row, 12, palette.muted)


def _draw_pair(on: ui.PaintContext, at: tuple[int, int], right: int, word: str, move: str) -> None:
    """Draw a label and the text of a move."""
    style, gap = on.style, on.style.px(6)
    room = right - at[0] - gap - style.width(move, 15, bold=True)
    end = on.text(at, word, (15, 14, 13, 12, 11), style.palette.muted, room=room).right
    on.text((end + gap, at[1]), move, 15, bold=True, room=right - end - gap)
