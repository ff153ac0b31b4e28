"""A cursor in the steps of a search. A background thread records the steps, a part of the search at a time."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from math import inf
from typing import Final

from othello.config import PlayerConfig
from othello.errors import PlayerError, Reason, reason_of
from othello.files import BackgroundWriter
from othello.frozen_dataclass import FrozenDataclass
from othello.game import AnyGame
from othello.players.step_recorder import record_steps
from othello.rules.protocol import Move
from othello.search.report import Line, SearchReport
from othello.search.steps import Choice, Edge, ExitReason, Expansion, MoveSelection, NodeExit, Step, Update, line_of
from othello.search.stop import StopFlag

PART: Final = 3_000  # steps of a part; alpha-beta, which cannot begin in the middle, has a single part
MAX_NODES: Final = 300_000
_BEFORE: Final = 300  # simulations or episodes that are recorded before the one to go to


class SearchToStep(FrozenDataclass):
    """A search whose steps can be shown."""

    config: PlayerConfig
    game: AnyGame  # the moves up to the position
    seed: int
    as_played: bool = False  # search as in the game; see `record_steps`
    simulations: int | None = None  # that the search had in the game, which its time can have limited

    def record(self, record: Callable[[Step], None], first: int, stop: StopFlag) -> SearchReport | None:
        """Run the search, and record its steps from the simulation or episode `first` on; see `record_steps`."""
        config = replace(self.config, time_limit_seconds=None) if self.simulations else self.config
        return record_steps(config, self.game, self.seed, record, first, self.simulations, stop, self.as_played)


class Part(FrozenDataclass):
    """Consecutive steps of a search."""

    steps: Sequence[Step] = ()
    report: SearchReport | None = None  # of the whole search

    @cached_property
    def groups(self) -> tuple[int, int]:
        """The first and the last simulation, iteration or episode of the part; alpha-beta can leave out iterations."""
        groups = [1 if isinstance(step, NodeExit) and n == 0 else step[0] for n, step in enumerate(self.steps)] or [1]
        return min(groups), max(groups)

    @property
    def total(self) -> int:
        """The number of simulations, iterations or episodes of the whole search."""
        return (self.report.simulations if self.report else 0) or self.groups[1]

    def index(self, group: int, *, is_start: bool) -> int:
        """Return the index of the first or the last step of a group, or of the next one if there is no such group."""
        group = min((step[0] for step in self.steps if step[0] >= group), default=self.groups[1])
        found = [index for index, step in enumerate(self.steps) if step[0] == group] or [0]
        is_end = group == self.total and not is_start  # the last simulation need not be the last one of its batch
        return len(self.steps) - 1 if is_end else found[0 if is_start else -1]


class StepThrough:
    """A cursor in the steps of a search.

    The same search has the same steps, so the search runs again to reach steps outside of the recorded part.

    Attributes:
        part: the recorded part; without steps until `update` has received the first part.
        at: index of the current step in the part.
        failure: why the search cannot be recorded, or None.
    """

    def __init__(self, search: SearchToStep) -> None:
        self.search = search
        self.part, self.at = Part(), 0
        self.failure: Reason | None = None
        self._writer = BackgroundWriter("steps")
        self._job: StopFlag | None = None
        self._result: tuple[StopFlag, tuple[Part, int] | Reason] | None = None
        self._searched: tuple[tuple[Part, int] | None, Mapping[Line, Mapping[Move, NodeExit | Update]]] = None, {}
        self._start(partial(self._record, 1, True))

    # The background thread.

    @property
    def is_busy(self) -> bool:
        """True while steps are being recorded."""
        return self._job is not None

    def cancel(self) -> None:
        """Stop recording, and stay at the current step."""
        if self._job is not None:
            self._job.cancel()
        self._job = None

    def close(self) -> None:
        """Stop recording, and end the thread."""
        self.cancel()
        self._writer.close(0.0)

    def update(self) -> None:
        """Go to the steps that were recorded, if there are any."""
        if self._result is None or self._result[0] is not self._job:
            return
        self._job, result = None, self._result[1]
        if isinstance(result, Reason):
            self.failure = result
        else:
            self.part, self.at = result

    def _start(self, job: Callable[[StopFlag], tuple[Part, int]]) -> None:
        self.cancel()
        self._job = stop = StopFlag()
        self._writer.do("steps", partial(self._work, job, stop))

    def _work(self, job: Callable[[StopFlag], tuple[Part, int]], stop: StopFlag) -> None:
        try:
            self._result = stop, job(stop)
        except Exception as error:  # a player can be any code; the window shows its errors
            self._result = stop, reason_of(error)

    def _record(self, group: int, is_start: bool, stop: StopFlag) -> tuple[Part, int]:
        """Record a part with a group, and return it with the index of the group's first or last step."""
        steps: list[Step] = []
        ended = stop.part()

        def record(step: Step) -> None:
            steps.append(step)
            if isinstance(step, NodeExit) and len(steps) > MAX_NODES:
                raise PlayerError("too_many_steps", maximum=MAX_NODES)
            if len(steps) >= PART and step[0] >= group:
                ended.time_is_up()

        report = self.search.record(record, max(1, group - _BEFORE), ended)
        if ended.is_set and not isinstance(steps[-1], NodeExit):
            report = self.part.report or self.search.record(steps.append, sys.maxsize, stop.part())
        part = Part(steps, report)
        return part, part.index(group, is_start=is_start)

    # The cursor.

    @property
    def step(self) -> Step | None:
        """The current step; None if there is none."""
        return self.part.steps[self.at] if self.part.steps else None

    @property
    def group(self) -> int:
        """The number of the current simulation, iteration or episode."""
        return 1 if self.step is None else self.step[0]

    @property
    def is_first(self) -> bool:
        return self.at == 0 and self.part.groups[0] == 1

    @property
    def is_last(self) -> bool:
        return self.at >= len(self.part.steps) - 1 and self._has_end

    @property
    def _has_end(self) -> bool:
        return self.part.groups[1] >= self.part.total

    def move(self, count: int) -> None:
        """Go some steps forward, or back if `count` is negative."""
        at, (first, last) = self.at + count, self.part.groups
        if at < 0 < first - 1:
            self.go_to(first - 1)
        elif at >= len(self.part.steps) and not self._has_end:
            self.go_to(last + 1, is_start=True)
        else:
            self.at = max(0, min(at, len(self.part.steps) - 1))

    def go_to(self, group: int, *, is_start: bool = False) -> None:
        """Go to the last step of a simulation, iteration or episode, after which its results are known."""
        group = max(1, min(group, self.part.total))
        first, last = self.part.groups
        if first <= group <= last:
            self.at = self.part.index(group, is_start=is_start)
        else:
            self._start(partial(self._record, group, is_start))

    def finish(self) -> None:
        """Go to the last step of the current simulation, iteration or episode, or else of the next one."""
        at, group = self.at, self.group
        self.go_to(group)
        if self.at == at:
            self.go_to(group + 1)

    def go_to_kind(self, kind: type[Step]) -> None:
        """Go to the first step of a kind in the current simulation, if there is one."""
        found = (n for n, step in enumerate(self.part.steps) if step[0] == self.group and isinstance(step, kind))
        self.at = next(found, self.at)

    def next_through(self, node: Line) -> None:
        """Go to the next simulation or episode through a node, or to the next time that alpha-beta leaves the node."""
        group = self.group
        self._seek(lambda step: line_of(step)[: len(node)] == node and (isinstance(step, NodeExit) or step[0] > group))

    def until_best_changes(self) -> None:
        """Go to the next step at which another move is the best one."""
        leader = Leader()
        before = [leader.follow(step) for step in self.part.steps[: self.at + 1]][-1:]
        self._seek(lambda step: [leader.follow(step)] != before)

    def _seek(self, wanted: Callable[[Step], bool]) -> None:
        """Go to the first step after the current one that is wanted, or to the last step."""
        steps = self.part.steps
        found = next((index for index in range(self.at + 1, len(steps)) if wanted(steps[index])), None)
        if found is None and not self._has_end:
            self._start(partial(self._record_wanted, wanted, self.part.groups[1] + 1))
        else:
            self.at = len(steps) - 1 if found is None else found

    def _record_wanted(self, wanted: Callable[[Step], bool], first: int, stop: StopFlag) -> tuple[Part, int]:
        found: list[tuple[int, Line]] = []  # the group and the line of the wanted step, or nothing
        ended = stop.part()

        def record(step: Step) -> None:
            if not found and step[0] >= first and wanted(step):
                found.append((step[0], line_of(step)))
                ended.time_is_up()

        self.search.record(record, first, ended)
        part, at = self._record(found[0][0] if found else self.part.total, bool(found), stop)
        return part, next((n for n, step in enumerate(part.steps) if (step[0], line_of(step)) in found), at)

    # The tree.

    @property
    def line(self) -> Line:
        """The line to the position that the current step leads to."""
        return () if self.step is None else line_of(self.step)

    def opening_step(self, path: Line) -> MoveSelection | Expansion | None:
        """Return the last step in the part, up to the current one, that chose a move after a path."""
        before = reversed(self.part.steps[: self.at + 1])
        choices = (step for step in before if isinstance(step, MoveSelection | Expansion))
        return next((step for step in choices if step.path == path), None)

    def children(self, path: Line) -> Mapping[Move, Edge | NodeExit | Update]:
        """Return the results of the moves after a path; in simulations, those before the last choice at this node."""
        if isinstance(self.step, NodeExit | Choice | Update):
            if self._searched[0] != (self.part, self.at):
                self._searched = (self.part, self.at), searched(self.part.steps[: self.at + 1])
            return self._searched[1].get(path, {})
        step = self.opening_step(path)
        return {} if step is None else step.children

    def open_node(self, line: Line) -> NodeExit | None:
        """Return the node of a position that alpha-beta leaves next, or None."""
        exits = (step for step in self.part.steps[self.at + 1 :] if isinstance(step, NodeExit))
        return next((step for step in exits if step.path == line), None)

    def principal_variation(self) -> Line:
        """Return the best line of the current iteration of alpha-beta so far."""
        line: Line = ()
        while values := {move: node.value for move, node in self.children(line).items() if isinstance(node, NodeExit)}:
            line = (*line, min(values, key=values.__getitem__))
        return line


def searched(steps: Sequence[Step]) -> Mapping[Line, Mapping[Move, NodeExit | Update]]:
    """Return the nodes that the last iteration has left, or the last update of each move, by the line before them."""
    tree: dict[Line, dict[Move, NodeExit | Update]] = {}
    left: set[Line] = set()
    for step in steps:
        if isinstance(step, Update):
            tree.setdefault(step.path, {})[step.move] = step
        if not isinstance(step, NodeExit) or step.iteration != steps[-1][0] or not step.path:
            continue
        parent = step.path[:-1]
        if parent in left:  # the search visits the position again
            left.discard(parent)
            tree.pop(parent, None)
        tree.setdefault(parent, {})[step.path[-1]] = step
        left.add(step.path)
        if step.reason not in (ExitReason.SEARCHED, ExitReason.CUT_OFF):
            tree.pop(step.path, None)
    return tree


class Leader:
    """The best move of a search, from its steps: the most visited one, or the one with the highest value."""

    def __init__(self) -> None:
        self._move: Move | None = None
        self._best: dict[int, int] = {}  # the highest value of each iteration of alpha-beta

    def follow(self, step: Step) -> Move | None:
        """Return the best move after a step."""
        match step:
            case MoveSelection(path=()) | Expansion(path=()) if step.children:
                self._move = max(step.children, key=lambda move: step.children[move].visits)
            case Choice(path=(), explores=False):
                self._move = step.move
            case NodeExit(path=(move,)) if -step.value > self._best.get(step.iteration, -inf):
                self._best[step.iteration], self._move = -step.value, move
        return self._move
