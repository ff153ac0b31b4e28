"""Parse whole numbers more strictly than `int`."""

import re


def parse_whole(text: str, low: int, high: int) -> int | None:
    """Return the number of a text, or None if it is not a whole number from `low` (at least 0) to `high`.

    `int` accepts underscores, and fails on digits such as "²" and on more than 4300 digits.
    """
    digits = text.strip()
    return int(digits) if re.fullmatch("[0-9]{1,19}", digits) and low <= int(digits) <= high else None
