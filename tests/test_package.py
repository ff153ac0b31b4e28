"""The downloads: their contents, and the licences of bundled libraries."""

import io
import json
import lzma
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

import pytest

from tools import licences, package
from tools.archives import Entries, deb_of, entries_of, tar_of

MADE_AT = 1_700_000_000


def program(folder: Path) -> Path:
    """Return a folder with a program, a text file and a link."""
    (folder / "parts").mkdir(parents=True)
    (folder / "othello").write_bytes(b"\x7fELF\0GLIBC_2.17\0GLIBC_2.34\0")
    (folder / "othello").chmod(0o700)
    (folder / "parts" / "one.txt").write_text("one")
    (folder / "parts" / "link").symlink_to("one.txt")
    return folder


def test_only_names_and_contents_are_packed(tmp_path: Path) -> None:
    one, other = program(tmp_path / "a"), program(tmp_path / "b" / "c")
    os.utime(other / "parts" / "one.txt", (1, 1))
    packed = [tar_of(entries_of(folder, "othello-1"), MADE_AT) for folder in (one, other)]
    assert packed[0] == packed[1]
    with tarfile.open(fileobj=io.BytesIO(packed[0])) as tar:
        modes = {member.name: (member.mode, member.mtime, member.linkname) for member in tar}
    assert modes == {
        "othello-1": (0o755, MADE_AT, ""),
        "othello-1/othello": (0o755, MADE_AT, ""),
        "othello-1/parts": (0o755, MADE_AT, ""),
        "othello-1/parts/link": (0o777, MADE_AT, "one.txt"),
        "othello-1/parts/one.txt": (0o644, MADE_AT, ""),
    }


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="needs dpkg-deb")
def test_dpkg_takes_the_package(tmp_path: Path) -> None:
    file = tmp_path / "othello.deb"
    fields = {"Package": "othello-lab", "Version": "1", "Architecture": "all", "Maintainer": "x", "Description": "x"}
    link = PurePosixPath("../lib/othello/othello")
    installed: Entries = {**entries_of(program(tmp_path / "a"), "usr/lib/othello"), "usr/bin/othello": link}
    file.write_bytes(deb_of(fields, installed, MADE_AT, lzma.compress))
    subprocess.run(["dpkg-deb", "--extract", file, tmp_path / "root"], check=True)
    assert (tmp_path / "root" / "usr" / "bin" / "othello").resolve().stat().st_mode & 0o100
    fields_read = subprocess.run(["dpkg-deb", "--field", file], check=True, capture_output=True, text=True).stdout
    assert "Installed-Size: 2\n" in fields_read


@pytest.mark.parametrize(
    ("system", "machine", "names"),
    [
        ("linux", "x86_64", ["othello-1.0-linux-x86_64.tar.gz", "othello-lab_1.0-1_amd64.deb"]),
        ("darwin", "arm64", ["othello-1.0-macos-aarch64.tar.gz"]),
        ("win32", "AMD64", ["othello-1.0-windows-x86_64.zip"]),
    ],
)
def test_every_system_has_its_archives(
    system: str, machine: str, names: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def freeze(package: Path, work: Path, name: str) -> Path:
        folder = program(work / name)
        (folder / "licences").mkdir()
        (folder / "licences" / "README.txt").write_text(package.name)
        return folder

    monkeypatch.setattr(package, "freeze", freeze)
    monkeypatch.setattr(package, "collect", lambda *_: None)
    monkeypatch.setattr(package, "_manual", lambda *_: "")
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    wheel, out = tmp_path / "othello_lab-1.0-py3-none-any.whl", tmp_path / "out"
    out.mkdir()
    with zipfile.ZipFile(wheel, "w") as file:
        file.writestr("othello/__init__.py", "")
    made = package._downloads(package._ROOT, wheel, tmp_path / "work", out, MADE_AT)
    assert [path.name for path in made] == names
    assert all(path.stat().st_size for path in made)


def test_no_library_is_bundled_without_its_licence(tmp_path: Path) -> None:
    folder = program(tmp_path / "a")
    data = folder / "othello_data" / "data"
    data.mkdir(parents=True)
    (folder / "libSDL2-2-50d19f93.0.so.0.3200.10").touch()
    licences.collect(folder, package._ROOT, data, ("numpy", "accesskit"))
    works = {work["name"]: work["licence"] for work in json.loads((data / "licences.json").read_text())}
    assert works["SDL"] == "Zlib"
    assert any(name.startswith("numpy ") for name in works)
    assert (folder / "licences" / "numpy.txt").stat().st_size > 1000
    if sys.platform == "linux":
        with pytest.raises(ValueError, match="libstranger"):
            list(licences._libraries("libstranger.so.1"))
