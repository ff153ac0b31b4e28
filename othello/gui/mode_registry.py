"""All modes of the game screen, in the order of their buttons. A new mode is a folder in `modes/`, and a line here."""

from pkgutil import resolve_name
from typing import Final

from othello.gui.mode_declaration import ModeDeclaration, Place

PLAY: Final = "play"

_FOLDERS: Final = (
    "play",
    "analyse",
    "review",
    "explore",
    "train",
    "openings",
    "editor",
)

MODES: Final[dict[str, ModeDeclaration]] = {
    mode.name: mode for mode in (resolve_name(f"othello.gui.modes.{folder}:MODE") for folder in _FOLDERS)
}


def modes_at(place: Place) -> tuple[str, ...]:
    """Return the names of the modes with a button at a place."""
    return tuple(mode.name for mode in MODES.values() if mode.place is place)
