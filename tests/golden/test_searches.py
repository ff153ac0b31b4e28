"""The searches give the reports in the file. After an intended change, run `python -m tests.golden.searches`."""

from typing import Any

import pytest

from tests.golden.searches import CASES, reports, search

ROUNDING = 1e-5  # of values; everything else is whole


def rounded(report: dict[str, Any]) -> dict[str, Any]:
    return {
        **report,
        "value": pytest.approx(report["value"], abs=ROUNDING),
        "moves": [[move, visits, pytest.approx(value, abs=ROUNDING)] for move, visits, value in report["moves"]],
    }


@pytest.mark.parametrize("case", CASES)
def test_a_search_gives_the_report_in_the_file(case: str) -> None:
    assert search(case) == rounded(reports()[case])


def test_the_file_has_no_other_reports() -> None:
    assert list(reports()) == list(CASES)
