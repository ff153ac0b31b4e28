"""The exact end game of Othello: the final score with best play.

Scores are final disc differences for the side to move, empty squares to the winner. The search is a null-window
alpha-beta under a principal variation search, with moves ordered by the replies that they leave ("fastest first") and
by parity, a transposition table, and cut-offs by stable discs.

Sources: Marsland and Campbell, "Parallel Search of Strongly Ordered Game Trees", ACM Computing Surveys 14:4, 1982;
Andersson, "Writing an Othello program", 2007, for fastest-first and parity; Plaat et al., "Best-first Fixed-depth
Minimax Algorithms", Artificial Intelligence 87, 1996, for enhanced transposition cut-offs.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello.kernel.bits import ONE, ZERO, integer, is_stopped, lowest_square, popcount
from othello.kernel.jit import inlined, kernel
from othello.rules.othello_kernels import Bitboard, flips, mobility
from othello.search.last_empties import (
    NEIGHBOURS,
    NO_SCORE,
    final_score,
    last_four,
    last_one,
    last_three,
    last_two,
    odd_quadrants,
)
from othello.search.stability import stable_discs

NO_MOVE: Final = 255
_SHALLOW: Final = 6  # up to here, moves are tried by parity alone
_TABLE_FROM: Final = 9  # empties from which positions are worth a place in the table
_FORESIGHT_FROM: Final = 12  # empties from which the replies are looked up in the table before any is searched

_CORNERS = np.uint64(0x8100000000000081)
_SHIFT = np.uint64(32)
_MULTIPLIER_A = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio, for multiplicative hashing
_MULTIPLIER_B = np.uint64(0xC2B2AE3D27D4EB4F)


class Solver(NamedTuple):
    """The transposition table, two places a hash value, and scratch. 19 bytes a place."""

    state: NDArray[np.uint64]  # (places, 2): own, opponent; the whole position; no discs at all: free
    lower: NDArray[np.int8]  # the score is at least this
    upper: NDArray[np.int8]  # and at most this
    move: NDArray[np.uint8]  # the best or the refuting move, NO_MOVE where none is known

    moves: NDArray[np.uint64]  # (64, 34): scratch, one row for every number of empties
    captures: NDArray[np.uint64]  # (64, 34)
    ranks: NDArray[np.int64]  # (64, 34)
    nodes: NDArray[np.int64]  # (1,): positions visited


def new_solver(places: int) -> Solver:
    """A solver with room for `places` positions, a power of two."""
    return Solver(
        state=np.zeros((places, 2), np.uint64),
        lower=np.empty(places, np.int8),
        upper=np.empty(places, np.int8),
        move=np.empty(places, np.uint8),
        moves=np.empty((64, 34), np.uint64),
        captures=np.empty((64, 34), np.uint64),
        ranks=np.empty((64, 34), np.int64),
        nodes=np.zeros(1, np.int64),
    )


@inlined
def _first_place(solver: Solver, own: Bitboard, opponent: Bitboard) -> int:
    mixed = (own * _MULTIPLIER_A) ^ ((opponent ^ (opponent >> _SHIFT)) * _MULTIPLIER_B)
    return integer((mixed ^ (mixed >> _SHIFT)) & np.uint64(len(solver.lower) - 2))


@inlined
def _find(solver: Solver, own: Bitboard, opponent: Bitboard) -> int:
    """The place of a known position, -1 where it is not known."""
    place = _first_place(solver, own, opponent)
    if solver.state[place, 0] == own and solver.state[place, 1] == opponent:
        return place
    if solver.state[place + 1, 0] == own and solver.state[place + 1, 1] == opponent:
        return place + 1
    return -1


@inlined
def _remember(solver: Solver, own: Bitboard, opponent: Bitboard, alpha: int, beta: int, score: int, move: int) -> None:
    """Keep what a search with the window (alpha, beta) found out."""
    place = _find(solver, own, opponent)
    if place < 0:
        # The first of the two places is for positions with many empties, the second for the newest.
        place = _first_place(solver, own, opponent)
        if popcount(solver.state[place, 0] | solver.state[place, 1]) < popcount(own | opponent) and (
            solver.state[place, 0] | solver.state[place, 1]
        ):
            place += 1
        solver.state[place, 0] = own
        solver.state[place, 1] = opponent
        solver.lower[place] = -64
        solver.upper[place] = 64
    if score < beta:
        solver.upper[place] = min(integer(solver.upper[place]), score)
    if score > alpha:
        solver.lower[place] = max(integer(solver.lower[place]), score)
    solver.move[place] = move


@kernel
def _shallow(own: Bitboard, opponent: Bitboard, alpha: int, empties: int, solver: Solver) -> int:
    """`null_window` with 5 or 6 empties."""
    solver.nodes[0] += 1
    empty = ~(own | opponent)
    odd = odd_quadrants(empty)
    mover, other, sign = own, opponent, 1
    for _ in range(2):
        best = NO_SCORE
        bound = alpha if sign == 1 else -alpha - 1
        for part in range(2):
            todo = empty & odd if part == 0 else empty & ~odd
            while todo:
                square = lowest_square(todo)
                move = todo & (ZERO - todo)
                todo ^= move
                if NEIGHBOURS[square] & other == ZERO:
                    continue
                captured = flips(mover, other, move)
                if captured == ZERO:
                    continue
                if empties == 5:
                    score = -last_four(other ^ captured, mover | captured | move, -bound - 1, solver.nodes)
                else:
                    score = -_shallow(other ^ captured, mover | captured | move, -bound - 1, empties - 1, solver)
                if score > best:
                    best = score
                    if best > bound:
                        return sign * best
        if best > NO_SCORE:
            return sign * best
        mover, other, sign = other, mover, -sign  # a pass
    return final_score(own, opponent)


@inlined
def _rank(own: Bitboard, opponent: Bitboard, move: Bitboard, captured: Bitboard, odd: Bitboard) -> int:
    """How late to try a move: the more replies it leaves, the later."""
    replies = mobility(opponent ^ captured, own | captured | move)
    rank = 16 * (popcount(replies) + popcount(replies & _CORNERS))
    if move & _CORNERS:
        rank -= 24
    if move & odd:
        rank -= 8
    return rank


@kernel
def _order(own: Bitboard, opponent: Bitboard, moves: Bitboard, first: int, row: int, solver: Solver) -> int:
    """List the moves of a position in the order to try, in `row` of the scratch arrays; their number."""
    odd = odd_quadrants(~(own | opponent))
    count = 0
    while moves:
        move = moves & (ZERO - moves)
        moves ^= move
        captured = flips(own, opponent, move)
        rank = -10_000
        if captured != opponent and lowest_square(move) != first:
            rank = _rank(own, opponent, move, captured, odd)
        slot = count
        while slot > 0 and solver.ranks[row, slot - 1] > rank:
            solver.ranks[row, slot] = solver.ranks[row, slot - 1]
            solver.moves[row, slot] = solver.moves[row, slot - 1]
            solver.captures[row, slot] = solver.captures[row, slot - 1]
            slot -= 1
        solver.ranks[row, slot] = rank
        solver.moves[row, slot] = move
        solver.captures[row, slot] = captured
        count += 1
    return count


@kernel
def null_window(
    own: Bitboard, opponent: Bitboard, alpha: int, empties: int, solver: Solver, stop: NDArray[np.int64]
) -> int:
    """A bound of the score: > alpha exactly if the score is. Means nothing once `stop` is set."""
    if empties <= _SHALLOW:
        return _few(own, opponent, alpha, empties, solver)
    solver.nodes[0] += 1
    if alpha >= 2 * empties - 2:
        most = 64 - 2 * popcount(stable_discs(opponent, own))
        if most <= alpha:
            return most
    moves = mobility(own, opponent)
    if moves == ZERO:
        if mobility(opponent, own) == ZERO:
            return final_score(own, opponent)
        return -null_window(opponent, own, -alpha - 1, empties, solver, stop)
    first = NO_MOVE
    if empties >= _TABLE_FROM:
        place = _find(solver, own, opponent)
        if place >= 0:
            if solver.lower[place] > alpha:
                return integer(solver.lower[place])
            if solver.upper[place] <= alpha:
                return integer(solver.upper[place])
            first = integer(solver.move[place])
    count = _order(own, opponent, moves, first, empties, solver)
    if empties >= _FORESIGHT_FROM:
        for index in range(count):
            move, captured = solver.moves[empties, index], solver.captures[empties, index]
            place = _find(solver, opponent ^ captured, own | captured | move)
            if place >= 0 and -integer(solver.upper[place]) > alpha:
                return -integer(solver.upper[place])
    best, best_move = NO_SCORE, NO_MOVE
    for index in range(count):
        move, captured = solver.moves[empties, index], solver.captures[empties, index]
        score = -null_window(opponent ^ captured, own | captured | move, -alpha - 1, empties - 1, solver, stop)
        if is_stopped(stop):
            return 0
        if score > best:
            best, best_move = score, lowest_square(move)
            if best > alpha:
                break
    if empties >= _TABLE_FROM:
        _remember(solver, own, opponent, alpha, alpha + 1, best, best_move)
    return best


@inlined
def _few(own: Bitboard, opponent: Bitboard, alpha: int, empties: int, solver: Solver) -> int:
    """`null_window` with at most `_SHALLOW` empties."""
    if empties > 4:
        return _shallow(own, opponent, alpha, empties, solver)
    if empties == 4:
        return last_four(own, opponent, alpha, solver.nodes)
    solver.nodes[0] += 1
    left = ~(own | opponent)
    a = lowest_square(left)
    left &= left - ONE
    b = lowest_square(left)
    left &= left - ONE
    if empties == 3:
        return last_three(own, opponent, alpha, a, b, lowest_square(left), solver.nodes)
    if empties == 2:
        return last_two(own, opponent, alpha, a, b)
    if empties == 1:
        return last_one(own, a)
    return final_score(own, opponent)


@kernel
def exact(
    own: Bitboard, opponent: Bitboard, alpha: int, beta: int, empties: int, solver: Solver, stop: NDArray[np.int64]
) -> int:
    """The score if alpha < score < beta, otherwise a bound of it outside of the window, on the score's side.

    Means nothing once `stop` is set.
    """
    if empties <= 2:
        return _few(own, opponent, alpha, empties, solver) if beta == alpha + 1 else _exact_few(own, opponent, solver)
    solver.nodes[0] += 1
    moves = mobility(own, opponent)
    if moves == ZERO:
        if mobility(opponent, own) == ZERO:
            return final_score(own, opponent)
        return -exact(opponent, own, -beta, -alpha, empties, solver, stop)
    first = NO_MOVE
    place = _find(solver, own, opponent)
    if place >= 0:
        first = integer(solver.move[place])
    count = _order(own, opponent, moves, first, empties, solver)
    best, best_move = NO_SCORE, NO_MOVE
    for index in range(count):
        move, captured = solver.moves[empties, index], solver.captures[empties, index]
        mine, theirs = opponent ^ captured, own | captured | move
        floor = max(alpha, best)
        if index == 0:
            score = -exact(mine, theirs, -beta, -floor, empties - 1, solver, stop)
        else:
            score = -null_window(mine, theirs, -floor - 1, empties - 1, solver, stop)
            if floor < score < beta:
                score = -exact(mine, theirs, -beta, -score + 1, empties - 1, solver, stop)
        if is_stopped(stop):
            return 0
        if score > best:
            best, best_move = score, lowest_square(move)
            if best >= beta:
                break
    _remember(solver, own, opponent, alpha, beta, best, best_move)
    return best


@kernel
def _exact_few(own: Bitboard, opponent: Bitboard, solver: Solver) -> int:
    """The score with at most two empties, by halving the window."""
    low, high = -64, 64
    empties = popcount(~(own | opponent))
    while low < high:
        middle = (low + high) // 2
        score = _few(own, opponent, middle, empties, solver)
        if score > middle:
            low = score
        else:
            high = score
    return low
