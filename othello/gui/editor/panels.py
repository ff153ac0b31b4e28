"""What stands beside a board that is edited: pieces, whose turn it is, whether the position can be played, its text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from pygame import Rect

from othello.gui.faces.face import Face
from othello.gui.toolkit.button import Button
from othello.gui.toolkit.card import Card
from othello.gui.toolkit.inputs import Use
from othello.gui.toolkit.layout import Column, First, Flow, FocusGroup, Row, Space
from othello.gui.toolkit.panel import Canvas, Panel
from othello.gui.toolkit.shapes import circle, cross, draw_check, fill_rounded
from othello.gui.toolkit.style import Palette, Size, Style
from othello.gui.toolkit.switches import draw_segment
from othello.gui.toolkit.words import Label, Paragraph
from othello.rules.protocol import Color, Position, Rules
from othello.texts import say

Mark: TypeAlias = Color | None


@dataclass(frozen=True, slots=True)
class Setup:
    """What is on the board that is edited."""

    marks: tuple[Mark, ...]  # whose every square is, row by row
    to_move: Color  # whose turn it is
    rest: str = ""  # what else the game's board text says

    @classmethod
    def of(cls, rules: Rules[Position], position: Position) -> Setup:
        """The same as a position."""
        words = rules.format_position(position).split()
        return cls(tuple(rules.marks(position)), position.to_move, " ".join(words[2:]))

    @property
    def text(self) -> str:
        """The board text."""
        squares = "".join("-" if mark is None else "XO"[mark] for mark in self.marks)
        return f"{squares} {'XO'[self.to_move]} {self.rest}".rstrip()

    def changed(self, change: str, rules: Rules[Position], piece: Mark) -> Setup:
        """The whole board after a change of that name; `piece` is what fills the empty squares."""
        marks, columns = self.marks, rules.columns
        rows = [marks[start : start + columns] for start in range(0, len(marks), columns)]
        match change:
            case "start":
                return Setup.of(rules, rules.start())
            case "clear":
                return replace(self, marks=(None,) * len(marks))
            case "fill":
                return replace(self, marks=tuple(piece if mark is None else mark for mark in marks))
            case "swap":
                return replace(self, marks=tuple(None if mark is None else mark.opponent for mark in marks))
            case "mirror":
                return replace(self, marks=_joined([row[::-1] for row in rows]))
            case "rotate":
                is_square = len(rows) == columns
                turned = [column[::-1] for column in zip(*rows, strict=True)] if is_square else [marks[::-1]]
                return replace(self, marks=_joined(turned))
            case _:
                return replace(self, to_move=self.to_move.opponent)


def _joined(rows: Sequence[Sequence[Mark]]) -> tuple[Mark, ...]:
    return tuple(mark for row in rows for mark in row)


SIDE: Final = "side"
_CHANGES: Final = ("start", "clear", "fill", "swap", "mirror", "rotate")


@dataclass(frozen=True, slots=True)
class Soundness:
    """Whether a position can be played, and why not."""

    title: str
    text: str
    is_valid: bool


@dataclass(frozen=True, slots=True)
class EditorState:
    """What the column shows."""

    face: Face
    names: tuple[str, ...]  # of the sides
    chosen: str  # the key of the piece that is put down
    setup: Setup  # the position
    verdict: Soundness  # whether it can be played


def editor(state: EditorState, palette: Palette, button: Callable[[str], Button]) -> Panel:
    """The column; `button` makes the buttons of the table of actions."""
    title = Label(say("editor.title"), 18, bold=True, sizes=(16, 14, 12), grow=1)
    head = Row((title, button("undo"), button("redo")))
    row = Row((button("edit_cancel"), Space(grow=1), button("edit_analyse"), button("edit_play")))
    foot = First((row, Flow([button(name) for name in ("edit_play", "edit_analyse", "edit_cancel")])))
    parts = (_place(state, palette, button), _turn(state, palette), _verdict(state.verdict, palette))
    return Column((head, *parts, _text(state, palette, button), Space(grow=1), foot))


def _place(state: EditorState, palette: Palette, button: Callable[[str], Button]) -> Panel:
    """The pieces to choose from, and what changes all of the board."""
    how = Label((say("editor.how"), ""), 11, palette.muted, align="right", grow=1)
    head = Row((Label(say("editor.place"), 12, palette.muted, bold=True), how))
    names = (*state.names, say("editor.empty"))
    pieces = [
        PieceChoice(
            name,
            Use("piece", key),
            chosen=key == state.chosen,
            face=state.face,
            key_name=key,
            mark=mark,
            name=f"piece_{key}",
            grow=1,
        )
        for key, name, mark in zip("123", names, (*Color, None), strict=True)
    ]
    changes = Flow([replace(button(f"edit_{change}"), pad=6) for change in _CHANGES], 6)
    return Card(Column((head, First((FocusGroup(pieces), Column(pieces))), changes)), (12, 8), palette.panel)


class ChoiceButton(Button, kw_only=True):
    """One of several buttons that stand for what is so now, in a group of their own."""

    face: Face

    @property
    def is_chosen(self) -> bool:
        return self.chosen

    def draw(self, on: Canvas) -> None:
        fill_rounded(on.surface, on.rect, on.style.px(8), on.style.palette.raised)
        draw_segment(on, chosen=self.chosen)


class PieceChoice(ChoiceButton, kw_only=True):
    """A piece that can be put down, with its key; without a mark the button empties squares."""

    key_name: str
    mark: Mark

    def narrowest(self, style: Style) -> float:
        return 64

    def measure(self, style: Style, width: float) -> Size:
        return Size(110, 48)

    def draw(self, on: Canvas) -> None:
        super().draw(on)
        style, rect, px = on.style, on.rect, on.style.px
        is_narrow = rect.width < px(110)
        size = px(24 if is_narrow else 32)
        centre = (rect.left + px(6 if is_narrow else 10) + size // 2, rect.centery)
        if self.mark is not None:
            self.face.draw_piece(on.surface, centre, size, self.mark)
        else:
            square = Rect(0, 0, size - px(4), size - px(4))
            square.center = centre
            fill_rounded(on.surface, square, px(3), style.palette.line)
        left, right = centre[0] + size // 2 + px(6 if is_narrow else 8), rect.right - px(4)
        if not is_narrow:
            at = (rect.right - px(12), rect.centery)
            right = on.text(at, self.key_name, 11, anchor="midright", bold=True).left - px(8)
        image = style.text(self.label, 12 if is_narrow else 13, bold=self.chosen and not is_narrow)
        if image.get_width() <= right - left:  # else its piece says it
            on.image(image, anchor="midleft", at=(left, rect.centery))


def _turn(state: EditorState, palette: Palette) -> Panel:
    """Whose turn it is, and how many squares belong to whom."""
    face, marks, mover = state.face, state.setup.marks, state.setup.to_move
    sides = [
        SideChoice(
            state.names[color],
            Use(SIDE, color),
            chosen=color is mover,
            color=color,
            face=face,
            name=f"side_{color.label}",
            grow=1,
        )
        for color in Color
    ]
    owners = zip((*state.names, say("editor.empty")), (*Color, None), strict=True)
    counts = [Count(name, marks.count(mark)) for name, mark in owners]
    pair = First((FocusGroup(sides, width=260), FocusGroup(sides), Column(sides)))
    end = Space(grow=1), Row(counts, 0)
    rows = First(
        (
            Row((FocusGroup(sides, width=268), *end)),
            Row((FocusGroup([replace(side, grow=0) for side in sides]), *end)),
            Column((pair, Row(counts, 0))),
        )
    )
    title = Label(say("editor.side"), 12, palette.muted, bold=True)
    return Card(Column((title, rows), 2), (12, 6), palette.panel)


class SideChoice(ChoiceButton, kw_only=True):
    """A side whose turn it may be."""

    color: Color

    def measure(self, style: Style, width: float) -> Size:
        return Size(max(74.0, 40 + style.length(self.label, 13, bold=True)), 34)

    def draw(self, on: Canvas) -> None:
        super().draw(on)
        style, rect, px = on.style, on.rect, on.style.px
        self.face.draw_token(on.surface, (rect.left + px(18), rect.centery), px(14), self.color)
        image = style.text(self.label, 13, bold=self.chosen)
        if image.get_width() <= rect.width - px(34):
            on.image(image, anchor="midleft", at=(rect.left + px(32), rect.centery))


class Count(Panel):
    """How many squares belong to somebody."""

    words: str
    number: int

    def measure(self, style: Style, width: float) -> Size:
        return Size(max(48.0, style.length(self.words, 11) + 16), 40)

    def draw(self, on: Canvas) -> None:
        style, (x, y) = on.style, on.rect.center
        on.text((x, y + style.px(2)), str(self.number), 18, anchor="midbottom", bold=True)
        on.text((x, y + style.px(4)), self.words, 11, style.palette.muted, anchor="midtop", room=on.rect.width)


def _verdict(verdict: Soundness, palette: Palette) -> Panel:
    """Whether the position can be played: never by colour alone."""
    color = palette.best_value if verdict.is_valid else palette.warning
    words = Column((Paragraph(verdict.title, 14, bold=True, most=2), Paragraph(verdict.text, 12, most=3)), 0, grow=1)
    return Card(Row((VerdictSign(verdict.is_valid), words), 14), (18, 8), palette.panel, color)


class VerdictSign(Panel):
    """A check, or a cross."""

    is_valid: bool

    def measure(self, style: Style, width: float) -> Size:
        return Size(32, 44)

    def draw(self, on: Canvas) -> None:
        px, palette, centre = on.style.px, on.style.palette, on.rect.center
        on.image(circle(px(30), palette.best_value if self.is_valid else palette.warning), at=centre)
        if self.is_valid:
            draw_check(on.surface, palette.panel, centre, px(16))
        else:
            on.image(cross(px(14), px(3), palette.panel), at=centre)


def _text(state: EditorState, palette: Palette, button: Callable[[str], Button]) -> Panel:
    """The position as text, to copy and to paste."""
    title = Label(say("editor.text"), 12, palette.muted, bold=True)
    buttons = (button("copy_board"), button("paste"))
    rows = First((Row((*buttons, Space(grow=1))), Flow(buttons)))
    well = Well(state.setup.text, state.face.rules.columns)
    return Card(Column((title, well, rows), 6), (12, 6), palette.panel)


class Well(Panel):
    """The position as text: a word for each row of the board, in columns where there is room for them."""

    text: str
    columns: int

    def measure(self, style: Style, width: float) -> Size:
        return Size(width, 42)

    def narrowest(self, style: Style) -> float:
        return 100

    def draw(self, on: Canvas) -> None:
        style, well, px, palette = on.style, on.rect, on.style.px, on.style.palette
        fill_rounded(on.surface, well, px(6), palette.well, palette.line, px(1))
        squares, _, turn = self.text.partition(" ")
        words = [squares[start : start + self.columns] for start in range(0, len(squares), self.columns)]
        half = -(-len(words) // 2)
        lines = [" ".join(words[:half]), " ".join((*words[half:], turn))]
        left, room = well.left + px(8), well.width - px(16)
        pitch = min(px(10), room // max(map(len, lines)))
        if pitch < px(7):
            lines = style.wrap("  ".join((*words, turn)), 12, room, 2)
        for row, line in enumerate(lines):
            y = well.top + px(11 + 19 * row)
            if pitch < px(7):
                on.text((left, y), line, 12)
            else:
                _draw_letters(on, line, (left, y), pitch, len(turn) if row else 0)


def _draw_letters(on: Canvas, line: Sequence[str], at: tuple[int, int], pitch: int, turn: int) -> None:
    """Letters at equal distances; the last `turn` of them say whose turn it is."""
    for index, letter in enumerate(line):
        color = on.style.palette.accent if index >= len(line) - turn else None
        place = (at[0] + index * pitch + pitch // 2, at[1])
        on.text(place, letter, 12, color, anchor="center")
