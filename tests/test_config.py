"""Config files, good and bad, through the program's own entry."""

import json
import os
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import jsonschema_rs
import psutil
import pytest

from othello import config_file
from othello.config import Config, SprtConfig, TournamentConfig
from othello.errors import ConfigError
from othello.game import Game
from othello.machine import cores, memory_megabytes
from othello.players.player import choose
from othello.players.player_registry import OPTIONS, PLAYERS, SHARED_OPTIONS, configure, create_player
from othello.resources import default_config, schema_path
from othello.rules import registry
from othello.rules.connect_four import ConnectFour
from othello.rules.protocol import Color
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.schema import Option, options_of
from othello.search import tree_file
from tests.command_line import RANDOM, write_config
from tests.programs.registered import registered, registered_class
from tests.test_config_faults import DUEL
from tools import config_schema

Load = Callable[..., Config]
UCT, HEURISTIC = {"player_type": "mcts_uct"}, {"player_type": "heuristic"}
HUGE = {"search_threads": 64, "mcts_memory_mb": 1 << 20, "simulation_count": 10**9}


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Load a file with these keys, of a match between random players unless the keys say otherwise."""
    return lambda **keys: config_file.load(write_config(tmp_path, **keys))


def test_the_schema_in_the_repository_is_up_to_date() -> None:
    """Run `python -m tools.config_schema` after changes."""
    assert schema_path().read_text(encoding="utf-8") == config_schema.text()


def test_the_schema_has_the_defaults_of_loaded_configs(tmp_path: Path) -> None:
    schema, file = config_file.config_schema(), tmp_path / "config.json"
    top = {key: part["default"] for key, part in schema["properties"].items() if "default" in part}
    file.write_text(json.dumps({"players": [RANDOM, RANDOM]}))
    loaded = config_file.load(file)
    assert loaded == Config(players=loaded.players)
    assert top.pop("rules") == top.pop("tournament") == {}
    assert top.pop("game") == loaded.game.game
    settings = options_of(Config).keys() - {"tournament"}
    assert {key: top.pop(key) for key in settings} == {key: vars(loaded)[key] for key in settings}
    assert top == {key: option.default for key, option in SHARED_OPTIONS.items()}
    assert {name: part["default"] for name, part in schema["properties"]["tournament"]["properties"].items()} == {
        name: value for name, value in vars(TournamentConfig()).items() if name != "opening_book"
    }
    assert vars(SprtConfig(0, 1)) == {"elo0": 0, "elo1": 1, "elo_model": "logistic", "alpha": 0.05, "beta": 0.05}


@pytest.mark.parametrize("player_type", PLAYERS)
def test_a_key_means_the_same_to_all_players(player_type: str) -> None:
    for key, option in options_of(PLAYERS[player_type].config_type).items():
        common = OPTIONS[key]
        assert (option.kind, option.choices, option.words) == (common.kind, common.choices, common.words), key
        assert (option.minimum, option.maximum) == (common.minimum, common.maximum), key


@pytest.mark.parametrize("player_type", PLAYERS)
def test_a_player_config_can_be_pickled(player_type: str) -> None:
    config = configure(player_type, name="A", time_limit_seconds=1.5)
    copy = pickle.loads(pickle.dumps(config))
    assert (copy, hash(copy)) == (config, hash(config))
    assert copy != configure(player_type)


def test_two_games_may_have_different_options_of_one_name(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    size = Option("size", "Squares a side.", kind=int, default=9, minimum=9, maximum=15)
    large = type("Large", (ConnectFour,), {"name": "large", "options": (size,)})
    monkeypatch.setattr(registry, "GAMES", {**GAMES, "large": large})
    monkeypatch.setattr(config_file, "GAMES", registry.GAMES)
    config_file.config_schema.cache_clear()
    try:
        assert load(game="tictactoe", rules={"size": 3}).game["size"] == 3
        assert load(game="large", rules={"size": 12}).game["size"] == 12
        with pytest.raises(ConfigError, match=r"rules\.size: is 3; allowed: a whole number from 9 to 15"):
            load(game="large", rules={"size": 3})
    finally:
        config_file.config_schema.cache_clear()


def test_schema_describes_every_key() -> None:
    parts: list[tuple[str, Any]] = [("", config_file.config_schema())]
    while parts:
        key, part = parts.pop()
        parts += part.get("properties", {}).items()
        parts += [("rules", case["then"]["properties"]["rules"]) for case in part.get("allOf", ())]
        parts += [(key, below) for below in (part.get("items"), part.get("additionalProperties")) if below]
        if "properties" not in part:
            assert part["description"].endswith("."), key
            assert "type" in part or "enum" in part, key
        if {"integer", "number"} & {*part.get("type", "")} or part.get("type") in ("integer", "number"):
            assert "maximum" in part, key
            assert "minimum" in part or "exclusiveMinimum" in part, key


def test_the_shipped_config_is_valid() -> None:
    assert [player.player_type for player in config_file.load(default_config()).players] == ["user", "engine"]


def test_players_override_the_file(load: Load) -> None:
    loaded = load(
        game_type="tournament",
        mcts_simulation_count=1000,
        mcts_exploration=1,
        heuristic_simulation_depth=4.0,
        clock_seconds=60,
        players=[
            {**UCT, "name": "A"},
            {**UCT, "name": "B", "simulation_count": 50, "mcts_exploration": 0.5},
            {**HEURISTIC, "name": "C", "clock_seconds": None},
            {**HEURISTIC, "name": "D", "depth": 2},
        ],
    )
    expected = (
        configure("mcts_uct", name="A", simulation_count=1000, mcts_exploration=1.0, clock_seconds=60.0),
        configure("mcts_uct", name="B", simulation_count=50, mcts_exploration=0.5, clock_seconds=60.0),
        configure("heuristic", name="C", depth=4),
        configure("heuristic", name="D", depth=2, clock_seconds=60.0),
    )
    assert loaded.players == expected
    assert repr(loaded.players) == repr(expected), "1 is not 1.0"


def test_keys_that_a_player_ignores_give_notices(load: Load, tmp_path: Path) -> None:
    common = {"name": "A", "time_limit_seconds": 1, "clock_seconds": 60, "increment_seconds": 1}
    ignored = {"depth": 4, "simulation_count": 9, "mcts_tree_file": None, "endgame_empties": 10}
    players = [{**HEURISTIC, **ignored}, {**RANDOM, **common, "mcts_tree_file": None}]
    assert load(heuristic_simulation_depth=5, players=players).notices == (
        f"{tmp_path / 'config.json'}: players[0].simulation_count: ignored for heuristic; "
        "only used by mcts_grouping, mcts_ucb1, mcts_uct",
    )


@pytest.mark.parametrize("player_type", PLAYERS)
def test_every_key_is_used_or_gives_a_notice(player_type: str, load: Load) -> None:
    keys = {key: option.default for key, option in OPTIONS.items() if option.default not in ("", None)}
    keys |= {"program": registered("json")} if player_type == "external" else {}
    keys |= {"program": registered_class("Greedy")} if player_type == "python" else {}
    game = next(game for game in GAMES if not PLAYERS[player_type].plays(rules_of(game_spec(game))))
    loaded = load(game=game, players=[RANDOM, {"player_type": player_type, **keys}])
    ignored = {notice.split(": ")[1].removeprefix("players[1].") for notice in loaded.notices}
    assert ignored == keys.keys() - options_of(PLAYERS[player_type].config_type).keys()


def test_a_time_limit_replaces_the_default_bounds_but_not_given_ones(load: Load) -> None:
    for player, key, top_key in (
        (UCT, "simulation_count", "mcts_simulation_count"),
        (HEURISTIC, "depth", "heuristic_simulation_depth"),
    ):
        timed = {**player, "time_limit_seconds": 1}
        loaded = load(players=[timed, {**timed, key: 7}])
        assert [vars(player)[key] for player in loaded.players] == [OPTIONS[key].maximum, 7]
        assert vars(load(players=[timed, RANDOM], **{top_key: 9}).players[0])[key] == 9


@pytest.mark.parametrize(
    ("colors", "names"),
    [(("black", "white"), "AB"), (("white", "black"), "BA"), (("white", None), "AB"), ((None, "black"), "AB"),
     ((None, None), "AB")],
)  # fmt: skip
def test_colours_of_a_match(colors: tuple[str | None, str | None], names: str, load: Load) -> None:
    players = [{**RANDOM, "name": name, "player_color": color} for name, color in zip("AB", colors, strict=True)]
    loaded = load(players=players)
    assert "".join(player.name for player in loaded.players) == names
    assert [player.player_color for player in loaded.players] == [Color.BLACK, Color.WHITE]


def test_names_are_unique(load: Load) -> None:
    loaded = load(game_type="tournament", players=[RANDOM, {**RANDOM, "name": "random 1"}, RANDOM, UCT])
    named = [(player.name, player.number) for player in loaded.players]
    assert named == [("random 2", 2), ("random 1", None), ("random 3", 3), ("mcts_uct", 0)]


def test_strength_has_no_options_without_limits() -> None:
    assert configure("heuristic", depth=4).strength == {"depth": 4}
    assert configure("heuristic", depth=OPTIONS["depth"].maximum).strength == {}
    assert configure("random").strength == {}
    assert (configure("random").number, configure("random", name="A").number) == (0, None)


def test_byte_order_mark_schema_key_and_overrides_are_accepted(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    document = {"$schema": "./config-schema.json", **DUEL, "output_file": "a.csv"}
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps(document).encode())
    loaded = config_file.load(file)
    assert (loaded.seed, loaded.output_file) == (1, Path("a.csv"))
    loaded = config_file.load(file, {"seed": 7, "output_file": "b.jsonl"})
    assert (loaded.seed, loaded.output_file) == (7, Path("b.jsonl"))


def test_limits_of_a_process_are_within_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 1 <= cores() <= (os.cpu_count() or 1)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(999))
    assert cores.__wrapped__() == 999
    assert 64 <= memory_megabytes() <= psutil.virtual_memory().total >> 20


def test_a_user_opens_the_window_whatever_the_file_says(load: Load) -> None:
    assert not load().opens_window
    assert load(players=[RANDOM, {"player_type": "user"}]).opens_window


def test_the_clock_and_the_time_limit_bound_the_memory_of_a_search_alike() -> None:
    player = configure("mcts_uct", simulation_count=10**8, mcts_memory_mb=1 << 20)
    limited, timed = replace(player, time_limit_seconds=7.0), replace(player, clock_seconds=5.0, increment_seconds=2.0)
    assert player.memory_megabytes > limited.memory_megabytes == timed.memory_megabytes > 1000


@pytest.fixture
def small_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config_file, "cores", lambda: 4)
    monkeypatch.setattr(config_file, "memory_megabytes", lambda: 8000)


@pytest.mark.usefixtures("small_machine")
def test_limits_of_the_machine_are_applied(load: Load, tmp_path: Path) -> None:
    document: dict[str, Any] = {"players": [{**UCT, **HUGE}, UCT], "mcts_memory_mb": 3000, "search_threads": 4}
    for config, start in (
        (load(**document), f"{tmp_path / 'config.json'}: "),
        (config_file.config_of(document), ""),
        (config_file.config_of_game([{**UCT, **HUGE}, {**UCT, "mcts_memory_mb": 3000}], game_spec()), ""),
    ):
        assert [player.memory_megabytes for player in config.players] == [2000, 0]
        assert [vars(player)["mcts_memory_mb"] for player in config.players] == [2000, 2000]
        assert vars(config.players[0])["search_threads"] == 4
        words = "players[0].search_threads: 64 is more than this computer can handle; using 4"
        assert config.notices[0] == f"{start}{words}"
        assert config.notices[-1].endswith("mcts_memory_mb: 3000 is more than this computer can handle; using 2000")
        assert len(config.notices) == 3


@pytest.mark.usefixtures("small_machine")
@pytest.mark.parametrize(("processes", "player", "used"), [(1024, {}, 4), (3, {}, 3), (None, {}, 4), (1024, HUGE, 1)])
def test_processes_are_limited_by_memory(processes: int | None, player: dict[str, Any], used: int, load: Load) -> None:
    players = [{**UCT, **player}, {"player_type": "mcts_ucb1", **player}]
    config = load(players=players, game_type="tournament", tournament={"processes": processes})
    assert config.tournament.processes == used
    assert any("tournament.processes" in notice for notice in config.notices) == ((processes or 4) > used)


@pytest.mark.parametrize(
    "document",
    [
        {"rules": {"size": 8.0}},
        {"rules": {"handicap": 1.0}},
        {"game": "tictactoe", "rules": {"size": 3.0, "win_length": 3.0}},
        {"openings": {"Tiger": 1.0}},
        {"seed": 7.0, "game_repetitions": 2.0, "mcts_simulation_count": 20.0, "search_threads": 1.0},
        {"game_type": "tournament", "tournament": {"opening_plies": 4.0, "processes": 1.0}},
        {"players": [{**HEURISTIC, "depth": 2.0}, {"player_type": "q_learning", "learning_episodes": 1e2}]},
    ],
)
def test_a_whole_number_may_be_written_as_a_fraction(document: dict[str, Any], load: Load) -> None:
    written = {"players": [RANDOM, UCT], **document}
    whole = json.loads(json.dumps(written), parse_float=lambda text: int(float(text)))
    assert repr(load(**written)) == repr(load(**whole))


@pytest.mark.parametrize(
    ("more", "tunes", "notices"),
    [
        ({"game_type": "match", "tournament": {"games_per_pair": 40, "format": "round_robin", "adjudicate": 4}},
         False, ["tournament.games_per_pair: ignored in a match", "tournament.format: ignored in a match"]),
        ({"game_type": "match", "tournament": {}}, False, []),
        ({"mcts_simulation_count": 20, "endgame_empties": 2}, False,
         ["mcts_simulation_count: ignored for these players; only used by mcts_grouping, mcts_ucb1, mcts_uct"]),
        ({"tune": {"options": {}}}, False, ["tune: only used by othello tune"]),
        ({"tournament": {"format": "paired", "sprt": {"elo0": 0, "elo1": 9}}, "game_repetitions": 9,
          "tune": {"options": {}}}, True, []),  # the found config has them
        ({"tournament": {"compare": {"label": "A", "players": {}}}, "tune": {"options": {}}}, True,
         ["tournament.compare: ignored by othello tune"]),
        ({"tournament": {}, "players": [{**RANDOM, "player_color": "black"}, RANDOM]}, False,
         ["players[0].player_color: ignored in a tournament"]),
    ],
)  # fmt: skip
def test_settings_that_the_kind_of_run_ignores_give_notices(
    more: dict[str, Any], tunes: bool, notices: list[str], tmp_path: Path
) -> None:
    file = write_config(tmp_path, **more)
    assert config_file.load(file, tunes=tunes).notices == tuple(f"{file}: {notice}" for notice in notices)


@pytest.mark.parametrize(
    ("more", "game_type"),
    [({}, "match"), ({"tournament": {}}, "tournament"),
     ({"tournament": {"format": "paired"}}, "tournament"), ({"tournament": {}, "game_type": "match"}, "match")],
)  # fmt: skip
def test_tournament_settings_make_one_unless_it_says_match(more: dict[str, Any], game_type: str, load: Load) -> None:
    assert load(**more).game_type == game_type
    three = {**more, "players": [RANDOM] * 3}
    assert jsonschema_rs.is_valid(json.loads(config_schema.text()), three) == (game_type == "tournament")


def test_a_tree_file_is_read_only_by_its_player(load: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    learner = {**UCT, "mcts_tree_file": str(tmp_path / "tree.npz"), "simulation_count": 100}
    config = load(players=[learner, RANDOM])
    game = Game.new(rules_of(config.game))
    with create_player(config.players[0], config.game) as player:
        player.new_game(1)
        choose(player, game)
        player.game_over(game)
    array = Mock(wraps=tree_file._array)
    monkeypatch.setattr(tree_file, "_array", array)
    load(players=[learner, RANDOM])
    assert [call.args[1].filename for call in array.call_args_list] == ["header.npy"]


@pytest.mark.parametrize("colors", [("black", "white"), ("white", "black")])
def test_a_damaged_tree_file_is_named_with_its_option(colors: tuple[str, str], load: Load, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.npz"
    damaged.write_text("no tree")
    learner = {**UCT, "mcts_tree_file": str(damaged)}
    players = [{**player, "player_color": color} for player, color in zip((RANDOM, learner), colors, strict=True)]
    with pytest.raises(ConfigError) as caught:
        load(players=players)
    assert str(caught.value).startswith(f"{tmp_path / 'config.json'}: players[1].mcts_tree_file: {damaged}: is damaged")


@pytest.mark.parametrize("kind", sorted(PLAYERS.keys() - config_file.STARTED.values() - {"user"}))
@pytest.mark.parametrize("time", ["time_limit_seconds", "clock_seconds"])
def test_entries_keep_the_usual_count_beside_a_time(kind: str, time: str) -> None:
    player = configure(kind, **{time: 60.0})
    assert config_file.player_of(config_file.entry_of(player), {}) == player
