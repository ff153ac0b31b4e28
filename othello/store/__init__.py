"""All games that a person has: own ones, archives, tournaments; and every position that occurred in them."""
