"""A chi-square test of counts against their expected probabilities."""

import math
from collections import Counter
from collections.abc import Mapping


def assert_likely(observed: Counter[int], expected: Mapping[int, float]) -> None:
    """Assert that counts are as their expected numbers, but for chance. Nothing unexpected is counted."""
    chi_square, degrees = distance(observed, expected)
    assert observed.keys() <= expected.keys()
    assert chi_square < bound_of_chi_square(degrees)


def bound_of_chi_square(degrees: int) -> float:
    """Return the bound that chance exceeds once in about 300,000 times (Wilson and Hilferty's approximation)."""
    spread = 2 / (9 * degrees)
    return degrees * (1 - spread + 4.5 * math.sqrt(spread)) ** 3


def distance(observed: Counter[int], expected: Mapping[int, float]) -> tuple[float, int]:
    """Return chi-square and its degrees of freedom. Results that are expected less than 10 times are one class."""
    rare = [result for result in expected if expected[result] < 10]
    classes = [[result] for result in expected if expected[result] >= 10] + ([rare] if rare else [])
    chi_square = 0.0
    for results in classes:
        mean = sum(expected[result] for result in results)
        chi_square += (sum(observed[result] for result in results) - mean) ** 2 / mean
    return chi_square, max(1, len(classes) - 1)
