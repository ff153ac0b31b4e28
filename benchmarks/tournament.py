"""Measure how tournaments scale: the parent's memory over many games, and two processes against one.

Needs the extra `test`. Runs the program as a user would, with a results file.

    python benchmarks/tournament.py [--games 100000] [--turns 3]
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any, Final

import psutil

_MIB: Final = 1 << 20
_POLL_SECONDS: Final = 0.1
_REPORT: Final = Path(__file__).parents[1] / "examples" / "report.json"
_REPETITIONS: Final = 50  # of the 12 games of the report


def run(config: dict[str, Any], folder: Path) -> tuple[float, float]:
    """Play a tournament without a window; return its seconds and the peak memory of the parent process in MiB."""
    file, results = folder / "config.json", folder / "games.jsonl"
    file.write_text(json.dumps(config), encoding="utf-8")
    command = [sys.executable, "-m", "othello", "--config", str(file), "--headless", "--overwrite"]
    began = time.perf_counter()
    process = psutil.Popen([*command, "--output", str(results)], stdout=subprocess.DEVNULL)
    most = 0
    while process.poll() is None:
        try:
            most = max(most, process.memory_info().rss)
        except psutil.NoSuchProcess:
            break
        time.sleep(_POLL_SECONDS)
    if process.wait() != 0:
        raise SystemExit("the tournament failed")
    return time.perf_counter() - began, most / _MIB


def measure_memory(games: int, folder: Path) -> None:
    config = {
        "game_type": "tournament",
        "seed": 1,
        "players": [{"player_type": "random"}, {"player_type": "random"}],
        "tournament": {"format": "round_robin", "games_per_pair": games},
    }
    seconds, most = run(config, folder)
    speed = f"{games / seconds:,.0f} games a second"
    print(f"{games:,} games of random against random: parent {most:.0f} MiB at most, {speed}", flush=True)


def measure_efficiency(turns: int, folder: Path) -> None:
    report = json.loads(_REPORT.read_text(encoding="utf-8")) | {"game_repetitions": _REPETITIONS}
    del report["$schema"]
    efficiencies = []
    for _ in range(turns):
        one, two = (
            run({**report, "tournament": {"format": "paired", "processes": processes}}, folder)[0]
            for processes in (1, 2)
        )
        efficiencies.append(one / two / 2)
        print(
            f"{12 * _REPETITIONS} games: one process {one:.1f} s, two {two:.1f} s, efficiency {one / two / 2:.0%}",
            flush=True,
        )
    print(f"efficiency of two processes, median of {turns} turns: {median(efficiencies):.0%}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--turns", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run(json.loads(_REPORT.read_text(encoding="utf-8")), Path(folder))  # compiles
        measure_memory(arguments.games, Path(folder))
        measure_efficiency(arguments.turns, Path(folder))


if __name__ == "__main__":
    main()
