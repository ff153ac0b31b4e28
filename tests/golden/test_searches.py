"""A change of a search shows here. Was it meant? Then `python -m tests.golden.searches` writes the file anew."""

from typing import Any

import pytest

from tests.golden.searches import CASES, kept, search

ROUNDING = 1e-5  # of values; everything else is whole


def rounded(report: dict[str, Any]) -> dict[str, Any]:
    return {
        **report,
        "value": pytest.approx(report["value"], abs=ROUNDING),
        "moves": [[move, visits, pytest.approx(value, abs=ROUNDING)] for move, visits, value in report["moves"]],
    }


@pytest.mark.parametrize("case", CASES)
def test_the_search_is_what_it_was(case: str) -> None:
    assert search(case) == rounded(kept()[case])


def test_nothing_is_kept_that_is_not_searched() -> None:
    assert list(kept()) == list(CASES)
