"""Every mode and every dialog of the window by name: a further mode is a folder and a line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Final, TypeAlias

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
    from othello.gui.play.over import PlayMode
    from othello.gui.review.review import ReviewMode
    from othello.gui.train.train import TrainMode

    return {mode.name: mode for mode in (PlayMode, AnalyseMode, ReviewMode, TrainMode, EditMode)}


def _new_game() -> DialogType:
    from othello.gui.dialogs.new_game import NewGameDialog

    return NewGameDialog


def _note() -> DialogType:
    from othello.gui.dialogs.notices import NoteDialog

    return NoteDialog


def _settings() -> DialogType:
    from othello.gui.dialogs.settings import SettingsDialog

    return SettingsDialog


def _about() -> DialogType:
    from othello.gui.dialogs.menu import AboutDialog

    return AboutDialog


def _tournament() -> DialogType:
    from othello.gui.dialogs.tournament_setup import TournamentDialog

    return TournamentDialog


DIALOGS: Final[Mapping[str, Callable[[], DialogType]]] = {
    "new_game": _new_game,
    "note": _note,
    "settings": _settings,
    "about": _about,
    "tournament": _tournament,
}
"""What finds the dialogs that need no more than these; whoever knows what they need opens the others."""
