"""A player that plays the end of the game perfectly."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from othello.game import AnyGame
from othello.players.player import ComputerConfig, Player
from othello.rules.othello import Othello, OthelloPosition
from othello.rules.protocol import Color, Rules
from othello.search.report import MoveStats, SearchReport, Unit
from othello.search.stop import Deadline, StopFlag, earliest

if TYPE_CHECKING:
    from othello.engine.endgame import EndgameResult


class EndgamePlayer(Player):
    """Solves positions with few empty squares, and leaves the others to another player."""

    config: ComputerConfig

    @classmethod
    def plays(cls, rules: Rules[Any]) -> str:
        return "" if isinstance(rules, Othello) else f"{rules.name} is not solved"

    def __init__(self, config: ComputerConfig, otherwise: Player) -> None:
        """Make a player.

        Args:
            config: `endgame_empties` says where the end begins.
            otherwise: plays before that, and where the time is too short to solve.
        """
        super().__init__(config, otherwise.rules)
        self._otherwise = otherwise
        assert isinstance(otherwise.rules, Othello)  # `plays` is asked before
        self._othello = otherwise.rules

    def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        return self._search(game, stop, seconds, judge_all=False)

    def analyse(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        return self._search(game, stop, seconds, judge_all=True)

    def _search(self, game: AnyGame, stop: StopFlag, seconds: float | None, judge_all: bool) -> Iterator[SearchReport]:
        from othello.engine.endgame import solve  # slow to import

        begun = time.perf_counter()
        limit = earliest(self.config.time_limit_seconds, seconds)
        if game.position.empties <= self.config.endgame_empties:
            half = stop.part()
            with Deadline(None if limit is None else limit / 2, half):
                result = solve(game.position, half, judge_all, self._othello)
            if result is not None:
                yield self._report(game, result, time.perf_counter() - begun)
            if result is not None or stop.is_cancelled:
                return
        left = None if limit is None else max(0.001, limit - (time.perf_counter() - begun))
        otherwise = self._otherwise
        yield from (otherwise.analyse if judge_all else otherwise.think)(game, stop, left)

    def _report(self, game: AnyGame, result: EndgameResult, seconds: float) -> SearchReport:
        moves = []
        for move in game.legal_moves():
            score = result.scores.get(move)
            moves.append(MoveStats(move, 0, None if score is None else float(score)))  # proofs count no visits
        return SearchReport(
            player=self.config.player_type,
            move=result.pv[0],
            value=float(result.score),
            moves=tuple(moves),
            unit=Unit.DISCS,
            nodes=result.nodes,
            depth=len(result.pv),
            pv=result.pv,
            seconds=seconds,
            final=True,
        )

    def prepare(self) -> None:
        """Compile by solving a little."""
        from othello.engine.endgame import solve

        self._otherwise.prepare()
        solve(OthelloPosition(black=(1 << 55) - 1, white=1 << 55, to_move=Color.BLACK), StopFlag(), rules=self._othello)

    def new_game(self, seed: int) -> None:
        self._otherwise.new_game(seed)

    def game_over(self, game: AnyGame) -> None:
        self._otherwise.game_over(game)

    def release(self) -> None:
        self._otherwise.release()
