"""The mode Openings: trains the lines of the repertoire."""
