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
from tests.golden.dialogues import assert_answers

DUEL: dict[str, Any] = {"players": [RANDOM, RANDOM], "show_visualisation": False, "seed": 1}


def duel(**changes: Any) -> str:
    return json.dumps({**DUEL, **changes})


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


def test_bad_files_are_one_golden_line_and_status_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: CommandLine
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OTHELLO_CONFIG_DIR", str(tmp_path / "absent"))  # without programs of other tests

    def answer(question: str) -> str:
        """Play a text, or two random players with changes of the config or of the second one."""
        kind, _, text = question.partition(" ")
        given = json.loads(text)
        match kind:
            case "duel":
                given = duel(**given)
            case "second":
                given = duel(players=[RANDOM, {**RANDOM, **given}])
        Path("bad.json").write_bytes(given.encode("latin-1" if kind == "bytes" else "utf-8"))
        error = cli.error("--config", "bad.json", "--headless")
        assert [path.name for path in tmp_path.iterdir()] == ["bad.json"], "something was written"
        return error

    assert_answers("config_faults.txt", answer)


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
