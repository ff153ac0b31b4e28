"""The mode Review, which shows the analysis of a whole game."""
