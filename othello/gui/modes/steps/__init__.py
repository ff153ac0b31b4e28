"""The mode Step through: a search, one step at a time."""
