"""The mode in which the user sets up a position."""
