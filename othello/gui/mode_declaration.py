"""The declaration of a mode of the game screen."""

from enum import Enum, auto

from othello.frozen_dataclass import FrozenDataclass


class Place(Enum):
    """The place of a mode's button. The menu has the buttons of all modes."""

    SWITCH = auto()  # the mode switch at the right of the toolbar; also reachable from the standings
    TOOLBAR = auto()  # among the buttons of the toolbar
    MENU = auto()  # only in the menu


class ModeDeclaration(FrozenDataclass):
    """Name, key, button and texts of a mode. They are known without importing its class, to open the window faster."""

    name: str  # of the command that opens it, of its button and its texts
    path: str  # of its class, such as `othello.gui.modes.review.review:ReviewMode`
    key: str  # such as `Ctrl+3`
    place: Place = Place.MENU
    label: str = ""  # of its button in English, if there is no text `actions.NAME.button`
    tip: str = ""  # its tooltip in English, if there is no text `actions.NAME.tip`
    part_of: str = ""  # the mode whose button is selected for this one, too; empty: its own
    more_buttons: tuple[str, ...] = ()  # names of other buttons with the same texts that open it
