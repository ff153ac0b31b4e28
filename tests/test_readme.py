"""README.md says what is true."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from othello.cli import main
from othello.config_file import config_schema

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def test_every_key_of_the_config_is_there_with_its_default() -> None:
    schema = config_schema()
    for key, part in schema["properties"].items():
        if key == "$schema":
            continue
        row = re.search(rf"^\| `{key}` \|.*\| (.*) \|$", README, re.MULTILINE)
        assert row, key
        default = f"`{json.dumps(part['default'])}`" if "default" in part else "required"
        assert row[1] == default, key
    for key in schema["properties"]["players"]["items"]["properties"]:
        assert f"`{key}`" in README, key


def test_every_option_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ([], ["perft"], ["analyse"], ["solve"], ["bench"], ["report"]):
        with pytest.raises(SystemExit):
            main([*command, "--help"])
        for option in set(re.findall(r"--[a-z]+", capsys.readouterr().out)) - {"--help", "--version"}:
            assert option in README, (command, option)


def test_the_keys_of_the_window_are_there() -> None:
    from othello.gui.actions import Where, key_list

    listed = {line for where in (Where.GAME, Where.CONTEST) for line in key_list(where)}
    parts = (README.split(f"\n## {part}")[1].split("\n## ")[0] for part in ("How to play", "Tournaments"))
    rows = {row for part in parts for row in re.findall(r"^\| ([^|`]*) \| ([^|`]*) \|$", part, re.MULTILINE)}
    assert rows - {("key", "does"), ("---", "---")} == listed


def test_every_file_that_it_names_exists() -> None:
    root = Path(__file__).parents[1]
    for name in re.findall(r"\]\((?!http)([^)]+)\)", README):
        assert (root / name).exists(), name
