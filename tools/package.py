"""Make all downloads: `python -m tools.package --out DIR`.

Makes a wheel, an sdist and a folder that runs without Python from the commit that is checked out; the folder is packed
as an archive and, on Linux, as a Debian package. Nothing is downloaded: the extra `package` installs what is needed.
The same commit and libraries give the same bytes.
"""

import argparse
import gzip
import hashlib
import io
import lzma
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable
from datetime import UTC, datetime
from email.utils import format_datetime
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from typing import Final

from tools.archives import Entries, deb_of, entries_of, tar_of
from tools.freezing import INTERNAL, bundled, freeze
from tools.licences import collect

_ROOT: Final = Path(__file__).parents[1]
_SYSTEMS: Final = {"linux": "linux", "darwin": "macos", "win32": "windows"}
_MACHINES: Final = {"amd64": "x86_64", "x64": "x86_64", "arm64": "aarch64"}
_DEBIAN: Final = {"x86_64": "amd64", "aarch64": "arm64"}

_DEBIAN_CHANGES: Final = "usr/share/doc/othello-lab/changelog.Debian.gz"
_BUILT_WITH: Final = ("pyinstaller", "setuptools")

_X11: Final = "libx11-6 libxcursor1 libxext6 libxfixes3 libxi6 libxrandr2"
_WAYLAND: Final = "libdecor-0-0 libegl1 libwayland-client0 libwayland-cursor0 libwayland-egl1 libxkbcommon0"
"""Libraries that SDL loads for Wayland or X11 if they are installed."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.package", description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where all is written")
    out: Path = parser.parse_args().out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    made_at = int(_git("log", "-1", "--format=%ct"))
    # Fixed, because the order of sets and the time stamps must not depend on the run.
    os.environ |= {"SOURCE_DATE_EPOCH": str(made_at), "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    os.umask(0o022)
    os.environ |= {"OTHELLO_HOMEPAGE": homepage} if (homepage := _homepage()) else {}
    if _git("status", "--porcelain"):
        print("what is not committed is left out", file=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="othello-package-") as temporary:
        work = Path(temporary)
        source = _source(work / "source")
        made = [_sdist(source, out, made_at), _wheel(source, out)]
        made += _downloads(source, made[-1], work, out, made_at)
    _tell(made, out)


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=_ROOT, check=True, capture_output=True, text=True).stdout.strip()


def _homepage() -> str | None:
    """Return the web address of the repository that the checkout was cloned from; None if it has none."""
    remotes = _git("remote", "-v").split()
    return next((url.removesuffix(".git") for url in remotes if url.startswith("https://")), None)


def _source(folder: Path) -> Path:
    """Export the files of the commit, with the compiled kernels."""
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=_ROOT, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(folder, filter="data")
    # This variable already names kernels, also for setup.py.
    if sys.platform == "linux" and "OTHELLO_BUILD_KERNELS" not in os.environ:
        words = [sys.executable, "-m", "tools.kernels", "--out", "build/kernels"]
        subprocess.run(words, cwd=folder, check=True, stdout=sys.stderr)
    return folder


def _sdist(source: Path, out: Path, made_at: int) -> Path:
    """Rebuild the sdist with the program's name and version, without the user and time of the build."""
    with tempfile.TemporaryDirectory() as temporary:
        name = _built("sdist", source, Path(temporary))
        folder = Path(temporary) / name.removesuffix(".tar.gz")
        with tarfile.open(Path(temporary) / name) as tar:
            tar.extractall(temporary, filter="data")
        (out / name).write_bytes(gzip.compress(tar_of(entries_of(folder, folder.name), made_at), mtime=made_at))
    return out / name


def _wheel(source: Path, out: Path) -> Path:
    return out / _built("wheel", source, out)


def _built(kind: str, source: Path, folder: Path) -> str:
    """Build a distribution of a kind with setuptools, and return its file name."""
    code = f"import sys; from setuptools import build_meta as to; print(to.build_{kind}(sys.argv[1]))"
    words = [sys.executable, "-c", code, str(folder)]
    told: str = subprocess.run(words, cwd=source, check=True, stdout=subprocess.PIPE, text=True).stdout
    return told.rsplit(maxsplit=1)[-1]


def _downloads(source: Path, wheel: Path, work: Path, out: Path, made_at: int) -> list[Path]:
    """Make the downloads for this system and processor, which run without Python."""
    number = wheel.name.split("-")[1]
    machine = platform.machine().lower()
    machine = _MACHINES.get(machine, machine)
    name = f"othello-{number}-{_SYSTEMS[sys.platform]}-{machine}"
    with zipfile.ZipFile(wheel) as file:
        file.extractall(work / "site")
    package = work / "site" / "othello"
    folder = freeze(package, work, name)
    collect(
        folder,
        source,
        folder / INTERNAL / "othello" / "data",
        (*bundled(compiles=not (package / "data" / "kernels").is_dir()), "pyinstaller"),
    )
    if sys.platform == "win32":
        return [Path(shutil.make_archive(str(out / name), "zip", work, name))]
    archive = out / f"{name}.tar.gz"
    archive.write_bytes(gzip.compress(tar_of(entries_of(folder, name), made_at), mtime=made_at))
    if sys.platform != "linux":
        return [archive]
    package_file = out / f"othello-lab_{number}-1_{_DEBIAN.get(machine, machine)}.deb"
    maintainer, homepage = _git("log", "-1", "--format=%an <%ae>"), _homepage()
    fields = {
        "Package": "othello-lab",
        "Version": f"{number}-1",
        "Architecture": _DEBIAN.get(machine, machine),
        "Maintainer": maintainer,
        **({"Homepage": homepage} if homepage else {}),
        "Section": "games",
        "Priority": "optional",
        "Depends": ", ".join((f"libc6 (>= {_glibc(folder)})", "libgcc-s1", "libstdc++6", *_X11.split())),
        "Recommends": ", ".join((*_WAYLAND.split(), "libpulse0", "xdg-utils")),
        "Description": "Othello to play, watch and understand\n"
        " Play Othello and three other games against opponents from beginner to strong,\n"
        " see why they move as they do, and review your games.\n"
        " Also a laboratory for search algorithms.",
    }
    changes = f"othello-lab ({number}-1) unstable; urgency=medium\n\n  * Release {number}. See changelog.gz.\n\n"
    changes += f" -- {maintainer}  {format_datetime(datetime.fromtimestamp(made_at, UTC))}\n"
    entries = {**_installed(folder, source, made_at), _DEBIAN_CHANGES: gzip.compress(changes.encode(), mtime=made_at)}
    package_file.write_bytes(deb_of(fields, entries, made_at, lzma.compress))
    return [archive, package_file]


def _glibc(folder: Path) -> str:
    """Return the oldest version of the GNU C library, at least 2.17, that has all functions that are called."""
    asked: set[bytes] = set()
    for path in folder.rglob("*"):
        if path.is_file() and (path.name == "othello" or ".so" in path.name):
            asked.update(re.findall(rb"\0GLIBC_2\.(\d+)(?=\0)", path.read_bytes()))
    return f"2.{max(map(int, asked))}"


def _installed(folder: Path, source: Path, made_at: int) -> Entries:
    """Return the paths of installed files in a package."""
    desktop, share = source / "assets" / "desktop", "usr/share"
    icons = entries_of(desktop / "icons", f"{share}/icons/hicolor")
    licences = source / "LICENSE", folder / "licences" / "README.txt"
    return {
        **entries_of(folder, "usr/lib/othello"),
        "usr/games/othello": PurePosixPath("../lib/othello/othello"),
        f"{share}/applications/othello.desktop": desktop / "othello.desktop",
        f"{share}/metainfo/othello.metainfo.xml": desktop / "othello.metainfo.xml",
        f"{share}/mime/packages/othello.xml": desktop / "othello.xml",
        f"{share}/man/man6/othello.6.gz": gzip.compress(_manual(folder, made_at).encode(), mtime=made_at),
        f"{share}/doc/othello-lab/copyright": b"\n".join(path.read_bytes() for path in licences),
        f"{share}/doc/othello-lab/changelog.gz": gzip.compress((source / "CHANGELOG.md").read_bytes(), mtime=made_at),
        **{name.replace("othello.png", "apps/othello.png"): path for name, path in icons.items()},
    }


def _manual(folder: Path, made_at: int) -> str:
    """Return a manual page made from the program's own help; the program has to run for that."""
    environment = {**os.environ, "COLUMNS": "80", "LC_ALL": "C.UTF-8"}
    told = subprocess.run([folder / "othello", "--help"], env=environment, check=True, capture_output=True, text=True)
    day = datetime.fromtimestamp(made_at, UTC).date().isoformat()
    text = re.sub(r"^(?=[.'])", r"\\&", told.stdout.replace("\\", r"\e").replace("-", r"\-"), flags=re.MULTILINE)
    head = f'.TH OTHELLO 6 {day} "Othello"\n.SH NAME\nothello \\- play, watch and understand Othello\n'
    return f"{head}.SH DESCRIPTION\n.nf\n{text}.fi\n"


def _tell(made: Iterable[Path], out: Path) -> None:
    """Print and write the names of all files, with digests for `sha256sum -c`."""
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in made]
    of = [f"# commit {_git('rev-parse', 'HEAD')}, Python {platform.python_version()}"]
    of += [f"# {name} {version(name)}" for name in (*bundled(compiles=True), *_BUILT_WITH)]
    text = "\n".join((*of, *sums))
    (out / "SHA256SUMS").write_text(f"{text}\n", encoding="utf-8")
    print(text)
    for path in made:
        print(f"{path.stat().st_size / 1e6:>8.1f} MB  {path}")


if __name__ == "__main__":
    main()
