"""What is looked at: the game as it stands, or any other position of its tree."""

from __future__ import annotations

from othello.game import AnyGame
from othello.play.history import History
from othello.search.report import SearchReport


class View:
    """Where somebody looks while the game goes on."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._visited: AnyGame | None = None

    @property
    def is_live(self) -> bool:
        """Whether the game's latest position is the one that is looked at."""
        return self._visited is None or self._visited.moves == self._history.game.moves

    @property
    def shown(self) -> AnyGame:
        """The moves up to the position that is looked at."""
        return self._history.game if self._visited is None or self.is_live else self._visited

    @property
    def listed(self) -> AnyGame:
        """The line on which it lies."""
        return self._history.tree.onward(self.shown)

    @property
    def report(self) -> tuple[int, SearchReport] | None:
        """The search of the position that is looked at, else the last one before it, with its ply."""
        reports = [moment.report for moment in self._history.tree.along(self.shown)]
        return next(((ply, report) for ply, report in reversed([*enumerate(reports)]) if report is not None), None)

    def visit(self, line: AnyGame | None) -> None:
        """Look at the end of a line; None: at the game."""
        self._visited = line

    def go_to(self, ply: int) -> None:
        """Look at a position of the line that is looked at, as far as it goes."""
        line = self.listed
        self.visit(line.at(min(max(0, ply), line.ply)))
