"""Monte Carlo tree search: selection, expansion, playout and backpropagation, in batches of simulations.

The search runs on a tree or a graph, here called `tree`, by the functions of `othello.search.store`. These functions
and the selection rule are resolved by type when the search is compiled.

Source: Browne et al., "A Survey of Monte Carlo Tree Search Methods", IEEE TCIAIG 4:1, 2012 (doi
10.1109/TCIAIG.2012.2186810).

The simulations of a batch are selected one after the other, played out in parallel, and backpropagated together. A
simulation in progress counts as lost, so that the simulations of a batch differ ("virtual loss": Chaslot, Winands and
van den Herik, "Parallel Monte-Carlo Tree Search", CG 2008). In a batch of one this has no effect.

A leaf may be played out several times. Each playout is a visit of all nodes on the path ("leaf parallelisation":
Cazenave and Jouandeau, "On the Parallelization of UCT", CGW 2007).
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello.kernel.bits import as_int64, is_stopped, moves_buffer
from othello.kernel.decorators import Ints, Moves, Words, implements, inlined, kernel
from othello.kernel.random import RandomState, below, below_lane, random_lanes, random_state
from othello.rules import compiled
from othello.rules.protocol import Position, Rules
from othello.search import store
from othello.search.proofs import LOST, UNPROVEN, SolverOff, backpropagate_proof, certain_result, proof_of

LANES: Final = 16  # playouts in parallel
MAX_BATCH_SIZE: Final = 64  # maximum simulations in a batch


# Selection rules.


class Uct(NamedTuple):
    """UCB1: Q(s,a) + C * sqrt(ln N(s) / N(s,a)). N(s) does not include the current simulation.

    Source: Kocsis and Szepesvari, "Bandit Based Monte-Carlo Planning", ECML 2006.
    """

    exploration: float  # the constant C of UCT


class Ucb1Tuned(NamedTuple):
    """UCB1-tuned: Q(s,a) + sqrt(ln N(s) / N(s,a) * min(1/4, V)).

    V is the variance of the rewards plus sqrt(2 ln N(s) / N(s,a)).

    Source: Auer, Cesa-Bianchi and Fischer, "Finite-time Analysis of the Multiarmed Bandit Problem", Machine Learning
    47, 2002, section 4.
    """

    max_variance: float = 0.25  # the maximum for rewards from 0 to 1


Rule = Uct | Ucb1Tuned


def bound_terms(rule: Any, tree: Any, edge: Any, root_log: Any) -> Any:
    """Return the terms of the upper bound of a tried edge: mean, exploration term, and its variance or NaN.

    Args:
        rule: `Uct` or `Ucb1Tuned`.
        tree: the store.
        edge: the edge.
        root_log: sqrt(ln N(s)).
    """


@implements(bound_terms, Uct, in_place=True)
def _uct(rule: Uct, tree: Any, edge: int, root_log: np.float32) -> tuple[np.float32, np.float32, np.float32]:
    bonus = np.float32(rule.exploration) * root_log
    mean: np.float32 = tree.mean[store.child_of(tree, edge)]
    return mean, bonus * tree.edge_inverse_root[edge], np.float32(np.nan)


@implements(bound_terms, Ucb1Tuned, in_place=True)
def _ucb1_tuned(
    rule: Ucb1Tuned, tree: Any, edge: int, root_log: np.float32
) -> tuple[np.float32, np.float32, np.float32]:
    node = store.child_of(tree, edge)
    mean: np.float32 = tree.mean[node]
    inverse_root: np.float32 = tree.edge_inverse_root[edge]
    bonus = root_log * inverse_root
    squares = np.float32(tree.wins[node]) + np.float32(0.25) * np.float32(tree.draws[node])
    variance = squares * inverse_root * inverse_root - mean * mean
    variance += np.float32(1.4142135) * bonus
    return mean, bonus * np.sqrt(min(np.float32(rule.max_variance), variance)), variance


_ROOTS_OF_LOGS: Final = np.sqrt(np.log(np.maximum(np.arange(4096), 1))).astype(np.float32)


@inlined
def root_of_log(visits: int) -> np.float32:
    """Return sqrt(ln visits) for visits >= 1. Small numbers, which are most frequent, are read from a table."""
    if visits < len(_ROOTS_OF_LOGS):
        return np.float32(_ROOTS_OF_LOGS[visits])
    return np.float32(np.sqrt(np.log(np.float64(visits))))


# Evaluation of leaves.


class Playouts(NamedTuple):
    """Evaluate a leaf by a uniformly random game to the end."""


def evaluate_leaves(leaf: Any, root: Any, words: Any, count: Any, lanes: Any, differences: Any) -> Any:
    """Write results of unfinished positions, for their sides to move.

    Args:
        leaf: the kind of evaluation, such as `Playouts`.
        root: any state of the game.
        words: uint64 of shape (>= count, state words): packed states.
        count: number of positions, at most `LANES`.
        lanes: generators; see `compiled.playout_lanes`.
        differences: int64 of shape (>= count,): receives a number with the sign of each result.
    """


@implements(evaluate_leaves, Playouts, in_place=True)
def _play_out(leaf: Playouts, root: Any, words: Words, count: int, lanes: RandomState, differences: Ints) -> None:
    compiled.playout_lanes(root, words, count, lanes, differences)


class CutPlayouts(NamedTuple):
    """Evaluate a leaf by a random game of at most `plies` plies, and the game's evaluation of the last position.

    Source: Lorentz, "Amazons Discover Monte-Carlo", CG 2008.
    """

    plies: int


@implements(evaluate_leaves, CutPlayouts)
def _play_on(leaf: CutPlayouts, root: Any, words: Words, count: int, lanes: RandomState, differences: Ints) -> None:
    moves = moves_buffer()
    for lane in range(count):
        state = compiled.unpack(root, words[lane])
        sign, left = as_int64(1), leaf.plies
        choices = as_int64(compiled.write_moves(state, moves))
        while choices and left:
            state = compiled.play(state, moves[as_int64(below_lane(lanes, lane, choices))])
            sign, left = -sign, left - 1
            choices = as_int64(compiled.write_moves(state, moves))
        differences[lane] = sign * (compiled.evaluate(state) if choices else compiled.final_difference(state))


_PLAYOUTS: Final = Playouts()
_NO_PROOFS: Final = SolverOff()


class SimulationBatch(NamedTuple):
    """A batch of simulations, with the random numbers and the options of the search.

    Row n of each array belongs to simulation n, unless stated otherwise.
    """

    path: NDArray[np.uint32]  # (MAX_BATCH_SIZE, plies of a game + 1): nodes from the top to the leaf
    length: Ints  # (MAX_BATCH_SIZE,): number of nodes on the path
    playouts: int  # playouts of each leaf
    words: Words  # (MAX_BATCH_SIZE * playouts, state words): packed leaves to play out
    waiting: Ints  # (MAX_BATCH_SIZE * playouts,): simulation of each row of `words`
    difference: Ints  # (MAX_BATCH_SIZE * playouts,): result of each row, for the side to move
    packed: Words  # (state words,): scratch memory
    moves: Moves  # (max_moves,): scratch memory
    random: RandomState  # (2,): for choices in the tree
    lanes: RandomState  # (4 + state words, LANES): for playouts, with room for their states
    deepest: Ints  # (1,): plies of the longest path
    leaf: NamedTuple  # how leaves are evaluated
    proofs: NamedTuple  # `SolverOn` or `SolverOff`
    draws_ties: bool  # break ties at random
    shares: Ints  # simulations left for each edge of the top node; empty: the rule chooses


def new_batch(
    rules: Rules[Position],
    seed: np.random.SeedSequence,
    leaf: NamedTuple = _PLAYOUTS,
    proofs: NamedTuple = _NO_PROOFS,
    playouts: int = 1,
    draws_ties: bool = False,
) -> SimulationBatch:
    tree_seed, playout_seed = seed.spawn(2)
    rows = MAX_BATCH_SIZE * playouts
    return SimulationBatch(
        path=np.empty((MAX_BATCH_SIZE, rules.max_plies + 1), np.uint32),
        length=np.empty(MAX_BATCH_SIZE, np.int64),
        playouts=playouts,
        words=np.empty((rows, rules.state_words), np.uint64),
        waiting=np.empty(rows, np.int64),
        difference=np.empty(rows, np.int64),
        packed=np.empty(rules.state_words, np.uint64),
        moves=rules.new_moves(rules.max_moves),
        random=random_state(tree_seed),
        lanes=random_lanes(playout_seed, LANES, more_rows=2 + rules.state_words),
        deepest=np.zeros(1, np.int64),
        leaf=leaf,
        proofs=proofs,
        draws_ties=draws_ties,
        shares=np.empty(0, np.int64),
    )


@inlined
def select(tree: Any, node: int, rule: Any, batch: SimulationBatch) -> int:
    """Return the edge with the highest upper bound among edges that are not proven to lose. All have been tried.

    Ties are broken by order, or at random if `draws_ties`: the n-th of them replaces the choice with probability
    1 / n.
    """
    first = as_int64(tree.first_edge[node])
    root_log = root_of_log(as_int64(tree.visits[node]))
    best, best_bound, equals = first, np.float32(-1.0), 1
    for edge in range(first, first + as_int64(tree.edges[node])):
        if proof_of(batch.proofs, tree, store.child_of(tree, edge)) == LOST:
            continue
        mean, bonus, _ = bound_terms(rule, tree, edge, root_log)
        bound = mean + bonus
        if bound > best_bound:
            best, best_bound, equals = edge, bound, 1
        elif batch.draws_ties and bound == best_bound:
            equals += 1
            if below(batch.random, equals) == 0:
                best = edge
    return best


@inlined
def _in_turn(tree: Any, node: int, batch: SimulationBatch) -> int:
    """Return the edge of the top node with the most simulations left, the first in a tie.

    An untried edge is moved behind the tried ones. Edges that are proven to lose are skipped; the others get their
    share.
    """
    first, tried = as_int64(tree.first_edge[node]), as_int64(tree.tried[node])
    best, most = as_int64(0), as_int64(-(1 << 62))
    for place in range(as_int64(tree.edges[node])):
        if place < tried and proof_of(batch.proofs, tree, store.child_of(tree, first + place)) == LOST:
            continue
        if batch.shares[place] > most:
            best, most = place, batch.shares[place]
    if best >= tried:
        store.exchange(tree, first + tried, first + best)
        batch.shares[best], batch.shares[tried] = batch.shares[tried], batch.shares[best]
        best = tried
    batch.shares[best] -= 1
    return first + best


@inlined
def _select_leaf(tree: Any, top: int, root: Any, rule: Any, batch: SimulationBatch, simulation: int) -> Any:
    """Go down from the top node to a leaf: a new node, a proven one, a finished game, or a node without room to expand.

    Returns:
        The state of the leaf as the store keeps it. The path is written to `batch`.
    """
    state = store.state_kept(tree, top, root)
    node = top
    length = 0
    is_new = False
    playouts = np.uint32(batch.playouts)
    while True:
        batch.path[simulation, length] = node
        length += 1
        if is_new or (length > 1 and proof_of(batch.proofs, tree, node) != UNPROVEN):
            break
        if store.list_moves(tree, node, state, batch.moves) <= 0:
            break
        untried = as_int64(tree.first_edge[node]) + as_int64(tree.tried[node])
        if length == 1 and len(batch.shares):
            edge = _in_turn(tree, node, batch)
        elif tree.tried[node] < tree.edges[node]:
            edge = store.draw_untried(tree, node, batch.random)
        else:
            edge = select(tree, node, rule, batch)
        if edge == untried:
            if not store.expand(tree, edge, state, batch.packed):
                break
            tree.tried[node] += np.uint8(1)
            is_new = True
        parent = node
        node, state = store.descend(tree, edge, state, playouts)
        store.add_virtual_loss(tree, parent, playouts)  # after the choice at this node: N(s) must not include it
    store.add_virtual_loss(tree, node, playouts)
    batch.length[simulation] = length
    batch.deepest[0] = max(batch.deepest[0], length - 1)
    return state


@inlined
def _backpropagate(tree: Any, batch: SimulationBatch, simulation: int, difference: int) -> None:
    """Add a result, for the side to move at the leaf, to all nodes on a path."""
    for index in range(batch.length[simulation] - 1, -1, -1):
        difference = -difference  # for the side that moved into the node
        store.backpropagate(tree, as_int64(batch.path[simulation, index]), difference)


@inlined
def _begin(tree: Any, top: int, root: Any, rule: Any, batch: SimulationBatch, simulation: int, waiting: int) -> int:
    """Select the leaf of a simulation, and backpropagate the result if it is certain.

    Returns:
        The number of leaves that wait for their playouts; it was `waiting` before.
    """
    leaf = _select_leaf(tree, top, root, rule, batch, simulation)
    length = batch.length[simulation]
    node = batch.path[simulation, length - 1]
    is_certain, difference = certain_result(batch.proofs, tree, node, leaf, batch.moves)
    if is_certain:
        for _ in range(batch.playouts):
            _backpropagate(tree, batch, simulation, difference)
        backpropagate_proof(batch.proofs, tree, batch.path[simulation], length, difference)
        return waiting
    for _ in range(batch.playouts):
        compiled.pack(leaf, batch.words[waiting])
        batch.waiting[waiting] = simulation
        waiting += 1
    return waiting


@inlined
def _evaluate(root: Any, batch: SimulationBatch, at: int, waiting: int) -> None:
    """Evaluate the waiting leaves from `at` on, as many as there are lanes."""
    evaluate_leaves(batch.leaf, root, batch.words[at:], min(LANES, waiting - at), batch.lanes, batch.difference[at:])


@kernel
def simulate(
    tree: Any, top: int, root: Any, rule: Any, count: int, batch_size: int, batch: SimulationBatch, stop: Ints
) -> int:
    """Run simulations.

    Args:
        tree: the store.
        top: the node where simulations begin.
        root: the state of that node.
        rule: the selection rule.
        count: number of simulations.
        batch_size: simulations in a batch, 1 to `MAX_BATCH_SIZE`.
        batch: from `new_batch`.
        stop: cell of a `StopFlag`.

    Returns:
        The number of simulations run: less than `count` only after `stop` was set, but at least one batch.
    """
    done = 0
    while done < count and not (done and is_stopped(stop)):
        size = min(batch_size, count - done)
        waiting = as_int64(0)  # a literal would be a type of its own
        for simulation in range(size):
            waiting = _begin(tree, top, root, rule, batch, simulation, waiting)
        for at in range(0, waiting, LANES):
            _evaluate(root, batch, at, waiting)
        for index in range(waiting):
            _backpropagate(tree, batch, as_int64(batch.waiting[index]), as_int64(batch.difference[index]))
        done += size
    return done


# The parts of `simulate`, to step through a search.


@kernel
def begin_simulation(
    tree: Any, top: int, root: Any, rule: Any, batch: SimulationBatch, simulation: int, waiting: int
) -> int:
    """Do the first part of a simulation; see `_begin`."""
    return _begin(tree, top, root, rule, batch, simulation, waiting)


@kernel
def evaluate_waiting(root: Any, batch: SimulationBatch, at: int, waiting: int) -> None:
    """Evaluate leaves; see `_evaluate`."""
    _evaluate(root, batch, at, waiting)


@kernel
def backpropagate_result(tree: Any, batch: SimulationBatch, index: int) -> None:
    """Backpropagate the result in a row of `batch.difference`."""
    _backpropagate(tree, batch, as_int64(batch.waiting[index]), as_int64(batch.difference[index]))


@kernel
def record_playout(
    root: Any, line: Ints, is_canonical: bool, lanes: RandomState, lane: int, max_plies: int, played: Ints
) -> int:
    """Repeat a playout, and write its moves to `played`.

    Args:
        root: the state before the line.
        line: the moves to the leaf.
        is_canonical: the search plays the image of the leaf that `compiled.canonical` returns.
        lanes: a copy of the generators before the playout.
        lane: the generator of the playout.
        max_plies: plies after which the playout ends.
        played: receives the moves; long enough for a game.

    Returns:
        The number of moves.
    """
    moves = moves_buffer()
    state = root
    for move in line:
        state = compiled.play(state, move)
    image, symmetry = compiled.canonical(state)
    if is_canonical:
        state = image
    length = 0
    while length < max_plies:
        choices = as_int64(compiled.write_moves(state, moves))
        if not choices:
            break
        move = as_int64(moves[as_int64(below_lane(lanes, lane, choices))])
        played[length] = compiled.original_move(state, move, symmetry) if is_canonical else move
        state = compiled.play(state, move)
        length += 1
    return length


@kernel
def replay(tree: Any, top: int, root: Any, line: Ints, batch: SimulationBatch) -> None:
    """Add a finished game as one simulation, as far as there is room.

    Args:
        tree: the store.
        top: the node where the game begins.
        root: the state of that node.
        line: the moves of the game.
        batch: from `new_batch`.
    """
    end = root
    for move in line:
        end = compiled.play(end, move)
    difference = as_int64(compiled.final_difference(end))
    state, stored, node = root, store.state_kept(tree, top, root), top
    length = 0
    while True:
        batch.path[0, length] = node
        length += 1
        store.add_virtual_loss(tree, node, np.uint32(1))
        if length > len(line) or store.list_moves(tree, node, stored, batch.moves) <= 0:
            break
        move = line[length - 1]
        edge = as_int64(tree.first_edge[node])
        untried = edge + as_int64(tree.tried[node])
        while store.move_in(tree, edge, state) != move:
            edge += 1
        if edge >= untried:
            store.exchange(tree, untried, edge)
            edge = untried
            if not store.expand(tree, edge, stored, batch.packed):
                break
            tree.tried[node] += np.uint8(1)
        state = compiled.play(state, move)
        node, stored = store.descend(tree, edge, stored, np.uint32(1))
    batch.length[0] = length
    _backpropagate(tree, batch, 0, -difference if (len(line) + 1 - length) % 2 else difference)


@kernel
def write_stats(
    tree: Any, node: int, state: Any, rule: Any, proofs: Any, line: Ints, stats: Ints, terms: NDArray[np.float32]
) -> int:
    """Write the statistics of the moves after a line.

    Args:
        tree: the store.
        node: the node where the line begins.
        state: any image of the state there; the moves are written for this image.
        rule: the selection rule.
        proofs: `SolverOn` or `SolverOff`.
        line: the moves of the line.
        stats: int64 of shape (max_moves, 6), receives for each move: the move, its visits, and visits, wins, draws and
            proof of its child.
        terms: float32 of shape (max_moves, 3), receives the `bound_terms` of moves with visits.

    Returns:
        The number of moves; 0 for an unknown line.
    """
    for length in range(len(line) + 1):
        if tree.edges[node] == store.NOT_EXPANDED:
            return 0
        first = as_int64(tree.first_edge[node])
        last = first + as_int64(tree.edges[node])
        if length == len(line):
            break
        edge = first
        while edge < last and not (store.visits_of(tree, edge) and store.move_in(tree, edge, state) == line[length]):
            edge += 1
        if edge == last:
            return 0
        node = store.child_of(tree, edge)
        state = compiled.play(state, line[length])
    for edge in range(first, last):
        row = stats[edge - first]
        row[:] = 0
        row[0] = store.move_in(tree, edge, state)
        row[1] = store.visits_of(tree, edge)
        if row[1]:
            child = store.child_of(tree, edge)
            row[2], row[3], row[4] = tree.visits[child], tree.wins[child], tree.draws[child]
            row[5] = proof_of(proofs, tree, child)
            root_log = root_of_log(as_int64(tree.visits[node]))
            mean, bonus, variance = bound_terms(rule, tree, edge, root_log)
            terms[edge - first, 0], terms[edge - first, 1], terms[edge - first, 2] = mean, bonus, variance
    return last - first
