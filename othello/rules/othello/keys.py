"""64-bit keys of positions, equal for all eight images, for many games at once.

This uses numpy, ply by ply for 4,096 games at a time, so that no compiler is needed. Bits of boards are those of
`scalar_bits`.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from othello.rules.othello.scalar_bits import PASS
from othello.rules.protocol import NO_MOVE, Move
from othello.rules.symmetry import board_images, square_images

_Words: TypeAlias = NDArray[np.uint64]
_Moves: TypeAlias = NDArray[np.uint8]

_AT_ONCE: Final = 4096  # games at a time, whose data fit in the cache
_INNER: Final = np.uint64(0x7E7E7E7E7E7E7E7E)
_ALL: Final = np.uint64(0xFFFFFFFFFFFFFFFF)
_LINES: Final = tuple(
    (np.uint64(step), between) for step, between in ((1, _INNER), (8, _ALL), (7, _INNER), (9, _INNER))
)
_ONE: Final = np.uint64(1)
_WHITE: Final = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio; added to keys of white


# [symmetry, move]: where every move comes to lie; a pass stays a pass.
_IMAGES: Final[_Moves] = np.array([range(256)] * 8, np.uint8)
_IMAGES[:, :64] = square_images(8)


def _mixed(words: _Words) -> _Words:
    """Return 64-bit hashes. Different numbers have different hashes.

    Source: SplitMix64, Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators (2014).
    """
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def _numbers(boards: _Words, turns: _Words) -> _Words:
    """Return the hashes of the images of positions, a row for each symmetry.

    Args:
        boards: uint64 of shape (2, positions), those of the sides to move first.
        turns: uint64 of shape (positions,), 0 or `_WHITE`.
    """
    images = board_images(boards, np.ndarray.byteswap)
    return np.array([_mixed(_mixed(own ^ turns) + opponent) for own, opponent in images])


def _flips(boards: _Words, bits: _Words) -> _Words:
    """Return the discs that a disc on each of the bits captures."""
    own, opponent = boards
    captured = np.zeros_like(bits)
    for step, inner in _LINES:
        between = opponent & inner
        for shift in (np.left_shift, np.right_shift):
            run = shift(bits, step) & between
            run |= shift(run, step) & between
            pairs = between & shift(between, step)
            run |= shift(run, step + step) & pairs
            run |= shift(run, step + step) & pairs
            run[shift(run, step) & own == 0] = 0
            captured |= run
    return captured


def keys_of(
    games: Sequence[tuple[int, int, int, bytes]],
) -> tuple[NDArray[np.int64], _Moves, list[tuple[int, int, int]]]:
    """Return keys, moves and ends as in `Keyed` for games (own discs, opposing discs, side to move, moves)."""
    parts = [_keys_of(games[first : first + _AT_ONCE]) for first in range(0, len(games), _AT_ONCE)]
    ends = [end for _, _, some in parts for end in some]
    return np.concatenate([keys for keys, _, _ in parts]), np.concatenate([moves for _, moves, _ in parts]), ends


def _keys_of(
    games: Sequence[tuple[int, int, int, bytes]],
) -> tuple[NDArray[np.int64], _Moves, list[tuple[int, int, int]]]:
    lengths = np.array([len(moves) for _, _, _, moves in games])
    order = np.argsort(-lengths, kind="stable")  # longest games first
    width = int(lengths.max()) + 1
    played = np.frombuffer(b"".join(moves.ljust(width, bytes((NO_MOVE,))) for *_, moves in games), np.uint8)
    moves = played.reshape(-1, width)[order].T.copy()
    boards = np.array([(own, opponent) for own, opponent, _, _ in games], np.uint64)[order].T.copy()
    turns = np.array([side for _, _, side, _ in games], np.uint64)[order] * _WHITE
    keys, images = np.zeros((width, len(games)), np.uint64), np.zeros((width, len(games)), np.uint8)
    for ply in range(width):
        count = int((lengths >= ply).sum())
        move, live = moves[ply, :count], boards[:, :count]
        numbers = _numbers(live, turns[:count])
        keys[ply, :count] = numbers.min(axis=0)
        images[ply, :count] = np.where(numbers == keys[ply, :count], _IMAGES[:, move], NO_MOVE).min(axis=0)
        count = int((lengths > ply).sum())
        move, live = move[:count], live[:, :count]
        bits = np.where(move < PASS, _ONE << (move.astype(np.uint64) & np.uint64(63)), np.uint64(0))
        captured = _flips(live, bits)
        boards[0, :count], boards[1, :count] = live[1] & ~captured, live[0] | captured | bits
        turns[:count] ^= _WHITE
    ends = np.empty((len(games), 3), np.uint64)
    ends[order, :2], ends[order, 2] = boards.T, turns != 0
    back = np.argsort(order)
    is_there = np.arange(width) <= lengths[:, None]
    last = [(own, opponent, side) for own, opponent, side in ends.tolist()]
    return keys.T[back][is_there].view(np.int64), images.T[back][is_there], last


def key_of(own: int, opponent: int, side: int) -> tuple[int, dict[int, Move]]:
    """Return the result of `Rules.key_of`.

    Of equivalent moves the rightmost is chosen: f5 for the first move of a game.
    """
    numbers = _numbers(np.array([[own], [opponent]], np.uint64), np.array([side], np.uint64) * _WHITE)[:, 0]
    minimum = numbers.min()
    common = _IMAGES[numbers == minimum].min(axis=0).tolist()
    squares = sorted(range(64), key=lambda square: (square % 8, -square))
    return int(minimum.view(np.int64)), {common[square]: Move(square) for square in squares} | {int(PASS): PASS}
