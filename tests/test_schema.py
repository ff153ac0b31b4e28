"""A schema is followed beyond doubt only by what follows it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from jsonschema import Draft202012Validator

from othello.config_file import config_schema
from othello.schema import follows

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
    document = {**full, "players": players, "output_file": "a.csv", "clock_seconds": 5.0, "rules": {"size": 3}}
    judge = Draft202012Validator(config_schema())
    assert follows(document, config_schema())
    known = [follows(other, config_schema()) for other in changed(document)]
    assert all(judge.is_valid(other) for other, is_known in zip(changed(document), known, strict=True) if is_known)
    assert 50 < sum(known) < len(known)
