"""The mode in which the user sets up a position."""

from typing import Final

from othello.gui.mode_declaration import ModeDeclaration, Place

MODE: Final = ModeDeclaration("edit", "othello.gui.modes.editor.editor:EditMode", "Ctrl+E", Place.TOOLBAR)
