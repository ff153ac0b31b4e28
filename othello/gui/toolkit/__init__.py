"""Widgets, layout, text and colours of the window, independent of the games."""
