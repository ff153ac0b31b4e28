"""How to find a good move: the searches, which know no concrete game, and what they report."""
