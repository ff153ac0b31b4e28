"""Every dialog and every mode of the window, by name: a further one is its file and a line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from pygame import Rect

from othello.gui.dialog import Dialog
from othello.gui.preferences import PreferencesFile
from othello.gui.scenes.analyse import AnalyseMode
from othello.gui.scenes.editor import EditMode
from othello.gui.scenes.mode import Mode
from othello.gui.scenes.new_game import NewGameDialog
from othello.gui.scenes.review import ReviewMode
from othello.gui.scenes.settings import AboutDialog, SettingsDialog
from othello.gui.scenes.tournament_setup import TournamentDialog
from othello.gui.scenes.train import TrainMode
from othello.gui.theme import Style
from othello.play.session import Session

MODES: Final[Mapping[str, type[Mode]]] = {
    mode.name: mode
    for mode in (
        AnalyseMode,
        ReviewMode,
        TrainMode,
        EditMode,
    )
}

DIALOGS: Final[Mapping[str, Callable[[Session, PreferencesFile, Style, Rect], Dialog]]] = {
    "new_game": NewGameDialog,
    "settings": SettingsDialog,
    "about": AboutDialog,
    "tournament": TournamentDialog,
}
