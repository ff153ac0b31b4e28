"""Principal variation search: alpha-beta that expects the first move to be the best and only proves the rest worse.

It returns what plain alpha-beta returns. For that, the transposition table answers a position only with a result of
exactly the depth that is asked for, since a deeper one, though better, would be another value; results of any other
depth only say which move to try first.

Source: Marsland and Campbell, "Parallel Search of Strongly Ordered Game Trees", ACM Computing Surveys 14:4, 1982.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello.kernel.bits import as_int64, is_stopped
from othello.kernel.decorators import Bytes, Ints, Words, inlined, kernel
from othello.kernel.hashing import place_of_words
from othello.rules import compiled
from othello.rules.protocol import Move, Position, Rules
from othello.search.alphabeta import INFINITE, final_value
from othello.search.ordering import least_first

NO_MOVE: Final = 255
EXACT: Final = 0
LOWER: Final = 1
UPPER: Final = 2

# Places in `Memory.counts`.
VISITED: Final = 0  # positions
JUDGED: Final = 1  # positions at the depth limit, known ones too
SEARCH: Final = 2  # the number of this search, 1..255
PLIES: Final = 3  # how deep the search is from its root
OWN_ALONE: Final = 4  # 1: positions count what the side that searches has; 0: its lead over the other side
ENDS_AS_OTHERS: Final = 5  # 1: finished games count what other positions count; 0: their results

_LINE_PLACES: Final = 1 << 16  # at the end of the table
_LINE_STEPS: Final = 16  # how many places are searched for the state or a free place
_KNOWN: Final = 0  # the word of an entry that is not the state
_VALUE_BITS = np.uint64(0xFFFFFFFF)
_BYTE = np.uint64(0xFF)
_DEPTH, _BOUND, _MOVE, _SEARCH = np.uint64(32), np.uint64(40), np.uint64(48), np.uint64(56)
_CUT = np.uint64(42)  # one bit, above the two of the bound
_OFFSET: Final = 1 << 31


class SearchWorkspace(NamedTuple):
    """What a search needs besides the position. Few arrays, as each of them costs time in every recursive call.

    A place of the table is some words side by side, so that a look at the place costs one access to memory. The whole
    state is there, so that no two are mixed up. Exact results stand at the end of the table once more, in places of
    their own. They are few, as hardly any window of a search is open, and the line of best play is read from them.
    """

    table: Words  # (places, 1 + state words): the entry, and the state
    moves: Bytes  # (depths, max_moves): scratch
    successors: Words  # (depths, max_moves, state words): scratch
    order: Ints  # (depths, max_moves): scratch
    killer: Ints  # (depths,): the move that was too good for the opponent last, or NO_MOVE
    words: Words  # (state words,): scratch
    counts: Ints  # (6,): VISITED, JUDGED, SEARCH, PLIES, OWN_ALONE, ENDS_AS_OTHERS


def new_workspace(
    places: int, depth: int, rules: Rules[Position], *, own_alone: bool = False, ends_as_others: bool = False
) -> SearchWorkspace:
    """Room for `places` positions, a power of two, and for searches of `depth` plies that judge in such a way."""
    shape = (depth + 1, rules.max_moves)
    return SearchWorkspace(
        table=np.zeros((places + _LINE_PLACES, 1 + rules.state_words), np.uint64),
        moves=np.empty(shape, np.uint8),
        successors=np.empty((*shape, rules.state_words), np.uint64),
        order=np.empty(shape, np.int64),
        killer=np.full(depth + 1, NO_MOVE, np.int64),
        words=np.empty(rules.state_words, np.uint64),
        counts=np.array([0, 0, 1, 0, own_alone, ends_as_others], np.int64),
    )


def new_search(memory: SearchWorkspace) -> None:
    """Make ready for another search, which will know nothing of the former ones."""
    if memory.counts[SEARCH] == 255:
        memory.table[:] = 0
        memory.counts[SEARCH] = 0
    memory.counts[:SEARCH] = 0
    memory.counts[SEARCH] += 1
    memory.killer[:] = NO_MOVE


@inlined
def _place_for(memory: SearchWorkspace, state: Any) -> int:
    """Where the table keeps `state`; `memory.words` is left with the packed state."""
    compiled.pack(state, memory.words)
    return place_of_words(memory.words, compiled.word_count(state), len(memory.table) - _LINE_PLACES)


@inlined
def _is_current(memory: SearchWorkspace, place: int) -> bool:
    return bool(as_int64(memory.table[place, _KNOWN] >> _SEARCH) == memory.counts[SEARCH])


@inlined
def _holds(memory: SearchWorkspace, place: int, like: Any) -> bool:
    """Whether the entry at `place` is of this search and of the state in `memory.words`; `like` is any state."""
    same = True
    for index in range(compiled.word_count(like)):
        same &= bool(memory.table[place, 1 + index] == memory.words[index])
    return same and _is_current(memory, place)


@inlined
def _line_place_for(memory: SearchWorkspace, state: Any, depth: int) -> int:
    """The second place of an exact result of this many plies; `memory.words` is left as by `place_for`."""
    compiled.pack(state, memory.words)
    place = place_of_words(memory.words, compiled.word_count(state), _LINE_PLACES)
    begin = len(memory.table) - _LINE_PLACES
    for step in range(_LINE_STEPS):
        found = begin + ((place + step) & (_LINE_PLACES - 1))
        if not _is_current(memory, found) or (_holds(memory, found, state) and _known_at(memory, found)[1] == depth):
            break
    return found


@inlined
def _write(memory: SearchWorkspace, place: int, like: Any, known: np.uint64) -> None:
    memory.table[place, _KNOWN] = known
    for index in range(compiled.word_count(like)):
        memory.table[place, 1 + index] = memory.words[index]


@inlined
def _remember(memory: SearchWorkspace, state: Any, value: int, depth: int, bound: int, is_cut: bool, move: int) -> None:
    """Store the result for a state, and replace the entry in its place.

    Args:
        bound: EXACT, LOWER or UPPER.
        is_cut: whether positions at the depth limit were judged, or the value is the game's.
        move: the best or the refuting one.
    """
    known = np.uint64(value + _OFFSET) | np.uint64(depth) << _DEPTH | np.uint64(bound) << _BOUND
    known |= np.uint64(is_cut) << _CUT | np.uint64(move) << _MOVE | np.uint64(memory.counts[SEARCH]) << _SEARCH
    _write(memory, _place_for(memory, state), state, known)
    if bound == EXACT:
        _write(memory, _line_place_for(memory, state, depth), state, known)


@inlined
def _known_at(memory: SearchWorkspace, place: int) -> tuple[int, int, int, int, int]:
    """The entry at a place: value, depth, bound, 1 if positions at the depth limit were evaluated, move."""
    known: np.uint64 = memory.table[place, _KNOWN]
    return (
        as_int64(known & _VALUE_BITS) - _OFFSET,
        as_int64(known >> _DEPTH & _BYTE),
        as_int64(known >> _BOUND & np.uint64(3)),
        as_int64(known >> _CUT & np.uint64(1)),
        as_int64(known >> _MOVE & _BYTE),
    )


# From which depth on the opponent's moves and the last refutation count in the order of moves, and how much. Tried
# out on tournament games.
_COUNT_FROM: Final = 3
_MOVE_WEIGHT: Final = 12
_KILLER: Final = 8


@inlined
def _list_successors(state: Any, depth: int, count: int, first: int, memory: SearchWorkspace) -> None:
    """Write the successors by the moves of `memory.moves[depth]`, and to `memory.order[depth]` when to try them.

    The move `first` comes first, then what looks worst for the opponent: by the positional score, and where it pays to
    count them by the opponent's moves, since a small tree refutes as well as a large one. The killer move, which was
    the last to refute at this depth, is preferred a little. More weight for it, a history of refutations, the table's
    values and searches of some plies were tried and made the search slower: the score is the very thing that the leaves
    are judged by, and the first move refutes in nine cases of ten.

    Source of killer moves: Akl and Newborn, "The Principal Continuation and the Killer Heuristic", ACM '77.
    """
    for index in range(count):
        move = as_int64(memory.moves[depth, index])
        after = compiled.play(state, move)
        compiled.pack(after, memory.successors[depth, index])
        rank = -INFINITE if move == first else as_int64(compiled.evaluate(after))
        if depth >= _COUNT_FROM:
            rank += _MOVE_WEIGHT * compiled.mobility(after)
            if move == memory.killer[depth]:
                rank -= _KILLER
        memory.order[depth, index] = rank * 256 + index


@inlined
def _score(state: Any, depth: int, memory: SearchWorkspace) -> int:
    """What a position counts for the side to move, `depth` plies before the depth limit, by the squares held."""
    if not memory.counts[OWN_ALONE]:
        return as_int64(compiled.evaluate(state))
    return as_int64(compiled.evaluate_side(state, (memory.counts[PLIES] - depth) % 2 == 0))


@inlined
def _end(state: Any, depth: int, memory: SearchWorkspace) -> int:
    """What a finished game counts for the side to move, `depth` plies before the depth limit."""
    return _score(state, depth, memory) if memory.counts[ENDS_AS_OTHERS] else final_value(state)


@inlined
def _leaf(state: Any, memory: SearchWorkspace) -> int:
    """`pvs` for a depth of 0."""
    memory.counts[VISITED] += 1
    if compiled.is_over(state):
        return _end(state, 0, memory)
    memory.counts[JUDGED] += 1
    return _score(state, 0, memory)


@inlined
def _best_leaf(state: Any, beta: int, memory: SearchWorkspace) -> int:
    """`pvs` for a depth of 1: too little to be worth an order or a place in the table."""
    memory.counts[VISITED] += 1
    count: int = compiled.write_moves(state, memory.moves[1])
    if count == 0:
        return _end(state, 1, memory)
    best = -INFINITE
    for index in range(count):
        best = max(best, -_leaf(compiled.play(state, memory.moves[1, index]), memory))
        if best >= beta:
            break
    return best


@kernel
def pvs(state: Any, depth: int, alpha: int, beta: int, memory: SearchWorkspace, stop: Ints) -> int:
    """The value of a position for the side to move, `depth` plies deep.

    With v the value that plain minimax returns and alpha < beta: the result is v if alpha < v < beta, an upper bound
    of v that is <= alpha if v <= alpha, and a lower bound of v that is >= beta if v >= beta. Once `stop` is set the
    result means nothing.
    """
    if depth == 0:
        return _leaf(state, memory)
    if depth == 1:
        return _best_leaf(state, beta, memory)
    memory.counts[VISITED] += 1

    first = NO_MOVE
    place = _place_for(memory, state)
    if _holds(memory, place, state):
        value, known_depth, bound, is_cut, first = _known_at(memory, place)
        answers = bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)
        if answers and known_depth == depth:
            memory.counts[JUDGED] += is_cut
            return value

    count: int = compiled.write_moves(state, memory.moves[depth])
    if count == 0:
        return _end(state, depth, memory)
    _list_successors(state, depth, count, first, memory)

    judged = memory.counts[JUDGED]
    best, best_index = -INFINITE, 0
    floor = alpha
    for turn in range(count):
        index = least_first(memory.order[depth], turn, count) & 255
        after = compiled.unpack(state, memory.successors[depth, index])
        # The first move is expected to be the best, and of the others only that they are no better.
        ceiling = beta if turn == 0 else floor + 1
        while True:
            if depth == 2:  # in place: a call costs as much as the search of a ply
                value = -_best_leaf(after, -floor, memory)
            else:
                value = -pvs(after, depth - 1, -ceiling, -floor, memory, stop)
            if value < ceiling or value >= beta:
                break
            ceiling = beta
        if value > best:
            best, best_index = value, index
            floor = max(floor, value)
        if best >= beta:
            memory.killer[depth] = as_int64(memory.moves[depth, index])
            break
        if is_stopped(stop):
            return best

    if not is_stopped(stop):
        bound = LOWER if best >= beta else (EXACT if best > alpha else UPPER)
        move = as_int64(memory.moves[depth, best_index])
        _remember(memory, state, best, depth, bound, memory.counts[JUDGED] > judged, move)
    return best


class RootMoves(NamedTuple):
    """The moves of a root in the order to search them, and what was found; place n of every array is move n's."""

    move: Ints
    value: Ints  # for the side to move at the root
    exact: NDArray[np.bool_]  # or an upper bound
    nodes: Ints  # visited below it, all depths together


def new_root_moves(moves: Sequence[Move]) -> RootMoves:
    value, nodes = np.zeros((2, len(moves)), np.int64)
    return RootMoves(np.array(moves, np.int64), value, np.zeros(len(moves), np.bool_), nodes)


@kernel
def judge_moves(state: Any, depth: int, judge_all: bool, root: RootMoves, memory: SearchWorkspace, stop: Ints) -> bool:
    """Search every root move `depth` >= 1 plies deep.

    Args:
        state: the root.
        judge_all: find every move's exact value. Otherwise the exact values are those of all moves that are best.

    Returns:
        False when `stop` was set; what was found then means nothing.
    """
    memory.counts[PLIES] = depth
    # A constant as an argument would be a type of its own, and a recursion through two types breaks in the cache.
    best = -INFINITE
    for index in range(len(root.move)):
        visited = memory.counts[VISITED]
        after = compiled.play(state, root.move[index])
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
        root.nodes[index] += memory.counts[VISITED] - visited
        best = max(best, value)
    return True


@kernel
def best_line(state: Any, move: int, depth: int, memory: SearchWorkspace, line: Ints) -> int:
    """Write `move`, one of the best, and best play of both sides after it to `line`; return how many moves there are.

    That is `depth` of them unless the game ends before, or the table's end is full.
    """
    line[0] = move
    length = 1
    state = compiled.play(state, move)
    while length < depth:
        rest = depth - length
        if rest == 1:
            reply = _best_last_move(state, memory)
        else:
            place = _line_place_for(memory, state, rest)
            _, known_depth, _, _, best = _known_at(memory, place)
            reply = best if known_depth == rest and _holds(memory, place, state) else NO_MOVE
        if reply == NO_MOVE:
            break
        line[length] = reply
        length += 1
        state = compiled.play(state, reply)
    return length


@inlined
def _best_last_move(state: Any, memory: SearchWorkspace) -> int:
    """The move that `_best_leaf` found best, NO_MOVE when the game is over."""
    best, best_move = -INFINITE, NO_MOVE
    for index in range(compiled.write_moves(state, memory.moves[1])):
        move = as_int64(memory.moves[1, index])
        leaf = compiled.play(state, move)
        value = -(_end(leaf, 0, memory) if compiled.is_over(leaf) else _score(leaf, 0, memory))
        if value > best:
            best, best_move = value, move
    return best_move
