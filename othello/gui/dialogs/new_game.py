"""The dialog before a game: which game, against whom, on which side, with which clock, by which rules."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from othello.config import PlayerConfig
from othello.errors import OthelloError, Reason
from othello.gui import commands as gui
from othello.gui import wording
from othello.gui.commands import Command
from othello.gui.dialogs import player_form
from othello.gui.dialogs.dialog import Dialog
from othello.gui.dialogs.game_pictures import BESIDE_HELP, RANDOM, RulesButton, SidePainter, Unfocused, pictures, stairs
from othello.gui.dialogs.help import HowToPlayDialog
from othello.gui.dialogs.player_form import GAP, NARROW, TALL, ChosenRules
from othello.gui.dialogs.programs import ProgramsDialog
from othello.gui.faces.face import face_of, face_type
from othello.gui.preferences import PreferencesFile
from othello.gui.toolkit.button import Button
from othello.gui.toolkit.field import Field
from othello.gui.toolkit.inputs import Key
from othello.gui.toolkit.layout import Column, First, Grid, Placing, Row, Space, Stack
from othello.gui.toolkit.panel import Panel
from othello.gui.toolkit.style import Size
from othello.gui.toolkit.switches import Choice, Select
from othello.gui.toolkit.words import Label, Paragraph
from othello.play import commands as play
from othello.play.session import Session
from othello.players import levels
from othello.players.registry import configure
from othello.records.openings import book_of, has_names, weighed
from othello.rules.protocol import Color
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.texts import number, number_of, say

CLOCKS: Final = (0.0, 60.0, 300.0, 900.0)
INCREMENTS: Final = (0.0, 2.0, 5.0)
_OWN_CLOCK: Final = 600.0  # what a clock that is typed begins with
_LONGEST_CLOCK: Final = 86_400.0
_SIDES: Final = ("black", "white", RANDOM)
_REMEMBERED: Final[Mapping[str, Sequence[Any]]] = {
    "game": tuple(GAMES),
    "level": range(1, levels.COUNT + 1),
    "side": _SIDES,
    "clock": CLOCKS,
    "increment": INCREMENTS,
}
"""What is remembered of a choice beside a clock that was typed, and what each part of the choice may be."""


@dataclass
class WantedGame(ChosenRules):
    """What was chosen so far; `own` also has the minutes of a clock that is typed."""

    forms: list[dict[str, Any]]  # of black and white
    has_forms: bool  # whether both players are described in forms, and not by level and side
    level: int = 3  # of the opponent, 1 .. `levels.COUNT`
    side: str = "black"  # the person's: "black", "white" or "random"
    clock: float = 0.0  # seconds of each side, 0 where there is no clock for both
    increment: float = 0.0  # seconds gained with a move
    opening: str = ""  # with what the game begins: names of openings, or moves

    @classmethod
    def remembered(cls, last: Mapping[str, Any], session: Session) -> WantedGame:
        """The last choice, as far as it can be made out, else the game that is on the table."""
        spec = session.game.rules.spec
        clock = last.get("clock")
        own = {}
        if isinstance(clock, float) and clock not in CLOCKS and 1 <= clock <= _LONGEST_CLOCK:
            own["clock"] = number(clock / 60)
        known = {
            name: last[name]
            for name, offered in _REMEMBERED.items()
            if type(last.get(name)) is type(offered[0]) and last[name] in offered
        }
        return cls(
            forms=[player_form.form_of(session.seats[color]) for color in Color],
            options={name: dict(spec.options) if name == spec.game else {} for name in GAMES},
            has_forms=last.get("forms") is True,
            own=own,
            opening="; ".join(f"{name}: {n}" for name, n in (session.jobs.config.openings or {}).items()),
            **{"game": spec.game, **known, **({"clock": clock} if own else {})},
        )

    @property
    def typed_clock(self) -> float | None:
        """The seconds of the minutes that are typed, None where they are no time for a game."""
        minutes = number_of(self.own["clock"])
        return None if minutes is None or not 1 <= 60 * minutes <= _LONGEST_CLOCK else 60 * minutes

    @property
    def is_sound(self) -> bool:
        is_timed = "clock" not in self.own or self.typed_clock is not None
        return is_timed and self.has_sound_rules and self.players is not None and self.opening_fault is None

    @property
    def opening_fault(self) -> Reason | None:
        """What is wrong with the opening."""
        try:
            book_of(weighed(self.opening), rules_of(self.spec))
        except OthelloError as error:
            return error.reason
        return None

    def choose_clock(self, seconds: float | str, *, is_typed: bool = False) -> None:
        """Give both sides one clock, or none, whatever clocks of their own the players had."""
        if is_typed or seconds == player_form.OTHER:
            self.own["clock"] = str(seconds) if is_typed else number((self.clock or _OWN_CLOCK) / 60)
            self.clock = self.typed_clock or self.clock
        else:
            self.own.pop("clock", None)
            self.clock = float(seconds)
        for form in self.forms:
            form.pop("clock_seconds", None)
            form.pop("increment_seconds", None)

    @property
    def memory(self) -> dict[str, Any]:
        """What is remembered of the choice until the next time."""
        return {name: getattr(self, name) for name in _REMEMBERED} | {"forms": self.has_forms}

    @property
    def players(self) -> tuple[PlayerConfig, PlayerConfig] | None:
        """Black and white; None where a form is wrong."""
        timed: dict[str, Any] = {"clock_seconds": self.clock, "increment_seconds": self.increment} if self.clock else {}
        if self.has_forms:
            with suppress(OthelloError):
                black, white = player_form.players_of(self.forms, self.spec, timed)
                return black, white
            return None
        opponent = replace(levels.opponent(self.level, say(f"levels.{self.level}")), **timed)
        person = configure("user", **timed)
        sides = {"black": (person, opponent), "white": (opponent, person)}
        side = secrets.choice(list(sides)) if self.side == RANDOM else self.side
        return sides[side]

    @property
    def fault(self) -> Reason | None:
        """What keeps the players of the forms from this game."""
        try:
            player_form.players_of(self.forms, self.spec)
        except OthelloError as error:
            return error.reason
        return None


_INCREMENT: Final = 72
"""How high the control is that a clock brings, with the gap before it."""
_WIDE: Final = 780
"""A page of fewer design pixels has no room for large boards beside each other."""


class NewGameDialog(Dialog):
    """Two clicks for a beginner, and everything for who wants it. Preferences keep the last choice."""

    buttons = ("cancel", "start")
    keeps_size = True

    def __init__(self, session: Session, preferences: PreferencesFile) -> None:
        self.title = say("new_game.title")
        self._session, self._preferences = session, preferences
        self._saved = ""
        self._tried: object = None
        self._wanted = WantedGame.remembered(preferences.value.new_game, session)
        self._shows_rules = False

    # What is in it.

    def note(self) -> str:
        return self._saved

    def page(self) -> Panel:
        wanted = self._wanted
        is_small = wanted.has_forms or self._shows_rules or self.room < _WIDE
        players = self._forms() if wanted.has_forms else self._levels()
        small, large = (self._pictures(is_small=each) for each in (True, False))
        if wanted.has_forms:
            return Column((small, players, self._terms()), gap=18)
        games = Row((Select(player_form.games(), wanted.game, name="game", grow=1), *self._help(wanted.game)))
        pages = [
            *([] if is_small else [Column((large, players, self._terms()), gap=18)]),
            Column((small, players, self._terms()), gap=18),
            Column((games, players, self._terms()), gap=12),
            Column((games, players, self._terms(is_compact=True)), gap=12),
            Column((self._lists(games), self._terms(is_compact=True), self._told(), self._choose())),
        ]
        spare = self.depth - (0 if wanted.clock else _INCREMENT)  # else a click on a clock would move all that is there
        return next((each for each in pages if each.size(self.style, self.room).height <= spare), pages[-1])

    def _pictures(self, *, is_small: bool) -> Panel:
        """The games, each with a board, and with a button that tells how the game is played."""
        games = pictures(self.style, self._wanted.game, is_small=is_small)
        rows = round((games.size(self.style, self.room).height + GAP) / (games.cell.height + GAP))
        helps = [Row((Space(), *self._help(name), Space(width=BESIDE_HELP))) for name, _ in games.options]
        corners = [Placing(each, 1, 0.5) if is_small else Placing(each, 0, 0.1) for each in helps]
        return Stack((games, Grid(corners, -(-len(corners) // rows), GAP)))

    def _help(self, game: str) -> Sequence[Panel]:
        """The button that tells how a game is played. Tab goes to the button of the chosen game alone."""
        if not face_type(game).lessons:
            return ()
        kind = Button if game == self._wanted.game else Unfocused
        tip = say("named", name=say("help.rules"), words=wording.title(rules_of(game_spec(game))))
        return (kind("?", kind="small", tip=tip, name=f"help.{game}", width=24, height=24),)

    def _lists(self, games: Panel) -> Panel:
        """Game and level as lists, for where there is little room."""
        known = tuple((level, f"{level} · {say(f'levels.{level}')}") for level in range(1, levels.COUNT + 1))
        return Grid((games, Select(known, self._wanted.level, say("new_game.opponent"), name="level")), 2)

    def _levels(self) -> Panel:
        """Whom the person plays against, as one of the levels."""
        wanted, style = self._wanted, self.style
        note = Label((say("new_game.levels"), ""), 12, style.palette.muted, grow=1)
        title = Label(say("new_game.opponent"), 14, bold=True)
        head = Row((title, note, self._choose()), gap=14)
        return Column((head, stairs(style, wanted.level, wanted.spec), Space(), self._told()), gap=6)

    def _choose(self) -> Panel:
        """Leads to the forms."""
        return player_form.link("forms", say("new_game.choose"))

    def _told(self) -> Panel:
        """How strong the level is, and how long it thinks."""
        wanted, muted = self._wanted, self.style.palette.muted
        name = say("new_game.level", level=wanted.level, name=say(f"levels.{wanted.level}"))
        found = levels.measured(wanted.level, wanted.spec)
        elo = say("new_game.elo", elo=found.elo, margin=found.margin, games=found.games) if found else ""
        known = [word for word in (elo, self._cost(levels.opponent(wanted.level, ""))) if word]
        words = "".join(f"  ·  {word}" for word in known)
        chosen = Label(name, 12, bold=True, whole=True)
        line = Row((chosen, Label(words, 12, muted, whole=True)), gap=0)
        return First((line, Column((chosen, Paragraph("  ·  ".join(known), 12, muted)), gap=4)))

    def _forms(self) -> Panel:
        """Both players, each in a form."""
        wanted, palette = self._wanted, self.style.palette
        back = player_form.link("forms", say("new_game.choose_level"))
        others = player_form.link("programs", say("programs.open"))
        head = Row((Label(say("new_game.players"), 14, bold=True, grow=1), others, back))
        rules, players = rules_of(wanted.spec), wanted.players or (None, None)
        forms = [
            player_form.player_form(
                self.style, rules, color, form, self._cost(player), has_details=self._preferences.value.details
            )
            for color, form, player in zip(Color, wanted.forms, players, strict=True)
        ]
        both = Column(forms, gap=GAP) if self.room < NARROW else Row(forms, GAP, "top")
        fault = [] if wanted.fault is None else [Paragraph(wanted.fault.sentence(), 12, palette.warning)]
        return Column((head, both, *fault))

    def _terms(self, *, is_compact: bool = False) -> Panel:
        """Side, clock and rules."""
        wanted = self._wanted
        controls: list[tuple[str, Panel]] = []
        if not wanted.has_forms:
            first, second = (wording.side(rules_of(wanted.spec), color) for color in Color)
            words = say("new_game.moves_first", side=first), second, say("new_game.random")
            sides = tuple(zip(_SIDES, words, strict=True))
            pieces = SidePainter(face_of(wanted.spec, self.style.palette), dict(sides))
            cell = Size(max(self.style.length(word, 13, True) for _, word in sides) + 46, player_form.TALL)
            side = Choice(sides, wanted.side, painter=pieces, rows=0, cell=cell, name="side")
            controls.append((say("new_game.side"), side))
        clocks = ((seconds, say("times.minutes", minutes=number(seconds / 60))) for seconds in CLOCKS[1:])
        known = ((CLOCKS[0], say("new_game.no_clock")), *clocks)
        own, is_wrong = wanted.own.get("clock"), "clock" in wanted.own and wanted.typed_clock is None
        clock = player_form.or_typed("clock", known, wanted.clock, own, is_wrong, say("new_game.minutes"))
        controls.append((say("new_game.clock"), clock))
        if wanted.clock:
            gains = tuple((gain, say("new_game.seconds", seconds=number(gain))) for gain in INCREMENTS)
            controls.append((say("new_game.increment"), player_form.one_of("increment", gains, wanted.increment)))
        rules = GAMES[wanted.game].options
        shows = wanted.has_forms or self._shows_rules or any(not option.choices for option in rules)
        controls += player_form.rule_choices(wanted) if shows else []
        if wanted.opening or (shows and has_names(rules_of(wanted.spec))):
            none, is_wrong = say("new_game.opening_none"), wanted.opening_fault is not None
            field = Field(wanted.opening, none, is_wrong=is_wrong, most=200, name="opening", height=TALL)
            controls.append((say("new_game.opening"), field))
        fault = wanted.opening_fault
        summary = [] if shows or not rules else [self._rules()]
        pairs = player_form.pairs(self.style, self.room, controls, is_compact=is_compact)
        told = [] if fault is None else [Paragraph(fault.sentence(), 12, self.style.palette.warning)]
        return Column((pairs, *told, *summary), gap=8 if is_compact else 23)

    def _rules(self) -> Panel:
        """The rules in one line where they fit there."""
        told = wording.rules_summary(self._wanted.spec)
        *lines, short = (RulesButton(words=words, name="rules", height=40) for words in (*told, ""))
        return First((*lines, Column((short, Paragraph(told[0], 12, self.style.palette.muted)), gap=10)))

    def beside(self) -> list[tuple[str, str]]:
        restore = [("restore", say("new_game.restore"))] if self._session.allows(play.RestoreGame) else []
        return [("save", say("new_game.make_usual")), *restore]

    @property
    def is_sound(self) -> bool:
        return self._wanted.is_sound

    # What happens.

    def key(self, key: Key) -> Command | None:
        """Digits pick a level."""
        if not self._wanted.has_forms and key.text and key.text in "1234567890":
            self._wanted.level = int(key.text) or levels.COUNT
        return None

    def use(self, name: str, value: Any) -> Command | None:
        self._saved = ""
        color, _, key = name.partition(".")
        match name:
            case "start":
                self.is_done = True
                return play.NewGame(self._keep(), self._wanted.spec, weighed(self._wanted.opening))
            case "restore":
                self.is_done = True
                return play.RestoreGame()
            case "save":
                self._keep()
                self._saved = self._preferences.notice or say("new_game.is_usual")
            case "clock" | "clock.own":
                self._wanted.choose_clock(value, is_typed=name != "clock")
            case "game" | "level" | "side" | "increment" | "opening":
                setattr(self._wanted, name, value)
            case "programs":
                return gui.OpenOver(ProgramsDialog(self._session, self._preferences))
            case "forms":
                self._wanted.has_forms = not self._wanted.has_forms
            case "rules":
                self._shows_rules = True
            case "swap":
                self._wanted.forms.reverse()
            case _ if color == "help":
                return gui.OpenOver(HowToPlayDialog(self._wanted.spec if key == self._wanted.game else game_spec(key)))
            case _ if color == "rules":
                self._wanted.choose_rule(key, value)
            case _:
                form = self._wanted.forms[color == "white"]
                form["player_type" if key == "type" else key] = not form.get("more") if key == "more" else value
        return None

    def update(self) -> Command | None:
        """Find out what the chosen opponent costs here."""
        analysis = self._session.analysis
        players = (self._wanted.players or ()) if self._wanted.has_forms else (levels.opponent(self._wanted.level, ""),)
        pairs = [(each, self._wanted.spec) for each in players if _is_measured(each)]
        wanted = next((pair for pair in pairs if analysis is None or pair not in analysis.trials), None)
        if analysis is None or wanted is None or wanted == self._tried:
            return None
        self._tried = wanted
        return play.Try(*wanted)

    def _cost(self, player: PlayerConfig | None) -> str:
        """How long a player thinks about a move here, empty where that is nobody or a person."""
        analysis = self._session.analysis
        if analysis is None or player is None or not _is_measured(player):
            return ""
        report = analysis.trials.get((player, self._wanted.spec))
        if report is None:
            return say("new_game.measuring")
        wanted = getattr(player, "simulation_count", None) or report.simulations
        seconds = report.seconds * (wanted / report.simulations if report.simulations else 1)
        seconds = min(seconds, player.time_limit_seconds or seconds)
        return say("new_game.cost", time=number(max(seconds, 0.01), ".1g") if seconds < 1 else f"{seconds:.0f}")

    def _keep(self) -> tuple[PlayerConfig, PlayerConfig] | None:
        """Let the next start begin with this game, and say who its players are."""
        wanted, players = self._wanted, self._wanted.players
        usual = player_form.parts_of(wanted.spec, players or (), weighed(wanted.opening))
        self._preferences.change(new_game=wanted.memory, usual=usual)
        return players


def _is_measured(player: PlayerConfig) -> bool:
    """Whether it is measured how long a player thinks; a program is not started just for that."""
    return not player.is_user and player.kind == player.player_type
