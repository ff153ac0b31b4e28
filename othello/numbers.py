"""Reads numbers that people and other programs write, without the surprises of `int`."""


def parse_whole(text: str, low: int, high: int) -> int | None:
    """Return the whole number that a text is; None if it is no number from `low` (at least 0) to `high`.

    `int` fails with digits such as "²", and with more than 4300 digits.
    """
    digits = text.strip()
    is_short = digits.isascii() and digits.isdigit() and len(digits) < 20
    return int(digits) if is_short and low <= int(digits) <= high else None
