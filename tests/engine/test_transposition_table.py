"""The table that all searches of the engine share."""

import numpy as np

from othello.engine import transposition_table
from othello.kernel.jit import kernel
from tests.positions import random_game

POSITION = random_game(1)[20]
OWN, OPPONENT = np.uint64(POSITION.own), np.uint64(POSITION.opponent)


@kernel
def _probe(
    place: transposition_table.Table, own: np.uint64, opponent: np.uint64
) -> tuple[int, int, int, int, bool, bool]:
    known = transposition_table.probe(place, own, opponent)
    return (
        *transposition_table.bounds_of(known),
        *transposition_table.moves_of(known),
        transposition_table.is_usable(known, 4, 2),
        transposition_table.is_usable(known, 6, 2),
    )


def known(place: transposition_table.Table) -> tuple[int, int, int, int, bool, bool]:
    return _probe(place, OWN, OPPONENT)


def test_bounds_of_the_same_search_close_in() -> None:
    place = transposition_table.new_table(16)
    transposition_table.store(place, OWN, OPPONENT, 3, 4, 6, 19, 6, 2, 1)
    assert known(place) == (6, 64, 19, 64, True, True)
    transposition_table.store(place, OWN, OPPONENT, 9, 10, 8, 20, 6, 2, 1)
    assert known(place) == (6, 8, 19, 20, True, True)  # in the second no move stood out


def test_the_last_move_that_stood_out_is_the_best() -> None:
    place = transposition_table.new_table(16)
    transposition_table.store(place, OWN, OPPONENT, 3, 4, 6, 19, 6, 2, 1)
    transposition_table.store(place, OWN, OPPONENT, 7, 8, 8, 20, 6, 2, 1)
    assert known(place) == (8, 64, 20, 19, True, True)


def test_a_deeper_search_stays_until_it_is_old() -> None:
    place = transposition_table.new_table(16)
    transposition_table.store(place, OWN, OPPONENT, -64, 64, 6, 19, 8, 2, 1)
    transposition_table.store(place, OWN, OPPONENT, -64, 64, 2, 20, 4, 5, 1)
    assert known(place)[:3] == (6, 6, 19)
    transposition_table.store(place, OWN, OPPONENT, -64, 64, 2, 20, 4, 5, 2)
    assert known(place) == (2, 2, 20, 19, True, False)


def test_words_of_two_writers_are_not_found() -> None:
    place = transposition_table.new_table(2)
    transposition_table.store(place, OWN, OPPONENT, -64, 64, 6, 19, 8, 2, 1)
    other = transposition_table.new_table(2)
    transposition_table.store(other, OWN, OPPONENT, -64, 64, -6, 20, 8, 2, 1)
    place[:, 2] = other[:, 2]
    assert known(place)[:3] == (-64, -64, 0)
