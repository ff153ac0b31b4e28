"""The mode Explore: what stored games say about a position."""
