"""The mode Explore: what stored games say about a position."""

from typing import Final

from othello.gui.mode_declaration import ModeDeclaration, Place

MODE: Final = ModeDeclaration("explore", "othello.gui.modes.explore.explore:ExploreMode", "Ctrl+4", Place.SWITCH)
