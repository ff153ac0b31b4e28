"""Measure which levels searches correspond to in Othello: `python -m training.places --out FOLDER --games N`.

Each search in SEARCHES plays the levels, the weakest first, until it scores less than LOST_SHARE of the points, in game
pairs after OPENING_PLIES random moves. Its rating is the most likely one, given the ratings in `assets/levels.json`.
Each search is a file in FOLDER; a second run plays only missing ones. The file for `assets/places.json` is written to
FOLDER/places.json: for each player type pairs of an option's value and a rating.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from othello.engine.engine_levels import COUNT, levels
from othello.files import write_text
from othello.players.player_registry import PLAYERS, configure, create_player
from othello.rules.registry import game_spec
from othello.schema import options_of
from training import parallel
from training.counts import points_of

OPENING_PLIES: Final = 6
LOST_SHARE: Final = 0.2
_SIMULATIONS: Final = (30, 100, 300, 1_000, 3_000, 10_000)
_EPISODES: Final = (100, 1_000, 5_000)
SEARCHES: Final[Mapping[str, Sequence[int | None]]] = {
    "random": (None,),
    "simple_heuristic": (None,),
    "heuristic": (1, 2, 3, 4, 6, 8),
    "mcts_uct": _SIMULATIONS,
    "mcts_ucb1": _SIMULATIONS,
    "mcts_grouping": _SIMULATIONS,
    "q_learning": _EPISODES,
    "sarsa": _EPISODES,
}
"""Player types, and values of the option that sets their strength; None: no such option."""


def measure(file: Path, player_type: str, value: int | None, games: int, seed: int) -> None:
    """Measure the rating of a search and store it."""
    spec, points = game_spec(), []
    options = options_of(PLAYERS[player_type].config_type).values()
    strength = {option.name: value for option in options if option.is_strength}
    with create_player(configure(player_type, **strength), spec) as search:
        for level in range(1, COUNT + 1):
            own_seed = int(np.random.SeedSequence([seed, level, value or 0]).generate_state(1)[0])
            with create_player(configure("engine", level=level), spec) as opponent:
                points.append(points_of([search, opponent], spec, OPENING_PLIES, games, own_seed))
            if points[-1] < LOST_SHARE * games:
                break
    write_text(file, json.dumps([player_type, value, rating(points, games)]))


def rating(points: Sequence[float], games: int) -> int:
    """Return the most likely Elo for points against the levels, with one draw added for each level."""
    low, high = -500.0, 5000.0
    while high - low > 0.5:
        elo = (low + high) / 2
        chances = (1 / (1 + 10 ** ((level.elo - elo) / 400)) for level in levels()[: len(points)])
        if sum(points) + 0.5 * len(points) > (games + 1) * sum(chances):
            low = elo
        else:
            high = elo
    return round(low)


def main() -> None:
    """Run the command."""
    parser = parallel.command("training.places", __doc__, "the ratings of searches")
    parser.add_argument("--games", type=parallel.positive, default=100, help="against each level (default: 100)")
    arguments = parallel.parsed(parser, "games")
    folder: Path = arguments.out
    tasks = {
        folder / f"place-{player_type}-{value}.json": (player_type, value, arguments.games, arguments.seed)
        for player_type, values in SEARCHES.items()
        for value in values
    }
    parallel.make_missing(measure, tasks, arguments, "searches")
    found: dict[str, list[tuple[int | None, int]]] = {}
    for file in tasks:
        player_type, value, elo = json.loads(file.read_text())
        found.setdefault(player_type, []).append((value, elo))
        print(f"{player_type:<16} {value or '':>6} {elo:6}")
    rows = ",\n".join(f"  {json.dumps(player_type)}: {json.dumps(rows)}" for player_type, rows in found.items())
    write_text(folder / "places.json", f"{{\n{rows}\n}}\n")


if __name__ == "__main__":
    parallel.run("training.places")
