"""Fit the winning chances: `python -m training.chances POSITIONS.npz --out FOLDER`.

Positions of games that were held out are searched depth after depth. The coefficients that make the games' results
most likely are printed; they belong in `othello.engine.chances`. Every sample is kept in the folder; called again, only
missing ones are searched.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from othello.engine.engine import Bounds, Engine
from othello.search.stop import StopFlag
from training import crew, positions

EMPTIES: Final = range(14, 54)
DEPTH: Final = 12
STEPS: Final = 60


def search_sample(file: Path, folder: Path, seed: int, sample: int) -> int:
    """Search one position for every number of empty squares; keep these, depths, values and the games' points."""
    data = positions.read([file], min(EMPTIES), max(EMPTIES))
    random = np.random.default_rng([seed, sample])
    engine = Engine(1 << 18, StopFlag())
    found = []
    for empties in EMPTIES:
        place = random.choice(np.flatnonzero(data.held_out & (data.empties == empties)))
        engine.forget()
        points = 0.5 + 0.5 * float(np.sign(data.score[place]))
        bounds = Bounds(min(DEPTH, empties - 1), exact_empties=0)
        for step in engine.deepen(int(data.own[place]), int(data.opponent[place]), bounds):
            found.append((empties, step.depth, step.value, points))
    (folder / f"sample-{sample:05}.json").write_text(json.dumps(found))
    return sample


def fit(searched: NDArray[np.float64]) -> NDArray[np.float64]:
    """The coefficients for rows of empty squares, depth, discs and points, by Newton's method on the likelihood."""
    empties, depth, discs, points = searched.T
    features = np.stack([np.ones_like(empties), empties, depth], axis=1)
    coefficients = np.array([1.0, 0.0, 0.0])
    for _ in range(STEPS):
        logit = discs * np.exp(-features @ coefficients)
        chance = 1.0 / (1.0 + np.exp(-np.clip(logit, -30, 30)))
        slope = features.T @ ((chance - points) * logit)
        curve = (features * (chance * (1 - chance) * logit**2)[:, None]).T @ features
        coefficients += np.clip(np.linalg.solve(curve, slope), -0.5, 0.5)
    return coefficients


def main() -> None:
    """The command."""
    parser = crew.command("training.chances", __doc__, "the samples")
    parser.add_argument("positions", type=Path, help="a file that training.selfplay made")
    parser.add_argument("--samples", type=int, default=40, help=f"{len(EMPTIES)} positions each (default: 40)")
    arguments = crew.parsed(parser)
    folder: Path = arguments.out
    tasks = [
        (arguments.positions, folder, arguments.seed, sample)
        for sample in range(arguments.samples)
        if not (folder / f"sample-{sample:05}.json").exists()
    ]
    for _ in crew.results(search_sample, tasks, arguments, "samples"):
        pass
    rows = [row for file in sorted(folder.glob("sample-*.json")) for row in json.loads(file.read_text())]
    print("SCALE", tuple(round(float(coefficient), 4) for coefficient in fit(np.array(rows))), f"{len(rows)} searches")


if __name__ == "__main__":
    main()
