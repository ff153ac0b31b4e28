"""Fit the weights of one stage by least squares.

Minimises the sum over positions x with labels y of share * (sum of the weights of x - y)^2, plus a ridge times the sum
of squared differences from the start weights. The ridge keeps weights that occur in few positions near their start
values. The method is conjugate gradients, preconditioned by the frequency of each weight.

Source: Buro, "From Simple Features to Sophisticated Evaluation Functions", CG 1998, for the model; Shewchuk, "An
Introduction to the Conjugate Gradient Method Without the Agonizing Pain", 1994, section 12, for the method.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from othello.engine import patterns
from othello.engine.evaluation import COUNTED, Numbers, counted, write_numbers
from othello.kernel.bits import as_int64
from othello.kernel.jit import kernel

_LANES: Final = len(patterns.LANE_SQUARES)
FEATURES: Final = _LANES + COUNTED
"""Number of weights that a position adds up: one a lane, and those of counts."""

_STARTS: Final = np.array(patterns.LANE_STARTS)
SHARED: Final = patterns.shared_weights()
UNKNOWNS: Final = int(SHARED.max()) + 1
"""Number of independent weights of a stage: mirrored patterns share one."""

Labels = NDArray[np.float32]


@kernel
def _write_features(
    own: NDArray[np.uint64],
    opponent: NDArray[np.uint64],
    shared: NDArray[np.int32],
    numbers: Numbers,
    features: NDArray[np.int32],
) -> None:
    for index in range(len(own)):
        write_numbers(own[index], opponent[index], numbers, 0)
        for lane in range(_LANES):
            number = as_int64(numbers[0, 0, lane]) + 2 * as_int64(numbers[0, 1, lane])
            features[index, lane] = shared[_STARTS[lane] + number]
        for column, place in enumerate(counted(own[index], opponent[index])):
            features[index, _LANES + column] = shared[place]


def features_of(own: NDArray[np.uint64], opponent: NDArray[np.uint64]) -> NDArray[np.int32]:
    """Return the indices of the weights that positions add up, shape (positions, FEATURES)."""
    features = np.empty((len(own), FEATURES), np.int32)
    _write_features(own, opponent, SHARED, np.empty((1, 2, patterns.LANES), np.uint16), features)
    return features


@kernel
def _add_predictions(features: NDArray[np.int32], weights: Labels, predictions: Labels) -> None:
    for index in range(len(features)):
        total = np.float32(0.0)
        for column in range(FEATURES):
            total += weights[features[index, column]]
        predictions[index] += total


@kernel
def _add_back(features: NDArray[np.int32], amounts: Labels, totals: Labels) -> None:
    """Add each position's amount to all weights that the position adds up."""
    for index in range(len(features)):
        for column in range(FEATURES):
            totals[features[index, column]] += amounts[index]


@kernel
def _add_normal_product(features: NDArray[np.int32], shares: Labels, vector: Labels, product: Labels) -> None:
    """Add the product of the normal equations' matrix, without the ridge, and `vector` to `product`."""
    for index in range(len(features)):
        total = np.float32(0.0)
        for column in range(FEATURES):
            total += vector[features[index, column]]
        total *= shares[index]
        for column in range(FEATURES):
            product[features[index, column]] += total


def predictions(features: NDArray[np.int32], weights: Labels) -> Labels:
    """Return the evaluation of positions, in discs."""
    found = np.zeros(len(features), np.float32)
    _add_predictions(features, weights, found)
    return found


def fit(features: NDArray[np.int32], labels: Labels, shares: Labels, known: Labels, ridge: float, steps: int) -> Labels:
    """Return the weights of a stage, in discs.

    Args:
        features: indices of weights, shape (positions, FEATURES).
        labels: scores for the side to move, in discs.
        shares: weights of the positions.
        known: start weights.
        ridge: number of positions that move a weight half of the way.
        steps: iterations.
    """
    weights = known.copy()
    residual = np.zeros(UNKNOWNS, np.float32)
    _add_back(features, (labels - predictions(features, known)) * shares, residual)
    occurrences = np.zeros(UNKNOWNS, np.float32)
    _add_back(features, shares, occurrences)
    precondition = 1.0 / (occurrences + np.float32(ridge))
    direction = preconditioned = precondition * residual
    power = _dot(residual, preconditioned)
    for _ in range(steps):
        if power == 0.0:
            break  # converged
        product = np.float32(ridge) * direction
        _add_normal_product(features, shares, direction, product)
        step = np.float32(power / _dot(direction, product))
        weights += step * direction
        residual -= step * product
        preconditioned = precondition * residual
        former, power = power, _dot(residual, preconditioned)
        direction = preconditioned + np.float32(power / former) * direction
    return weights


def _dot(a: Labels, b: Labels) -> float:
    return float(np.dot(a.astype(np.float64), b.astype(np.float64)))
