"""Searches that record their steps, simulation by simulation or episode by episode.

The steps are those of the real search: the same kernels run with the same random numbers.
"""

import math
import sys
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np

from othello.rules.protocol import Move
from othello.search.learner import Learner
from othello.search.mcts import LANES, SimulationBatch
from othello.search.mcts_search import MctsSearch
from othello.search.report import Line, MoveStats
from othello.search.simulator import Path, Simulator
from othello.search.steps import Backup, Choice, Edge, Expansion, MoveSelection, NodeValue, Playout, Step, Update
from othello.search.stop import StopFlag
from othello.search.trace_buffers import EpisodeTrace, new_episode_trace
from othello.search.tree_snapshot import Arrays
from othello.search.value_tree import ValueTree

_NEVER: Final = sys.maxsize


class SteppedSearch(Simulator):
    """A search that records some of its simulations.

    Two copies of the search run one after the other: where they differ after a descent, the one ahead has chosen.
    """

    done: int  # simulations since `set_root`

    def __init__(self, ahead: MctsSearch, behind: MctsSearch) -> None:
        """Wrap a search and a copy of it."""
        self._ahead, self._behind = ahead, behind
        self._first = self._last = _NEVER

    def record_steps(self, record: Callable[[Step], None], first: int, last: int | None) -> None:
        """Record the simulations from `first`, counted from 1, to `last`, with the rest of their batches.

        The search stops after the last one. None: it ends as usual.
        """
        self._record = record
        self._first, self._last = first, last or _NEVER

    def clear(self) -> None:
        self._ahead.clear()
        self._behind.clear()

    def set_root(self, path: Path, state: NamedTuple, seed: np.random.SeedSequence) -> bool:
        self.done = 0
        # A seed counts the seeds that it has spawned, so the copy needs one of its own.
        copy = np.random.SeedSequence(seed.entropy, spawn_key=seed.spawn_key)
        return self._ahead.set_root(path, state, seed) and self._behind.set_root(path, state, copy)

    def simulate(self, count: int, batch: int, stop: StopFlag, among: Sequence[Move] = ()) -> int:
        ahead, behind = (search.batch_for(count, among) for search in (self._ahead, self._behind))
        done = 0
        while done < count and not (done and stop.is_set):
            size = min(batch, count - done)
            skipped = min((self._first - 1 - self.done) // batch * batch, count - done)
            if skipped > 0:
                size = self._ahead.run(ahead, skipped, batch, StopFlag())
                self._behind.run(behind, skipped, batch, StopFlag())
            else:
                self._step(ahead, behind, size)
            done += size
            self.done += size
            if self.done >= self._last:
                stop.time_is_up()
        return done

    def _step(self, ahead: SimulationBatch, behind: SimulationBatch, size: int) -> None:
        """Run a batch of simulations, and record them."""
        lines: list[Line] = []
        waiting = 0
        for simulation in range(size):
            now_waiting = self._ahead.begin(ahead, simulation, waiting)
            lines.append(self._descent(self.done + 1 + simulation, takes_turns=len(ahead.shares) > 0))
            before = self._values(self._behind, lines[-1])
            self._behind.begin(behind, simulation, waiting)
            if now_waiting == waiting:  # the result is certain
                self._record(Backup(self.done + 1 + simulation, before, self._values(self._ahead, lines[-1])))
            waiting = now_waiting
        for at in range(0, waiting, LANES):
            lanes = ahead.lanes.copy()
            self._ahead.evaluate(ahead, at, waiting)
            self._behind.evaluate(behind, at, waiting)
            for row in range(at, min(at + LANES, waiting)):
                simulation = int(ahead.waiting[row])
                line = lines[simulation]
                sign = np.sign(ahead.difference[row]) * (-1) ** len(line)
                moves = self._ahead.playout(line, lanes, row - at)
                self._record(Playout(self.done + 1 + simulation, line, moves, float(0.5 + 0.5 * sign)))
        for row in range(waiting):
            simulation = int(ahead.waiting[row])
            line = lines[simulation]
            before = self._values(self._ahead, line, pending=1)
            self._ahead.backpropagate(ahead, row)
            self._behind.backpropagate(behind, row)
            self._record(Backup(self.done + 1 + simulation, before, self._values(self._ahead, line)))

    def _descent(self, simulation: int, takes_turns: bool) -> Line:
        """Record the choices of a descent, and return its moves."""
        line: Line = ()
        visits = self._behind.root_results[0]
        while True:
            before, after = self._behind.edges(line), self._ahead.edges(line)
            chosen = next((move for move, edge in after.items() if edge.visits > _visits(before, move)), None)
            if chosen is None:
                return line
            if not _visits(before, chosen):
                self._record(Expansion(simulation, line, chosen, before))
                return (*line, chosen)
            self._record(MoveSelection(simulation, line, visits, before, chosen, takes_turns and not line))
            visits = before[chosen].node_visits
            line = (*line, chosen)

    @staticmethod
    def _values(search: MctsSearch, line: Line, pending: int = 0) -> tuple[NodeValue, ...]:
        """Return the results of the positions on a line, without the visits of a simulation that is not backed up."""
        results = [search.root_results]
        for ply, move in enumerate(line):
            edge = search.edges(line[:ply]).get(move)
            results.append((edge.node_visits, edge.wins, edge.draws) if edge and edge.visits else (pending, 0, 0))
        values = ((visits - pending, wins + draws / 2) for visits, wins, draws in results)
        return tuple(NodeValue(line[:ply], n, points / n if n else math.nan) for ply, (n, points) in enumerate(values))

    def child_stats(self, line: Sequence[Move]) -> list[MoveStats]:
        return self._ahead.child_stats(line)

    def load_snapshot(self, snapshot: Arrays) -> None:
        """Load a snapshot into both searches; see `MctsSearch.load_snapshot`."""
        self._ahead.load_snapshot(snapshot)
        self._behind.load_snapshot(snapshot)

    @property
    def nodes(self) -> int:
        return self._ahead.nodes

    @property
    def depth(self) -> int:
        return self._ahead.depth

    @property
    def is_full(self) -> bool:
        return self._ahead.is_full

    @property
    def memory(self) -> int:
        return self._ahead.memory + self._behind.memory


class SteppedLearner(Learner):
    """A learner that records some of its episodes."""

    _first = _last = _NEVER

    def record_steps(self, record: Callable[[Step], None], first: int, last: int | None) -> None:
        """Record the episodes from `first`, counted from 1, to `last`. The learner stops after the last one."""
        self._record = record
        self._first, self._last = first, last or _NEVER
        self._lessons = self._lessons._replace(trace=new_episode_trace(self._rules.max_plies))

    def set_root(self, path: Path, state: NamedTuple, seed: np.random.SeedSequence) -> bool:
        self._done = 0
        return super().set_root(path, state, seed)

    def _play(self, tree: ValueTree, episodes: int, stop: StopFlag) -> int:
        for done in range(1, episodes + 1):
            super()._play(tree, 1, stop)
            self._done += 1
            if self._first <= self._done <= self._last:
                self._record_episode(tree)
            if self._done == self._last:
                stop.time_is_up()
            if stop.is_set:
                return done
        return episodes

    def _record_episode(self, tree: ValueTree) -> None:
        """Record the choices and updates of the episode that was played last."""
        trace = self._lessons.trace
        assert isinstance(trace, EpisodeTrace)
        length = int(trace.length[0])
        moves = tuple(map(Move, tree.edge_move[self._path[:length]].tolist()))
        for ply, (number, explores) in enumerate(trace.choices[:length].tolist()):
            self._record(Choice(self._done, moves[:ply], number, bool(explores), moves[ply]))
        for ply in reversed(range(length)):
            self._record(Update(self._done, moves[:ply], moves[ply], *trace.updates[ply].tolist()))


def _visits(edges: dict[Move, Edge], move: Move) -> int:
    return edges[move].visits if move in edges else 0
