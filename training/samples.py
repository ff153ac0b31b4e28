"""Held-out positions, searched sample by sample and kept: where the fits to the engine's own searches come from."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from othello.engine.engine import Engine
from othello.errors import FileError
from othello.resources import asset
from othello.search.stop import StopFlag
from othello.writing import write_text
from training import crew, positions

Search = Callable[[Engine, int, int, int, int], Iterable[Any]]
"""What an engine that has forgotten everything finds: own discs, the opponent's, empty squares, the game's score."""


def search_sample(
    file: Path, search: Search, empties: range, places: int, source: Path, seed: int, sample: int
) -> None:
    """Search one position for every number of empty squares, and keep what is found."""
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
    """Be the command of that module: search the samples that are missing, and read what was found in all of them.

    Args:
        module: whose command it is, with its description.
        search: a function of a module, as other processes call it.
        empties: the numbers of empty squares; a sample is one position each.
        places: positions that the engine remembers.
    """
    parser = crew.command(module, description, "the samples")
    parser.add_argument("positions", type=crew.path, help="a file that training.selfplay made")
    parser.add_argument(
        "--samples", type=crew.positive, default=40, help=f"{len(empties)} positions each (default: 40)"
    )
    parser.set_defaults(weights=asset("engine-weights.bin"))
    arguments = crew.parsed(parser, "positions", "weights")
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
    crew.make_missing(search_sample, tasks, arguments, "samples")
    return [found for file in sorted(arguments.out.glob("sample-*.json")) for found in json.loads(file.read_text())]
