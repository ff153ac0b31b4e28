"""The search of the end game, by the usual rules and by others: null-window alpha-beta to the last disc.

Moves are ordered by what they leave the opponent to try ("fastest first"); positions are looked up in a table; stable
discs cut off.

Sources: Andersson, "Writing an Othello program", 2007, for fastest-first and parity; Plaat et al., "Best-first
Fixed-depth Minimax Algorithms", Artificial Intelligence 87, 1996, for the look at the successors in the table
(`foreseen`).
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
from othello.rules.othello.othello_kernels import (
    ENDS_WITHOUT_MOVE,
    FEWEST_WINS,
    IS_SMALL,
    Bitboard,
    VariantState,
    mobility,
)
from othello.search.ordering import least_first

# Empties up to which moves are tried by parity alone, and from which positions have a place anywhere in the table.
# Positions between these are many, and come up again soon if at all: they share a part of the table that stays in the
# processor's cache.
_SHALLOW: Final = 6
_TABLE_FROM: Final = 12
_NEAR_PLACES: Final = 1 << 13

# Weights for the order of moves that refute, which are to refute soon: replies (those to corners count twice), discs
# beside empty squares, and the square of the move, by its row and column. Fitted to the positions that 308,000 moves
# took, with 8 to 18 empties, and chosen by whole end games.
REPLY: Final = 16
_FRONTIER: Final = 4
_QUARTER = np.array(((-11, -3, 0, 6), (-3, 14, 15, 16), (0, 15, 20, 12), (6, 16, 12, 0)))
_SQUARES: Final = np.block([[_QUARTER, _QUARTER[:, ::-1]], [_QUARTER[::-1], _QUARTER[::-1, ::-1]]]).ravel()

# By other rules: replies to corners, open squares beside the discs, the discs themselves, its own corner, parity.
_CORNER_REPLY: Final = 24
_OPEN_SQUARE: Final = 6
_DISC: Final = 3
_CORNER: Final = 24
_PARITY: Final = 8

CORNERS = np.uint64(0x8100000000000081)
_SQUARE: Final = 63  # the bits of a key that hold the square

NODES, AGE, CONFIDENCE, THREAD = range(4)
"""Places of `Solver.counts`: positions visited, save those with the last two empties; the search's age, confidence and
thread, 0 for the first."""

COUNTS: Final = 4

LINE_ROWS: Final = 65
"""The first row of `Solver.keys` that belongs to a ply of a line. Rows before belong to numbers of empties."""


class Solver(NamedTuple):
    """What a search needs besides the position."""

    table: Table
    keys: Ints  # (LINE_ROWS + plies, moves): scratch, a row for each number of empties: rank * 64 + square
    counts: Ints  # (COUNTS,)
    stop: Ints  # (2,): the cell of a `StopFlag`


@inlined
def stable_bound(own: Bitboard, opponent: Bitboard, alpha: int) -> int:
    """The most that the opponent's stable discs leave; 64 where too few discs are there to leave only `alpha`."""
    if 2 * popcount(opponent) < 64 - alpha:
        return as_int64(64)
    return 64 - 2 * popcount(stable_discs(opponent, own))


@kernel
def _shallow(own: Bitboard, opponent: Bitboard, alpha: int, empties: int, nodes: Ints) -> int:
    """`null_window` with 5 or 6 empties."""
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
    """What the side to move can hope for, on the squares of `board`."""
    moves = mobility(own, opponent) & board
    open_squares = with_neighbours(opponent) & board & ~(own | opponent)
    count = REPLY * popcount(moves) + _CORNER_REPLY * popcount(moves & corners)
    return count + _OPEN_SQUARE * popcount(open_squares) + _DISC * popcount(opponent)


@inlined
def reply_costs(own: Bitboard, opponent: Bitboard, square: int) -> int:
    """How long all replies to a move of the opponent's to `square` may take, besides the number of replies."""
    return _FRONTIER * popcount(with_neighbours(~(own | opponent)) & opponent) + as_int64(_SQUARES[square])


@kernel
def _rank_moves(own: Bitboard, opponent: Bitboard, moves: Bitboard, second: int, empties: int, solver: Solver) -> int:
    """Write a key of every move to the row of `empties`, the lower the sooner to try it, `second` first; how many."""
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
                rank += reply_costs(mine, theirs, square)
        keys[empties, count] = rank * 64 + square
        count += 1
    return count


@inlined
def enhanced_transposition_cutoff(
    own: Bitboard, opponent: Bitboard, moves: Bitboard, beta: int, depth: int, confidence: int, table: Table
) -> int:
    """The value of one of the moves that is >= beta by the table; NO_SCORE without such a move.

    Known as enhanced transposition cut-off.

    Args:
        depth: plies of the search that may be spared; likewise its `confidence`.
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
    """`null_window` with at most `_SHALLOW` empties."""
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
    """A bound of the score, > alpha exactly if the score is > alpha. Meaningless once `stop` is set."""
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
        start = solver.counts[THREAD] * _NEAR_PLACES & (len(table) - 1)  # threads have parts of their own
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
        if first != NO_MOVE:  # it refutes often enough to be tried before others are looked at
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


# The code for the last empty squares does not hold for other rules, among them other boards. The search by other rules
# is plainer: null windows, the table, stable discs, and an order of moves.
_VARIANT_TABLE_FROM: Final = 5  # empties
_VARIANT_ORDER_FROM: Final = 4
_FORESIGHT_FROM: Final = 12  # from which the table is asked about all replies before any is searched
_GLANCE_FROM: Final = 14  # empties from which a search of some plies tells the order of moves
_GLANCE_DEEPER: Final = 3  # empties more for each further ply
_GLANCE_CORNER: Final = 40  # the weight of a corner there
_GAME_OVER: Final = 1000  # the weight of a disc in a finished game
_NEVER: Final = 100 * _GAME_OVER  # more than any position can look like
_SMALL_CORNERS = np.uint64(0x0042000000004200)


@inlined
def _corners_wanted(options: np.uint64) -> Bitboard:
    """The corners; none where discs are not wanted."""
    return ZERO if options & FEWEST_WINS else _SMALL_CORNERS if options & IS_SMALL else CORNERS


@kernel
def _glance(state: VariantState, depth: int, alpha: int, beta: int) -> int:
    """How good a position looks some plies ahead, by alpha-beta: the prospects of both sides, and their corners."""
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
            return value + _GLANCE_CORNER * (popcount(own & corners) - popcount(opponent & corners))
        return -_glance(othello_kernels.with_boards(state, opponent, own), depth - 1, -beta, -alpha)
    best = as_int64(-_NEVER)
    while moves and best < beta:
        after = compiled.play(state, othello_kernels.move_of(options, lowest_square(moves)))
        moves &= moves - ONE
        best = max(best, -_glance(after, depth - 1, -beta, -max(alpha, best)))
    return best


@kernel
def _rank_moves_of_variant(state: VariantState, alpha: int, first: int, empties: int, solver: Solver) -> int:
    """`_rank_moves` by other rules; a single move where the table has one that is better than `alpha`."""
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
            if empties >= _GLANCE_FROM:
                depth = 1 + (empties - _GLANCE_FROM) // _GLANCE_DEEPER
                rank = _glance(after, depth, as_int64(-_NEVER), as_int64(_NEVER))
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
    """`null_window` by other rules than the usual ones."""
    solver.counts[NODES] += 1
    own, opponent, options = state.own, state.opponent, othello_kernels.options_of(state)
    board = othello_kernels.board_of(options)
    empties = popcount(board & ~(own | opponent))
    if othello_kernels.places(options, own, opponent) == ZERO:
        if options & ENDS_WITHOUT_MOVE or othello_kernels.places(options, opponent, own) == ZERO:
            return othello_kernels.with_empties(options, own, opponent, othello_kernels.lead(options, own, opponent))
        return -null_window_of_variant(othello_kernels.with_boards(state, opponent, own), -alpha - 1, solver)
    if alpha >= 2 * empties - 2:
        # Squares around a small board protect as stable discs do.
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
