"""Fit the evaluation's weights: `python -m training.fit POSITIONS.npz --out FOLDER`.

There are two rounds. The first fits every stage from zero, also on positions of neighbouring stages. The second starts
from the mean of neighbouring stages of the first round, which is robust, and fits each stage on its own positions.

Every stage of a round is a file in FOLDER; a second run fits only missing stages. The packed weights and a table of
errors are written at the end.
"""

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from othello.engine.patterns import STAGES
from othello.engine.weights import UNITS, pack
from othello.files import write_bytes, write_text
from training import parallel, positions
from training.fitting import UNKNOWNS, Labels, features_of, fit, predictions


class Round(NamedTuple):
    """The parameters of a round.

    Attributes:
        name: of its files.
        reach: plies from a stage at which the weight of a position falls to zero.
        ridge: number of positions that move a weight half of the way from its start value.
        steps: iterations of the method.
        every: fit only each such stage.
    """

    name: str
    reach: float
    ridge: float
    steps: int
    every: int

    @property
    def stages(self) -> range:
        return range(self.every // 2, STAGES, self.every)

    def file(self, folder: Path, stage: int) -> Path:
        """Return the file of a stage's weights."""
        return folder / f"{self.name}-{stage:02}.npy"


ROUNDS: Final = (Round("first", 6.0, 16.0, 16, 3), Round("second", 3.0, 200.0, 8, 1))
NEIGHBOURS: Final = 4
"""Stages on either side whose mean starts the second round; nearer ones have a larger weight."""
OUTLIER: Final = 8.0
"""Errors in discs above which the loss of the second round grows linearly, not quadratically."""


def shares(empties: Labels, stage: int, reach: float) -> Labels:
    """Return the weights of positions in the fit of a stage, by their empty squares."""
    distance = np.abs(empties - (59.5 - 2 * stage))
    return np.where(distance < 1, 1.0, np.maximum(0.0, 1.0 - (distance - 0.5) / reach)).astype(np.float32)


def mean_of_neighbours(folder: Path, stage: int) -> Labels:
    """Return the weighted mean of the first round's weights around a stage."""
    total, count = np.zeros(UNKNOWNS, np.float32), 0
    for other in ROUNDS[0].stages:
        share = max(0, NEIGHBOURS + 1 - abs(other - stage))
        if share:
            total += share * np.load(ROUNDS[0].file(folder, other))
            count += share
    return total / np.float32(count)


def fit_stage(file: Path, files: Sequence[Path], stage: int, part: Round) -> None:
    """Fit one stage, and write its weights and its errors on held-out games."""
    centre = 59.5 - 2 * stage
    window = max(1, int(centre - part.reach)), int(centre + part.reach) + 1
    data = positions.read(files, *window)
    distance = np.abs(data.empties - centre)
    test = data.where(data.held_out & (distance < 1))
    train = data.where(~data.held_out & (distance < part.reach + 0.5))
    features, labels = features_of(train.own, train.opponent), train.score.astype(np.float32)
    weight_of = shares(train.empties.astype(np.float32), stage, part.reach)
    if part == ROUNDS[0]:
        known = np.zeros(UNKNOWNS, np.float32)
    else:
        known = mean_of_neighbours(file.parent, stage)
        weight_of /= np.sqrt(1.0 + ((predictions(features, known) - labels) / OUTLIER) ** 2)
    weights = fit(features, labels, weight_of, known, part.ridge, part.steps)
    errors = np.abs(predictions(features_of(test.own, test.opponent), weights) - test.score)
    found = {
        "stage": stage,
        "positions": len(train.own),
        "tested": len(test.own),
        "mean_error": float(errors.mean()) if len(errors) else None,
    }
    content = io.BytesIO()
    np.save(content, weights)
    write_text(file.with_suffix(".json"), json.dumps(found))
    write_bytes(file, content.getvalue())


def main() -> None:
    """Run the command."""
    parser = parallel.command("training.fit", __doc__, "weights and errors")
    parser.add_argument("positions", type=parallel.path, nargs="+", help="files of games")
    arguments = parallel.parsed(parser, "positions")
    folder: Path = arguments.out
    for part in ROUNDS:
        tasks = {part.file(folder, stage): (arguments.positions, stage, part) for stage in reversed(part.stages)}
        parallel.make_missing(fit_stage, tasks, arguments, f"stages, {part.name} round")
    files = [ROUNDS[-1].file(folder, stage) for stage in range(STAGES)]
    weights = np.stack([np.load(file) for file in files])
    assert weights.shape == (STAGES, UNKNOWNS)
    write_bytes(folder / "weights.bin", pack(np.rint(weights * UNITS).astype(np.int16)))
    for file in files:
        print(file.with_suffix(".json").read_text())


if __name__ == "__main__":
    parallel.run("training.fit")
