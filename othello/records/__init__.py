"""Game records: transcripts, saved games, results files and formats of other programs."""
