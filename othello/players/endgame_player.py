"""A wrapper that solves the endgame for any player."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from othello.engine import solves
from othello.errors import Reason
from othello.game import AnyGame
from othello.players.player import PlayerWrapper
from othello.rules.protocol import Position, Rules
from othello.search.report import MoveStats, SearchReport, Unit
from othello.search.stop import Deadline, StopFlag, watched

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from othello.engine.endgame import EndgameResult

_LONG: Final = 16  # from this many empty squares on, a solver reports progress


class EndgamePlayer(PlayerWrapper):
    """Solves positions with at most `endgame_empties` empty squares."""

    key = "endgame_empties"

    @classmethod
    def plays(cls, rules: Rules[Position]) -> Reason | None:
        return None if solves(rules) else Reason("not_solved", {"game": rules.name})

    def _search(self, game: AnyGame, stop: StopFlag, limit: float | None, judge_all: bool) -> Iterator[SearchReport]:
        import numpy as np  # slow to import, like the solver

        from othello.engine.endgame import solve
        from othello.engine.endgame_search import COUNTS

        begun = stop.clock()
        empties = self.rules.moves_left(game.position)
        if empties <= self.config.endgame_empties:
            half, counts = stop.part(), np.zeros(COUNTS, np.int64)

            def solved() -> EndgameResult | None:
                return solve(game.position, half, judge_all, self.rules, counts)

            with Deadline(None if limit is None else limit / 2, half):
                if empties < _LONG:
                    result = solved()
                else:
                    news = partial(self._report, game, None, counts, stop, begun)
                    result = yield from watched(solved, half, news)
            if result is not None:
                yield self._report(game, result, counts, stop, begun)
            if result is not None or stop.is_cancelled:
                return
        left = None if limit is None else max(0.001, limit - (stop.clock() - begun))
        yield from self._ask_inner(game, stop, left, judge_all)

    def _report(
        self, game: AnyGame, result: EndgameResult | None, counts: NDArray[np.int64], stop: StopFlag, begun: float
    ) -> SearchReport:
        """Return the solution, or a snapshot with the nodes visited so far."""
        scores = {} if result is None else {move: float(score) for move, score in result.scores.items()}
        pv = () if result is None else result.pv
        move = pv[0] if pv else game.legal_moves()[0]
        moves = (
            MoveStats(legal_move, 0, scores.get(legal_move)) for legal_move in game.legal_moves()
        )  # a proof has no visits
        nodes = int(counts[0]) if result is None else result.nodes
        facts = {"nodes": nodes, "depth": len(pv), "seconds": stop.clock() - begun}
        return self.report(move, moves, pv, Unit.DISCS, **facts, final=result is not None)

    def prepare(self) -> None:
        """Compile the solver with a small position."""
        from othello.engine.endgame import warm_up

        super().prepare()
        warm_up(self.rules)
