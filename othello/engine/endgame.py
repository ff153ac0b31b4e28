"""Exact solution of Othello end games: score, best move and principal variation.

Scores are final disc differences for the side to move, with empty squares counted for the winner.

Shallow and selective searches find a probable score and the move order, then an exact search proves the score. The
scores of the other moves are found by null-window searches, each starting at the last bound: MTD(f), Plaat et al.,
"Best-first Fixed-depth Minimax Algorithms", Artificial Intelligence 87, 1996.
"""

import time
from typing import Final

from othello.engine.endgame_search import null_window_of_variant
from othello.engine.engine import Bounds, Engine, no_weights
from othello.engine.midgame import END_EMPTIES
from othello.frozen_dataclass import FrozenDataclass
from othello.kernel.decorators import Ints
from othello.rules.othello import Othello, OthelloPosition, othello_kernels
from othello.rules.othello.othello_kernels import FILLS_CENTRE, SHARES_EMPTIES, OthelloState, VariantState
from othello.rules.othello.scalar_bits import PASS
from othello.rules.protocol import Color, Move, Position, Rules
from othello.rules.registry import game_spec, rules_of
from othello.search.stop import StopFlag

_USUAL: Final[Rules[Position]] = rules_of(game_spec())


class EndgameResult(FrozenDataclass):
    """A solved position."""

    score: int  # for the side to move
    # best play to the end, with passes; empty for a finished game
    pv: tuple[Move, ...]
    scores: dict[Move, int]  # of all legal moves if requested, otherwise of the best
    nodes: int  # positions visited
    seconds: float


def solve(
    position: Position,
    stop: StopFlag,
    judge_all: bool = False,
    rules: Rules[Position] = _USUAL,
    counts: Ints | None = None,
) -> EndgameResult | None:
    """Solve a position. Each call starts with an empty table.

    Args:
        position: any position of Othello. 20 empty squares take a fraction of a second; each more takes three times as
            long.
        stop: ends the search.
        judge_all: find the exact score of every move.
        rules: of a game that `engine.solves`. Variants take longer.
        counts: int64 of shape (COUNTS,), all 0. The first element counts visited positions, for progress reports.

    Returns:
        None if the search was stopped.
    """
    assert isinstance(rules, Othello)
    assert isinstance(position, OthelloPosition)
    begun = time.perf_counter()
    empties = rules.moves_left(position)
    is_usual = _is_usual(rules, position)
    weights = None if is_usual and empties > END_EMPTIES else no_weights()
    engine = Engine(_places(empties, is_usual), stop, weights, counts)
    moves = rules.legal_moves(position)
    if is_usual and moves and moves != (PASS,):
        *_, result = engine.deepen(position.own, position.opponent, Bounds())
        score, best = result.value, result.move
    else:
        score, best = _score(rules, position, 0, engine), engine.expected_move(position.own, position.opponent)
    line = best_line(rules, position, score, best, engine)
    scores = {line[0]: score} if line else {}
    if judge_all:
        for move in moves:
            if move not in scores:
                scores[move] = -_score(rules, rules.play(position, move), -score, engine)
    if stop.is_set:
        return None
    return EndgameResult(score, line, scores, engine.nodes, time.perf_counter() - begun)


def best_line(
    rules: Othello, position: OthelloPosition, score: int, expected: Move, engine: Engine
) -> tuple[Move, ...]:
    """Return best play to the end of the game, or as far as it is known when the engine's flag is set.

    Args:
        rules: of a game that `engine.solves`.
        position: start of the line.
        score: exact score for the side to move.
        expected: probable best move, or NO_MOVE.
        engine: the search that found the score.
    """
    line: list[Move] = []
    while moves := rules.legal_moves(position):
        for move in sorted(moves, key=lambda move: move != expected):
            after = rules.play(position, move)
            if -_bound(rules, after, -score, engine) >= score:  # a move with the value of the position is a best move
                break
        if engine.stop.is_set:  # the bounds are meaningless
            break
        line.append(move)
        position, score = after, -score
        expected = engine.expected_move(position.own, position.opponent)
    return tuple(line)


def warm_up(rules: Rules[Position]) -> None:
    """Solve a trivial position, to compile the kernels or load them from the cache."""
    solve(OthelloPosition(black=(1 << 55) - 1, white=1 << 55, to_move=Color.BLACK), StopFlag(), rules=rules)


def _places(empties: int, is_usual: bool) -> int:
    """Return the size of the table. A small one is cleared fast; a long search needs a large one."""
    if is_usual:
        return 1 << max(min(empties - 2, 14), min(empties - 6, 21), 8)
    return 1 << min(max(empties + 1, 8), 25)


def _is_usual(rules: Othello, position: OthelloPosition) -> bool:
    """Return whether the rest of the game follows the standard rules."""
    state = rules.kernel_state(position)
    if isinstance(state, OthelloState):
        return True
    others = state.options & ~SHARES_EMPTIES  # scores count empty squares for the winner in any case
    return not others & ~FILLS_CENTRE and not othello_kernels.centre_to_fill(others, state.own, state.opponent)


def _bound(rules: Othello, position: OthelloPosition, alpha: int, engine: Engine) -> int:
    if _is_usual(rules, position):
        return engine.bound(position.own, position.opponent, alpha)
    state = rules.kernel_state(position)
    assert isinstance(state, VariantState)
    return int(null_window_of_variant(state, alpha, engine.solver))


def _score(rules: Othello, position: OthelloPosition, guess: int, engine: Engine) -> int:
    """Return the exact score. A good guess saves time."""
    low, high, alpha = -64, 64, max(-64, min(63, guess - 1))
    while low < high and not engine.stop.is_set:
        bound = _bound(rules, position, alpha, engine)
        if bound > alpha:
            low = bound
        else:
            high = bound
        alpha = bound if bound > alpha else bound - 1
    return low
