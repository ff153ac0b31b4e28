"""The mode Play: plays or watches a game."""

from typing import Final

from othello.gui.mode_declaration import ModeDeclaration, Place

MODE: Final = ModeDeclaration("play", "othello.gui.modes.play.play_mode:PlayMode", "Ctrl+1", Place.SWITCH)
