"""The engine's middle-game search: selective principal variation search, exact if it reaches the end of the game.

A search as deep as the number of empty squares is the upper part of an end-game search, with moves ordered by
evaluation. `endgame_search` searches the last plies.

Sources: Marsland and Campbell, "Parallel Search of Strongly Ordered Game Trees", ACM Computing Surveys 14:4, 1982;
Buro, "Experiments with Multi-ProbCut and a New High-Quality Evaluation Function for Othello", 2000; Plaat et al.,
"Best-first Fixed-depth Minimax Algorithms", Artificial Intelligence 87, 1996, for enhanced transposition cut-offs;
Romstad, "An Introduction to Late Move Reductions", 2006.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello.engine import endgame_search, evaluation
from othello.engine.abdada import SHARED_FROM, Lines, finished_search, starting_search
from othello.engine.endgame_search import AGE, CONFIDENCE, CORNERS, LINE_ROWS, NODES, REPLY, THREAD, Solver
from othello.engine.evaluation import Numbers, Weights
from othello.engine.last_empties import NO_SCORE, final_score
from othello.engine.probcut import AGGRESSIVE, SHALLOW
from othello.engine.stable_discs import after_move
from othello.engine.transposition_table import EXACT, NO_MOVE, Table, bounds_of, is_usable, moves_of, probe, store
from othello.kernel.bits import ONE, ZERO, as_int64, is_stopped, lowest_square, popcount
from othello.kernel.decorators import Ints, inlined, kernel
from othello.rules.othello.othello_kernels import Bitboard, mobility
from othello.rules.protocol import Move
from othello.search.ordering import least_first

# With at most this many empty squares, the end is searched without the evaluation.
END_EMPTIES: Final = 12

_CUT_FROM: Final = 3
_FORESIGHT_FROM: Final = 4
_PATTERNS_FROM: Final = 3  # plies from which patterns are used for the move order
_LATE: Final = 3  # moves, without the one from the table, after which the others count as late
_LATE_FROM: Final = 4  # plies from which late moves are reduced
_MAX_OF_COUNTS: Final = 8  # in discs: weights besides those of patterns rarely add more
_BESIDE_CORNERS = np.uint64(0x42C300000000C342)
_SQUARE: Final = 63
_MANY: Final = 1 << 20
_LATER: Final = 1 << 27  # added to the key of a deferred move; the absolute value of other keys is less than half
_LATE_WAITED: Final = 2  # factor that keeps late moves late


class Search(NamedTuple):
    """The data of a search. The first four fields are those of `Solver`."""

    table: Table
    keys: Ints
    counts: Ints
    stop: Ints
    numbers: Numbers
    weights: Weights
    margins: Ints  # (65, 65): [empties, depth], ProbCut margins of the confidence
    lines: Lines


@inlined
def _end(own: Bitboard, opponent: Bitboard, alpha: int, beta: int, empties: int, search: Search) -> int:
    """Return the exact score if it lies in the window, otherwise a bound on that side of the window."""
    solver = Solver(search.table, search.keys, search.counts, search.stop)
    while True:
        score = endgame_search.null_window(own, opponent, alpha, empties, solver)
        if score <= alpha or score >= beta or is_stopped(search.stop):
            return score
        alpha = score
        if endgame_search.null_window(own, opponent, alpha, empties, solver) <= alpha:
            return score


@inlined
def _best_leaf(own: Bitboard, opponent: Bitboard, alpha: int, beta: int, ply: int, search: Search) -> int:
    """`pvs` for a depth of 1 and a position with moves: corners first, squares next to corners last.

    If the value of the patterns is far outside the window, an aggressive search leaves out the other weights and allows
    for half of what they may add.
    """
    is_aggressive = search.counts[CONFIDENCE] == AGGRESSIVE
    moves = mobility(own, opponent)
    best = NO_SCORE
    for squares in (CORNERS, ~(CORNERS | _BESIDE_CORNERS), _BESIDE_CORNERS):
        todo = moves & squares
        while todo:
            square = lowest_square(todo)
            todo &= todo - ONE
            turned, mine, theirs = after_move(own, opponent, square)
            search.counts[NODES] += 1
            patterns = evaluation.patterns_after(mine, theirs, turned, square, search.numbers, ply, search.weights)
            guess = -evaluation.in_discs(patterns)
            if is_aggressive and guess >= beta + _MAX_OF_COUNTS:
                return guess - _MAX_OF_COUNTS // 2
            if is_aggressive and guess <= max(alpha, best) - _MAX_OF_COUNTS:
                best = max(best, guess + _MAX_OF_COUNTS // 2)
            else:
                best = max(best, -evaluation.in_discs(evaluation.with_counts(patterns, mine, theirs, search.weights)))
                if best >= beta:
                    return best
    return best


@kernel
def _rank_moves(
    own: Bitboard, opponent: Bitboard, moves: Bitboard, second: int, depth: int, ply: int, search: Search
) -> int:
    """Write a sort key of each move to the row of `ply`, and return the number of moves.

    In searches to the end of the game, a good order is worth the time of a complete evaluation. Close to the leaves,
    mobility must do.
    """
    empties = 64 - popcount(own | opponent)
    keys, row = search.keys, LINE_ROWS + ply
    count = 0
    while moves:
        square = lowest_square(moves)
        moves &= moves - ONE
        if square == second:
            rank = -_MANY
        else:
            turned, mine, theirs = after_move(own, opponent, square)
            rank = REPLY * popcount(mobility(mine, theirs))
            if depth == empties:
                rank += 8 * evaluation.evaluate_after(mine, theirs, turned, square, search.numbers, ply, search.weights)
                rank += endgame_search.reply_cost(mine, theirs, square)
            elif depth >= _PATTERNS_FROM:
                rank += (
                    evaluation.patterns_after(mine, theirs, turned, square, search.numbers, ply, search.weights) // 4
                )
        keys[row, count] = rank * 64 + square
        count += 1
    return count


@kernel
def pvs(
    own: Bitboard, opponent: Bitboard, alpha: int, beta: int, depth: int, ply: int, may_cut: int, search: Search
) -> int:
    """Return the value of a position from a search of `depth` plies or to the end of the game.

    If v is the value without windows and alpha < beta, the result of an exact search is v if alpha < v < beta, an upper
    bound of v that is <= alpha if v <= alpha, and a lower bound of v that is >= beta if v >= beta. Selective searches
    may err on either side. After `stop` is set, or if another thread calls this ply back, the result is meaningless.

    In an aggressive search, late moves are first searched two plies less in null windows, and again at full depth if
    they exceed alpha.

    Args:
        own: discs of the side to move.
        opponent: discs of the other side.
        alpha: lower end of the window.
        beta: upper end of the window.
        depth: plies; all empty squares for an exact score.
        ply: the row of `search.numbers` of the position.
        may_cut: 1 if ProbCut is allowed, else 0. Literals need `as_int64`, because numba gives them another type.
        search: data of the search.
    """
    search.counts[NODES] += 1
    empties = 64 - popcount(own | opponent)
    if depth == empties and empties <= END_EMPTIES:
        return _end(own, opponent, alpha, beta, empties, search)
    if depth <= 0:
        return evaluation.evaluate(own, opponent, search.numbers, ply, search.weights)
    moves = mobility(own, opponent)
    if moves == ZERO:
        if mobility(opponent, own) == ZERO:
            return final_score(own, opponent)
        evaluation.pass_on(search.numbers, ply)
        return -pvs(opponent, own, -beta, -alpha, depth, ply + 1, may_cut, search)
    if depth == 1:
        return _best_leaf(own, opponent, alpha, beta, ply, search)
    if beta >= 2 * empties:
        most = endgame_search.stable_bound(own, opponent, alpha)
        if most <= alpha:
            return most

    confidence = search.counts[CONFIDENCE]
    first, second = NO_MOVE, NO_MOVE
    known = probe(search.table, own, opponent)
    if known:
        if is_usable(known, depth, confidence):
            lower, upper = bounds_of(known)
            if lower >= beta or lower == upper:
                return lower
            if upper <= alpha:
                return upper
        first, second = moves_of(known)

    if depth >= _CUT_FROM and may_cut and confidence < EXACT and beta - alpha == 1:
        margin = search.margins[empties, depth]
        shallow = as_int64(SHALLOW[depth])
        guess = evaluation.evaluate(own, opponent, search.numbers, ply, search.weights)
        high, low = beta + margin, alpha - margin
        if guess >= beta and high < 64:
            if pvs(own, opponent, high - 1, high, shallow, ply, as_int64(0), search) >= high:
                return beta
        elif (
            guess <= alpha and low > -64 and pvs(own, opponent, low, low + 1, shallow, ply, as_int64(0), search) <= low
        ):
            return alpha
        if is_stopped(search.stop):
            return 0

    may_reduce = confidence == AGGRESSIVE and _LATE_FROM <= depth < empties and beta - alpha == 1
    is_shared = len(search.lines) > 1 and depth >= SHARED_FROM
    thread = search.counts[THREAD]
    best, best_square, floor = NO_SCORE, NO_MOVE, alpha
    turn, count = 0, 0
    while moves:
        if first != NO_MOVE:  # often refutes, so it is tried before the others are ranked
            square, first = first, NO_MOVE
        else:
            if count == 0:
                if depth >= _FORESIGHT_FROM and beta - alpha == 1:
                    score = endgame_search.enhanced_transposition_cutoff(
                        own, opponent, moves, beta, depth, confidence, search.table
                    )
                    if score != NO_SCORE:
                        return score
                count = _rank_moves(own, opponent, moves, second, depth, ply, search)
            square = least_first(search.keys[LINE_ROWS + ply], turn, count) & _SQUARE
            turn += 1
        turned, mine, theirs = after_move(own, opponent, square)
        is_late = turn > _LATE
        if is_shared:
            waited = (search.keys[LINE_ROWS + ply, turn - 1] + _LATER // 2) // _LATER if turn else as_int64(0)
            if waited:
                is_late = waited == _LATE_WAITED
            may_wait = best != NO_SCORE and waited == 0  # a move is deferred once
            if beta - alpha > 1:  # in an open window the first move raises the bound for the others
                may_wait = may_wait and floor > alpha
            if not starting_search(search.lines, thread, ply, mine, theirs, depth, may_wait):
                turn -= 1
                search.keys[LINE_ROWS + ply, turn] += _LATER * (_LATE_WAITED if is_late else 1)
                continue
        moves ^= ONE << np.uint64(square)
        evaluation.descend(search.numbers, ply, turned, square)
        ceiling, plies = beta if best == NO_SCORE else floor + 1, depth - 1
        if may_reduce and is_late:
            plies -= 2
        while True:
            score = -pvs(mine, theirs, -ceiling, -floor, plies, ply + 1, as_int64(1), search)
            if is_shared and search.lines[thread, 0]:
                if search.lines[thread, 0] <= ply:
                    return 0
                search.lines[thread, 0] = 0  # the result of the other thread is in the table
                continue
            if plies < depth - 1 and score > floor and not is_stopped(search.stop):  # search to the full depth
                plies = depth - 1
                continue
            if score < ceiling or score >= beta or is_stopped(search.stop):
                break
            ceiling = beta
        if is_stopped(search.stop):
            return 0
        if is_shared:
            finished_search(search.lines, thread, ply)
        if score > best:
            best, best_square = score, square
            floor = max(floor, score)
            if best >= beta:
                break
    age = search.counts[AGE]
    store(search.table, own, opponent, alpha, beta, best, best_square, depth, confidence, age)
    return best


class EngineRoot(NamedTuple):
    """The moves of a root in search order, with their results. Element n of each array belongs to move n."""

    square: Ints
    value: Ints  # for the side to move at the root
    exact: NDArray[np.bool_]  # False: `value` is a bound
    nodes: Ints  # visited below the move, at all depths
    searched: NDArray[np.bool_]  # at the current depth


def new_root_moves(moves: Sequence[Move]) -> EngineRoot:
    (value, nodes), (exact, searched) = np.zeros((2, len(moves)), np.int64), np.zeros((2, len(moves)), np.bool_)
    return EngineRoot(np.array(moves, np.int64), value, exact, nodes, searched)


def best_first(root: EngineRoot) -> EngineRoot:
    """Return a copy sorted by the values found last, the best first. Moves without one keep their order."""
    places = np.argsort(np.where(root.exact & root.searched, -root.value, 1000), kind="stable")
    return EngineRoot._make(array[places] for array in root)


@kernel
def judge_moves(
    own: Bitboard,
    opponent: Bitboard,
    alpha: int,
    beta: int,
    depth: int,
    judge_all: bool,
    root: EngineRoot,
    search: Search,
) -> int:
    """Search the moves of a position whose sums are at ply 0, to `depth` >= 1 plies.

    Args:
        own: discs of the side to move.
        opponent: discs of the other side.
        alpha: lower end of the window.
        beta: upper end of the window; a move that reaches it ends the search unless `judge_all`.
        depth: plies.
        judge_all: find the exact value of every move in the window, not only of the best.
        root: the moves; receives the results.
        search: data of the search.

    Returns:
        The best value; after `stop` was set, that of the moves searched before, or NO_SCORE.
    """
    best, floor = NO_SCORE, alpha
    is_shared = len(search.lines) > 1 and depth >= SHARED_FROM
    thread, count = search.counts[THREAD], len(root.square)
    root.searched[:] = False
    for turn in range(2 * count):  # twice, because a move can be deferred once
        index = turn % count
        if root.searched[index]:
            continue
        visited = search.counts[NODES]
        square = root.square[index]
        turned, mine, theirs = after_move(own, opponent, square)
        if is_shared:
            # In an open window all threads search the same move, because a low bound makes the next ones expensive.
            may_wait = turn < count and (judge_all or (index > 0 and beta == alpha + 1))
            if not starting_search(search.lines, thread, 0, mine, theirs, depth, may_wait):
                continue
        evaluation.descend(search.numbers, 0, turned, square)
        ceiling = beta if judge_all or index == 0 else floor + 1
        while True:
            value = -pvs(mine, theirs, -ceiling, -floor, depth - 1, as_int64(1), as_int64(1), search)
            if is_shared and search.lines[thread, 0]:
                search.lines[thread, 0] = 0  # the result of the other thread is in the table
                continue
            if value < ceiling or value >= beta or is_stopped(search.stop):
                break
            ceiling = beta
        root.nodes[index] += search.counts[NODES] - visited
        if is_stopped(search.stop):
            break
        if is_shared:
            finished_search(search.lines, thread, 0)
        root.value[index] = value
        root.exact[index] = judge_all or value > floor
        root.searched[index] = True
        best = max(best, value)
        if not judge_all:
            floor = max(floor, value)
        if best >= beta and not judge_all:
            break
    return best
