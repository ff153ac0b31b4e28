"""Monte Carlo tree search as an object, on a tree or on a graph."""

import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from othello.kernel.random import RandomState
from othello.rules import compiled
from othello.rules.protocol import Move, Position, Rules
from othello.search import graph, mcts, tree, tree_snapshot
from othello.search.graph import Graph
from othello.search.mcts import Rule, SimulationBatch
from othello.search.proofs import DRAWN, LOST, UNPROVEN, WON, SolverOff, SolverOn
from othello.search.report import BoundTerms, MoveStats
from othello.search.simulator import Halves, Path, Simulator
from othello.search.steps import Edge
from othello.search.stop import StopFlag
from othello.search.store import EDGES, FAILED_ALLOCATIONS, NO_NODE, NODES, NOT_EXPANDED, list_moves
from othello.search.tree import Tree
from othello.search.tree_snapshot import Arrays

_EDGES_A_NODE: Final = 3  # assumed when memory is limited: most nodes are leaves without edges
_REWARDS: Final = {LOST: 0.0, DRAWN: 0.5, WON: 1.0}


class MctsSearch(Simulator):
    """MCTS on a store of either kind."""

    _store: Tree | Graph
    _top: int

    # How new positions are evaluated.
    leaf: NamedTuple = mcts.Playouts()
    # Number of playouts of a new position.
    playouts: int = 1
    # Break ties between moves at random.
    draws_ties: bool = False

    def __init__(
        self, rules: Rules[Position], rule: Rule, simulations: int, memory: int = 1 << 30, *, proves: bool = False
    ) -> None:
        """Allocate a store for `simulations` simulations, limited to `memory` bytes."""
        assert rules.max_moves < NOT_EXPANDED, "moves are counted in bytes"
        self._rules = rules
        self._rule = rule
        self._proofs = SolverOn() if proves else SolverOff()
        self._batch = self._new_batch(np.random.SeedSequence(0))
        self._found = np.empty((rules.max_moves, 6), np.int64)
        self._terms = np.empty((rules.max_moves, 3), np.float32)
        self._store = self._new_store(simulations, memory, proves)
        self.clear()

    def _new_store(self, simulations: int, memory: int, proves: bool) -> Any:
        raise NotImplementedError

    def _new_batch(self, seed: np.random.SeedSequence) -> SimulationBatch:
        return mcts.new_batch(self._rules, seed, self.leaf, self._proofs, self.playouts, self.draws_ties)

    def set_root(self, path: Path, state: NamedTuple, seed: np.random.SeedSequence) -> bool:
        self._state = state
        self._batch = self._new_batch(seed)
        stored = self._reach(path)
        if not stored:
            self.clear()
            self._begin_anew(path)
        return stored

    def _begin_anew(self, path: Path) -> None:
        """Make the position the top node of an empty store."""
        self._reach(path)

    def _reach(self, path: Path) -> bool:
        """Make the node of the position the top node, expanded. Returns False if there is no room."""
        raise NotImplementedError

    def simulate(self, count: int, batch_size: int, stop: StopFlag, among: Sequence[Move] = ()) -> int:
        return self.run(self.batch_for(count, among), count, batch_size, stop)

    def batch_for(self, count: int, among: Sequence[Move]) -> SimulationBatch:
        """Return the batch for `count` simulations that begin with the moves `among` in turn, if there are any."""
        if not among:
            return self._batch
        share, more = divmod(count, len(among))
        shares = {move: share + (index < more) for index, move in enumerate(among)}
        return self._batch._replace(shares=np.array([shares.get(Move(row[0]), 0) for row in self._find(())], np.int64))

    def run(self, batch: SimulationBatch, count: int, batch_size: int, stop: StopFlag) -> int:
        """Run simulations with a batch from `batch_for`."""
        return mcts.simulate(self._store, self._top, self._state, self._rule, count, batch_size, batch, stop.cell)

    # The parts of `run`, for `othello.search.stepping`.

    def begin(self, batch: SimulationBatch, simulation: int, waiting: int) -> int:
        """Select the leaf of a simulation; see `mcts.begin_simulation`."""
        return mcts.begin_simulation(self._store, self._top, self._state, self._rule, batch, simulation, waiting)

    def evaluate(self, batch: SimulationBatch, at: int, waiting: int) -> None:
        """Evaluate up to `mcts.LANES` of the waiting leaves."""
        mcts.evaluate_waiting(self._state, batch, at, waiting)

    def backpropagate(self, batch: SimulationBatch, index: int) -> None:
        """Backpropagate the result of a waiting leaf."""
        mcts.backpropagate_result(self._store, batch, index)

    def playout(self, line: Sequence[Move], lanes: RandomState, lane: int) -> tuple[Move, ...]:
        """Return the random moves that a leaf after `line` is evaluated by.

        Args:
            line: the moves to the leaf.
            lanes: a copy of the generators before the evaluation.
            lane: the generator of this leaf.
        """
        plies = {mcts.Playouts: self._rules.max_plies, mcts.CutPlayouts: getattr(self.leaf, "plies", 0)}
        moves = np.empty(self._rules.max_plies, np.int64)
        is_canonical = isinstance(self._store, Graph)
        parts = np.array(line, np.int64), is_canonical, lanes, lane, plies.get(type(self.leaf), 0), moves
        return tuple(map(Move, moves[: mcts.record_playout(self._state, *parts)].tolist()))

    def edges(self, line: Sequence[Move]) -> dict[Move, Edge]:
        """Return the tried and untried moves after a line in the order of the store, which breaks ties."""
        rows = zip(self._find(line), self._terms.tolist(), strict=False)
        return {Move(row[0]): Edge(*row[1:], *(terms if row[1] else (math.nan,) * 3)) for row, terms in rows}

    @property
    def root_results(self) -> tuple[int, int, int]:
        """Visits, wins and draws of the top node, for the side that moved into it."""
        store = self._store
        return int(store.visits[self._top]), int(store.wins[self._top]), int(store.draws[self._top])

    def compile_jobs(self, state: NamedTuple) -> Halves:
        """Return what to compile for searches from such states; see `Player.compile_jobs`."""
        store, batch, rule, cell = self._store, self._batch, self._rule, StopFlag().cell
        found = self._proofs, np.empty(0, np.int64), self._found, self._terms
        return [(mcts.simulate, (store, 0, state, rule, 1, 1, batch, cell))], [
            (compiled.playout_lanes, (state, batch.words, 1, batch.lanes, batch.difference)),
            (mcts.write_stats, (store, 0, state, rule, *found)),
        ]

    def _find(self, line: Sequence[Move]) -> list[list[int]]:
        """Return the rows of `mcts.write_stats`."""
        parts = self._rule, self._proofs, np.array(line, np.int64), self._found, self._terms
        count = mcts.write_stats(self._store, self._top, self._state, *parts)
        return self._found[:count].tolist()  # type: ignore[no-any-return]

    def child_stats(self, line: Sequence[Move]) -> list[MoveStats]:
        stats = []
        for row, (_, bonus, variance) in zip(self._find(line), self._terms.tolist(), strict=False):
            move, chosen, visits, wins, draws, proof = row
            mean = (wins + 0.5 * draws) / visits if visits else None
            terms = None if mean is None else BoundTerms(mean, bonus, None if math.isnan(variance) else variance)
            stats.append(
                MoveStats(Move(move), chosen, _REWARDS.get(proof, mean), is_proven=proof in _REWARDS, terms=terms)
            )
        return stats

    def _forget_proofs(self) -> None:
        self._store.proof[: max(self._store.used[NODES], self._store.used[EDGES])] = UNPROVEN

    @property
    def nodes(self) -> int:
        return int(self._store.used[NODES])

    @property
    def depth(self) -> int:
        return int(self._batch.deepest[0])

    @property
    def is_full(self) -> bool:
        return bool(self._store.used[FAILED_ALLOCATIONS])

    @property
    def memory(self) -> int:
        return sum(field.nbytes for field in self._store)

    def snapshot(self) -> Arrays:
        """Return the content of the store for `load_snapshot`, after cutting a store that is over half full to half."""
        fields = tree_snapshot.dump(self._store)
        snapshot = tree_snapshot.part_that_fits(self._store, fields)
        if snapshot is not fields:
            self.clear()
            tree_snapshot.fill(self._store, snapshot)
        return snapshot

    def learn_game(self, start: NamedTuple, moves: Sequence[Move]) -> None:
        """Add the result of a finished game from the start as one more simulation."""
        self.set_root((), start, np.random.SeedSequence(0))
        mcts.replay(self._store, self._top, start, np.array(moves, np.int64), self._batch)

    def load_snapshot(self, snapshot: Arrays) -> None:
        """Load `snapshot` of games from the start, or its most visited part if there is not enough room.

        Raises:
            ValueError: the snapshot is not valid for this game. Nothing has changed then.
        """
        tree_snapshot.load(self._store, snapshot, self._rules)
        self._store.proof[:] = UNPROVEN


class TreeSearch(MctsSearch):
    """MCTS on a tree."""

    _store: Tree

    def _new_store(self, simulations: int, memory: int, proves: bool) -> Tree:
        places = 1 + self._rules.max_moves * (simulations + 1)  # each simulation expands at most one node
        return tree.new_tree(self._rules, min(places, memory // tree.node_bytes(self._rules) - 1), proves=proves)

    def clear(self) -> None:
        self._forget_proofs()
        tree.reset(self._store)
        self._begins_later = False
        self._stand_at(tree.ROOT)

    def set_root(self, path: Path, state: NamedTuple, seed: np.random.SeedSequence) -> bool:
        self._leave()
        stored = super().set_root(path, state, seed)
        self._stand_at(self._top)
        visits, wins, draws = (sum(row[column] for row in self._find(())) for column in (2, 3, 4))  # of the moves
        tree.set_results(self._store, self._top, visits, visits - wins - draws, draws)
        return stored

    def _begin_anew(self, path: Path) -> None:
        """Keep the start of the game as the root if there is room, to find later positions in the tree."""
        if not self._reach(path):
            self.clear()
            self._reach(())
            self._begins_later = True

    def _reach(self, path: Path) -> bool:
        if self._begins_later:
            return False
        node, moves = tree.ROOT, self._batch.moves
        for before, move in path:
            node = tree.reach_child(self._store, node, before, move, moves)
            if node == NO_NODE:
                return False
        self._top = node
        return list_moves(self._store, node, self._state, moves) != NO_NODE

    def _stand_at(self, top: int) -> None:
        self._top = top
        self._seen_from_above = [int(field[top]) for field in (self._store.visits, self._store.wins, self._store.draws)]

    def _leave(self) -> None:
        """Restore the results that the top node had as a child.

        Simulations that began at the top node do not count as choices of its parent. Otherwise a move would become the
        most visited only because it was played once.
        """
        tree.set_results(self._store, self._top, *self._seen_from_above)

    def snapshot(self) -> Arrays:
        self._leave()
        return super().snapshot()

    def load_snapshot(self, snapshot: Arrays) -> None:
        super().load_snapshot(snapshot)
        self._stand_at(tree.ROOT)


class GraphSearch(MctsSearch):
    """MCTS on the graph of positions up to symmetry."""

    _store: Graph

    def _new_store(self, simulations: int, memory: int, proves: bool) -> Graph:
        node_bytes, edge_bytes = graph.node_bytes(self._rules), graph.edge_bytes(self._rules)
        nodes = min(simulations + 64, memory // (node_bytes + _EDGES_A_NODE * edge_bytes))
        edges = min(self._rules.max_moves * nodes, (memory - nodes * node_bytes) // edge_bytes)
        return graph.new_graph(self._rules, nodes, edges, proves=proves)

    def clear(self) -> None:
        self._forget_proofs()
        graph.clear_graph(self._store)

    def _reach(self, path: Path) -> bool:
        self._top = graph.reach_node(self._store, self._state, self._batch.packed, self._batch.moves)
        return self._top != NO_NODE
