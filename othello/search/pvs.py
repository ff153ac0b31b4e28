"""Principal variation search: alpha-beta that expects the first move to be the best and only proves the rest worse.

It returns what plain alpha-beta returns. For that, the transposition table answers a position only with a result of
exactly the depth that is asked for, since a deeper one, though better, would be another value; results of any other
depth only say which move to try first.

Source: Marsland and Campbell, "Parallel Search of Strongly Ordered Game Trees", ACM Computing Surveys 14:4, 1982.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello.kernel.bits import as_int64, is_stopped
from othello.kernel.hashing import place_of
from othello.kernel.jit import inlined, kernel
from othello.rules import protocol
from othello.rules.protocol import Move
from othello.search.alphabeta import INFINITE, final_value

NO_MOVE: Final = 255
_EXACT: Final = 0
_LOWER: Final = 1
_UPPER: Final = 2


class Memory(NamedTuple):
    """The transposition table, one place a hash value, and what else a search needs. 25 bytes a place."""

    state: NDArray[np.uint64]  # (places, 2): the whole state, packed, so that no two are mixed up
    value: NDArray[np.int32]
    depth: NDArray[np.uint8]
    bound: NDArray[np.uint8]  # what `value` is
    move: NDArray[np.uint8]  # the best or the refuting move
    search: NDArray[np.uint8]  # the number of the search that it is from; another's are forgotten
    cut: NDArray[np.uint8]  # 1: positions at the depth limit were judged below; 0: the value is the game's

    moves: NDArray[np.uint8]  # (depths, max_moves): scratch
    order: NDArray[np.int64]  # (depths, max_moves): scratch
    words: NDArray[np.uint64]  # (2,): scratch
    current: NDArray[np.uint8]  # (1,): the number of this search, 1..255
    nodes: NDArray[np.int64]  # (2,): positions visited; positions judged at the depth limit, known ones too


def new_memory(places: int, depth: int, max_moves: int) -> Memory:
    """Room for `places` positions, a power of two, and for searches of `depth` plies."""
    return Memory(
        state=np.empty((places, 2), np.uint64),
        value=np.empty(places, np.int32),
        depth=np.empty(places, np.uint8),
        bound=np.empty(places, np.uint8),
        search=np.zeros(places, np.uint8),
        move=np.empty(places, np.uint8),
        cut=np.empty(places, np.uint8),
        moves=np.empty((depth + 1, max_moves), np.uint8),
        order=np.empty((depth + 1, max_moves), np.int64),
        words=np.empty(2, np.uint64),
        current=np.ones(1, np.uint8),
        nodes=np.zeros(2, np.int64),
    )


def forget(memory: Memory) -> None:
    """Make ready for another search, which will know nothing of the former ones."""
    memory.nodes[:] = 0
    if memory.current[0] == 255:
        memory.search[:] = 0
        memory.current[0] = 0
    memory.current[0] += 1


@inlined
def _place(memory: Memory, state: Any) -> int:
    """Where the table keeps `state`; `memory.words` is left with the packed state."""
    words = memory.words
    protocol.pack(state, words)
    return place_of(words[0], words[1], len(memory.bound))


@inlined
def _holds(memory: Memory, place: int) -> bool:
    """Whether the entry at `place` is of the state in `memory.words`."""
    if memory.search[place] != memory.current[0] or memory.state[place, 0] != memory.words[0]:
        return False
    return bool(memory.state[place, 1] == memory.words[1])


@kernel
def _sort_moves(state: Any, depth: int, count: int, first: int, memory: Memory) -> None:
    """Put the moves of `memory.moves[depth]` in the order to try: `first`, then what looks worst for the opponent.

    Killer moves, a history of refutations and the table's values of the moves were all tried instead of the positional
    score, and all made the tree larger: it is the very thing that the leaves are judged by.
    """
    moves, order = memory.moves[depth], memory.order[depth]
    for index in range(count):
        move = moves[index]
        rank = -INFINITE if move == first else as_int64(protocol.evaluate(protocol.play(state, move)))
        slot = index
        while slot > 0 and order[slot - 1] > rank:
            order[slot], moves[slot] = order[slot - 1], moves[slot - 1]
            slot -= 1
        order[slot], moves[slot] = rank, move


@kernel
def _best_leaf(state: Any, alpha: int, beta: int, memory: Memory) -> int:
    """`pvs` for a depth of 1: too little to be worth an order or a place in the table."""
    count: int = protocol.write_moves(state, memory.moves[1])
    if count == 0:
        return final_value(state)
    best = -INFINITE
    for index in range(count):
        leaf = protocol.play(state, memory.moves[1, index])
        memory.nodes[0] += 1
        if protocol.is_over(leaf):
            value = -final_value(leaf)
        else:
            memory.nodes[1] += 1
            value = -as_int64(protocol.evaluate(leaf))
        best = max(best, value)
        if best >= beta:
            break
    return best


@kernel
def pvs(state: Any, depth: int, alpha: int, beta: int, memory: Memory, stop: NDArray[np.int64]) -> int:
    """The value of a position for the side to move, `depth` plies deep.

    With v the value that plain minimax returns and alpha < beta: the result is v if alpha < v < beta, an upper bound
    of v that is <= alpha if v <= alpha, and a lower bound of v that is >= beta if v >= beta. Once `stop` is set the
    result means nothing.
    """
    memory.nodes[0] += 1
    if depth == 0:
        if protocol.is_over(state):
            return final_value(state)
        memory.nodes[1] += 1
        return as_int64(protocol.evaluate(state))

    if depth == 1:
        return _best_leaf(state, alpha, beta, memory)

    first = NO_MOVE
    place = _place(memory, state)
    if _holds(memory, place):
        first = as_int64(memory.move[place])
        if memory.depth[place] == depth:
            value = as_int64(memory.value[place])
            bound = memory.bound[place]
            if bound == _EXACT or (bound == _LOWER and value >= beta) or (bound == _UPPER and value <= alpha):
                memory.nodes[1] += memory.cut[place]
                return value

    count: int = protocol.write_moves(state, memory.moves[depth])
    if count == 0:
        return final_value(state)
    if count > 1:
        _sort_moves(state, depth, count, first, memory)

    judged = memory.nodes[1]
    best, best_move = -INFINITE, NO_MOVE
    floor = alpha
    for index in range(count):
        move = as_int64(memory.moves[depth, index])
        after = protocol.play(state, move)
        if index == 0:
            value = -pvs(after, depth - 1, -beta, -floor, memory, stop)
        else:
            value = -pvs(after, depth - 1, -floor - 1, -floor, memory, stop)
            if floor < value < beta:
                value = -pvs(after, depth - 1, -beta, -floor, memory, stop)
        if value > best:
            best, best_move = value, move
            floor = max(floor, value)
        if best >= beta:
            break
        if is_stopped(stop):
            return best

    if not is_stopped(stop):
        place = _place(memory, state)  # the scratch words were another state's since
        memory.state[place, 0] = memory.words[0]
        memory.state[place, 1] = memory.words[1]
        memory.value[place] = best
        memory.depth[place] = depth
        memory.search[place] = memory.current[0]
        memory.bound[place] = _LOWER if best >= beta else (_EXACT if best > alpha else _UPPER)
        memory.move[place] = best_move
        memory.cut[place] = 1 if memory.nodes[1] > judged else 0
    return best


class RootMoves(NamedTuple):
    """The moves of a root in the order to search them, and what was found; place n of every array is move n's."""

    move: NDArray[np.int64]
    value: NDArray[np.int64]  # for the side to move at the root
    exact: NDArray[np.bool_]  # or an upper bound
    nodes: NDArray[np.int64]  # visited below it, all depths together


def new_root_moves(moves: Sequence[Move]) -> RootMoves:
    count = len(moves)
    return RootMoves(
        np.array(moves, np.int64), np.zeros(count, np.int64), np.zeros(count, np.bool_), np.zeros(count, np.int64)
    )


@kernel
def judge_moves(
    state: Any, depth: int, judge_all: bool, root: RootMoves, memory: Memory, stop: NDArray[np.int64]
) -> bool:
    """Search every root move `depth` >= 1 plies deep.

    Args:
        state: the root.
        judge_all: find every move's exact value. Otherwise the exact values are those of all moves that are best.

    Returns:
        False when `stop` was set; what was found then means nothing.
    """
    # A constant as an argument would be a type of its own, and a recursion through two types breaks in the cache.
    best = -INFINITE
    for index in range(len(root.move)):
        visited = memory.nodes[0]
        after = protocol.play(state, root.move[index])
        exact = judge_all or best == -INFINITE
        if exact:
            value = -pvs(after, depth - 1, as_int64(-INFINITE), as_int64(INFINITE), memory, stop)
        else:
            # Equal moves have to be told from worse ones, so the proof is that a move is below the best value.
            value = -pvs(after, depth - 1, -best, 1 - best, memory, stop)
            exact = value >= best
            if exact:
                value = -pvs(after, depth - 1, as_int64(-INFINITE), 1 - best, memory, stop)
        if is_stopped(stop):
            return False
        root.value[index] = value
        root.exact[index] = exact
        root.nodes[index] += memory.nodes[0] - visited
        best = max(best, value)
    return True


@kernel
def known_line(state: Any, move: int, depth: int, memory: Memory, line: NDArray[np.int64]) -> int:
    """Write `move` and the best replies that the table remembers to `line`, and return how many moves there are.

    Only exact entries are followed: the move of a bound refutes, it need not be best.
    """
    line[0] = move
    length = 1
    state = protocol.play(state, move)
    while length < depth:
        place = _place(memory, state)
        if not _holds(memory, place) or memory.depth[place] != depth - length or memory.bound[place] != _EXACT:
            break
        reply = as_int64(memory.move[place])
        line[length] = reply
        length += 1
        state = protocol.play(state, reply)
    return length
