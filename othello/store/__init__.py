"""All that a person has: own games, archives, tournaments, what is learnt; and every position that occurred."""
