"""The mode in which a person tries their own mistakes again."""
