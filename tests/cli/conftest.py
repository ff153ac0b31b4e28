from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command_line import CommandLine, write_config


@pytest.fixture
def config_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a match of two random players in an otherwise empty current folder."""
    monkeypatch.chdir(tmp_path)
    return write_config(tmp_path)


@pytest.fixture
def play(config_file: Path, cli: CommandLine) -> Callable[..., str]:
    """Play the games of the match, whose config can be changed, and return the output."""

    def play(*options: object, status: int = 0, **changes: object) -> str:
        write_config(config_file.parent, **changes)
        return cli("--config", config_file, *options, status=status)

    return play
