"""`othello programs`."""

import re
import sys
from pathlib import Path

import pytest

from othello.programs.program_registry import find
from tests.command_line import RANDOM, CommandLine, write_config
from tests.programs.registered import SCRIPT


@pytest.fixture(autouse=True)
def empty_program_registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHELLO_CONFIG_DIR", str(tmp_path / "settings"))


def test_a_program_is_added_tested_listed_played_and_removed(
    tmp_path: Path, cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "No program is registered" in cli("programs", "list")
    limits = ["--protocol", "nboard", "--depth", "18", "--memory-mb", "900", "--env", "A=b=c"]
    command = (sys.executable, "-I", "-S", str(SCRIPT), "nboard")
    added = cli("programs", "add", "Anna", *limits, "--", *command)
    assert added == "Anna is registered; othello programs test Anna tries it.\n"
    assert (find("Anna").command, find("Anna").environment) == (command, (("A", "b=c"),))
    assert re.fullmatch(
        "It answers and plays by the rules.\ncalls itself   Opponent\nstarted in     .* s\n"
        "first move     d3 in .* s, depth 3\n10 moves       all legal, .* s a move\n",
        cli("programs", "test", "Anna"),
    )
    cli("--config", write_config(tmp_path, players=[{"player_type": "external", "program": "Anna"}, RANDOM]))
    assert "Anna plays e6 for black, value +3" in cli("analyse", "--player", "external", "--program", "Anna")
    cli("programs", "add", "Cleo", "--class", "classes:Greedy", "--start-seconds", "2")
    monkeypatch.setattr("othello.cli.program_commands.installed", lambda: {"Dora": "package:Class"})
    assert cli("programs", "list").splitlines() == [
        f"Anna  nboard  {' '.join(command)}, depth 18, memory_mb 900",
        f"Cleo  classes:Greedy, folder {Path.cwd()}, start_seconds 2.0",
        "Dora  package:Class, installed",
    ]
    assert cli("programs", "remove", "Anna") == "Anna was removed.\n"
    assert "no program is called Anna" in cli.error("programs", "test", "Anna")
    monkeypatch.chdir(tmp_path)
    cli("programs", "add", "Ben", "--", "python3", "--version")
    assert find("Ben").folder == str(tmp_path)
    cli("programs", "add", "Ben", "--", "./ben", "-x")
    assert find("Ben").command == (str(tmp_path / "ben"), "-x")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["list", "Anna"], "takes no name"),
        (["test"], "needs the name of a program"),
        (["add", "Anna"], "takes a command, and it needs one: othello programs add NAME -- PROGRAM"),
        (["add", "Anna", "--protocol", "gtp", "/bin/cat"], "othello programs add Anna -- /bin/cat"),
        (["add", "Anna", "cat", "-q", "--level", "3"], "put -- before the program and its arguments"),
        (["add", "Anna", "--protocl", "gtp"], "--protocl is not known; did you mean --protocol?"),
        (["remove", "Anna", "--", "x"], "takes a command"),
        (["add", "Anna", "--env", "A", "--", "x"], "NAME=TEXT"),
        (["add", " Anna", "--", "x"], "without leading or trailing spaces"),
        (["add", "Anna", "--protocol", "uci", "--", "x"], 'is "uci"; allowed: gtp, nboard, json'),
        (["add", "Anna", "--start-seconds", "601", "--", "x"], "a number from 0.1 to 600"),
        (["add", "Anna", "--colour", "--", "x"], "--colour"),
        (["remove", "Anna"], "no program is called Anna"),
    ],
)
def test_invalid_requests_are_one_line(words: list[str], message: str, cli: CommandLine) -> None:
    assert message in cli.error("programs", *words)
