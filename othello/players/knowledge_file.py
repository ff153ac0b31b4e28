"""A file in which a player keeps what it knows, from game to game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from othello.errors import TreeFileError
from othello.game import AnyGame
from othello.rules.protocol import Position, Rules

if TYPE_CHECKING:
    from othello.search.contents import Arrays


class KnowledgeFile:
    """What one kind of search knows of games from their start.

    Args:
        path: of the file.
        kind: of the search, such as "mcts_uct".
        rules: of the games. Others have the same positions and moves, but not the same results.
    """

    def __init__(self, path: Path, kind: str, rules: Rules[Position]) -> None:
        options = [f"{name} {value}" for name, value in rules.spec.options]
        self.path, self._kind = path, ", ".join([kind, rules.spec.game, *options])

    def load(self, learn: Callable[[Arrays], None]) -> None:
        """Hand over what is in the file, where there is one.

        Args:
            learn: takes it, and raises a ValueError where it cannot be.

        Raises:
            TreeFileError: the file could not be written, or is not of such a search.
        """
        from othello.search import tree_file

        tree_file.check_place(self.path)
        knowledge = tree_file.load(self.path, self._kind)
        if knowledge is None:
            return
        try:
            learn(knowledge)
        except ValueError as error:
            raise TreeFileError("damaged", path=self.path, fault=error) from error

    def check(self, game: AnyGame) -> None:
        """Refuse a game that does not begin as all that is known does.

        Raises:
            TreeFileError: it begins elsewhere.
        """
        if game.positions[0] != game.rules.start():
            raise TreeFileError("tree_file_start", path=self.path)

    def save(self, knowledge: Arrays) -> None:
        """Write what is known.

        Raises:
            TreeFileError: it cannot be written.
        """
        from othello.search import tree_file

        tree_file.save(self.path, self._kind, knowledge)
