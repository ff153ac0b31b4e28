"""Where compiled code is kept, seen from processes of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from othello.kernel.jit import SOURCES

ROOT = Path(__file__).parents[2]
WARNING = "kernels are compiled anew at every start"

# Recursive, so that the cache is tried with what it finds hardest, and through the protocol's dispatch.
COMPILE = """
from othello.rules.othello import Othello
from tests import compiled_face
rules = Othello()
start = rules.start()
print(rules.perft(start, 7), compiled_face.legal_moves(rules.kernel_state(start), rules.max_moves))
"""
RESULT = "55092 (19, 26, 37, 44)"
SHOW_FOLDER = "from othello.kernel.jit import CACHE_FOLDER; print(CACHE_FOLDER)"


def run(script: str, cache: Path, package: Path = ROOT) -> tuple[str, str]:
    """(output, errors) of a fresh process."""
    environment = {**os.environ, "OTHELLO_CACHE_DIR": str(cache), "PYTHONPATH": str(package)}
    ran = subprocess.run(
        [sys.executable, "-P", "-c", script], capture_output=True, text=True, check=True, env=environment, cwd=package
    )
    return ran.stdout.strip(), ran.stderr.strip()


def written(folder: Path) -> dict[Path, int]:
    return {file: file.stat().st_mtime_ns for file in folder.rglob("*") if file.is_file()}


def test_the_second_process_loads_what_the_first_compiled(tmp_path: Path) -> None:
    assert run(COMPILE, tmp_path) == (RESULT, "")
    compiled = written(tmp_path)
    assert len(compiled) >= 2
    assert run(COMPILE, tmp_path) == (RESULT, "")
    assert written(tmp_path) == compiled


COMPILE_HALTINGLY = """
import sys
from numba import types
from numba.core import caching
from othello.kernel.bits import as_int64

argument_type, step = sys.argv[1:]
write = getattr(caching.IndexDataCacheFile, step)

def write_later(*arguments):
    print("here", flush=True)
    sys.stdin.readline()
    write(*arguments)

setattr(caching.IndexDataCacheFile, step, write_later)
as_int64.compile((getattr(types, argument_type),))
"""
"""Compiles a function for a type, and waits for a line before one of the two files is written."""
CALL = "import numpy; from othello.kernel.bits import as_int64; print(as_int64(numpy.uint64(2**62 + 1)))"


def test_two_processes_that_compile_one_function_do_not_take_each_others_code(tmp_path: Path) -> None:
    environment = {**os.environ, "OTHELLO_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-P", "-c", COMPILE_HALTINGLY]

    def begun(*arguments: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [*command, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "here\n"
        return process

    first, second = begun("uint64", "_save_index"), begun("float64", "_save_data")
    first.communicate("go on\n")
    second.communicate("go on\n")
    assert run(CALL, tmp_path) == (str(2**62 + 1), "")


def test_without_a_folder_to_write_to_it_compiles_and_says_so_once(tmp_path: Path) -> None:
    no_folder = tmp_path / "file"
    no_folder.write_text("in the way")
    output, errors = run(COMPILE, no_folder)
    assert output == RESULT
    assert errors.count(WARNING) == len(errors.splitlines()) == 1
    assert list(tmp_path.iterdir()) == [no_folder]


def test_an_edit_of_any_kernel_is_another_folder(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(ROOT / "othello", copy / "othello", ignore=shutil.ignore_patterns("__pycache__"))
    before = run(SHOW_FOLDER, tmp_path / "cache", copy)
    assert run(SHOW_FOLDER, tmp_path / "cache", copy) == before
    with (copy / "othello" / "rules" / "othello_playouts.py").open("a") as source:
        source.write("\n# an edit\n")
    after = run(SHOW_FOLDER, tmp_path / "cache", copy)
    assert after != before
    (copy / "othello" / "search" / "deeper").mkdir()
    (copy / "othello" / "search" / "deeper" / "__init__.py").touch()
    assert run(SHOW_FOLDER, tmp_path / "cache", copy) not in (before, after)


def test_every_file_with_kernels_counts() -> None:
    package = ROOT / "othello"
    with_kernels = {
        file for file in package.rglob("*.py") if "from othello.kernel.jit import" in file.read_text("utf-8")
    }
    counted = {file for folder in SOURCES for file in (package / folder).rglob("*.py")}
    assert with_kernels - counted == {package / "bench.py"}  # numba itself sees an edit of the file that it compiles


def test_an_entry_that_leads_nowhere_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels" / "gone").symlink_to(tmp_path / "nowhere")
    folder, errors = run(SHOW_FOLDER, tmp_path)
    assert Path(folder).is_dir()
    assert not errors


def test_folders_of_former_sources_are_swept_out(tmp_path: Path) -> None:
    for age in range(1, 9):
        former = tmp_path / "kernels" / f"former{age}"
        former.mkdir(parents=True)
        os.utime(former, (1_000_000_000 - age,) * 2)
    folder, errors = run(SHOW_FOLDER, tmp_path)
    assert not errors
    left = {entry.name for entry in (tmp_path / "kernels").iterdir()}
    assert left == {Path(folder).name, "former1", "former2", "former3"}
