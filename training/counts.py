"""Measure levels where the engine does not play: `python -m training.counts CONFIG --counts 8 20 50 --out FOLDER`.

CONFIG is a config file: its game, rules and `tournament.opening_plies` are played. The levels are `mcts_uct` with these
counts of simulations, the weakest first. As `training.levels` does it, each plays against its neighbours and the next
but one, the weakest against random play, whose rating is 0, in pairs of games with colours swapped. Pairs are kept in
the folder; called again, with other counts too, only missing ones are played, and all of them make the ratings. The
entry for `assets/levels-mcts.json` is written to FOLDER/levels.json, and counts are proposed that would make the steps
even.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from itertools import combinations
from pathlib import Path
from typing import Final

import numpy as np

from othello.config import PlayerConfig
from othello.config_file import load
from othello.play.referee import Job
from othello.play.seeding import game_seeds, seeds_of_one_opening
from othello.players.counts import COUNT, CountedLevel
from othello.players.registry import configure
from othello.rules.protocol import Color, GameSpec
from othello.tournament.crew import play_game
from othello.writing import write_text
from training import crew
from training.levels import REACH, ratings

RANDOM: Final = 0
"""The place of random play among the players, and its "count"."""


def player(count: int) -> PlayerConfig:
    """Who searches so many simulations a move, as the levels do."""
    return configure("mcts_uct", simulation_count=count, mcts_solver=False) if count else configure("random")


def play_pair(file: Path, counts: tuple[int, int], spec: GameSpec, opening_plies: int, games: int, seed: int) -> None:
    """Play some games of a pair and keep what the first scored."""
    players, points = [player(count) for count in counts], 0.0
    own_seed = int(np.random.SeedSequence([seed, *counts]).generate_state(1)[0])
    for number, opening in enumerate(game_seeds(own_seed, games // 2)):
        for color, game_seed in zip(Color, seeds_of_one_opening(opening, 2), strict=True):
            pair = (players[color], players[color.opponent])
            job = Job(2 * number + color + 1, number + 1, pair, spec, game_seed, opening_plies)
            points += play_game(job).points(color)
    write_text(file, json.dumps([*counts, points, games // 2 * 2]))


def even_counts(counts: list[int], elo: list[float]) -> list[int]:
    """Ten counts whose ratings are about evenly spaced, as far as those that were measured tell.

    Args:
        counts: those that were measured, random play first.
        elo: their ratings.
    """
    rising = np.maximum.accumulate(elo)
    wanted = np.linspace(rising[0], rising[-1], COUNT + 1)[1:]
    found = np.exp(np.interp(wanted, rising + 1e-6 * np.arange(len(rising)), np.log(np.maximum(counts, 1))))
    return [round(count) for count in found.tolist()]


def main() -> None:
    """The command."""
    parser = crew.command("training.counts", __doc__, "the results of pairs")
    parser.add_argument("config", type=crew.path, help="a config file, for its game, rules and opening")
    parser.add_argument("--counts", type=crew.positive, nargs="+", required=True, help="simulations a move, rising")
    parser.add_argument("--games", type=crew.positive, default=200, help="a pair (default: 200)")
    arguments = crew.parsed(parser, "config", "games")
    folder: Path = arguments.out
    config, counts = load(arguments.config), [RANDOM, *arguments.counts]
    how = (config.game, config.tournament.opening_plies, arguments.games, arguments.seed)
    tasks = {
        folder / f"pair-{counts[first]:06}-{counts[second]:06}.json": ((counts[first], counts[second]), *how)
        for first, second in combinations(range(len(counts)), 2)
        if second - first <= REACH
    }
    crew.make_missing(play_pair, tasks, arguments, "pairs")
    played = [json.loads(file.read_text()) for file in sorted(folder.glob("pair-*.json"))]
    known = sorted({count for first, second, _, _ in played for count in (first, second)})
    scores = [(known.index(first), known.index(second), points, games) for first, second, points, games in played]
    elo, margins = (dict(zip(known, found.tolist(), strict=True)) for found in ratings(scores, len(known)))
    levels = []
    for count in arguments.counts:
        games = sum(number for first, second, _, number in played if count in (first, second))
        levels.append(CountedLevel(count, round(elo[count]), round(margins[count]), games))
        print(f"{count:>7} {elo[count]:6.0f} +- {margins[count]:.0f} in {games} games")
    print("measured:", ", ".join(f"{count} {strength:.0f}" for count, strength in elo.items()))
    print("even steps:", *even_counts(known, list(elo.values())))
    entry = {
        "game": config.game.game,
        "rules": dict(config.game.options),
        "levels": [asdict(level) for level in levels],
    }
    write_text(folder / "levels.json", json.dumps(entry, indent=2) + "\n")


if __name__ == "__main__":
    crew.run("training.counts")
