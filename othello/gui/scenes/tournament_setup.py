"""The dialog before a tournament: who plays, by which rules, how often; or which results file is gone on with."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from pygame import Rect

from othello.config import FREE_LENGTH_FORMATS, TournamentConfig
from othello.errors import OthelloError
from othello.gui import commands as gui
from othello.gui import theme, wording
from othello.gui.choices import Choice, Select
from othello.gui.commands import Command
from othello.gui.controls import Button, Field
from othello.gui.dialog import Dialog
from othello.gui.preferences import PreferencesFile
from othello.gui.scenes.cells import GAP, NARROW, Cell, flow, rule_cells
from othello.gui.scenes.notices import answers, spill
from othello.gui.scenes.player_forms import own_name, save, seconds_of, type_words
from othello.gui.scenes.player_options import fill_options, further_options, main_options, slider
from othello.gui.sheet import Page
from othello.gui.theme import Style
from othello.gui.tournament.plan import LEVEL, MOST_PLAYERS, kept_results, plan_for, resumed
from othello.gui.views.files import Row
from othello.play.session import Session
from othello.players import levels
from othello.players.registry import PLAYERS
from othello.resources import default_config
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.schema import options_of
from othello.texts import say
from othello.tournament.schedule import most_games

_ROUNDS: Final = (1, 2, 3, 5, 10, 20, 50, 100)
_GAMES_PER_PAIR: Final = (1, 2, 4, 6, 10, 20, 50, 100)
_OPENINGS: Final = (0, 2, 4, 6, 8, 10, 12)
_ROW: Final = 40


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
        """Why it cannot be played like this, empty where it can."""
        try:
            self._plan.config()
        except OthelloError as error:
            return error.reason.sentence()
        return ""

    def note(self) -> str:
        return self._said

    # What is in it.

    def fill(self, page: Page) -> None:
        y = 0.0
        if self._kept:
            tabs = (("new", say("setup.new")), ("kept", say("setup.kept")))
            page.add(Choice("tab", page.rect(0, 0, min(page.width, 480), 40), tabs, self._tab))
            y = 56.0
        if self._tab == "kept":
            self._fill_kept(page, y)
            return
        games = tuple((name, wording.title(rules_of(game_spec(name)))) for name in GAMES)
        page.add(Choice("game", page.rect(0, y, page.width, 40), games, self._plan.game))
        y = self._fill_players(page, y + 64)
        fault = self._fault
        if fault:
            y = page.paragraph(fault, 0, y + 8, color=theme.WARNING)
        y = flow(page, y + 16, [*self._cells(), *rule_cells(self._plan.spec)])
        if not fault:
            most = say("setup.at_most", n=most_games(self._plan.config()))
            page.text(most, 0, y - 8, size=12, color=theme.MUTED)
        spill(page, *self._answers(), self._disabled)

    def _fill_kept(self, page: Page, y: float) -> None:
        """The results files that can be gone on with."""
        for index, path in enumerate(self._kept):
            rect = page.rect(0, y, page.width, _ROW - 4)
            with path.open("rb") as file:
                games = sum(1 for _ in file)
            page.add(Row(f"kept:{index}", rect, path.name, right=say("hall.games", n=games)))
            y += _ROW

    def _fill_players(self, page: Page, y: float) -> float:
        """A line for each player, two where there is little room."""
        plan = self._plan
        page.text(say("new_game.players"), 0, y, size=14, bold=True)
        link = page.style.width(say("setup.add"), 13) / page.style.scale + 4
        if len(plan.forms) < MOST_PLAYERS:
            page.add(Button("add", page.rect(page.width - link, y - 14, link, 28), say("setup.add"), "link"))
        y += 20
        for index, form in enumerate(plan.forms):
            y = self._fill_player(page, y, index, form)
        return y

    def _fill_player(self, page: Page, y: float, index: int, form: Mapping[str, Any]) -> float:
        name, kind = f"player{index}", form["player_type"]
        is_narrow = page.width < NARROW
        remove = say("setup.remove")
        end = page.style.width(remove, 13) / page.style.scale + 4
        room = page.width - end - 12
        first, second = ((room - 8) * 0.64, (room - 8) * 0.36) if is_narrow else (236.0, 148.0)
        rect = partial(page.rect, height=32)
        page.add(Select(f"{name}.player_type", rect(0, y, first), _kinds(), kind))
        usual = say(f"levels.{kind.removeprefix(LEVEL)}") if kind.startswith(LEVEL) else own_name(form)
        page.add(Field(f"{name}.name", rect(first + 8, y, second), form["name"], usual))
        if len(self._plan.forms) > 2:
            page.add(Button(f"{name}.remove", rect(page.width - end, y, end), remove, "link"))
        if kind.startswith(LEVEL):
            return y + _ROW
        more = 36.0
        x, y = (0.0, y + _ROW) if is_narrow else (first + second + 16, y)
        limit = 92.0
        room -= x + limit + more + 16
        main = main_options(kind)[:1]
        for option in main:
            page.add(slider(page, name, option, (x, y), room, form))
        seconds = form["time_limit_seconds"]
        is_wrong = seconds_of(seconds) is False
        place = rect(x + room + 8, y, limit)
        page.add(Field(f"{name}.time_limit_seconds", place, seconds, say("new_game.no_limit"), True, is_wrong))
        is_open = form.get("more", False)
        page.add(Button(f"{name}.more", rect(x + room + limit + 16, y, more), "–" if is_open else "…"))
        y += _ROW
        if not is_open:
            return y
        options = further_options(kind, main)
        half = -(-len(options) // (1 if is_narrow else 2))
        column = page.width if is_narrow else (page.width - GAP) / 2
        left = fill_options(page, name, options[:half], (0, y), column, form)
        fill_options(page, name, options[half:], (column + GAP, y), column, form)
        return left + 8

    def _cells(self) -> list[Cell]:
        """How often they play, and where the results go."""
        plan = self._plan
        formats = options_of(TournamentConfig)["format"].choices
        cells = [_select("format", tuple((each, say(f"formats.{each}")) for each in formats), plan.format)]
        if plan.format in FREE_LENGTH_FORMATS:
            cells.append(_select("games_per_pair", _numbers(_GAMES_PER_PAIR), plan.games_per_pair))
        openings = tuple((plies, say("setup.random_plies" if plies else "setup.start", n=plies)) for plies in _OPENINGS)
        cores = os.cpu_count() or 1
        processes = ((0, say("setup.all_cores", n=cores)), *_numbers(tuple(range(1, cores + 1))))
        path = "" if plan.path is None else str(plan.path.parent)
        return [
            *cells,
            _select("rounds", _numbers(_ROUNDS), plan.rounds),
            _select("opening_plies", openings, plan.opening_plies),
            _select("processes", processes, plan.processes),
            Cell(
                say("setup.results", folder=path) if path else say("setup.no_results"),
                lambda rect, _: Field("results", rect, plan.results, say("setup.nowhere")),
                is_wide=True,
            ),
        ]

    def fill_foot(self, page: Page) -> None:
        answers(page, *self._answers(), self._disabled)

    def _answers(self) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
        """Names and words of the buttons that end the dialog, and of the one that keeps what was set up."""
        keep = [("save", say("new_game.save", file=default_config().name))] if self._tab == "new" else []
        return [("cancel", say("new_game.cancel")), ("start", say("new_game.start"))], keep

    @property
    def _disabled(self) -> tuple[str, ...]:
        return () if self._tab == "new" and not self._fault else ("save", "start")

    # What happens.

    def use(self, name: str, value: Any) -> Command | None:
        self._said = ""
        begin, _, key = name.partition(".")
        plan = self._plan
        match name:
            case "start":
                return self._start()
            case "cancel":
                return gui.CloseDialog()
            case "save":
                self._save()
            case "tab":
                self._tab = value
            case "add":
                level = min(len(plan.forms) + 2, levels.COUNT)
                plan.forms.append({**plan.forms[-1], "player_type": f"{LEVEL}{level}", "name": ""})
            case _ if begin.startswith("kept:"):
                return self._go_on(int(name.partition(":")[2]))
            case _ if begin.startswith("player"):
                self._change(int(begin.removeprefix("player")), key, value)
            case _ if begin == "rules":
                plan.choose_rule(key, value)
            case _:
                setattr(plan, name, value)
        return None

    def _change(self, index: int, key: str, value: Any) -> None:
        """Change a player, or take it away."""
        if key == "remove":
            del self._plan.forms[index]
            return
        form = self._plan.forms[index]
        form[key] = not form.get("more") if key == "more" else value

    def _start(self) -> Command | None:
        try:
            config = self._plan.config()
            self._plan.write()
        except OthelloError as error:
            self._said = error.reason.sentence()
            return None
        return gui.StartTournament(config)

    def _go_on(self, index: int) -> Command | None:
        try:
            return gui.StartTournament(resumed(self._kept[index]))
        except OthelloError as error:
            self._said = error.reason.sentence()
            return None

    def _save(self) -> None:
        path = default_config()
        try:
            save(path, self._plan.parts())
            self._said = say("new_game.saved", file=str(path))
        except OthelloError as error:
            self._said = error.reason.sentence()


def _kinds() -> tuple[tuple[str, str], ...]:
    """Everybody who can play: the levels first."""
    ranks = range(1, levels.COUNT + 1)
    named = ((f"{LEVEL}{level}", say("new_game.level", level=level, name=say(f"levels.{level}"))) for level in ranks)
    return (*named, *((kind, type_words(kind)) for kind in PLAYERS))


def _numbers(values: tuple[int, ...]) -> tuple[tuple[int, str], ...]:
    return tuple((value, str(value)) for value in values)


def _select(name: str, options: tuple[tuple[Any, str], ...], value: Any) -> Cell:
    return Cell(say(f"setup.labels.{name}"), lambda rect, _: Select(name, rect, options, value))
