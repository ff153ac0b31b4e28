"""Games and results as text and files."""
