"""Dialogs that ask for a side: to learn its moves, or to hand it over to another player."""

from dataclasses import replace
from typing import Any

from othello.errors import OthelloError
from othello.gui import commands as gui
from othello.gui import labels, ui
from othello.gui.dialogs import player_form
from othello.gui.dialogs.dialog import Dialog
from othello.gui.dialogs.player_form import LEVEL, TALL
from othello.gui.preferences import PreferencesFile
from othello.play import session_commands as cmd
from othello.play.session import Session
from othello.players.levels import COUNT
from othello.players.player_registry import advisers
from othello.rules.protocol import Color
from othello.texts import tr

_USUAL_PLIES = 16  # length of an opening line that is proposed


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
        people = [color for color in Color if session.players[color].is_user]
        super().__init__(session, people[0] if len(people) == 1 else Color.BLACK)
        self.title = tr("actions.learn.button")
        self._line = session.view.shown
        self._plies = min(self._line.ply, _USUAL_PLIES)

    def content(self) -> ui.Widget:
        if not self._line.ply:
            return ui.Paragraph(tr("repertoire.no_moves"), 14, max_lines=4)
        line = self._line.at(self._plies)
        parts = [
            ui.Label(labels.line_name(line), 16, bold=True),
            ui.Paragraph(labels.moves(line), 14, max_lines=6),
            self.side_choice(tr("repertoire.side")),
        ]
        if self._line.ply > 1:
            lengths = ui.Slider(range(1, self._line.ply + 1), self._plies, name="length")
            parts.append(player_form.labelled(self.style, tr("repertoire.length"), lengths))
        return ui.Column(parts, gap=14)

    @property
    def is_valid(self) -> bool:
        return self._line.ply > 0

    def button_label(self, name: str) -> str:
        return tr("repertoire.learn") if name == "learn" else super().button_label(name)

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
        self.title, self._fault = tr("actions.hand_to.button"), ""
        self._kinds = [f"{LEVEL}{number}" for number in range(1, COUNT + 1)] + advisers(session.game.rules.spec)
        self._kind = self._kinds[0]

    def content(self) -> ui.Widget:
        label = tr("new_game.player")
        kinds = tuple((kind, player_form.own_name({"player_type": kind})) for kind in self._kinds)
        player = player_form.labelled(self.style, label, ui.Select(kinds, self._kind, label, name="player"))
        return ui.Column((self.side_choice(tr("hand_over.side")), player, *self.warning(self._fault)), gap=14)

    def button_label(self, name: str) -> str:
        return tr("hand_over.yes") if name == "hand_over" else super().button_label(name)

    def on_control_changed(self, name: str, value: Any) -> gui.Command | None:
        match name:
            case "side":
                self._color = value
            case "player":
                self._kind, self._fault = value, ""
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
            self._fault = error.reason.sentence()
            return None
        self.is_done = True
        player = replace(player, clock_seconds=old.clock_seconds, increment_seconds=old.increment_seconds)
        return cmd.HandOver(self._color, player)
