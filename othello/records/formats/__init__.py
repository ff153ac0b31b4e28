"""Formats of records of games, a file each: what knows, reads and writes them."""
