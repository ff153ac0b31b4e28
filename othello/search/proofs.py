"""MCTS-Solver: proven results of positions.

A finished game proves its position. A position with a move that wins is won; if all moves are proven, the best one
decides. Before a playout the search looks for a move that wins at once. A proof holds for all paths to a position, in
trees and in graphs.

Source: Winands, Bjornsson and Saito, "Monte-Carlo Tree Search Solver", CG 2008. Unlike there, draws are proven, too.

The field `proof` of a store holds UNPROVEN, LOST, DRAWN or WON for each node, for the side that moved into it. The
solver is chosen by type when a search is compiled, so it costs nothing when it is off.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello.kernel.bits import as_int64
from othello.kernel.decorators import Moves, implements
from othello.rules import compiled
from othello.search.store import child_of

UNPROVEN: Final = 0
LOST: Final = 1
DRAWN: Final = 2
WON: Final = 3


class SolverOn(NamedTuple):
    """The solver is on."""


class SolverOff(NamedTuple):
    """The solver is off."""


def proof_of(proofs: Any, store: Any, node: Any) -> Any:
    """Return the proof of a node."""


def certain_result(proofs: Any, store: Any, node: Any, state: Any, moves: Any) -> Any:
    """Return whether the result of a leaf is certain, and the result as `compiled.final_difference`.

    `moves` is scratch memory.
    """


def backpropagate_proof(proofs: Any, store: Any, path: Any, length: Any, difference: Any) -> Any:
    """Record the certain result of the last node of a path, and derive the proofs of the nodes before it."""


@implements(proof_of, SolverOff, in_place=True)
def _unproven(proofs: SolverOff, store: Any, node: int) -> int:
    return UNPROVEN


@implements(proof_of, SolverOn, in_place=True)
def _proof(proofs: SolverOn, store: Any, node: int) -> int:
    return as_int64(store.proof[node])


@implements(certain_result, SolverOff, in_place=True)
def _final(proofs: SolverOff, store: Any, node: int, state: Any, moves: Moves) -> tuple[bool, int]:
    return (True, compiled.final_difference(state)) if compiled.is_over(state) else (False, as_int64(0))


@implements(certain_result, SolverOn, in_place=True)
def _certain_or_decided(proofs: SolverOn, store: Any, node: int, state: Any, moves: Moves) -> tuple[bool, int]:
    proof = as_int64(store.proof[node])
    if proof != UNPROVEN:
        return True, DRAWN - proof
    is_certain, difference = compiled.decided_in_one(state, moves)
    return is_certain, difference


@implements(backpropagate_proof, SolverOff, in_place=True)
def _nothing(proofs: SolverOff, store: Any, path: NDArray[np.uint32], length: int, difference: int) -> None:
    pass


@implements(backpropagate_proof, SolverOn, in_place=True)
def _backpropagate_proof(proofs: SolverOn, store: Any, path: NDArray[np.uint32], length: int, difference: int) -> None:
    store.proof[path[length - 1]] = LOST if difference > 0 else WON if difference < 0 else DRAWN
    for index in range(length - 2, -1, -1):
        node = path[index]
        first = as_int64(store.first_edge[node])
        last = first + as_int64(store.tried[node])
        best, is_known = LOST, store.tried[node] == store.edges[node]
        for edge in range(first, last):
            proof = as_int64(store.proof[child_of(store, edge)])
            best = max(best, proof)
            is_known &= proof != UNPROVEN
        if best != WON and not is_known:
            return
        store.proof[node] = WON + LOST - best
