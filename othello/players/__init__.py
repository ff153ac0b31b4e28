"""Who plays: one small class a player over a search, and the list of them."""
