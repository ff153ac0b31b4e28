"""Widgets that show a game: board, side cards, moves, search tree, figures and overlays."""
