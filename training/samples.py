"""Samples of held-out positions and their searches, for fits to the engine's own searches."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from othello.engine.engine import Engine
from othello.errors import FileError
from othello.files import write_text
from othello.resources import asset
from othello.search.stop import StopFlag
from training import parallel, positions

Search = Callable[[Engine, int, int, int, int], Iterable[Any]]
"""Searches with a cleared engine: own and opposing discs, empty squares, and the score of the game."""


def search_sample(
    file: Path, search: Search, empties: range, places: int, source: Path, seed: int, sample: int
) -> None:
    """Search one position for every number of empty squares, and store the results."""
    data = positions.read([source], min(empties), max(empties))
    random = np.random.default_rng([seed, sample])
    engine = Engine(places, StopFlag())
    found: list[Any] = []
    for count in empties:
        choice = np.flatnonzero(data.held_out & (data.empties == count))
        if not len(choice):
            raise FileError(f"{source}: no position that was held out has {count} empty squares")
        place = random.choice(choice)
        engine.forget()
        found += search(engine, int(data.own[place]), int(data.opponent[place]), count, int(data.score[place]))
    write_text(file, json.dumps(found))


def searched(module: str, description: str | None, search: Search, empties: range, places: int) -> list[Any]:
    """Run the command of a module: search missing samples, and return the results of all.

    Args:
        module: name of the module that is run.
        description: of the command.
        search: a function at module level, for other processes.
        empties: numbers of empty squares; a sample has one position for each.
        places: size of the transposition table.
    """
    parser = parallel.command(module, description, "the samples")
    parser.add_argument("positions", type=parallel.path, help="a file that training.selfplay made")
    parser.add_argument(
        "--samples", type=parallel.positive, default=40, help=f"{len(empties)} positions each (default: 40)"
    )
    parser.set_defaults(weights=asset("engine-weights.bin"))
    arguments = parallel.parsed(parser, "positions", "weights")
    tasks = {
        arguments.out / f"sample-{sample:05}.json": (
            search,
            empties,
            places,
            arguments.positions,
            arguments.seed,
            sample,
        )
        for sample in range(arguments.samples)
    }
    parallel.make_missing(search_sample, tasks, arguments, "samples")
    return [found for file in sorted(arguments.out.glob("sample-*.json")) for found in json.loads(file.read_text())]
