"""Levels that correspond to searches."""

from typing import Any

import pytest

from othello.engine.engine_levels import levels
from othello.players.levels import level_of, opponent
from othello.players.mcts_levels import all_mcts_levels
from othello.players.player_registry import COMPUTERS, configure
from othello.rules.registry import game_spec
from tests.positions import SPEC
from training.places import SEARCHES, rating


@pytest.mark.parametrize(
    ("player_type", "options", "expected"),
    [
        ("random", {}, 0),
        ("mcts_uct", {"simulation_count": 300}, 2),
        ("mcts_uct", {"simulation_count": 10_000}, 3),
        ("mcts_uct", {"simulation_count": 10_000_000}, 3),
        ("mcts_uct", {"simulation_count": 300, "mcts_exploration": 0.1}, None),
        ("mcts_uct", {"simulation_count": 300, "time_limit_seconds": 0.01}, None),
        ("mcts_uct", {"time_limit_seconds": 5.0}, None),
        ("heuristic", {"depth": 1}, 1),
        ("engine", {}, None),
        ("engine", {"level": 7}, 7),
    ],
)
def test_a_search_has_the_place_that_was_measured(
    player_type: str, options: dict[str, Any], expected: int | None
) -> None:
    assert level_of(configure(player_type, **options), SPEC) == expected


@pytest.mark.parametrize("player_type", SEARCHES)
def test_more_effort_is_no_worse(player_type: str) -> None:
    values = [value for value in SEARCHES[player_type] if value is not None]
    if values:
        key = next(iter(configure(player_type).strength))
        places = [level_of(configure(player_type, **{key: value}), SPEC) for value in values]
        assert None not in places
        assert places == sorted(places, key=lambda each: each or 0)


def test_where_the_levels_are_searches_a_search_has_the_place_of_the_nearest_level() -> None:
    spec = game_spec("ultimate_tictactoe")
    for number, level in enumerate(all_mcts_levels(spec), 1):
        assert level_of(configure("mcts_uct", simulation_count=level.simulations), spec) == number
    assert level_of(configure("mcts_ucb1"), spec) is None, "not measured there"
    assert level_of(opponent(4, "four"), spec) == 4


def test_every_computer_player_can_be_asked() -> None:
    for player_type in COMPUTERS:
        assert level_of(configure(player_type), SPEC) in (None, *range(11))


def test_a_rating_is_the_one_that_explains_the_points_best() -> None:
    elo = [level.elo for level in levels()]
    even = [1000 / (1 + 10 ** ((opponent - 1500) / 400)) for opponent in elo]
    assert rating(even, 1000) == pytest.approx(1500, abs=3)
    assert rating([0.0], 60) < elo[0] - 400
