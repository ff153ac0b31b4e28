"""Every mode and every dialog of the window by name: a further mode is a folder and a line here."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygame import Rect

    from othello.gui.dialogs.dialog import Dialog
    from othello.gui.mode import Mode
    from othello.gui.preferences import PreferencesFile
    from othello.gui.toolkit.style import Style
    from othello.play.session import Session


@cache
def modes() -> Mapping[str, type[Mode]]:
    """The modes, those beside playing imported when they are first asked for: the window opens without them."""
    from othello.gui.analyse.analyse import AnalyseMode
    from othello.gui.editor.editor import EditMode
    from othello.gui.play.playing import PlayMode
    from othello.gui.review.review import ReviewMode
    from othello.gui.train.train import TrainMode

    return {mode.name: mode for mode in (PlayMode, AnalyseMode, ReviewMode, TrainMode, EditMode)}


def dialog(name: str, session: Session, preferences: PreferencesFile, style: Style, window: Rect) -> Dialog | None:
    """A dialog that needs no more than these arguments, by its name; None where there is none of that name."""
    wanted = (session, preferences, style, window)
    match name:
        case "new_game":
            from othello.gui.dialogs import new_game

            return new_game.NewGameDialog(*wanted)
        case "note":
            from othello.gui.dialogs import note

            return note.NoteDialog(*wanted)
        case "settings":
            from othello.gui.dialogs import settings

            return settings.SettingsDialog(*wanted)
        case "about":
            from othello.gui.dialogs import about

            return about.AboutDialog(*wanted)
        case "tournament":
            from othello.gui.dialogs import tournament_setup

            return tournament_setup.TournamentDialog(*wanted)
    return None
