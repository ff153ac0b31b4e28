"""Measure the mistakes of the levels: `python -m training.mistakes assets/levels.json --out FOLDER --games N`.

Every level plays itself after RANDOM_PLIES random moves, and the engine evaluates each move. Prints the mean loss in
discs, the share of best moves, and the shares that lose at least 4 and 8 discs, and the same for rated human players
from a deeper search. Each level is a file in FOLDER; a second run plays only missing levels.
"""

import json
from pathlib import Path
from typing import Final

import numpy as np

from othello.engine.book import after
from othello.engine.engine import Bounds, Engine
from othello.engine.engine_levels import Level
from othello.files import write_text
from othello.players.engine_player import PLACES
from othello.rules.othello.scalar_bits import mobility
from othello.rules.protocol import Move
from othello.search.stop import StopFlag
from training import parallel
from training.levels import add_options, answer, opening, read

JUDGE: Final = Bounds(8, exact_empties=14)

PEOPLE: Final = {
    "people rated 1200-1500": (3.1, 48, 36, 14),
    "1500-1700": (2.7, 48, 29, 12),
    "1700-1900": (1.9, 55, 18, 6),
    "1900-2300": (1.0, 66, 11, 1),
    "above": (0.8, 73, 9, 1),
}


def losses(level: Level, games: int, random: np.random.Generator) -> list[int]:
    """Return the loss of each move in discs, without moves that had no alternative."""
    engine, judge = Engine(PLACES, StopFlag()), Engine(1 << 18, StopFlag())
    found = []
    for _ in range(games):
        own, opponent = opening(random)
        while mobility(own, opponent):
            move = answer(engine, level, own, opponent, random)
            if mobility(own, opponent).bit_count() > 1:
                judge.forget()
                *_, judged = judge.deepen(own, opponent, JUDGE, judge_all=True)
                found.append(judged.value - judged.values[Move(move)])
            own, opponent, _ = after(own, opponent, move)
    return found


def play_level(file: Path, number: int, level: Level, games: int, seed: int) -> None:
    """Store the losses of a level's moves."""
    found = losses(level, games, np.random.default_rng([seed, number]))
    write_text(file, json.dumps(found))


def row(name: str, mean: float, best: float, four: float, eight: float) -> str:
    return f"{name:<24} {mean:5.1f} {best:6.0f} % {four:6.0f} % {eight:6.0f} %"


def main() -> None:
    """Run the command."""
    parser = parallel.command("training.mistakes", __doc__, "the results of levels")
    add_options(parser, "a level", 20)
    arguments = parallel.parsed(parser, "settings", "games", "weights")
    tasks = {
        arguments.out / f"mistakes-{number:02}.json": (number, level, arguments.games, arguments.seed)
        for number, level in enumerate(read(arguments.settings), start=1)
    }
    parallel.make_missing(play_level, tasks, arguments, "levels")
    print(f"{'':<24}  loss     best     4 up     8 up")
    for file, (number, level, _, _) in tasks.items():
        lost = np.array(json.loads(file.read_text()))
        shares = [100 * float(np.mean(those)) for those in (lost == 0, lost >= 4, lost >= 8)]
        print(row(f"{number:>2} {level.name}", float(lost.mean()), *shares))
    for name, figures in PEOPLE.items():
        print(row(name, *figures))


if __name__ == "__main__":
    parallel.run("training.mistakes")
