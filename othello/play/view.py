"""The position that the window shows during a game, and how the game got there."""

from othello.frozen import Frozen
from othello.game import AnyGame
from othello.play.history import History
from othello.rules.protocol import Color, Move
from othello.search.report import Line, SearchReport


class BoardStep(Frozen):
    """One move, made or taken back."""

    move: Move  # which; no pass
    captured: tuple[Move, ...]  # the squares whose pieces changed hands
    color: Color  # whose they are now


class Viewpoint:
    """The position that is shown during the game."""

    def __init__(self, history: History) -> None:
        # what has led to the position that is looked at, None where that was not one move
        self.step: BoardStep | None = None
        self._history = history
        self._visited: AnyGame | None = None

    @property
    def is_live(self) -> bool:
        """Whether the shown position is the latest of the game."""
        return self._visited is None or self._visited.moves == self._history.game.moves

    @property
    def shown(self) -> AnyGame:
        """The moves up to the position that is looked at."""
        return self._history.game if self._visited is None or self.is_live else self._visited

    @property
    def listed(self) -> AnyGame:
        return self._history.tree.onward(self.shown)

    @property
    def is_aside(self) -> bool:
        """Whether what is looked at is neither of the game nor among the moves that were taken back."""
        line = self._history.tree.line
        return line.moves[: self.shown.ply] != self.shown.moves

    def explore(self, moves: Line) -> None:
        """Look at a position that may be new, after the pass that has to follow."""
        line, before = self.shown, self.shown.ply
        for move in moves:
            if move not in line.legal_moves():
                return
            line = line.play(move)
        while line.must_pass:
            line = line.play(line.legal_moves()[0])
        self._history.remember(line)
        self.visit(line)
        self.step = _step(line, before, line.ply)

    def delete(self) -> None:
        """Forget what is looked at with all that follows, and look at what was before it."""
        shown = self.shown
        self._history.delete(shown)
        self.visit(shown.at(shown.ply - 1))

    @property
    def report(self) -> tuple[int, SearchReport] | None:
        """The search of the position that is looked at, else the last one before it, with its ply."""
        reports = [moment.report for moment in self._history.tree.along(self.shown)]
        return next(((ply, report) for ply, report in reversed([*enumerate(reports)]) if report is not None), None)

    def follow(self, line: AnyGame, before: int, after: int) -> None:
        """The game has moved along a line, from one ply to another. A view of it follows."""
        if self._visited is None:
            self.step = _step(line, before, after)

    def visit(self, line: AnyGame | None) -> None:
        """Look at the end of a line; None: at the game."""
        self.step = None
        self._visited = None if line is None or line.moves == self._history.game.moves else line

    def go_to(self, ply: int) -> None:
        """Look at a position of the line that is looked at, as far as it goes."""
        line, before = self.listed, self.shown.ply
        after = min(max(0, ply), line.ply)
        self.visit(line.at(after))
        self.step = _step(line, before, after)

    def switch_branch(self, steps: int) -> None:
        """Look at another of the moves that were tried instead of the last one that had others."""
        tree, shown = self._history.tree, self.shown
        for ply in range(shown.ply, 0, -1):
            before = shown.at(ply - 1)
            tried = tree.variations(before)
            if len(tried) > 1:
                self.visit(before.play(tried[(tried.index(shown.moves[ply - 1]) + steps) % len(tried)]))
                return


def _step(line: AnyGame, before: int, after: int) -> BoardStep | None:
    first = min(before, after)
    if abs(after - before) != 1 or line.rules.is_pass(line.moves[first]):
        return None
    move, position = line.moves[first], line.positions[first]
    mover = position.to_move
    return BoardStep(move, line.rules.captured(position, move), mover if after > before else mover.opponent)
