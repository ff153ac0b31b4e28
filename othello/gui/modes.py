"""Every mode and every dialog of the window by name: a new mode is a folder and a line here.

A class is imported when it is first needed, because the window opens faster without it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from othello.gui.dialogs.dialog import Dialog
    from othello.gui.mode import Mode

MODES: Final[Mapping[str, str]] = {
    "play": "play.over:PlayMode",
    "analyse": "analyse.analyse:AnalyseMode",
    "review": "review.review:ReviewMode",
    "explore": "explore.explore:ExploreMode",
    "train": "train.train:TrainMode",
    "openings": "train.openings:OpeningsMode",
    "edit": "editor.editor:EditMode",
}
DIALOGS: Final[Mapping[str, str]] = {
    "new_game": "dialogs.new_game:NewGameDialog",
    "note": "dialogs.notices:NoteDialog",
    "learn": "dialogs.learn:LearnDialog",
    "hand_over": "dialogs.hand_over:HandOverDialog",
    "settings": "dialogs.settings:SettingsDialog",
    "about": "dialogs.notices:AboutDialog",
    "tournament": "dialogs.tournament_setup:TournamentDialog",
    "programs": "dialogs.programs:ProgramsDialog",
}
"""The dialogs that are opened with a session and the preferences; others need more and are opened elsewhere."""


def mode_type(name: str) -> Callable[..., Mode]:
    found: Callable[..., Mode] = _find(MODES[name])
    return found


def dialog_type(name: str) -> Callable[..., Dialog]:
    found: Callable[..., Dialog] = _find(DIALOGS[name])
    return found


def _find(place: str) -> Any:
    return resolve_name(f"othello.gui.{place}")
