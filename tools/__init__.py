"""Scripts that make files of the repository and of the downloads."""
