"""Config files, good and bad, through the program's own entry."""

from __future__ import annotations

import json
import math
import os
import pickle
import subprocess
import sys
import threading
import tracemalloc
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from othello import config_file, reading
from othello.cli import main
from othello.config import Config, SprtConfig, TournamentConfig
from othello.errors import ConfigError, FileError
from othello.players.registry import OPTIONS, PLAYERS, SHARED_OPTIONS, configure
from othello.resources import default_config, schema_path
from othello.rules.protocol import Color
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.schema import options_of

RANDOM = {"player_type": "random"}
DUEL: dict[str, Any] = {"players": [RANDOM, RANDOM], "show_visualisation": False, "seed": 1}
SPRT = {"elo0": 0, "elo1": 10}


def duel(**changes: Any) -> str:
    return json.dumps({**DUEL, **changes})


# What the file holds, and what the one line must say besides the file's name.
BAD: dict[str, tuple[str | bytes, tuple[str, ...]]] = {
    "empty": ("", ("empty",)),
    "blank": (" \n\t\n", ("empty",)),
    "not json": ("players: random", ("line 1, column 1", "not JSON")),
    "cut off": ('{"players": [', ("line 1, column", "ends too early")),
    "comma too many in a list": ('{\n  "players": [{}, {},\n  ]\n}', ("line 3, column 3", "comma too many")),
    "comma too many in an object": ('{"seed": 1,}', ("line 1", "comma too many")),
    "comma missing": ('{"seed": 1\n "players": []}', ("line 2, column 2", "','")),
    "comment": ('{\n// who plays\n"players": []}', ("line 2, column 1", "comments")),
    "single quotes": ("{'players': []}", ("line 1, column 2", "double quotes")),
    "text after the end": ("{} {}", ("line 1, column 4",)),
    "list": ("[]", ("document", "an object")),
    "number": ("7", ("document is 7", "an object")),
    "null": ("null", ("document is null", "an object")),
    "empty object": ("{}", ("players", "missing")),
    "null bytes": (b"\x00" * 64, ("not JSON",)),
    "latin-1": ('{"näme": 1}'.encode("latin-1"), ("line 1", "0xe4", "UTF-8")),
    "utf-16": (duel().encode("utf-16"), ("UTF-8",)),
    "nested too deeply": ("[" * 100_000 + "]" * 100_000, ("too deeply",)),
    "deep value": (duel(seed=eval("[" * 50 + "]" * 50)), ("too deeply",)),
    "key given twice": ('{"seed": 1, "seed": 2, "players": []}', ("seed", "twice")),
    "player key given twice": (
        '{"players": [{"player_type": "random"}, {"player_type": "random", "player_type": "user"}]}',
        ("players[1].player_type", "twice"),
    ),
    "nan": ('{"players": [], "mcts_exploration": NaN}', ("mcts_exploration", "NaN")),
    "infinity": ('{"players": [], "mcts_exploration": -Infinity}', ("mcts_exploration", "infinity")),
    "beyond a double": ('{"players": [], "move_delay_seconds": 1e999}', ("move_delay_seconds",)),
    "endless number": ('{"players": [], "seed": ' + "9" * 5000 + "}", ("seed", "too large")),
    "unknown key": (duel(game_tpye="match"), ("game_tpye", "unknown key", "did you mean game_type?")),
    "unlike any key": (duel(colour="red"), ("colour", "unknown key", "allowed:", "players")),
    "unknown key of a player": (
        duel(players=[RANDOM, {"player_type": "random", "simulations": 5}]),
        ("players[1].simulations", "did you mean simulation_count?"),
    ),
    "unknown key with a line break": (duel(**{"a\nb": 1}), ('"a\\nb"',)),
    "misspelt player": (
        duel(players=[RANDOM, {"player_type": "mtcs_uct"}]),
        ("players[1].player_type", '"mtcs_uct"', "allowed: user, random", "did you mean mcts_uct?"),
    ),
    "player of another case": (duel(players=[RANDOM, {"player_type": "Random"}]), ("did you mean random?",)),
    "player without type": (duel(players=[{}, RANDOM]), ("players[0].player_type", "missing")),
    "player no object": (duel(players=["random", "random"]), ("players[0]", '"random"', "an object")),
    "players no list": (duel(players={"a": RANDOM}), ("players", "an object", "a list")),
    "unknown colour": (duel(players=[{**RANDOM, "player_color": "red"}, RANDOM]), ("players[0].player_color", "black")),
    "one player": (duel(players=[RANDOM]), ("players", "1 given")),
    "no player": (duel(players=[]), ("players", "0 given")),
    "one player in a tournament": (duel(players=[RANDOM], game_type="tournament"), ("players", "1 given")),
    "three in a match": (duel(players=[RANDOM] * 3), ("players", "3 given", "exactly two")),
    "same colours": (
        duel(players=[{**RANDOM, "player_color": "white"}] * 2),
        ("players[1].player_color", "white", "one black and one white"),
    ),
    "same names": (duel(players=[{**RANDOM, "name": "A"}] * 2), ("players[1].name", "A")),
    "empty name": (duel(players=[{**RANDOM, "name": ""}, RANDOM]), ("players[0].name", "1 to 40")),
    "name of two lines": (duel(players=[{**RANDOM, "name": "a\nb"}, RANDOM]), ("players[0].name", "control")),
    "name ends in a line break": (duel(players=[{**RANDOM, "name": "a\n"}, RANDOM]), ("players[0].name", "control")),
    "text as number": (duel(game_repetitions="5"), ("game_repetitions", '"5"', "a whole number")),
    "boolean as number": (duel(game_repetitions=True), ("game_repetitions", "true", "a whole number")),
    "number as boolean": (duel(show_visualisation=1), ("show_visualisation", "true or false")),
    "half a repetition": (duel(game_repetitions=1.5), ("game_repetitions", "1.5")),
    "no repetition": (duel(game_repetitions=0), ("game_repetitions", "from 1")),
    "negative seed": (duel(seed=-1), ("seed", "-1", "from 0")),
    "seed too large": (duel(seed=1 << 64), ("seed", "from 0 to")),
    "depth 0": (duel(heuristic_simulation_depth=0), ("heuristic_simulation_depth", "from 1 to 100")),
    "no simulation": (duel(mcts_simulation_count=0), ("mcts_simulation_count", "from 1")),
    "no time": (
        duel(players=[{**RANDOM, "time_limit_seconds": 0}, RANDOM]),
        ("players[0].time_limit_seconds", "0.001"),
    ),
    "share 0": (duel(grouping_opening_share=0), ("grouping_opening_share", "above 0")),
    "final move": (duel(mcts_final_move="robus"), ("mcts_final_move", "did you mean robust?")),
    "game type": (duel(game_type="tornament"), ("game_type", "match, tournament", "did you mean tournament?")),
    "rule": (duel(rules={"goal": "least"}), ("rules.goal", '"least"', "allowed: most, fewest")),
    "unknown rule": (duel(rules={"goall": "most"}), ("rules.goall", "did you mean goal?")),
    "tree file of another kind": (
        duel(players=[RANDOM, {"player_type": "mcts_uct", "mcts_tree_file": "tree.txt"}]),
        ("players[1].mcts_tree_file", "ends in .npz"),
    ),
    "one tree file by two names": (
        duel(
            players=[
                {"player_type": "mcts_uct", "mcts_tree_file": "tree.npz"},
                {"player_type": "mcts_uct", "mcts_tree_file": "./tree.npz"},
            ]
        ),
        ("players[1].mcts_tree_file", "the other player's file"),
    ),
    "half a character": (
        '{"players": [{"player_type": "random", "name": "\\ud800"}, {"player_type": "random"}]}',
        ("players[0].name", "halves of characters"),
    ),
    "a control character": (duel(players=[{**RANDOM, "name": "c\u0085d"}, RANDOM]), ("players[0].name", "control")),
    "text from right to left": (duel(players=[{**RANDOM, "name": "a\u202eb"}, RANDOM]), ("players[0].name", "control")),
    "tournament format": (duel(tournament={"format": "pared"}), ("tournament.format", "did you mean paired?")),
    "tournament no object": (duel(tournament="paired"), ("tournament", "an object")),
    "games of a fixed format": (duel(tournament={"games_per_pair": 4}), ("tournament.games_per_pair", "best_of_3")),
    "sprt of three": (
        duel(game_type="tournament", players=[RANDOM] * 3, tournament={"format": "paired", "sprt": SPRT}),
        ("tournament.sprt", "two players"),
    ),
    "sprt of nothing": (duel(tournament={"sprt": {"elo0": 0}}), ("tournament.sprt.elo1", "missing")),
    "sprt upside down": (
        duel(tournament={"format": "paired", "sprt": {"elo0": 5, "elo1": 0}}),
        ("tournament.sprt.elo1", "above elo0"),
    ),
    "sprt alpha": (duel(tournament={"sprt": {**SPRT, "alpha": 1}}), ("tournament.sprt.alpha", "above 0")),
    "compared with a stranger": (
        duel(tournament={"compare": {"label": "x", "players": {"randm 1": {}}}}),
        ("tournament.compare.players", "randm 1", "did you mean random 1?"),
    ),
    "output without suffix": (duel(output_file="games"), ("output_file", ".csv or .jsonl")),
    "output of another kind": (duel(output_file="games.json"), ("output_file", "did you mean .jsonl?")),
    "output in no folder": (duel(output_file="/nowhere/at/all/games.csv"), ("output_file", "no folder")),
    "output of two lines": (duel(output_file="a\nb"), ("output_file", "a\\nb")),
    "output with a null": (duel(output_file="a\u0000.csv"), ("output_file", "null byte")),
    "output name empty": (duel(output_file=""), ("output_file", "1 to")),
    "output name endless": (duel(output_file="a" * 3000 + ".csv"), ("output_file", "too long")),
}


@pytest.mark.parametrize(
    "document",
    [
        {"k" * 450_000: [0] * 200_000},
        {"players": [RANDOM, RANDOM], "tournament": {"compare": {"label": "x", "players": {"p" * 900_000: {}}}}},
        {"players": [RANDOM, {"player_type": "q" * 900_000}]},
        {"players": [RANDOM, {**RANDOM, "depth": [1] * 100_000, **{f"{key}": 0 for key in range(50_000)}}]},
    ],
    ids=["long key", "long stranger", "long type", "many values of many keys"],
)
def test_what_is_long_is_shortened_and_takes_no_memory(
    document: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad.json"
    file.write_text(json.dumps(document))
    tracemalloc.start()
    try:
        assert main(["--config", str(file)]) == 2
        most_bytes = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert len(error) < 700
    assert most_bytes < 200e6


def test_a_key_given_twice_is_named_in_short(tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_text('{"%s": 1, "%s": 2}' % (("k" * 400_000,) * 2))
    with pytest.raises(ConfigError, match="the key is given twice") as caught:
        config_file.load(file)
    assert len(str(caught.value)) < 700


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no such pipes")
def test_devices_and_pipes_have_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_PATIENCE_SECONDS", 0.05)
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    with pytest.raises(FileError, match="nothing has come out of it"):
        config_file.load(pipe)
    with pytest.raises(FileError, match="larger than 1048576 bytes"):
        config_file.load(Path("/dev/zero"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no such pipes")
def test_a_config_may_come_through_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(duel(seed=7),))
    writer.start()
    assert config_file.load(pipe).seed == 7
    writer.join()


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_is_one_line_and_status_2(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    content, needed = BAD[case]
    monkeypatch.chdir(tmp_path)
    file = Path("bad.json")
    file.write_bytes(content if isinstance(content, bytes) else content.encode())

    assert main(["--config", "bad.json", "--headless"]) == 2

    out, error = capsys.readouterr()
    assert not out
    assert error.count("\n") == 1
    assert error.endswith("\n")
    for words in (*needed, "othello: "):
        assert words in error
    assert "bad.json: " in error
    assert [path.name for path in tmp_path.iterdir()] == ["bad.json"], "something was written"


@pytest.mark.parametrize(
    ("name", "words"),
    [("absent.json", "no such file"), (".", "is a folder"), ("file/below.json", "Not a directory")],
)
def test_a_file_that_cannot_be_read(
    name: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    assert main(["--config", name]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("content", ["{", duel(players=[RANDOM]), duel(output_file="/nowhere/at/all/x.csv")])
def test_a_bad_file_in_a_process_of_its_own(content: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_text(content)
    ran = subprocess.run(
        [sys.executable, "-m", "othello", "--config", str(file)], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert ran.stderr.count("\n") == 1


def load(tmp_path: Path, document: dict[str, Any]) -> Config:
    file = tmp_path / "config.json"
    file.write_text(json.dumps(document))
    return config_file.load(file)


def test_the_schema_in_the_repository_is_what_the_program_says() -> None:
    """`python -m othello.config_file` writes it anew."""
    assert schema_path().read_text(encoding="utf-8") == config_file.text()


def test_the_schema_has_the_defaults_of_what_is_loaded(tmp_path: Path) -> None:
    schema = config_file.config_schema()
    top = {key: part["default"] for key, part in schema["properties"].items() if "default" in part}
    loaded = load(tmp_path, {"players": [RANDOM, RANDOM]})
    assert loaded == Config(players=loaded.players)
    assert top.pop("rules") == top.pop("tournament") == {}
    assert top.pop("game") == loaded.game.game
    settings = options_of(Config).keys() - {"tournament"}
    assert {key: top.pop(key) for key in settings} == {key: vars_of(loaded)[key] for key in settings}
    assert top == {key: option.default for key, option in SHARED_OPTIONS.items()}
    assert {
        name: part["default"] for name, part in schema["properties"]["tournament"]["properties"].items()
    } == vars_of(TournamentConfig())
    assert vars_of(SprtConfig(0, 1)) == {"elo0": 0, "elo1": 1, "alpha": 0.05, "beta": 0.05}


def vars_of(settings: Any) -> dict[str, Any]:
    return {field.name: getattr(settings, field.name) for field in fields(settings)}


@pytest.mark.parametrize("player_type", PLAYERS)
def test_a_key_means_the_same_to_all_players(player_type: str) -> None:
    for key, own in options_of(PLAYERS[player_type].config_type).items():
        common = OPTIONS[key]
        assert (own.kind, own.choices, own.words) == (common.kind, common.choices, common.words), key
        assert (own.minimum, own.maximum) == (common.minimum, common.maximum), key


@pytest.mark.parametrize("player_type", PLAYERS)
def test_a_player_survives_the_way_to_another_process(player_type: str) -> None:
    config = configure(player_type, name="A", time_limit_seconds=1.5)
    copy = pickle.loads(pickle.dumps(config))
    assert copy == config
    assert hash(copy) == hash(config)
    assert copy != configure(player_type)


def test_schema_describes_every_key() -> None:
    parts: list[tuple[str, Any]] = [("", config_file.config_schema())]
    while parts:
        key, part = parts.pop()
        parts += part.get("properties", {}).items()
        parts += [(key, below) for below in (part.get("items"), part.get("additionalProperties")) if below]
        if "properties" not in part:
            assert part["description"].endswith("."), key
            assert "type" in part or "enum" in part, key
        if {"integer", "number"} & {*part.get("type", "")} or part.get("type") in ("integer", "number"):
            assert "maximum" in part, key
            assert "minimum" in part or "exclusiveMinimum" in part, key


def test_the_shipped_config_is_valid() -> None:
    shipped = config_file.load(default_config())
    assert [player.player_type for player in shipped.players] == ["user", "mcts_uct"]


def test_players_override_the_file(tmp_path: Path) -> None:
    loaded = load(
        tmp_path,
        {
            "game_type": "tournament",
            "mcts_simulation_count": 1000,
            "mcts_exploration": 1,
            "heuristic_simulation_depth": 4.0,
            "clock_seconds": 60,
            "players": [
                {"player_type": "mcts_uct", "name": "A"},
                {"player_type": "mcts_uct", "name": "B", "simulation_count": 50, "mcts_exploration": 0.5},
                {"player_type": "heuristic", "name": "C", "clock_seconds": None},
                {"player_type": "heuristic", "name": "D", "depth": 2},
            ],
        },
    )
    expected = (
        configure("mcts_uct", name="A", simulation_count=1000, mcts_exploration=1.0, clock_seconds=60.0),
        configure("mcts_uct", name="B", simulation_count=50, mcts_exploration=0.5, clock_seconds=60.0),
        configure("heuristic", name="C", depth=4),
        configure("heuristic", name="D", depth=2, clock_seconds=60.0),
    )
    assert loaded.players == expected
    assert repr(loaded.players) == repr(expected), "1 is not 1.0"


def test_keys_that_a_player_does_not_use_are_told(tmp_path: Path) -> None:
    everyone = {
        "name": "A",
        "time_limit_seconds": 1,
        "clock_seconds": 60,
        "increment_seconds": 1,
        "mcts_tree_file": None,
    }
    vain = {"depth": 4, "simulation_count": 9, "mcts_tree_file": None, "endgame_empties": 10}
    players = [{"player_type": "heuristic", **vain}, {**RANDOM, **everyone}]
    assert load(tmp_path, {"mcts_simulation_count": 5, "players": players}).notices == (
        f"{tmp_path / 'config.json'}: players[0].simulation_count: heuristic does not use it; "
        "it is for mcts_uct, mcts_ucb1, mcts_grouping",
    )


@pytest.mark.parametrize("player_type", PLAYERS)
def test_every_key_is_told_or_used(player_type: str, tmp_path: Path) -> None:
    """Every key of a player, for every type: a key is told in vain exactly where the type does not have it."""
    keys = {key: option.default for key, option in OPTIONS.items() if option.default not in ("", None)}
    game = next(game for game in GAMES if not PLAYERS[player_type].plays(rules_of(game_spec(game))))
    loaded = load(tmp_path, {"game": game, "players": [RANDOM, {"player_type": player_type, **keys}]})
    told = {notice.split(": ")[1].removeprefix("players[1].") for notice in loaded.notices}
    assert told == keys.keys() - options_of(PLAYERS[player_type].config_type).keys()


def test_a_time_limit_replaces_the_default_bounds_but_not_given_ones(tmp_path: Path) -> None:
    for player_type, key, top_key in (
        ("mcts_uct", "simulation_count", "mcts_simulation_count"),
        ("heuristic", "depth", "heuristic_simulation_depth"),
    ):
        timed = {"player_type": player_type, "time_limit_seconds": 1}
        loaded = load(tmp_path, {"players": [timed, {**timed, key: 7}]})
        assert [vars(player)[key] for player in loaded.players] == [OPTIONS[key].maximum, 7]
        assert vars(load(tmp_path, {top_key: 9, "players": [timed, RANDOM]}).players[0])[key] == 9


@pytest.mark.parametrize(
    ("colors", "expected"),
    [
        (("black", "white"), ["A", "B"]),
        (("white", "black"), ["B", "A"]),
        (("white", None), ["A", "B"]),
        ((None, "black"), ["A", "B"]),
        ((None, None), ["A", "B"]),
    ],
)
def test_seats_of_a_match(colors: tuple[str | None, str | None], expected: list[str], tmp_path: Path) -> None:
    players = [
        {**RANDOM, "name": name, **({"player_color": color} if color else {})}
        for name, color in zip("AB", colors, strict=True)
    ]
    loaded = load(tmp_path, {"players": players})
    assert [player.name for player in loaded.players] == expected
    assert [player.player_color for player in loaded.players] == [Color.BLACK, Color.WHITE]


def test_names_are_unique(tmp_path: Path) -> None:
    players = [RANDOM, {**RANDOM, "name": "random 1"}, RANDOM, {"player_type": "mcts_uct"}]
    loaded = load(tmp_path, {"game_type": "tournament", "players": players})
    assert [(player.name, player.number) for player in loaded.players] == [
        ("random 2", 2),
        ("random 1", None),
        ("random 3", 3),
        ("mcts_uct", 0),
    ]


def test_byte_order_mark_and_schema_key_are_accepted(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps({"$schema": "./config-schema.json", **DUEL}).encode())
    assert config_file.load(file).seed == 1


def test_overrides_win(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    file.write_text(duel(output_file="a.csv"))
    loaded = config_file.load(file, {"seed": 7, "output_file": "b.jsonl"})
    assert (loaded.seed, loaded.output_file) == (7, Path("b.jsonl"))


def test_a_user_opens_the_window_whatever_the_file_says(tmp_path: Path) -> None:
    assert not load(tmp_path, DUEL).opens_window
    assert load(tmp_path, {**DUEL, "players": [RANDOM, {"player_type": "user"}]}).opens_window


def test_ranges_hold_at_their_ends(tmp_path: Path) -> None:
    grouping = {"players": [{"player_type": "mcts_grouping"}, RANDOM]}
    for key, low in (("grouping_opening_plies", 0), ("mcts_exploration", 0)):
        for value in (low, OPTIONS[key].maximum):
            assert vars(load(tmp_path, {**grouping, key: value}).players[0])[key] == value
        with pytest.raises(ConfigError, match=key):
            load(tmp_path, {**grouping, key: low - 1})
    assert math.isclose(vars(load(tmp_path, grouping).players[0])["mcts_exploration"], math.sqrt(2))
