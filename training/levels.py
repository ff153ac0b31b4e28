"""Measure the levels: `python -m training.levels SETTINGS.json --out FOLDER --games N`.

SETTINGS has a list of levels, the weakest first, like `assets/levels.json`. Each level plays the next two, and the
weakest one plays random play, in game pairs after RANDOM_PLIES random moves. Ratings are maximum likelihood estimates;
random play is 0. Each pairing is a file in FOLDER; a second run plays only missing pairings. The settings with their
ratings are written to FOLDER/levels.json.
"""

import argparse
import json
import math
from dataclasses import asdict, replace
from itertools import combinations
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from othello.engine.book import after
from othello.engine.engine import Engine
from othello.engine.engine_levels import Level
from othello.files import measured_levels, write_text
from othello.players.engine_player import PLACES
from othello.resources import asset
from othello.rules.othello.scalar_bits import mobility, squares
from othello.rules.protocol import Move
from othello.search.stop import StopFlag
from training import parallel
from training.selfplay import START

RANDOM_PLIES: Final = 6
REACH: Final = 2
"""Distance of two levels that still play each other."""

RANDOM: Final = Level("random play", 1, 0, None, math.inf, guards_corners=False)


def read(file: Path) -> list[Level]:
    """Read the levels from a file of settings, the weakest first.

    Raises:
        KnowledgeError: the file cannot be read, or has no levels.
    """
    return measured_levels(str(file), lambda document: [Level(**entry) for entry in document["levels"]])


def answer(engine: Engine, level: Level, own: int, opponent: int, random: np.random.Generator) -> int:
    """Return the move of a level."""
    moves = list(squares(mobility(own, opponent)))
    if len(moves) == 1:
        return moves[0]
    random.shuffle(moves)
    if level is RANDOM:
        return moves[0]
    engine.forget()
    empties = 64 - (own | opponent).bit_count()
    errs = level.temperature_at(empties) > 0
    *_, found = engine.deepen(own, opponent, level.bounds(empties), judge_all=errs, order=[*map(Move, moves)])
    return level.pick(found.values, own, opponent, random)


def play_game(
    engine: Engine, sides: tuple[Level, Level], own: int, opponent: int, random: np.random.Generator
) -> float:
    """Play a game, and return the points of the side to move."""
    turn = 1
    while mobility(own, opponent):
        own, opponent, side = after(own, opponent, answer(engine, sides[turn < 0], own, opponent, random))
        turn *= side
    return 0.5 + 0.5 * float(np.sign(turn * (own.bit_count() - opponent.bit_count())))


def opening(random: np.random.Generator) -> tuple[int, int]:
    """Return the discs of both sides after some random moves."""
    own, opponent = START
    for _ in range(RANDOM_PLIES):
        own, opponent, _ = after(own, opponent, int(random.choice(list(squares(mobility(own, opponent))))))
    return own, opponent


def play_pair(file: Path, first: int, second: int, levels: list[Level], games: int, seed: int) -> None:
    """Play some games of a pairing, and store the score of the first level."""
    engine = Engine(PLACES, StopFlag())
    random = np.random.default_rng([seed, first, second])
    points = 0.0
    for _ in range(games // 2):
        boards = opening(random)
        points += play_game(engine, (levels[first], levels[second]), *boards, random)
        points += 1.0 - play_game(engine, (levels[second], levels[first]), *boards, random)
    write_text(file, json.dumps([first, second, points, games // 2 * 2]))


def ratings(scores: list[tuple[int, int, float, int]], count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the most likely Elo of each player, the first being 0, and half of its 95 % interval.

    Uses Newton's method on the Bradley-Terry model. A draw is added to each pairing to keep the ratings finite.
    """
    strengths = np.zeros(count)
    for _ in range(100):
        slope, curve = np.zeros(count), np.zeros((count, count))
        for first, second, points, games in scores:
            chance = 1 / (1 + math.exp(strengths[second] - strengths[first]))
            surplus = (points + 0.5) - (games + 1) * chance
            weight = (games + 1) * chance * (1 - chance)
            slope[[first, second]] += surplus, -surplus
            curve[[first, second], [first, second]] += weight
            curve[[first, second], [second, first]] -= weight
        step = np.linalg.solve(curve[1:, 1:], slope[1:])
        strengths[1:] += np.clip(step, -1, 1)
    errors = np.zeros(count)
    errors[1:] = np.sqrt(np.diag(np.linalg.inv(curve[1:, 1:])))
    scale = 400 / math.log(10)
    return strengths * scale, 1.96 * errors * scale


def add_options(parser: argparse.ArgumentParser, who: str, games: int) -> None:
    """Add the options of the settings and the number of games; the engine's weights also determine the result."""
    parser.add_argument("settings", type=parallel.path, help="a file like assets/levels.json")
    parser.add_argument("--games", type=parallel.positive, default=games, help=f"{who} (default: {games})")
    parser.set_defaults(weights=asset("engine-weights.bin"))


def main() -> None:
    """Run the command."""
    parser = parallel.command("training.levels", __doc__, "the results of pairs")
    add_options(parser, "a pair", 200)
    arguments = parallel.parsed(parser, "settings", "games", "weights")
    folder: Path = arguments.out
    settings = read(arguments.settings)
    players = [RANDOM, *settings]
    tasks = {
        folder / f"pair-{first:02}-{second:02}.json": (first, second, players, arguments.games, arguments.seed)
        for first, second in combinations(range(len(players)), 2)
        if second - first <= REACH
    }
    parallel.make_missing(play_pair, tasks, arguments, "pairs")
    scores = [tuple(json.loads(file.read_text())) for file in sorted(folder.glob("pair-*.json"))]
    elo, margins = ratings(scores, len(players))
    measured = []
    for number, level in enumerate(settings, start=1):
        games = sum(played for first, second, _, played in scores if number in (first, second))
        measured.append(replace(level, elo=round(elo[number]), margin=round(margins[number]), games=games))
        print(f"{number:>2} {level.name:<12} {elo[number]:6.0f} +- {margins[number]:.0f} in {games} games")
    document = {"levels": [asdict(level) for level in measured]}
    write_text(folder / "levels.json", json.dumps(document, indent=2) + "\n")


if __name__ == "__main__":
    parallel.run("training.levels")
