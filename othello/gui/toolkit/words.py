"""Words in a window: one line, or as many as they take."""

from __future__ import annotations

from dataclasses import dataclass

from othello.gui.toolkit.panel import Canvas, Panel
from othello.gui.toolkit.style import RGB, Size, Style, blit_text


@dataclass(frozen=True)
class Label(Panel):
    """One line of words.

    Attributes:
        words: what is written; of several texts, ever shorter ones, the first that fits.
        points: of the letters.
        color: None: the palette's text.
        bold: whether the letters are bold.
        align: `left`, `center` or `right`.
        sizes: ever smaller sizes that are tried before the words are shortened.
        whole: whether something else is to be shown where the words do not fit.
    """

    words: str | tuple[str, ...]
    points: float = 13
    color: RGB | None = None
    bold: bool = False
    align: str = "left"
    sizes: tuple[float, ...] = ()
    whole: bool = False

    def narrowest(self, style: Style) -> float:
        return style.length(self._texts()[-1], self.points, self.bold) if self.whole else self.least

    def _texts(self) -> tuple[str, ...]:
        return (self.words,) if isinstance(self.words, str) else self.words

    def measure(self, style: Style, width: float) -> Size:
        lengths = [style.length(text, self.points, self.bold) for text in self._texts()]
        return Size(next((length for length in lengths if length <= width), min(lengths[-1], width)), self.points * 1.5)

    def draw(self, on: Canvas) -> None:
        style, room, texts = on.style, on.rect.width + 1, self._texts()
        text = next((each for each in texts if style.width(each, self.points, self.bold) <= room), texts[-1])
        size = style.largest(text, (self.points, *self.sizes), room, self.bold)
        image = style.text(style.fit(text, size, room, self.bold), size, self.color, self.bold)
        anchor = {"left": "midleft", "center": "center", "right": "midright"}[self.align]
        blit_text(on.surface, image, anchor=anchor, at=getattr(on.rect, anchor))


@dataclass(frozen=True)
class Paragraph(Panel):
    """Words on as many lines as they take.

    Attributes:
        words: what is written.
        points: of the letters.
        color: None: the palette's text.
        bold: whether the letters are bold.
        most: lines at most; the last one ends in an ellipsis where there are more words.
        align: `left` or `center`.
        pitch: from line to line, as a multiple of the size.
    """

    words: str
    points: float = 13
    color: RGB | None = None
    bold: bool = False
    most: int = 20
    align: str = "left"
    pitch: float = 1.5

    def narrowest(self, style: Style) -> float:
        return self.least

    def measure(self, style: Style, width: float) -> Size:
        rows = style.wrap(self.words, self.points, round(width * style.scale), self.most, self.bold)
        wide = max((style.length(row, self.points, self.bold) for row in rows), default=0.0)
        return Size(wide, len(rows) * self.points * self.pitch)

    def draw(self, on: Canvas) -> None:
        style, pitch = on.style, on.style.px(self.points * self.pitch)
        most = max(1, min(self.most, (on.rect.height + pitch // 2) // pitch))
        rows = style.wrap(self.words, self.points, on.rect.width + 1, most, self.bold)
        for index, row in enumerate(rows):
            image = style.text(row, self.points, self.color, self.bold)
            x, anchor = (on.rect.centerx, "midtop") if self.align == "center" else (on.rect.left, "topleft")
            blit_text(on.surface, image, anchor=anchor, at=(x, on.rect.top + index * pitch))
