"""Computer players, each a class around a search, and their registry."""
