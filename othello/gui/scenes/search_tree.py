"""The tree of a live search as somebody watches it: four pictures a second, in an order that stays for one."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from othello.game import AnyGame
from othello.gui import wording
from othello.gui.faces import marks
from othello.gui.views.search_tree import TreeNode, TreeState
from othello.rules.protocol import Move
from othello.search.report import Line, MoveStats, SearchReport

_PICTURE_SECONDS: Final = 0.25
_ORDER_SECONDS: Final = 1.0


class SearchTree:
    """What is unfolded of a search, and what that shows.

    Attributes:
        state: what is shown.
        wanted: the lines after which the search is to tell of the moves.
    """

    def __init__(self) -> None:
        self.state = TreeState()
        self.wanted: tuple[Line, ...] = ()
        self._game: AnyGame | None = None
        self._report: SearchReport | None = None
        self._opened: Line = ()
        self._orders: dict[Line, list[int]] = {}
        self._ordered_at = self._drawn_at = 0.0

    def open(self, line: Line) -> None:
        """Unfold a line; whatever follows it, the search says."""
        self._opened, self._drawn_at = line, 0.0

    def is_open(self, line: Line) -> bool:
        """Whether a node is unfolded."""
        return self.state.path[: len(line)] == line

    @property
    def opened(self) -> Line:
        """What the person has unfolded, or of the rest the first."""
        return self._opened or self.state.path[:1]

    def step(self, columns: int, rows: int) -> None:
        """Unfold the node beside the one that was unfolded last."""
        line, path = self.opened, self.state.path
        if columns:
            self.open(path[: max(1, min(len(line) + columns, len(path)))])
            return
        levels = (self.state.moves, *self.state.below)
        beside = [node.line for node in levels[len(line) - 1]] if 0 < len(line) <= len(levels) else []
        if line in beside:
            self.open(beside[min(max(0, beside.index(line) + rows), len(beside) - 1)])

    def follow(self, game: AnyGame, report: SearchReport | None, columns: int, hover: Line | None, now: float) -> None:
        """Take what the search says.

        Args:
            game: with the searched position.
            report: what is known of it, None where nothing is.
            columns: so many levels are shown beside the root's moves.
            hover: the node under the mouse.
            now: the current time.
        """
        if self._game is None or game.moves != self._game.moves:
            self._game, self._opened, self._orders = game, (), {}
            self._ordered_at = self._drawn_at = 0.0
        is_new = report is not self._report
        if (is_new and (now - self._drawn_at >= _PICTURE_SECONDS or report is None)) or not self._drawn_at:
            if now - self._ordered_at >= _ORDER_SECONDS or (report is not None and report.final):
                self._orders, self._ordered_at = {}, now
            self._report, self._drawn_at = report, now
            self.state = TreeState() if report is None else self._look(game, report, columns)
            self.wanted = tuple(self.state.path[: level + 1] for level in range(min(columns, len(self.state.path))))
        if hover != self.state.hover:
            self.state = replace(self.state, hover=hover)

    def next_wake(self, report: SearchReport | None) -> float | None:
        """When there is something newer to show, None where there is not."""
        return None if report is self._report else self._drawn_at + _PICTURE_SECONDS

    def _look(self, game: AnyGame, report: SearchReport, columns: int) -> TreeState:
        ranked = self._moves(report, ())
        marked = [each.move for each in (report.best_value, report.most_visited) if each is not None]
        moves = _nodes(game, report, (), ranked, marked)
        below: list[tuple[TreeNode, ...]] = []
        path = self._onward(report, ())
        while path and len(below) < columns and (found := self._moves(report, path)):
            game = game.play(path[-1])
            below.append(_nodes(game, report, path, found))
            path = self._onward(report, path)
        visits = [stats.visits if report.simulations else 0 for stats in ranked]
        rest = tuple(wording.count(sum(visits[index:])) if any(visits) else "" for index in range(len(visits)))
        return TreeState(moves, tuple(below), path, rest)

    def _onward(self, report: SearchReport, line: Line) -> Line:
        """A line with one more move: the one that the person has opened, else the one that the search visits most."""
        moves = self._moves(report, line)
        if not moves:
            return line
        wanted = self._opened[len(line)] if self._opened[: len(line)] == line != self._opened else None
        legal = {stats.move for stats in moves}
        most = max(moves, key=lambda stats: (stats.visits, report.pv[: len(line) + 1] == (*line, stats.move)))
        return (*line, wanted if wanted is not None and wanted in legal else most.move)

    def _moves(self, report: SearchReport, line: Line) -> list[MoveStats]:
        """What is known of the moves after a line, in the order in which they are shown."""
        found = report.below.get(line, ()) if line else report.moves
        if not found and report.pv[: len(line)] == line != report.pv:
            found = (MoveStats(report.pv[len(line)], 0, None),)
        order = self._orders.setdefault(line, [stats.move for stats in sorted(found, key=_merit(report), reverse=True)])
        return sorted(found, key=lambda stats: order.index(stats.move) if stats.move in order else len(order))


def _merit(report: SearchReport) -> Callable[[MoveStats], tuple[float, ...]]:
    """What moves are put in order by: visits; where nothing is simulated, the value."""

    def merit(stats: MoveStats) -> tuple[float, ...]:
        value = -math.inf if stats.value is None else stats.value
        prefers = float(stats.move == report.move)
        return (stats.visits, prefers, value) if report.simulations else (value, stats.exact, prefers)

    return merit


def _nodes(
    game: AnyGame, report: SearchReport, line: Line, found: Sequence[MoveStats], marked: Sequence[Move] = ()
) -> tuple[TreeNode, ...]:
    """Moves after a line as they are shown; `marked` are the best and the most visited of the root."""
    most = max((stats.visits for stats in found), default=0)
    return tuple(
        TreeNode(
            line=(*line, stats.move),
            mover=game.to_move,
            text=wording.move(game, stats.move),
            visits=wording.count(stats.visits) if stats.visits else "",
            share=stats.visits / most if most else 0.0,
            value="" if stats.value is None else marks.value_text(report, stats),
            is_best=stats.move in marked[:1],
            is_most=stats.move in marked[1:],
        )
        for stats in found
    )
