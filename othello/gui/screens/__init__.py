"""Screens that fill the window: the game and the tournament."""
