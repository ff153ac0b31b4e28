"""Modes of the game screen, such as Play and Review. `mode_registry` lists all modes."""
