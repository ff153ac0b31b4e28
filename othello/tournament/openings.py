"""Openings that give neither side an advantage, so that short matches between equal players do not all look alike."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from othello.game import AnyGame
from othello.players.player import Player, choose
from othello.players.registry import configure, create_player
from othello.rules.protocol import GameSpec

_JUDGE: Final = configure("heuristic", depth=6)
_BALANCE: Final = 10.0
"""Largest score that counts as balanced. Of published balanced openings of eight plies half pass, of random ones a
third; the judge's scores of the former scatter by 16 around -7, of the latter by 38."""
_TRIES: Final = 50


def balanced_opening(start: AnyGame, plies: int, seed: int) -> AnyGame:
    """The first of up to 50 random continuations that is balanced, else the most balanced of them.

    Args:
        start: the game to continue.
        plies: moves to make, passes included.
        seed: the same seed gives the same opening.

    Returns:
        The continued game; the side to move has a choice.
    """
    if plies == 0:
        return start
    random = np.random.default_rng(np.random.SeedSequence([seed, plies]))
    best, best_score = start, np.inf
    for _ in range(_TRIES):
        game = _random_game(start, plies, random)
        if game.is_over or game.must_pass:
            continue
        score = abs(choose(_judge(start.rules.spec), game).value or 0.0)
        if score < best_score:
            best, best_score = game, score
        if best_score <= _BALANCE:
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
def _judge(spec: GameSpec) -> Player:
    player = create_player(_JUDGE, spec)
    player.prepare()
    return player
