"""Othello: a desktop game and a laboratory for search algorithms."""

__version__ = "1.0.0"
