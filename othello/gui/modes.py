"""Every mode and every dialog of the window by name: a further mode is a folder and a line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from othello.gui.dialogs.dialog import Dialog
    from othello.gui.mode import Mode
    from othello.gui.preferences import PreferencesFile
    from othello.play.session import Session

    DialogType: TypeAlias = Callable[[Session, PreferencesFile], Dialog]


def _play() -> type[Mode]:
    from othello.gui.play.over import PlayMode

    return PlayMode


def _analyse() -> type[Mode]:
    from othello.gui.analyse.analyse import AnalyseMode

    return AnalyseMode


def _review() -> type[Mode]:
    from othello.gui.review.review import ReviewMode

    return ReviewMode


def _explore() -> type[Mode]:
    from othello.gui.explore.explore import ExploreMode

    return ExploreMode


def _train() -> type[Mode]:
    from othello.gui.train.train import TrainMode

    return TrainMode


def _openings() -> type[Mode]:
    from othello.gui.train.openings import OpeningsMode

    return OpeningsMode


def _edit() -> type[Mode]:
    from othello.gui.editor.editor import EditMode

    return EditMode


MODES: Final[Mapping[str, Callable[[], type[Mode]]]] = {
    "play": _play,
    "analyse": _analyse,
    "review": _review,
    "explore": _explore,
    "train": _train,
    "openings": _openings,
    "edit": _edit,
}
"""What finds the modes. Each is imported when a person first asks for it: the window opens without them."""


def _new_game() -> DialogType:
    from othello.gui.dialogs.new_game import NewGameDialog

    return NewGameDialog


def _note() -> DialogType:
    from othello.gui.dialogs.notices import NoteDialog

    return NoteDialog


def _learn() -> DialogType:
    from othello.gui.dialogs.learn import LearnDialog

    return LearnDialog


def _hand_over() -> DialogType:
    from othello.gui.dialogs.hand_over import HandOverDialog

    return HandOverDialog


def _settings() -> DialogType:
    from othello.gui.dialogs.settings import SettingsDialog

    return SettingsDialog


def _about() -> DialogType:
    from othello.gui.dialogs.notices import AboutDialog

    return AboutDialog


def _tournament() -> DialogType:
    from othello.gui.dialogs.tournament_setup import TournamentDialog

    return TournamentDialog


def _programs() -> DialogType:
    from othello.gui.dialogs.programs import ProgramsDialog

    return ProgramsDialog


DIALOGS: Final[Mapping[str, Callable[[], DialogType]]] = {
    "new_game": _new_game,
    "note": _note,
    "learn": _learn,
    "hand_over": _hand_over,
    "settings": _settings,
    "about": _about,
    "tournament": _tournament,
    "programs": _programs,
}
"""What finds the dialogs that need no more than these; whoever knows what they need opens the others."""
