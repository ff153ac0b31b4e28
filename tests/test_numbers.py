"""Tests of numbers in texts that people and other programs write."""

import pytest

from othello.errors import ConfigError
from othello.numbers import parse_whole
from othello.records.openings import weighed
from othello.rules.registry import spec_of

LONG = "9" * 5000


@pytest.mark.parametrize("text", ["", "-1", "1.0", "1_0", "²", "x", LONG])
def test_other_texts_are_no_numbers(text: str) -> None:
    assert parse_whole(text, 0, 10) is None
    assert weighed(f"Tiger: {text or '²'}") != {"Tiger": 1}
    with pytest.raises(ConfigError):
        spec_of("tictactoe", f"size={text}")


def test_a_number_is_read_within_its_bounds() -> None:
    assert [parse_whole(text, 2, 10) for text in ("1", "2", " 10 ", "007")] == [None, 2, 10, 7]
    assert parse_whole("11", 2, 10) is None
