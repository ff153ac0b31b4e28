"""Othello: a desktop game and a laboratory for search algorithms."""

__version__ = "0.1.0"
