"""Search algorithms, independent of any particular game, and their reports."""
