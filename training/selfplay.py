"""Make positions with labels: `python -m training.selfplay --out FOLDER --batches N --seed N`.

A game starts with up to FREE_PLIES random moves. Then the engine plays both sides without selective cuts, and solves
the endgame. Positions of the endgame have exact labels, earlier ones the final score. A batch is a file; a second run
plays only missing batches.
"""

import argparse
from pathlib import Path
from typing import Final

import numpy as np

from othello.engine.book import after
from othello.engine.engine import Bounds, Engine, no_weights
from othello.engine.evaluation import Weights
from othello.engine.transposition_table import EXACT
from othello.engine.weights import load
from othello.resources import asset
from othello.rules.othello.scalar_bits import mobility, squares
from othello.search.stop import StopFlag
from training import parallel
from training.positions import Positions, write

GAMES_A_BATCH: Final = 200
FREE_PLIES: Final = 44
START: Final = (1 << 28 | 1 << 35, 1 << 27 | 1 << 36)

UNTRAINED: Final = "none"

Row = tuple[int, int, int, int]
"""Own discs, opposing discs, score, empty squares."""


def random_opening(random: np.random.Generator) -> tuple[int, int]:
    """Return the boards after some random moves."""
    own, opponent = START
    for _ in range(int(random.integers(4, FREE_PLIES + 1))):
        moves = list(squares(mobility(own, opponent)))
        if not moves:
            return random_opening(random)
        own, opponent, _ = after(own, opponent, moves[int(random.integers(len(moves)))])
    return own, opponent


def self_play(engine: Engine, bounds: Bounds, own: int, opponent: int) -> list[Row]:
    """Play a game from the boards, and return its positions with labels."""
    rows: list[Row] = []
    turn = 1
    while mobility(own, opponent):
        *_, found = engine.deepen(own, opponent, bounds)
        rows.append((own, opponent, turn, 64 - (own | opponent).bit_count()))
        own, opponent, side = after(own, opponent, found.move)
        turn *= side
    difference = own.bit_count() - opponent.bit_count()
    left = 64 - (own | opponent).bit_count()
    score = turn * (difference + left * ((difference > 0) - (difference < 0)))
    return [(own, opponent, turn * score, empties) for own, opponent, turn, empties in rows]


def weights_of(file: Path | None) -> Weights:
    """Read weights from a file; None: return untrained weights."""
    return no_weights() if file is None else load(file)


def play_batch(file: Path, seed: int, batch: int, bounds: Bounds, weights: Path | None) -> int:
    """Play a batch of games, write its file, and return the number of positions."""
    engine = Engine(1 << 16, StopFlag(), weights_of(weights))
    random = np.random.default_rng([seed, batch])
    rows: list[Row] = []
    games: list[int] = []
    for game in range(GAMES_A_BATCH):
        engine.forget()
        found = self_play(engine, bounds, *random_opening(random))
        rows += found
        games += [batch * GAMES_A_BATCH + game] * len(found)
    own, opponent, score, empties = zip(*rows, strict=True)
    data = Positions(
        np.array(own, np.uint64),
        np.array(opponent, np.uint64),
        np.array(score, np.int8),
        np.array(empties, np.uint8),
        np.array(games, np.uint32),
    )
    write(file, data)
    return len(rows)


def add_weights_option(parser: argparse.ArgumentParser) -> None:
    """Add the option for the file of weights."""
    parser.add_argument(
        "--weights",
        type=lambda text: None if text == UNTRAINED else parallel.path(text),
        default=asset("engine-weights.bin"),
        metavar="FILE",
        help=f"{UNTRAINED}: untrained ones (default: the program's own)",
    )


def command(module: str, description: str | None, batch: str, solve_from: int) -> argparse.ArgumentParser:
    """Return a parser for commands that make batches."""
    parser = parallel.command(module, description, "the batches")
    parser.add_argument("--batches", type=parallel.positive, default=100, help=f"{batch} each (default: 100)")
    parser.add_argument("--depth", type=parallel.positive, default=6, help="plies (default: 6)")
    parser.add_argument(
        "--solve-from", type=parallel.positive, default=solve_from, metavar="EMPTIES", help=f"(default: {solve_from})"
    )
    add_weights_option(parser)
    return parser


def main() -> None:
    """Run the command."""
    parser = command("training.selfplay", __doc__, f"{GAMES_A_BATCH} games", solve_from=18)
    arguments = parallel.parsed(parser, "depth", "solve_from", "weights")
    bounds = Bounds(arguments.depth, arguments.solve_from, confidence=EXACT)
    parallel.make_batches(play_batch, (bounds, arguments.weights), arguments, "batches of games")


if __name__ == "__main__":
    parallel.run("training.selfplay")
