"""Measure how players improve by learning: Q-learning and Sarsa by episodes, and a stored search tree by games.

Every point is a match with swapped colours: the score with its 95 % interval. There are two curves:

- `q_learning` (outcome and bootstrap) and `sarsa`, with constant and with rising learning rates, against `random` and
`mcts_uct`, by episodes per move;
- `mcts_uct` with a tree in a file against `mcts_uct` without one, by games played before.

    python -m pip install -e ".[report]" && python benchmarks/learning.py [--game NAME] [--games 100] [--out DIR]
"""

import argparse
import json
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from othello.config import PlayerConfig
from othello.game import Game
from othello.players.player import choose
from othello.players.player_registry import configure, create_player
from othello.rules.protocol import Color
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.tournament.statistics import PairScores

EPISODES = (100, 300, 1000, 3000, 10_000)
GROWTH = (0, 1, 3, 10, 30)
LEARNERS = {
    "q_learning, outcome": ("q_learning", {"learning_target": "outcome"}),
    "q_learning, bootstrap": ("q_learning", {"learning_target": "bootstrap"}),
    "sarsa": ("sarsa", {}),
}
RATES = {"exponential": {}, "fixed": {"learning_rate_start": 0.2, "learning_rate_end": 0.2}}


@dataclass(frozen=True, slots=True)
class Point:
    """A match: both players, the value on the x axis, and the score with its interval."""

    curve: str
    opponent: str
    by: int
    share: float
    low: float
    high: float


def points_of(player: PlayerConfig, opponent: PlayerConfig, game: str, games: int) -> Iterator[float]:
    """Return the points of the first player, who starts every second game."""
    spec = game_spec(game)
    rules = rules_of(spec)
    sides = create_player(player, spec), create_player(opponent, spec)
    for number in range(games):
        color = Color(number % 2)
        for index, side in enumerate(sides):
            side.new_game(2 * number + index)
        played = Game.new(rules)
        while not played.is_over:
            played = played.play(choose(sides[played.to_move is not color], played).move)
        outcome = played.outcome
        assert outcome is not None
        yield 0.5 if outcome.winner is None else float(outcome.winner is color)
        sides[0].game_over(played)
    for side in sides:
        side.release()


def match(curve: str, by: int, player: PlayerConfig, opponent: PlayerConfig, game: str, games: int) -> Point:
    """Play a match."""
    units = PairScores()
    for points in points_of(player, opponent, game, games):
        units.add(1, points)
    interval = units.interval
    return Point(curve, opponent.name, by, interval.estimate, interval.low, interval.high)


def learning(game: str, games: int) -> Iterator[Point]:
    """Yield the matches of learners against players that do not learn."""
    opponents = [configure("random"), configure("mcts_uct", name="mcts_uct 100", simulation_count=100)]
    for name, (kind, options) in LEARNERS.items():
        for rates, values in RATES.items():
            for episodes in EPISODES:
                player = configure(kind, learning_episodes=episodes, **options, **values)
                for opponent in opponents:
                    yield match(f"{name}, {rates} rate", episodes, player, opponent, game, games)


def growing(game: str, games: int) -> Iterator[Point]:
    """Yield the matches of a player whose tree grows from game to game."""
    plain = configure("mcts_uct", name="mcts_uct 100", simulation_count=100)
    with tempfile.TemporaryDirectory() as folder:
        for before in GROWTH:
            file = Path(folder) / f"{before}.npz"
            store_writer = configure("mcts_uct", name="keeps", simulation_count=100, mcts_tree_file=str(file))
            for _ in points_of(store_writer, plain, game, before):
                pass
            yield match("mcts_uct with its tree", before, store_writer, plain, game, games)


def plot(points: list[Point], file: Path) -> None:
    """Plot all curves, with an axis for each opponent."""
    from matplotlib.figure import Figure

    kinds = list(dict.fromkeys((point.opponent, "tree" in point.curve) for point in points))
    figure = Figure(figsize=(6 * len(kinds), 5), layout="constrained")
    for axes, kind in zip(figure.subplots(1, len(kinds), squeeze=False)[0], kinds, strict=True):
        chosen = [point for point in points if (point.opponent, "tree" in point.curve) == kind]
        for curve in dict.fromkeys(point.curve for point in chosen):
            line = [point for point in chosen if point.curve == curve]
            spread = [
                [point.share - point.low for point in line],
                [point.high - point.share for point in line],
            ]
            shares = [point.share for point in line]
            axes.errorbar([point.by for point in line], shares, spread, marker="o", capsize=2, label=curve)
        axes.set(xlabel="games before" if kind[1] else "episodes a move", ylim=(0, 1), title=f"against {kind[0]}")
        axes.set_xscale("symlog" if kind[1] else "log")
        axes.legend(fontsize="small")
    figure.savefig(file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=GAMES, default="tictactoe")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    points = []
    for curve in (learning, growing):
        for point in curve(arguments.game, arguments.games):
            points.append(point)
            share = f"{point.share:6.1%}  ({point.low:.1%} to {point.high:.1%})"
            print(f"{point.curve:<40}{point.by:>8}  against {point.opponent:<14}{share}", flush=True)
    if arguments.out is not None:
        arguments.out.mkdir(parents=True, exist_ok=True)
        (arguments.out / "learning.json").write_text(json.dumps([asdict(point) for point in points]), encoding="utf-8")
        plot(points, arguments.out / "learning.svg")


if __name__ == "__main__":
    main()
