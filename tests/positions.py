"""Othello positions to test with, all from random games of the plain rules and the same in every run."""

import random
from collections.abc import Callable, Iterator
from itertools import count, islice
from typing import Any

from othello.game import AnyGame, Game
from othello.rules.othello import Othello, OthelloPosition
from othello.rules.othello.scalar_bits import PASS, squares
from othello.rules.protocol import Move, Rules

RULES: Rules[Any] = Othello()
"""Known by halves: its positions are Othello's, and it goes wherever any rules do."""
SPEC = RULES.spec
START = RULES.start()
parse_board: Callable[[str], OthelloPosition] = RULES.parse_position
format_board: Callable[[OthelloPosition], str] = RULES.format_position

WIPED_OUT = parse_board("XXX" + "-" * 61 + " O")
"""Finished with empty squares left."""
DRAWN = parse_board("X" * 32 + "O" * 32 + " X")
"""Finished, full, even."""

IMAGES: tuple[Callable[[int, int], tuple[int, int]], ...] = (
    lambda row, column: (row, column),
    lambda row, column: (column, 7 - row),
    lambda row, column: (7 - row, 7 - column),
    lambda row, column: (7 - column, row),
    lambda row, column: (row, 7 - column),
    lambda row, column: (7 - row, column),
    lambda row, column: (column, row),
    lambda row, column: (7 - column, 7 - row),
)
"""Maps of squares: the four turns of the board, then its four mirror images."""
START_IMAGES = [image for image in IMAGES if image(3, 3) in ((3, 3), (4, 4))]
"""The maps that do not change the start."""


def random_game(seed: int) -> list[OthelloPosition]:
    """Every position of a uniformly random game, from the start to the finished one."""
    draw = random.Random(seed)
    positions = [START]
    while moves := RULES.legal_moves(positions[-1]):
        positions.append(RULES.play(positions[-1], draw.choice(moves)))
    return positions


def random_game_of(rules: Rules[Any], seed: int) -> AnyGame:
    """Return a uniformly random game by any rules, from the start to its end."""
    draw, game = random.Random(seed), Game.new(rules)
    while not game.is_over:
        game = game.play(draw.choice(game.legal_moves()))
    return game


def random_positions(number: int, wanted: Callable[[OthelloPosition], bool], seed: int = 0) -> list[OthelloPosition]:
    """Return the first `number` wanted positions, at most one a random game."""

    def found() -> Iterator[OthelloPosition]:
        for game in count(1000 * seed):
            yield from islice(filter(wanted, random_game(game)), 1)

    return list(islice(found(), number))


def with_empties(number: int, empties: int, seed: int = 0) -> list[OthelloPosition]:
    """Unfinished positions with so many empty squares."""
    return random_positions(
        number, lambda position: RULES.moves_left(position) == empties and not is_over(position), seed
    )


def with_forced_pass(number: int, most_empties: int = 64, seed: int = 0) -> list[OthelloPosition]:
    """Positions whose only move is to pass."""
    return random_positions(
        number,
        lambda position: RULES.moves_left(position) <= most_empties and RULES.legal_moves(position) == (PASS,),
        seed,
    )


def with_many_moves(number: int, fewest: int, seed: int = 0) -> list[OthelloPosition]:
    """Positions with so many legal moves, or more."""
    return random_positions(number, lambda position: len(RULES.legal_moves(position)) >= fewest, seed)


def is_over(position: OthelloPosition) -> bool:
    return not RULES.legal_moves(position)


def final_difference(position: OthelloPosition) -> int:
    """Discs of the side to move minus the opponent's."""
    return position.own.bit_count() - position.opponent.bit_count()


def empties_to_winner(black: int, white: int) -> int:
    """Black's disc difference as tournaments score it: empty squares go to the winner, split in a draw."""
    difference = black - white
    empty = 64 - black - white
    return difference + empty * ((difference > 0) - (difference < 0))


def with_colors_swapped(position: OthelloPosition) -> OthelloPosition:
    """Every disc turned over and the other side to move."""
    return OthelloPosition(position.white, position.black, position.to_move.opponent)


def image_of_board(board: int, image: int) -> int:
    return sum(1 << image_of_move(Move(square), image) for square in squares(board))


def image_of_move(move: Move, image: int) -> Move:
    if move == PASS:
        return PASS
    row, column = IMAGES[image](*divmod(move, 8))
    return Move(8 * row + column)


def image_of(position: OthelloPosition, image: int) -> OthelloPosition:
    return OthelloPosition(
        image_of_board(position.black, image), image_of_board(position.white, image), position.to_move
    )


def line(*numbers: int) -> tuple[Move, ...]:
    """Return a line of moves, given their numbers."""
    return tuple(map(Move, numbers))
