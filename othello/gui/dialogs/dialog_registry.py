"""The dialogs of the window by name.

Their classes are imported when they are first used, to open the window faster.
"""

from collections.abc import Mapping
from pkgutil import resolve_name
from typing import Final

from othello.gui.dialogs.dialog import Dialog
from othello.gui.preferences import PreferencesFile
from othello.play.session import Session

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


def create_dialog(name: str, session: Session, preferences: PreferencesFile) -> Dialog | None:
    """Return a new dialog; None if there is none of this name."""
    if name not in DIALOGS:
        return None
    dialog: Dialog = resolve_name(f"othello.gui.{DIALOGS[name]}")(session, preferences)
    return dialog
