"""Board renderers, one module per game."""
