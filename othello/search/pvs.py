"""Principal variation search: alpha-beta that searches only the first move with an open window.

The value is that of plain alpha-beta. Therefore an entry of the transposition table is used only if its depth is
exactly the one needed: a deeper result, though better, would be another value. Other entries only provide the first
move.

Source: Marsland and Campbell, "Parallel Search of Strongly Ordered Game Trees", ACM Computing Surveys 14:4, 1982.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello.kernel.bits import as_int64, is_stopped
from othello.kernel.decorators import Ints, Moves, Words, inlined, kernel
from othello.kernel.hashing import place_of_words
from othello.rules import compiled
from othello.rules.protocol import Move, Position, Rules
from othello.search.alphabeta import INFINITE, final_value
from othello.search.ordering import least_first
from othello.search.trace_buffers import CUT_OFF, EVALUATED, FROM_TABLE, GAME_OVER, SEARCHED, UNTRACED, enter, leave

NO_MOVE: Final = -1
EXACT: Final = 0
LOWER: Final = 1
UPPER: Final = 2

# Indices of `Memory.counts`.
VISITED: Final = 0  # positions visited
JUDGED: Final = 1  # positions at the depth limit, including those from the table
SEARCH: Final = 2  # number of this search, 1 to 255
PLIES: Final = 3  # depth of the search at its root
OWN_ALONE: Final = 4  # 1: evaluate the searching side only; 0: its lead
ENDS_AS_OTHERS: Final = 5  # 1: evaluate finished games like others; 0: by results

_LINE_PLACES: Final = 1 << 16  # entries of the part with exact results, at the end of the table
_LINE_STEPS: Final = 16  # entries probed for the state or a free entry
_KNOWN: Final = 0  # index of the word with the result; the state follows
_VALUE_BITS = np.uint64(0xFFFFFFFF)
_BYTE = np.uint64(0xFF)
_DEPTH, _BOUND, _CHOICE, _SEARCH = np.uint64(32), np.uint64(40), np.uint64(48), np.uint64(56)
_CUT = np.uint64(42)  # one bit, after two bits of the bound
_OFFSET: Final = 1 << 31


class SearchWorkspace(NamedTuple):
    """Transposition table and scratch memory of a search.

    There are few arrays, because each one slows down every recursive call. An entry of the table is some adjacent
    words, so that a probe costs one memory access. It contains the whole state to exclude collisions. Exact results are
    also stored in a separate part at the end of the table, from which the principal variation is read.
    """

    table: Words  # (places, 1 + state words): result and state
    moves: Moves  # (depths, max_moves): scratch
    successors: Words  # (depths, max_moves, state words): scratch
    order: Ints  # (depths, max_moves): scratch
    killer: Ints  # (depths,): the last move that caused a cut-off, or NO_MOVE
    words: Words  # (state words,): scratch
    counts: Ints  # (6,): VISITED, JUDGED, SEARCH, PLIES, OWN_ALONE, ENDS_AS_OTHERS
    trace: NamedTuple  # `Untraced` or `NodeTrace`


def new_workspace(
    places: int, depth: int, rules: Rules[Position], *, own_alone: bool = False, ends_as_others: bool = False
) -> SearchWorkspace:
    """Allocate memory for searches.

    Args:
        places: size of the table, a power of two.
        depth: maximum depth in plies.
        rules: of the game.
        own_alone: evaluate positions by the squares of the searching side only, not by its lead.
        ends_as_others: evaluate finished games like other positions, not by their results.
    """
    shape = (depth + 1, rules.max_moves)
    return SearchWorkspace(
        table=np.zeros((places + _LINE_PLACES, 1 + rules.state_words), np.uint64),
        moves=rules.new_moves(*shape),
        successors=np.empty((*shape, rules.state_words), np.uint64),
        order=np.empty(shape, np.int64),
        killer=np.full(depth + 1, NO_MOVE, np.int64),
        words=np.empty(rules.state_words, np.uint64),
        counts=np.array([0, 0, 1, 0, own_alone, ends_as_others], np.int64),
        trace=UNTRACED,
    )


def new_search(memory: SearchWorkspace) -> None:
    """Prepare for another search, which uses nothing from the ones before."""
    if memory.counts[SEARCH] == 255:
        memory.table[:] = 0
        memory.counts[SEARCH] = 0
    memory.counts[:SEARCH] = 0
    memory.counts[SEARCH] += 1
    memory.killer[:] = NO_MOVE


@inlined
def _place_for(memory: SearchWorkspace, state: Any) -> int:
    """Return the index of `state` in the table, and leave the packed state in `memory.words`."""
    compiled.pack(state, memory.words)
    return place_of_words(memory.words, compiled.word_count(state), len(memory.table) - _LINE_PLACES)


@inlined
def _is_current(memory: SearchWorkspace, slot: int) -> bool:
    return bool(as_int64(memory.table[slot, _KNOWN] >> _SEARCH) == memory.counts[SEARCH])


@inlined
def _holds(memory: SearchWorkspace, slot: int, example: Any) -> bool:
    """Return whether the entry at `slot` belongs to this search and to the state in `memory.words`."""
    same = True
    for index in range(compiled.word_count(example)):
        same &= bool(memory.table[slot, 1 + index] == memory.words[index])
    return same and _is_current(memory, slot)


@inlined
def _line_place_for(memory: SearchWorkspace, state: Any, depth: int) -> int:
    """Return the index of an exact result in the second part of the table. Packs the state as `_place_for` does."""
    compiled.pack(state, memory.words)
    slot = place_of_words(memory.words, compiled.word_count(state), _LINE_PLACES)
    begin = len(memory.table) - _LINE_PLACES
    for step in range(_LINE_STEPS):
        found = begin + ((slot + step) & (_LINE_PLACES - 1))
        if not _is_current(memory, found) or (_holds(memory, found, state) and _known_at(memory, found)[1] == depth):
            break
    return found


@inlined
def _write(memory: SearchWorkspace, slot: int, example: Any, known: np.uint64) -> None:
    memory.table[slot, _KNOWN] = known
    for index in range(compiled.word_count(example)):
        memory.table[slot, 1 + index] = memory.words[index]


@inlined
def _store(memory: SearchWorkspace, state: Any, value: int, depth: int, bound: int, is_cut: bool, choice: int) -> None:
    """Store the result for a state; the entry at its index is replaced.

    Args:
        memory: the table.
        state: the position.
        value: the result.
        depth: plies.
        bound: EXACT, LOWER or UPPER.
        is_cut: positions at the depth limit were evaluated; otherwise the value is that of the game.
        choice: index of the best or refuting move among the legal moves.
    """
    known = np.uint64(value + _OFFSET) | np.uint64(depth) << _DEPTH | np.uint64(bound) << _BOUND
    known |= np.uint64(is_cut) << _CUT | np.uint64(choice) << _CHOICE | np.uint64(memory.counts[SEARCH]) << _SEARCH
    _write(memory, _place_for(memory, state), state, known)
    if bound == EXACT:
        _write(memory, _line_place_for(memory, state, depth), state, known)


@inlined
def _known_at(memory: SearchWorkspace, slot: int) -> tuple[int, int, int, int, int]:
    """Return an entry: value, depth, bound, 1 if positions at the depth limit were evaluated, choice."""
    known: np.uint64 = memory.table[slot, _KNOWN]
    return (
        as_int64(known & _VALUE_BITS) - _OFFSET,
        as_int64(known >> _DEPTH & _BYTE),
        as_int64(known >> _BOUND & np.uint64(3)),
        as_int64(known >> _CUT & np.uint64(1)),
        as_int64(known >> _CHOICE & _BYTE),
    )


# Move ordering: depth from which mobility and the killer move count, and their weights; tuned on tournament games.
_COUNT_FROM: Final = 3
_MOVE_WEIGHT: Final = 12
_KILLER: Final = 8


@inlined
def _list_successors(state: Any, depth: int, count: int, first: int, memory: SearchWorkspace) -> None:
    """Write the successors of the moves in `memory.moves[depth]`, and their sort keys to `memory.order[depth]`.

    The move with the index `first` comes first. The others are sorted by the positional score for the opponent and, far
    from the leaves, by the opponent's mobility. The killer move, the last to refute at this depth, gets a small bonus.
    A larger bonus, the history heuristic, values from the table and internal searches were tried and made the search
    slower: leaves are evaluated by the same score, and the first move refutes in nine cases of ten.

    Source of killer moves: Akl and Newborn, "The Principal Continuation and the Killer Heuristic", ACM '77.
    """
    for index in range(count):
        move = as_int64(memory.moves[depth, index])
        after = compiled.play(state, move)
        compiled.pack(after, memory.successors[depth, index])
        rank = -INFINITE if index == first else as_int64(compiled.evaluate(after))
        if depth >= _COUNT_FROM:
            rank += _MOVE_WEIGHT * compiled.mobility(after)
            if move == memory.killer[depth]:
                rank -= _KILLER
        memory.order[depth, index] = rank * 256 + index


@inlined
def _score(state: Any, depth: int, memory: SearchWorkspace) -> int:
    """Return the positional score for the side to move, `depth` plies before the depth limit."""
    if not memory.counts[OWN_ALONE]:
        return as_int64(compiled.evaluate(state))
    return as_int64(compiled.evaluate_side(state, (memory.counts[PLIES] - depth) % 2 == 0))


@inlined
def _end(state: Any, depth: int, memory: SearchWorkspace) -> int:
    """Return the value of a finished game for the side to move, `depth` plies before the depth limit."""
    return _score(state, depth, memory) if memory.counts[ENDS_AS_OTHERS] else final_value(state)


@inlined
def _leaf(state: Any, alpha: int, beta: int, memory: SearchWorkspace) -> int:
    """`pvs` for a depth of 0."""
    memory.counts[VISITED] += 1
    if compiled.is_over(state):
        value = _end(state, 0, memory)
        leave(memory.trace, memory.counts[PLIES], 0, alpha, beta, value, GAME_OVER)
        return value
    memory.counts[JUDGED] += 1
    value = _score(state, 0, memory)
    leave(memory.trace, memory.counts[PLIES], 0, alpha, beta, value, EVALUATED)
    return value


@inlined
def _best_leaf(state: Any, alpha: int, beta: int, memory: SearchWorkspace) -> int:
    """`pvs` for a depth of 1, without move ordering and table."""
    memory.counts[VISITED] += 1
    count: int = compiled.write_moves(state, memory.moves[1])
    if count == 0:
        value = _end(state, 1, memory)
        leave(memory.trace, memory.counts[PLIES], 1, alpha, beta, value, GAME_OVER)
        return value
    best = -INFINITE
    for index in range(count):
        enter(memory.trace, 0, memory.moves[1, index])
        best = max(best, -_leaf(compiled.play(state, memory.moves[1, index]), -beta, -max(alpha, best), memory))
        if best >= beta:
            break
    leave(memory.trace, memory.counts[PLIES], 1, alpha, beta, best, CUT_OFF if best >= beta else SEARCHED)
    return best


@kernel
def pvs(state: Any, depth: int, alpha: int, beta: int, memory: SearchWorkspace, stop: Ints) -> int:
    """Return the value of a position for the side to move, from a search of `depth` plies.

    If v is the minimax value and alpha < beta, the result is v if alpha < v < beta, an upper bound of v that is <=
    alpha if v <= alpha, and a lower bound of v that is >= beta if v >= beta. After `stop` is set the result is
    meaningless.
    """
    if depth == 0:
        return _leaf(state, alpha, beta, memory)
    if depth == 1:
        return _best_leaf(state, alpha, beta, memory)
    memory.counts[VISITED] += 1

    first = NO_MOVE
    slot = _place_for(memory, state)
    if _holds(memory, slot, state):
        value, known_depth, bound, is_cut, first = _known_at(memory, slot)
        answers = bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)
        if answers and known_depth == depth:
            memory.counts[JUDGED] += is_cut
            leave(memory.trace, memory.counts[PLIES], depth, alpha, beta, value, FROM_TABLE)
            return value

    count: int = compiled.write_moves(state, memory.moves[depth])
    if count == 0:
        value = _end(state, depth, memory)
        leave(memory.trace, memory.counts[PLIES], depth, alpha, beta, value, GAME_OVER)
        return value
    _list_successors(state, depth, count, first, memory)

    judged = memory.counts[JUDGED]
    best, best_index = -INFINITE, 0
    floor = alpha
    for turn in range(count):
        index = least_first(memory.order[depth], turn, count) & 255
        after = compiled.unpack(state, memory.successors[depth, index])
        # Only the first move gets the open window; the others are expected to be no better.
        ceiling = beta if turn == 0 else floor + 1
        enter(memory.trace, depth - 1, memory.moves[depth, index])
        while True:
            if depth == 2:  # inlined: a call costs as much as the search of one ply
                value = -_best_leaf(after, -ceiling, -floor, memory)
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
        _store(memory, state, best, depth, bound, memory.counts[JUDGED] > judged, best_index)
        leave(memory.trace, memory.counts[PLIES], depth, alpha, beta, best, CUT_OFF if best >= beta else SEARCHED)
    return best


class RootMoves(NamedTuple):
    """The moves of a root in search order, with their results. Element n of each array belongs to move n."""

    move: Ints
    value: Ints  # for the side to move at the root
    exact: NDArray[np.bool_]  # False: `value` is an upper bound
    nodes: Ints  # visited below the move, at all depths


def new_root_moves(moves: Sequence[Move]) -> RootMoves:
    value, nodes = np.zeros((2, len(moves)), np.int64)
    return RootMoves(np.array(moves, np.int64), value, np.zeros(len(moves), np.bool_), nodes)


@kernel
def judge_moves(state: Any, depth: int, judge_all: bool, root: RootMoves, memory: SearchWorkspace, stop: Ints) -> bool:
    """Search each root move to `depth` >= 1 plies.

    Args:
        state: the root.
        depth: plies.
        judge_all: find exact values of all moves, not only of all best moves.
        root: the moves; receives the results.
        memory: table and scratch memory.
        stop: cell of a `StopFlag`.

    Returns:
        False if `stop` was set; the results are meaningless then.
    """
    memory.counts[PLIES] = depth
    # `as_int64`: a literal argument has its own type, and a recursive kernel with two types cannot be cached.
    best = -INFINITE
    for index in range(len(root.move)):
        visited = memory.counts[VISITED]
        after = compiled.play(state, root.move[index])
        exact = judge_all or best == -INFINITE
        enter(memory.trace, depth - 1, root.move[index])
        if exact:
            value = -pvs(after, depth - 1, as_int64(-INFINITE), as_int64(INFINITE), memory, stop)
        else:
            # To separate equal moves from worse ones, the window proves that a move is below the best value.
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
    """Write a best move and the principal variation after it to `line`, and return its length.

    The length is `depth`, or less if the game ends before or the table has lost an entry.
    """
    line[0] = move
    length = 1
    state = compiled.play(state, move)
    while length < depth:
        rest = depth - length
        if rest == 1:
            reply = _best_last_move(state, memory)
        else:
            slot = _line_place_for(memory, state, rest)
            _, known_depth, _, _, choice = _known_at(memory, slot)
            reply = NO_MOVE
            if known_depth == rest and _holds(memory, slot, state):
                compiled.write_moves(state, memory.moves[1])
                reply = as_int64(memory.moves[1, choice])
        if reply == NO_MOVE:
            break
        line[length] = reply
        length += 1
        state = compiled.play(state, reply)
    return length


@inlined
def _best_last_move(state: Any, memory: SearchWorkspace) -> int:
    """Return the best move by a search of one ply, or NO_MOVE if the game is over."""
    best, best_move = -INFINITE, NO_MOVE
    for index in range(compiled.write_moves(state, memory.moves[1])):
        move = as_int64(memory.moves[1, index])
        leaf = compiled.play(state, move)
        value = -(_end(leaf, 0, memory) if compiled.is_over(leaf) else _score(leaf, 0, memory))
        if value > best:
            best, best_move = value, move
    return best_move
