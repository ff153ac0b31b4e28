"""How a level chooses among the moves of a position: it errs as people do, but sees what one move decides."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from othello.kernel.bits import as_int64, moves_buffer
from othello.kernel.decorators import Ints, kernel
from othello.rules import compiled
from othello.rules.protocol import Move

_LOSES: Final = 0
_GOES_ON: Final = 1
_WINS: Final = 2


@kernel
def _wins(state: Any, move: int) -> bool:
    """Whether a move ends the game, and the side that makes it has won."""
    after = compiled.play(state, move)
    return bool(compiled.is_over(after) and compiled.final_difference(after) < 0)


@kernel
def prospects(state: Any, moves: Ints, found: Ints) -> None:
    """Write what each move leads to, as far as the move, or a reply to it, ends the game."""
    replies = moves_buffer()
    for index in range(len(moves)):
        found[index] = _WINS if _wins(state, moves[index]) else _GOES_ON
        after = compiled.play(state, moves[index])
        if compiled.is_over(after) and compiled.final_difference(after) > 0:
            found[index] = _LOSES
        for reply in range(compiled.write_moves(after, replies)):
            if _wins(after, as_int64(replies[reply])):
                found[index] = _LOSES
                break


def safe_moves(state: NamedTuple, moves: Sequence[Move]) -> list[Move]:
    """The moves that win at once; else those that leave the opponent no win in one move; else all."""
    found = np.empty(len(moves), np.int64)
    prospects(state, np.array(moves, np.int64), found)
    best = found.max()
    return [move for move, prospect in zip(moves, found.tolist(), strict=True) if prospect == best]


def sample_softmax(values: Mapping[Move, float], spread: float, random: np.random.Generator) -> Move:
    """A move drawn at random: `spread` below the best, it is drawn 1/e times as often as the best."""
    best = max(values.values())
    chances = np.array([math.exp((value - best) / spread) for value in values.values()])
    return list(values)[int(random.choice(len(values), p=chances / chances.sum()))]
