"""Dialog for the user's preferences. Every change applies and is saved at once."""

from collections.abc import Sequence
from typing import Any, Final

from pygame import Rect

from othello.errors import Reason
from othello.gui import commands as gui, labels, ui
from othello.gui.actions import ACTIONS
from othello.gui.dialogs.dialog import NARROW, Dialog
from othello.gui.dialogs.player_form import typed_number
from othello.gui.dialogs.program_dialogs import ProgramsDialog
from othello.gui.preferences import Preferences, PreferencesFile, adviser_kind, palette_named, theme_names
from othello.play.session import Session
from othello.players.player_registry import advisers, type_title
from othello.schema import options_of
from othello.texts import SYSTEM, languages, name_of, number, percent, system_language, tr

_SIZES: Final = tuple(range(80, 201, 10))
_PACES: Final = (0.0, 0.2, 0.4, 0.8, 1.5, 3.0)
_VOLUMES: Final = tuple(range(0, 101, 10))
_SECONDS: Final = (0.5, 1.0, 2.0, 5.0, 10.0)
_MEGABYTES: Final = (128, 256, 512, 1024, 2048, 4096)
_LIMIT: Final = options_of(Preferences)["inaccuracy"]


class SettingsDialog(Dialog):
    """Edits the preferences, and the pace of the session."""

    buttons = ("done",)
    keeps_size = True

    def __init__(self, session: Session, preferences: PreferencesFile) -> None:
        self._session, self._preferences = session, preferences
        preferences.read_additions()
        self._typed: dict[str, str] = {}  # texts of the number fields, valid or not

    def resize(self, style: ui.Style, window: Rect) -> None:
        # The language may have changed.
        self.title, self.subtitle = tr("settings.title"), tr("settings.at_once")
        super().resize(style, window)

    @property
    def _now(self) -> Preferences:
        return self._preferences.value

    def content(self) -> ui.Widget:
        is_narrow = self.content_width < NARROW
        names = tuple((name, tr(f"themes.{name}", name)) for name in theme_names())
        columns = 5 if not is_narrow else 3 if self.content_width > 440 else 2  # the longest name has to fit
        rows = -(-len(names) // columns)
        label, height = tr("spoken.theme"), 104 * rows
        themes = ui.SegmentedControl(
            names, self._now.theme, 15, _draw_theme, rows, accessible_name=label, name="theme", height=height
        )
        window, board = ui.Column(self._window(), 20, grow=True), ui.Column(self._board(), 16, grow=True)
        sections = ui.Column((window, board), 24) if is_narrow else ui.Row((window, board), 16, "top")
        faults = self._fault_lines(self._preferences.theme_faults)
        return ui.Column((ui.Column((themes, *faults), 4), sections), gap=20)

    def _fault_lines(self, faults: Sequence[Reason]) -> list[ui.Widget]:
        return [ui.Paragraph(fault.sentence(), 12, self.style.palette.warning, max_lines=3) for fault in faults]

    def _section(self, title: str, control: ui.Widget, remark: str = "") -> ui.Widget:
        """Return a control below its title, with a remark at the right end of the title's line."""
        muted = self.style.palette.muted
        head = ui.Row((ui.Label(title, bold=True), ui.Label(remark, 12, muted, align="right", grow=True)))
        return ui.Column((head, control), gap=6, accessible_name=title)

    def _choice(self, name: str) -> ui.Widget:
        """Return the control for an option with few values."""
        choices = options_of(Preferences)[name].choices
        options = tuple((choice, tr(f"settings.choices.{name}.{choice}")) for choice in choices)
        return ui.SegmentedControl(options, getattr(self._now, name), name=name, grow=True)

    def _window(self) -> list[ui.Widget]:
        """Return the sections about the window."""
        now, pace = self._now, self._session.pace.delay
        marks = tuple((size, str(size)) for size in (80, 100, 120, 150, 200))
        sizes = ui.Slider(_SIZES, now.text_size, marks, waits=True, name="text_size")
        words = tr("settings.at_least", seconds=number(pace)) if pace else tr("settings.no_pace")
        ends = ((_PACES[0], "0"), (_PACES[-1], tr("players.seconds", seconds="3")))
        paces = ui.Slider(_PACES, pace, ends, accessible_name=tr("settings.pace"), name="pace_seconds")
        sounds = ui.Checkbox(tr("settings.sounds"), now.sound, name="sound")
        volume = ui.Slider(_VOLUMES, now.volume, name="volume", grow=True, min_content=80)
        name = ui.TextField(now.player_name, tr("players.you"), max_length=40, name="player_name")
        return [
            self._section(tr("settings.text_size"), sizes, percent(f"{now.text_size}")),
            self._section(tr("settings.language"), self._languages()),
            self._section(tr("settings.player_name"), name),
            self._section(tr("settings.motion"), self._choice("motion")),
            self._section(tr("settings.pace"), paces, words),
            self._section(tr("settings.sound"), ui.Row((sounds, volume))),
            ui.Button(tr("programs.open"), name="programs"),
        ]

    def _languages(self) -> ui.Widget:
        system = tr("settings.system", language=name_of(system_language()))
        known = ((SYSTEM, system), *((code, name_of(code)) for code in languages()))
        warnings = self._fault_lines(self._preferences.language_faults)
        return ui.Column((ui.Select(known, self._now.language, name="language"), *warnings), 4)

    def _board(self) -> list[ui.Widget]:
        """Return the sections about the board, mistakes and hints."""
        now, spec = self._now, self._session.game.rules.spec
        shown = ((name, tr(f"board_shows.{name}", "")) for name in options_of(Preferences))
        keys = {action.command: action.keys[0] for action in ACTIONS if action.keys}
        checks = [
            ui.Checkbox(words, getattr(now, name), keys.get(gui.Toggle(name), ""), name=name)
            for name, words in shown
            if words
        ]
        titles = ((name, tr(f"settings.titles.{name}", "")) for name in options_of(Preferences))
        rows = [
            ui.Row((ui.Label(words, must_fit=True), self._choice(name)), 12)
            for name, words in titles
            if words and (now.details or name != "values_by")
        ]
        kinds = tuple((kind, type_title(kind)) for kind in advisers(spec))
        adviser = ui.Select(kinds, adviser_kind(now, spec), tr("settings.engine"), name="hint_player", grow=0.64)
        times = tuple((seconds, tr("players.seconds", seconds=number(seconds))) for seconds in _SECONDS)
        time = ui.Select(times, now.hint_seconds, tr("settings.time"), name="hint_seconds", grow=0.36)
        sizes = tuple((size, tr("settings.memory_size", n=size)) for size in _MEGABYTES)
        memory = ui.Select(sizes, now.analysis_megabytes, tr("settings.memory"), name="analysis_megabytes")
        judges = ui.Checkbox(tr("settings.analyses_games"), now.analyses_games, name="analyses_games")
        return [
            self._section(tr("settings.shows"), ui.Column((*checks, ui.Column(rows, gap=6)), gap=0)),
            self._section(tr("settings.limits"), self._limits(), tr("settings.in_discs")),
            self._section(tr("settings.hints"), ui.Column((ui.Row((adviser, time)), memory, judges), gap=12)),
        ]

    def _limits(self) -> ui.Widget:
        """Return the fields for the losses from which a move is an inaccuracy, a mistake or a blunder."""
        parts: list[ui.Widget] = []
        for name, sign in labels.SIGNS.items():
            text = self._typed.get(name, str(getattr(self._now, name)))
            color = labels.sign_color(self.style.palette, sign)
            words = (ui.Label(sign, color=color, bold=True, width=16), ui.Label(tr(f"limits.{name}"), 12))
            is_wrong = typed_number(_LIMIT, text) is None
            tip = tr("settings.limit", minimum=_LIMIT.minimum, maximum=_LIMIT.maximum) if is_wrong else ""
            field = ui.TextField(text, is_number=True, is_wrong=is_wrong, tip=tip, name=name, width=44)
            parts += [ui.Row((*words, field), 4), ui.Spacer(grow=True)]
        now = self._now
        if now.inaccuracy <= now.mistake <= now.blunder:
            return ui.Row(parts[:-1], 2)
        return ui.Column((ui.Row(parts[:-1], 2), *self.warning(tr("settings.limits_cross"))), 4)

    def footer_note(self) -> str:
        return tr("settings.stored")

    def footer_buttons(self) -> list[tuple[str, str]]:
        return [("reset", tr("settings.reset")), ("about", tr("settings.about"))]

    def on_control_changed(self, name: str, value: Any) -> gui.Command | None:
        match name:
            case "inaccuracy" | "mistake" | "blunder":
                self._typed[name] = value
                limit = typed_number(_LIMIT, value)
                self._preferences.change(**({} if limit is None else {name: limit}))
            case "programs":
                return gui.PushDialog(ProgramsDialog(self._session, self._preferences))
            case "about":
                return gui.Open("about")
            case "reset":
                self._typed.clear()
                usual = Preferences(self._now.player_name, new_game=self._now.new_game, window=self._now.window)
                self._preferences.change(**vars(usual))
            case _:
                self._preferences.change(**{name: value})
        return gui.PlainCommand.APPLY_PREFERENCES


def _draw_theme(on: ui.PaintContext, name: str, is_chosen: bool) -> None:
    """Draw the option of a theme: a small window in its colours, and its name."""
    rect, px, palette = on.rect, on.style.px, on.style.palette
    ui.draw_tile(on, chosen=is_chosen)
    window = Rect(rect.left + px(8), rect.top + px(8), rect.width - px(16), px(64))
    _draw_window(on._replace(rect=window), palette_named(name))
    x = rect.left + px(12)
    if is_chosen:
        ui.draw_check(on.surface, palette.accent, (x + px(5), rect.bottom - px(16)), px(11))
        x += px(18)
    words, at = tr(f"themes.{name}", name), (x, rect.bottom - px(16))
    on.text(at, words, (13, 12, 11, 10), bold=is_chosen, room=rect.right - x - px(4))


def _draw_window(on: ui.PaintContext, colors: ui.Palette) -> None:
    """Draw a window: a bar with a button, a board, two cards and a panel with three lines."""
    surface, rect, px = on.surface, on.rect, on.style.px
    ui.fill_rounded(surface, rect, px(5), colors.background, colors.line, px(1))
    ui.fill_rounded(surface, Rect(rect.left + px(1), rect.top + px(1), rect.width - px(2), px(11)), px(4), colors.panel)
    ui.fill_rounded(surface, Rect(rect.right - px(30), rect.top + px(3), px(24), px(7)), px(2), colors.accent)
    board = Rect(rect.left + px(8), rect.top + px(16), px(42), px(42))
    _draw_board(on._replace(rect=board), colors)
    left, right, top = board.right + px(8), rect.right - px(7), rect.top + px(16)
    half = (right - left - px(6)) // 2
    ui.fill_rounded(surface, Rect(left, top, half, px(11)), px(2), colors.panel, colors.accent, px(1))
    ui.fill_rounded(surface, Rect(right - half, top, half, px(11)), px(2), colors.panel, colors.line, px(1))
    panel = Rect(left, top + px(15), right - left, px(27))
    ui.fill_rounded(surface, panel, px(2), colors.panel, colors.line, px(1))
    for row, (share, color) in enumerate(((0.8, colors.text), (0.5, colors.muted), (0.65, colors.muted))):
        line = Rect(left + px(4), panel.top + px(5 + 7 * row), round((panel.width - px(8)) * share), px(2))
        surface.fill(color, line)


def _draw_board(on: ui.PaintContext, colors: ui.Palette) -> None:
    """Draw four by four squares with five discs."""
    surface, board, px = on.surface, on.rect, on.style.px
    ui.fill_rounded(surface, board, px(3), colors.frame)
    cell = board.width // 4 - px(1)
    for index in range(16):
        row, column = divmod(index, 4)
        square = Rect(board.left + px(2) + column * cell, board.top + px(2) + row * cell, cell, cell)
        surface.fill(colors.grid, square)
        surface.fill(colors.square_dark if (row + column) % 2 else colors.square_light, square.inflate(-1, -1))
        if index in (2, 5, 6, 9, 10):
            color = colors.white_centre if index in (5, 10) else colors.black_centre
            on.image(ui.circle(cell - px(1), color), at=square.center)
