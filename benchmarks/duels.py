"""What options of an mcts player are worth: with them against without, at equal simulations, in every game.

Every opening, random moves from the start, is played twice with colours swapped. The score is that of the player with
the options; its interval treats a pair of games as one observation. The speed, in processor time, compares the
simulations a second of the two players.

    python -m benchmarks.duels '{"mcts_batch": 1}' '{"mcts_batch": 64}' [--against '{"mcts_batch": 8}'] [--games 400]
        [--simulations 300 3000] [--player mcts_uct] [--game othello]
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from othello.game import AnyGame, Game
from othello.players.mcts_player import MctsPlayer
from othello.players.player import Player, choose
from othello.players.registry import PLAYERS, configure, create_player
from othello.rules.protocol import Color, GameSpec
from othello.rules.registry import game_spec, rules_of
from othello.search.report import SearchReport
from othello.tournament.statistics import Units

GAMES: Final = {
    "othello": (game_spec("othello"), 8),
    "ultimate tic-tac-toe": (game_spec("ultimate_tictactoe"), 4),
    "Connect Four": (game_spec("connect_four"), 4),
    "tic-tac-toe 5 x 5": (game_spec("tictactoe", {"size": 5, "win_length": 4}), 2),
    "tic-tac-toe 3 x 3": (game_spec("tictactoe"), 1),
}
"""Rules, and how many plies an opening has."""


class Duel(NamedTuple):
    """What a match found: the results of the first player, and simulations and processor time of both."""

    units: Units
    simulations: list[int]
    seconds: list[float]


def opening(spec: GameSpec, plies: int, seed: int) -> AnyGame:
    """Random moves from the start; tried again where the game ends on the way."""
    random = np.random.default_rng(seed)
    while True:
        game = Game.new(rules_of(spec))
        while game.ply < plies and not game.is_over:
            game = game.play(int(random.choice(game.legal_moves())))
        if not game.is_over:
            return game


def pair(
    sides: Sequence[Player], start: AnyGame, seed: int, ask: Callable[[Player, AnyGame], SearchReport] = choose
) -> Iterator[tuple[AnyGame, float]]:
    """Two games with swapped colours, each as it ends, and the points of the first player."""
    for first in Color:
        for index, side in enumerate(sides):
            side.new_game(2 * seed + index)
        game = start
        while not game.is_over:
            game = game.play(ask(sides[game.to_move is not first], game).move)
        assert game.outcome is not None
        yield game, 0.5 if game.outcome.winner is None else float(game.outcome.winner is first)


def duel(player_type: str, options: Sequence[dict[str, Any]], game: str, pairs: int) -> Duel:
    """A match of two players of a type."""
    spec, plies = GAMES[game]
    sides = [create_player(configure(player_type, **own), spec) for own in options]
    for side in sides:
        side.prepare()
    found = Duel(Units(), [0, 0], [0.0, 0.0])

    def ask(player: Player, game: AnyGame) -> SearchReport:
        begun, index = time.process_time(), sides.index(player)
        report = choose(player, game)
        found.seconds[index] += time.process_time() - begun
        found.simulations[index] += report.simulations
        return report

    for seed in range(pairs):
        found.units.add(2, sum(points for _, points in pair(sides, opening(spec, plies, seed), seed, ask)))
    for side in sides:
        side.release()
    return found


def rows(arguments: argparse.Namespace) -> Iterator[str]:
    for game in arguments.game or GAMES:
        for simulations in arguments.simulations:
            for options in arguments.options:
                both = (
                    {"simulation_count": simulations, **options},
                    {"simulation_count": simulations, **arguments.against},
                )
                found = duel(arguments.player, both, game, arguments.games // 2)
                score = found.units.interval
                own, other = (count / time for count, time in zip(found.simulations, found.seconds, strict=True))
                yield (
                    f"| {game} | {simulations:,} | {json.dumps(options)} | {found.units.games:,} "
                    f"| {score.estimate:.1%} ({score.low:.1%} to {score.high:.1%}) | {own / other:.2f} |"
                )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("options", type=json.loads, nargs="+")
    parser.add_argument("--against", type=json.loads, default={})
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--simulations", type=int, nargs="+", default=[300, 3_000])
    searchers = [name for name, kind in PLAYERS.items() if issubclass(kind, MctsPlayer)]
    parser.add_argument("--player", choices=searchers, default="mcts_uct")
    parser.add_argument("--game", choices=GAMES, nargs="+")
    arguments = parser.parse_args()
    print(f"{arguments.player} with options, against {json.dumps(arguments.against)}\n")
    print("| game | simulations | options | games | score (95 %) | speed |\n| --- | ---: | --- | ---: | ---: | ---: |")
    for row in rows(arguments):
        print(row, flush=True)


if __name__ == "__main__":
    main()
