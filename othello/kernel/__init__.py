"""The compiler's corner: the decorator, its cache, bits and random numbers."""
