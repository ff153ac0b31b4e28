"""The mode Train: exercises from the user's own mistakes, and openings of the repertoire."""

from typing import Final

from othello.gui.mode_declaration import ModeDeclaration, Place

MODE: Final = ModeDeclaration("train", "othello.gui.modes.train.train:TrainMode", "Ctrl+5", Place.SWITCH)
