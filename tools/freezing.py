"""Make the folder that runs without Python: the interpreter, the program and its libraries."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Set
from importlib.metadata import distribution, packages_distributions
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

INTERNAL: Final = "_internal"
"""PyInstaller's name of the folder for everything except the executable."""

_PICTURES: Final = ("avif", "imagingcms", "imagingft", "imagingmath", "imagingmorph", "imagingtk", "webp")
_DEVICES: Final = ("_camera", "_freetype", "_sdl2", "docs", "examples", "midi", "pypm", "tests")
_NOT_FOR_PLAYERS: Final = {
    *("antigravity", "ensurepip", "idlelib", "test", "this", "turtle", "turtledemo", "venv"),
    *("crypt", "dbm", "nis", "ossaudiodev", "spwd"),  # they need libraries that few systems have
}
_OF_PYTHON: Final = "_bz2 _lzma _ssl _uuid bz2 curses lib2to3 lzma pydoc readline ssl tkinter unittest xmlrpc"
_NEVER_IMPORTED: Final = {
    *(f"PIL._{name}" for name in _PICTURES),
    *(f"pygame.{name}" for name in _DEVICES),
    *_OF_PYTHON.split(),
}
_OF_THE_SYSTEM: Final = re.compile(r"lib(X11|Xau|Xdmcp|bsd|gcc_s|md|stdc\+\+|xcb)\.so\.\d+")
"""Libraries that every desktop has, and that have to match the system's drivers."""


def bundled(*, compiles: bool) -> tuple[str, ...]:
    """Return the names of the distributions in the folder, without the program's own.

    Args:
        compiles: True if the compiler is included, as it must be without precompiled kernels.
    """
    found, absent = set[str](), set() if compiles else {"numba"}
    wanted = ["othello-lab"]
    while wanted:
        name = wanted.pop()
        for text in distribution(name).requires or ():
            required = Requirement(text)
            known = canonicalize_name(required.name)
            is_here = required.marker is None or required.marker.evaluate({"extra": ""})
            if is_here and known not in found | absent:
                found.add(known)
                wanted.append(known)
    return tuple(sorted(found))


def freeze(package: Path, work: Path, name: str) -> Path:
    """Make the folder.

    Args:
        package: folder of the package `othello` as in a wheel, with its data.
        work: folder for intermediate files and the result.
        name: of the resulting folder.
    """
    compiles = not (package / "data" / "kernels").is_dir()
    excluded = sorted(_NEVER_IMPORTED.union(_excluded(set(bundled(compiles=compiles)))))
    begun = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--clean", "--log-level", "WARN", "--name", "othello"]
    places = [f"--distpath={work / 'dist'}", f"--workpath={work / 'made'}", f"--specpath={work / 'made'}"]
    modules = [f"--paths={package.parent}", "--collect-submodules=othello"]
    modules += [f"--exclude-module={module}" for module in excluded]
    # For players written by users.
    public = {module for module in sys.stdlib_module_names if not module.startswith("_")}
    modules += [f"--hidden-import={module}" for module in sorted(public - set(excluded) - _NOT_FOR_PLAYERS)]
    if compiles:  # the compiler reads sources
        modules.append(f"--additional-hooks-dir={work}")
        (work / "hook-othello.py").write_text('module_collection_mode = "py"\n')
    script = Path(__file__).with_name("frozen_start.py")
    subprocess.run([*begun, *places, *modules, script], check=True, cwd=package.parent)
    folder = (work / "dist" / "othello").rename(work / name)
    inside = folder / INTERNAL
    shutil.copytree(package, inside / "othello", ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    laid = inside, *inside.glob("python*/lib-dynload")  # strip damages libraries that auditwheel has changed
    for path in [each for each in sorted(inside.rglob("*.so*")) if not each.is_symlink()]:
        if _OF_THE_SYSTEM.fullmatch(path.name):
            path.unlink()
        elif sys.platform == "linux":
            if path.parent in laid:
                subprocess.run(["strip", "--strip-unneeded", path], check=True)
            found = subprocess.run(
                ["patchelf", "--print-rpath", path], check=True, capture_output=True, text=True
            ).stdout
            if not found.startswith(("$ORIGIN", "\n")):  # a folder of the build machine
                subprocess.run(["patchelf", "--remove-rpath", path], check=True)
    return folder


def _excluded(kept: Set[str]) -> Iterator[str]:
    """Return the installed modules that do not belong there, such as those of tests and tools."""
    for module, owners in packages_distributions().items():
        if module != "othello" and not kept & {canonicalize_name(owner) for owner in owners}:
            yield module
