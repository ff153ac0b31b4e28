"""What is allowed: the games, fast and slow, and the list of them."""
