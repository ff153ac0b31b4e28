"""Games in progress and the analysis of their moves, without a window."""
