"""The exact end game of Othello: the final score with best play, the best move, and the whole line.

Scores are final disc differences for the side to move, empty squares to the winner.

The score is closed in on by null-window searches, each of which begins where the last one ended: MTD(f), Plaat et al.,
"Best-first Fixed-depth Minimax Algorithms", Artificial Intelligence 87, 1996.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from othello.engine.endgame_search import Solver, new_solver, null_window
from othello.engine.endgame_table import best_move, find
from othello.engine.variant_endgame import null_window_of_variant
from othello.rules.othello import PASS, Othello, OthelloPosition
from othello.rules.othello_kernels import FILLS_CENTRE, OthelloState, centre_to_fill
from othello.rules.protocol import Move
from othello.search.stop import StopFlag

_USUAL: Final = Othello()


@dataclass(frozen=True, slots=True)
class EndgameResult:
    """A solved position.

    Attributes:
        score: for the side to move.
        pv: a line of best play to the last disc, passes included; its first move is the best move. Empty when the game
            is over.
        scores: the exact score of every legal move where all were asked for, of the best move alone otherwise.
        nodes: positions visited.
        seconds: time used.
    """

    score: int
    pv: tuple[Move, ...]
    scores: dict[Move, int]
    nodes: int
    seconds: float


def solve(
    position: OthelloPosition,
    stop: StopFlag,
    judge_all: bool = False,
    rules: Othello = _USUAL,
    nodes: NDArray[np.int64] | None = None,
) -> EndgameResult | None:
    """Solve a position, whatever was solved before: nothing is remembered from call to call.

    Args:
        position: any, though each empty square more takes about three times as long: 20 take a fraction of a second.
        stop: ends the search.
        judge_all: find the exact score of every move.
        rules: other ones than the usual take longer.
        nodes: int64 of shape (1,), where positions are counted for those who wait; from 0.

    Returns:
        None when the search was stopped.
    """
    begun = time.perf_counter()
    solver = new_solver(_places(position.empties), stop.cell, np.zeros(1, np.int64) if nodes is None else nodes)
    score = _score(rules, position, 0, solver)
    line = _line(rules, position, score, solver, stop)
    scores = {line[0]: score} if line else {}
    if judge_all:
        for move in rules.legal_moves(position):
            if move not in scores:
                scores[move] = -_score(rules, rules.play(position, move), -score, solver)
    if stop.is_set:
        return None
    return EndgameResult(score, line, scores, int(solver.nodes[0]), time.perf_counter() - begun)


def _places(empties: int) -> int:
    """Table size: little to clear for a quick answer, much to remember for a long search."""
    return 1 << min(max(empties + 1, 8), 22)


def _bound(rules: Othello, position: OthelloPosition, alpha: int, solver: Solver) -> int:
    state = rules.kernel_state(position)
    if isinstance(state, OthelloState) or (
        state.options == FILLS_CENTRE and not centre_to_fill(state.options, state.own, state.opponent)
    ):
        return int(null_window(state.own, state.opponent, alpha, position.empties, solver))
    return int(null_window_of_variant(state, alpha, solver))


def _score(rules: Othello, position: OthelloPosition, guess: int, solver: Solver) -> int:
    """The exact score; the nearer the guess, the sooner."""
    low, high, alpha = -64, 64, max(-64, min(63, guess - 1))
    while low < high and not solver.stop[0]:
        bound = _bound(rules, position, alpha, solver)
        if bound > alpha:
            low = bound
        else:
            high = bound
        alpha = bound if bound > alpha else bound - 1
    return low


def _line(rules: Othello, position: OthelloPosition, score: int, solver: Solver, stop: StopFlag) -> tuple[Move, ...]:
    """A line of best play from a position with a known score."""
    line: list[Move] = []
    while (moves := rules.legal_moves(position)) and not stop.is_set:
        place = find(solver.table, np.uint64(position.own), np.uint64(position.opponent))
        expected = best_move(solver.table, place) if place >= 0 else PASS
        for move in sorted(moves, key=lambda move: move != expected):
            after = rules.play(position, move)
            if -_bound(rules, after, -score, solver) >= score:  # as good as the position itself: a best move
                break
        line.append(move)
        position, score = after, -score
    return tuple(line)
