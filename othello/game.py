"""A game's moves, and the tree of all moves that were played or tried. Neither changes: a move makes a new object.

A `Game` is one line from the start to a position. Rules, players and records need nothing else, and a game is small
enough to be sent to another process with every move. A `GameTree` holds several lines, with what is known of their
positions. A change copies the nodes between the root and the change, and shares all others. So a thread may read a
tree while another thread goes on, and a tree that was put aside stays as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from othello.errors import IllegalMoveError
from othello.rules.protocol import Color, Move, Outcome, P, Position, Rules


@dataclass(frozen=True, slots=True)
class Game(Generic[P]):
    """Start position and moves, with every position on the way."""

    rules: Rules[P]
    positions: tuple[P, ...]  # `positions[n]` is the position after n moves, so there is one more than moves
    moves: tuple[Move, ...] = ()  # every move from the start, passes included
    _legal: tuple[Move, ...] | None = field(default=None, init=False, repr=False, compare=False)

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
    def number(self) -> int:
        """The number of the last move as players count: a pass has no number."""
        return sum(not self.rules.is_pass(move) for move in self.moves)

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
        """What can be played, a pass included; empty once the game is over. The rules are asked once."""
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
        """The game after one more move; IllegalMoveError where the rules do not allow it."""
        legal = self.legal_moves()
        if move not in legal:
            raise IllegalMoveError(self.text_of(move), self.ply, [self.text_of(other) for other in legal])
        position = self.rules.play(self.position, move)
        return Game(self.rules, (*self.positions, position), (*self.moves, move))

    def after(self, moves: Iterable[Move]) -> Game[P]:
        """The game after some more moves; as `play` otherwise."""
        game = self
        for move in moves:
            game = game.play(move)
        return game

    def text_of(self, move: Move) -> str:
        """A move in this position as people write it."""
        return self.rules.move_text(self.position, move)

    def texts_of(self, line: Iterable[Move]) -> list[str]:
        """Moves that follow one another from here as people write them."""
        position, texts = self.position, []
        for move in line:
            texts.append(self.rules.move_text(position, move))
            position = self.rules.play(position, move)
        return texts

    def at(self, ply: int) -> Game[P]:
        """The game as it stood after `ply` moves, 0 <= ply <= self.ply."""
        if not 0 <= ply <= self.ply:
            raise IndexError(f"ply {ply} is outside 0..{self.ply}")
        return Game(self.rules, self.positions[: ply + 1], self.moves[:ply])


AnyGame = Game[Position]  # a game whose rules do not matter to the code that holds it
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Node(Generic[T]):
    """A position of a tree."""

    known: T  # the data of the position
    # the moves that were tried in it, in the order in which they were tried
    children: Mapping[Move, Node[T]] = field(default_factory=dict)

    def walk(self) -> Iterator[Node[T]]:
        """Yield the node and all nodes below it, parents first."""
        yield self
        for child in self.children.values():
            yield from child.walk()


@dataclass(frozen=True, slots=True)
class GameTree(Generic[T]):
    """Lines with a common start, one of them the game. A line that leads to a position names the position."""

    game: AnyGame  # the game as it stands
    line: AnyGame  # the game with the moves that were taken back, until another move is played instead
    root: Node[T]  # the common start
    blank: T  # the data of a new position

    @classmethod
    def of(cls, game: AnyGame, blank: T) -> GameTree[T]:
        return cls(game, game, Node(blank), blank).know(game, blank)

    def _nodes(self, game: AnyGame) -> list[Node[T] | None]:
        """The nodes of a line, the root first; None where the line has left the tree."""
        nodes: list[Node[T] | None] = [self.root]
        for move in game.moves:
            nodes.append(None if nodes[-1] is None else nodes[-1].children.get(move))
        return nodes

    def along(self, game: AnyGame) -> list[T]:
        """The data of every position of a line, the start first."""
        return [self.blank if node is None else node.known for node in self._nodes(game)]

    def known(self, game: AnyGame) -> T:
        """The data of the position that a line leads to."""
        return self.along(game)[-1]

    def know(self, game: AnyGame, known: T) -> GameTree[T]:
        """The tree with something known of a position, which is added where the tree lacks the position."""
        return replace(self, root=self._changed(self.root, game.moves, lambda node: replace(node, known=known)))

    def without(self, game: AnyGame) -> GameTree[T]:
        """The tree without a line's last move and all that follows; the move must not be one of the tree's own line."""
        last = game.moves[-1]

        def forget(node: Node[T]) -> Node[T]:
            return replace(node, children={move: child for move, child in node.children.items() if move != last})

        return replace(self, root=self._changed(self.root, game.moves[:-1], forget))

    def restored(self, game: AnyGame, node: Node[T], place: int) -> GameTree[T]:
        """The inverse of `without`: the line's last move is the one at `place` of those that were tried there."""

        def insert(parent: Node[T]) -> Node[T]:
            children = [item for item in parent.children.items() if item[0] != game.moves[-1]]
            children.insert(place, (game.moves[-1], node))
            return replace(parent, children=dict(children))

        return replace(self, root=self._changed(self.root, game.moves[:-1], insert))

    def node(self, game: AnyGame) -> Node[T] | None:
        """What the tree has where a line ends, None where it has nothing."""
        return self._nodes(game)[-1]

    def variations(self, game: AnyGame) -> tuple[Move, ...]:
        """The moves that were tried where a line ends."""
        node = self.node(game)
        return () if node is None else tuple(node.children)

    def play(self, move: Move) -> GameTree[T]:
        """The tree whose game has one more move, new or tried before; errors as `Game.play`."""
        return self.to(self.game.play(move))

    def to(self, game: AnyGame) -> GameTree[T]:
        """The tree whose game is this one; the line stays where the game is its beginning."""
        root = self._changed(self.root, game.moves, lambda node: node)
        return replace(self, game=game, line=self.line if _begins(self.line, game) else game, root=root)

    def onward(self, game: AnyGame) -> AnyGame:
        """The longest line through a position: the game itself, or else the moves that were tried first."""
        if _begins(self.game, game):
            return self.game
        while tried := self.variations(game):
            game = game.play(tried[0])
        return game

    def _changed(self, node: Node[T], moves: tuple[Move, ...], change: Callable[[Node[T]], Node[T]]) -> Node[T]:
        """A copy of a node, changed where these moves lead."""
        if not moves:
            return change(node)
        child = self._changed(node.children.get(moves[0], Node(self.blank)), moves[1:], change)
        return replace(node, children={**node.children, moves[0]: child})


def _begins(line: AnyGame, game: AnyGame) -> bool:
    return line.moves[: game.ply] == game.moves
