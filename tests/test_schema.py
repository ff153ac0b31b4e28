"""A schema is followed beyond doubt only by what follows it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from jsonschema import Draft202012Validator

from othello.config_file import config_schema
from othello.errors import Reason
from othello.schema import first_fault, follows, nearest

ODD: Final[tuple[Any, ...]] = (
    None,
    True,
    0,
    -1,
    1.0,
    1e300,
    10**30,
    "",
    "white",
    "x" * 2000,
    [],
    {},
    [{}],
    {"player_type": "user"},
)


def changed(document: Any) -> Iterator[Any]:
    """The document, and what becomes of it when one part of it is another, is gone, or is added."""
    yield document
    yield from ODD
    if isinstance(document, dict):
        yield {**document, "colour": 1}
        for key, part in document.items():
            yield {name: value for name, value in document.items() if name != key}
            yield from ({**document, key: other} for other in changed(part))
    if isinstance(document, list):
        for index, part in enumerate(document):
            yield from ([*document[:index], other, *document[index + 1 :]] for other in changed(part))


def test_what_follows_the_schema_beyond_doubt_does_so_for_the_library() -> None:
    full = {key: part["default"] for key, part in config_schema()["properties"].items() if "default" in part}
    players = [{"player_type": "mcts_uct", "player_color": "black", "simulation_count": 5}, {"player_type": "user"}]
    document = {**full, "players": players, "output_file": "a.csv", "clock_seconds": 5.0, "rules": {"goal": "most"}}
    judge = Draft202012Validator(config_schema())
    assert follows(document, config_schema())
    known = [follows(other, config_schema()) for other in changed(document)]
    assert all(judge.is_valid(other) for other, is_known in zip(changed(document), known, strict=True) if is_known)
    assert 50 < sum(known) < len(known)


def test_true_is_not_one() -> None:
    assert follows(1, {"enum": [0, 1]})
    assert not follows(True, {"enum": [0, 1]})
    assert not follows(True, {"minimum": 0})


def test_of_several_faults_the_misspelt_key_is_told() -> None:
    schema = {
        "additionalProperties": False,
        "required": ["seed"],
        "properties": {"depth": {"type": "integer", "minimum": 1, "maximum": 9}, "seed": {"type": "integer"}},
    }
    assert str(first_fault({"depth": "x", "sed": 1}, schema)) == "sed: unknown key; did you mean seed?"
    assert str(first_fault({"depth": "x"}, schema)) == 'depth: is "x"; allowed: a whole number from 1 to 9'
    assert str(first_fault({"depth": 1}, schema)) == "seed: is missing; needed: a whole number"


def test_a_close_word_is_found_in_capitals_too() -> None:
    assert nearest("HEURISTIC", ["random", "heuristic"]) == Reason("did_you_mean", {"word": "heuristic"})
    assert (nearest(1, ["random"]), nearest("x", ["random"])) == (None, None)
