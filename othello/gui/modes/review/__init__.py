"""The mode Review, which shows the analysis of a whole game."""

from typing import Final

from othello.gui.mode_declaration import ModeDeclaration, Place

MODE: Final = ModeDeclaration(
    "review",
    "othello.gui.modes.review.review:ReviewMode",
    "Ctrl+3",
    Place.SWITCH,
    more_buttons=("look_back", "to_review"),
)
