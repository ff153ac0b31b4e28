"""Fit the evaluation's weights: `python -m training.fit POSITIONS.npz --out FOLDER`.

Every stage is a task of its own, kept in the folder as soon as it is done; called again, only missing ones are fitted.
The packed weights and a table of errors are written last.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from othello.engine.patterns import STAGES
from othello.engine.weights import UNITS, pack
from training import crew, positions
from training.fitting import UNKNOWNS, Labels, features_of, fit, predictions

REACH: Final = 6.0
"""Positions of neighbouring stages count too, the less the further away, none from so many plies on."""


def shares(empties: Labels, stage: int) -> Labels:
    """How much positions with so many empty squares count in the fit of a stage."""
    distance = np.abs(empties - (59.5 - 2 * stage))
    return np.where(distance < 1, 1.0, np.maximum(0.0, 1.0 - (distance - 0.5) / REACH)).astype(np.float32)


def fit_stage(files: Sequence[Path], folder: Path, stage: int) -> int:
    """Fit one stage and write its weights and its errors on games that were held out."""
    centre = 59.5 - 2 * stage
    data = positions.read(files, max(1, int(centre - REACH)), int(centre + REACH) + 1)
    empties, labels = data.empties.astype(np.float32), data.score.astype(np.float32)
    weight_of = shares(empties, stage)
    features = features_of(data.own, data.opponent)
    train = ~data.held_out & (weight_of > 0)
    weights = fit(features[train], labels[train], weight_of[train])
    test = data.held_out & (np.abs(empties - centre) < 1)
    errors = np.abs(predictions(features[test], weights) - labels[test])
    found = {
        "stage": stage,
        "positions": int(train.sum()),
        "tested": int(test.sum()),
        "mean_error": float(errors.mean()),
    }
    (folder / f"stage-{stage:02}.json").write_text(json.dumps(found))
    np.save(folder / f"stage-{stage:02}.npy", weights)
    return stage


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m training.fit", description=__doc__)
    parser.add_argument("positions", type=Path, nargs="+", help="files that training.selfplay made")
    parser.add_argument("--out", type=Path, required=True, help="folder for weights and errors")
    crew.add_arguments(parser)
    arguments = parser.parse_args()
    folder: Path = arguments.out
    folder.mkdir(parents=True, exist_ok=True)
    missing = [stage for stage in range(STAGES) if not (folder / f"stage-{stage:02}.npy").exists()]
    tasks = [(arguments.positions, folder, stage) for stage in reversed(missing)]
    for _ in crew.results(fit_stage, tasks, arguments, "stages"):
        pass
    weights = np.stack([np.load(folder / f"stage-{stage:02}.npy") for stage in range(STAGES)])
    assert weights.shape == (STAGES, UNKNOWNS)
    (folder / "weights.bin").write_bytes(pack(np.rint(weights * UNITS).astype(np.int16)))
    for stage in range(STAGES):
        print((folder / f"stage-{stage:02}.json").read_text())


if __name__ == "__main__":
    main()
