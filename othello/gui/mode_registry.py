"""All modes of the game screen, in the order of their buttons. A new mode is a module in `modes/`, and an entry here.

Their names, keys, buttons and texts are known without importing their classes, to open the window faster.
"""

from enum import Enum, auto
from typing import Final

from othello.frozen_dataclass import FrozenDataclass


class Place(Enum):
    """The place of a mode's button. The menu has the buttons of all modes."""

    SWITCH = auto()  # the mode switch at the right of the toolbar; also reachable from the standings
    TOOLBAR = auto()  # among the buttons of the toolbar
    MENU = auto()  # only in the menu


class ModeDeclaration(FrozenDataclass):
    """Name, class, key and buttons of a mode."""

    name: str  # of the command that opens it, of its button and its texts
    path: str  # of its class in `othello.gui.modes`
    key: str  # such as `Ctrl+3`
    place: Place = Place.MENU
    label: str = ""  # of its button in English, if there is no text `actions.NAME.button`
    tip: str = ""  # its tooltip in English, if there is no text `actions.NAME.tip`
    part_of: str = ""  # the mode whose button is selected for this one, too; empty: its own
    more_buttons: tuple[str, ...] = ()  # names of other buttons with the same texts that open it


PLAY: Final = "play"

_REVIEW_BUTTONS: Final = ("look_back", "to_review")
MODES: Final = {
    mode.name: mode
    for mode in (
        ModeDeclaration(PLAY, "play.play_mode:PlayMode", "Ctrl+1", Place.SWITCH),
        ModeDeclaration("analyse", "analyse.analyse:AnalyseMode", "Ctrl+2", Place.SWITCH),
        ModeDeclaration("steps", "steps.steps_mode:StepsMode", "Ctrl+T", part_of="analyse"),
        ModeDeclaration("review", "review.review:ReviewMode", "Ctrl+3", Place.SWITCH, more_buttons=_REVIEW_BUTTONS),
        ModeDeclaration("explore", "explore.explore:ExploreMode", "Ctrl+4", Place.SWITCH),
        ModeDeclaration("train", "train.train:TrainMode", "Ctrl+5", Place.SWITCH),
        ModeDeclaration("openings", "openings.openings_mode:OpeningsMode", "Ctrl+6", part_of="train"),
        ModeDeclaration("edit", "editor.editor:EditMode", "Ctrl+E", Place.TOOLBAR),
    )
}


def modes_at(place: Place) -> tuple[str, ...]:
    """Return the names of the modes with a button at a place."""
    return tuple(mode.name for mode in MODES.values() if mode.place is place)
