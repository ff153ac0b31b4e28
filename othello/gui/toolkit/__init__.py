"""Widgets, layout, text and colours of the window. Knows no game."""
