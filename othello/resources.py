"""The places of data files: at the top of a checkout, or inside the installed package."""

import json
import os
from functools import cache
from pathlib import Path
from typing import Any, Final

from platformdirs import user_cache_path, user_config_path, user_data_path

_PACKAGE: Final = Path(__file__).resolve().parent
_INSTALLED: Final = _PACKAGE / "data"  # written by setup.py, absent in a checkout
_ROOT: Final = _INSTALLED if _INSTALLED.is_dir() else _PACKAGE.parent


def asset(name: str) -> Path:
    """Return a file or folder below `assets/`."""
    return _ROOT / "assets" / name


@cache
def schema_of(name: str) -> dict[str, Any]:
    """Return the JSON schema of a kind of file, such as "game"."""
    document: dict[str, Any] = json.loads(asset(f"{name}-schema.json").read_text(encoding="utf-8"))
    return document


def cache_folder() -> Path:
    """Return the folder for files that can be recreated: compiled kernels, unpacked weights."""
    return Path(os.environ.get("OTHELLO_CACHE_DIR") or user_cache_path("othello"))


def settings_folder() -> Path:
    """Return the folder for the user's preferences and translations."""
    return Path(os.environ.get("OTHELLO_CONFIG_DIR") or user_config_path("othello", appauthor=False))


def data_folder() -> Path:
    """Return the folder for the user's games and the store."""
    return Path(os.environ.get("OTHELLO_DATA_DIR") or user_data_path("othello", appauthor=False))


def shipped_kernels() -> Path | None:
    """Return the folder of precompiled kernels, or None if this program compiles its kernels.

    The variable OTHELLO_KERNELS names another folder. "compile" means None, and "plain" means None with numba alone.
    """
    chosen = os.environ.get("OTHELLO_KERNELS")
    if chosen:
        return None if chosen in ("compile", "plain") else Path(chosen)
    folder = _INSTALLED / "kernels"
    return folder if folder.is_dir() else None


def bundled_works() -> list[dict[str, str]]:
    """Return name and licence of the works in a bundled program; empty otherwise."""
    file = _INSTALLED / "licences.json"
    works: list[dict[str, str]] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else []
    return works


def schema_path() -> Path:
    return _ROOT / "config-schema.json"


def default_config() -> Path:
    """Return the default config: for an installed program, config.json of the current folder if it exists."""
    here = Path("config.json")
    return here if _ROOT == _INSTALLED and here.is_file() else shipped_config()


def shipped_config() -> Path:
    """Return the config of the program itself, which is beside main.py in a checkout."""
    return _ROOT / "config.json"
