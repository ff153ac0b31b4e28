"""What is proven of positions that a search by simulations came by: that they are lost, drawn or won.

A finished game proves itself. A position with a move that is proven to win is won; where every move is proven, the best
move tells. The search looks for a move that wins at once before it plays a position out. A proof holds for every way to
the position, so that trees and graphs keep proofs alike.

Source: Winands, Bjornsson and Saito, "Monte-Carlo Tree Search Solver", CG 2008; here draws are proven too.

A store has a field for it, `proof`, by node and for the side that moved into the node: UNPROVEN, LOST, DRAWN or WON.
Whether it is used is resolved by type when the search is compiled, so that without proofs they take no time.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello.kernel.bits import as_int64
from othello.kernel.decorators import Bytes, implements
from othello.rules import compiled
from othello.search.store import child_of

UNPROVEN: Final = 0
LOST: Final = 1
DRAWN: Final = 2
WON: Final = 3


class SolverOn(NamedTuple):
    """What can be proven is."""


class SolverOff(NamedTuple):
    """Nothing is."""


def proof_of(proofs: Any, store: Any, node: Any) -> Any:
    """What is proven of a node."""
    raise NotImplementedError


def certain_result(proofs: Any, store: Any, node: Any, state: Any, moves: Any) -> Any:
    """Whether the result of a leaf is certain, and the result, as `compiled.final_difference`; `moves` is scratch."""
    raise NotImplementedError


def backpropagate_proof(proofs: Any, store: Any, path: Any, length: Any, difference: Any) -> Any:
    """Note the certain result of the last node of a path, `difference`, and what follows for the nodes before."""
    raise NotImplementedError


@implements(proof_of, SolverOff, in_place=True)
def _unproven(proofs: SolverOff, store: Any, node: int) -> int:
    return UNPROVEN


@implements(proof_of, SolverOn, in_place=True)
def _proof(proofs: SolverOn, store: Any, node: int) -> int:
    return as_int64(store.proof[node])


@implements(certain_result, SolverOff, in_place=True)
def _final(proofs: SolverOff, store: Any, node: int, state: Any, moves: Bytes) -> tuple[bool, int]:
    return (True, compiled.final_difference(state)) if compiled.is_over(state) else (False, as_int64(0))


@implements(certain_result, SolverOn, in_place=True)
def _foreseen(proofs: SolverOn, store: Any, node: int, state: Any, moves: Bytes) -> tuple[bool, int]:
    proof = as_int64(store.proof[node])
    if proof != UNPROVEN:
        return True, DRAWN - proof
    is_certain, difference = compiled.foreseen(state, moves)
    return is_certain, difference


@implements(backpropagate_proof, SolverOff, in_place=True)
def _nothing(proofs: SolverOff, store: Any, path: NDArray[np.uint32], length: int, difference: int) -> None:
    pass


@implements(backpropagate_proof, SolverOn, in_place=True)
def _conclude(proofs: SolverOn, store: Any, path: NDArray[np.uint32], length: int, difference: int) -> None:
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
