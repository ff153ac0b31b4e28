"""The two players that evaluate positions by the squares held.

Searches are imported only when they are needed, because the compiler is slow to import.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from othello.engine import solves
from othello.errors import Reason
from othello.game import AnyGame
from othello.players.player import DEPTH, JudgingPlayer, Player, SearchConfig, break_tie, draw, move_seed
from othello.rules.protocol import Position, Rules
from othello.schema import option, options_of
from othello.search.report import MoveStats, SearchReport, Unit
from othello.search.stop import Deadline, StopFlag

if TYPE_CHECKING:
    from othello.search.trace_buffers import NodeTrace


class SimpleHeuristicPlayer(Player):
    """Plays the move that leads to the best positional score; ties are broken at random."""

    player_type = "simple_heuristic"
    title = "Greedy"
    description = "plays the best positional score after one ply"
    unit = Unit.SCORE

    def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        from othello.search.alphabeta import score_after

        begun = time.perf_counter()
        state = game.rules.kernel_state(game.position)
        scores = {move: score_after(state, move) for move in game.legal_moves()}
        best = max(scores.values())
        move = draw([move for move, score in scores.items() if score == best], move_seed(self.seed, game))
        moves = (MoveStats(move, 1, float(score)) for move, score in scores.items())
        seconds = time.perf_counter() - begun
        yield self.report(move, moves, (move,), self.unit, nodes=len(scores), depth=1, seconds=seconds, final=True)

    def prepare(self) -> None:
        """Compile by evaluating a move."""
        from othello.search.alphabeta import score_after

        rules, start = self.rules, self.rules.start()
        score_after(rules.kernel_state(start), rules.legal_moves(start)[0])


EVALUATIONS: Final = {
    "difference": "its own squares minus the opponent's",
    "own": "its own squares only; for Othello only",
}
ENDS: Final = {
    "result": "a win counts more, and a loss less, than any position",
    "squares": "like any other position; for Othello only",
}


class HeuristicConfig(SearchConfig):
    """Options of alpha-beta."""

    depth: int = option(6, **DEPTH)
    heuristic_evaluation: str = option(
        "difference", "How the heuristic player evaluates positions.", choices=EVALUATIONS
    )
    heuristic_terminal_value: str = option("result", "How the heuristic player evaluates finished games.", choices=ENDS)

    def conflict(self, rules: Rules[Position]) -> tuple[str, Reason] | None:
        for key in ("heuristic_evaluation", "heuristic_terminal_value"):
            if getattr(self, key) != options_of(HeuristicConfig)[key].default and not solves(rules):
                return key, Reason("for_othello")
        return None


class HeuristicPlayer(JudgingPlayer):
    """Searches `depth` plies with alpha-beta and plays the best move; `tie_break` breaks ties.

    With a time limit, the deepest finished search counts.
    """

    player_type = "heuristic"
    title = "Alpha-beta"
    description = "alpha-beta"
    unit = Unit.SCORE
    config_type = HeuristicConfig
    config: HeuristicConfig

    def __init__(self, config: HeuristicConfig, rules: Rules[Position]) -> None:
        from othello.search.deepening import memory_for

        super().__init__(config, rules)
        own_alone, ends_as_others = config.heuristic_evaluation == "own", config.heuristic_terminal_value == "squares"
        self._memory = memory_for(config.depth, rules, own_alone=own_alone, ends_as_others=ends_as_others)

    def _search(self, game: AnyGame, stop: StopFlag, limit: float | None, judge_all: bool) -> Iterator[SearchReport]:
        from othello.search.deepening import deepen

        begun = stop.clock()
        report = None
        with Deadline(limit, stop):
            state = game.rules.kernel_state(game.position)
            for result in deepen(state, game.legal_moves(), self._memory, self.config.depth, judge_all, stop):
                # Drawn anew for each depth: the draw must not depend on where the search ends.
                move = break_tie(result.best_moves, self.config.tie_break, move_seed(self.seed, game))
                counts = {"nodes": result.nodes, "depth": result.depth, "seconds": stop.clock() - begun}
                below = self.replies(result.lines.values())
                report = self.report(move, result.moves, result.lines[move], self.unit, **counts, below=below)
                yield report
        if report is not None and not stop.is_cancelled:
            yield replace(report, seconds=stop.clock() - begun, final=True)

    def record_nodes(self, trace: NodeTrace) -> None:
        """Record the positions of the next searches."""
        self._memory = self._memory._replace(trace=trace)

    def prepare(self) -> None:
        """Compile with a small search of one move, because a large board has many."""
        from othello.search.deepening import deepen, memory_for

        rules, start = self.rules, self.rules.start()
        memory = memory_for(2, rules)
        for _ in deepen(rules.kernel_state(start), rules.legal_moves(start)[:1], memory, 2, False, StopFlag()):
            pass

    def release(self) -> None:
        del self._memory
