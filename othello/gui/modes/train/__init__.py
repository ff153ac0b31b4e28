"""The mode Train: exercises from the user's own mistakes, and openings of the repertoire."""
