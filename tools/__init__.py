"""Programs that make what the repository or the downloads carry."""
