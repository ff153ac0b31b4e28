"""Call every kernel that Python can call: all players in all games, with all options and rules that have kernels."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, Final

import numpy as np

from othello.bench import EXPLORATION, games_in_lock_step, games_one_at_a_time, plain_alphabeta
from othello.config import PlayerConfig
from othello.engine import solves
from othello.engine.endgame import solve
from othello.errors import OthelloError
from othello.game import Game
from othello.players.mcts_player import LEAVES
from othello.players.player import choose
from othello.players.player_registry import COMPUTERS, PLAYERS, configure, create_player, unsupported_reason
from othello.players.step_recorder import record_steps
from othello.rules.protocol import GameSpec, Move
from othello.rules.registry import game_spec, rules_of
from othello.schema import options_of
from othello.search.mcts import LANES, Uct
from othello.search.mcts_search import GraphSearch, MctsSearch, TreeSearch
from othello.search.steps import Step
from othello.search.stop import StopFlag

_SMALL: Final = {"simulation_count": 40, "learning_episodes": 3, "depth": 2, "mcts_tree_file_updates": "both"}
_LATE: Final = 10  # plies before the end of the game


def play_all(players: Sequence[str], spec: GameSpec) -> None:
    """Call all kernels of these players; without players, also those of measurements."""
    for config in (config for name in players or COMPUTERS for config in _configs(name)):
        if unsupported_reason(config, spec) is None:
            _play(config, spec)
    for name in players or COMPUTERS:
        _step(configure(name, **_small(name)), spec)
    if not players:
        _measure(spec)


def _small(player_type: str) -> dict[str, Any]:
    """Return options for a small search."""
    known = options_of(PLAYERS[player_type].config_type)
    return {key: value for key, value in _SMALL.items() if key in known}


def _configs(player_type: str) -> Iterator[PlayerConfig]:
    """Yield the player's configurations that use different kernels."""
    known, told = options_of(PLAYERS[player_type].config_type), _small(player_type)
    if "mcts_leaf" in known:
        for leaf, plies, proves in product(LEAVES, (0, 9), (False, True)):
            if leaf == "playout" or not plies:
                choice = {"mcts_leaf": leaf, "mcts_playout_plies": plies, "mcts_solver": proves}
                yield configure(player_type, **told, **choice)
    else:
        yield configure(player_type, **told)
        if "level" in known:
            for level in (1, 10):
                yield configure(player_type, level=level)


def _play(config: PlayerConfig, spec: GameSpec) -> None:
    """Search for moves in a game, twice if the player keeps what it learned in a file."""
    game = _whole_game(spec)
    with tempfile.TemporaryDirectory() as folder:
        files: dict[str, Any] = {
            name: str(Path(folder, "known.npz")) for name in options_of(type(config)) if name.endswith("_file")
        }
        for _ in range(2):
            with create_player(replace(config, **files), spec) as player:
                player.new_game(seed=1)
                player.prepare()
                for plies in (0, 2, max(3, len(game.moves) - _LATE)):
                    choose(player, game.at(plies))
                player.game_over(game)
            if not files:
                break


def _whole_game(spec: GameSpec) -> Game[Any]:
    game, chance = Game.new(rules_of(spec)), np.random.default_rng(1)
    while moves := game.legal_moves():
        game = game.play(Move(int(chance.choice(moves))))
    return game


def _step(config: PlayerConfig, spec: GameSpec) -> None:
    """Record the steps of a small search with usual options; other searches in steps need the compiler."""
    with suppress(OthelloError):
        record_steps(config, _whole_game(spec).at(2), 1, list[Step]().append)


def _measure(spec: GameSpec) -> None:
    """Call the kernels of measurements, counts and solvers, and fill small stores."""
    rules = rules_of(spec)
    start = rules.start()
    rules.perft(start, 3)
    rules.all_replayed([(start, ())] * 1000)
    games_one_at_a_time(rules, start, 1)()
    games_in_lock_step(rules, start, LANES)()
    for kind in TreeSearch, GraphSearch:
        search: MctsSearch = kind(rules, Uct(EXPLORATION), 20)
        search.set_root([], rules.kernel_state(start), np.random.SeedSequence(1))
        search.simulate(1000, 16, StopFlag())
        search.snapshot()
    if solves(rules):
        solve(_whole_game(spec).at(50).position, StopFlag(), judge_all=True, rules=rules)
    if spec == game_spec():
        plain_alphabeta([start], 2)
