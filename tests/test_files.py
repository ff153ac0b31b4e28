"""Tests of files that are written as a whole or not at all."""

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from othello.errors import OutputError
from othello.files import replacing, set_aside, write_text

KILLED = """
import os, signal, sys
from pathlib import Path
from othello.files import replacing
with replacing(Path(sys.argv[1])) as file:
    file.write(b"half")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""
needs_modes = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes of files")
needs_locks = pytest.mark.skipif(sys.platform == "win32", reason="needs flock")


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


@needs_locks
def test_the_draft_of_a_killed_program_is_removed_and_others_stay(tmp_path: Path) -> None:
    path = tmp_path / "a[1].txt"
    write_text(path, "old")
    (tmp_path / ".a[1].txt.mine").write_text("mine")
    killed = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert killed.returncode < 0
    assert path.read_text() == "old"
    assert len(names(tmp_path)) == 3
    with replacing(path) as file:  # which is alive when the next one is saved
        file.write(b"later")
        write_text(path, "new")
        assert path.read_text() == "new"
        assert len(names(tmp_path)) == 3, "the draft of the killed program is gone"
    assert path.read_text() == "later"
    assert names(tmp_path) == [".a[1].txt.mine", "a[1].txt"]


def raise_error(number: int) -> Callable[..., None]:
    """Return a function that fails with a system error."""

    def fail(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    return fail


def test_a_full_disk_leaves_the_old_file_and_no_draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_text(tmp_path / "a.txt", "old")
    monkeypatch.setattr(os, "fsync", raise_error(errno.ENOSPC))
    with pytest.raises(OutputError, match="the disk is full"):
        write_text(tmp_path / "a.txt", "new")
    assert names(tmp_path) == ["a.txt"]
    assert (tmp_path / "a.txt").read_text() == "old"


@needs_modes
def test_a_new_file_has_the_mode_of_the_umask_and_an_old_one_keeps_its_own(tmp_path: Path) -> None:
    def mode(name: str) -> int:
        return (tmp_path / name).stat().st_mode & 0o777

    before = os.umask(0o027)
    try:
        for name in ("new", "old"):
            write_text(tmp_path / name, "text")
        assert mode("new") == 0o640
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
    monkeypatch.setattr(Path, "replace", raise_error(errno.EROFS))
    with pytest.raises(OutputError, match="the disk is read-only"):
        set_aside(path)
    assert names(tmp_path) == ["settings.json"]
