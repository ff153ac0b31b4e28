"""The compiled functions of a game, called by kernels that can be called from Python."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello.kernel.bits import as_int64
from othello.kernel.jit import kernel
from othello.kernel.random import RandomState
from othello.rules import compiled
from othello.rules.protocol import Rules


@kernel
def write_moves(state: Any, moves: NDArray[np.uint8]) -> int:
    return compiled.write_moves(state, moves)  # type: ignore[no-any-return]


@kernel
def facts(state: Any) -> tuple[bool, bool, int, int]:
    """Return whether the game is over, whether the state is possible, its mobility and its number of words."""
    counts = compiled.mobility(state), as_int64(compiled.word_count(state))  # which is a literal
    return compiled.is_over(state), compiled.is_possible(state), *counts


@kernel
def play(state: Any, move: int) -> Any:
    return compiled.play(state, move)


@kernel
def final_difference(state: Any) -> int:
    return compiled.final_difference(state)  # type: ignore[no-any-return]


@kernel
def decided_in_one(state: Any, moves: NDArray[np.uint8]) -> tuple[bool, int]:
    return compiled.decided_in_one(state, moves)  # type: ignore[no-any-return]


@kernel
def evaluate(state: Any) -> int:
    return compiled.evaluate(state)  # type: ignore[no-any-return]


@kernel
def packed_and_unpacked(state: Any, words: NDArray[np.uint64], example: Any) -> Any:
    compiled.pack(state, words)
    return compiled.unpack(example, words)


@kernel
def canonical(state: Any) -> tuple[Any, int]:
    return compiled.canonical(state)  # type: ignore[no-any-return]


@kernel
def original_move(example: Any, move: int, symmetry: int) -> int:
    return compiled.original_move(example, move, symmetry)  # type: ignore[no-any-return]


@kernel
def playouts_one_at_a_time(state: Any, random: RandomState, differences: NDArray[np.int64]) -> None:
    for index in range(len(differences)):
        differences[index] = compiled.playout(state, random)


def playouts_in_lock_step(state: Any, width: int, lanes: RandomState, differences: NDArray[np.int64]) -> None:
    """Run a playout for each of the `differences`, `width` at a time."""
    words = np.empty((width, facts(state)[-1]), np.uint64)
    packed_and_unpacked(state, words[0], state)
    words[1:] = words[0]
    for first in range(0, len(differences), width):
        some = differences[first : first + width]
        playout_lanes(state, words.copy(), len(some), lanes, some)


@kernel
def playout_lanes(
    example: Any, words: NDArray[np.uint64], count: int, lanes: RandomState, differences: NDArray[np.int64]
) -> None:
    compiled.playout_lanes(example, words, count, lanes, differences)


def legal_moves(rules: Rules[Any], state: Any) -> tuple[int, ...]:
    moves = rules.new_moves(rules.max_moves)
    return tuple(moves[: write_moves(state, moves)].tolist())
