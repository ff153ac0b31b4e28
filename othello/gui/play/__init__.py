"""The table: a board with all that is beside it while a game is played."""
