"""What opens over everything else, one folder of screens."""
