"""Compare the speed with OpenSpiel's searches in C++ and Python, and with pgx's random games.

Ours and the peer run in turns in one process, and the ratio is the median over the turns, because a slow moment of the
machine then affects both. Everything is compiled before. Uses one core.

    python -m pip install -e ".[peers]" && python benchmarks/peers.py [--turns 5] [--json]
"""

import argparse
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
if sys.platform == "linux":
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # also limits the peers' threads

import jax
import numpy as np
import pgx
import pyspiel
from open_spiel.python.algorithms import mcts as python_mcts

from othello import bench
from othello.rules.registry import game_spec, rules_of

RULES = rules_of(game_spec())
START = RULES.start()
SMALL_GAMES = {"tictactoe": "tic_tac_toe", "ultimate_tictactoe": "ultimate_tic_tac_toe"}
"""Our names and OpenSpiel's names."""
GAMES = 4096
Run = Callable[[], int]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Median speeds of ours and of a peer, and the median ratio."""

    what: str
    peer: str
    unit: str
    ours_per_second: float
    peer_per_second: float
    ratio: float


def repeated(run: Run, times: int) -> Run:
    """Return a function that runs long enough to be timed."""
    return lambda: sum(run() for _ in range(times))


def speed(run: Run) -> float:
    begun = time.perf_counter()
    done = run()
    return done / (time.perf_counter() - begun)


def compare(what: str, unit: str, ours: Run, peer: str, theirs: Run, turns: int) -> Comparison:
    ours()
    theirs()
    pairs = [(speed(ours), speed(theirs)) for _ in range(turns)]
    return Comparison(
        what,
        peer,
        unit,
        statistics.median(mine for mine, _ in pairs),
        statistics.median(other for _, other in pairs),
        statistics.median(mine / other for mine, other in pairs),
    )


def open_spiel_cpp(simulations: int, name: str = "othello") -> Run:
    """Run MCTSBot with one random rollout per simulation in the start position."""
    game = pyspiel.load_game(name)
    state = game.new_initial_state()

    def run() -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        bot = pyspiel.MCTSBot(game, evaluator, bench.EXPLORATION, simulations, 4000, False, 1, False)
        bot.step(state)
        return simulations

    return run


def open_spiel_python(simulations: int) -> Run:
    game = pyspiel.load_game("othello")
    state = game.new_initial_state()

    def run() -> int:
        random = np.random.RandomState(1)
        evaluator = python_mcts.RandomRolloutEvaluator(1, random)
        bot = python_mcts.MCTSBot(game, bench.EXPLORATION, simulations, evaluator, solve=False, random_state=random)
        bot.step(state)
        return simulations

    return run


def pgx_games(count: int) -> Run:
    """Run `count` random games in parallel, compiled by XLA."""
    environment = pgx.make("othello")

    @jax.jit
    def play(key: jax.Array) -> jax.Array:
        key, start_key = jax.random.split(key)
        states = jax.vmap(environment.init)(jax.random.split(start_key, count))

        def step(carry: tuple[object, jax.Array]) -> tuple[object, jax.Array]:
            states, key = carry
            key, move_key = jax.random.split(key)
            logits = jax.numpy.log(states.legal_action_mask.astype(jax.numpy.float32))  # type: ignore[attr-defined]
            moves = jax.random.categorical(move_key, logits, axis=1)
            return jax.vmap(environment.step)(states, moves), key

        def goes_on(carry: tuple[object, jax.Array]) -> jax.Array:
            return ~carry[0].terminated.all()  # type: ignore[attr-defined, no-any-return]

        states, _ = jax.lax.while_loop(goes_on, step, (states, key))
        return jax.numpy.abs(states.rewards).sum()

    keys: Iterator[int] = iter(range(1_000_000))

    def run() -> int:
        play(jax.random.PRNGKey(next(keys))).block_until_ready()
        return count

    return run


def comparisons(turns: int) -> Iterator[Comparison]:
    for simulations in (300, 10_000):
        theirs = open_spiel_cpp(simulations)
        batch = 8 if simulations < 1000 else 16
        for name, simulator in bench.simulators(RULES, simulations).items():
            ours = repeated(
                partial(bench.search, simulator, RULES.kernel_state(START), simulations, batch), 60_000 // simulations
            )
            what = f"{name}, {simulations:,} simulations"
            yield compare(what, "simulations", ours, "OpenSpiel C++ MCTSBot", theirs, turns)
    ours = repeated(
        partial(bench.search, bench.simulators(RULES, 300)["mcts_uct"], RULES.kernel_state(START), 300, 8), 200
    )
    theirs = open_spiel_python(300)
    yield compare("mcts_uct, 300 simulations", "simulations", ours, "OpenSpiel Python MCTSBot", theirs, turns)
    lock_step = bench.games_in_lock_step(RULES, START, 16 * GAMES)
    one_at_a_time = bench.games_one_at_a_time(RULES, START, 4 * GAMES)
    yield compare("random games, lock-step", "games", lock_step, f"pgx, {GAMES} at once", pgx_games(GAMES), turns)
    yield compare("random games, lock-step", "games", lock_step, "ours, one at a time", one_at_a_time, turns)
    for name, peer in SMALL_GAMES.items():
        yield from small_game(name, peer, turns)
    for empties in bench.MIDDLE_GAMES:
        middle = bench.middle_games(empties)
        deep, plain = bench.deepening(middle, 8), partial(bench.plain_alphabeta, middle, 8)
        what = f"heuristic, depth 8, {empties} empties"
        yield compare(what, "searches", repeated(deep, 5), "ours, plain alpha-beta", plain, turns)


def small_game(name: str, peer: str, turns: int) -> Iterator[Comparison]:
    """Compare the search in a game other than Othello, and the gain of running many games in parallel."""
    rules = rules_of(game_spec(name))
    start = rules.start()
    for simulations in (1000, 10_000):
        uct = bench.simulators(rules, simulations)["mcts_uct"]
        ours = repeated(partial(bench.search, uct, rules.kernel_state(start), simulations, 16), 200_000 // simulations)
        theirs = open_spiel_cpp(simulations, peer)
        what = f"{name}, mcts_uct, {simulations:,}"
        yield compare(what, "simulations", ours, "OpenSpiel C++ MCTSBot", theirs, turns)
    lock_step = bench.games_in_lock_step(rules, start, 16 * GAMES)
    one_at_a_time = bench.games_one_at_a_time(rules, start, 4 * GAMES)
    yield compare(f"{name}, lock-step", "games", lock_step, "ours, one at a time", one_at_a_time, turns)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    if not arguments.json:
        print(f"Python {platform.python_version()}, {platform.machine()}, one core, median of {arguments.turns} turns")
        print(f"{'ours':<40}{'peer':<26}{'ours a second':>16}{'peer a second':>16}{'ratio':>9}")
    for row in comparisons(arguments.turns):
        if arguments.json:
            print(json.dumps(asdict(row)), flush=True)
        else:
            speeds = f"{row.ours_per_second:>16,.0f}{row.peer_per_second:>16,.0f}{row.ratio:>9,.1f}"
            print(f"{row.what:<40}{row.peer:<26}{speeds}", flush=True)


if __name__ == "__main__":
    main()
