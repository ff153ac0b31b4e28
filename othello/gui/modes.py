"""Every mode and every dialog of the window by name: a further mode is a folder and a line here."""

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


def dialog(name: str, session: Session, preferences: PreferencesFile, style: Style, window: Rect) -> Dialog | None:
    """A dialog that needs no more than these arguments, by its name; None where there is none of that name."""
    kind: DialogType
    match name:
        case "new_game":
            from othello.gui.dialogs.new_game import NewGameDialog as kind
        case "note":
            from othello.gui.dialogs.note import NoteDialog as kind
        case "settings":
            from othello.gui.dialogs.settings import SettingsDialog as kind
        case "about":
            from othello.gui.dialogs.about import AboutDialog as kind
        case "tournament":
            from othello.gui.dialogs.tournament_setup import TournamentDialog as kind
        case _:
            return None
    return kind(session, preferences, style, window)
