"""The mode in which kept games say what was played in a position, and what came of it."""
