"""Files are written as a whole or not at all, and read within bounds.

All readers report a file that they cannot use in one line with its name, and never wait or fill the memory.
"""

import errno
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final
from unittest.mock import Mock

import pytest

from othello import config_file, files
from othello.engine import weights
from othello.engine.book import Book
from othello.errors import OthelloError, OutputError, Reason
from othello.files import replacing, set_aside, write_text
from othello.gui.preferences import PreferencesFile
from othello.programs.program_registry import programs, programs_path
from othello.records.openings import read_openings
from othello.records.readers import read_games
from othello.records.results import ResultsReader
from othello.search import tree_file
from othello.store.database import Store
from othello.texts import languages
from othello.translations import read_languages
from tests.golden.dialogues import assert_answers
from tests.positions import RULES, SPEC

KILLED = """
import os, signal, sys
from pathlib import Path
from othello.files import replacing
with replacing(Path(sys.argv[1])) as file:
    file.write(b"half")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""
needs_unix = pytest.mark.skipif(sys.platform == "win32", reason="needs flock, modes of files and named pipes")


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


@needs_unix
def test_the_draft_of_a_killed_program_is_removed_and_others_stay(tmp_path: Path) -> None:
    path = tmp_path / "a[1].txt"
    write_text(path, "old")
    (tmp_path / ".a[1].txt.mine").write_text("mine")
    assert subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False).returncode < 0
    assert (path.read_text(), len(names(tmp_path))) == ("old", 3)
    with replacing(path) as file:  # which is alive when the next one is saved
        file.write(b"later")
        write_text(path, "new")
        assert path.read_text() == "new"
        assert len(names(tmp_path)) == 3, "the draft of the killed program is gone"
    assert (path.read_text(), names(tmp_path)) == ("later", [".a[1].txt.mine", "a[1].txt"])


@needs_unix
def test_a_file_is_locked_before_its_folder_exists(tmp_path: Path) -> None:
    with files.exclusive_lock(tmp_path / "a" / "new" / "a.txt"):
        assert names(tmp_path / "a" / "new") == ["a.txt.lock"]
    assert names(tmp_path / "a" / "new") == []


def test_a_full_disk_leaves_the_old_file_and_no_draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_text(tmp_path / "a.txt", "old")
    monkeypatch.setattr(os, "fsync", Mock(side_effect=OSError(errno.ENOSPC, "full")))
    with pytest.raises(OutputError, match="the disk is full"):
        write_text(tmp_path / "a.txt", "new")
    assert (names(tmp_path), (tmp_path / "a.txt").read_text()) == (["a.txt"], "old")


@needs_unix
def test_a_new_file_has_the_mode_of_the_umask_and_an_old_one_keeps_its_own(tmp_path: Path) -> None:
    def mode(name: str) -> int:
        return (tmp_path / name).stat().st_mode & 0o777

    before = os.umask(0o026)
    try:
        for name in ("a/b/new", "old"):
            write_text(tmp_path / name, "text")
        assert mode("a/b/new") == 0o640
        (tmp_path / "old").chmod(0o664)
        (tmp_path / "link").symlink_to("old")
        write_text(tmp_path / "link", "text")
        assert mode("old") == 0o664
        assert (tmp_path / "link").is_symlink()
        for name in ("old", "secret"):
            write_text(tmp_path / name, "text", is_private=True)
            assert mode(name) == 0o600
    finally:
        os.umask(before)


def test_a_file_that_cannot_be_set_aside_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "settings.json"
    path.write_text("{")
    monkeypatch.setattr(Path, "replace", Mock(side_effect=OSError(errno.EROFS, "read-only")))
    with pytest.raises(OutputError, match="the disk is read-only"):
        set_aside(path)
    assert names(tmp_path) == ["settings.json"]


def raise_first(faults: Iterable[object]) -> None:
    """Raise the first fault of a reader that returns its faults."""
    for fault in faults:
        if isinstance(fault, OthelloError):
            raise fault
        if isinstance(fault, Reason | str) and fault:
            raise OthelloError(fault)


def add_to_archive(path: Path) -> None:
    with Store(path.with_name("store.sqlite")) as store:
        store.add([path])


READERS: Final[dict[str, Callable[[Path], object]]] = {
    "config.json": config_file.load,
    "settings.json": lambda path: raise_first([PreferencesFile(path).notice]),
    "programs.json": lambda _: programs(),
    "eo.json": lambda path: raise_first(read_languages(path.parent)),
    "results.csv": lambda path: [*ResultsReader(path)],
    "results.jsonl": lambda path: [*ResultsReader(path)],
    **{
        f"games.{suffix}": lambda path: raise_first(read_games(path, SPEC))
        for suffix in ("othello.json", "txt", "ggf", "sgf", "pgn", "wtb", "obf")
    },
    "archive.ggf": add_to_archive,
    "openings.txt": lambda path: read_openings(path, RULES),
    "tree.npz": lambda path: tree_file.load(path, "uct"),
    "weights.bin": weights.load,
    "book.bin": Book,
}
FAULTS: Final[dict[str, Callable[[Path], object]]] = {
    "missing": lambda _: None,
    "folder": Path.mkdir,
    "empty": Path.touch,
    "pipe": lambda path: os.mkfifo(path),  # noqa: PLW0108 (Windows has no mkfifo)
    "device": lambda path: path.symlink_to("/dev/zero"),
    "zeros": lambda path: path.write_bytes(bytes(300) + b"\n"),
    "not UTF-8": lambda path: path.write_bytes(b'{"a": "\xff\xfe"}\n'),
    "binary": lambda path: path.write_bytes(b'\n\n{"a": "\xff\0"}\n'),
    "nested": lambda path: path.write_bytes(b"[" * 10_000 + b"\n"),
    "many digits": lambda path: path.write_bytes(b'{"seed": ' + b"9" * 5000 + b"}\n"),
    "cut": lambda path: path.write_bytes(b'{"format": "othello-lab game", \n'),
    "long line": lambda path: path.write_bytes(b"(" * ((1 << 20) + 1)),
    "longest line": lambda path: path.write_bytes(b"(" * (1 << 20)),
}


@needs_unix
def test_files_that_cannot_be_used_have_the_golden_faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_PIPE_SECONDS", 0.05)

    def answer(question: str) -> str:
        name, fault = question.split(": ")
        folder, told = tmp_path / name / fault, "can be read"
        folder.mkdir(parents=True)
        monkeypatch.setenv("OTHELLO_CONFIG_DIR", str(folder))
        path = programs_path() if name == "programs.json" else folder / name
        FAULTS[fault](path)
        tracemalloc.start()
        try:
            READERS[name](path)
        except OthelloError as error:
            told = str(error).replace(f"{folder}/", "")
        assert tracemalloc.get_traced_memory()[1] < 400e6, question
        tracemalloc.stop()
        assert "eo" not in languages()
        return f"{told}\n{sorted(each.name for each in folder.iterdir())}"

    assert_answers("faults.txt", answer)
