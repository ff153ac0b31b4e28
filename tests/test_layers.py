"""The floors of the house, as pyproject.toml names them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_every_file_imports_only_from_floors_below() -> None:
    lint_imports = Path(sys.executable).with_name("lint-imports")
    ran = subprocess.run([str(lint_imports)], capture_output=True, text=True, check=False, cwd=ROOT)
    assert ran.returncode == 0, ran.stdout
