"""Measure the value of each feature of the engine: the engine against itself with one feature switched off.

Balanced openings are played with both colours, at equal CPU time for each move; a game pair is one observation of the
whole engine's score. `--depths` prints the depths reached instead.

    python -m benchmarks.features [FEATURE ...] [--games 200] [--seconds 0.01] [--seed 1] [--depths]
"""

import argparse
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from unittest.mock import patch

import numpy as np

from othello.bench import middle_games
from othello.engine import discs_of, engine
from othello.engine.book import after
from othello.engine.engine import Bounds, Engine, EngineResult
from othello.engine.probcut import AGGRESSIVE, CONSERVATIVE
from othello.engine.transposition_table import EXACT
from othello.game import Game
from othello.play.start_positions import balanced_opening
from othello.players.engine_player import PLACES
from othello.rules.othello.scalar_bits import mobility, squares
from othello.rules.registry import game_spec, rules_of
from othello.search.stop import StopFlag
from othello.tournament.statistics import PairScores

START, OPENING_PLIES = Game.new(rules_of(game_spec())), 8
SECONDS = (0.01, 0.05, 0.2, 1.0)
BOUNDS = Bounds(endgame_jump=8, confidence=AGGRESSIVE)  # as in a player with a time limit
STEPS = engine._steps


def exact_end_alone(empties: int, bounds: Bounds) -> Iterator[tuple[int, int]]:
    """Return the engine's steps, depths and confidences, without selective searches to the end."""
    return (step for step in STEPS(empties, bounds) if step[0] < empties or step[1] == EXACT)


@dataclass(frozen=True, slots=True)
class Variant:
    """An engine with other limits, another size of the transposition table, or other features."""

    bounds: Bounds = BOUNDS
    places: int = PLACES
    window: int = engine._WINDOW
    steps: Callable[[int, Bounds], Iterator[tuple[int, int]]] = STEPS
    forgets: bool = False  # True to clear the transposition table before each move


WHOLE = Variant()
FEATURES = {
    "multi-probcut": Variant(replace(BOUNDS, margin=100.0), steps=exact_end_alone),
    "daring": Variant(replace(BOUNDS, confidence=CONSERVATIVE)),  # without reductions, rough leaves, narrow margins
    "selective-end": Variant(steps=exact_end_alone),
    "aspiration": Variant(window=128),  # switches off aspiration windows before the endgame
    "leap": Variant(replace(BOUNDS, endgame_jump=1)),  # searches every depth on the way to the end
    "table": Variant(places=256),
    "table-between-moves": Variant(forgets=True),
    "nothing": WHOLE,  # shows the size of random differences
}


class Side:
    """An engine in a match, with the total depth, nodes and seconds of its searches."""

    def __init__(self, variant: Variant, seconds: float) -> None:
        self.variant, self.seconds = variant, seconds
        self.engine = Engine(variant.places, StopFlag())
        self.spent: list[tuple[float, float, float]] = []

    def search(self, own: int, opponent: int) -> EngineResult:
        """Return the result of a search limited by CPU time; no other thread may run during the search."""
        variant, stop, is_over = self.variant, StopFlag(), threading.Event()
        self.engine.set_stop_flag(stop)
        if variant.forgets:
            self.engine.forget()
        began = time.process_time()

        def watch() -> None:
            while (left := began + self.seconds - time.process_time()) > 0 and not is_over.wait(left):
                pass
            stop.time_is_up()

        threading.Thread(target=watch, daemon=True).start()
        with patch.multiple(engine, _steps=variant.steps, _WINDOW=variant.window):
            *_, found = self.engine.deepen(own, opponent, variant.bounds)
        is_over.set()
        self.spent.append((found.depth, found.nodes, time.process_time() - began))
        return found


def points(first: Side, second: Side, own: int, opponent: int) -> float:
    """Play a game, and return the points of the side to move."""
    sides, turn = {1: first, -1: second}, 1
    first.engine.forget()
    second.engine.forget()
    while moves := list(squares(mobility(own, opponent))):
        move = moves[0] if len(moves) == 1 else sides[turn].search(own, opponent).move
        own, opponent, side = after(own, opponent, move)
        turn *= side
    return 0.5 + 0.5 * float(np.sign(turn * (own.bit_count() - opponent.bit_count())))


def match(name: str, games: int, seconds: float, seed: int) -> str:
    """Play a match, and return a row of results."""
    units, whole, without = PairScores(), Side(WHOLE, seconds), Side(FEATURES[name], seconds)
    for pair in range(games // 2):
        boards = discs_of(balanced_opening(START, OPENING_PLIES, seed * 1_000_000 + pair).position)
        units.add(2, points(whole, without, *boards) + 1 - points(without, whole, *boards))
    score, elo = units.interval, units.elo
    row = f"{name:<20}{units.games:5}{score.estimate:7.1%} ({score.low:5.1%} to {score.high:6.1%})"
    row += f"{elo.estimate:+6.0f} ({elo.low:+4.0f} to {elo.high:+4.0f})"
    of_whole, of_other = (np.mean(side.spent, axis=0) for side in (whole, without))
    pairs = zip(of_whole, of_other, (1, 0, 4), strict=True)
    return row + "".join(f"{mine:9,.{digits}f}{other:8,.{digits}f}" for mine, other, digits in pairs)


def depths(empties: int) -> str:
    """Return a row of mean depths."""
    sides = [Side(WHOLE, seconds) for seconds in SECONDS]
    for side, position in product(sides, middle_games(empties, count=6)):
        side.search(*discs_of(position))
    return f"{empties:13}" + "".join(f"{np.mean(side.spent, axis=0)[0]:8.1f}" for side in sides)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("features", nargs="*", default="all", choices=["all", *FEATURES], metavar="FEATURE")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=0.01)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--depths", action="store_true")
    arguments = parser.parse_args()
    Side(WHOLE, 0.5).search(*discs_of(middle_games(30, 1)[0]))  # compiles
    if arguments.depths:
        print("empty squares" + "".join(f"{seconds:6} s" for seconds in SECONDS))
        print(*map(depths, (48, 40, 32, 26)), sep="\n")
        return
    print("without             games points (95 %)            Elo                depth of both  nodes   CPU seconds")
    for name in FEATURES if "all" in arguments.features else arguments.features:
        print(match(name, arguments.games, arguments.seconds, arguments.seed), flush=True)


if __name__ == "__main__":
    main()
