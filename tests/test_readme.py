"""README.md and the pages of docs/ say what is true."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from othello.cli import main
from othello.cli.position_commands import SERVED_OPTIONS
from othello.config_file import config_schema
from othello.gui.actions import Context, key_list
from othello.rules.registry import GAMES

ROOT = Path(__file__).parents[1]
PAGES = {path: path.read_text(encoding="utf-8") for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))}
ALL = "".join(PAGES.values())


def table(properties: Mapping[str, Any]) -> str:
    """Return what the schema says of some keys."""
    rows = ["| key | meaning | default |", "| --- | --- | --- |"]
    for key, part in properties.items():
        if key != "$schema":
            default = f"`{json.dumps(part['default'])}`" if "default" in part else ""
            rows.append(f"| `{key}` | {part['description']} | {default} |")
    return "\n".join(rows)


def rules_table() -> str:
    """Return what the schema says of the options of every game."""
    rows = ["| game | key | meaning | default |", "| --- | --- | --- | --- |"]
    for game, rules in GAMES.items():
        for option in rules.options:
            default = json.dumps(option.schema["default"])
            rows.append(f"| `{game}` | `{option.name}` | {option.schema['description']} | `{default}` |")
    return "\n".join(rows)


def key_table(where: Context) -> str:
    """Return what the keys of a place of the window do."""
    return "\n".join(["| key | does |", "| --- | --- |", *(f"| {keys} | {does} |" for keys, does in key_list(where))])


def with_tables(text: str) -> str:
    """Return the text with its tables of keys as the schema and the window define them."""
    top = config_schema()["properties"]
    own = top["players"]["items"]["properties"]
    tables = {
        "settings": table(top),
        "rules": rules_table(),
        "player": table(
            {key: part for key, part in own.items() if "Left out: " not in part["description"] or key not in top}
        ),
        "tournament": table(top["tournament"]["properties"]),
        "tune": table(top["tune"]["properties"]),
        "tuned": table(top["tune"]["properties"]["options"]["additionalProperties"]["properties"]),
        "game": key_table(Context.GAME),
        "standings": key_table(Context.STANDINGS_WITH_PERSON),
    }
    return re.sub(
        r"(<!-- keys: (\w+) -->\n\n).*?(?=\n\n|\n?\Z)", lambda found: found[1] + tables[found[2]], text, flags=re.DOTALL
    )


def test_the_tables_of_keys_are_what_schema_and_window_say() -> None:
    """`python -m tests.test_readme` writes them anew."""
    for page, text in PAGES.items():
        assert with_tables(text) == text, page
    assert ALL.count("<!-- keys: ") == 8
    for key in config_schema()["properties"]["players"]["items"]["properties"]:
        assert f"`{key}`" in ALL, key


def test_every_option_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    for command in (
        [],
        ["perft"],
        ["analyse"],
        ["solve"],
        ["bench"],
        ["compile"],
        ["report"],
        ["tune"],
        ["programs"],
        ["check-player"],
    ):
        with pytest.raises(SystemExit):
            main([*command, "--help"])
        options = set(re.findall(r"--[a-z]+(?:-[a-z]+)*", capsys.readouterr().out)) - {"--help", "--version"}
        for option in options - set(SERVED_OPTIONS) if command == ["analyse"] else options:
            assert option in PAGES[ROOT / "docs" / "command-line.md"], (command, option)


def test_every_file_that_they_name_exists() -> None:
    for page, text in PAGES.items():
        for name in re.findall(r"\]\((?!http)([^)#]+)[^)]*\)", text):
            assert (page.parent / name).exists(), (page, name)


def test_every_page_can_be_reached() -> None:
    named = set(re.findall(r"\]\(docs/([^)]+)\)", PAGES[ROOT / "README.md"]))
    assert named >= {path.name for path in (ROOT / "docs").iterdir()}


if __name__ == "__main__":
    for page, text in PAGES.items():
        page.write_text(with_tables(text), encoding="utf-8")
