"""Measure the error of the evaluation: `python -m training.errors POSITIONS.npz --weights FILE`.

Prints, by number of empty squares, the mean error in discs with its 95 % interval, and the root mean square error.
`training.exact` makes positions with exact scores.
"""

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from othello.engine.engine import Engine
from othello.engine.evaluation import evaluate, write_numbers
from othello.search.stop import StopFlag
from training import parallel
from training.positions import Positions, read
from training.selfplay import add_weights_option, weights_of


def errors(data: Positions, weights: Path | None) -> NDArray[np.float64]:
    """Return evaluation minus score in discs, one per position; `weights`: a file, or None for untrained weights."""
    search = Engine(1 << 4, StopFlag(), weights_of(weights)).search
    values = np.empty(len(data.own))
    for index, (own, opponent) in enumerate(zip(data.own, data.opponent, strict=True)):
        write_numbers(own, opponent, search.numbers, 0)
        values[index] = evaluate(own, opponent, search.numbers, 0, search.weights)
    return np.abs(values - data.score)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m training.errors", description=__doc__)
    parser.add_argument("positions", type=parallel.path, nargs="+", help="files that commands made")
    parser.add_argument("--held-out", action="store_true", help="leave out games that a fit is trained on")
    add_weights_option(parser)
    arguments = parser.parse_args()
    data = read(arguments.positions)
    if arguments.held_out:
        data = data.where(data.held_out)
    found = errors(data, arguments.weights)
    print("empties positions   mean error     root of its mean square")
    for empties in np.unique(data.empties)[::-1].tolist():
        those = found[data.empties == empties]
        interval = 1.96 * float(those.std()) / len(those) ** 0.5
        root = float(np.mean(those**2)) ** 0.5
        print(f"{empties:>7} {len(those):>9} {those.mean():>7.2f} +- {interval:.2f} {root:>12.2f}")


if __name__ == "__main__":
    parallel.run("training.errors")
