"""The two players that judge positions by the squares held."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from othello.game import AnyGame
from othello.players.player import move_seed
from othello.rules.protocol import Move, Rules
from othello.search.alphabeta import score_after
from othello.search.deepening import deepen, memory_for
from othello.search.limits import Deadline, earliest
from othello.search.report import MoveStats, SearchReport, Unit
from othello.search.stop import StopFlag


class HeuristicPlayer:
    """Looks `depth` plies ahead with alpha-beta and plays a best move, drawn at random among equals."""

    def __init__(
        self, name: str, rules: Rules[Any], seed: int, depth: int, seconds: float | None, judge_all: bool
    ) -> None:
        """Make a player for one game.

        Args:
            name: what people call it.
            rules: of the game.
            seed: decides between equal moves.
            depth: plies, at least 1.
            seconds: time for a move; the deepest search that was finished in it counts. None: no limit.
            judge_all: find the exact value of every root move, where that of the best would do to play.
        """
        self.name = name
        self._rules = rules
        self._seed = seed
        self._depth = depth
        self._seconds = seconds
        self._judge_all = judge_all
        self._memory = memory_for(depth, rules.max_moves)

    def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        begun = time.perf_counter()
        report = None
        with Deadline(earliest(self._seconds, seconds), stop):
            state = game.rules.kernel_state(game.position)
            for found in deepen(state, game.legal_moves(), self._memory, self._depth, self._judge_all, stop):
                if report is not None:
                    yield report
                # Drawn anew for every depth, so that where the search ends does not change what is drawn.
                move = draw(found.best_moves, move_seed(self._seed, game))
                report = SearchReport(
                    player="heuristic",
                    move=move,
                    value=float(found.best_value),
                    moves=tuple(
                        MoveStats(root.move, root.nodes, float(root.value), root.exact) for root in found.moves
                    ),
                    unit=Unit.SCORE,
                    nodes=found.nodes,
                    depth=found.depth,
                    pv=found.lines[move],
                    seconds=time.perf_counter() - begun,
                )
        if report is not None and not stop.is_cancelled:
            yield replace(report, seconds=time.perf_counter() - begun, final=True)

    def close(self) -> None:
        """Nothing to keep."""

    def warm_up(self) -> None:
        """Compile by searching a little."""
        rules, start = self._rules, self._rules.start()
        memory = memory_for(4, rules.max_moves)
        for _ in deepen(rules.kernel_state(start), rules.legal_moves(start), memory, 4, False, StopFlag()):
            pass


class SimpleHeuristicPlayer:
    """Plays the move after which the position has the best positional score, drawn at random among equals."""

    def __init__(self, name: str, rules: Rules[Any], seed: int) -> None:
        self.name = name
        self._rules = rules
        self._seed = seed

    def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        begun = time.perf_counter()
        state = game.rules.kernel_state(game.position)
        scores = {move: score_after(state, move) for move in game.legal_moves()}
        best = max(scores.values())
        move = draw([move for move, score in scores.items() if score == best], move_seed(self._seed, game))
        yield SearchReport(
            player="simple_heuristic",
            move=move,
            value=float(best),
            moves=tuple(MoveStats(move, 1, float(score)) for move, score in scores.items()),
            unit=Unit.SCORE,
            nodes=len(scores),
            depth=1,
            pv=(move,),
            seconds=time.perf_counter() - begun,
            final=True,
        )

    def close(self) -> None:
        """Nothing to keep."""

    def warm_up(self) -> None:
        """Compile by judging a move."""
        rules, start = self._rules, self._rules.start()
        score_after(rules.kernel_state(start), rules.legal_moves(start)[0])


def draw(moves: list[Move], seed: np.random.SeedSequence) -> Move:
    """One of several equal moves."""
    return moves[int(np.random.default_rng(seed).integers(len(moves)))]
