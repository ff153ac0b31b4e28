"""The position that the window shows during a game."""

from othello.frozen_dataclass import FrozenDataclass
from othello.game import AnyGame
from othello.play.history import History
from othello.records.transcript import forced_passes
from othello.rules.protocol import Color, Move, Square
from othello.search.report import Line, SearchReport


class BoardStep(FrozenDataclass):
    """A move to animate, forwards or backwards."""

    move: Move  # not a pass
    captured: tuple[Square, ...]  # squares of the captured pieces
    color: Color  # the side that these pieces have after the step


class BoardView:
    """The shown position: the latest of the game, or any position of its tree."""

    def __init__(self, history: History) -> None:
        self.step: BoardStep | None = None  # the last change of the shown position, if it was one move
        self._history = history
        self._visited: AnyGame | None = None

    @property
    def is_at_latest(self) -> bool:
        """True if the latest position of the game is shown."""
        return self._visited is None or self._visited.moves == self._history.game.moves

    @property
    def shown(self) -> AnyGame:
        """The line of moves up to the shown position."""
        return self._history.game if self._visited is None or self.is_at_latest else self._visited

    @property
    def listed(self) -> AnyGame:
        """The shown line, with the moves that follow it in the tree."""
        return self._history.tree.onward(self.shown)

    @property
    def is_in_variation(self) -> bool:
        """True if a variation is shown, and not the game or the moves that were taken back."""
        line = self._history.tree.line
        return line.moves[: self.shown.ply] != self.shown.moves

    def explore(self, moves: Line) -> None:
        """Play moves from the shown position, and the passes that must follow; show the new position."""
        line, before = self.shown, self.shown.ply
        for move in moves:
            if move not in line.legal_moves():
                return
            line = line.play(move)
        line = forced_passes(line)
        self._history.remember(line)
        self.visit(line)
        self.step = _step(line, before, line.ply)

    def delete(self) -> None:
        """Delete the shown position with everything after it, and show the position before it."""
        shown = self.shown
        self._history.delete(shown)
        self.visit(shown.at(shown.ply - 1))

    @property
    def report(self) -> tuple[int, SearchReport] | None:
        """The ply and report of the last search up to the shown position."""
        reports = [moment.report for moment in self._history.tree.along(self.shown)]
        return next(((ply, report) for ply, report in reversed([*enumerate(reports)]) if report is not None), None)

    def follow(self, line: AnyGame, before: int, after: int) -> None:
        """Note that the game has moved along a line, from the ply `before` to the ply `after`."""
        if self._visited is None:
            self.step = _step(line, before, after)

    def visit(self, line: AnyGame | None) -> None:
        """Show the end of a line; None: the latest position of the game."""
        self.step = None
        self._visited = None if line is None or line.moves == self._history.game.moves else line

    def go_to(self, ply: int) -> None:
        """Show a position of the shown line; plies beyond its ends are clamped."""
        line, before = self.listed, self.shown.ply
        after = min(max(0, ply), line.ply)
        self.visit(line.at(after))
        self.step = _step(line, before, after)

    def switch_branch(self, steps: int) -> None:
        """Show another variation at the last position of the shown line that has several."""
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
