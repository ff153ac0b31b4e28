"""Games in progress and the study of finished games, without a window."""
