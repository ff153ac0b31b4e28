"""A game's line of moves, and the tree of all moves that were played or tried. Both are immutable.

A `Game` is one line from the start to a position. It is small and can be sent to another process with every move. A
`GameTree` has several lines, and data for every position. A change copies the nodes on the path from the root and
shares all others, so other threads can keep reading the old tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Generic, TypeVar

from othello.errors import IllegalMoveError
from othello.rules.protocol import Color, Move, Outcome, P, Position, Rules


@dataclass(frozen=True, slots=True)
class Game(Generic[P]):
    """A start position and moves, with all positions."""

    rules: Rules[P]
    positions: tuple[P, ...]  # `positions[n]` is the position after n moves, so there is one more position than moves
    moves: tuple[Move, ...] = ()  # passes included
    _legal: tuple[Move, ...] | None = field(default=None, init=False, repr=False, compare=False)

    @classmethod
    def new(cls, rules: Rules[P], start: P | None = None) -> Game[P]:
        return cls(rules, (rules.start() if start is None else start,))

    @property
    def position(self) -> P:
        return self.positions[-1]

    @property
    def ply(self) -> int:
        """The number of moves, passes included."""
        return len(self.moves)

    @property
    def number(self) -> int:
        """The number of the last move as players count, without passes."""
        return sum(not self.rules.is_pass(move) for move in self.moves)

    @property
    def last_move(self) -> Move | None:
        """The last move that is not a pass."""
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
        """Return all legal moves, a pass included; empty if the game is over. The result is cached."""
        legal = self._legal
        if legal is None:
            legal = self.rules.legal_moves(self.position)
            object.__setattr__(self, "_legal", legal)
        return legal

    @property
    def must_pass(self) -> bool:
        moves = self.legal_moves()
        return len(moves) == 1 and self.rules.is_pass(moves[0])

    def play(self, move: Move) -> Game[P]:
        """Return the game after one more move; raise an IllegalMoveError if the rules do not allow it."""
        legal = self.legal_moves()
        if move not in legal:
            raise IllegalMoveError(self.text_of(move), self.ply, [self.text_of(other) for other in legal])
        position = self.rules.play(self.position, move)
        return Game(self.rules, (*self.positions, position), (*self.moves, move))

    def after(self, moves: Iterable[Move]) -> Game[P]:
        """Return the game after several moves; raise the same error as `play`."""
        return reduce(Game.play, moves, self)

    def text_of(self, move: Move) -> str:
        """Return a move in this position as text."""
        return self.rules.move_text(self.position, move)

    def texts_of(self, line: Iterable[Move]) -> list[str]:
        """Return consecutive moves from this position as texts."""
        position, texts = self.position, []
        for move in line:
            texts.append(self.rules.move_text(position, move))
            position = self.rules.play(position, move)
        return texts

    def at(self, ply: int) -> Game[P]:
        """Return the game after its first `ply` moves, 0 <= ply <= self.ply."""
        if not 0 <= ply <= self.ply:
            raise IndexError(f"ply {ply} is outside 0..{self.ply}")
        return Game(self.rules, self.positions[: ply + 1], self.moves[:ply])


AnyGame = Game[Position]  # a game of any rules
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Node(Generic[T]):
    """A position of a tree."""

    known: T  # data of the position
    # in the order in which the moves were first played
    children: Mapping[Move, Node[T]] = field(default_factory=dict)

    def walk(self) -> Iterator[Node[T]]:
        """Yield the node and all nodes below it, parents first."""
        yield self
        for child in self.children.values():
            yield from child.walk()


@dataclass(frozen=True, slots=True)
class GameTree(Generic[T]):
    """Lines with a common start, one of which is the game. A position is named by a line that leads to it."""

    game: AnyGame  # the current game
    line: AnyGame  # the game and the moves that were taken back, until another move replaces them
    root: Node[T]  # the start
    blank: T  # data of a new position

    @classmethod
    def of(cls, game: AnyGame, blank: T) -> GameTree[T]:
        return cls(game, game, Node(blank), blank).know(game, blank)

    def _nodes(self, game: AnyGame) -> list[Node[T] | None]:
        """Return the nodes of a line, the root first; None where the line has left the tree."""
        nodes: list[Node[T] | None] = [self.root]
        for move in game.moves:
            nodes.append(None if nodes[-1] is None else nodes[-1].children.get(move))
        return nodes

    def along(self, game: AnyGame) -> list[T]:
        """Return the data of every position of a line, the start first."""
        return [self.blank if node is None else node.known for node in self._nodes(game)]

    def known(self, game: AnyGame) -> T:
        """Return the data of the last position of a line."""
        return self.along(game)[-1]

    def know(self, game: AnyGame, known: T) -> GameTree[T]:
        """Return the tree with new data for the last position of a line, which is added if necessary."""
        return replace(self, root=self._changed(self.root, game.moves, lambda node: replace(node, known=known)))

    def without(self, game: AnyGame) -> GameTree[T]:
        """Return the tree without a line's last move and everything after it.

        The move must not be part of the tree's own line.
        """
        last = game.moves[-1]

        def forget(node: Node[T]) -> Node[T]:
            return replace(node, children={move: child for move, child in node.children.items() if move != last})

        return replace(self, root=self._changed(self.root, game.moves[:-1], forget))

    def restored(self, game: AnyGame, node: Node[T], place: int) -> GameTree[T]:
        """Return the tree with a removed line; the inverse of `without`.

        Args:
            game: the line.
            node: the node of its last position.
            place: index of its last move among the moves of the previous position.
        """

        def insert(parent: Node[T]) -> Node[T]:
            children = [item for item in parent.children.items() if item[0] != game.moves[-1]]
            children.insert(place, (game.moves[-1], node))
            return replace(parent, children=dict(children))

        return replace(self, root=self._changed(self.root, game.moves[:-1], insert))

    def node(self, game: AnyGame) -> Node[T] | None:
        """Return the last node of a line, None if the line has left the tree."""
        return self._nodes(game)[-1]

    def variations(self, game: AnyGame) -> tuple[Move, ...]:
        """Return the moves that were tried in the last position of a line."""
        node = self.node(game)
        return () if node is None else tuple(node.children)

    def play(self, move: Move) -> GameTree[T]:
        """Return the tree after a new or known move in the game; raise the same error as `Game.play`."""
        return self.to(self.game.play(move))

    def to(self, game: AnyGame) -> GameTree[T]:
        """Return the tree with another current game. The current line stays if it begins with the game."""
        root = self._changed(self.root, game.moves, lambda node: node)
        return replace(self, game=game, line=self.line if _begins(self.line, game) else game, root=root)

    def onward(self, game: AnyGame) -> AnyGame:
        """Return the longest line through a position: the game itself, or the first moves that were tried."""
        if _begins(self.game, game):
            return self.game
        while tried := self.variations(game):
            game = game.play(tried[0])
        return game

    def _changed(self, node: Node[T], moves: tuple[Move, ...], change: Callable[[Node[T]], Node[T]]) -> Node[T]:
        """Return a copy of a node in which `change` is applied to the node after `moves`."""
        if not moves:
            return change(node)
        child = self._changed(node.children.get(moves[0], Node(self.blank)), moves[1:], change)
        return replace(node, children={**node.children, moves[0]: child})


def _begins(line: AnyGame, game: AnyGame) -> bool:
    return line.moves[: game.ply] == game.moves
