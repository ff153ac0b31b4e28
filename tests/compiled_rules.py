"""The compiled functions of a game, called by kernels that can be called from Python."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello.kernel.jit import kernel
from othello.kernel.random import RandomState
from othello.rules import compiled


@kernel
def write_moves(state: Any, moves: NDArray[np.uint8]) -> int:
    return compiled.write_moves(state, moves)  # type: ignore[no-any-return]


@kernel
def is_over(state: Any) -> bool:
    return compiled.is_over(state)  # type: ignore[no-any-return]


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
def mobility(state: Any) -> int:
    return compiled.mobility(state)  # type: ignore[no-any-return]


@kernel
def word_count(example: Any) -> int:
    return compiled.word_count(example)  # type: ignore[no-any-return]


@kernel
def packed_and_unpacked(state: Any, words: NDArray[np.uint64]) -> Any:
    compiled.pack(state, words)
    return compiled.unpack(state, words)


@kernel
def is_possible(state: Any) -> bool:
    return compiled.is_possible(state)  # type: ignore[no-any-return]


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
    _playouts_in_lock_step(state, width, np.empty((width, word_count(state)), np.uint64), lanes, differences)


@kernel
def _playouts_in_lock_step(
    state: Any, width: int, words: NDArray[np.uint64], lanes: RandomState, differences: NDArray[np.int64]
) -> None:
    for first in range(0, len(differences), width):
        count = min(width, len(differences) - first)
        for lane in range(count):
            compiled.pack(state, words[lane])
        compiled.playout_lanes(state, words, count, lanes, differences[first : first + count])


@kernel
def playout_lanes(
    example: Any, words: NDArray[np.uint64], count: int, lanes: RandomState, differences: NDArray[np.int64]
) -> None:
    compiled.playout_lanes(example, words, count, lanes, differences)


def legal_moves(state: Any, max_moves: int) -> tuple[int, ...]:
    moves = np.zeros(max_moves, np.uint8)
    return tuple(moves[: write_moves(state, moves)].tolist())
