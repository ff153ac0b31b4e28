"""Modes of the game screen, such as Play and Review. `registry` lists all modes and dialogs."""
