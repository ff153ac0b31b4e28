"""All modes and dialogs of the window by name. A new mode is a folder and a line here.

A class is imported when it is first used, to open the window faster.
"""

from collections.abc import Mapping
from pkgutil import resolve_name
from typing import Final

from othello.gui.dialogs.dialog import Dialog
from othello.gui.modes.mode import Mode
from othello.gui.modes.mode_host import ModeHost
from othello.gui.preferences import PreferencesFile
from othello.play.session import Session

MODES: Final[Mapping[str, str]] = {
    "play": "modes.play_mode:PlayMode",
    "analyse": "modes.analyse.analyse:AnalyseMode",
    "review": "modes.review.review:ReviewMode",
    "explore": "modes.explore.explore:ExploreMode",
    "train": "modes.train.train:TrainMode",
    "openings": "modes.train.openings_mode:OpeningsMode",
    "edit": "modes.editor.editor:EditMode",
}
# Dialogs that are created from a session and the preferences.
DIALOGS: Final[Mapping[str, str]] = {
    "new_game": "dialogs.new_game:NewGameDialog",
    "note": "dialogs.notices:NoteDialog",
    "learn": "dialogs.notices:LearnDialog",
    "hand_over": "dialogs.notices:HandOverDialog",
    "settings": "dialogs.settings:SettingsDialog",
    "about": "dialogs.notices:AboutDialog",
    "tournament": "dialogs.tournament_setup:TournamentDialog",
    "programs": "dialogs.program_dialogs:ProgramsDialog",
}


def create_mode(name: str, host: ModeHost, now: float) -> Mode:
    """Return a new mode beside the board of `host`."""
    mode: Mode = resolve_name(f"othello.gui.{MODES[name]}")(host, now)
    return mode


def create_dialog(name: str, session: Session, preferences: PreferencesFile) -> Dialog | None:
    """Return a new dialog; None if there is none of this name."""
    if name not in DIALOGS:
        return None
    dialog: Dialog = resolve_name(f"othello.gui.{DIALOGS[name]}")(session, preferences)
    return dialog
