"""The dialog for how the window looks and what it shows: every change applies at once and is kept."""

from __future__ import annotations

from typing import Any, Final

from pygame import Rect

from othello.gui import commands as gui
from othello.gui import theme, wording
from othello.gui.choices import Choice, Select
from othello.gui.commands import Command
from othello.gui.controls import Check, Field, Slider
from othello.gui.dialog import Dialog
from othello.gui.preferences import Preferences, PreferencesFile, theme_names
from othello.gui.scenes.evaluation import SIGNS
from othello.gui.scenes.hints import adviser_kind
from othello.gui.scenes.notices import answers, spill
from othello.gui.sheet import Page
from othello.gui.texts import SYSTEM, languages, say, system_language
from othello.gui.theme import Style
from othello.gui.views.moves import sign_color
from othello.gui.views.settings import draw_theme
from othello.play.session import Session
from othello.players.registry import COMPUTERS, configure, refusal
from othello.schema import options_of

_SIZES: Final = tuple(range(80, 201, 10))
_PACES: Final = (0.0, 0.2, 0.4, 0.8, 1.5, 3.0)
_VOLUMES: Final = tuple(range(0, 101, 10))
_SECONDS: Final = (0.5, 1.0, 2.0, 5.0, 10.0)
_SHOWN: Final = (
    ("shows_legal", ""),
    ("shows_captures", "N"),
    ("shows_coordinates", ""),
    ("shows_last_move", ""),
    ("shows_values", "V"),
)
_NARROW: Final = 700


class SettingsDialog(Dialog):
    """Everything that a person can set for the window.

    Args:
        session: whose pace is shown, and for whose game hints are given.
        preferences: what is changed.
    """

    primary = "done"

    def __init__(self, session: Session, preferences: PreferencesFile, style: Style, window: Rect) -> None:
        self.title = say("settings.title")
        self._session, self._preferences = session, preferences
        self._typed: dict[str, str] = {}  # what stands in the fields, which may be no number yet
        super().__init__(style, window)

    def note(self) -> str:
        return say("settings.at_once")

    @property
    def _now(self) -> Preferences:
        return self._preferences.value

    def fill(self, page: Page) -> None:
        self.title = say("settings.title")
        is_narrow = page.width < _NARROW
        themes = tuple((name, say(f"themes.{name}", name)) for name in theme_names())
        rows = 1 if not is_narrow else 2 if page.width > 440 else 3  # so that the longest name has room
        rect = page.rect(0, 0, page.width, 104 * rows)
        page.add(Choice("theme", rect, themes, self._now.theme, page.style.px(15), draw_theme, rows))
        y = 104.0 * rows + 28
        width = page.width if is_narrow else (page.width - 16) / 2
        left = self._fill_window(page, 0, y, width)
        if is_narrow:
            self._fill_board(page, 0, left + 16, width)
        else:
            self._fill_board(page, width + 16, y, width)
        spill(page, *self._answers())

    def _answers(self) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
        """Names and words of the button that ends the dialog, and of the others."""
        beside = [("reset", say("settings.reset")), ("about", say("settings.about"))]
        return [("done", say("settings.done"))], beside

    def _fill_window(self, page: Page, x: float, y: float, width: float) -> float:
        """What concerns all of the window."""
        now = self._now
        page.text(say("settings.text_size"), x, y, bold=True)
        page.text(say("settings.percent", n=now.text_size), x + width, y, size=12, color=theme.MUTED, anchor="midright")
        marks = tuple((size, str(size)) for size in (80, 100, 120, 150, 200))
        page.add(Slider("text_size", page.rect(x, y + 16, width, 28), _SIZES, now.text_size, marks))
        y += 88
        if len(languages()) > 1:
            page.text(say("settings.language"), x, y, bold=True)
            system = say("settings.system", language=say(f"languages.{system_language()}"))
            known = ((SYSTEM, system), *((code, say(f"languages.{code}")) for code in languages()))
            page.add(Select("language", page.rect(x, y + 16, width, 32), known, now.language))
            y += 80
        page.text(say("settings.motion"), x, y, bold=True)
        kinds = tuple((kind, say(f"motions.{kind}")) for kind in ("full", "short", "none"))
        page.add(Choice("motion", page.rect(x, y + 16, width, 32), kinds, now.motion))
        y += 80
        pace = self._session.pace.delay
        page.text(say("settings.pace"), x, y, bold=True)
        words = say("settings.at_least", seconds=f"{pace:g}") if pace else say("settings.no_pace")
        page.text(words, x + width, y, size=12, color=theme.MUTED, anchor="midright")
        ends = ((_PACES[0], "0"), (_PACES[-1], say("players.seconds", seconds="3")))
        page.add(Slider("pace_seconds", page.rect(x, y + 16, width, 28), _PACES, pace, ends))
        y += 88
        page.text(say("settings.sound"), x, y, bold=True)
        half = width * 0.58
        page.add(Check("sound", page.rect(x, y + 14, half, 28), say("settings.sounds"), now.sound))
        page.add(Slider("volume", page.rect(x + half, y + 14, width - half, 28), _VOLUMES, now.volume))
        return y + 56

    def _fill_board(self, page: Page, x: float, y: float, width: float) -> None:
        """What the board shows, and who gives hints."""
        page.text(say("settings.shows"), x, y, bold=True)
        y += 12
        for name, key in _SHOWN:
            label = say(f"board_shows.{name}")
            page.add(Check(name, page.rect(x, y, width, 28), label, getattr(self._now, name), key))
            y += 28
        y = self._fill_limits(page, x, y + 20, width) + 24
        page.text(say("settings.hints"), x, y, bold=True)
        spec = self._session.game.rules.spec
        kinds = tuple((kind, wording.type_title(kind)) for kind in COMPUTERS if not refusal(configure(kind), spec))
        half = (width - 8) * 0.64
        label = say("settings.engine")
        page.add(Select("hint_player", page.rect(x, y + 16, half, 32), kinds, adviser_kind(self._now, spec), label))
        times = tuple((seconds, say("players.seconds", seconds=f"{seconds:g}")) for seconds in _SECONDS)
        rect = page.rect(x + half + 8, y + 16, width - half - 8, 32)
        page.add(Select("hint_seconds", rect, times, self._now.hint_seconds, say("settings.time")))
        label = say("settings.analyses_games")
        page.add(Check("analyses_games", page.rect(x, y + 60, width, 28), label, self._now.analyses_games))

    def _fill_limits(self, page: Page, x: float, y: float, width: float) -> float:
        """From what loss on a move is a mistake."""
        page.text(say("settings.limits"), x, y, bold=True)
        words = say("settings.in_discs")
        page.text(words, x + width, y, size=12, color=theme.MUTED, anchor="midright", width=width * 0.62)
        labels = {mistake.value: say(f"limits.{mistake.value}") for mistake in SIGNS}
        rooms = [page.width_of(label, 12) + 24 for label in labels.values()]
        gap = max(4.0, (width - sum(rooms) - 44 * len(rooms)) / (len(rooms) - 1))
        for (name, label), sign, room in zip(labels.items(), SIGNS.values(), rooms, strict=True):
            text = self._typed.get(name, str(getattr(self._now, name)))
            page.text(sign, x, y + 32, color=sign_color(sign), bold=True)
            page.text(label, x + 20, y + 32, size=12)
            page.add(Field(name, page.rect(x + room, y + 16, 44, 32), text, is_number=True, is_wrong=not _limit(text)))
            x += room + 44 + gap
        return y + 56

    def fill_foot(self, page: Page) -> None:
        left = answers(page, *self._answers())
        if left + page.width_of(say("settings.stored"), 12) <= page.width - 160:
            page.text(say("settings.stored"), left + 8, 20, size=12, color=theme.MUTED)

    def use(self, name: str, value: Any) -> Command | None:
        match name:
            case "slip" | "mistake" | "blunder":
                self._typed[name] = value
                limit = _limit(value)
                self._preferences.change(**({} if limit is None else {name: limit}))
            case "done":
                return gui.CloseDialog()
            case "about":
                return gui.Open("about")
            case "reset":
                self._typed.clear()
                usual = Preferences(new_game=self._now.new_game, window=self._now.window)
                self._preferences.change(**vars(usual))
            case _:
                self._preferences.change(**{name: value})
        return gui.ApplyPreferences()


def _limit(text: str) -> int | None:
    """How many discs are typed, None where that is no number of discs."""
    limits = options_of(Preferences)["slip"]
    assert limits.minimum is not None
    assert limits.maximum is not None
    return int(text) if text.isdigit() and limits.minimum <= int(text) <= limits.maximum else None
