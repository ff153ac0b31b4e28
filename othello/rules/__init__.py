"""The rules of the games, in plain Python and as kernels, and their registry."""
