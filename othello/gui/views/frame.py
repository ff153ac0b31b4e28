"""What surrounds the board: toolbar and status line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pygame

from othello.gui import theme, wording
from othello.gui.faces.face import Face
from othello.gui.layout import Layout
from othello.gui.texts import say
from othello.gui.theme import RGB, Style, blit_text


def draw_toolbar(surface: pygame.Surface, layout: Layout, face: Face, pace: float) -> None:
    """The bar at the top of a game; its buttons come on top."""
    style = layout.style
    draw_logo(surface, style, face, layout.toolbar)
    rect = layout.buttons["pace"]
    text = say("pace.none") if pace == 0 else say("pace.seconds", seconds=f"{pace:g}")
    blit_text(surface, style.text(text, 12, theme.MUTED), anchor="center", at=rect.center)


def draw_occasion(surface: pygame.Surface, layout: Layout, words: Sequence[str]) -> None:
    """What is special about a game: the first of ever fewer words that fit between the buttons of the toolbar."""
    style = layout.style
    buttons = sorted((rect for rect in layout.buttons.values() if layout.toolbar.contains(rect)), key=lambda r: r.left)
    left, right = max(pairwise(buttons), key=lambda pair: pair[1].left - pair[0].right)
    room = right.left - left.right - style.px(24)
    text = next((text for text in words if style.width(text, 13) <= room), words[-1])
    at = ((left.right + right.left) / 2, layout.toolbar.centery)
    blit_text(surface, style.text(style.fit(text, 13, room), 13, theme.MUTED), anchor="center", at=at)


def draw_rules(surface: pygame.Surface, style: Style, face: Face, bar: pygame.Rect) -> None:
    """Beside the logo, the rules that are not the usual ones."""
    text = style.text(wording.unusual_rules(face.rules), 13, theme.MUTED)
    blit_text(surface, text, anchor="midleft", at=(style.px(150), bar.centery))


def draw_logo(surface: pygame.Surface, style: Style, face: Face, bar: pygame.Rect) -> None:
    """The bar at the top with the logo."""
    px = style.px
    surface.fill(theme.PANEL, bar)
    surface.fill(theme.LINE, (0, bar.bottom - 1, bar.width, 1))
    logo = face.logo(px(20))
    surface.blit(logo, logo.get_rect(midleft=(px(18), bar.centery)))
    blit_text(surface, style.text(wording.title(face.rules), 16, bold=True), anchor="midleft", at=(px(60), bar.centery))


def draw_status(surface: pygame.Surface, style: Style, rect: pygame.Rect, text: str, color: RGB) -> None:
    """One or two lines in a rectangle."""
    rows = style.wrap(text, 13, rect.width, lines=2)
    pitch = style.px(19)
    top = rect.centery - pitch * len(rows) // 2
    for index, row in enumerate(rows):
        blit_text(surface, style.text(row, 13, color), at=(rect.left, top + index * pitch))
