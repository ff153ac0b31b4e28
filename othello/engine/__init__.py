"""What is made for Othello alone: the exact end game."""
