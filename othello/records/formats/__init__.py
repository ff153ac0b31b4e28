"""File formats of game records, one per module: recognising, reading and writing."""
