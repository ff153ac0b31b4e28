"""The mode Play: plays or watches a game."""
