"""All readers report a file that they cannot use in one line with its name, and never wait or fill the memory."""

import os
import tracemalloc
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Final

import pytest

from othello import config_file, files
from othello.engine import weights
from othello.engine.book import Book
from othello.errors import OthelloError
from othello.gui.preferences import PreferencesFile
from othello.programs.program_registry import programs, programs_path
from othello.records.openings import read_openings
from othello.records.readers import read_games
from othello.records.results import ResultsReader
from othello.search import tree_file
from othello.store.database import Store
from othello.texts import languages
from othello.translations import read_languages
from tests.positions import RULES, SPEC


def read_all_games(path: Path) -> None:
    for found in read_games(path, SPEC):
        if isinstance(found, OthelloError):
            raise found


def add_to_archive(path: Path) -> None:
    with Store(path.with_name("store.sqlite")) as store:
        store.add([path])


def read_settings(path: Path) -> None:
    if notice := PreferencesFile(path).notice:
        raise OthelloError(notice)


def read_translation(path: Path) -> None:
    for reason in read_languages(path.parent):
        raise OthelloError(reason.english)


READERS: Final[dict[str, Callable[[Path], object]]] = {
    "config.json": config_file.load,
    "settings.json": read_settings,
    "programs.json": lambda _: programs(),
    "eo.json": read_translation,
    "results.csv": lambda path: [*ResultsReader(path)],
    "results.jsonl": lambda path: [*ResultsReader(path)],
    **{
        f"games{suffix}": read_all_games for suffix in (".othello.json", ".txt", ".ggf", ".sgf", ".pgn", ".wtb", ".obf")
    },
    "archive.ggf": add_to_archive,
    "openings.txt": lambda path: read_openings(path, RULES),
    "tree.npz": lambda path: tree_file.load(path, "uct"),
    "weights.bin": weights.load,
    "book.bin": Book,
}
OPTIONAL: Final = "settings.json", "programs.json", "eo.json", "tree.npz"  # may be missing


FAULTS: Final[dict[str, Callable[[Path], object]]] = {
    "missing": lambda _: None,
    "folder": Path.mkdir,
    "pipe": lambda path: os.mkfifo(path),  # noqa: PLW0108 (Windows has no mkfifo)
    "device": lambda path: path.symlink_to("/dev/zero"),
    "zeros": lambda path: path.write_bytes(bytes(300) + b"\n"),
    "not UTF-8": lambda path: path.write_bytes(b'{"a": "\xff\xfe"}\n'),
    "nested": lambda path: path.write_bytes(b"[" * 100_000 + b"\n"),
    "many digits": lambda path: path.write_bytes(b'{"seed": ' + b"9" * 5000 + b"}\n"),
    "cut": lambda path: path.write_bytes(b'{"format": "othello-lab game", \n'),
    "long line": lambda path: path.write_bytes(b"(" * (3 << 20)),
}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no such pipes")
@pytest.mark.parametrize(("name", "fault"), [*product(READERS, FAULTS)])
def test_a_file_that_cannot_be_used_is_one_line(
    name: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTHELLO_CONFIG_DIR", str(tmp_path))
    monkeypatch.setattr(files, "_PIPE_SECONDS", 0.05)
    path = programs_path() if name == "programs.json" else tmp_path / name
    FAULTS[fault](path)
    tracemalloc.start()
    try:
        if fault == "missing" and name in OPTIONAL:
            READERS[name](path)
        else:
            with pytest.raises(OthelloError) as caught:
                READERS[name](path)
            assert "\n" not in str(caught.value)
            assert len(str(caught.value)) < 700
            assert name == "settings.json" or path.stem.split(".")[0] in str(caught.value)
            assert "eo" not in languages()
        assert tracemalloc.get_traced_memory()[1] < 400e6
    finally:
        tracemalloc.stop()
    left = {"config.json", "store.sqlite", path.name, "settings.damaged.json"}
    assert {each.name for each in tmp_path.iterdir()} <= left
