"""Links, files, commands, options, tables and configs in README.md, CONTRIBUTING.md and docs/ are right."""

import re
from contextlib import redirect_stdout, suppress
from functools import cache
from io import StringIO
from pathlib import Path

import pytest

from othello.cli.arguments import SERVED_OPTIONS, parse
from othello.config_file import load
from tools.docs_tables import ROOT, option_tables, pages, with_tables

PAGES = pages()
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
OPTION = re.compile(r"(?<![\w-])--[a-z]+(?:-[a-z]+)*")
ARGUMENT = re.compile(r"^  ([A-Z][A-Z.]*)", flags=re.MULTILINE)  # in `--help`


@cache
def help_of(*words: str) -> str:
    with redirect_stdout(StringIO()) as out, suppress(SystemExit):
        parse([*words, "--help"])
    return out.getvalue().partition("\nexamples")[0]


def commands(*words: str) -> list[str]:
    return re.findall(r"^    ([a-z][a-z-]+) ", help_of(*words), flags=re.MULTILINE)


NAMES = [(), *((name, *action) for name in commands() for action in ((), *((each,) for each in commands(name))))]
OPTIONS = {words: set(OPTION.findall(help_of(*words))) for words in NAMES}


def anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", text), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_files(page: Path) -> None:
    text = FENCE.sub("", PAGES[page])
    for name, anchor in re.findall(r"\]\((?!http)([^)#]*)#?([^)]*)\)", text):
        target = page.parent / name if name else page
        assert target.exists(), name
        assert not anchor or anchor in anchors(target.read_text(encoding="utf-8")), (name, anchor)
    for name in re.findall(
        r"`((?:othello|docs|examples|tests|tools|training|benchmarks|assets)/(?!.*apart)[\w/.-]*)`", text
    ):
        assert (ROOT / name).exists(), name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_and_options(page: Path) -> None:
    blocks = "\n".join(block for _, block in FENCE.findall(PAGES[page]))
    for code in [*re.findall(r"`([^`\n]+)`", FENCE.sub("", PAGES[page])), *blocks.splitlines()]:
        command = re.search(r"(?:^|[$|] )othello( \S.*|$)", code)
        if command:
            first, second, *_ = *re.findall(r"\S+", command[1]), "", ""
            words = next(words for words in ((first, second), (first,), ()) if words in OPTIONS)
            assert words or not re.match("[a-z]", first), code
            used = set(OPTION.findall(command[1].partition(" -- ")[0]))
            assert used <= OPTIONS[words], code
        elif code.startswith("--"):
            assert set(OPTION.findall(code)) <= set().union(*OPTIONS.values()), code


@pytest.mark.parametrize("words", NAMES, ids=" ".join)
def test_every_command_and_option_is_described(words: tuple[str, ...]) -> None:
    page = PAGES[ROOT / "docs" / "command-line.md"]
    heading = re.escape(" ".join(("othello", *words)))
    section = re.search(rf"^#+ {heading}\n(.*?)(?=^#|\Z)", page, flags=re.MULTILINE | re.DOTALL)
    assert section, words
    filters = OPTIONS["archive", "search"] if words == ("archive", "export") else set()
    assert OPTIONS[words] - set(SERVED_OPTIONS) - filters - {"--help"} <= set(OPTION.findall(section[1]))
    if not words or commands(*words):
        return
    synopsis = re.search(r"^```text\n(.*?)^```$", section[1], flags=re.MULTILINE | re.DOTALL)
    assert synopsis, words
    assert set(OPTION.findall(synopsis[1])) <= OPTIONS[words]
    arguments = {name.partition(".")[0] for name in ARGUMENT.findall(help_of(*words))} - {"ACTION"}  # it is spelled out
    assert arguments <= set(re.findall(r"\w+", synopsis[1]))


@pytest.mark.parametrize("command", commands())
def test_the_first_table_has_every_command(command: str) -> None:
    table = PAGES[ROOT / "docs" / "command-line.md"].partition("\n## ")[0]
    assert f"[`{command}`](#othello-{command})" in table


def test_every_option_of_a_config_is_described() -> None:
    page = PAGES[ROOT / "docs" / "config.md"]
    for key in {key for table in option_tables().values() for key in table}:
        assert f"\n| `{key}` |" in page, key


def test_the_tables_are_up_to_date() -> None:
    for page, text in PAGES.items():
        assert with_tables(text) == text, f"{page.name}: run python -m tools.docs_tables"


def test_configs_load(tmp_path: Path) -> None:
    for text in (block for page in PAGES.values() for kind, block in FENCE.findall(page) if kind == "json"):
        if '"players"' in text and "external" not in text and "python" not in text:
            (tmp_path / "config.json").write_text(text)
            assert load(tmp_path / "config.json").players


def test_every_page_is_in_the_index() -> None:
    index = PAGES[ROOT / "docs" / "README.md"] + PAGES[ROOT / "docs" / "lab" / "README.md"]
    assert {page.name for page in PAGES if "docs" in page.parts} <= set(re.findall(r"[\w-]+\.md", index))
