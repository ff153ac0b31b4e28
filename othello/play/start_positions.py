"""Balanced random openings, which give matches between equal players variety."""

from functools import cache
from typing import Final

import numpy as np

from othello.config import PlayerConfig
from othello.frozen_dataclass import FrozenDataclass
from othello.game import AnyGame, Game
from othello.play.referee import GameJob
from othello.players.compilation import prepare
from othello.players.player import Player, choose
from othello.players.player_registry import configure, create_player
from othello.records.openings import book_game
from othello.rules.protocol import GameSpec
from othello.rules.registry import rules_of

_TRIES: Final = 50


class _BalanceMeasure(FrozenDataclass):
    """A player that evaluates a position, and the values that count as balanced."""

    config: PlayerConfig
    even: float  # value of a balanced position
    tolerance: float  # largest deviation from `even` that counts as balanced


_BY_EVALUATION: Final = _BalanceMeasure(configure("heuristic", depth=6), even=0.0, tolerance=10.0)
"""Accepts half of the published balanced openings of eight plies, and a third of random ones.

Its scores of the published openings have a mean of -7 and a deviation of 16, those of random ones a deviation of 38.
"""
_AT_A_GLANCE: Final = _BalanceMeasure(configure("heuristic", depth=2), even=0.0, tolerance=10.0)
"""For games with so many legal moves that a depth of six would take minutes."""
_MANY_MOVES: Final = 30
_BY_PLAYOUTS: Final = _BalanceMeasure(configure("mcts_uct", simulation_count=2000), even=0.5, tolerance=0.02)


def opening_of(job: GameJob) -> AnyGame:
    """Return the game after the opening of a job."""
    if job.opening:
        return book_game(job.opening, rules_of(job.game))
    return balanced_opening(Game.new(rules_of(job.game)), job.opening_plies, job.opening_seed)


def balanced_opening(start: AnyGame, plies: int, seed: int) -> AnyGame:
    """Return the first balanced of up to 50 random continuations, or the most balanced of all.

    The side to move has a choice.

    Args:
        start: the game to continue.
        plies: the length of the opening, passes included.
        seed: the same seed gives the same opening.
    """
    if plies == 0:
        return start
    random = np.random.default_rng(np.random.SeedSequence([seed, plies]))
    best, best_distance = start, np.inf
    for _ in range(_TRIES):
        game = _random_game(start, plies, random)
        if game.is_over or game.must_pass:
            continue
        judge = _BY_EVALUATION if len(game.legal_moves()) <= _MANY_MOVES else _AT_A_GLANCE
        judge = judge if start.rules.evaluation_is_fair else _BY_PLAYOUTS
        distance = abs((choose(_prepared_player(judge.config, start.rules.spec), game).value or 0.0) - judge.even)
        if distance < best_distance:
            best, best_distance = game, distance
        if best_distance <= judge.tolerance:
            break
    return best


def _random_game(game: AnyGame, plies: int, random: np.random.Generator) -> AnyGame:
    for _ in range(plies):
        moves = game.legal_moves()
        if not moves:
            break
        game = game.play(moves[int(random.integers(len(moves)))])
    return game


@cache
def _prepared_player(config: PlayerConfig, spec: GameSpec) -> Player:
    player = create_player(config, spec)
    prepare(player)
    player.new_game(0)
    return player
