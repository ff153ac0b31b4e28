"""The compiler's corner: the decorator, its cache, bits and random numbers."""

from typing import Final

HELD: Final = 4
"""What the cell of a `StopFlag` is while the search is to stand still."""
