"""Make positions with labels: `python -m training.selfplay --out FOLDER --batches N --seed N`.

A game begins with random moves, up to FREE_PLIES of them; then the engine plays both sides without selective cuts, and
perfectly from a number of empty squares on. A position's label is the exact score from there on, and before it what the
rest of the game came to. A batch of games is a file; called again, only missing batches are played.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

from othello.engine.engine import Bounds, Engine, no_weights
from othello.engine.evaluation import Weights
from othello.engine.table import EXACT
from othello.engine.weights import load
from othello.rules.othello_boards import flips, mobility, squares
from othello.search.stop import StopFlag
from training import crew
from training.positions import Positions, write

GAMES_A_BATCH: Final = 200
FREE_PLIES: Final = 44
START: Final = (1 << 28 | 1 << 35, 1 << 27 | 1 << 36)

UNTRAINED: Final = "none"

Row = tuple[int, int, int, int]
"""Own discs, opponent's discs, score, empty squares."""


def play(own: int, opponent: int, move: int) -> tuple[int, int]:
    """The boards after a move, seen from the other side."""
    turned = flips(own, opponent, move)
    return opponent ^ turned, own | turned | 1 << move


def random_opening(random: np.random.Generator) -> tuple[int, int]:
    """The boards after some random moves."""
    own, opponent = START
    for _ in range(int(random.integers(4, FREE_PLIES + 1))):
        moves = list(squares(mobility(own, opponent)))
        if not moves:
            own, opponent = opponent, own
            moves = list(squares(mobility(own, opponent)))
            if not moves:
                return random_opening(random)
        own, opponent = play(own, opponent, moves[int(random.integers(len(moves)))])
    return own, opponent


def self_play(engine: Engine, bounds: Bounds, own: int, opponent: int) -> list[Row]:
    """Positions of one game from the boards on, with their labels."""
    rows: list[Row] = []
    turns, score = [], 0
    turn = 1
    while True:
        if not mobility(own, opponent):
            if not mobility(opponent, own):
                break
            own, opponent, turn = opponent, own, -turn
        *_, found = engine.deepen(own, opponent, bounds)
        empties = 64 - (own | opponent).bit_count()
        rows.append((own, opponent, 0, empties))
        turns.append(turn)
        if found.is_solved:
            score = turn * found.value  # the same in all later positions
        own, opponent = play(own, opponent, found.move)
        turn = -turn
    return [
        (own, opponent, turn * score, empties) for (own, opponent, _, empties), turn in zip(rows, turns, strict=True)
    ]


def weights_of(name: str | None) -> Weights | None:
    """The weights in a file, untrained ones for UNTRAINED, None for the program's own."""
    if name == UNTRAINED:
        return no_weights()
    return None if name is None else load(Path(name))


def play_batch(folder: Path, seed: int, batch: int, bounds: Bounds, weights: str | None = None) -> int:
    """Play a batch of games and write its file; the number of positions."""
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
    write(batch_file(folder, batch), data)
    return len(rows)


def batch_file(folder: Path, batch: int) -> Path:
    """The file of one batch of positions."""
    return folder / f"batch-{batch:05}.npz"


def make_missing(make: Callable[..., int], how: tuple[Any, ...], arguments: argparse.Namespace, title: str) -> None:
    """Have those batches made that have no file yet, and tell of how many positions.

    Args:
        make: makes one of a folder, a seed, the batch's number and `how`, and returns the number of its positions.
        how: what is the same for all batches.
        arguments: of the command; see `crew.command`, and `batches`.
        title: of the bar of progress.
    """
    tasks = [
        (arguments.out, arguments.seed, batch, *how)
        for batch in range(arguments.batches)
        if not batch_file(arguments.out, batch).exists()
    ]
    total = sum(crew.results(make, tasks, arguments, title))
    print(f"{total:,} positions")


def main() -> None:
    """The command."""
    parser = crew.command("training.selfplay", __doc__, "the batches")
    parser.add_argument("--batches", type=int, default=100, help=f"{GAMES_A_BATCH} games each (default: 100)")
    parser.add_argument("--depth", type=int, default=6, help="plies (default: 6)")
    parser.add_argument("--solve-from", type=int, default=18, metavar="EMPTIES", help="(default: 18)")
    parser.add_argument(
        "--weights", metavar="FILE", help=f"to play with; {UNTRAINED}: untrained ones (default: the program's own)"
    )
    arguments = crew.parsed(parser)
    bounds = Bounds(arguments.depth, arguments.solve_from, confidence=EXACT)
    make_missing(play_batch, (bounds, arguments.weights), arguments, "batches of games")


if __name__ == "__main__":
    main()
