"""Measure the value of an MCTS player's options: with them against without, at equal simulations, in every game.

Each opening of random moves is played twice with colours swapped. The score is that of the player with the options; its
interval treats a game pair as one observation. The speed is the ratio of both players' simulations per second of
processor time.

    python -m benchmarks.duels '{"mcts_batch": 1}' '{"mcts_batch": 64}' [--against '{"mcts_batch": 8}'] [--games 400]
        [--simulations 300 3000] [--player mcts_uct] [--game othello]

With `--clock`, measure the engine's time management: on a clock against equal time for each move, with the same
processor time in total.

    python -m benchmarks.duels --clock 0.5 1 [--increment 0.01] [--games 400]
"""

import argparse
import json
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np

from othello.game import AnyGame, Game
from othello.play.clock import move_time
from othello.play.start_positions import balanced_opening
from othello.players.mcts_player import MctsPlayer
from othello.players.player import Player, choose, final_report
from othello.players.player_registry import PLAYERS, configure, create_player
from othello.rules.protocol import Color, GameSpec, Move
from othello.rules.registry import game_spec, rules_of
from othello.search.report import SearchReport
from othello.search.stop import StopFlag
from othello.tournament.statistics import PairScores

GAMES: Final = {
    "othello": (game_spec("othello"), 8),
    "ultimate tic-tac-toe": (game_spec("ultimate_tictactoe"), 4),
    "Connect Four": (game_spec("connect_four"), 4),
    "tic-tac-toe 5 x 5": (game_spec("tictactoe", {"size": 5, "win_length": 4}), 2),
    "tic-tac-toe 3 x 3": (game_spec("tictactoe"), 1),
}
"""Rules, and the number of opening plies."""


class Duel(NamedTuple):
    """The result of a match: scores of the first player, and simulations and processor time of both."""

    units: PairScores
    simulations: list[int]
    seconds: list[float]


def opening(spec: GameSpec, plies: int, seed: int) -> AnyGame:
    """Return the position after random moves; tried again if the game ends before."""
    random = np.random.default_rng(seed)
    while True:
        game = Game.new(rules_of(spec))
        while game.ply < plies and not game.is_over:
            game = game.play(Move(int(random.choice(game.legal_moves()))))
        if not game.is_over:
            return game


def pair(
    sides: Sequence[Player], start: AnyGame, seed: int, ask: Callable[[Player, AnyGame], SearchReport] = choose
) -> Iterator[tuple[AnyGame, float]]:
    """Play two games with swapped colours, and return both games and the points of the first player."""
    for first in Color:
        for index, side in enumerate(sides):
            side.new_game(2 * seed + index)
        game = start
        while not game.is_over:
            game = game.play(ask(sides[game.to_move is not first], game).move)
        assert game.outcome is not None
        yield game, 0.5 if game.outcome.winner is None else float(game.outcome.winner is first)


def duel(player_type: str, options: Sequence[dict[str, Any]], game: str, pairs: int) -> Duel:
    """Play a match of two players of the same type."""
    spec, plies = GAMES[game]
    sides = [create_player(configure(player_type, **own), spec) for own in options]
    for side in sides:
        side.prepare()
    found = Duel(PairScores(), [0, 0], [0.0, 0.0])

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


def _score(found: Duel) -> str:
    score = found.units.interval
    return f"{score.estimate:.1%} ({score.low:.1%} to {score.high:.1%})"


class _ProcessorTime(StopFlag):
    """Makes searches measure the time of the process, to exclude other programs on the machine."""

    def clock(self) -> float:
        return time.process_time()


def clock_duel(seconds: float, increment: float, pairs: int) -> Duel:
    """Play a match of the engine on a clock, without its book, against the engine with equal time for each move."""
    spec = game_spec()
    rules = rules_of(spec)
    config = configure("engine", depth=60, book=False, clock_seconds=seconds, increment_seconds=increment)
    sides = [create_player(config, spec) for _ in range(2)]
    for side in sides:
        side.prepare()
    ends = partial(config.solving_seconds, rules)
    found, left, equal = Duel(PairScores(), [0, 0], [0.0, 0.0]), seconds, seconds / 20

    def ask(player: Player, game: AnyGame) -> SearchReport:
        nonlocal left
        begun, index, moves = time.process_time(), sides.index(player), rules.moves_left(game.position)
        plan = equal if index else move_time(left, increment, moves, ends, used=config.allotment_used)
        report = final_report(player, player.think(game, _ProcessorTime(), plan))
        spent = time.process_time() - begun
        found.seconds[index] += spent
        left += 0.0 if index else increment - spent
        return report

    for seed in range(pairs):
        points = 0.0
        for _, won in pair(sides, balanced_opening(Game.new(rules), 8, seed), seed, ask):
            points, left = points + won, seconds
        found.units.add(2, points)
        equal *= found.seconds[0] / found.seconds[1]
    return found


def rows(arguments: argparse.Namespace) -> Iterator[str]:
    for seconds in arguments.clock:
        found = clock_duel(seconds, arguments.increment, arguments.games // 2)
        yield (
            f"| {seconds} s + {arguments.increment} s | {found.units.games:,} | {_score(found)} "
            f"| {found.seconds[0] / found.seconds[1]:.2f} |"
        )
    for game in arguments.game or GAMES:
        for simulations in arguments.simulations:
            for options in arguments.options:
                both = (
                    {"simulation_count": simulations, **options},
                    {"simulation_count": simulations, **arguments.against},
                )
                found = duel(arguments.player, both, game, arguments.games // 2)
                own, other = (count / time for count, time in zip(found.simulations, found.seconds, strict=True))
                yield (
                    f"| {game} | {simulations:,} | {json.dumps(options)} | {found.units.games:,} "
                    f"| {_score(found)} | {own / other:.2f} |"
                )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("options", type=json.loads, nargs="*")
    parser.add_argument("--against", type=json.loads, default={})
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--simulations", type=int, nargs="+", default=[300, 3_000])
    searchers = [name for name, kind in PLAYERS.items() if issubclass(kind, MctsPlayer)]
    parser.add_argument("--player", choices=searchers, default="mcts_uct")
    parser.add_argument("--game", choices=GAMES, nargs="+")
    parser.add_argument("--clock", type=float, nargs="+", default=[])
    parser.add_argument("--increment", type=float, default=0.0)
    arguments = parser.parse_args()
    if arguments.clock:
        print("| clock | games | score (95 %) | processor time |\n| --- | ---: | ---: | ---: |")
    else:
        print(f"{arguments.player} with options, against {json.dumps(arguments.against)}\n")
        print(
            "| game | simulations | options | games | score (95 %) | speed |\n| --- | ---: | --- | ---: | ---: | ---: |"
        )
    for row in rows(arguments):
        print(row, flush=True)


if __name__ == "__main__":
    main()
