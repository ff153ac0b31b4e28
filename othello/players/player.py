"""What a computer player is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from othello.errors import PlayerError
from othello.game import AnyGame
from othello.search.report import SearchReport
from othello.search.stop import StopFlag


class Player(Protocol):
    """One side's decisions. A player is made for one game and one seed, and thinks in the caller's thread.

    With a fixed simulation count or depth, the answer depends on the game so far and the seed alone: not on
    time, on the slices in which it thinks, or on what it was asked before. The exception is a player that keeps what it
    knows (`mcts_reuse_tree`, `mcts_tree_file`): it builds on all that it searched before, lines that were taken back
    included, as what they taught is as true as before. Asked again after an undo, it knows more, and may answer
    differently.
    """

    name: str

    def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        """Search for a move in a position that has a legal one.

        Yields a snapshot after every slice and ends with the final one; a cancelled search just ends.

        Args:
            game: the game so far.
            stop: ends the search when it is set.
            seconds: the longest that the search may take, where the game's clock says so; a player's own limit may be
                shorter.
        """
        ...

    def close(self) -> None:
        """The game is over: keep what is worth keeping."""
        ...

    def warm_up(self) -> None:
        """Compile, or load from the cache, all that `think` needs. Slow the first time ever, then quick."""
        ...


def choose(player: Player, game: AnyGame, seconds: float | None = None) -> SearchReport:
    """The final report of an uninterrupted search; `seconds` as for `Player.think`.

    Raises:
        PlayerError: the player ended without an answer.
    """
    for report in player.think(game, StopFlag(), seconds):
        if report.final:
            return report
    raise PlayerError(f"{player.name} ended its search without a move")


def move_seed(seed: int, game: AnyGame) -> np.random.SeedSequence:
    """Randomness for the next move of a game: the same wherever and whenever the move is searched."""
    return np.random.SeedSequence([seed, game.ply, int(game.to_move)])
