"""Monte Carlo tree search: selection, expansion, playout and backup, several simulations at a time.

Source: Browne et al., "A Survey of Monte Carlo Tree Search Methods", IEEE TCIAIG 4:1, 2012
(doi 10.1109/TCIAIG.2012.2186810).

A batch of simulations walks down the tree one after the other, is played out in lock-step and learns together. So that
the walks of one batch differ, a simulation under way counts as lost ("virtual loss": Chaslot, Winands and van den
Herik, "Parallel Monte-Carlo Tree Search", CG 2008). In a batch of one this changes nothing.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello.kernel.bits import as_int64, is_stopped
from othello.kernel.jit import kernel
from othello.kernel.random import RandomState, random_lanes, random_state
from othello.rules import protocol
from othello.search.tree import (
    MAX_PATH,
    NO_CHILDREN,
    UCT,
    Tree,
    add_children,
    enter,
    learn,
    select_ucb1_tuned,
    select_uct,
    try_child,
)

LANES: Final = 16


class Walks(NamedTuple):
    """The simulations of one batch, and the search's random numbers. Row n of every array is simulation n."""

    path: NDArray[np.uint32]  # (LANES, MAX_PATH): the nodes from the root to the leaf
    length: NDArray[np.int64]  # (LANES,): how many
    words: NDArray[np.uint64]  # (LANES, 2): leaves that wait for a playout, packed, without gaps
    waiting: NDArray[np.int64]  # (LANES,): which simulation a row of `words` is of
    difference: NDArray[np.int64]  # (LANES,): result of a playout, from the side to move at the leaf
    moves: NDArray[np.uint8]  # (256,): scratch
    random: RandomState  # (2,): choices in the tree
    lanes: RandomState  # (6, LANES): choices in the playouts, and room for their boards
    deepest: NDArray[np.int64]  # (1,): plies of the longest path so far


def new_walks(seed: np.random.SeedSequence) -> Walks:
    tree_seed, playout_seed = seed.spawn(2)
    return Walks(
        path=np.empty((LANES, MAX_PATH), np.uint32),
        length=np.empty(LANES, np.int64),
        words=np.empty((LANES, 2), np.uint64),
        waiting=np.empty(LANES, np.int64),
        difference=np.empty(LANES, np.int64),
        moves=np.empty(256, np.uint8),
        random=random_state(tree_seed),
        lanes=random_lanes(playout_seed, LANES, more_rows=4),
        deepest=np.zeros(1, np.int64),
    )


@kernel
def descend(tree: Tree, top: int, root: Any, rule: int, exploration: float, walks: Walks, walk: int) -> Any:
    """Walk down to a leaf: a position that is finished, was just tried for the first time, or finds no more room.

    Args:
        top: the node to start from.
        root: its state.

    Returns:
        The leaf's state; the nodes on the way are in `walks`.
    """
    state = root
    node = top
    length = 0
    while True:
        walks.path[walk, length] = node
        length += 1
        enter(tree, node)
        if tree.first_child[node] == NO_CHILDREN and (
            (tree.visits[node] == 1 and node != top) or add_children(tree, node, state, walks.moves) <= 0
        ):
            break
        if tree.tried[node] < tree.children[node]:
            node = try_child(tree, node, walks.random)
        elif rule == UCT:
            node = select_uct(tree, node, exploration)
        else:
            node = select_ucb1_tuned(tree, node)
        state = protocol.play(state, tree.move[node])
    walks.length[walk] = length
    walks.deepest[0] = max(walks.deepest[0], length - 1)
    return state


@kernel
def back_up(tree: Tree, walks: Walks, walk: int, difference: int) -> None:
    """Teach a result to every node on a path.

    Args:
        difference: points of the side to move at the leaf minus the opponent's.
    """
    for index in range(walks.length[walk] - 1, -1, -1):
        difference = -difference  # now of the side that moved into the node
        learn(tree, as_int64(walks.path[walk, index]), difference)


@kernel
def simulate(
    tree: Tree,
    top: int,
    root: Any,
    rule: int,
    exploration: float,
    count: int,
    batch: int,
    walks: Walks,
    stop: NDArray[np.int64],
) -> int:
    """Run `count` simulations from the node `top`, whose state is `root`, `batch` (1..LANES) at a time.

    Returns:
        How many were run: fewer than `count` only when `stop` was set, but one batch at least.
    """
    done = 0
    while done < count and not (done and is_stopped(stop)):
        size = min(batch, count - done)
        waiting = 0
        for walk in range(size):
            leaf = descend(tree, top, root, rule, exploration, walks, walk)
            if protocol.is_over(leaf):
                back_up(tree, walks, walk, protocol.final_difference(leaf))
            else:
                protocol.pack(leaf, walks.words[waiting])
                walks.waiting[waiting] = walk
                waiting += 1
        if waiting:
            protocol.playout_lanes(root, walks.words, waiting, walks.lanes, walks.difference)
        for index in range(waiting):
            back_up(tree, walks, as_int64(walks.waiting[index]), as_int64(walks.difference[index]))
        done += size
    return done
