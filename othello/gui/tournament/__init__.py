"""The hall of a tournament: standings, boards, and the table for a person's own games."""
