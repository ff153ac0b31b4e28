"""A game's moves, and the tree of all that was played or tried. Neither ever changes: a move makes a new one.

A `Game` is one line from the start to a position. It is all that rules, players and records need, and small enough to
be sent to another process with every move. A `GameTree` holds lines together, with what is known of their positions.
It does not change either, so that one that was put aside is still what it was, and one thread may read a tree while
another goes on with the next: a change copies the nodes on the way from the root, and shares all others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from othello.errors import IllegalMoveError
from othello.rules.protocol import Color, Move, Outcome, P, Position, Rules


@dataclass(frozen=True, slots=True)
class Game(Generic[P]):
    """Start position and moves, with every position on the way.

    Attributes:
        rules: the game that is played.
        positions: `positions[n]` is the position after n moves, so there is one more than moves.
        moves: every move from the start, passes included.
    """

    rules: Rules[P]
    positions: tuple[P, ...]
    moves: tuple[Move, ...] = ()

    @classmethod
    def new(cls, rules: Rules[P], start: P | None = None) -> Game[P]:
        return cls(rules, (rules.start() if start is None else start,))

    @property
    def position(self) -> P:
        return self.positions[-1]

    @property
    def ply(self) -> int:
        """How many moves were played, passes included."""
        return len(self.moves)

    @property
    def last_move(self) -> Move | None:
        """The last move that is no pass."""
        return next((move for move in reversed(self.moves) if not self.rules.is_pass(move)), None)

    @property
    def to_move(self) -> Color:
        return self.position.to_move

    @property
    def is_over(self) -> bool:
        return not self.legal_moves()

    @property
    def outcome(self) -> Outcome | None:
        return self.rules.outcome(self.position)

    def legal_moves(self) -> tuple[Move, ...]:
        return self.rules.legal_moves(self.position)

    @property
    def must_pass(self) -> bool:
        moves = self.legal_moves()
        return len(moves) == 1 and self.rules.is_pass(moves[0])

    def play(self, move: Move) -> Game[P]:
        """The game after one more move.

        Raises:
            IllegalMoveError: the rules do not allow it.
        """
        legal = self.legal_moves()
        if move not in legal:
            text = self.rules.move_text
            raise IllegalMoveError(text(move), self.ply, [text(other) for other in legal])
        position = self.rules.play(self.position, move)
        return Game(self.rules, (*self.positions, position), (*self.moves, move))

    def after(self, moves: Iterable[Move]) -> Game[P]:
        """The game after some more moves; as `play` otherwise."""
        game = self
        for move in moves:
            game = game.play(move)
        return game

    def at(self, ply: int) -> Game[P]:
        """The game as it stood after `ply` moves, 0 <= ply <= self.ply."""
        if not 0 <= ply <= self.ply:
            raise IndexError(f"ply {ply} is outside 0..{self.ply}")
        return Game(self.rules, self.positions[: ply + 1], self.moves[:ply])


AnyGame = Game[Position]
"""A game whose rules do not matter to the code that holds it."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Node(Generic[T]):
    """A position of a tree.

    Attributes:
        known: what is known of it.
        children: the moves that were tried in it, in the order in which they were tried.
    """

    known: T
    children: Mapping[Move, Node[T]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GameTree(Generic[T]):
    """Lines with a common start, of which one is the game.

    A position is named by the line that leads to it.

    Attributes:
        game: the game as it stands.
        line: the same with the moves that were taken back, as long as no others were played instead.
        root: the common start.
        blank: what is known of a position at first.
    """

    game: AnyGame
    line: AnyGame
    root: Node[T]
    blank: T

    @classmethod
    def of(cls, game: AnyGame, blank: T) -> GameTree[T]:
        """The tree of a single line."""
        return cls(game, game, Node(blank), blank).know(game, blank)

    def along(self, game: AnyGame) -> list[T]:
        """What is known of every position of a line, of the start first."""
        node: Node[T] | None = self.root
        known = [self.root.known]
        for move in game.moves:
            node = None if node is None else node.children.get(move)
            known.append(self.blank if node is None else node.known)
        return known

    def known(self, game: AnyGame) -> T:
        """What is known of the position that a line leads to."""
        return self.along(game)[-1]

    def know(self, game: AnyGame, known: T) -> GameTree[T]:
        """The tree that knows something of a position, which it has from then on."""
        return replace(self, root=self._changed(self.root, game.moves, lambda node: replace(node, known=known)))

    def without(self, game: AnyGame) -> GameTree[T]:
        """The tree that knows nothing of a line's last move nor of what follows, which is not of its own line."""
        last = game.moves[-1]

        def forget(node: Node[T]) -> Node[T]:
            return replace(node, children={move: child for move, child in node.children.items() if move != last})

        return replace(self, root=self._changed(self.root, game.moves[:-1], forget))

    def variations(self, game: AnyGame) -> tuple[Move, ...]:
        """The moves that were tried where a line ends."""
        node: Node[T] | None = self.root
        for move in game.moves:
            node = None if node is None else node.children.get(move)
        return () if node is None else tuple(node.children)

    def play(self, move: Move) -> GameTree[T]:
        """The tree whose game has one more move, be it new or one that was tried before.

        Raises:
            IllegalMoveError: the rules do not allow it.
        """
        game = self.game.play(move)
        root = self._changed(self.root, game.moves, lambda node: node)
        return replace(self, game=game, line=self.line if _begins(self.line, game) else game, root=root)

    def to(self, game: AnyGame) -> GameTree[T]:
        """The tree whose game is this line; where it is the beginning of the present line, that stays."""
        return replace(self, game=game, line=self.line if _begins(self.line, game) else game)

    def onward(self, game: AnyGame) -> AnyGame:
        """The line on which a position lies: the game, or else what was tried first, as far as it goes."""
        if _begins(self.game, game):
            return self.game
        while tried := self.variations(game):
            game = game.play(tried[0])
        return game

    def _changed(self, node: Node[T], moves: tuple[Move, ...], change: Callable[[Node[T]], Node[T]]) -> Node[T]:
        """A node with something changed that lies so many moves below it."""
        if not moves:
            return change(node)
        child = self._changed(node.children.get(moves[0], Node(self.blank)), moves[1:], change)
        return replace(node, children={**node.children, moves[0]: child})


def _begins(line: AnyGame, game: AnyGame) -> bool:
    """Whether a line begins with a game."""
    return line.moves[: game.ply] == game.moves
