"""Othello: a desktop game and a laboratory for search algorithms."""

from __future__ import annotations

__version__ = "0.1.0"
