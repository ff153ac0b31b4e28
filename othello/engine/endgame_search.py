"""The end-game search, by standard rules and for variants: null-window alpha-beta to the last disc.

Moves are ordered by the mobility that they leave the opponent ("fastest first"). There are cut-offs by a transposition
table and by stable discs.

Sources: Andersson, "Writing an Othello program", 2007, for fastest-first and parity; Plaat et al., "Best-first
Fixed-depth Minimax Algorithms", Artificial Intelligence 87, 1996, for enhanced transposition cut-offs.
"""

from typing import Final, NamedTuple

import numpy as np

from othello.engine import last_empties
from othello.engine.last_empties import NO_SCORE, final_score, odd_quadrants, side_with_moves
from othello.engine.stable_discs import after_move, stable_discs, with_neighbours
from othello.engine.transposition_table import EXACT, NO_MOVE, Table, bounds_of, is_usable, moves_of, probe, store
from othello.kernel.bits import ONE, ZERO, as_int64, is_stopped, lowest_square, popcount
from othello.kernel.decorators import Ints, inlined, kernel
from othello.rules import compiled
from othello.rules.othello import othello_kernels
from othello.rules.othello.othello_kernels import ENDS_WITHOUT_MOVE, FEWEST_WINS, Bitboard, VariantState, mobility
from othello.search.ordering import least_first

# With at most _SHALLOW empty squares, moves are ordered by parity only. From _TABLE_FROM on, positions use the whole
# table. Positions between are numerous and recur soon, so they use a part that fits in the cache of the processor.
_SHALLOW: Final = 6
_TABLE_FROM: Final = 12
_NEAR_PLACES: Final = 1 << 13

# Weights of the move ordering: replies (those to corners count twice), discs next to empty squares, and the square of
# the move. Fitted to the node counts of 308,000 moves with 8 to 18 empty squares, and confirmed by whole end games.
REPLY: Final = 16
_FRONTIER: Final = 4
_QUARTER = np.array(((-11, -3, 0, 6), (-3, 14, 15, 16), (0, 15, 20, 12), (6, 16, 12, 0)))
_SQUARES: Final = np.block([[_QUARTER, _QUARTER[:, ::-1]], [_QUARTER[::-1], _QUARTER[::-1, ::-1]]]).ravel()

# Weights for variants: replies to corners, empty squares next to discs, discs, a move to a corner, parity.
_CORNER_REPLY: Final = 24
_OPEN_SQUARE: Final = 6
_DISC: Final = 3
_CORNER: Final = 24
_PARITY: Final = 8

CORNERS = np.uint64(0x8100000000000081)
_SQUARE: Final = 63  # the bits of a key that hold the square

# Indices of `Solver.counts`: visited positions (except those with at most two empty squares), age and confidence of the
# search, number of the thread.
NODES, AGE, CONFIDENCE, THREAD = range(4)

COUNTS: Final = 4

# The first row of `Solver.keys` that belongs to a ply. Earlier rows belong to numbers of empty squares.
LINE_ROWS: Final = 65


class Solver(NamedTuple):
    """The table and the scratch memory of a search."""

    table: Table
    keys: Ints  # (LINE_ROWS + plies, moves): scratch, a row for each number of empties: rank * 64 + square
    counts: Ints  # (COUNTS,)
    stop: Ints  # (2,): the cell of a `StopFlag`


@inlined
def stable_bound(own: Bitboard, opponent: Bitboard, alpha: int) -> int:
    """Return the upper bound of the score that the opponent's stable discs leave.

    The result is 64 if there are too few discs for a bound of at most `alpha`.
    """
    if 2 * popcount(opponent) < 64 - alpha:
        return as_int64(64)
    return 64 - 2 * popcount(stable_discs(opponent, own))


@kernel
def _shallow(own: Bitboard, opponent: Bitboard, alpha: int, empties: int, nodes: Ints) -> int:
    """`null_window` for 5 or 6 empty squares."""
    nodes[0] += 1
    if alpha >= 2 * empties - 6:
        most = stable_bound(own, opponent, alpha)
        if most <= alpha:
            return most
    odd = odd_quadrants(~(own | opponent))
    mover, other, bound, sign, moves = side_with_moves(own, opponent, alpha)
    if moves == ZERO:
        return final_score(own, opponent)
    best = NO_SCORE
    todo, rest = moves & odd, moves & ~odd
    if todo == ZERO:
        todo, rest = rest, todo
    while todo:
        square = lowest_square(todo)
        todo &= todo - ONE
        if todo == ZERO:
            todo, rest = rest, todo
        _, mine, theirs = after_move(mover, other, square)
        if empties == 5:
            score = -last_empties.last_four(mine, theirs, -bound - 1, nodes)
        else:
            score = -_shallow(mine, theirs, -bound - 1, empties - 1, nodes)
        best = max(best, score)
        if best > bound:
            break
    return sign * best


@inlined
def _prospects(own: Bitboard, opponent: Bitboard, board: Bitboard, corners: Bitboard) -> int:
    """Return a heuristic value of the position for the side to move: mobility, potential mobility, corners, discs."""
    moves = mobility(own, opponent) & board
    open_squares = with_neighbours(opponent) & board & ~(own | opponent)
    count = REPLY * popcount(moves) + _CORNER_REPLY * popcount(moves & corners)
    return count + _OPEN_SQUARE * popcount(open_squares) + _DISC * popcount(opponent)


@inlined
def reply_cost(own: Bitboard, opponent: Bitboard, square: int) -> int:
    """Return an estimate of the time to search all replies to a move to `square`, in addition to their number."""
    return _FRONTIER * popcount(with_neighbours(~(own | opponent)) & opponent) + as_int64(_SQUARES[square])


@kernel
def _rank_moves(own: Bitboard, opponent: Bitboard, moves: Bitboard, second: int, empties: int, solver: Solver) -> int:
    """Write a sort key of each move to row `empties`, the move `second` first, and return the number of moves."""
    keys = solver.keys
    count = 0
    while moves:
        square = lowest_square(moves)
        moves &= moves - ONE
        if square == second:
            rank = -10_000
        else:
            captured, mine, theirs = after_move(own, opponent, square)
            rank = -30_000
            if captured != opponent:
                replies = mobility(mine, theirs)
                rank = REPLY * (popcount(replies) + popcount(replies & CORNERS))
                rank += reply_cost(mine, theirs, square)
        keys[empties, count] = rank * 64 + square
        count += 1
    return count


@inlined
def enhanced_transposition_cutoff(
    own: Bitboard, opponent: Bitboard, moves: Bitboard, beta: int, depth: int, confidence: int, table: Table
) -> int:
    """Return the value of a move that is >= beta according to the table, or NO_SCORE.

    Args:
        own: discs of the side to move.
        opponent: discs of the other side.
        moves: the moves, as a board.
        beta: the bound to reach.
        depth: plies of the search that this may save.
        confidence: confidence of that search.
        table: the transposition table.
    """
    while moves:
        _, mine, theirs = after_move(own, opponent, lowest_square(moves))
        moves &= moves - ONE
        known = probe(table, mine, theirs)
        _, upper = bounds_of(known)
        if is_usable(known, depth - 1, confidence) and -upper >= beta:
            return -upper
    return NO_SCORE


@inlined
def _few(own: Bitboard, opponent: Bitboard, alpha: int, empties: int, nodes: Ints) -> int:
    """`null_window` for at most `_SHALLOW` empty squares."""
    if empties > 4:
        return _shallow(own, opponent, alpha, empties, nodes)
    if empties == 4:
        return last_empties.last_four(own, opponent, alpha, nodes)
    nodes[0] += 1
    left = ~(own | opponent)
    a = lowest_square(left)
    left &= left - ONE
    b = lowest_square(left)
    left &= left - ONE
    if empties == 3:
        return last_empties.last_three(own, opponent, alpha, a, b, lowest_square(left))
    if empties == 2:
        return last_empties.last_two(own, opponent, alpha, a, b)
    if empties == 1:
        return last_empties.last_one(own, a)
    return final_score(own, opponent)


@kernel
def null_window(own: Bitboard, opponent: Bitboard, alpha: int, empties: int, solver: Solver) -> int:
    """Return a bound of the score that is > alpha exactly if the score is. Meaningless after `stop` is set."""
    if empties <= _SHALLOW:
        return _few(own, opponent, alpha, empties, solver.counts)
    solver.counts[0] += 1
    if alpha >= 2 * empties - 6:
        most = stable_bound(own, opponent, alpha)
        if most <= alpha:
            return most
    moves = mobility(own, opponent)
    if moves == ZERO:
        if mobility(opponent, own) == ZERO:
            return final_score(own, opponent)
        return -null_window(opponent, own, -alpha - 1, empties, solver)
    first, second = NO_MOVE, NO_MOVE
    table = solver.table
    if empties < _TABLE_FROM:
        start = solver.counts[THREAD] * _NEAR_PLACES & (len(table) - 1)  # one part for each thread
        table = table[start : start + _NEAR_PLACES]
    known = probe(table, own, opponent)
    if known:
        if is_usable(known, empties, EXACT):
            lower, upper = bounds_of(known)
            if lower > alpha:
                return lower
            if upper <= alpha:
                return upper
        first, second = moves_of(known)
    best, best_square = NO_SCORE, NO_MOVE
    turn, count = 0, 0
    while moves:
        if first != NO_MOVE:  # often refutes, so it is tried before the others are ranked
            square, first = first, NO_MOVE
        else:
            if count == 0:
                count = _rank_moves(own, opponent, moves, second, empties, solver)
            square = least_first(solver.keys[empties], turn, count) & _SQUARE
            turn += 1
        moves ^= ONE << np.uint64(square)
        _, mine, theirs = after_move(own, opponent, square)
        if empties == _SHALLOW + 1:
            score = -_shallow(mine, theirs, -alpha - 1, empties - 1, solver.counts)
        else:
            score = -null_window(mine, theirs, -alpha - 1, empties - 1, solver)
        if is_stopped(solver.stop):
            return 0
        if score > best:
            best, best_square = score, square
            if best > alpha:
                break
    store(table, own, opponent, alpha, alpha + 1, best, best_square, empties, EXACT, solver.counts[AGE])
    return best


# The code for the last empty squares is valid only for standard rules on 8 x 8. Variants have a simpler search: null
# windows, the table, stable discs and move ordering.
_VARIANT_TABLE_FROM: Final = 5  # empties
_VARIANT_ORDER_FROM: Final = 4
_FORESIGHT_FROM: Final = 12  # empties from which all replies are looked up before any is searched
_SHALLOW_SEARCH_FROM: Final = 14  # empties from which a shallow search orders the moves
_SHALLOW_SEARCH_DEEPER: Final = 3  # additional empties for each further ply
_SHALLOW_SEARCH_CORNER: Final = 40  # weight of a corner in the shallow search
_GAME_OVER: Final = 1000  # weight of a disc in a finished game
_NEVER: Final = 100 * _GAME_OVER  # more than any heuristic value
_SMALL_CORNERS = np.uint64(0x0042000000004200)


@inlined
def _corners_wanted(options: np.uint64) -> Bitboard:
    """Return the corners of the board, or none if the fewest discs win."""
    return ZERO if options & FEWEST_WINS else _SMALL_CORNERS if options & othello_kernels.IS_SMALL else CORNERS


@kernel
def _shallow_search(state: VariantState, depth: int, alpha: int, beta: int) -> int:
    """Return a heuristic value of the position from an alpha-beta search of `depth` plies."""
    own, opponent, options = state.own, state.opponent, othello_kernels.options_of(state)
    moves = othello_kernels.places(options, own, opponent)
    if depth == 0 or moves == ZERO:
        replies = (
            ZERO if moves == ZERO and options & ENDS_WITHOUT_MOVE else othello_kernels.places(options, opponent, own)
        )
        if moves == ZERO and replies == ZERO:
            return _GAME_OVER * othello_kernels.lead(options, own, opponent)
        if depth == 0:
            board, corners = othello_kernels.board_of(options), _corners_wanted(options)
            value = _prospects(own, opponent, board, corners) - _prospects(opponent, own, board, corners)
            return value + _SHALLOW_SEARCH_CORNER * (popcount(own & corners) - popcount(opponent & corners))
        return -_shallow_search(othello_kernels.with_boards(state, opponent, own), depth - 1, -beta, -alpha)
    best = as_int64(-_NEVER)
    while moves and best < beta:
        after = compiled.play(state, othello_kernels.move_of(options, lowest_square(moves)))
        moves &= moves - ONE
        best = max(best, -_shallow_search(after, depth - 1, -beta, -max(alpha, best)))
    return best


@kernel
def _rank_moves_of_variant(state: VariantState, alpha: int, first: int, empties: int, solver: Solver) -> int:
    """Write sort keys as `_rank_moves` does. If the table has a move better than `alpha`, write only that one."""
    options, board = othello_kernels.options_of(state), othello_kernels.board_of(othello_kernels.options_of(state))
    moves = othello_kernels.places(options, state.own, state.opponent)
    odd = odd_quadrants(board & ~(state.own | state.opponent))
    count = 0
    while moves:
        move = othello_kernels.move_of(options, lowest_square(moves))
        placed = moves & (ZERO - moves)
        moves ^= placed
        rank = as_int64(0)
        if move == first:
            rank = as_int64(-_NEVER)
        elif empties >= _VARIANT_ORDER_FROM:
            after = compiled.play(state, move)
            if empties >= _FORESIGHT_FROM:
                known = probe(solver.table, after.own, after.opponent)
                if known and -bounds_of(known)[1] > alpha:
                    solver.keys[empties, 0] = move
                    return 1
            if empties >= _SHALLOW_SEARCH_FROM:
                depth = 1 + (empties - _SHALLOW_SEARCH_FROM) // _SHALLOW_SEARCH_DEEPER
                rank = _shallow_search(after, depth, as_int64(-_NEVER), as_int64(_NEVER))
            else:
                corners = _corners_wanted(options)
                rank = _prospects(after.own, after.opponent, board, corners)
                rank -= _CORNER if placed & corners else 0
            rank -= _PARITY if placed & odd else 0
        elif not placed & odd:
            rank = as_int64(_PARITY)
        solver.keys[empties, count] = rank * 64 + move
        count += 1
    return count


@kernel
def null_window_of_variant(state: VariantState, alpha: int, solver: Solver) -> int:
    """`null_window` for other rules than the standard ones."""
    solver.counts[NODES] += 1
    own, opponent, options = state.own, state.opponent, othello_kernels.options_of(state)
    board = othello_kernels.board_of(options)
    empties = popcount(board & ~(own | opponent))
    if othello_kernels.places(options, own, opponent) == ZERO:
        if options & ENDS_WITHOUT_MOVE or othello_kernels.places(options, opponent, own) == ZERO:
            return othello_kernels.with_empties(options, own, opponent, othello_kernels.lead(options, own, opponent))
        return -null_window_of_variant(othello_kernels.with_boards(state, opponent, own), -alpha - 1, solver)
    if alpha >= 2 * empties - 2:
        # The squares around a small board protect discs as stable discs do.
        loser, other = (own, opponent) if options & FEWEST_WINS else (opponent, own)
        most = popcount(board) - 2 * popcount(stable_discs(loser | ~board, other) & board)
        if most <= alpha:
            return most
    first = NO_MOVE
    if empties >= _VARIANT_TABLE_FROM:
        known = probe(solver.table, own, opponent)
        if known:
            lower, upper = bounds_of(known)
            if lower > alpha:
                return lower
            if upper <= alpha:
                return upper
            first, _ = moves_of(known)
    count = _rank_moves_of_variant(state, alpha, first, empties, solver)
    best, best_move = -65, NO_MOVE
    for turn in range(count):
        move = least_first(solver.keys[empties], turn, count) & _SQUARE
        score = -null_window_of_variant(compiled.play(state, move), -alpha - 1, solver)
        if is_stopped(solver.stop):
            return 0
        if score > best:
            best, best_move = score, move
            if best > alpha:
                break
    if empties >= _VARIANT_TABLE_FROM:
        age = solver.counts[AGE]
        store(solver.table, own, opponent, alpha, alpha + 1, best, best_move, empties, EXACT, age)
    return best
