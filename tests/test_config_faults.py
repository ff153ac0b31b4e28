"""Errors in a config are reported in one line, and the schema of configs finds the same ones."""

import json
import os
import threading
import tracemalloc
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from jsonschema_rs import Draft202012Validator

from othello.config_file import load
from othello.errors import ConfigError, Reason
from othello.resources import schema_path
from othello.schema import first_fault, nearest
from tests.command_line import RANDOM, CommandLine

DUEL: dict[str, Any] = {"players": [RANDOM, RANDOM], "show_visualisation": False, "seed": 1}
SPRT = {"elo0": 0, "elo1": 10}
WHITE = {**RANDOM, "player_color": "white"}


def duel(**changes: Any) -> str:
    return json.dumps({**DUEL, **changes})


def paired(**settings: Any) -> str:
    """Return a tournament with these settings."""
    return duel(tournament={"format": "paired", **settings})


def tree(file: str) -> dict[str, str]:
    """Return a player that learns."""
    return {"player_type": "mcts_uct", "mcts_tree_file": file}


def duel_with(**options: Any) -> str:
    """Return a match of a random player and another one with these options."""
    return duel(players=[RANDOM, {**RANDOM, **options}])


BAD: list[tuple[str | bytes, *tuple[str, ...]]] = [
    ("", "empty"),
    (" \n\t\n", "empty"),
    ("players: random", "line 1, column 1", "not JSON"),
    ('{"players": [', "line 1, column", "ends too early"),
    ('{\n  "players": [{}, {},\n  ]\n}', "line 3, column 3", "comma too many"),
    ('{"seed": 1,}', "line 1", "comma too many"),
    ('{"seed": 1\n "players": []}', "line 2, column 2", "','"),
    ('{\n// who plays\n"players": []}', "line 2, column 1", "comments"),
    ("{'players': []}", "line 1, column 2", "double quotes"),
    ("{} {}", "line 1, column 4"),
    ("[]", "document", "an object"),
    ("null", "the document: is null", "an object"),
    ("{}", "players", "missing"),
    (b"\x00" * 64, "not JSON"),
    ('{"näme": 1}'.encode("latin-1"), "line 1", "0xe4", "UTF-8"),
    (duel().encode("utf-16"), "UTF-8"),
    (duel(seed=eval("[" * 21 + "]" * 21)), "too deeply"),
    (duel(seed=eval("[" * 20 + "]" * 20)), "seed: is a list"),
    ('{"seed": 1, "seed": 2, "players": []}', "seed", "twice"),
    ('{"players": [{}, {"depth": 1, "depth": 2}]}', "players[1].depth", "twice"),
    ('{"players": [], "mcts_exploration": NaN}', "mcts_exploration", "NaN"),
    ('{"players": [], "mcts_exploration": -Infinity}', "mcts_exploration", "infinity"),
    ('{"players": [], "move_delay_seconds": 1e999}', "move_delay_seconds"),
    (duel(game_tpye="match"), "game_tpye", "unknown key", "did you mean game_type?"),
    (duel(colour="red"), "colour", "unknown key", "allowed:", "players"),
    (duel_with(simulations=5), "players[1].simulations", "did you mean simulation_count?"),
    (duel(games_per_pair=4), "games_per_pair", "it belongs in tournament"),
    (duel(elo0=4), "elo0", "it belongs in tournament.sprt"),
    (duel(size=6), "size", "it belongs in rules"),
    (duel(depth=4), "depth", "it belongs in players[…]"),
    (duel_with(seed=4), "players[1].seed", "it belongs in the file’s top level"),
    (duel(rules={"seed": 4}), "rules.seed", "it belongs in the file’s top level"),
    (duel(foo=4), "foo: unknown key; allowed: players, $schema,", ", …"),
    ('{"show_visualisation": True}', "column 24", "only true, false and null, in lower case"),
    ('{"seed": None}', "only true, false and null, in lower case"),
    ('{"seed": 1 null}', "expecting ',' delimiter"),
    ('{"players": [{“player_type”: “random”}]}', "strings and keys need double quotes"),
    ('{"players": [{"player_type": "random”}]}', "strings and keys need double quotes"),
    (duel_with(depth=[1, 2, 3]), "players[1].depth: ", "4 players", "set game_type to tournament"),
    (duel_with(player_type="human"), "did you mean user?"),
    (duel_with(player_type="minimax"), "did you mean heuristic?"),
    (duel_with(player_type="Alpha-Beta"), "did you mean heuristic?"),
    (duel(**{"a\nb": 1}), '"a\\nb"'),
    (duel_with(player_type="mtcs_uct"), "players[1].player_type", '"mtcs_uct"', "did you mean mcts_uct?"),
    (duel_with(player_type="Random"), "allowed: user, random", "did you mean random?"),
    (duel(players=[{}, RANDOM]), "players[0].player_type", "missing"),
    (duel(players=["Łódź", "random"]), "players[0]", '"Łódź"', "an object"),
    (duel(players={"a": RANDOM}), "players", "an object", "a list"),
    (duel_with(player_color="red"), "players[1].player_color", "black"),
    (duel(players=[RANDOM]), "players", "1 given"),
    (duel(players=[]), "players", "0 given"),
    (duel(players=[RANDOM] * 3), "exactly two", "not 3"),
    (duel(players=[WHITE, WHITE]), "players[1].player_color", "white", "one black and one white"),
    (duel(players=[{**RANDOM, "name": "A"}] * 2), "players[1].name", "A"),
    (duel_with(name=""), "players[1].name", "1 to 40"),
    (duel_with(name="a\nb"), "players[1].name", "control"),
    (duel_with(name="a\n"), "players[1].name", "control"),
    (duel(game_repetitions="5"), "game_repetitions", '"5"', "a whole number"),
    (duel(game_repetitions=True), "game_repetitions", "true", "a whole number"),
    (duel(show_visualisation=1), "show_visualisation", "true or false"),
    (duel(game_repetitions=1.5), "game_repetitions", "1.5"),
    (duel(game_repetitions=0), "game_repetitions", "from 1"),
    (duel(seed=-1), "seed", "-1", "from 0"),
    (duel(seed=1 << 64), "seed", "from 0 to"),
    (duel(heuristic_simulation_depth=0), "heuristic_simulation_depth", "from 1 to 100"),
    (duel(mcts_simulation_count=0), "mcts_simulation_count", "from 1"),
    (duel_with(time_limit_seconds=0), "players[1].time_limit_seconds", "0.001"),
    (duel(grouping_opening_share=0), "grouping_opening_share", "above 0"),
    (duel(mcts_final_move="robus"), "mcts_final_move", "did you mean robust?"),
    (duel(game_type="tornament"), "game_type", "match, tournament", "did you mean tournament?"),
    (duel(rules={"goal": "least"}), "rules.goal", '"least"', "allowed: most, fewest"),
    (duel(rules={"size": 7}), "rules.size", "allowed: 8, 6"),
    (duel(rules={"goall": "most"}), "rules.goall", "did you mean goal?"),
    (duel(rules={"win_length": 3}), "rules.win_length", "unknown key; allowed: no_legal_move"),
    (duel(game="connect_four", rules={"size": 3}), "rules.size", "allowed: none"),
    (duel(game="tictactoe", rules={"size": 16}), "rules.size", "from 3 to 15"),
    (duel_with(**tree("tree.txt")), "players[1].mcts_tree_file", "ends in .npz"),
    (duel(players=[tree("a.npz"), tree("b/../a.npz")]), "players[1].mcts_tree_file", "the other player's file"),
    (duel_with(name="\ud800"), "players[1].name", "halves of characters"),
    (duel_with(name="c\u0085d"), "players[1].name", "control"),
    (duel_with(name="a\u202eb"), "players[1].name", "control"),
    (duel(tournament={"format": "pared"}), "tournament.format", "did you mean paired?"),
    (duel(tournament="paired"), "tournament", "an object"),
    (paired(series_per_pair=3), "tournament.series_per_pair", "best_of_3"),
    (duel(tournament={"games_per_pair": 4}), "tournament.games_per_pair", "best_of_3"),
    (duel(players=[RANDOM] * 3, tournament={"format": "paired", "sprt": SPRT}), "tournament.sprt", "two players"),
    (paired(format="gauntlet_of_3", sprt=SPRT), "tournament.sprt", "every game of a pair"),
    (paired(format="round_robin", games_per_pair=3, sprt=SPRT), "tournament.sprt", "an even number"),
    (paired(sprt={"elo0": 5, "elo1": 5}), "tournament.sprt.elo1", "above elo0"),
    (duel(tournament={"sprt": {"elo0": 0}}), "tournament.sprt.elo1", "missing"),
    (duel(tournament={"sprt": {**SPRT, "alpha": 1}}), "tournament.sprt.alpha", "above 0"),
    (duel(tournament={"compare": {"label": "x", "players": {"randm 1": {}}}}), "compare.players", "mean random 1?"),
    (duel(output_file="games"), "output_file", ".csv, .jsonl"),
    (duel(output_file="games.json"), "output_file", "did you mean .jsonl?"),
    (duel(output_file="/nowhere/at/all/games.csv"), "output_file", "no folder"),
    (duel(output_file="a\nb"), "output_file", "a\\nb"),
    (duel(output_file="a\u0000.csv"), "output_file", "null byte"),
    (duel(output_file=""), "output_file", "1 to"),
    (duel(output_file="a" * 3000 + ".csv"), "output_file", "too long"),
]


@pytest.mark.parametrize(
    "content",
    [
        json.dumps({"k" * 450_000: [0] * 200_000}),
        duel(tournament={"compare": {"label": "x", "players": {"p" * 900_000: {}}}}),
        duel(players=[RANDOM, {"player_type": "q" * 900_000}]),
        duel(players=[RANDOM, {**RANDOM, "depth": [1] * 10_000, **dict.fromkeys(map(str, range(5000)), 0)}]),
        '{"%s": 1, "%s": 2}' % (("k" * 400_000,) * 2),
    ],
    ids=["long key", "long stranger", "long type", "many values of many keys", "long key given twice"],
)
def test_long_values_are_shortened_and_take_no_memory(content: str, tmp_path: Path, cli: CommandLine) -> None:
    file = tmp_path / "bad.json"
    file.write_text(content)
    tracemalloc.start()
    try:
        assert len(cli.error("--config", file)) < 700
        assert tracemalloc.get_traced_memory()[1] < 200e6
    finally:
        tracemalloc.stop()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no such pipes")
def test_a_config_may_come_through_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(duel(seed=7),))
    writer.start()
    assert load(pipe).seed == 7
    writer.join()


@pytest.mark.parametrize("row", BAD, ids=lambda row: "-".join(row[1:]))
def test_a_bad_file_is_one_line_and_status_2(
    row: tuple[str | bytes, *tuple[str, ...]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: CommandLine
) -> None:
    content, *needed = row
    monkeypatch.chdir(tmp_path)
    Path("bad.json").write_bytes(content if isinstance(content, bytes) else content.encode())
    error = cli.error("--config", "bad.json", "--headless")
    assert [words for words in ("bad.json: ", *needed) if words not in error] == []
    assert [path.name for path in tmp_path.iterdir()] == ["bad.json"], "something was written"


@pytest.mark.parametrize("value", [True, 1.5, float("nan"), float("inf"), "\ud800", (1, 2), [1]])
def test_other_texts_are_no_whole_numbers(value: object) -> None:
    for schema in ({"type": ["integer", "null"]}, {"enum": [0, 1, None]}):
        assert first_fault(1, schema) is None
        assert first_fault(value, schema) is not None


def test_lone_surrogates_count_as_characters() -> None:
    assert first_fault({"a": "\ud800"}, {"properties": {"a": {"type": "string", "maxLength": 1}}}) is None
    assert "allowed: a text" in str(first_fault("\ud800b", {"type": "string", "minLength": 1, "maxLength": 1}))


@pytest.mark.parametrize(
    ("document", "fault"),
    [
        ({"depth": "x", "sed": 1}, "sed: unknown key; did you mean seed?"),
        ({"depth": "x"}, 'depth: is "x"; allowed: a whole number from 1 to 9'),
        ({"depth": 1}, "seed: is missing; needed: a whole number"),
    ],
)
def test_a_misspelt_key_comes_before_other_errors(document: object, fault: str) -> None:
    schema = {
        "additionalProperties": False,
        "required": ["seed"],
        "properties": {"depth": {"type": "integer", "minimum": 1, "maximum": 9}, "seed": {"type": "integer"}},
    }
    assert str(first_fault(document, schema)) == fault


def test_a_close_word_is_found_in_capitals_too() -> None:
    assert nearest("HEURISTIC", ["random", "heuristic"]) == Reason("did_you_mean", {"word": "heuristic"})
    assert (nearest(1, ["random"]), nearest("x", ["random"])) == (None, None)


NUMBERS: Final = (0, -1, 1.0, 1e300, 10**30)
ODD: Final[tuple[Any, ...]] = (None, True, *NUMBERS, "", "white", "x" * 2000, [], {}, [{}], {"player_type": "user"})
BETWEEN_KEYS: Final = {
    "adjudicate_game",
    "at_place",  # a player that does not play such a game, a key that its type lacks, or twice the same file
    "free_length",
    "game_complete",
    "name_taken",
    "shared_file",
    "sprt_order",
    "sprt_players",
    "stranger",
}
"""Documents that the program refuses but the schema for editors accepts."""


def drawn(schema: Mapping[str, Any], random: Random) -> Any:
    """Return a random value, which usually follows the schema."""
    if random.random() < 0.01:
        return random.choice(ODD)
    schema = random.choice(schema["anyOf"]) if "anyOf" in schema and "type" not in schema else schema
    if "enum" in schema:
        return random.choice(schema["enum"])
    name = random.choice([schema["type"]] if isinstance(schema["type"], str) else schema["type"])
    match name:
        case "object":
            required = schema.get("required", [])
            return {
                key: drawn(part, random)
                for key, part in schema.get("properties", {}).items()
                if key in required or ("deprecated" not in part and random.random() < 0.04)
            }
        case "array":
            count = random.choice((1, 2, 2, 2, 3))
            return [drawn(schema["items"], random) for _ in range(max(count, schema.get("minItems", 1)))]
        case "integer" | "number":
            low, high = schema.get("minimum", schema.get("exclusiveMinimum", 0)), schema.get("maximum", 1000)
            value = random.choice((low, high, low + 1, (low + high) / 2, high + 1 if random.random() < 0.05 else 3))
            return int(value) if name == "integer" else float(value)
        case "boolean":
            return random.random() < 0.5
        case "string":
            return random.choice(("a", "b", "one two", "x.csv"))
    return None


def refusal(file: Path) -> str | None:
    """Return the name of the reason for which the program refuses a config, or None."""
    try:
        load(file, may_start=True)
    except ConfigError as error:
        reason = error.reason.parts["reason"]
        return reason.name if isinstance(reason, Reason) else str(reason)
    return None


@pytest.mark.slow
def test_editors_and_the_program_agree_on_2000_configs(tmp_path: Path) -> None:
    schema, random, file = json.loads(schema_path().read_text("utf-8")), Random(20), tmp_path / "config.json"
    judge = Draft202012Validator(schema)
    rules = {part["if"]["properties"]["game"]["enum"][0]: part for part in schema["allOf"] if "required" in part}
    found = {True: 0, False: 0}
    for _ in range(2000):
        document = drawn(schema, random)
        if isinstance(document, dict) and document.get("game", "othello") in [*rules] and random.random() < 0.5:
            document["rules"] = drawn(rules[document.get("game", "othello")]["then"]["properties"]["rules"], random)
        file.write_text(json.dumps(document))
        is_valid, refused = judge.is_valid(document), refusal(file)
        assert is_valid == (refused is None) or refused in BETWEEN_KEYS, (document, refused)
        found[is_valid] += 1
    assert min(found.values()) > 200, found
