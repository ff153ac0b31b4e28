"""How fast every kernel and every search is on this machine.

Each figure is the best of several runs in this process, on one core, after all has been compiled: the machine at its
best is the figure that repeats. To compare two things, compare figures of one run.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from othello.child_process import spawn_context
from othello.config import PlayerConfig
from othello.engine import discs_of
from othello.engine.endgame import solve
from othello.engine.engine import Bounds, Engine
from othello.frozen import Frozen
from othello.game import Game
from othello.kernel.decorators import Ints, Words, kernel
from othello.kernel.random import RandomState, random_lanes, random_state
from othello.play.openings import balanced_opening
from othello.players.compiling import costs, everything
from othello.players.player import choose
from othello.players.registry import configure, create_player
from othello.rules import compiled
from othello.rules.protocol import GameSpec, P, Position, Rules
from othello.rules.registry import GAMES, game_spec, rules_of, unusual_options
from othello.search.alphabeta import INFINITE, alphabeta
from othello.search.deepening import deepen, memory_for
from othello.search.learner import Learner
from othello.search.learning import OUTCOME, TAKEN_REPLY, Lessons
from othello.search.mcts import LANES, Ucb1Tuned, Uct
from othello.search.mcts_search import GraphSearch, TreeSearch
from othello.search.simulator import Simulator
from othello.search.stop import StopFlag

if TYPE_CHECKING:
    from othello.kernel.costs import Cost

EXPLORATION: Final = 2**0.5
SIZES: Final = (4, 5, 9, 15)
"""Boards of tic-tac-toe that are measured beside the usual one."""
_DEPTH: Final = 8
_SPEC: Final = game_spec()
_RULES: Final = rules_of(_SPEC)

# From a game of this program against itself, by empty squares.
MIDDLE_GAMES: Final = {
    40: "----X------XOOO---X-O-O--X-XXO-OX--XX-O-----XOX-----O-X----OX--- X",
    30: "--X-X-X---XXOXX-OOX-X-X--XXOOOOOX--XX-O-----XOOO----O-O---XXX--O X",
    20: "--XXX-XO-OXOOXO-OXOOOOX-XXXOOOOOX-XOO-O---X-OOOO--X-OOO---XXX--O X",
}


class Speed(Frozen):
    """One measured speed."""

    name: str
    per_second: float
    unit: str  # what is counted: "leaves", "games", "simulations", "episodes", "searches", "nodes"
    seconds: float  # of the fastest run
    note: str = ""


def compile_costs(quick: bool = False) -> Iterator[tuple[PlayerConfig, GameSpec, Cost]]:
    """What compiling takes with an empty cache, and for whom: for all players, or the two usual ones of Othello."""
    quick_tasks = [(configure(kind), _SPEC) for kind in ("mcts_uct", "engine")]
    with tempfile.TemporaryDirectory() as folder:
        for tasks in [quick_tasks] if quick else everything():
            with ProcessPoolExecutor(1, spawn_context()) as process:
                yield from process.submit(costs, tasks, folder).result()


def measure(name: str, unit: str, run: Callable[[], int], repetitions: int, note: str = "") -> Speed:
    """The fastest of several runs. Each run returns how much it did."""
    run()
    timed = []
    for _ in range(repetitions):
        begun = time.perf_counter()
        done = run()
        timed.append((time.perf_counter() - begun, done))
    seconds, done = min(timed, key=lambda run: run[0] / run[1])
    return Speed(name, done / seconds, unit, seconds, note)


@kernel
def _games_one_at_a_time(state: Any, count: int, random: RandomState) -> int:
    total = 0
    for _ in range(count):
        total += compiled.playout(state, random)
    return total


@kernel
def _games_in_lock_step(state: Any, count: int, words: Words, lanes: RandomState, differences: Ints) -> None:
    for lane in range(len(words)):
        compiled.pack(state, words[lane])
    for _ in range(0, count, len(words)):
        compiled.playout_lanes(state, words, len(words), lanes, differences)


def games_one_at_a_time(rules: Rules[P], position: P, count: int) -> Callable[[], int]:
    """A run of `count` random games, one after the other."""
    state = rules.kernel_state(position)
    random = random_state(np.random.SeedSequence(1))

    def run() -> int:
        _games_one_at_a_time(state, count, random)
        return count

    return run


def games_in_lock_step(rules: Rules[P], position: P, count: int) -> Callable[[], int]:
    """A run of `count` random games, a multiple of LANES, side by side."""
    state = rules.kernel_state(position)
    lanes = random_lanes(np.random.SeedSequence(1), LANES, more_rows=2 + rules.state_words)
    words, differences = np.empty((LANES, rules.state_words), np.uint64), np.empty(LANES, np.int64)

    def run() -> int:
        _games_in_lock_step(state, count, words, lanes, differences)
        return count

    return run


def search(simulator: Simulator, state: NamedTuple, simulations: int, batch: int) -> Callable[[], int]:
    """A run of a whole search from nothing."""

    def run() -> int:
        simulator.clear()
        simulator.go_to([], state, np.random.SeedSequence(1))
        return simulator.simulate(simulations, batch, StopFlag())

    return run


def simulators(rules: Rules[Position], simulations: int) -> dict[str, Simulator]:
    """A search of each kind, with room for the simulations."""
    return {
        "mcts_uct": TreeSearch(rules, Uct(EXPLORATION), simulations),
        "mcts_ucb1": TreeSearch(rules, Ucb1Tuned(), simulations),
        "mcts_grouping": GraphSearch(rules, Uct(EXPLORATION), simulations),
    }


def middle_games(empties: int, count: int = 12) -> list[Position]:
    """Positions with this many empty squares, each from a balanced opening and a game of `heuristic` against itself."""
    player = create_player(configure("heuristic", depth=4), _SPEC)
    player.new_game(seed=1)
    positions = []
    for seed in range(count):
        game = balanced_opening(Game.new(_RULES), 10, seed)
        while _RULES.moves_left(game.position) > empties or game.must_pass:
            game = game.play(choose(player, game).move)
        positions.append(game.position)
    return positions


def plain_alphabeta(positions: Sequence[Position], depth: int) -> Callable[[], int]:
    """A run of alpha-beta without table, order of moves or windows."""
    states = [_RULES.kernel_state(position) for position in positions]
    moves = np.empty((depth + 1, _RULES.max_moves), np.uint8)

    def run() -> int:
        for state in states:
            alphabeta(state, depth, -INFINITE, INFINITE, moves, np.zeros(1, np.int64), StopFlag().cell)
        return len(states)

    return run


def deepening(positions: Sequence[Position], depth: int) -> Callable[[], int]:
    """A run of the search of the `heuristic` player."""
    roots = [(_RULES.kernel_state(position), _RULES.legal_moves(position)) for position in positions]
    memory = memory_for(depth, _RULES)

    def run() -> int:
        for state, moves in roots:
            for _ in deepen(state, moves, memory, depth, False, StopFlag()):
                pass  # one depth after the other
        return len(roots)

    return run


def episodes(rules: Rules[Position], target: int, count: int) -> Callable[[], int]:
    """A run of some episodes of a new learner; `target` is one of `search.learning`."""
    lessons = Lessons(target, epsilon=0.1, first_rate=0.05, last_rate=0.5, discount=1.0)
    learner = Learner(rules, lessons, count * rules.max_plies * rules.max_moves, keeps_all=True)
    state = rules.kernel_state(rules.start())

    def run() -> int:
        learner.clear()
        learner.go_to((), state, np.random.SeedSequence(1))
        return learner.learn(count, StopFlag())

    return run


def exact_score(position: Position) -> Callable[[], int]:
    """A run of the end-game solver."""

    def run() -> int:
        result = solve(position, StopFlag())
        return 0 if result is None else result.nodes

    return run


def engine_search(position: Position, depth: int) -> Callable[[], int]:
    """A run of the engine in the middle of a game."""
    engine = Engine(1 << 20, StopFlag())

    def run() -> int:
        engine.forget()
        for _ in engine.deepen(*discs_of(position), Bounds(depth, exact_empties=0)):
            pass  # one depth after the other
        return engine.nodes

    return run


def figures(quick: bool = False) -> Iterator[Speed]:
    """Every figure, one by one as it is measured; `quick` takes some seconds instead of half a minute."""
    repetitions = 2 if quick else 5
    start = _RULES.start()
    depth = 9 if quick else 10
    yield measure(f"perft {depth}", "leaves", lambda: _RULES.perft(start, depth), repetitions, "start position")
    games = 1_000 * LANES if quick else 10_000 * LANES
    boards = {f"{n} empties": _RULES.parse_position(text) for n, text in MIDDLE_GAMES.items()}
    for note, position in {"start position": start, **boards}.items():
        run = games_one_at_a_time(_RULES, position, games // 4)
        yield measure("random games, one at a time", "games", run, repetitions, note)
        run = games_in_lock_step(_RULES, position, games)
        yield measure("random games, in lock-step", "games", run, repetitions, note)
    game = balanced_opening(Game.new(_RULES), 50, 1)
    records = [(start, bytes(game.moves))] * (10_000 if quick else 100_000)
    yield measure("replayed records", "games", lambda: len(_RULES.all_replayed(records)), repetitions, "50 plies")
    for simulations, batch in ((300, 8), (10_000, 16), (100_000, 16)):
        for name, simulator in simulators(_RULES, simulations).items():
            run = search(simulator, _RULES.kernel_state(start), simulations, batch)
            yield measure(f"{name}, {simulations:,} a move", "simulations", run, repetitions, "start position")
    sizes = (game_spec("tictactoe", {"size": size}) for size in SIZES)
    for spec in (*(game_spec(game) for game in GAMES if game != _SPEC.game), *sizes):
        rules = rules_of(spec)
        note = f"{spec.game} {unusual_options(spec)}".strip()
        run = games_one_at_a_time(rules, rules.start(), games // 4)
        yield measure("random games, one at a time", "games", run, repetitions, note)
        run = games_in_lock_step(rules, rules.start(), games)
        yield measure("random games, in lock-step", "games", run, repetitions, note)
        for name, proves in (("mcts_uct, 10,000 a move", False), ("mcts_uct, 10,000, proving", True)):
            simulator = TreeSearch(rules, Uct(EXPLORATION), 10_000, proves=proves)
            run = search(simulator, rules.kernel_state(rules.start()), 10_000, 16)
            yield measure(name, "simulations", run, repetitions, note)
    for spec in map(game_spec, GAMES):
        for name, target in (("q_learning", OUTCOME), ("sarsa", TAKEN_REPLY)):
            run = episodes(rules_of(spec), target, 5_000)
            yield measure(f"{name}, 5,000 episodes", "episodes", run, repetitions, spec.game)
    for empties in MIDDLE_GAMES:
        middle = middle_games(empties)
        note = f"{len(middle)} of {empties} empties"
        yield measure(f"alpha-beta, plain, depth {_DEPTH}", "searches", plain_alphabeta(middle, _DEPTH), 2, note)
        yield measure(f"heuristic's search, depth {_DEPTH}", "searches", deepening(middle, _DEPTH), repetitions, note)
    run = exact_score(_RULES.parse_position(MIDDLE_GAMES[20]))
    yield measure("end game, exact", "nodes", run, repetitions, "20 empties")
    for empties in (40, 30):
        run = engine_search(_RULES.parse_position(MIDDLE_GAMES[empties]), 18)
        yield measure("engine, depth 18", "nodes", run, repetitions, f"{empties} empties")
