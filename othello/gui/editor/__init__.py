"""The mode in which a position is set up."""
