"""The player without a plan: every move is as likely as any other, however many there are."""

from collections import Counter

import pytest

from othello.players.player_registry import configure
from othello.rules.othello import OthelloPosition
from tests.chi_square import bound_of_chi_square, distance
from tests.player_factory import answer
from tests.positions import RULES, START, with_empties, with_many_moves


@pytest.mark.parametrize("position", [START, *with_empties(1, 30), *with_empties(1, 6), *with_many_moves(2, 22)])
def test_every_move_is_as_likely(position: OthelloPosition) -> None:
    moves, games = RULES.legal_moves(position), 3000
    played = Counter(int(answer(configure("random"), position, seed).move) for seed in range(games))
    chi_square, degrees = distance(played, dict.fromkeys(moves, games / len(moves)))
    assert chi_square < bound_of_chi_square(degrees)
    assert played.keys() <= set(moves)
