"""The knowledge that a player keeps from move to move, and in a file from game to game."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from othello.errors import TreeFileError
from othello.game import AnyGame
from othello.rules.protocol import Position, Rules

if TYPE_CHECKING:
    from numpy.random import SeedSequence

    from othello.search.contents import Arrays
    from othello.search.mcts_search import MctsSearch
    from othello.search.simulator import Simulator

_log = logging.getLogger(__name__)


class KnowledgeFile:
    """What one kind of search, such as "mcts_uct", knows of games from their start.

    Games by other rules have the same positions and moves, but not the same results.
    """

    def __init__(self, path: Path, kind: str, rules: Rules[Position]) -> None:
        options = [f"{name} {value}" for name, value in rules.spec.options]
        self.path, self._kind = path, ", ".join([kind, rules.spec.game, *options])

    def load(self, learn: Callable[[Arrays], None]) -> None:
        """Hand over what is in the file, where there is one; `learn` raises a ValueError where that cannot be.

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
        """Raise a `TreeFileError` for a game that does not begin as all that is known does."""
        if game.positions[0] != game.rules.start():
            raise TreeFileError("tree_file_start", path=self.path)

    def save(self, knowledge: Arrays) -> None:
        """Write the knowledge; raises a `TreeFileError` if it cannot be written."""
        from othello.search import tree_file

        tree_file.save(self.path, self._kind, knowledge)


class TreeMemory:
    """Keeps a search's knowledge as `mcts_reuse_tree` and `mcts_tree_file` say, or forgets it after each move.

    The knowledge begins at the start of the game and covers every searched line. An undo removes nothing.
    """

    def __init__(
        self, kind: str, file: Path | None, reuses: bool, rules: Rules[Position], simulator: Simulator
    ) -> None:
        """Start with what the file knows, if there is one.

        Args:
            file: keeps the knowledge from game to game; the simulator is then an `MctsSearch`.
            reuses: whether to keep the knowledge from move to move.

        Raises:
            TreeFileError: the file is not of such a search.
        """
        self._file = None if file is None else KnowledgeFile(file, kind, rules)
        self._simulator = simulator
        self._reuses = reuses
        self._load()

    def _load(self) -> None:
        if self._file is not None:
            self._file.load(cast("MctsSearch", self._simulator).learn_from)
        self._is_complete = True  # everything is known that the file knows

    def new_game(self) -> None:
        """Forget what is not for games to come."""
        if self._file is None:
            self._simulator.clear()

    def recall(self, game: AnyGame, seed: SeedSequence) -> None:
        """Have the simulator search from a game's position, with all that it may remember; see `check`."""
        if self._file is not None:
            self._file.check(game)
        states = [game.rules.kernel_state(position) for position in game.positions]
        path = list(zip(states[:-1], game.moves, strict=True)) if self._reuses else []
        if not self._reuses:
            self._simulator.clear()
        self._is_complete &= self._simulator.go_to(path, states[-1], seed)

    def keep(self) -> None:
        """Write the knowledge to the file, if there is one.

        A search that outgrew its memory has forgotten what the file knows: the file stays, and is read again.

        Raises:
            TreeFileError: it cannot be written, or read.
        """
        if self._file is None:
            return
        if self._is_complete:
            self._file.save(cast("MctsSearch", self._simulator).knowledge())
            return
        _log.warning("%s: nothing is written after this game: the search outgrew its memory", self._file.path)
        self._simulator.clear()
        self._load()
