"""The searches give the reports in the file. After an intended change, run `python -m tests.golden.searches`."""

import pytest

from tests.golden.searches import CASES, reports, search

ROUNDING = 1e-5  # of values; everything else is whole


def is_quick(case: str) -> bool:
    """Return whether a quick test takes a case. Every kind of search with cut playouts is compiled for itself."""
    return "mcts_ucb1" in case or "mcts_playout_plies" not in case


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=() if is_quick(case) else pytest.mark.slow) for case in CASES]
)
def test_a_search_gives_the_report_in_the_file(case: str) -> None:
    stored = reports()[case]
    moves = [[move, visits, pytest.approx(value, abs=ROUNDING)] for move, visits, value in stored["moves"]]
    value = pytest.approx(stored["value"], abs=ROUNDING)
    assert search(case) == {**stored, "value": value, "moves": moves}


def test_the_file_has_no_other_reports() -> None:
    assert list(reports()) == list(CASES)
