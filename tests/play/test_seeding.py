import numpy as np

from othello.play.seeding import SEED_LIMIT, draw_seed, game_seeds, player_seed
from othello.rules.protocol import Color


def test_seeds_are_the_same_on_every_machine_and_for_any_number_of_games() -> None:
    assert game_seeds(42, 2) == [6971176343755556, 3953065555456575]
    assert player_seed(1, Color.BLACK) == 3630251794869490
    assert game_seeds(7, 50)[:3] == game_seeds(7, 3)
    assert game_seeds(7, 2000) == np.random.default_rng(7).integers(SEED_LIMIT, size=2000).tolist()


def test_seeds_differ_by_experiment_game_and_color_and_fit_into_json() -> None:
    seeds = game_seeds(1, 100) + game_seeds(2, 100)
    players = [player_seed(seed, color) for seed in seeds for color in Color]
    assert len(set(seeds)) == 200
    assert len(set(players)) == 400
    drawn = [draw_seed() for _ in range(100)]
    assert all(0 <= seed < SEED_LIMIT <= 2**53 for seed in seeds + players + drawn)
