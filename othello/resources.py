"""Where the files lie that are no code: at the top of a checkout, inside the package once installed."""

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
    """A file or folder below `assets/`."""
    return _ROOT / "assets" / name


@cache
def schema_of(name: str) -> dict[str, Any]:
    """The JSON schema of a kind of file, such as "game"."""
    document: dict[str, Any] = json.loads(asset(f"{name}-schema.json").read_text(encoding="utf-8"))
    return document


def cache_folder() -> Path:
    """Where the user's system keeps what can be made again: compiled kernels, unpacked weights."""
    return Path(os.environ.get("OTHELLO_CACHE_DIR") or user_cache_path("othello"))


def settings_folder() -> Path:
    """Where the person's preferences are kept, and the languages that the person has added."""
    return Path(os.environ.get("OTHELLO_CONFIG_DIR") or user_config_path("othello", appauthor=False))


def data_folder() -> Path:
    """Where the person's games and all that is known of them are kept."""
    return Path(os.environ.get("OTHELLO_DATA_DIR") or user_data_path("othello", appauthor=False))


def shipped_kernels() -> Path | None:
    """Where the kernels lie that travel with the program, None where it compiles its own.

    OTHELLO_KERNELS names another folder; with "compile" all kernels are compiled, and with "plain" by numba alone.
    """
    chosen = os.environ.get("OTHELLO_KERNELS")
    if chosen:
        return None if chosen in ("compile", "plain") else Path(chosen)
    folder = _INSTALLED / "kernels"
    return folder if folder.is_dir() else None


def bundled_works() -> list[dict[str, str]]:
    """The name and licence of all that a program which runs without Python brings along; else nothing."""
    file = _INSTALLED / "licences.json"
    works: list[dict[str, str]] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else []
    return works


def schema_path() -> Path:
    return _ROOT / "config-schema.json"


def default_config() -> Path:
    """Return the config that is read if none is named: of an installed program, one in the current folder is first."""
    here = Path("config.json")
    return here if _ROOT == _INSTALLED and here.is_file() else shipped_config()


def shipped_config() -> Path:
    """Return the program's own config, which a checkout has beside main.py."""
    return _ROOT / "config.json"
