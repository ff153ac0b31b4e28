"""Every mode of the window by name: a further mode is a folder and a line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from pygame import Rect

    from othello.gui.dialogs.dialog import Dialog
    from othello.gui.mode import Mode
    from othello.gui.preferences import PreferencesFile
    from othello.gui.toolkit.style import Style
    from othello.play.session import Session

    DialogType: TypeAlias = Callable[[Session, PreferencesFile, Style, Rect], Dialog]


@cache
def modes() -> Mapping[str, type[Mode]]:
    """The modes, those beside playing imported when they are first asked for: the window opens without them."""
    from othello.gui.analyse.analyse import AnalyseMode
    from othello.gui.editor.editor import EditMode
    from othello.gui.play.playing import PlayMode
    from othello.gui.review.review import ReviewMode
    from othello.gui.train.train import TrainMode

    return {mode.name: mode for mode in (PlayMode, AnalyseMode, ReviewMode, TrainMode, EditMode)}


@cache
def dialogs() -> Mapping[str, DialogType]:
    """The dialogs that need no more than these arguments, imported like the modes."""
    from othello.gui.dialogs import about, new_game, note, settings, tournament_setup

    return {
        "new_game": new_game.NewGameDialog,
        "note": note.NoteDialog,
        "settings": settings.SettingsDialog,
        "about": about.AboutDialog,
        "tournament": tournament_setup.TournamentDialog,
    }
