"""The dialog before a tournament: who plays, by which rules, how often, or which results file is gone on with."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from pygame import Rect

from othello.config import FREE_LENGTH_FORMATS, TournamentConfig
from othello.errors import OthelloError
from othello.gui import commands as gui
from othello.gui.commands import Command
from othello.gui.dialogs.dialog import Dialog, Foot, answers
from othello.gui.dialogs.game_choice import GAP, HEIGHT, NARROW, games, labelled, one_of, pairs, rule_choices
from othello.gui.dialogs.player_form import kinds, link, own_name, save, time_limit
from othello.gui.dialogs.player_options import further_options, main_options, option_rows, slider
from othello.gui.dialogs.tournament_plan import LEVEL, MOST_PLAYERS, kept_results, plan_for, resumed
from othello.gui.preferences import PreferencesFile
from othello.gui.toolkit.button import Button, Entry
from othello.gui.toolkit.field import Field
from othello.gui.toolkit.layout import Column, Row, Space
from othello.gui.toolkit.panel import Panel
from othello.gui.toolkit.style import Style
from othello.gui.toolkit.switches import Choice, Select
from othello.gui.toolkit.words import Label, Paragraph
from othello.play.session import Session
from othello.players import levels
from othello.resources import default_config
from othello.schema import Option, options_of
from othello.texts import say
from othello.tournament.schedule import most_games

_ROUNDS: Final = (1, 2, 3, 5, 10, 20, 50, 100)
_GAMES_PER_PAIR: Final = (1, 2, 4, 6, 10, 20, 50, 100)
_OPENINGS: Final = (0, 2, 4, 6, 8, 10, 12)


class TournamentDialog(Dialog):
    """Sets a tournament up, or picks one to go on with.

    Args:
        session: whose game it begins with.
    """

    primary = "start"

    def __init__(self, session: Session, preferences: PreferencesFile, style: Style, window: Rect) -> None:
        self.title = say("setup.title")
        self._plan = plan_for(session.game.rules.spec)
        self._kept = kept_results()
        self._tab = "new"
        self._said = ""
        super().__init__(style, window)

    @property
    def _fault(self) -> str:
        """Why the tournament cannot be played like this; empty where it can."""
        try:
            self._plan.config()
        except OthelloError as error:
            return error.reason.sentence()
        return ""

    def note(self) -> str:
        return self._said

    # What is in it.

    def page(self) -> Panel:
        parts: list[Panel] = []
        if self._kept:
            tabs = (("new", say("setup.new")), ("kept", say("setup.kept")))
            choice = Choice(tabs, self._tab, name="tab", height=HEIGHT, width=min(self.room, 480))
            parts.append(Row((choice, Space(grow=1)), gap=0))
        parts += [self._results()] if self._tab == "kept" else self._new()
        return Column(parts, gap=16)

    def _results(self) -> Panel:
        """The results files that can be gone on with."""
        rows = []
        for index, path in enumerate(self._kept):
            with path.open("rb") as file:
                games = sum(1 for _ in file)
            rows.append(Entry(path.name, name=f"kept:{index}", right=say("hall.games", n=games), height=36))
        return Column(rows, gap=4)

    def _new(self) -> list[Panel]:
        """Another tournament: the game, the players, how often they play, by which rules."""
        plan, style, room = self._plan, self.style, self.room
        head: list[Panel] = [Label(say("new_game.players"), 14, bold=True, height=28, grow=1)]
        head += [link("add", say("setup.add"))] if len(plan.forms) < MOST_PLAYERS else []
        fault = self._fault
        if fault:
            told: Panel = Paragraph(fault, 12, style.palette.warning)
        else:
            told = Label(say("setup.at_most", n=most_games(plan.config())), 12, style.palette.muted)
        path = "" if plan.path is None else str(plan.path.parent)
        where = say("setup.results", folder=path) if path else say("setup.no_results")
        results = Field(plan.results, say("setup.nowhere"), name="results", height=HEIGHT)
        terms = [pairs(style, room, self._lengths()), labelled(style, where, results)]
        rules = rule_choices(plan.spec)
        terms += [pairs(style, room, rules)] if rules else []
        players = (self._player(index, form) for index, form in enumerate(plan.forms))
        return [
            one_of("game", games(), plan.game),
            Column((Row(head), *players, *([told] if fault else []))),
            Column(terms, gap=11),
            *([] if fault else [told]),
        ]

    def _player(self, index: int, form: Mapping[str, Any]) -> Panel:
        """A line for a player, two where there is little room."""
        name, kind, is_narrow = f"player{index}", form["player_type"], self.room < NARROW
        is_level = kind.startswith(LEVEL)
        usual = say(f"levels.{kind.removeprefix(LEVEL)}") if is_level else own_name(form)
        who: list[Panel] = [Select(_kinds(), kind, name=f"{name}.player_type", width=236)]
        who.append(Field(form["name"], usual, name=f"{name}.name", width=148))
        if is_narrow:
            who = [replace(who[0], width=None, grow=0.64), replace(who[1], width=None, grow=0.36)]
        gap = Space(width=self.style.length(say("setup.remove"), 13))
        end = link(f"{name}.remove", say("setup.remove")) if len(self._plan.forms) > 2 else gap
        if is_level:
            return Row((*who, *([] if is_narrow else [Space(grow=1)]), end))
        main, is_open = main_options(kind)[:1], form.get("more", False)
        how = [
            *([slider(name, option, form) for option in main] or [Space(grow=1)]),
            time_limit(name, form, 92),
            Button("–" if is_open else "…", name=f"{name}.more", width=36),
        ]
        lines = [Row((*who, end)), Row((*how, gap))] if is_narrow else [Row((*who, *how, end))]
        options = [self._options(name, further_options(kind, main), form), Space()] if is_open else []
        return Column((*lines, *options))

    def _options(self, name: str, options: list[Option], form: Mapping[str, Any]) -> Panel:
        """The other options of a player, on two columns where there is room."""
        muted, half = self.style.palette.muted, -(-len(options) // 2)
        if self.room < NARROW:
            return option_rows(name, options, form, muted)
        return Row([option_rows(name, part, form, muted) for part in (options[:half], options[half:])], GAP, "top")

    def _lengths(self) -> list[tuple[str, Panel]]:
        """How often they play, and how."""
        plan, cores = self._plan, os.cpu_count() or 1
        formats = options_of(TournamentConfig)["format"].choices
        openings = tuple((plies, say("setup.random_plies" if plies else "setup.start", n=plies)) for plies in _OPENINGS)
        processes = ((0, say("setup.all_cores", n=cores)), *_numbers(tuple(range(1, cores + 1))))
        offered: dict[str, tuple[tuple[Any, str], ...]] = {
            "format": tuple((each, say(f"formats.{each}")) for each in formats),
            "games_per_pair": _numbers(_GAMES_PER_PAIR) if plan.format in FREE_LENGTH_FORMATS else (),
            "rounds": _numbers(_ROUNDS),
            "opening_plies": openings,
            "processes": processes,
        }
        return [
            (say(f"setup.labels.{name}"), Select(options, getattr(plan, name), name=name, height=HEIGHT))
            for name, options in offered.items()
            if options
        ]

    def foot(self) -> Foot:
        buttons = [("cancel", say("new_game.cancel")), ("start", say("new_game.start"))]
        keep = [("save", say("new_game.save", file=default_config().name))] if self._tab == "new" else []
        disabled = () if self._tab == "new" and not self._fault else ("save", "start")
        return answers(self.style, self.room, buttons, keep, disabled)

    # What happens.

    def use(self, name: str, value: Any) -> Command | None:
        self._said = ""
        try:
            return self._take(name, value)
        except OthelloError as error:
            self._said = error.reason.sentence()
            return None

    def _take(self, name: str, value: Any) -> Command | None:
        """Take the value of a control.

        Raises:
            OthelloError: what was asked for cannot be done.
        """
        plan = self._plan
        begin, _, key = name.partition(".")
        match name:
            case "start":
                config = plan.config()
                plan.write()
                return gui.StartTournament(config)
            case "cancel":
                return gui.CloseDialog()
            case "save":
                path = default_config()
                save(path, plan.parts())
                self._said = say("new_game.saved", file=str(path))
            case "tab":
                self._tab = value
            case "add":
                level = min(len(plan.forms) + 2, levels.COUNT)
                plan.forms.append({**plan.forms[-1], "player_type": f"{LEVEL}{level}", "name": ""})
            case _ if begin.startswith("kept:"):
                return gui.StartTournament(resumed(self._kept[int(name.removeprefix("kept:"))]))
            case _ if begin.startswith("player"):
                self._change(int(begin.removeprefix("player")), key, value)
            case _ if begin == "rules":
                plan.choose_rule(key, value)
            case _:
                setattr(plan, name, value)
        return None

    def _change(self, index: int, key: str, value: Any) -> None:
        """Change a player, or take the player away."""
        if key == "remove":
            del self._plan.forms[index]
            return
        form = self._plan.forms[index]
        form[key] = not form.get("more") if key == "more" else value


def _kinds() -> tuple[tuple[str, str], ...]:
    """Everybody who can play: the levels first."""
    ranks = range(1, levels.COUNT + 1)
    named = ((f"{LEVEL}{level}", say("new_game.level", level=level, name=say(f"levels.{level}"))) for level in ranks)
    return (*named, *kinds())


def _numbers(values: tuple[int, ...]) -> tuple[tuple[int, str], ...]:
    return tuple((value, str(value)) for value in values)
