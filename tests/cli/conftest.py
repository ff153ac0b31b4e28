from pathlib import Path

import pytest

from tests.command_line import write_config


@pytest.fixture
def config_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a match of two random players in an otherwise empty current folder."""
    monkeypatch.chdir(tmp_path)
    return write_config(tmp_path)
