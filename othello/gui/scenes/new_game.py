"""The dialog before a game: which game, against whom, on which side, with which clock, by which rules."""

from __future__ import annotations

from typing import Any, Final

from pygame import Rect

from othello.config import PlayerConfig
from othello.errors import OthelloError
from othello.gui import commands as gui
from othello.gui import theme, wording
from othello.gui.choices import Choice
from othello.gui.commands import Command
from othello.gui.controls import Button
from othello.gui.dialog import Dialog
from othello.gui.preferences import PreferencesFile
from othello.gui.scenes.cells import GAP, NARROW, choice, flow, rule_cells
from othello.gui.scenes.notices import answers, spill
from othello.gui.scenes.player_forms import fill_form, parts_of, save
from othello.gui.scenes.wanted_game import CLOCKS, INCREMENTS, RANDOM, WantedGame
from othello.gui.sheet import Page
from othello.gui.theme import Style
from othello.gui.views import new_game as view
from othello.play import commands as play
from othello.play.session import Session
from othello.players import levels
from othello.resources import default_config
from othello.rules.protocol import Color
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.texts import say

_WIDE: Final = 780
"""A page of fewer design pixels has no room for large boards beside each other."""
_SMALL_BOARD: Final = 104  # what a small one takes, with the check of the chosen one


class NewGameDialog(Dialog):
    """Two clicks for a beginner, and everything for who wants it.

    Args:
        session: what is told to begin.
        preferences: where the last choice is kept.
    """

    primary = "start"

    def __init__(self, session: Session, preferences: PreferencesFile, style: Style, window: Rect) -> None:
        self.title = say("new_game.title")
        self._session, self._preferences = session, preferences
        self._saved = self._not_saved = ""
        self._tried: object = None
        self._costs = 0
        self._wanted = WantedGame.remembered(preferences.value.new_game, session)
        self._shows_rules = False
        super().__init__(style, window)

    # What is in it.

    def note(self) -> str:
        return self._saved

    def fill(self, page: Page) -> None:
        y = page.paragraph(self._not_saved, 0, 10, size=13, color=theme.WARNING) if self._not_saved else 0.0
        y = self._fill_games(page, y) + 28
        y = self._fill_forms(page, y) if self._wanted.has_forms else self._fill_levels(page, y)
        self._fill_rules(page, y)
        spill(page, *self._answers(), self._disabled)

    def _fill_games(self, page: Page, y: float) -> float:
        """The games, each with a board; small ones where something else needs the room."""
        games = tuple((name, wording.title(rules_of(game_spec(name)))) for name in GAMES)
        is_small = self._wanted.has_forms or self._shows_rules or page.width < _WIDE
        widest = max(page.width_of(title, 14, bold=True) for _, title in games) + _SMALL_BOARD
        columns = max(1, min(len(games), int(page.width / (widest + GAP)))) if is_small else len(games)
        rows = -(-len(games) // columns)
        height = 56 * rows + GAP * (rows - 1) if is_small else 168
        painter = view.draw_small_game if is_small else view.draw_game
        rect = page.rect(0, y, page.width, height)
        page.add(Choice("game", rect, games, self._wanted.game, page.style.px(GAP), painter, rows))
        return y + height

    def _fill_levels(self, page: Page, y: float) -> float:
        width = page.width
        page.text(say("new_game.opponent"), 0, y, size=14, bold=True)
        note_x = page.style.width(say("new_game.opponent"), 14, bold=True) / page.style.scale + 14
        link = page.style.width(say("new_game.choose"), 13) / page.style.scale + 4
        page.add(Button("forms", page.rect(width - link, y - 14, link, 28), say("new_game.choose"), "link"))
        if note_x + page.width_of(say("new_game.levels"), 12) + link + 8 <= width:
            page.text(say("new_game.levels"), note_x, y, size=12, color=theme.MUTED)
        options = tuple((level, say(f"levels.{level}")) for level in range(1, levels.COUNT + 1))
        widest = max(page.width_of(name, 12) for _, name in options)
        rows = -(-len(options) // min(len(options), int(width / widest)))
        painter = view.LevelPainter(self._wanted.level, self._wanted.spec)
        rect = page.rect(0, y + 20, width, 112 * rows)
        page.add(Choice("level", rect, options, self._wanted.level, painter=painter, rows=rows))
        y += 20 + 112 * rows + 20
        title = say("new_game.level", level=self._wanted.level, name=say(f"levels.{self._wanted.level}"))
        page.text(title, 0, y, size=12, bold=True)
        x = page.width_of(title, 12, bold=True)
        words = [*view.strength(self._wanted.level, self._wanted.spec), self._cost(self._wanted.opponent)]
        text = "  ·  ".join(word for word in words if word)
        if page.width_of(f"  ·  {text}", 12) <= width - x:
            page.text(f"  ·  {text}" if text else "", x, y, size=12, color=theme.MUTED)
            return y + 40
        return page.paragraph(text, 0, y + 20, color=theme.MUTED) + 20

    def _fill_forms(self, page: Page, y: float) -> float:
        link = page.style.width(say("new_game.choose_level"), 13) / page.style.scale + 4
        page.text(say("new_game.players"), 0, y, size=14, bold=True)
        page.add(Button("forms", page.rect(page.width - link, y - 14, link, 28), say("new_game.choose_level"), "link"))
        y += 16
        is_narrow = page.width < NARROW
        width = page.width if is_narrow else (page.width - 16) / 2
        bottom = y
        players = self._wanted.players or (None, None)
        for color, form, player in zip(Color, self._wanted.forms, players, strict=True):
            x = 0 if is_narrow or color is Color.BLACK else width + 16
            top = bottom + 8 if is_narrow and color is Color.WHITE else y
            bottom = max(
                bottom, fill_form(page, rules_of(self._wanted.spec), (x, top), width, color, form, self._cost(player))
            )
        fault = self._wanted.fault
        if fault is not None:
            bottom = page.paragraph(fault.sentence(), 0, bottom + 14, color=theme.WARNING)
        return bottom + 28

    def _fill_rules(self, page: Page, y: float) -> None:
        wanted = self._wanted
        cells = [] if wanted.has_forms else [choice("side", say("new_game.side"), self._sides(), wanted.side)]
        clocks = tuple((seconds, view.clock(seconds)) for seconds in CLOCKS)
        cells.append(choice("clock", say("new_game.clock"), clocks, wanted.clock))
        if wanted.clock:
            gains = tuple((gain, say("new_game.seconds", seconds=f"{gain:g}")) for gain in INCREMENTS)
            cells.append(choice("increment", say("new_game.increment"), gains, wanted.increment))
        rules = GAMES[wanted.game].options
        shows = wanted.has_forms or self._shows_rules or any(option.kind is int for option in rules)
        y = flow(page, y, cells + (rule_cells(wanted.spec) if shows else []))
        if not shows and rules:
            self._fill_summary(page, y + 4)

    def _fill_summary(self, page: Page, y: float) -> None:
        """The rules in words, and a way to change them."""
        words, title, change = wording.rules_summary(self._wanted.spec), say("new_game.rules"), say("new_game.change")
        left, right = 40 + page.width_of(title, bold=True), 32 + page.width_of(change)
        page.add(Button("rules", page.rect(0, y, page.width, 40), "", "outline"))
        page.text(title, 24, y + 20, bold=True)
        page.text(change, page.width - 16, y + 20, color=theme.ACCENT, anchor="midright")
        if left + page.width_of(words, 12) + right <= page.width:
            page.text(words, left, y + 20, size=12, color=theme.MUTED)
        else:
            page.paragraph(words, 0, y + 60, color=theme.MUTED)

    def _sides(self) -> tuple[tuple[str, str], ...]:
        rules = rules_of(self._wanted.spec)
        first = say("new_game.moves_first", side=wording.side(rules, Color.BLACK))
        return ("black", first), ("white", wording.side(rules, Color.WHITE)), (RANDOM, say("new_game.random"))

    def fill_foot(self, page: Page) -> None:
        answers(page, *self._answers(), self._disabled)

    def _answers(self) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
        """Names and words of the buttons that end the dialog, and of those that keep or bring back something."""
        keep = [("save", say("new_game.save", file=default_config().name))]
        if self._session.allows(play.RestoreGame):
            keep.append(("restore", say("new_game.restore")))
        return [("cancel", say("new_game.cancel")), ("start", say("new_game.start"))], keep

    @property
    def _disabled(self) -> tuple[str, ...]:
        return () if self._wanted.players is not None else ("save", "start")

    # What happens.

    def key(self, name: str, text: str) -> Command | None:
        """Digits pick a level."""
        if not self._wanted.has_forms and text and text in "1234567890":
            self._wanted.level = int(text) or levels.COUNT
            self.rewrite()
        return None

    def use(self, name: str, value: Any) -> Command | None:
        self._saved = self._not_saved = ""
        color, _, key = name.partition(".")
        match name:
            case "start":
                self._preferences.change(new_game=self._wanted.memory)
                return play.NewGame(self._wanted.players, self._wanted.spec)
            case "restore":
                return play.RestoreGame()
            case "cancel":
                return gui.CloseDialog()
            case "save":
                self._save()
            case "clock":
                self._wanted.choose_clock(value)
            case "game" | "level" | "side" | "increment":
                setattr(self._wanted, name, value)
            case "forms":
                self._wanted.has_forms = not self._wanted.has_forms
            case "rules":
                self._shows_rules = True
            case "swap":
                self._wanted.forms.reverse()
            case _ if color == "rules":
                self._wanted.choose_rule(key, value)
            case _:
                form = self._wanted.forms[color == "white"]
                form["player_type" if key == "type" else key] = not form.get("more") if key == "more" else value
        return None

    def update(self) -> Command | None:
        """Find out what the chosen opponent costs here."""
        analysis = self._session.analysis
        if analysis is None:
            return None
        if len(analysis.trials) != self._costs:
            self._costs = len(analysis.trials)
            self.version += 1
            self.rewrite()
        spec = self._wanted.spec
        players = (self._wanted.players or ()) if self._wanted.has_forms else (self._wanted.opponent,)
        untried = ((each, spec) for each in players if not each.is_user and (each, spec) not in analysis.trials)
        wanted = next(untried, None)
        if wanted is None or wanted == self._tried:
            return None
        self._tried = wanted
        return play.Try(*wanted)

    def _cost(self, player: PlayerConfig | None) -> str:
        """How long a player thinks about a move here, empty where that is nobody or a person."""
        analysis = self._session.analysis
        if analysis is None or player is None or player.is_user:
            return ""
        return view.cost(player, analysis.trials.get((player, self._wanted.spec)))

    def _save(self) -> None:
        """Write game, rules and players to the config file; whatever else is in it stays."""
        path, players = default_config(), self._wanted.players
        if players is not None:
            try:
                save(path, {"game_type": "match", **parts_of(self._wanted.spec, players)})
                self._saved = say("new_game.saved", file=str(path))
            except OthelloError as error:
                self._not_saved = error.reason.sentence()
                self.to_top()
