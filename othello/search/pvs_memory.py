"""What principal variation search remembers of positions: the transposition table, and scratch.

An entry is some words side by side, so that a look at it costs one access to memory: what is known of a state, and the
whole state, packed, so that no two are mixed up.

Exact results stand at the end of the table once more, in places that only they have. They are few, as hardly any
window of a search is open, and they are what the line of best play is read from.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from othello.kernel.bits import as_int64
from othello.kernel.hashing import place_of_words
from othello.kernel.jit import Bytes, Ints, Words, inlined
from othello.rules import compiled
from othello.rules.protocol import Position, Rules

NO_MOVE: Final = 255
EXACT: Final = 0
LOWER: Final = 1
UPPER: Final = 2

# Places in `Memory.counts`.
VISITED: Final = 0  # positions
JUDGED: Final = 1  # positions at the depth limit, known ones too
SEARCH: Final = 2  # the number of this search, 1..255

_LINE_PLACES: Final = 1 << 16  # at the end of the table
_LINE_STEPS: Final = 16  # so many places are looked at, for a free one or for the state
_KNOWN: Final = 0  # the word of an entry that is not the state
_VALUE_BITS = np.uint64(0xFFFFFFFF)
_BYTE = np.uint64(0xFF)
_DEPTH, _BOUND, _MOVE, _SEARCH = np.uint64(32), np.uint64(40), np.uint64(48), np.uint64(56)
_CUT = np.uint64(42)  # one bit, above the two of the bound
_OFFSET: Final = 1 << 31


class Memory(NamedTuple):
    """What a search needs besides the position. Few arrays, as each of them costs time in every recursive call."""

    table: Words  # (places, 1 + state words): what is known, and the state
    moves: Bytes  # (depths, max_moves): scratch
    successors: Words  # (depths, max_moves, state words): scratch
    order: Ints  # (depths, max_moves): scratch
    killer: Ints  # (depths,): the move that was too good for the opponent last, or NO_MOVE
    words: Words  # (state words,): scratch
    counts: Ints  # (3,): VISITED, JUDGED, SEARCH


def new_memory(places: int, depth: int, rules: Rules[Position]) -> Memory:
    """Room for `places` positions, a power of two, and for searches of `depth` plies."""
    shape = (depth + 1, rules.max_moves)
    return Memory(
        table=np.zeros((places + _LINE_PLACES, 1 + rules.state_words), np.uint64),
        moves=np.empty(shape, np.uint8),
        successors=np.empty((*shape, rules.state_words), np.uint64),
        order=np.empty(shape, np.int64),
        killer=np.full(depth + 1, NO_MOVE, np.int64),
        words=np.empty(rules.state_words, np.uint64),
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
    compiled.pack(state, memory.words)
    return place_of_words(memory.words, compiled.word_count(state), len(memory.table) - _LINE_PLACES)


@inlined
def _is_current(memory: Memory, place: int) -> bool:
    return bool(as_int64(memory.table[place, _KNOWN] >> _SEARCH) == memory.counts[SEARCH])


@inlined
def holds(memory: Memory, place: int, like: Any) -> bool:
    """Whether the entry at `place` is of this search and of the state in `memory.words`; `like` is any state."""
    same = True
    for index in range(compiled.word_count(like)):
        same &= bool(memory.table[place, 1 + index] == memory.words[index])
    return same and _is_current(memory, place)


@inlined
def line_place_for(memory: Memory, state: Any, depth: int) -> int:
    """Where an exact result of so many plies stands once more, or would; `memory.words` is left as by `place_for`."""
    compiled.pack(state, memory.words)
    place = place_of_words(memory.words, compiled.word_count(state), _LINE_PLACES)
    begin = len(memory.table) - _LINE_PLACES
    for step in range(_LINE_STEPS):
        found = begin + ((place + step) & (_LINE_PLACES - 1))
        if not _is_current(memory, found) or (holds(memory, found, state) and depth_at(memory, found) == depth):
            break
    return found


@inlined
def _write(memory: Memory, place: int, like: Any, known: np.uint64) -> None:
    memory.table[place, _KNOWN] = known
    for index in range(compiled.word_count(like)):
        memory.table[place, 1 + index] = memory.words[index]


@inlined
def remember(memory: Memory, state: Any, value: int, depth: int, bound: int, is_cut: bool, move: int) -> None:
    """Keep what was found out about a state, instead of what is in its place.

    Args:
        value: what `bound` is of.
        depth: plies searched.
        bound: EXACT, LOWER or UPPER.
        is_cut: whether positions at the depth limit were judged, or the value is the game's.
        move: the best or the refuting one.
    """
    known = np.uint64(value + _OFFSET) | np.uint64(depth) << _DEPTH | np.uint64(bound) << _BOUND
    known |= np.uint64(is_cut) << _CUT | np.uint64(move) << _MOVE | np.uint64(memory.counts[SEARCH]) << _SEARCH
    _write(memory, place_for(memory, state), state, known)
    if bound == EXACT:
        _write(memory, line_place_for(memory, state, depth), state, known)


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
