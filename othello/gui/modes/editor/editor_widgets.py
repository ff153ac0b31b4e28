"""Widgets beside the edited board: buttons for pieces and sides, and the position as text."""

from pygame import Rect

from othello.gui import ui
from othello.gui.boards.renderer import BoardRenderer
from othello.rules.protocol import Color


class ChoiceButton(ui.Button, kw_only=True):
    """A toggle button of a group in which one is chosen."""

    renderer: BoardRenderer

    @property
    def is_chosen(self) -> bool:
        return bool(self.chosen)

    def draw(self, on: ui.PaintContext) -> None:
        ui.fill_rounded(on.surface, on.rect, on.style.px(8), on.style.palette.raised)
        ui.draw_segment(on, chosen=self.is_chosen)


class PieceChoice(ChoiceButton, kw_only=True):
    """The button of a piece to put on squares, with its key. Without a mark, it empties squares."""

    key_name: str
    mark: Color | None

    def min_width(self, style: ui.Style) -> float:
        return 42 + style.length(self.label, 12)

    def draw(self, on: ui.PaintContext) -> None:
        super().draw(on)
        style, rect, px = on.style, on.rect, on.style.px
        words = style.length(self.label, 13, bold=True) + style.length(self.key_name, 11, bold=True)
        is_narrow = rect.width < px(70 + words)
        size = px(24 if is_narrow else 32)
        centre = (rect.left + px(6 if is_narrow else 10) + size // 2, rect.centery)
        if self.mark is not None:
            self.renderer.draw_piece(on.surface, centre, size, self.mark)
        else:
            square = Rect().move_to(size=(size - px(4), size - px(4)), center=centre)
            ui.fill_rounded(on.surface, square, px(3), style.palette.line)
        left, right = centre[0] + size // 2 + px(6 if is_narrow else 8), rect.right - px(4)
        if not is_narrow:
            at = (rect.right - px(12), rect.centery)
            right = on.text(at, self.key_name, 11, anchor="midright", bold=True).left - px(8)
        is_bold = self.is_chosen and not is_narrow
        on.text((left, rect.centery), self.label, 12 if is_narrow else 13, bold=is_bold, room=right - left + 1)


class SideChoice(ChoiceButton, kw_only=True):
    """The button of a side to move."""

    color: Color

    def measure(self, style: ui.Style, width: float) -> ui.Size:
        return ui.Size(max(74.0, 40 + style.length(self.label, 13, bold=True)), 34)

    def draw(self, on: ui.PaintContext) -> None:
        super().draw(on)
        rect, px = on.rect, on.style.px
        self.renderer.draw_token(on.surface, (rect.left + px(18), rect.centery), px(14), self.color)
        at, room = (rect.left + px(32), rect.centery), rect.width - px(34)
        on.text(at, self.label, (13, 12, 11), bold=self.is_chosen, room=room)


class PositionTextBox(ui.Widget):
    """The position as text: a word for each row of the board, at equal letter distances if there is room."""

    text: str
    columns: int

    def _lines(self, style: ui.Style, room: int) -> tuple[list[str], int]:
        """Return the lines and the letter distance in real pixels; 0: normal text, because there is no room."""
        squares, _, turn = self.text.partition(" ")
        words = [squares[start : start + self.columns] for start in range(0, len(squares), self.columns)]
        half = -(-len(words) // 2)
        lines = [" ".join(words[:half]), " ".join((*words[half:], turn))]
        pitch = min(style.px(10), room // max(map(len, lines)))
        if pitch >= style.px(7):
            return lines, pitch
        return style.wrap(" ".join((*words, turn)), 12, room, 20), 0

    def measure(self, style: ui.Style, width: float) -> ui.Size:
        lines, _ = self._lines(style, style.px(width) - style.px(16))
        return ui.Size(width, 4 + 19 * len(lines))

    def draw(self, on: ui.PaintContext) -> None:
        well, px, palette = on.rect, on.style.px, on.style.palette
        ui.fill_rounded(on.surface, well, px(6), palette.well, palette.line, px(1))
        left, room, turn = well.left + px(8), well.width - px(16), self.text.partition(" ")[2]
        lines, pitch = self._lines(on.style, room)
        for row, line in enumerate(lines):
            y = well.top + px(11 + 19 * row)
            if not pitch:
                on.text((left, y), line, 12)
                continue
            for index, letter in enumerate(line):  # the last letters name the side to move
                color = palette.accent if row and index >= len(line) - len(turn) else None
                on.text((left + index * pitch + pitch // 2, y), letter, 12, color, anchor="center")
