"""External programs: their registry, their processes, and the protocols they speak."""
