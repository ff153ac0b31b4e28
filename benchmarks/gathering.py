"""Does gathering simulations cost strength? Gathered against one at a time, at equal simulations.

Every opening, random moves from the start, is played twice with colours swapped. The score is the gathered player's;
its interval treats a pair of games as one observation.

    python benchmarks/gathering.py [--games 400] [--simulations 300 3000 30000] [--player mcts_uct] [--processes 2]
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from othello.game import AnyGame, Game
from othello.players.mcts_player import MctsPlayer, batch_size
from othello.players.player import Player, choose
from othello.players.registry import PLAYERS, configure, create_player
from othello.rules.protocol import Color
from othello.rules.registry import game_spec, rules_of

OPENING_PLIES = 8
RULES = rules_of(game_spec())


def random_opening(seed: int) -> AnyGame:
    random = np.random.default_rng(seed)
    game = Game.new(RULES)
    while game.ply < OPENING_PLIES:
        game = game.play(int(random.choice(game.legal_moves())))
    return game


def play(game: AnyGame, players: Sequence[Player]) -> float:
    """Black's points: 1, 0.5 or 0."""
    while not game.is_over:
        game = game.play(choose(players[game.to_move], game).move)
    outcome = game.outcome
    assert outcome is not None
    return 0.5 if outcome.winner is None else float(outcome.winner == Color.BLACK)


def play_pair(task: tuple[str, int, int]) -> float:
    """The gathered player's mean points over both colours of one opening."""
    player_type, simulations, seed = task
    config = configure(player_type, simulation_count=simulations)
    opening = random_opening(seed)

    def players(gathered_is_black: bool) -> list[Player]:
        gathered, single = create_player(config, RULES.spec), create_player(config, RULES.spec)
        gathered.new_game(2 * seed)
        single.new_game(2 * seed + 1)
        assert isinstance(single, MctsPlayer)
        single.most_batched = 1
        return [gathered, single] if gathered_is_black else [single, gathered]

    return (play(opening, players(True)) + 1 - play(opening, players(False))) / 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--simulations", type=int, nargs="+", default=[300, 3_000, 30_000])
    searchers = [name for name, kind in PLAYERS.items() if issubclass(kind, MctsPlayer)]
    parser.add_argument("--player", choices=searchers, default="mcts_uct")
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    print(f"{arguments.player}: gathered against one at a time")
    print("simulations  batch  games  score   95 % interval")
    with ProcessPoolExecutor(arguments.processes) as pool:
        for simulations in arguments.simulations:
            pairs = arguments.games // 2
            tasks = [(arguments.player, simulations, seed) for seed in range(pairs)]
            scores = np.array(list(pool.map(play_pair, tasks, chunksize=4)))
            mean = scores.mean()
            margin = 1.96 * scores.std(ddof=1) / math.sqrt(pairs)
            row = f"{simulations:11,}  {batch_size(simulations):5}  {2 * pairs:5}  {mean:5.1%}"
            print(f"{row}  {mean - margin:5.1%} to {mean + margin:5.1%}", flush=True)


if __name__ == "__main__":
    main()
