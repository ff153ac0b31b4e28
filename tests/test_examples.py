"""The configs that come with the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from othello.config_file import load
from othello.tournament.schedule import most_games

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.json"))


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.name)
def test_examples_are_valid(file: Path) -> None:
    assert load(file).players


def test_the_reports_experiment() -> None:
    assert [most_games(load(file)) for file in EXAMPLES if file.stem.startswith("report")] == [6000, 60]
