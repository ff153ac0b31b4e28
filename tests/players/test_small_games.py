"""Strength of players on 3 x 3, where perfect play is known."""

import numpy as np
import pytest

from othello.config import PlayerConfig
from othello.game import AnyGame, Game
from othello.players.player import choose
from othello.players.player_registry import COMPUTERS, configure, create_player, unsupported_reason
from othello.rules.protocol import Color, Move
from tests.player_factory import MCTS_TYPES, fitting, ready
from tests.small_tictactoe import RULES, SPEC, exact_value, reachable

OPPONENTS = [name for name in COMPUTERS if not unsupported_reason(configure(name), SPEC)]


def test_alpha_beta_finds_the_exact_value_of_every_position() -> None:
    positions = reachable(RULES.start(), {})
    assert len(positions) == 5478, "as is known"
    player = ready(configure("heuristic", depth=9), 1, SPEC)
    for position in positions:
        if RULES.legal_moves(position):
            report = choose(player, Game.new(RULES, position))
            assert report.value is not None
            assert np.sign(report.value) == exact_value(position)
            assert -exact_value(RULES.play(position, report.move)) == exact_value(position)


def scores(first: PlayerConfig, second: PlayerConfig, games: int) -> list[float]:
    """Return the scores of the first player in games with alternating colours."""
    points = []
    with create_player(first, SPEC) as one, create_player(second, SPEC) as other:
        for number in range(games):
            one.new_game(2 * number)
            other.new_game(2 * number + 1)
            own = Color(number % 2)
            game: AnyGame = Game.new(RULES)
            while not game.is_over:
                game = game.play(choose(one if game.to_move is own else other, game).move)
            assert game.outcome is not None
            points.append(0.5 if game.outcome.winner is None else float(game.outcome.winner is own))
    return points


@pytest.mark.rare
@pytest.mark.parametrize("opponent", OPPONENTS)
def test_tree_search_never_loses(opponent: str) -> None:
    config = configure("mcts_uct", simulation_count=2000)
    other = fitting(opponent, simulation_count=2000, depth=9, learning_episodes=1000)
    assert min(scores(config, other, games=1000)) > 0


@pytest.mark.rare
@pytest.mark.parametrize(
    "part", [slice(0, None, 20), pytest.param(slice(None), marks=pytest.mark.slow)], ids=["some", "all"]
)
@pytest.mark.parametrize("searcher", MCTS_TYPES)
def test_tree_search_plays_perfectly(searcher: str, part: slice) -> None:
    positions = [position for position in reachable(RULES.start(), {}) if RULES.legal_moves(position)]
    player = create_player(configure(searcher, simulation_count=2000), SPEC)
    for seed, position in enumerate(positions[part]):
        player.new_game(seed)
        report = choose(player, Game.new(RULES, position))
        assert -exact_value(RULES.play(position, report.move)) == exact_value(position)


@pytest.mark.parametrize("searcher", MCTS_TYPES)
@pytest.mark.parametrize(("moves", "value"), [((0, 1), 1.0), ((0, 4), 0.5), ((0, 1, 4), 0.0)])
def test_a_search_ends_when_the_result_is_proven(searcher: str, moves: tuple[int, ...], value: float) -> None:
    game = Game.new(RULES)
    for move in moves:
        game = game.play(Move(move))
    report = choose(ready(fitting(searcher, simulation_count=10**9, time_limit_seconds=3600.0), 1, SPEC), game)
    assert report.is_certain
    assert report.value == value


@pytest.mark.rare
@pytest.mark.parametrize("learner", ["q_learning", "sarsa"])
def test_learners_hardly_ever_lose_to_random_play_and_draw_against_themselves(learner: str) -> None:
    config = configure(learner, learning_episodes=20_000)
    assert scores(config, configure("random"), games=200).count(0.0) <= 2
    assert scores(config, config, games=100).count(0.5) >= 95
