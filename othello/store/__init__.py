"""The user's database: own games, archives, tournaments, training data, and an index of all positions."""
