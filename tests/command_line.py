"""Configs and commands of tests."""

import json
from pathlib import Path
from typing import Any

import pytest

from othello.cli import main
from tests.positions import RULES, format_board

START = format_board(RULES.start())
RANDOM = {"player_type": "random"}


def write_config(folder: Path, **changes: Any) -> Path:
    file = folder / "config.json"
    file.write_text(json.dumps({"players": [RANDOM, RANDOM], "show_visualisation": False, "seed": 5, **changes}))
    return file


def error_of(argv: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Return the one line that a refused command writes."""
    assert main(argv) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert error.startswith("othello: ")
    assert error.count("\n") == 1
    return error
