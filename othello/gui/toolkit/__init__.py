"""Panels, controls, text and colours: what windows are made of. Nothing in here knows any game."""
