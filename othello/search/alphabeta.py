"""Alpha-beta search to a fixed depth.

A leaf is worth its positional score (`compiled.evaluate`). A finished game is worth +-(WIN + disc difference), or 0 for
a draw: no score of an unfinished game exceeds a win. A forced pass is a ply.

Source: Knuth and Moore, "An Analysis of Alpha-Beta Pruning", Artificial Intelligence 6:4, 1975.
"""

from typing import Any, Final

from othello.kernel.bits import as_int64, is_stopped
from othello.kernel.decorators import Ints, Moves, kernel
from othello.rules import compiled

WIN: Final = 10_000
INFINITE: Final = 1_000_000  # beyond any value


@kernel
def final_value(state: Any) -> int:
    """Return the value of a finished game for the side to move."""
    difference: int = compiled.final_difference(state)
    return difference + WIN * (as_int64(difference > 0) - as_int64(difference < 0))


@kernel
def score_after(state: Any, move: int) -> int:
    """Return the positional score after a move, for the side that makes it, even if the game is then over."""
    return -as_int64(compiled.evaluate(compiled.play(state, move)))


@kernel
def alphabeta(state: Any, depth: int, alpha: int, beta: int, moves: Moves, nodes: Ints, stop: Ints) -> int:
    """Return the value of a position for the side to move, from a search of `depth` plies.

    If v is the minimax value and alpha < beta, the result is v if alpha < v < beta, an upper bound of v that is <=
    alpha if v <= alpha, and a lower bound of v that is >= beta if v >= beta. After `stop` is set the result is
    meaningless.

    Args:
        state: the position.
        depth: plies, at least 0.
        alpha: lower end of the window.
        beta: upper end of the window.
        moves: scratch memory of shape (>= depth + 1, max_moves).
        nodes: int64 of shape (1,); incremented for each visited position.
        stop: cell of a `StopFlag`.
    """
    nodes[0] += 1
    if depth == 0:
        value: int = final_value(state) if compiled.is_over(state) else compiled.evaluate(state)
        return value
    count: int = compiled.write_moves(state, moves[depth])
    if count == 0:
        return final_value(state)
    best = -INFINITE
    for index in range(count):
        after = compiled.play(state, moves[depth, index])
        best = max(best, -alphabeta(after, depth - 1, -beta, -max(alpha, best), moves, nodes, stop))
        if best >= beta or is_stopped(stop):
            break
    return best
