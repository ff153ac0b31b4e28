"""Othello positions for tests, from random games that are the same in every run."""

import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count, islice
from typing import Any

from othello.game import AnyGame, Game
from othello.rules.othello import Othello, OthelloPosition
from othello.rules.othello.scalar_bits import PASS, squares
from othello.rules.protocol import Move, Rules

RULES: Rules[Any] = Othello()  # with any type of positions, to be used as rules of any game
SPEC = RULES.spec
START = RULES.start()
parse_board: Callable[[str], OthelloPosition] = RULES.parse_position
format_board: Callable[[OthelloPosition], str] = RULES.format_position

WIPED_OUT = parse_board("XXX" + "-" * 61 + " O")  # finished with empty squares left
DRAWN = parse_board("X" * 32 + "O" * 32 + " X")  # finished, full, even

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
START_IMAGES = [image for image in IMAGES if image(3, 3) in ((3, 3), (4, 4))]  # which do not change the start


@cache
def random_game(seed: int) -> list[OthelloPosition]:
    """Return all positions of a uniformly random game, which has to stay as it is."""
    draw = random.Random(seed)
    positions = [START]
    while moves := RULES.legal_moves(positions[-1]):
        positions.append(RULES.play(positions[-1], draw.choice(moves)))
    return positions


def random_game_of(rules: Rules[Any], seed: int) -> AnyGame:
    """Return a uniformly random game by any rules."""
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
    """Return unfinished positions with this number of empty squares."""
    return random_positions(number, lambda each: RULES.moves_left(each) == empties and not is_over(each), seed)


def with_forced_pass(number: int, most_empties: int = 64, seed: int = 0) -> list[OthelloPosition]:
    """Return positions whose only move is a pass."""
    return random_positions(
        number,
        lambda position: RULES.moves_left(position) <= most_empties and RULES.legal_moves(position) == (PASS,),
        seed,
    )


def with_many_moves(number: int, fewest: int, seed: int = 0) -> list[OthelloPosition]:
    """Return positions with at least `fewest` legal moves."""
    return random_positions(number, lambda position: len(RULES.legal_moves(position)) >= fewest, seed)


def is_over(position: OthelloPosition) -> bool:
    return not RULES.legal_moves(position)


def final_difference(position: OthelloPosition) -> int:
    """Return the discs of the side to move minus the opponent's."""
    return position.own.bit_count() - position.opponent.bit_count()


def empties_to_winner(black: int, white: int) -> int:
    """Return black's disc difference in tournaments: empty squares go to the winner, split in a draw."""
    difference = black - white
    return difference + (64 - black - white) * ((difference > 0) - (difference < 0))


def with_colors_swapped(position: OthelloPosition) -> OthelloPosition:
    """Return a position with the other side's discs and move."""
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
