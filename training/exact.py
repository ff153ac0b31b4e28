"""Make positions with exact scores: `python -m training.exact POSITIONS.npz --empties 20 --out FOLDER --batches N`.

Positions with so many empty squares are drawn from held-out games, without repetition, and solved. A batch is a file
for `training.errors`; a second run makes only missing batches.
"""

from pathlib import Path
from typing import Final

import numpy as np

from othello.engine.engine import Bounds, Engine
from othello.search.stop import StopFlag
from training import parallel, positions

POSITIONS_A_BATCH: Final = 50


def solve_batch(file: Path, seed: int, batch: int, files: list[Path], empties: int) -> int:
    """Solve a batch of positions, write its file, and return the number of positions."""
    data = positions.read(files, empties, empties)
    data = data.where(data.held_out)
    order = np.random.default_rng(seed).permutation(len(data.own))
    data = data.where(order[POSITIONS_A_BATCH * batch :][:POSITIONS_A_BATCH])
    engine = Engine(1 << 20, StopFlag())
    for index, (own, opponent) in enumerate(zip(data.own.tolist(), data.opponent.tolist(), strict=True)):
        engine.forget()
        *_, found = engine.deepen(own, opponent, Bounds())
        data.score[index] = found.value
    positions.write(file, data)
    return len(data.own)


def main() -> None:
    """Run the command."""
    parser = parallel.command("training.exact", __doc__, "the batches")
    parser.add_argument("positions", type=parallel.path, nargs="+", help="files of games")
    parser.add_argument("--empties", type=parallel.positive, default=20, help="(default: 20)")
    parser.add_argument(
        "--batches", type=parallel.positive, default=30, help=f"{POSITIONS_A_BATCH} positions each (default: 30)"
    )
    arguments = parallel.parsed(parser, "positions", "empties")
    parallel.make_batches(solve_batch, (arguments.positions, arguments.empties), arguments)


if __name__ == "__main__":
    parallel.run("training.exact")
