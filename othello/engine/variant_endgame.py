"""The search of the end game by other rules than the usual ones.

What the search of the usual end game knows of stable discs and of the last empty squares is not true of other rules, so
this one is plainer: null windows, the table, and first the moves that leave the opponent the fewest replies.
"""

from __future__ import annotations

from typing import Final

from othello.engine.endgame_search import AGE, NODES, Solver
from othello.engine.table import EXACT, NO_MOVE, best_move, look_up, lower_bound, remember, upper_bound
from othello.kernel.bits import ONE, ZERO, is_stopped, lowest_square, popcount
from othello.kernel.jit import inlined, kernel
from othello.rules import compiled
from othello.rules.othello.kernels import (
    ENDS_WITHOUT_MOVE,
    VariantState,
    lead,
    mobility,
    options_of,
    places,
    with_boards,
)
from othello.search.ordering import least_first

_TABLE_FROM: Final = 5  # empties
_ORDER_FROM: Final = 4
_SQUARE: Final = 63  # the bits of a key that hold the square


@inlined
def _final_score(state: VariantState, empties: int) -> int:
    """The score of a finished game: empty squares go to the winner."""
    difference = lead(options_of(state), state.own, state.opponent)
    return difference + (empties if difference > 0 else -empties if difference < 0 else 0)


@kernel
def _rank_moves(state: VariantState, first: int, empties: int, solver: Solver) -> int:
    """Write a key of every move to the row of `empties`, the lower the sooner to try it; how many there are."""
    moves = places(options_of(state), state.own, state.opponent)
    count = 0
    while moves:
        square = lowest_square(moves)
        moves &= moves - ONE
        rank = 0
        if square == first:
            rank = -1
        elif empties >= _ORDER_FROM:
            rank = compiled.mobility(compiled.play(state, square))
        solver.keys[empties, count] = rank * 64 + square
        count += 1
    return count


@kernel
def null_window_of_variant(state: VariantState, alpha: int, solver: Solver) -> int:
    """A bound of the score: > alpha exactly if the score is. Means nothing once `solver.stop` is set."""
    solver.counts[NODES] += 1
    own, opponent = state.own, state.opponent
    empties = popcount(~(own | opponent))
    if places(options_of(state), own, opponent) == ZERO:
        if options_of(state) & ENDS_WITHOUT_MOVE or mobility(opponent, own) == ZERO:
            return _final_score(state, empties)
        return -null_window_of_variant(with_boards(state, opponent, own), -alpha - 1, solver)
    first = NO_MOVE
    if empties >= _TABLE_FROM:
        known = look_up(solver.table, own, opponent)
        if known:
            lower, upper = lower_bound(known), upper_bound(known)
            if lower > alpha:
                return lower
            if upper <= alpha:
                return upper
            first = best_move(known)
    count = _rank_moves(state, first, empties, solver)
    best, best_square = -65, NO_MOVE
    for turn in range(count):
        square = least_first(solver.keys[empties], turn, count) & _SQUARE
        score = -null_window_of_variant(compiled.play(state, square), -alpha - 1, solver)
        if is_stopped(solver.stop):
            return 0
        if score > best:
            best, best_square = score, square
            if best > alpha:
                break
    if empties >= _TABLE_FROM:
        age = solver.counts[AGE]
        remember(solver.table, own, opponent, alpha, alpha + 1, best, best_square, empties, EXACT, age)
    return best
