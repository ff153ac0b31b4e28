"""Measure whether a stored search tree makes its player stronger: by what the tree learns from, and by games played.

The player meets itself without a file; both reuse their tree from move to move, so the file is the only difference.
Games start from the start position or from a few openings, each played twice with colours swapped. The score is that of
the player with the file, with its 95 % interval, in blocks of games.

    python -m benchmarks.stored_tree [--game othello] [--games 2000] [--blocks 4] [--simulations 100] [--openings 4]
"""

import argparse
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks.duels import opening, pair
from othello.players.mcts_player import TREES_LEARN
from othello.players.player_registry import configure, create_player
from othello.rules.registry import GAMES, game_spec
from othello.tournament.statistics import PairScores


def pairs(options: dict[str, Any], own: dict[str, Any], game: str, openings: int, plies: int) -> Iterator[float]:
    """Yield the points of the player with `options` in each game pair."""
    spec = game_spec(game)
    sides = [create_player(configure("mcts_uct", **options, **more), spec) for more in (own, {"mcts_reuse_tree": True})]
    for seed in count():
        total = 0.0
        for played, points in pair(sides, opening(spec, plies, seed % openings), seed):
            sides[0].game_over(played)
            total += points
        yield total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=GAMES, default="othello")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--blocks", type=int, default=4)
    parser.add_argument("--simulations", type=int, default=100)
    parser.add_argument("--openings", type=int, default=4)
    parser.add_argument("--plies", type=int, default=0)
    arguments = parser.parse_args()
    options = {"simulation_count": arguments.simulations, "mcts_solver": False}
    print("| learns from | games | score (95 %) |\n| --- | ---: | ---: |")
    for learns in TREES_LEARN:
        with tempfile.TemporaryDirectory() as folder:
            own = {"mcts_tree_file": str(Path(folder, "tree.npz")), "mcts_tree_file_updates": learns}
            played = pairs(options, own, arguments.game, arguments.openings, arguments.plies)
            for block in range(arguments.blocks):
                units = PairScores()
                for _ in range(arguments.games // arguments.blocks // 2):
                    units.add(2, next(played))
                score, last = units.interval, units.games * (block + 1)
                games = f"{last - units.games + 1:,} to {last:,}"
                told = f"{score.estimate:.1%} ({score.low:.1%} to {score.high:.1%})"
                print(f"| {learns} | {games} | {told} |", flush=True)


if __name__ == "__main__":
    main()
