"""Dialog for a new game: game, players, clock and rules."""

import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, Self

import pygame
from pygame import Rect, Surface

from othello.config import PlayerConfig
from othello.config_file import config_of
from othello.errors import OthelloError
from othello.frozen_dataclass import FrozenDataclass
from othello.game import AnyGame, Game
from othello.gui import commands as gui, labels, ui
from othello.gui.boards.board_layout import BoardState
from othello.gui.boards.renderer import BoardRenderer, renderer_for, renderer_type
from othello.gui.dialogs import player_form
from othello.gui.dialogs.dialog import NARROW, Dialog, failure
from othello.gui.dialogs.help import HowToPlayDialog
from othello.gui.dialogs.player_form import GAP, OTHER, TALL, ChosenRules
from othello.gui.dialogs.program_dialogs import ProgramsDialog
from othello.gui.preferences import PreferencesFile
from othello.play import session_commands as cmd
from othello.play.session import Session
from othello.players import levels
from othello.players.player_registry import USUAL_LEVEL, configure
from othello.records.openings import book_of, has_names, weighed
from othello.rules.protocol import Color, GameSpec
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.texts import number, number_of, tr

RANDOM: Final = "random"
"""The choice of a random side."""
CLOCKS: Final = (0.0, 60.0, 300.0, 900.0)  # seconds per side; 0: no clock
_OWN_CLOCK: Final = 600.0  # the value that a typed clock starts from
_MAX_SECONDS: Final = {"clock": 86_400.0, "increment": 3_600.0}  # seconds
_SIDES: Final = ("black", "white", RANDOM)
_WHO: Final = ("computer", "people", "computers")
_REMEMBERED: Final[Mapping[str, Sequence[Any]]] = {"game": tuple(GAMES), "who": _WHO, "side": _SIDES}
"""The choices that preferences store in addition to the players, with their allowed values."""
_SLOTS: Final = {"black": 0, "white": 1, "opponent": 1}
"""The index of the form that each block of controls shows."""


@dataclass
class WantedGame(ChosenRules):
    """The choices made so far. `typed` also has the minutes and seconds of a typed clock."""

    forms: list[dict[str, Any]]  # of two computers, black and white; the second one is also the user's opponent
    names: list[str]  # names of two people, black and white
    who: str = "computer"  # one of `_WHO`
    side: str = "black"  # the user's: "black", "white" or "random"
    clock: float = 0.0  # seconds of each side, 0: no clock
    increment: float = 0.0  # seconds gained with each move
    opening: str = ""  # names of openings, or moves

    @classmethod
    def remembered(cls, last: Mapping[str, Any], usual: Mapping[str, Any], session: Session) -> Self:
        """Return the choices of the last time, or those of the game on the board if nothing is stored.

        Args:
            last: the choices stored in the preferences.
            usual: the stored game, as keys of a config file.
            session: the session with the game on the board.
        """
        spec, players = session.game.rules.spec, list(session.players.values())
        with suppress(OthelloError):
            players = list(config_of({**usual, "game_type": "match"}).players) if usual else players
        players, clock, increment = _without_clock(players)
        computers = [player_form.form_of(player) for player in players if not player.is_user]
        computers = computers or [player_form.level_form()]
        known = {name: last[name] for name, offered in _REMEMBERED.items() if last.get(name) in offered}
        choices = {
            "game": spec.game,
            "who": _WHO[sum(player.is_user for player in players) - 1],
            "side": Color(int(not players[0].is_user)).label,
            **known,
        }
        wanted = cls(
            forms=[dict(computers[0]), computers[-1]],
            names=[player.name if player.is_user and player.is_named else "" for player in players],
            options=player_form.rules_by_game(spec),
            clock=clock,
            increment=increment,
            opening="; ".join(f"{name}: {n}" for name, n in (session.jobs.config.openings or {}).items()),
            **choices,
        )
        if wanted.clock not in CLOCKS or wanted.increment:
            wanted.choose_clock(OTHER)
        return wanted

    def choose_clock(self, seconds: float | str) -> None:
        """Give both sides the same clock. 0: no clock; `OTHER`: a clock that is typed."""
        if seconds == OTHER:
            self.clock = self.clock or _OWN_CLOCK
            self.typed |= {"clock": number(self.clock / 60), "increment": number(self.increment)}
        else:
            self.clock, self.increment = float(seconds), 0.0
            self.typed = {name: text for name, text in self.typed.items() if name not in _MAX_SECONDS}
        for form in self.forms:
            form.pop("clock_seconds", None)
            form.pop("increment_seconds", None)

    def type_clock(self, name: str, text: str) -> None:
        """Take the text typed for the minutes of the clock, or for the seconds added per move."""
        self.typed[name] = text
        if self.is_time(name):
            setattr(self, name, self._seconds(name))

    def _seconds(self, name: str) -> float | None:
        typed = number_of(self.typed[name])
        return typed if typed is None or name == "increment" else typed * 60

    def is_time(self, name: str) -> bool:
        """Return whether the typed minutes or seconds are valid."""
        typed = self._seconds(name)
        return typed is not None and (1 if name == "clock" else 0) <= typed <= _MAX_SECONDS[name]

    @property
    def is_valid(self) -> bool:
        are_times = all(self.is_time(name) for name in _MAX_SECONDS if name in self.typed)
        return are_times and self.has_valid_rules and self.players is not None and not self.opening_fault

    @property
    def opening_fault(self) -> str:
        """Why the opening is not valid; empty if it is."""
        return failure(lambda: book_of(weighed(self.opening), rules_of(self.spec)))

    @property
    def slots(self) -> tuple[str, ...]:
        """The names of the blocks of controls for computers."""
        return {"computer": ("opponent",), "computers": ("black", "white")}.get(self.who, ())

    def form(self, slot: str) -> dict[str, Any]:
        return self.forms[_SLOTS[slot]]

    @property
    def players(self) -> tuple[PlayerConfig, PlayerConfig] | None:
        """The players of black and white, or None if they cannot play this game."""
        timed: dict[str, Any] = {"clock_seconds": self.clock, "increment_seconds": self.increment} if self.clock else {}
        user, side = player_form.form_of(configure("user")), self.side
        match self.who:
            case "people":
                forms = [user | {"name": name} for name in self.names]
            case "computers":
                forms = self.forms
            case _:
                side = secrets.choice(_SIDES[:2]) if side == RANDOM else side
                forms = [user, self.form("opponent")][:: 1 if side == "black" else -1]
        with suppress(OthelloError):
            black, white = player_form.players_of(forms, self.spec, timed)
            return black, white
        return None

    def player(self, slot: str) -> PlayerConfig | None:
        """Return the player of a block of controls, or None if it cannot play this game."""
        with suppress(OthelloError):
            return player_form.players_of([self.form(slot)], self.spec)[0]
        return None

    def change(self, name: str, value: Any) -> None:
        """Change a choice, by the name of its control."""
        part, _, key = name.partition(".")
        match part:
            case "clock" if key:
                self.type_clock(key, value)
            case "clock":
                self.choose_clock(value)
            case "names":
                self.names[int(key)] = value
            case "rules":
                self.choose_rule(key, value)
            case "black" | "white" | "opponent":
                self._change_computer(part, key, value)
            case _:
                setattr(self, name, value)
        self.forms = [player_form.fitted(form, self.spec) for form in self.forms]

    def _change_computer(self, slot: str, key: str, value: Any) -> None:
        """Change a computer. If it becomes a level, use the level of its measured strength, or else its last level."""
        form = self.form(slot)
        match key:
            case "by_level" if value:
                player = self.player(slot)
                place = None if player is None else levels.level_of(player, self.spec)
                level = place or form.get("level") or USUAL_LEVEL
                form.clear()
                form.update(player_form.level_form(level))
            case "more":
                form["more"] = not form.get("more")
            case _:
                form["player_type" if key == "type" else key] = value


_ROOMY: Final = 480
"""A lower content, in design pixels, has narrower gaps."""
_WHO_HEIGHT: Final = 36
_VIEW_WIDTH: Final = 120
_SIDE_WIDTH: Final = 130
_LINE_HEIGHT: Final = 24  # height of the line below the levels


class NewGameDialog(Dialog):
    """Sets up a new game.

    There is one layout for all games and players. A choice only adds controls below, and never moves or replaces a
    control above.
    """

    buttons = ("cancel", "start")
    keeps_size = True

    def __init__(self, session: Session, preferences: PreferencesFile) -> None:
        self.title = tr("new_game.title")
        self._session, self._preferences = session, preferences
        self._move_times = player_form.MoveTimes(session)
        stored = preferences.value
        self._wanted = WantedGame.remembered(stored.new_game, stored.usual, session)
        self._shows_rules = False

    # Content

    def content(self) -> ui.Widget:
        wanted, style = self._wanted, self.style
        names = tuple((who, tr(f"new_game.who.{who}")) for who in _WHO)
        label = tr("new_game.who_plays")
        who = ui.SegmentedControl(names, wanted.who, rows=0, cell=ui.Size(0, _WHO_HEIGHT), name="who")
        sides = [labels.side(rules_of(wanted.spec), color) for color in Color]
        titles = {"opponent": tr("new_game.opponent"), "black": sides[0], "white": sides[1]}
        players = [self._computer(slot, titles[slot]) for slot in wanted.slots] or [self._people(sides)]
        head = game_choice(style, wanted.game), player_form.labelled(style, label, who)
        gap = GAP if self.content_height >= _ROOMY else 12
        return ui.Column((*head, *players, self._side_and_clock(), self._rules()), gap)

    def _computer(self, slot: str, title: str) -> ui.Widget:
        """Return the controls for a computer: the levels, or in their place those for any player."""
        wanted, style, form = self._wanted, self.style, self._wanted.form(slot)
        words = (True, tr("new_game.options.level")), (False, tr("new_game.any_player"))
        cell, name = ui.Size(_VIEW_WIDTH, 32), f"{slot}.by_level"
        views = ui.SegmentedControl(words, form["by_level"], cell=cell, accessible_name=title, name=name)
        body: ui.Widget = level_buttons(style, form.get("level") or 0, wanted.spec, f"{slot}.level")
        if not form["by_level"]:
            has_details = self._preferences.value.details
            card = player_form.player_card(style, self.content_width, slot, form, wanted.spec, has_details=has_details)
            body = self._at_level_height(body, card)
        head = ui.Row((ui.Label(title, 14, bold=True, grow=True), views))
        return ui.Column((head, body, self._strength_line(slot, form)), 10, group=title)

    def _people(self, sides: Sequence[str]) -> ui.Widget:
        """Return the fields for the names of two people."""
        style, names = self.style, self._wanted.names
        fields = [
            (side, ui.TextField(name, side, max_length=40, accessible_name=side, name=f"names.{index}", height=TALL))
            for index, (name, side) in enumerate(zip(names, sides, strict=True))
        ]
        pairs = player_form.pairs(style, self.content_width - 2 * GAP, fields)
        steps, card = level_buttons(style, 0, self._wanted.spec, ""), ui.Card(pairs, fill=style.palette.raised)
        head = ui.Label(tr("new_game.players"), 14, bold=True, height=32)
        return ui.Column((head, self._at_level_height(steps, card), ui.Spacer(height=_LINE_HEIGHT)), 10)

    def _at_level_height(self, steps: ui.Widget, body: ui.Widget) -> ui.Widget:
        """Return a widget that is at least as high as the levels, to keep the controls below in place."""
        return ui.Stack((ui.Spacer(height=steps.size(self.style, self.content_width).height), body))

    def _strength_line(self, slot: str, form: Mapping[str, Any]) -> ui.Widget:
        """Return a line with the strength and speed of a computer, or why it cannot play this game."""
        palette, is_open = self.style.palette, form.get("more", False)
        head, fault = "", player_form.fault_of([form], self._wanted.spec)
        if not fault and slot == "white":
            fault = player_form.fault_of(self._wanted.forms, self._wanted.spec)  # with the other player
        if fault:
            label = ui.Label(fault, 12, palette.warning, grow=True)
        else:
            if form["by_level"]:
                head = tr("new_game.level", level=form["level"], name=tr(f"levels.{form['level']}"))
            facts = [word for word in (self._strength(form), self._move_time(slot)) if word]
            lines = ("".join(f"  ·  {word}" for word in facts[:count])[0 if head else 5 :] for count in (2, 1, 0))
            label = ui.Label(tuple(lines), 12, palette.muted, grow=True)
        parts: list[ui.Widget] = [ui.Label(head, 12, bold=True), label] if head else [label]
        if not form["by_level"]:
            more = tr("new_game.less" if is_open else "new_game.more")
            parts += [player_form.link(f"{slot}.programs", tr("programs.open"))] if slot != "white" else []
            parts.append(player_form.link(f"{slot}.more", more))
        return ui.Row(parts, 0 if head else GAP, height=_LINE_HEIGHT)

    def _strength(self, form: Mapping[str, Any]) -> str:
        """Return the measured strength of a computer in words; empty if it is not known."""
        spec = self._wanted.spec
        if form["by_level"]:
            elo = levels.measured(form["level"], spec)
            return tr("new_game.elo", elo=elo.elo, margin=elo.margin, games=elo.games) if elo else ""
        place = labels.measured_place(player_form.players_of([form], spec)[0], spec)
        return place[:1].upper() + place[1:]

    def _side_and_clock(self) -> ui.Widget:
        """Return the controls for the user's side and for the clock."""
        wanted, blank = self._wanted, ("", ui.Spacer(height=TALL))
        controls: list[tuple[str, ui.Widget]] = [] if self.content_width < NARROW else [blank]
        if wanted.who == "computer":
            first, second = (labels.side(rules_of(wanted.spec), color) for color in Color)
            words = tr("new_game.moves_first", side=first), second, tr("new_game.random")
            sides = tuple(zip(_SIDES, words, strict=True))
            painter = SidePainter(renderer_for(wanted.spec, self.style.palette), dict(sides))
            label, cell = tr("new_game.side"), ui.Size(_SIDE_WIDTH, TALL)  # the same width for all games
            controls = [(label, ui.SegmentedControl(sides, wanted.side, 0, painter, 0, cell, name="side"))]
        minutes = ((seconds, tr("times.minutes", minutes=number(seconds / 60))) for seconds in CLOCKS[1:])
        options = (CLOCKS[0], tr("new_game.no_clock")), *minutes, (OTHER, tr("new_game.own_number"))
        chosen = OTHER if "clock" in wanted.typed else wanted.clock
        controls.append((tr("new_game.clock"), player_form.one_of("clock", options, chosen)))
        if "clock" in wanted.typed:
            controls += [blank] if self.content_width >= NARROW else []
            controls.append((tr("new_game.own_clock"), ui.Row([self._time(name) for name in _MAX_SECONDS], GAP)))
        return player_form.pairs(self.style, self.content_width, controls)

    def _time(self, name: str) -> ui.Widget:
        """Return a field for minutes or seconds with its unit."""
        text, is_wrong, unit = self._wanted.typed[name], not self._wanted.is_time(name), tr(f"new_game.{name}_unit")
        field = ui.TextField(text, "", True, is_wrong, accessible_name=unit, name=f"clock.{name}", width=64)
        return ui.Row((replace(field, height=TALL), ui.Label(unit, 12)))

    def _rules(self) -> ui.Widget:
        """Return the summary of the rules, the controls for them if they are shown, and the fault of the opening."""
        wanted, style = self._wanted, self.style
        options, has_openings = GAMES[wanted.game].options, has_names(rules_of(wanted.spec))
        summaries, can_open = labels.rules_summary(wanted.spec), bool(options or has_openings)
        if wanted.opening:
            summaries = [f"{tr('new_game.opening')}: {wanted.opening}  ·  {words}" for words in summaries]
        line = RulesButton(enabled=can_open, is_open=self._shows_rules and can_open, name="rules", height=40, grow=True)
        *fitting, short = (ui.Row((replace(line, words=words), *self._help_button())) for words in (*summaries, ""))
        high = ui.Column((short, ui.Paragraph(summaries[0], 12, style.palette.muted)))
        parts: list[ui.Widget] = [ui.FirstThatFits((*fitting, high))]
        if self._shows_rules:
            controls = player_form.rule_choices(wanted)
            if has_openings:
                none, is_wrong = tr("new_game.opening_none"), bool(wanted.opening_fault)
                field = ui.TextField(wanted.opening, none, False, is_wrong, 200, name="opening", height=TALL)
                controls.append((tr("new_game.opening"), field))
            parts.append(player_form.pairs(style, self.content_width, controls))
        return ui.Column((*parts, *self.warning(wanted.opening_fault)), 12)

    def _help_button(self) -> Sequence[ui.Widget]:
        """Return the button that explains the game, if the game has an explanation."""
        game = self._wanted.game
        if not renderer_type(game).lessons:
            return ()
        tip = tr("named", name=tr("help.rules"), words=labels.title(rules_of(game_spec(game))))
        return (ui.Button("?", kind="outline", tip=tip, name="help", width=40, height=40),)

    def footer_buttons(self) -> list[tuple[str, str]]:
        restore = [("restore", tr("new_game.restore"))] if self._session.allows(cmd.RestoreGame) else []
        return [("save", tr("new_game.make_usual")), *restore]

    @property
    def is_valid(self) -> bool:
        return self._wanted.is_valid

    # Input

    def key(self, key: ui.Key) -> gui.Command | None:
        """Choose a level with a digit key, in the block with the focus or else in the first block."""
        slots, focused = self._wanted.slots, self.widgets.focus.partition(".")[0]
        slot = focused if focused in slots else next(iter(slots), "")
        if slot and key.text and key.text in "1234567890" and self._wanted.form(slot)["by_level"]:
            self._wanted.form(slot)["level"] = int(key.text) or levels.COUNT
        return None

    def on_control_changed(self, name: str, value: Any) -> gui.Command | None:
        self.subtitle, wanted = "", self._wanted
        match name:
            case "start":
                self.is_done = True
                return cmd.NewGame(self._store(), wanted.spec, weighed(wanted.opening))
            case "restore":
                self.is_done = True
                return cmd.RestoreGame()
            case "save":
                self._store()
                self.subtitle = self._preferences.notice or tr("new_game.is_usual")
            case "help":
                return gui.PushDialog(HowToPlayDialog(wanted.spec))
            case "rules":
                self._shows_rules = not self._shows_rules
            case _ if name.endswith(".programs"):
                return gui.PushDialog(ProgramsDialog(self._session, self._preferences))
            case _:
                wanted.change(name, value)
        return None

    def update(self) -> gui.Command | None:
        """Measure the speed of the chosen computers on this machine."""
        players = filter(None, map(self._wanted.player, self._wanted.slots))
        return self._move_times.next_trial(players, self._wanted.spec)

    def _move_time(self, slot: str) -> str:
        """Return the time that a computer needs for a move; empty if it is not measured."""
        player = self._wanted.player(slot)
        if self._session.analysis is None or player is None or not player_form.is_measured(player):
            return ""
        seconds = self._move_times.seconds(player, self._wanted.spec)
        if seconds is None:
            return tr("new_game.measuring")
        return tr("new_game.cost", time=number(max(seconds, 0.01), ".1g") if seconds < 1 else f"{seconds:.0f}")

    def _store(self) -> tuple[PlayerConfig, PlayerConfig] | None:
        """Store the choices for the next start, and return the players."""
        wanted, players = self._wanted, self._wanted.players
        usual = player_form.parts_of(wanted.spec, players or (), weighed(wanted.opening))
        self._preferences.change(new_game={name: getattr(wanted, name) for name in _REMEMBERED}, usual=usual)
        return players


class RulesButton(ui.Button):
    """Button with a summary of the rules. It shows or hides their controls."""

    words: str = ""  # the summary; empty if it stands below the button
    is_open: bool = False  # the controls are shown

    def accessible(self, on: ui.PaintContext) -> ui.AccessibleNode:
        return replace(super().accessible(on), name=self.words or tr("spoken.rules"), is_open=self.is_open)

    def measure(self, style: ui.Style, width: float) -> ui.Size:
        title, change = style.length(tr("new_game.rules"), 13, bold=True), style.length(tr("new_game.change"), 13)
        return ui.Size(84 + title + style.length(self.words, 12) + change, 40)

    def draw(self, on: ui.PaintContext) -> None:
        rect, px, palette = on.rect, on.style.px, on.style.palette
        ui.fill_rounded(on.surface, rect, px(8), palette.raised if on.is_lit else palette.panel, palette.line, px(1))
        ui.draw_chevron(on.surface, palette.muted, (rect.left + px(19), rect.centery), px(9), down=self.is_open)
        right = on.text((rect.left + px(36), rect.centery), tr("new_game.rules"), 13, bold=True).right
        if self.enabled:
            change = tr("buttons.close_keys" if self.is_open else "new_game.change")
            color = palette.text if on.is_lit else palette.accent
            on.text((rect.right - px(16), rect.centery), change, 13, color, anchor="midright")
        on.text((right + px(16), rect.centery), self.words, 12, palette.muted)


_LEVEL_HEIGHT: Final = 112
_LEVEL_NAMES: Final = (12, 11, 10)  # font sizes: the largest that fits is used


def _without_clock(players: list[PlayerConfig]) -> tuple[list[PlayerConfig], float, float]:
    """Return the players with the seconds and the increment of their clock; players keep clocks that differ."""
    clocks = {(player.clock_seconds or 0.0, player.increment_seconds) for player in players}
    if len(clocks) > 1:
        return players, 0.0, 0.0
    return [replace(player, clock_seconds=None, increment_seconds=0.0) for player in players], *clocks.pop()


def level_buttons(style: ui.Style, chosen: int, spec: GameSpec, name: str) -> ui.SegmentedControl:
    """Return the choice of a level for a game, as a staircase."""
    options = tuple((level, tr(f"levels.{level}")) for level in range(1, levels.COUNT + 1))
    widest = max(style.length(name, _LEVEL_NAMES[-1]) for _, name in options)
    painter, cell = _StepPainter(chosen, spec), ui.Size(widest, _LEVEL_HEIGHT)
    tips, called = tuple(tr(f"level_tips.{level}") for level, _ in options), tr("spoken.level")
    return ui.SegmentedControl(options, chosen, 0, painter, 0, cell, tips, accessible_name=called, name=name)


class SidePainter(FrozenDataclass):
    """Draws a side as its piece and its name, and a random side as both pieces."""

    renderer: BoardRenderer
    words: Mapping[str, str]

    def __call__(self, on: ui.PaintContext, side: str, is_chosen: bool) -> None:
        px, word, rect = on.style.px, self.words[side], on.rect
        ui.draw_segment(on, chosen=is_chosen)
        size = on.style.largest(word, (13, 12, 11), rect.width - px(44), bold=is_chosen)
        pieces = [color for color in Color if side in (color.label, RANDOM)]
        width = px(8) + px(14) * (len(pieces) - 1) + px(18) + on.style.width(word, size, bold=is_chosen)
        left = rect.centerx - width // 2 + px(9)
        for index, color in enumerate(pieces):
            self.renderer.draw_piece(on.surface, (left + px(14) * index, rect.centery), px(18), color)
        shade = on.style.palette.accent if is_chosen else None
        at = (left + px(14) * (len(pieces) - 1) + px(17), rect.centery)
        on.text(at, word, size, shade, bold=is_chosen, room=rect.right - px(4) - at[0])


class _StepPainter(FrozenDataclass):
    """Draws a level as a step, with its Elo if it was measured for the game."""

    chosen: int
    spec: GameSpec

    def __call__(self, on: ui.PaintContext, level: int, is_chosen: bool) -> None:
        style, rect, px, palette = on.style, on.rect, on.style.px, on.style.palette
        ui.draw_segment(on, chosen=is_chosen)
        measured = levels.measured(level, self.spec)
        footer = rect.top + px(64 if measured else 72)
        width, height = min(px(44), rect.width - px(12)), px(16 + 3.6 * level)
        step = Rect(rect.centerx - width // 2, footer - height, width, height)
        color = palette.accent if is_chosen else palette.step if level < self.chosen else palette.high_step
        ui.fill_rounded(on.surface, step, px(5), color)
        on.surface.fill(color, (step.left, step.bottom - px(6), step.width, px(6)))
        shade, at = palette.on_accent if is_chosen else None, (rect.centerx, footer - px(10))
        on.text(at, str(level), 12, shade, anchor="center", bold=True)
        name = tr(f"levels.{level}")
        is_bold = is_chosen and style.width(name, 12, bold=True) <= rect.width
        at = (rect.centerx, footer + px(15))
        on.text(at, name, _LEVEL_NAMES, anchor="center", bold=is_bold, room=rect.width - px(2))
        if measured:
            shade = palette.text if is_chosen or on.is_lit else palette.muted
            on.text((rect.centerx, footer + px(34)), str(measured.elo), 11, shade, anchor="center")


_CARD: Final = 64
_BOARD: Final = 48
_BESIDE_TITLE: Final = 98  # the board to the left of the title, and the check to the right
_OVERSAMPLING: Final = 4
_EXAMPLE_PLIES: Final = 0.2  # share of the longest game


def game_choice(style: ui.Style, chosen: str) -> ui.SegmentedControl:
    """Return the choice of a game, with a small board for each."""
    games = player_form.games()
    words = [word for _, title in games for word in title.split()]
    widest = max(style.length(word, 14, bold=True) for word in words) + _BESIDE_TITLE  # long titles take two lines
    tips, cell = tuple(tr(f"games.{game}.summary", "") for game, _ in games), ui.Size(widest, _CARD)
    label = tr("spoken.game")
    return ui.SegmentedControl(games, chosen, GAP, _draw_game, 0, cell, tips, accessible_name=label, name="game")


def _draw_game(on: ui.PaintContext, name: str, is_chosen: bool) -> None:
    """Draw the option of a game: its board and its title."""
    style, rect, px = on.style, on.rect, on.style.px
    ui.draw_tile(on, chosen=is_chosen)
    at = rect.left + px(8), rect.top + px(8)
    on.surface.blit(small_board(name, px(_BOARD), style.palette), at, special_flags=pygame.BLEND_PREMULTIPLIED)
    lines = style.wrap(labels.title(rules_of(game_spec(name))), 14, rect.width - px(_BESIDE_TITLE - 2), 2, bold=True)
    for index, line in enumerate(lines):
        y = rect.centery + round(px(20) * (index - (len(lines) - 1) / 2))
        on.text((rect.left + px(64), y), line, 14, bold=True)
    if is_chosen:
        at = rect.right - px(20), rect.centery
        on.image(ui.circle(px(20), style.palette.accent), at=at)
        ui.draw_check(on.surface, style.palette.on_accent, at, px(11))


@lru_cache(maxsize=16)
def small_board(name: str, size: int, palette: ui.Palette) -> Surface:
    """Return a small picture of a board with an example position, with premultiplied alpha.

    The board is drawn larger and scaled down, which keeps all details.
    """
    game, side = _example(name), size * _OVERSAMPLING
    renderer, image = renderer_for(game.rules.spec, palette), Surface((side, side), pygame.SRCALPHA)
    place = renderer.layout_in(ui.Style(1.0, palette), Rect(0, 0, side, side), 10)
    renderer.draw(image, place, BoardState(game.position, shows_coordinates=False), 0.0)
    if renderer.example_side:
        length = renderer.example_side * place.cell
        middle = Rect().move_to(size=(length, length), center=place.grid.center)
        whole = Surface(middle.inflate(place.cell // 2, place.cell // 2).size, pygame.SRCALPHA)
        ui.fill_rounded(whole, whole.get_rect(), place.cell // 4, getattr(palette, renderer.frame))
        whole.blit(image, (place.cell // 4, place.cell // 4), middle)
        image = whole
    return pygame.transform.smoothscale(image.premul_alpha(), (size, size))  # avoids dark edges


@lru_cache(maxsize=8)
def _example(name: str) -> AnyGame:
    """Return an example position of a game, from its renderer or from a few arbitrary moves."""
    game, moves = Game.new(rules_of(game_spec(name))), renderer_type(name).example
    if moves is not None:
        return game.after(game.rules.parse_move(game.position, move) for move in moves.split())
    for ply in range(max(4, int(game.rules.max_moves * _EXAMPLE_PLIES))):
        legal = game.legal_moves()
        following = game.play(legal[(ply * 5 + 2) % len(legal)])
        if following.is_over:
            break
        game = following
    return game
