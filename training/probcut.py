"""Fit the margins of the selective search: `python -m training.probcut POSITIONS.npz --out FOLDER`.

Positions of games that were held out are searched without selective cuts, depth after depth, and with few empty
squares to the end. The deviations of all pairs of depths are fitted with the model of `othello.engine.probcut`; the
coefficients printed belong there. Every sample is kept in the folder; called again, only missing ones are searched.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from othello.engine.engine import Bounds, Engine
from othello.engine.table import EXACT
from othello.search.stop import StopFlag
from training import crew, positions

EMPTIES: Final = range(12, 52, 3)
DEPTH: Final = 10
SOLVED_FROM: Final = 21
NODES: Final = 4_000_000
LEAST: Final = 8
"""So many values make a deviation."""


def search_sample(file: Path, folder: Path, seed: int, sample: int) -> int:
    """Search one position for every number of empty squares, and keep the values by depth; the end's are at 0."""
    data = positions.read([file], min(EMPTIES), max(EMPTIES))
    random = np.random.default_rng([seed, sample])
    engine = Engine(1 << 20, StopFlag())
    found = []
    for empties in EMPTIES:
        place = random.choice(np.flatnonzero(data.held_out & (data.empties == empties)))
        boards = int(data.own[place]), int(data.opponent[place])
        engine.forget()
        values = {
            step.depth: step.value
            for step in engine.deepen(*boards, Bounds(DEPTH, exact_empties=0, nodes=NODES, confidence=EXACT))
        }
        if empties <= SOLVED_FROM:
            *_, last = engine.deepen(*boards, Bounds())
            values[0] = last.value
        found.append((empties, values))
    (folder / f"sample-{sample:05}.json").write_text(json.dumps(found))
    return sample


def fit(samples: list[tuple[int, dict[int, int]]], to_end: bool) -> NDArray[np.float64]:
    """The coefficients of the model, by least squares on logarithms, each pair of depths by its number of positions."""
    rows, logs, counts = [], [], []
    for empties in EMPTIES:
        values = [found for those, found in samples if those == empties]
        for deep in [0] if to_end else range(2, DEPTH + 1):
            for shallow in range(1, DEPTH if to_end else deep):
                pairs = [found[deep] - found[shallow] for found in values if deep in found and shallow in found]
                if len(pairs) >= LEAST:
                    rows.append((1.0, empties, deep or empties, shallow))
                    logs.append(np.log(max(float(np.std(pairs)), 0.5)))
                    counts.append(len(pairs) ** 0.5)
    weights = np.array(counts)
    return np.asarray(np.linalg.lstsq(np.array(rows) * weights[:, None], np.array(logs) * weights, rcond=None)[0])


def main() -> None:
    """The command."""
    parser = crew.command("training.probcut", __doc__, "the samples")
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
    samples = [
        (empties, {int(depth): value for depth, value in values.items()})
        for file in sorted(folder.glob("sample-*.json"))
        for empties, values in json.loads(file.read_text())
    ]
    for name, to_end in (("MIDDLE", False), ("END", True)):
        print(
            name,
            tuple(round(float(coefficient), 4) for coefficient in fit(samples, to_end)),
            f"{len(samples)} positions",
        )


if __name__ == "__main__":
    main()
