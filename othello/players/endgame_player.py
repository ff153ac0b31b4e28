"""A player that plays the end of the game perfectly."""

from __future__ import annotations

import time
from collections.abc import Iterator

from othello.config import PlayerConfig
from othello.engine.endgame import EndgameResult, solve
from othello.game import AnyGame
from othello.players.player import Player
from othello.rules.othello import OthelloPosition
from othello.rules.protocol import Color
from othello.search.limits import Deadline, earliest
from othello.search.report import MoveStats, SearchReport, Unit
from othello.search.stop import StopFlag


class EndgamePlayer:
    """Solves positions with few empty squares, and leaves the others to another player."""

    def __init__(self, config: PlayerConfig, otherwise: Player, judge_all: bool) -> None:
        """Make a player for one game.

        Args:
            config: `endgame_empties` says where the end begins.
            otherwise: plays before that, and where the time is too short to solve.
            judge_all: find the exact score of every move, where that of the best would do to play.
        """
        self.name = otherwise.name
        self._config = config
        self._otherwise = otherwise
        self._judge_all = judge_all

    def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        begun = time.perf_counter()
        limit = earliest(self._config.time_limit_seconds, seconds)
        if game.position.empties <= self._config.endgame_empties:
            result = self._solve(game.position, stop, limit)
            if result is not None:
                yield self._report(game, result, time.perf_counter() - begun)
            if result is not None or stop.is_cancelled:
                return
            stop.go_on()
        left = None if limit is None else max(0.001, limit - (time.perf_counter() - begun))
        yield from self._otherwise.think(game, stop, left)

    def _solve(self, position: OthelloPosition, stop: StopFlag, limit: float | None) -> EndgameResult | None:
        """The solved position; None when half of the time was not enough."""
        with Deadline(None if limit is None else limit / 2, stop):
            return solve(position, stop, self._judge_all)

    def _report(self, game: AnyGame, result: EndgameResult, seconds: float) -> SearchReport:
        moves = []
        for move in game.legal_moves():
            score = result.scores.get(move)
            moves.append(MoveStats(move, int(score is not None), None if score is None else float(score)))
        return SearchReport(
            player=self._config.player_type,
            move=result.pv[0],
            value=float(result.score),
            moves=tuple(moves),
            unit=Unit.DISCS,
            nodes=result.nodes,
            depth=len(result.pv),
            pv=result.pv,
            seconds=seconds,
            final=True,
            note="solved: perfect play from here",
        )

    def warm_up(self) -> None:
        """Compile by solving a little."""
        self._otherwise.warm_up()
        solve(OthelloPosition(black=(1 << 55) - 1, white=1 << 55, to_move=Color.BLACK), StopFlag())

    def close(self) -> None:
        """Keep what the other player keeps."""
        self._otherwise.close()
