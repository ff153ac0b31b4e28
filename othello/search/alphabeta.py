"""Alpha-beta to a fixed depth.

Leaves count their positional score (`compiled.evaluate`), finished games +-(WIN + disc difference), so that no score of
an unfinished game outweighs a won one; a drawn game counts 0. A forced pass is a ply like any other move.

Source: Knuth and Moore, "An Analysis of Alpha-Beta Pruning", Artificial Intelligence 6:4, 1975.
"""

from typing import Any, Final

from othello.kernel.bits import as_int64, is_stopped
from othello.kernel.decorators import Bytes, Ints, kernel
from othello.rules import compiled

WIN: Final = 10_000
INFINITE: Final = 1_000_000  # beyond any value


@kernel
def final_value(state: Any) -> int:
    """What a finished game counts for the side to move."""
    difference: int = compiled.final_difference(state)
    if difference > 0:
        return WIN + difference
    if difference < 0:
        return difference - WIN
    return 0


@kernel
def score_after(state: Any, move: int) -> int:
    """The positional score after a move, for the side that makes it, whether the game is then over or not."""
    return -as_int64(compiled.evaluate(compiled.play(state, move)))


@kernel
def alphabeta(state: Any, depth: int, alpha: int, beta: int, moves: Bytes, nodes: Ints, stop: Ints) -> int:
    """The value of a position for the side to move, `depth` plies deep.

    With v the value that plain minimax returns and alpha < beta: the result is v if alpha < v < beta, an upper bound
    of v that is <= alpha if v <= alpha, and a lower bound of v that is >= beta if v >= beta. Once `stop` is set the
    result means nothing.

    Args:
        moves: scratch, uint8 of shape (>= depth + 1, max_moves).
        nodes: shape (1,), the positions visited so far, counted on.
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
