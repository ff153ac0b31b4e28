"""The mode that looks back on a game."""
