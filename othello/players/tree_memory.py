"""What a simulating player carries from one move to the next, and from one game to the next."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np

from othello.game import AnyGame
from othello.players.knowledge_file import KnowledgeFile
from othello.rules.protocol import Position, Rules
from othello.search.mcts_search import MctsSearch
from othello.search.simulator import Simulator

_log = logging.getLogger(__name__)


class TreeMemory:
    """Keeps a search's knowledge as `mcts_reuse_tree` and `mcts_tree_file` say, or forgets it after each move.

    What is kept begins at the game's start and covers every line that was searched; an undo takes nothing away.
    """

    def __init__(
        self, kind: str, file: Path | None, reuses: bool, rules: Rules[Position], simulator: Simulator
    ) -> None:
        """Start with what the file knows, if there is one.

        Args:
            kind: of the search, such as "mcts_uct".
            file: keeps what is known from game to game.
            reuses: whether to keep it from move to move.
            rules: of the games.
            simulator: the search.

        Raises:
            TreeFileError: the file is not of such a search.
        """
        self._file = None if file is None else KnowledgeFile(file, kind, rules)
        self._rules = rules
        self._simulator = simulator
        self._reuses = reuses
        self._is_complete = True  # whether everything is known that the file knows
        if self._file is not None:
            self._load(self._file)

    def _load(self, file: KnowledgeFile) -> None:
        assert isinstance(self._simulator, MctsSearch)
        file.load(self._simulator.learn_from)
        self._is_complete = True

    def new_game(self) -> None:
        """Forget what is not for games to come."""
        if self._file is None:
            self._simulator.clear()

    def recall(self, game: AnyGame, seed: np.random.SeedSequence) -> None:
        """Have the simulator search from a game's position, with all that it may remember.

        Raises:
            TreeFileError: there is a file, which is for games that begin with the start, and this one does not.
        """
        if self._file is not None:
            self._file.check(game)
        states = [game.rules.kernel_state(position) for position in game.positions]
        path = list(zip(states[:-1], game.moves, strict=True)) if self._reuses else []
        if not self._reuses:
            self._simulator.clear()
        self._is_complete &= self._simulator.go_to(path, states[-1], seed)

    def keep(self) -> None:
        """Write what is known to the file, where there is one.

        A search that outgrew its memory has forgotten what the file knows: the file stays, and is read again.

        Raises:
            TreeFileError: it cannot be written, or read.
        """
        if self._file is None:
            return
        assert isinstance(self._simulator, MctsSearch)
        if self._is_complete:
            self._file.save(self._simulator.knowledge())
            return
        _log.warning("%s: nothing is written after this game: the search outgrew its memory", self._file.path)
        self._simulator.clear()
        self._load(self._file)
