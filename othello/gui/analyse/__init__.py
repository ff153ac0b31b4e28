"""The mode that shows what a search thinks of whatever position is looked at, and how the game went."""
