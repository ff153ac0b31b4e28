"""What principal variation search remembers of positions: the transposition table, and scratch.

An entry is three words side by side, so that a look at it costs one access to memory: the whole state, packed, so that
no two are mixed up, and what is known of it.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello.kernel.bits import as_int64
from othello.kernel.hashing import place_of
from othello.kernel.jit import inlined
from othello.rules import protocol

NO_MOVE: Final = 255
EXACT: Final = 0
LOWER: Final = 1
UPPER: Final = 2

# Places in `Memory.counts`.
VISITED: Final = 0  # positions
JUDGED: Final = 1  # positions at the depth limit, known ones too
SEARCH: Final = 2  # the number of this search, 1..255

_KNOWN: Final = 2  # the word of an entry that is not the state
_VALUE_BITS = np.uint64(0xFFFFFFFF)
_BYTE = np.uint64(0xFF)
_DEPTH, _BOUND, _MOVE, _SEARCH = np.uint64(32), np.uint64(40), np.uint64(48), np.uint64(56)
_CUT = np.uint64(42)  # one bit, above the two of the bound
_OFFSET: Final = 1 << 31


class Memory(NamedTuple):
    """What a search needs besides the position. Few arrays, as each of them costs time in every recursive call."""

    table: NDArray[np.uint64]  # (places, 3): the state, and value, depth, bound, cut, move and number of the search
    moves: NDArray[np.uint8]  # (depths, max_moves): scratch
    successors: NDArray[np.uint64]  # (depths, max_moves, 2): scratch
    order: NDArray[np.int64]  # (depths, max_moves): scratch
    killer: NDArray[np.int64]  # (depths,): the move that was too good for the opponent last, or NO_MOVE
    words: NDArray[np.uint64]  # (2,): scratch
    counts: NDArray[np.int64]  # (3,): VISITED, JUDGED, SEARCH


def new_memory(places: int, depth: int, max_moves: int) -> Memory:
    """Room for `places` positions, a power of two, and for searches of `depth` plies."""
    return Memory(
        table=np.zeros((places, 3), np.uint64),
        moves=np.empty((depth + 1, max_moves), np.uint8),
        successors=np.empty((depth + 1, max_moves, 2), np.uint64),
        order=np.empty((depth + 1, max_moves), np.int64),
        killer=np.full(depth + 1, NO_MOVE, np.int64),
        words=np.empty(2, np.uint64),
        counts=np.array([0, 0, 1], np.int64),
    )


def forget(memory: Memory) -> None:
    """Make ready for another search, which will know nothing of the former ones."""
    if memory.counts[SEARCH] == 255:
        memory.table[:] = 0
        memory.counts[SEARCH] = 0
    memory.counts[:] = 0, 0, memory.counts[SEARCH] + 1
    memory.killer[:] = NO_MOVE


@inlined
def place_for(memory: Memory, state: Any) -> int:
    """Where the table keeps `state`; `memory.words` is left with the packed state."""
    words = memory.words
    protocol.pack(state, words)
    return place_of(words[0], words[1], len(memory.table))


@inlined
def holds(memory: Memory, place: int) -> bool:
    """Whether the entry at `place` is of this search and of the state in `memory.words`."""
    if memory.table[place, 0] != memory.words[0] or memory.table[place, 1] != memory.words[1]:
        return False
    return bool(as_int64(memory.table[place, _KNOWN] >> _SEARCH) == memory.counts[SEARCH])


@inlined
def remember(memory: Memory, place: int, value: int, depth: int, bound: int, is_cut: bool, move: int) -> None:
    """Keep what was found out about the state in `memory.words`, instead of what is there.

    Args:
        value: what `bound` is of.
        depth: plies searched.
        bound: EXACT, LOWER or UPPER.
        is_cut: whether positions at the depth limit were judged, or the value is the game's.
        move: the best or the refuting one.
    """
    memory.table[place, 0] = memory.words[0]
    memory.table[place, 1] = memory.words[1]
    known = np.uint64(value + _OFFSET) | np.uint64(depth) << _DEPTH | np.uint64(bound) << _BOUND
    known |= np.uint64(is_cut) << _CUT | np.uint64(move) << _MOVE | np.uint64(memory.counts[SEARCH]) << _SEARCH
    memory.table[place, _KNOWN] = known


@inlined
def value_at(memory: Memory, place: int) -> int:
    return as_int64(memory.table[place, _KNOWN] & _VALUE_BITS) - _OFFSET


@inlined
def depth_at(memory: Memory, place: int) -> int:
    return as_int64(memory.table[place, _KNOWN] >> _DEPTH & _BYTE)


@inlined
def bound_at(memory: Memory, place: int) -> int:
    return as_int64(memory.table[place, _KNOWN] >> _BOUND & np.uint64(3))


@inlined
def cut_at(memory: Memory, place: int) -> int:
    """1 where positions at the depth limit were judged, 0 where the value is the game's."""
    return as_int64(memory.table[place, _KNOWN] >> _CUT & np.uint64(1))


@inlined
def move_at(memory: Memory, place: int) -> int:
    return as_int64(memory.table[place, _KNOWN] >> _MOVE & _BYTE)
