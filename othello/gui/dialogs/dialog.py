"""A dialog over the window: a title, a page that scrolls, and a footer of buttons."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, Final

import pygame
from pygame import Rect

from othello.gui import actions
from othello.gui import commands as gui
from othello.gui.actions import Where
from othello.gui.commands import PASS, Answer, Command, Screen, handles
from othello.gui.toolkit.button import Button
from othello.gui.toolkit.card import Card, Page, Veil
from othello.gui.toolkit.inputs import Key, Use
from othello.gui.toolkit.layout import Column, Placing, Row, Space
from othello.gui.toolkit.panel import Panel
from othello.gui.toolkit.shapes import cross
from othello.gui.toolkit.stage import Stage
from othello.gui.toolkit.style import RGB, Style
from othello.gui.toolkit.words import Label
from othello.gui.window import clipboard, copy

CLOSE: Final = "close"
CANCEL: Final = "cancel"
_WIDTH: Final = 864
_MARGIN: Final = 32
_EDGE: Final = 8  # between the window's edge and a dialog
_GAP: Final = 8
_BUTTON: Final = 40


class Foot(Row):
    """The footer: a row of buttons."""

    # Buttons that the row has no room for. They lie at the end of the page: a second row of the footer would take the
    # page's room.
    spilled: Sequence[Panel] = ()


class Dialog(Screen, ABC):
    """What every dialog does. A dialog itself says what is in it, and what follows when a control is used.

    Attributes:
        title: written at the top.
        primary: the name of the button that Enter means.
        focus: the name of the control that has the keyboard at first; as `primary` where empty.
        is_done: whether the dialog is to be closed.
        stage: how the person uses it.
    """

    title: str
    primary: str
    focus: str = ""

    def __init__(self, style: Style, window: Rect) -> None:
        self.is_done = False
        self.style, self.window = style, window
        self.stage = Stage(copy, clipboard)

    @abstractmethod
    def page(self) -> Panel:
        """What is between title and footer."""

    @abstractmethod
    def foot(self) -> Foot:
        """The footer, which `answers` makes."""

    def use(self, name: str, value: Any) -> Command | None:
        """A control was used: take its value, and say what follows beyond the dialog, which is closed as a rule."""
        return gui.CloseDialog()

    def note(self) -> str:
        """A few words beside the title."""
        return ""

    def update(self) -> Command | None:
        """Move on with time, and say what follows beyond the dialog."""
        return None

    def refuse(self, reason: str) -> bool:
        """Say why what followed from the dialog cannot be done; False where it has no place for that."""
        return False

    def key(self, key: Key) -> Command | None:
        """What follows from a key that no control wants."""
        return None

    # The tree.

    @property
    def room(self) -> float:
        """How wide the page is, in pixels of the design."""
        return min(_WIDTH, self.window.width / self.style.scale - 2 * _EDGE) - 2 * _MARGIN

    def resize(self, style: Style, window: Rect) -> None:
        """Fit into a window."""
        self.style, self.window = style, window

    def attach(self, stage: Stage) -> None:
        """Be used on the stage of a room."""
        self.stage = stage
        stage.go_to(self.focus or self.primary, shows=False)

    def panel(self) -> Panel:
        """The dialog, and the veil over all that lies below."""
        palette, room, foot = self.style.palette, self.room, self.foot()
        close = Button(name=CLOSE, icon=_cross, width=32, height=32)
        wide = min(self.style.length(self.title, 20, bold=True), room - 32 - 2 * _GAP)
        note = Label((self.note(), ""), 12, palette.muted, align="right", grow=1)
        head = Row((Label(self.title, 20, bold=True, width=wide), note, close))
        spilled = (Space(height=2 * _GAP), *foot.spilled) if foot.spilled else ()
        page = Column((Space(height=_GAP), Column((self.page(), *spilled)), Space(height=24)), gap=0)
        line = Card(Space(height=1), (0, 0), palette.line, radius=0)
        parts: tuple[Panel, ...] = (Space(height=24), _inset(head), Space(height=_GAP))
        pages = Page(Card(page, (_MARGIN - _GAP, 0)), name="page")
        parts += (Card(pages, (_GAP, 0), grow=1), line, Space(height=24), _inset(foot), Space(height=24))
        body = Column(parts, gap=0, width=room + 2 * _MARGIN)
        card = Card(body, (0, 0), palette.panel, palette.line, radius=16, name="dialog")
        return Veil(Placing(Card(card, (_EDGE, _EDGE))))

    def answers(
        self,
        buttons: Sequence[tuple[str, str]],
        beside: Sequence[tuple[str, str]] = (),
        disabled: Collection[str] = (),
        words: str = "",
    ) -> Foot:
        """The buttons of a footer, each as wide as its words.

        Args:
            buttons: names and words of those at the right end; the last one is the main one.
            beside: of those at the left end. The page has them where the footer has no room for them.
            disabled: the names of those that cannot be pressed now.
            words: what stands between both where there is room for it.
        """

        def made(name: str, label: str) -> Button:
            is_main = name == buttons[-1][0]
            wide = max(136.0 if is_main else 96.0, self.style.length(label, 14 if is_main else 13, is_main) + 32)
            kind = "primary" if is_main else "outline"
            return Button(label, kind=kind, enabled=name not in disabled, name=name, width=wide, height=_BUTTON)

        left, right = ([made(*each) for each in side] for side in (beside, buttons))
        between = Label((words, ""), 12, self.style.palette.muted, grow=1)
        if sum((each.width or 0) + _GAP for each in (*left, *right)) <= self.room:
            return Foot((*left, between, *right))
        return Foot((between, *right), spilled=[replace(each, width=None) for each in left])

    @property
    def rect(self) -> Rect:
        """Where the dialog lies in the window."""
        return self.stage.place_of("dialog")

    # Input.

    def _followed(self, answer: Any) -> Command | None:
        if not isinstance(answer, Use):
            return answer  # type: ignore[no-any-return]
        return gui.CloseDialog() if answer.name in (CLOSE, CANCEL) else self.use(answer.name, answer.value)

    def _keyed(self, key: Key) -> list[object]:
        is_main = key.name == "Enter" and not (self.stage.shows_focus and self._keeps_enter) and not self.stage.opened
        found = None if is_main else self.stage.key(key)
        if found is not None:
            return found
        match key.name:
            case "Esc":
                return [gui.CloseDialog()]
            case "Tab" | "Shift+Tab":
                self.stage.next(-1 if key.name == "Shift+Tab" else 1)
            case "Page Up" | "Page Down":
                self.stage.scroll_page(-1 if key.name == "Page Up" else 1)
            case "Enter":
                main = self.stage.find(self.primary)
                return [Use(self.primary, True)] if main is not None and main.panel.is_enabled else []
            case _:
                following = self.key(key)
                return [] if following is None else [following]
        return []

    @property
    def _keeps_enter(self) -> bool:
        focused = self.stage.find(self.stage.focus)
        return focused is not None and focused.panel.keeps_enter

    @handles(Use)
    def _used(self, use: Use, now: float) -> Command | None:
        return self._followed(use)

    @handles(Key)
    def _pressed(self, key: Key, now: float) -> Answer:
        """A key is for the control that has the focus, else for the dialog; the board below hears of none."""
        meant = actions.meaning(key, Where.DIALOG)
        if meant is not None and not self.stage.writes:
            return PASS
        following = [self._followed(each) for each in self._keyed(key)]
        return next((each for each in following if each is not None), None)


def _inset(panel: Panel) -> Card:
    """A panel between the margins of a dialog."""
    return Card(panel, (_MARGIN, 0))


def _cross(size: int, color: RGB) -> pygame.Surface:
    return cross(size * 11 // 14, max(1, size // 7), color)
