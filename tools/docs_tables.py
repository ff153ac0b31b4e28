"""Write the tables of options and keys in README.md and docs/: `python -m tools.docs_tables`.

A page marks the place of a table with `<!-- keys: TABLE PATTERN... -->`. The patterns select rows by key; without
patterns the table has all rows. Run it when an option or a key binding has changed.
"""

import json
import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final, TypeAlias

from othello.config_file import config_schema
from othello.gui.actions import Context, key_list
from othello.programs.program_registry import COMMAND_KEYS
from othello.rules.registry import OWN_GAMES

ROOT: Final = Path(__file__).parents[1]

_Table: TypeAlias = Mapping[str, Mapping[str, Any]]
"""Keys with their JSON schema."""


def pages() -> dict[Path, str]:
    """Return the pages for users and contributors, with their texts."""
    names = ("README.md", "CONTRIBUTING.md", "examples/README.md")
    paths = (*(ROOT / name for name in names), *sorted((ROOT / "docs").rglob("*.md")))
    return {path: path.read_text(encoding="utf-8") for path in paths}


def option_tables() -> dict[str, _Table]:
    """Return all tables of options by name."""
    top = config_schema()["properties"]
    player = top["players"]["items"]["properties"]
    tournament, tune = top["tournament"]["properties"], top["tune"]["properties"]
    compare = tournament["compare"]["properties"]
    return {
        "settings": {key: part for key, part in top.items() if key != "$schema"},
        "player": {key: part for key, part in player.items() if "default" in part or key not in top},
        "tournament": tournament,
        "sprt": tournament["sprt"]["properties"],
        "compare": compare,
        "compared": compare["players"]["additionalProperties"]["properties"],
        "tune": tune,
        "tuned": tune["options"]["additionalProperties"]["properties"],
        "program": COMMAND_KEYS,
        **{game: {option.name: option.schema for option in rules.options} for game, rules in OWN_GAMES.items()},
    }


def with_tables(text: str) -> str:
    """Return a page with its tables as the schema and the window define them."""
    options = {name: list(_option_rows(table)) for name, table in option_tables().items()}
    keys = {"game": key_list(Context.GAME), "standings": key_list(Context.STANDINGS_WITH_PERSON)}

    def table(found: re.Match[str]) -> str:
        name, *patterns = found[2].split()
        heads: tuple[str, ...] = ("key", "does")
        rows: list[tuple[str, ...]] = [*keys.get(name, ())]
        if name in options:
            heads = ("key", "type", "default", "meaning")
            rows = [row for row in options[name] if _matches(row[0].strip("`"), patterns)]
        return found[1] + "\n".join(f"| {' | '.join(row)} |" for row in (heads, ["---"] * len(heads), *rows))

    return re.sub(r"(<!-- keys: ([^>]*) -->\n\n).*?(?=\n\n|\n?\Z)", table, text, flags=re.DOTALL)


def _matches(key: str, patterns: list[str]) -> bool:
    return not patterns or any(fnmatchcase(key, pattern) for pattern in patterns)


def _option_rows(table: _Table) -> Iterator[tuple[str, ...]]:
    for key, part in table.items():
        default = f"`{json.dumps(part['default'])}`" if "default" in part else ""
        yield f"`{key}`", _type_text(part), default, part["description"]


def _type_text(part: Mapping[str, Any]) -> str:
    """Return the type of an option and its range."""
    if "enum" in part:
        return ", ".join(f"`{json.dumps(value)}`" for value in part["enum"])
    types = part["type"] if isinstance(part["type"], list) else [part["type"]]
    bounds = ""
    if "maximum" in part:
        low = f"above {part['exclusiveMinimum']:,}" if "exclusiveMinimum" in part else f"{part['minimum']:,}"
        bounds = f", {low} to {part['maximum']:,}"
    names = {"string": "text", "boolean": "`true`, `false`", "array": "list", "null": "`null`"}
    return " or ".join(names.get(name, name) + bounds * (name != "null") for name in types)


if __name__ == "__main__":
    for page, text in pages().items():
        page.write_text(with_tables(text), encoding="utf-8")
