"""`othello programs`."""

import sys
from pathlib import Path

import pytest

from othello.cli import main
from othello.programs.program_registry import find
from tests.command_line import error_of, write_config
from tests.programs.registered import SCRIPT


@pytest.fixture(autouse=True)
def empty_program_registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHELLO_CONFIG_DIR", str(tmp_path / "settings"))


def test_a_program_is_added_tested_listed_played_and_removed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["programs", "list"]) == 0
    assert "No program is registered" in capsys.readouterr().out
    limits = ["--protocol", "nboard", "--depth", "18", "--memory-mb", "900", "--env", "A=b=c"]
    command = [sys.executable, "-I", "-S", str(SCRIPT), "nboard"]
    assert main(["programs", "add", "Anna", *limits, "--", *command]) == 0
    assert (find("Anna").command, find("Anna").environment) == (tuple(command), (("A", "b=c"),))
    assert main(["programs", "test", "Anna"]) == 0
    out = capsys.readouterr().out
    assert "It answers and plays by the rules." in out
    assert "calls itself   Opponent" in out
    assert "10 moves       all legal" in out
    config = write_config(tmp_path, players=[{"player_type": "external", "program": "Anna"}, {"player_type": "random"}])
    assert main(["--config", str(config), "--headless"]) == 0
    assert main(["analyse", "--player", "external", "--program", "Anna"]) == 0
    assert "Anna plays e6 for black, value +3" in capsys.readouterr().out
    assert main(["programs", "list"]) == 0
    assert "Anna  nboard  " in capsys.readouterr().out
    assert main(["programs", "remove", "Anna"]) == 0
    assert capsys.readouterr().out == "Anna was removed.\n"
    assert "no program is called Anna" in error_of(["programs", "test", "Anna"], capsys)
    monkeypatch.chdir(tmp_path)
    assert main(["programs", "add", "Ben", "--", "python3", "--version"]) == 0
    assert find("Ben").folder == str(tmp_path)
    assert main(["programs", "add", "Ben", "--", "./ben", "-x"]) == 0
    assert find("Ben").command == (str(tmp_path / "ben"), "-x")


@pytest.mark.parametrize(
    ("words", "told"),
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
        (["add", "Anna", "--protocol", "uci", "--", "x"], "not known; allowed: gtp, nboard, json"),
        (["add", "Anna", "--colour", "--", "x"], "--colour"),
        (["remove", "Anna"], "no program is called Anna"),
    ],
)
def test_invalid_requests_are_one_line(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert told in error_of(["programs", *words], capsys)
