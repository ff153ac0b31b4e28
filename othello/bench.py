"""Measure the speed of every kernel and every search on this machine.

Each figure is the best of several runs in this process, on one core and after compiling, because the best run varies
least. Compare only figures of one run of the program.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np

from othello.engine import discs_of
from othello.engine.endgame import solve
from othello.engine.engine import Bounds, Engine
from othello.frozen_dataclass import FrozenDataclass
from othello.game import Game
from othello.kernel.decorators import Ints, Words, kernel
from othello.kernel.random import RandomState, random_lanes, random_state
from othello.play.start_positions import balanced_opening
from othello.players.player import choose
from othello.players.player_registry import configure, create_player
from othello.rules import compiled
from othello.rules.protocol import P, Position, Rules
from othello.rules.registry import GAMES, game_spec, rules_of, unusual_options
from othello.search.alphabeta import INFINITE, alphabeta
from othello.search.deepening import deepen, memory_for
from othello.search.learner import Learner
from othello.search.mcts import LANES, Ucb1Tuned, Uct
from othello.search.mcts_search import GraphSearch, TreeSearch
from othello.search.simulator import Simulator
from othello.search.stop import StopFlag
from othello.search.value_tree import OUTCOME, TAKEN_REPLY, LearningParameters

EXPLORATION: Final = 2**0.5
SIZES: Final = (4, 5, 9, 15)  # the sizes of tic-tac-toe that are measured besides the standard one
_DEPTH: Final = 8
_SPEC: Final = game_spec()
_RULES: Final = rules_of(_SPEC)

# From a game of this program against itself, by the number of empty squares.
MIDDLE_GAMES: Final = {
    40: "----X------XOOO---X-O-O--X-XXO-OX--XX-O-----XOX-----O-X----OX--- X",
    30: "--X-X-X---XXOXX-OOX-X-X--XXOOOOOX--XX-O-----XOOO----O-O---XXX--O X",
    20: "--XXX-XO-OXOOXO-OXOOOOX-XXXOOOOOX-XOO-O---X-OOOO--X-OOO---XXX--O X",
}


class Speed(FrozenDataclass):
    """One measured speed."""

    name: str
    per_second: float
    unit: str  # what is counted: "leaves", "games", "simulations", "episodes", "searches", "nodes"
    seconds: float  # of the fastest run
    note: str = ""


def measure(name: str, unit: str, run: Callable[[], int], repetitions: int, note: str = "") -> Speed:
    """Return the fastest of several runs. Each run returns the number of units that it did."""
    run()
    timed = []
    for _ in range(repetitions):
        begun = time.perf_counter()
        done = run()
        timed.append((time.perf_counter() - begun, done))
    seconds, done = min(timed, key=lambda run: run[0] / run[1])
    return Speed(name, done / seconds, unit, seconds, note)


@kernel
def _play_games(state: Any, count: int, random: RandomState) -> int:
    for _ in range(count):
        compiled.playout(state, random)
    return count


@kernel
def _play_games_in_lanes(state: Any, count: int, words: Words, lanes: RandomState, differences: Ints) -> int:
    for lane in range(len(words)):
        compiled.pack(state, words[lane])
    for _ in range(0, count, len(words)):
        compiled.playout_lanes(state, words, len(words), lanes, differences)
    return count


def games_one_at_a_time(rules: Rules[P], position: P, count: int) -> Callable[[], int]:
    """Return a run of `count` random games, one after the other."""
    random = random_state(np.random.SeedSequence(1))
    return partial(_play_games, rules.kernel_state(position), count, random)


def games_in_lock_step(rules: Rules[P], position: P, count: int) -> Callable[[], int]:
    """Return a run of `count` random games, a multiple of LANES, side by side."""
    lanes = random_lanes(np.random.SeedSequence(1), LANES, more_rows=2 + rules.state_words)
    words, differences = np.empty((LANES, rules.state_words), np.uint64), np.empty(LANES, np.int64)
    return partial(_play_games_in_lanes, rules.kernel_state(position), count, words, lanes, differences)


def search(simulator: Simulator, state: NamedTuple, simulations: int, batch: int) -> int:
    """Search from an empty tree, and return the number of simulations."""
    simulator.clear()
    simulator.set_root([], state, np.random.SeedSequence(1))
    return simulator.simulate(simulations, batch, StopFlag())


def simulators(rules: Rules[Position], simulations: int) -> dict[str, Simulator]:
    """Return a search of each kind, with memory for the simulations."""
    return {
        "mcts_uct": TreeSearch(rules, Uct(EXPLORATION), simulations),
        "mcts_ucb1": TreeSearch(rules, Ucb1Tuned(), simulations),
        "mcts_grouping": GraphSearch(rules, Uct(EXPLORATION), simulations),
    }


def middle_games(empties: int, count: int = 12) -> list[Position]:
    """Return positions with `empties` empty squares, from games of `heuristic` with itself after balanced openings."""
    player = create_player(configure("heuristic", depth=4), _SPEC)
    player.new_game(seed=1)
    positions = []
    for seed in range(count):
        game = balanced_opening(Game.new(_RULES), 10, seed)
        while _RULES.moves_left(game.position) > empties or game.must_pass:
            game = game.play(choose(player, game).move)
        positions.append(game.position)
    return positions


def plain_alphabeta(positions: Sequence[Position], depth: int) -> int:
    """Search each position by alpha-beta without a table, move ordering or windows, and return their number."""
    moves = np.empty((depth + 1, _RULES.max_moves), np.uint8)
    for state in map(_RULES.kernel_state, positions):
        alphabeta(state, depth, -INFINITE, INFINITE, moves, np.zeros(1, np.int64), StopFlag().cell)
    return len(positions)


def deepening(positions: Sequence[Position], depth: int) -> Callable[[], int]:
    """Return a run of the search of the `heuristic` player, which returns the number of positions."""
    roots = [(_RULES.kernel_state(position), _RULES.legal_moves(position)) for position in positions]
    memory = memory_for(depth, _RULES)

    def run() -> int:
        for state, moves in roots:
            deque(deepen(state, moves, memory, depth, False, StopFlag()), maxlen=0)
        return len(roots)

    return run


def episodes(rules: Rules[Position], target: int, count: int) -> Callable[[], int]:
    """Return a run of `count` episodes of a new learner; `target` is one of `search.value_tree`."""
    lessons = LearningParameters(target, epsilon=0.1, first_rate=0.05, last_rate=0.5, discount=1.0)
    learner = Learner(rules, lessons, count * rules.max_plies * rules.max_moves, keeps_all=True)
    state = rules.kernel_state(rules.start())

    def run() -> int:
        learner.clear()
        learner.set_root((), state, np.random.SeedSequence(1))
        return learner.learn(count, StopFlag())

    return run


def exact_score(position: Position) -> int:
    """Solve the end of a game, and return the number of nodes."""
    result = solve(position, StopFlag())
    return 0 if result is None else result.nodes


def engine_search(engine: Engine, position: Position, depth: int) -> int:
    """Search a middle-game position by the engine with empty tables, and return the number of nodes."""
    engine.forget()
    deque(engine.deepen(*discs_of(position), Bounds(depth, exact_empties=0)), maxlen=0)
    return engine.nodes


def figures(quick: bool) -> Iterator[Speed]:
    """Yield every figure as soon as it is measured; `quick` takes some seconds instead of half a minute."""
    repetitions = 2 if quick else 5
    start = _RULES.start()
    depth = 9 if quick else 10
    yield measure(f"perft {depth}", "leaves", lambda: _RULES.perft(start, depth), repetitions, "start position")
    games = 1_000 * LANES if quick else 10_000 * LANES
    boards = {f"{n} empties": _RULES.parse_position(text) for n, text in MIDDLE_GAMES.items()}
    for note, position in {"start position": start, **boards}.items():
        yield from _random_games(_RULES, position, games, repetitions, note)
    game = balanced_opening(Game.new(_RULES), 50, 1)
    records = [(start, _RULES.unpack(_RULES.pack(game.moves)))] * (10_000 if quick else 100_000)
    yield measure("replayed records", "games", lambda: len(_RULES.all_replayed(records)), repetitions, "50 plies")
    for simulations, batch in ((300, 8), (10_000, 16), (100_000, 16)):
        for name, simulator in simulators(_RULES, simulations).items():
            run = partial(search, simulator, _RULES.kernel_state(start), simulations, batch)
            yield measure(f"{name}, {simulations:,} a move", "simulations", run, repetitions, "start position")
    yield from _small_games(games, repetitions)
    for empties in MIDDLE_GAMES:
        middle = middle_games(empties)
        note = f"{len(middle)} of {empties} empties"
        run = partial(plain_alphabeta, middle, _DEPTH)
        yield measure(f"alpha-beta, plain, depth {_DEPTH}", "searches", run, 2, note)
        yield measure(f"heuristic's search, depth {_DEPTH}", "searches", deepening(middle, _DEPTH), repetitions, note)
    run = partial(exact_score, _RULES.parse_position(MIDDLE_GAMES[20]))
    yield measure("end game, exact", "nodes", run, repetitions, "20 empties")
    engine = Engine(1 << 20, StopFlag())
    for empties in (40, 30):
        run = partial(engine_search, engine, _RULES.parse_position(MIDDLE_GAMES[empties]), 18)
        yield measure("engine, depth 18", "nodes", run, repetitions, f"{empties} empties")


def _random_games(rules: Rules[Position], position: Position, games: int, runs: int, note: str) -> Iterator[Speed]:
    """Yield the speed of random games from a position."""
    one_at_a_time = games_one_at_a_time(rules, position, games // 4)
    yield measure("random games, one at a time", "games", one_at_a_time, runs, note)
    yield measure("random games, in lock-step", "games", games_in_lock_step(rules, position, games), runs, note)


def _small_games(games: int, repetitions: int) -> Iterator[Speed]:
    """Yield the speeds of games other than the standard one, and of the learners in all games."""
    sizes = (game_spec("tictactoe", {"size": size}) for size in SIZES)
    for spec in (*(game_spec(game) for game in GAMES if game != _SPEC.game), *sizes):
        rules = rules_of(spec)
        note = f"{spec.game} {unusual_options(spec)}".strip()
        yield from _random_games(rules, rules.start(), games, repetitions, note)
        for name, proves in (("mcts_uct, 10,000 a move", False), ("mcts_uct, 10,000, proving", True)):
            simulator = TreeSearch(rules, Uct(EXPLORATION), 10_000, proves=proves)
            run = partial(search, simulator, rules.kernel_state(rules.start()), 10_000, 16)
            yield measure(name, "simulations", run, repetitions, note)
    for spec in map(game_spec, GAMES):
        for name, target in (("q_learning", OUTCOME), ("sarsa", TAKEN_REPLY)):
            learn = episodes(rules_of(spec), target, 5_000)
            yield measure(f"{name}, 5,000 episodes", "episodes", learn, repetitions, spec.game)
