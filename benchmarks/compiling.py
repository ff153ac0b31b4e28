"""Measure how long each kernel takes to compile with an empty cache, in seconds of processor time.

"itself" is the time of the kernel alone, "in all" includes the kernels that it calls and that nothing needed before.

    python -m benchmarks.compiling [--quick] [--json]
"""

import argparse
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING

from othello.child_process import spawn_context
from othello.config import PlayerConfig
from othello.players.compilation import Task, compile_task, everything
from othello.players.player_registry import configure
from othello.rules.protocol import GameSpec
from othello.rules.registry import game_spec, unusual_options

if TYPE_CHECKING:
    from benchmarks.compile_costs import Cost


def all_costs(*, quick: bool) -> "Iterator[tuple[PlayerConfig, GameSpec, Cost]]":
    """Yield the costs for all players and games; with `quick`, for two players of Othello."""
    quick_tasks = [(configure(kind), game_spec()) for kind in ("mcts_uct", "engine")]
    with tempfile.TemporaryDirectory() as folder:
        for tasks in [quick_tasks] if quick else everything():
            with ProcessPoolExecutor(1, spawn_context()) as process:
                yield from process.submit(costs, tasks, folder).result()


def costs(tasks: Sequence[Task], folder: str) -> list[tuple[PlayerConfig, GameSpec, "Cost"]]:
    """Return what compiling costs for these players with a cache in `folder`. Call this in a new process."""
    os.environ["OTHELLO_CACHE_DIR"] = folder
    from benchmarks.compile_costs import compile_costs

    found = []
    for task in tasks:
        with compile_costs() as each:
            compile_task(task)
        found += [(*task, cost) for cost in each]
    return found


def main(argv: list[str] | None = None) -> None:
    """Print the costs, the most expensive kernel first."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="only mcts_uct and engine in Othello")
    parser.add_argument("--json", action="store_true", help="one line of JSON per kernel instead of a table")
    arguments = parser.parse_args(argv)
    os.environ["OTHELLO_KERNELS"] = "compile"  # ignores precompiled kernels
    found = sorted(all_costs(quick=arguments.quick), key=lambda each: -each[2].self_seconds)
    if arguments.json:
        for player, spec, cost in found:
            print(json.dumps({"player": player.player_type, "game": str(spec), **cost._asdict()}))
        return
    spent: dict[str, float] = {}
    print(f"{'itself, s':>9}{'in all, s':>11}  first needed by")
    for player, spec, cost in found:
        needed_by = f"{player.player_type}, {spec.game} {unusual_options(spec)}".strip()
        spent[needed_by] = spent.get(needed_by, 0.0) + cost.self_seconds
        name = f"{cost.kernel}, for Python" if cost.is_entry else cost.kernel
        print(f"{cost.self_seconds:>9.3f}{cost.seconds:>11.3f}  {needed_by:<32} {name}")
    print()
    for needed_by, seconds in spent.items():
        print(f"{seconds:>9.3f}{'':>11}  {needed_by}")
    print(f"{sum(spent.values()):>9.3f}{'':>11}  {len(found)} kernels")


if __name__ == "__main__":
    main()
