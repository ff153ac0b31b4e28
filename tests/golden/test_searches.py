"""The searches give the reports in the file. After an intended change, run `python -m tests.golden.searches`."""

import pytest

from tests.golden.searches import CASES, reports, search
from tests.player_factory import marks_of

ROUNDING = 1e-5  # of values; everything else is whole


# Searches of Tic-tac-toe without a solver are compiled for these cases alone.
EACH_CASE = [
    pytest.param(case, marks=pytest.mark.slow if case.endswith("solver False") else marks_of(config))
    for case, (_, _, config) in CASES.items()
]


@pytest.mark.parametrize("case", EACH_CASE)
def test_a_search_gives_the_report_in_the_file(case: str) -> None:
    stored = reports()[case]
    moves = [[move, visits, pytest.approx(value, abs=ROUNDING)] for move, visits, value in stored["moves"]]
    value = pytest.approx(stored["value"], abs=ROUNDING)
    assert search(case) == {**stored, "value": value, "moves": moves}
