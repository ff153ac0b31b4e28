"""Run the program with a library of kernels, without numba: `python -m tests.kernel.without_compiler`."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from othello.bench import figures
from othello.config import PlayerConfig
from othello.game import Game
from othello.kernel.precompiled import library
from othello.players.player import choose
from othello.players.player_registry import COMPUTERS, PLAYERS, configure, create_player, unsupported_reason
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.schema import Option, options_of
from tests.golden import searches
from tests.rule_sets import every_spec

BOUNDS = {"simulation_count": 40, "learning_episodes": 3, "depth": 3}


def configs(player_type: str) -> Iterator[PlayerConfig]:
    """Return a player with default options, and with each other value of each option."""
    known = options_of(PLAYERS[player_type].config_type)
    usual = configure(player_type, **{name: value for name, value in BOUNDS.items() if name in known})
    yield usual
    for name, option in known.items():
        if name not in BOUNDS and not name.endswith("_file"):
            for value in values(option):
                yield replace(usual, **{name: value})


def values(option: Option) -> list[Any]:
    if option.choices:
        return list(option.choices)
    if option.kind is bool:
        return [True, False]
    return [value for value in (option.minimum, option.maximum) if value is not None and value <= 64]


def search_all() -> int:
    """Let each player search once with each option and rule of each game, and return the number of searches."""
    usual = {game_spec(game) for game in GAMES}
    count = 0
    for spec in every_spec():
        game = Game.new(rules_of(spec))
        for player_type in COMPUTERS:
            for config in configs(player_type):
                if unsupported_reason(config, spec) is None:
                    with create_player(config, spec) as player:
                        player.new_game(seed=1)
                        choose(player, game)
                    count += 1
                if spec not in usual:
                    break
    return count


if __name__ == "__main__":
    kernels = library()
    assert kernels is not None
    assert searches.reports() == {case: searches.search(case) for case in searches.CASES}
    if sys.argv[1:] == ["all"]:
        print(search_all(), "searches,", sum(1 for _ in figures(quick=True)), "figures")
    assert not {"numba", "llvmlite"} & {name.partition(".")[0] for name in sys.modules}
    print(kernels.tier)
