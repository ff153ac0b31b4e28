"""The mode Analyse: live search, and the course of the game."""
