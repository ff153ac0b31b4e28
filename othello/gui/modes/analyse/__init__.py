"""The mode Analyse: live search, and the course of the game."""

from typing import Final

from othello.gui.mode_declaration import ModeDeclaration, Place

MODE: Final = ModeDeclaration("analyse", "othello.gui.modes.analyse.analyse:AnalyseMode", "Ctrl+2", Place.SWITCH)
