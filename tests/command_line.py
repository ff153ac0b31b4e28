"""The command line, run in the process of the tests, and configs for it."""

import json
from pathlib import Path
from typing import Any

import pytest

from othello.cli import main
from tests.positions import RULES, format_board

START = format_board(RULES.start())
RANDOM = {"player_type": "random"}


class CommandLine:
    """Runs commands and returns what they print."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.errors = ""  # of the last command

    def __call__(self, *words: object, status: int = 0) -> str:
        """Return the output of a command, which has to end with this status."""
        self._capsys.readouterr()
        assert main([str(word) for word in words]) == status
        out, self.errors = self._capsys.readouterr()
        return out

    def run(self, *words: str) -> tuple[int, str]:
        """Return the status of a command, and all that it writes."""
        self._capsys.readouterr()
        try:
            status = main(list(words))
        except SystemExit as end:
            status = int(end.code or 0)
        return status, "".join(self._capsys.readouterr())

    def json(self, *words: object, status: int = 0) -> list[Any]:
        """Return the lines of a command that writes JSON."""
        return [json.loads(line) for line in self(*words, status=status).splitlines()]

    def error(self, *words: object) -> str:
        """Return the one line that a refused command writes."""
        assert self(*words, status=2) == ""
        assert self.errors.startswith("othello: ")
        assert self.errors.count("\n") == 1
        return self.errors


def write_config(folder: Path, **changes: Any) -> Path:
    file = folder / "config.json"
    file.write_text(json.dumps({"players": [RANDOM, RANDOM], "show_visualisation": False, "seed": 5, **changes}))
    return file
