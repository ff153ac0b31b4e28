"""Small dialogs: messages, questions, the note on a position, the menu, facts about the program, a side's player."""

import sys
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import othello
from othello.errors import OthelloError
from othello.gui import actions, commands as gui, labels, ui
from othello.gui.actions import Action, Context
from othello.gui.dialogs import player_form
from othello.gui.dialogs.dialog import NARROW, Dialog
from othello.gui.dialogs.player_form import LEVEL, TALL
from othello.gui.platform.log import log_path
from othello.gui.preferences import PreferencesFile
from othello.gui.toolbar import menu_buttons
from othello.play import session_commands as cmd
from othello.play.session import Session
from othello.players.levels import COUNT
from othello.players.player_registry import advisers
from othello.resources import bundled_works, cache_folder
from othello.rules.protocol import Color
from othello.texts import tr

_USUAL_PLIES: Final = 16  # length of an opening line that is proposed
_MAX_LINES: Final = 12
_MENU_GAP: Final = 4
_MENU_HEIGHTS: Final = (28, 36)  # of an entry: the minimum if that avoids scrolling, and the usual height


class MessageDialog(Dialog):
    """Shows a text."""

    buttons: Sequence[str] = ("understood",)

    def __init__(self, title: str, text: str) -> None:
        self.title, self._text = title, text

    def content(self) -> ui.Widget:
        return ui.Paragraph(self._text, 14, max_lines=_MAX_LINES, pitch=24 / 14)


class ConfirmDialog(MessageDialog):
    """Asks for confirmation; the button `yes` issues the command.

    Args:
        title: written at the top.
        text: the question.
        yes: the label of the button.
        command: the command of the button.
        loses_data: Enter cancels, because the command discards data that cannot be restored.
    """

    def __init__(self, title: str, text: str, yes: str, command: gui.Command, *, loses_data: bool = False) -> None:
        super().__init__(title, text)
        self.buttons = ("yes", "cancel") if loses_data else ("cancel", "yes")
        self._yes, self.command = yes, command

    def button_label(self, name: str) -> str:
        return self._yes if name == "yes" else super().button_label(name)

    def on_control_changed(self, name: str, value: Any) -> gui.Command | None:
        return self.command


class SideDialog(MessageDialog):
    """Asks whose turn it is in a pasted position."""

    buttons = ("cancel", *(color.label for color in Color))

    def button_label(self, name: str) -> str:
        return super().button_label(name) if name == "cancel" else tr(f"sides.{name}")

    def on_control_changed(self, name: str, value: Any) -> gui.Command | None:
        return gui.Paste(name)


class NoteDialog(Dialog):
    """Edits the note on the shown position, and can delete the variation that leads to it."""

    buttons = ("cancel", "save")
    focus = "note"

    def __init__(self, session: Session, preferences: PreferencesFile) -> None:
        shown = session.view.shown
        self._session, self._line = session, shown
        words = shown.ply and tr("note.title", ply=shown.number, move=labels.last_move(shown))
        self.title = words or tr("note.start")
        self._text = session.history.tree.known(shown).note

    def content(self) -> ui.Widget:
        field = ui.TextField(self._text, tr("note.none"), max_length=200, accessible_name=self.title, name="note")
        return replace(field, height=36, begins_selected=False)

    def footer_buttons(self) -> list[tuple[str, str]]:
        return [("delete", tr("note.delete"))] if self._session.view.is_in_variation else []

    def on_control_changed(self, name: str, value: Any) -> gui.Command | None:
        if name == "note":
            self._text = value
            return None
        if name == "save":
            self.is_done = True
            return cmd.Annotate(self._text, self._line)
        self._session.view.delete()
        return gui.PlainCommand.CLOSE_DIALOG


class AboutDialog(Dialog):
    """Shows the version, the licences, and the files and folders that the program writes to."""

    buttons = ("done",)

    def __init__(self, session: Session, preferences: PreferencesFile) -> None:
        self.title = tr("about.title")
        settings = "–" if preferences.path is None else str(preferences.path)
        self._facts = {
            "version": othello.__version__,
            "licence": "MIT",
            "settings": settings,
            "log": str(log_path()),
            "cache": str(cache_folder()),
        }
        if works := bundled_works():
            names = ", ".join(f"{work['name']} ({work['licence']})" for work in works)
            self._facts["bundled"] = tr("works_in", works=names, folder=Path(sys.executable).with_name("licences"))

    def content(self) -> ui.Widget:
        label = partial(ui.Label, points=12, color=self.style.palette.muted)
        facts = (ui.Column((label(tr(f"about.{name}")), ui.Paragraph(fact)), 2) for name, fact in self._facts.items())
        return ui.Column((ui.Paragraph(tr("about.what"), 14), *facts), gap=14)


class MenuDialog(Dialog):
    """Lists the actions that are available on a screen, each with its key.

    Args:
        context: the context whose actions are listed.
        disabled: names of actions that have no effect at the moment.
    """

    shows_focus = True

    def __init__(self, context: Context, disabled: Collection[str]) -> None:
        self.title, self._disabled = tr("actions.menu.button"), disabled
        buttons, offered = actions.buttons(context), actions.offered(context)
        self._actions: dict[str, Action] = {name: buttons[name] for name in menu_buttons() if name in offered}

    def content(self) -> ui.Widget:
        columns = 1 if self.content_width < NARROW else 2
        rows = -(-len(self._actions) // columns)
        fitting = (self.content_height + _MENU_GAP) // rows - _MENU_GAP
        height = min(fitting, _MENU_HEIGHTS[1]) if fitting >= _MENU_HEIGHTS[0] else _MENU_HEIGHTS[1]
        entries = []
        for name, action in self._actions.items():
            label = tr("help.title") if name == "help" else actions.label(action)
            key = actions.key_text(action.keys[0]) if action.keys else ""
            entries.append(ui.MenuItem(label, name=name, right=key, height=height, enabled=name not in self._disabled))
        return ui.FocusGroup((ui.Grid(entries, columns, _MENU_GAP, grow=True),))

    def on_control_changed(self, name: str, value: Any) -> gui.Command | None:
        self.is_done = True
        return self._actions[name].command


class SideChoiceDialog(Dialog):
    """Base of the dialogs that ask for a side of the session's game."""

    def __init__(self, session: Session, color: Color) -> None:
        self._session, self._color = session, color

    def side_choice(self, label: str) -> ui.Widget:
        """Return the control for the side, below its label."""
        sides = tuple((color, labels.side(self._session.game.rules, color)) for color in Color)
        choice = ui.SegmentedControl(sides, self._color, name="side", height=TALL)
        return player_form.labelled(self.style, label, choice)


class LearnDialog(SideChoiceDialog):
    """Adds the moves up to the shown position to the repertoire of a side."""

    buttons = ("cancel", "learn")

    def __init__(self, session: Session, preferences: PreferencesFile) -> None:
        people = (color for color in Color if session.players[color].is_user)
        super().__init__(session, next(people, Color.BLACK))
        self.title = tr("actions.learn.button")
        self._line = session.view.shown
        self._plies = min(self._line.ply, _USUAL_PLIES)

    def content(self) -> ui.Widget:
        if not self._line.ply:
            return ui.Paragraph(tr("repertoire.no_moves"), 14)
        line = self._line.at(self._plies)
        heading = ui.Label(labels.line_name(line), 16, bold=True)
        moves = ui.Paragraph(labels.moves(line), 14)
        parts = [heading, moves, self.side_choice(tr("repertoire.side"))]
        if self._line.ply > 1:
            lengths = ui.Slider(range(1, self._line.ply + 1), self._plies, name="length")
            parts.append(player_form.labelled(self.style, tr("repertoire.length"), lengths))
        return ui.Column(parts, gap=14)

    @property
    def is_valid(self) -> bool:
        return self._line.ply > 0

    def on_control_changed(self, name: str, value: Any) -> gui.Command | None:
        match name:
            case "side":
                self._color = value
            case "length":
                self._plies = value
            case _:
                return gui.Learn(self._line.at(self._plies), self._color)
        return None


class HandOverDialog(SideChoiceDialog):
    """Hands a side over to another player: a level, a built-in player or a registered program."""

    buttons = ("cancel", "hand_over")

    def __init__(self, session: Session, preferences: PreferencesFile) -> None:
        super().__init__(session, session.side_that_may_resign or session.game.to_move)
        self.title = tr("actions.hand_to.button")
        self._kinds = [f"{LEVEL}{number}" for number in range(1, COUNT + 1)] + advisers(session.game.rules.spec)
        self._kind = self._kinds[0]

    def content(self) -> ui.Widget:
        label = tr("new_game.player")
        kinds = tuple((kind, player_form.own_name({"player_type": kind})) for kind in self._kinds)
        player = player_form.labelled(self.style, label, ui.Select(kinds, self._kind, label, name="player"))
        return ui.Column((self.side_choice(tr("hand_over.side")), player, *self.warning(self.fault)), gap=14)

    def on_control_changed(self, name: str, value: Any) -> gui.Command | None:
        match name:
            case "side":
                self._color = value
            case "player":
                self._kind = value
            case _:
                return self._hand_over()
        return None

    def _hand_over(self) -> gui.Command | None:
        """Replace the side's player and keep the clock of the side."""
        old = self._session.next_players[self._color]
        form = {"player_type": self._kind, "name": "", "time_limit_seconds": ""}
        try:
            player = player_form.players_of([form], self._session.game.rules.spec)[0]
        except OthelloError as error:
            self.fault = error.reason.sentence()
            return None
        player = replace(player, clock_seconds=old.clock_seconds, increment_seconds=old.increment_seconds)
        return cmd.HandOver(self._color, player)
