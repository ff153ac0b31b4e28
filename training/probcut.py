"""Fit the margins of the selective search: `python -m training.probcut POSITIONS.npz --out FOLDER`.

Positions of held-out games are searched at rising depths with margins half as wide again, and to the end if few squares
are empty. The model of `othello.engine.probcut` is fitted to the deviations of pairs of depths, and its coefficients
are printed. Each sample is a file in FOLDER; a second run searches only missing samples.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from othello.engine.engine import Bounds, Engine
from othello.engine.probcut import SHALLOW
from training import parallel, samples

EMPTIES: Final = range(12, 52, 3)
DEPTH: Final = 18
MARGIN: Final = 1.5
SOLVED_FROM: Final = 21
NODES: Final = 4_000_000
LEAST: Final = 8
"""Minimum number of values for a deviation."""


def search(engine: Engine, own: int, opponent: int, empties: int, _score: int) -> list[tuple[int, dict[int, int]]]:
    """Return the number of empty squares and the values by depth; the value at the end of the game is at index 0."""
    bounds = Bounds(min(DEPTH, empties - 1), exact_empties=0, nodes=NODES, margin=MARGIN)
    values = {step.depth: step.value for step in engine.deepen(own, opponent, bounds)}
    if empties <= SOLVED_FROM:
        *_, last = engine.deepen(own, opponent, Bounds())
        values[0] = last.value
    return [(empties, values)]


def fit(searched: list[tuple[int, dict[int, int]]], to_end: bool) -> NDArray[np.float64]:
    """Fit the model by least squares on logarithms; a pair of depths counts by its number of positions."""
    rows, logs, counts = [], [], []
    for empties in EMPTIES:
        values = [found for those, found in searched if those == empties]
        for deep in [0] if to_end else range(3, DEPTH + 1):
            half = int(SHALLOW[deep])
            for shallow in range(1, DEPTH) if to_end else {half - 2, half, half + 2} & {*range(1, deep)}:
                pairs = [found[deep] - found[shallow] for found in values if deep in found and shallow in found]
                if len(pairs) >= LEAST:
                    rows.append((1.0, empties, deep or empties, shallow))
                    logs.append(np.log(max(float(np.std(pairs)), 0.5)))
                    counts.append(len(pairs) ** 0.5)
    weights = np.array(counts)
    return np.asarray(np.linalg.lstsq(np.array(rows) * weights[:, None], np.array(logs) * weights, rcond=None)[0])


def main() -> None:
    """Run the command."""
    found = [
        (empties, {int(depth): value for depth, value in values.items()})
        for empties, values in samples.searched("training.probcut", __doc__, search, EMPTIES, 1 << 20)
    ]
    for name, to_end in (("MIDDLE", False), ("END", True)):
        print(
            name,
            tuple(round(float(coefficient), 4) for coefficient in fit(found, to_end)),
            f"{len(found)} positions",
        )


if __name__ == "__main__":
    parallel.run("training.probcut")
