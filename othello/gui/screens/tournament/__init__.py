"""The tournament in the window: standings, live games, and the user's own games."""
