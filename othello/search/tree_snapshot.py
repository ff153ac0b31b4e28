"""Conversion of search trees and graphs to plain arrays, and back with validation.

Only counts, moves and learned values are saved. Means and other derived fields are recomputed.
"""

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from othello.kernel.bits import as_int64
from othello.kernel.decorators import Ints, Moves, Words, inlined, kernel
from othello.rules import compiled
from othello.rules.protocol import Position, Rules
from othello.search import graph as graphs, tree as trees
from othello.search.graph import Graph
from othello.search.store import EDGES, NODES, NOT_EXPANDED, child_of, listed, visits_of
from othello.search.tree import ROOT, Tree
from othello.search.value_tree import ValueTree

# The saved fields of a search, by name.
Arrays: TypeAlias = dict[str, NDArray[Any]]

MAX_VISITS: Final = 2**31 - 1  # visits of a node: half of the range of their type

_NOT_KEPT: Final = {"mean", "proof", "edge_inverse_root", "slots", "used"}
Store: TypeAlias = Tree | Graph | ValueTree


def _kept_fields(store: Store) -> Arrays:
    return {name: field for name, field in store._asdict().items() if name not in _NOT_KEPT}


def require(holds: bool | np.bool_, fault: str) -> None:
    """Raise ValueError(fault) unless the condition holds."""
    if not holds:
        raise ValueError(fault)


def dump(store: Store) -> Arrays:
    """Return copies of the fields of a store, without unused elements."""
    edges = int(store.used[EDGES])
    nodes = int(store.used[NODES]) if isinstance(store, Graph) else edges
    return {
        name: field[: edges if name.startswith("edge_") else nodes].copy()
        for name, field in _kept_fields(store).items()
    }


def load(store: Tree | Graph, fields: Arrays, rules: Rules[Position]) -> None:
    """Fill a store with saved fields. If they fill more than half of it, only the most visited part is loaded.

    Args:
        store: is overwritten; a tree must belong to games from the start position.
        fields: as returned by `dump`.
        rules: of the game.

    Raises:
        ValueError: the fields do not make a valid store for this game. The store is unchanged then.
    """
    given = _from_arrays(store, fields)
    _check_counts(given)
    _check_edges(given)
    if isinstance(given, Tree):
        _check_moves(given, rules)
        require(_tried_are_visited(given, len(given.visits)), "a node has visits that are not counted")
    else:
        _check_graph(given, rules)
    fill(store, part_that_fits(store, _kept_fields(given)))


def load_values(store: ValueTree, fields: Arrays, rules: Rules[Position]) -> ValueTree:
    """Return a value tree made from saved fields; see `load`.

    Raises:
        ValueError: the fields do not make a valid tree for this game.
    """
    given: ValueTree = _from_arrays(store, fields)
    _check_edges(given)
    _check_moves(given, rules)
    require((np.abs(given.value) <= 1.0).all(), "a value is not between -1 and 1")
    return given


def part_that_fits(store: Tree | Graph, fields: Arrays) -> Arrays:
    """Return `fields` itself, or a copy of its most visited part if it would fill more than half of a store."""
    max_nodes, max_edges = len(store.visits) // 2, len(store.edge_move) // 2
    if len(fields["visits"]) <= max_nodes and len(fields["edge_move"]) <= max_edges:
        return fields
    return _most_visited(store, fields, max_nodes, max_edges)


def fill(store: Tree | Graph, fields: Arrays) -> None:
    """Replace the content of a store by fields that have room in it; see `part_that_fits`."""
    own = _kept_fields(store)
    if isinstance(store, Graph):
        graphs.clear_graph(store)
    for name, field in fields.items():
        own[name][: len(field)] = field
    nodes, edges = len(fields["visits"]), len(fields["edge_move"])
    if isinstance(store, Graph):
        store.used[:] = nodes, edges, 0
        graphs.index_nodes(store)
        graphs.update_means(store)
    else:
        store.used[:] = 1 + int(fields["tried"].sum(dtype=np.int64)), edges, 0
        trees.update_means(store)


def _most_visited(store: Tree | Graph, known: Arrays, max_nodes: int, max_edges: int) -> Arrays:
    """Remove the moves of the least visited nodes until the fields fit.

    A node without its moves remains as the target of a move, and is expanded again when a simulation reaches it.
    """
    is_tree = isinstance(store, Tree)
    nodes, begin = len(known["visits"]), int(is_tree)
    counts = np.where(known["edges"] == NOT_EXPANDED, 0, known["edges"]).astype(np.int64)
    first, tried = known["first_edge"].astype(np.int64), known["tried"].astype(np.int64)
    weights = known["visits"].astype(np.int64)
    if is_tree:
        _raise_to_heaviest_below(weights, first, counts)
    parents = np.flatnonzero(counts)
    parents = parents[np.argsort(first[parents])]
    owner = np.repeat(parents, counts[parents])  # node of each edge
    is_tried = np.arange(begin, begin + len(owner)) < (first + tried)[owner]
    least = 1
    while True:
        stays = weights >= least
        edge_stays = stays[owner]
        if is_tree:
            node_stays = edge_stays = np.concatenate(([True], edge_stays))
        else:
            node_stays = stays & (counts > 0)
            node_stays[known["edge_node"][edge_stays & is_tried]] = True
        if np.count_nonzero(node_stays) <= max_nodes and np.count_nonzero(edge_stays) <= max_edges:
            break
        least *= 2
    new_edge, new_node = np.cumsum(edge_stays) - 1, np.cumsum(node_stays) - 1
    is_expanded = stays & (counts > 0)
    ends = known["edges"] == 0
    known = {
        **known,
        "edges": np.where(is_expanded | ends, known["edges"], NOT_EXPANDED).astype(np.uint8),
        "tried": np.where(is_expanded, tried, 0).astype(np.uint8),
        "first_edge": np.zeros(nodes, np.uint32),
    }
    known["first_edge"][is_expanded] = new_edge[first[is_expanded]]
    if not is_tree:
        known["edge_node"] = np.where(is_tried, new_node[known["edge_node"]], 0).astype(np.uint32)
    return {name: field[edge_stays if name.startswith("edge_") else node_stays] for name, field in known.items()}


@kernel
def _raise_to_heaviest_below(weights: Ints, first: Ints, counts: Ints) -> None:
    """Give every node of a tree at least the weight of its heaviest descendant, to keep the path to it."""
    for node in range(len(weights) - 1, -1, -1):
        for child in range(first[node], first[node] + counts[node]):
            weights[node] = max(weights[node], weights[child])


def _from_arrays(store: Store, fields: Arrays) -> Any:
    """Return a store made of the fields, after a check of their types and lengths."""
    own = _kept_fields(store)
    for name in own:
        field = fields.get(name, np.empty(()))
        is_alike = (field.dtype, field.ndim, field.shape[1:]) == (own[name].dtype, own[name].ndim, own[name].shape[1:])
        require(is_alike, f"field {name} is missing or of another kind")
    nodes, edges = len(fields["visits"]), len(fields["edge_move"])
    lengths = {(name.startswith("edge_"), len(fields[name])) for name in own}
    require(len(lengths) == 2, "fields differ in length")
    arrays = {name: np.ascontiguousarray(fields[name]) for name in own}
    if isinstance(store, Graph):
        return store._replace(**arrays, slots=graphs.new_slots(nodes), used=np.array([nodes, edges, 0]))
    require(nodes == edges, "fields differ in length")
    require(nodes > 0, "there is no root")
    return store._replace(**arrays, used=np.array([0, edges, 0, 0]))


def _check_edges(given: Store) -> None:
    """Check that every edge belongs to exactly one node."""
    edges = np.where(given.edges == NOT_EXPANDED, 0, given.edges).astype(np.int64)
    with_moves = np.flatnonzero(edges)
    first, counts = given.first_edge[with_moves].astype(np.int64), edges[with_moves]
    begin = int(not isinstance(given, Graph))  # the root uses an edge slot, though no move leads there
    if begin:
        require(not np.any(first <= with_moves), "a node stands below itself")
    order = np.argsort(first)
    ends = begin + np.cumsum(counts[order])
    is_shared = np.any(first[order] != ends - counts[order])
    last = ends[-1] if len(ends) else begin
    require(not is_shared and last == given.used[EDGES], "a move belongs to two nodes, or to none")


def _check_counts(given: Tree | Graph) -> None:
    """Check that no count is too large."""
    edges = np.where(given.edges == NOT_EXPANDED, 0, given.edges)
    require(not np.any(given.tried > edges), "a node has moves that are not there")
    require(not np.any(given.visits > MAX_VISITS), "a node has more visits than can be counted")
    has_too_many = np.any(given.wins.astype(np.int64) + given.draws > given.visits)
    require(not has_too_many, "a node has more results than visits")


def _check_moves(given: Tree | ValueTree, rules: Rules[Position]) -> None:
    """Check that every expanded node of a tree has the moves of its position."""
    start, moves = rules.kernel_state(rules.start()), rules.new_moves(rules.max_moves)
    require(_all_moves_below(given, ROOT, start, moves), "a node has other moves than its position")


def _check_graph(given: Graph, rules: Rules[Position]) -> None:
    """Check that moves are legal and lead to the right nodes, which also excludes cycles."""
    example, moves = rules.kernel_state(rules.start()), rules.new_moves(rules.max_moves)
    words = np.empty(rules.state_words, np.uint64)
    require(graphs.index_nodes(given), "a position has two nodes")
    require(_all_stand_for_themselves(given, example, words), "a node has a position that cannot be")
    require(_all_moves_of_graph(given, example, moves), "a node has other moves than its position")
    require(_tried_are_visited(given, len(given.visits)), "a node has visits that are not counted")
    require(_all_moves_lead_right(given, example, words), "a move leads to another position than it makes")
    into = np.zeros(len(given.visits), np.int64)
    adds_up = _visits_add_up(given, into) and not np.any(into > given.visits)
    require(adds_up, "a node has other visits than the moves to it and from it")


@kernel
def _tried_are_visited(store: Any, nodes: int) -> bool:
    """Return whether exactly the tried edges have visits, and the visits of each node's edges do not overflow."""
    for node in range(nodes):
        first = as_int64(store.first_edge[node])
        tried = as_int64(store.tried[node])
        total = 0
        for index in range(listed(store, node)):
            visits = visits_of(store, first + index)
            if (index < tried) != (visits > 0):
                return False
            total += visits
        if total > MAX_VISITS:
            return False
    return True


@kernel
def _has_moves_of(store: Any, node: int, state: Any, moves: Moves) -> bool:
    """Return whether a node is not expanded, or has all moves of its position."""
    if store.edges[node] == NOT_EXPANDED:
        return True
    count = as_int64(compiled.write_moves(state, moves))
    if as_int64(store.edges[node]) != count:
        return False
    first = as_int64(store.first_edge[node])
    for index in range(count):
        edge = first
        while edge < first + count and store.edge_move[edge] != moves[index]:
            edge += 1
        if edge == first + count:
            return False
    return True


@kernel
def _all_moves_below(tree: Tree | ValueTree, node: int, state: Any, moves: Moves) -> bool:
    """Return whether a node and all expanded nodes below it have the moves of their positions.

    The recursion is as deep as a game is long at most, because the moves to each node are legal.
    """
    if not _has_moves_of(tree, node, state, moves):
        return False
    first = as_int64(tree.first_edge[node])
    for child in range(first, first + listed(tree, node)):
        if tree.edges[child] == NOT_EXPANDED:
            continue
        if not _all_moves_below(tree, child, compiled.play(state, tree.edge_move[child]), moves):
            return False
    return True


@kernel
def _all_moves_of_graph(graph: Graph, example: Any, moves: Moves) -> bool:
    """Return whether every expanded node has the moves of its position."""
    for node in range(graph.used[NODES]):
        if not _has_moves_of(graph, node, compiled.unpack(example, graph.state[node]), moves):
            return False
    return True


@inlined
def _is_of(graph: Graph, node: int, state: Any, words: Words) -> bool:
    """Return whether a node belongs to `state` or one of its images."""
    representative, _ = compiled.canonical(state)
    compiled.pack(representative, words)
    return graphs.is_same(graph.state[node], words, compiled.word_count(state))


@kernel
def _all_stand_for_themselves(graph: Graph, example: Any, words: Words) -> bool:
    """Return whether every node has a possible position in its canonical form."""
    for node in range(graph.used[NODES]):
        state = compiled.unpack(example, graph.state[node])
        if not compiled.is_possible(state) or not _is_of(graph, node, state, words):
            return False
    return True


@kernel
def _all_moves_lead_right(graph: Graph, example: Any, words: Words) -> bool:
    """Return whether every tried edge leads to the node of the position after its move."""
    for node in range(graph.used[NODES]):
        state = compiled.unpack(example, graph.state[node])
        first = as_int64(graph.first_edge[node])
        for edge in range(first, first + as_int64(graph.tried[node])):
            child = child_of(graph, edge)
            after = compiled.play(state, graph.edge_move[edge])
            if child >= graph.used[NODES] or not _is_of(graph, child, after, words):
                return False
    return True


@kernel
def _visits_add_up(graph: Graph, into: Ints) -> bool:
    """Return whether no node has fewer visits than its edges. Adds the visits of all edges into each node to `into`."""
    for node in range(graph.used[NODES]):
        first = as_int64(graph.first_edge[node])
        out = 0
        for edge in range(first, first + as_int64(graph.tried[node])):
            visits = visits_of(graph, edge)
            out += visits
            into[child_of(graph, edge)] += visits
        if out > as_int64(graph.visits[node]):
            return False
    return True
