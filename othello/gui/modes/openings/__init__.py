"""The mode Openings: trains the lines of the repertoire."""

from typing import Final

from othello.gui.mode_declaration import ModeDeclaration

MODE: Final = ModeDeclaration(
    "openings", "othello.gui.modes.openings.openings_mode:OpeningsMode", "Ctrl+6", part_of="train"
)
