"""The game screen and the mode Play."""
