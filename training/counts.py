"""Measure levels of the MCTS player: `python -m training.counts CONFIG --levels 8 20 50 --out FOLDER`.

CONFIG is a config file whose game, rules and `tournament.opening_plies` are used. A level is a number of simulations
(`20`), or depth and temperature of alpha-beta (`1/40`). As in `training.levels`, each level plays the next two, and the
weakest one plays random play, whose rating is 0, in game pairs. Each pairing is a file in FOLDER; a second run, also
with other levels, plays only missing pairings, and all of them count for the ratings. The entry for
`assets/levels-mcts.json` is written to FOLDER/levels.json.
"""

import json
from dataclasses import asdict, replace
from itertools import combinations
from pathlib import Path
from typing import Final

import numpy as np

from othello.config_file import load
from othello.files import write_text
from othello.game import Game
from othello.play.seeding import game_seeds, opening_seed, player_seed, seeds_of_one_opening
from othello.play.start_positions import balanced_opening
from othello.players.engine_player import StandIn
from othello.players.mcts_levels import MctsLevel
from othello.players.player import ComputerConfig, Player, choose
from othello.players.player_registry import configure, create_player
from othello.rules.protocol import Color, GameSpec
from othello.rules.registry import rules_of
from training import parallel
from training.levels import REACH, ratings

RANDOM: Final = "0"
"""The text of random play, as a level."""


def level(text: str) -> MctsLevel:
    """Parse a level such as `20` or `1/40`.

    Raises:
        ValueError: the text is no level.
    """
    first, *temperature = text.split("/")
    if not temperature:
        return MctsLevel(parallel.positive(first))
    return MctsLevel(depth=parallel.positive(first), temperature=float(*temperature))


def player(text: str, spec: GameSpec) -> Player:
    """Return the player of a level."""
    if text == RANDOM:
        return create_player(configure("random"), spec)
    config = configure("engine", level=1)
    assert isinstance(config, ComputerConfig)
    return StandIn(config, rules_of(spec), level(text))


def play_pair(file: Path, names: tuple[str, str], spec: GameSpec, opening_plies: int, games: int, seed: int) -> None:
    """Play some games of a pairing, and store the points of the first player."""
    own_seed = int(np.random.SeedSequence([seed, *"/".join(names).encode()]).generate_state(1)[0])
    points = points_of([player(name, spec) for name in names], spec, opening_plies, games, own_seed)
    write_text(file, json.dumps([*names, points, games // 2 * 2]))


def points_of(players: list[Player], spec: GameSpec, opening_plies: int, games: int, seed: int) -> float:
    """Return the points of the first of two players in game pairs from random openings."""
    points = 0.0
    for opening in game_seeds(seed, games // 2):
        seeds = seeds_of_one_opening(opening, 2)
        start = balanced_opening(Game.new(rules_of(spec)), opening_plies, opening_seed(seeds[0]))
        for color, game_seed in zip(Color, seeds, strict=True):
            for side, each in zip((color, color.opponent), players, strict=True):
                each.new_game(player_seed(game_seed, side))
            game = start
            while not game.is_over:
                game = game.play(choose(players[game.to_move != color], game).move)
            outcome = rules_of(spec).outcome(game.position)
            assert outcome is not None
            points += 0.5 if outcome.winner is None else float(outcome.winner is color)
    return points


def main() -> None:
    """Run the command."""
    parser = parallel.command("training.counts", __doc__, "the results of pairs")
    parser.add_argument("config", type=parallel.path, help="a config file, for its game, rules and opening")
    parser.add_argument(
        "--levels", nargs="+", required=True, help="simulations, or depth/temperature, the weakest first"
    )
    parser.add_argument("--games", type=parallel.positive, default=200, help="a pair (default: 200)")
    arguments = parallel.parsed(parser, "config", "games")
    folder: Path = arguments.out
    config, names = load(arguments.config), list(dict.fromkeys([RANDOM, *arguments.levels]))
    how = (config.game, config.tournament.opening_plies, arguments.games, arguments.seed)
    tasks = {
        folder / f"pair-{first}-{second}.json".replace("/", "_"): ((first, second), *how)
        for (place, first), (later, second) in combinations(enumerate(names), 2)
        if later - place <= REACH
    }
    parallel.make_missing(play_pair, tasks, arguments, "pairs")
    played = [json.loads(file.read_text()) for file in sorted(folder.glob("pair-*.json"))]
    known = list(dict.fromkeys([RANDOM, *(name for first, second, _, _ in played for name in (first, second))]))
    scores = [(known.index(first), known.index(second), points, games) for first, second, points, games in played]
    found = {}
    for name, elo, margin in sorted(zip(known, *ratings(scores, len(known)), strict=True), key=lambda each: each[1]):
        games = sum(number for first, second, _, number in played if name in (first, second))
        print(f"{name:>9} {elo:6.0f} +- {margin:.0f} in {games} games")
        found[name] = {"elo": round(elo), "margin": round(margin), "games": games}
    levels = [replace(level(name), **found[name]) for name in arguments.levels]
    entry = {
        "game": config.game.game,
        "rules": dict(config.game.options),
        "levels": [asdict(each) for each in levels],
    }
    write_text(folder / "levels.json", json.dumps(entry, indent=2) + "\n")


if __name__ == "__main__":
    parallel.run("training.counts")
