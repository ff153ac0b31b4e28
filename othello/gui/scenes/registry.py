"""Every dialog and every mode of the window, by name: a further one is its file and a line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from pygame import Rect

    from othello.gui.dialogs.dialog import Dialog
    from othello.gui.preferences import PreferencesFile
    from othello.gui.scenes.mode import Mode
    from othello.gui.theme import Style
    from othello.play.session import Session

    DialogType: TypeAlias = Callable[[Session, PreferencesFile, Style, Rect], Dialog]


@cache
def modes() -> Mapping[str, type[Mode]]:
    """The modes beside playing, imported when they are first asked for: the window opens without them."""
    from othello.gui.scenes import analyse, editor, review, train

    return {
        "analyse": analyse.AnalyseMode,
        "review": review.ReviewMode,
        "train": train.TrainMode,
        "edit": editor.EditMode,
    }


@cache
def dialogs() -> Mapping[str, DialogType]:
    """The dialogs that need no more than these arguments, imported like the modes."""
    from othello.gui.dialogs import about, new_game, note, settings
    from othello.gui.scenes import tournament_setup

    return {
        "new_game": new_game.NewGameDialog,
        "note": note.NoteDialog,
        "settings": settings.SettingsDialog,
        "about": about.AboutDialog,
        "tournament": tournament_setup.TournamentDialog,
    }
