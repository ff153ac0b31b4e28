"""The cache of compiled code, tested in separate processes."""

import hashlib
import os
import pickle
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import config
from numba.core.compiler_lock import global_compiler_lock

from othello.kernel import jit, sources
from othello.kernel.cache import install_files
from othello.kernel.jit import implements, kernel
from othello.kernel.loading import NotCompiledError, only_loading
from othello.kernel.random import next_random, random_state

ROOT = Path(__file__).parents[2]


def run_and_warn(script: str, cache: Path, package: Path = ROOT, arguments: Sequence[str] = ()) -> tuple[str, str]:
    """Return the output and the warnings of a new process."""
    environment = {**os.environ, "OTHELLO_CACHE_DIR": str(cache), "PYTHONPATH": str(package)}
    command = [sys.executable, "-P", "-c", script, *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, env=environment, cwd=package)
    return ran.stdout.strip(), ran.stderr.strip()


def run(script: str, cache: Path, package: Path = ROOT, arguments: Sequence[str] = ()) -> str:
    """Return the output of a new process that prints no warnings."""
    output, warnings = run_and_warn(script, cache, package, arguments)
    assert warnings == ""
    return output


def copied(folder: Path) -> Path:
    """Copy the program to a folder."""
    shutil.copytree(ROOT / "othello", folder / "othello", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def is_one_warning(warnings: str) -> bool:
    return warnings.count("kernels are compiled anew at every start") == len(warnings.splitlines()) == 1


def written(folder: Path) -> dict[Path, int]:
    return {file: file.stat().st_mtime_ns for file in folder.rglob("*") if file.is_file()}


COMPILE_A_SEARCH = """
import sys
import numpy as np
from othello.rules.registry import game_spec, rules_of
from othello.search import graph
rules = rules_of(game_spec(sys.argv[1]))
store = graph.new_graph(rules, 8, 80)
words, moves = np.empty(rules.state_words, np.uint64), np.empty(rules.max_moves, np.uint8)
print(graph.reach_node(store, rules.kernel_state(rules.start()), words, moves))
"""


@pytest.mark.slow
def test_a_cache_without_code_for_another_game_is_completed(tmp_path: Path) -> None:
    """The implementations for another game's states must not be registered first during a compilation."""
    assert run(COMPILE_A_SEARCH, tmp_path, arguments=["tictactoe"]) == "0"
    last = [file for file in tmp_path.rglob("graph.*") if "reach_node" in file.name or "node_of_any" in file.name]
    assert last
    for file in last:
        file.unlink()
    assert run(COMPILE_A_SEARCH, tmp_path, arguments=["othello"]) == "0"


def test_nothing_is_registered_while_another_thread_compiles() -> None:
    def of_all(state: object) -> None: ...

    registered = threading.Event()

    def register() -> None:
        implements(of_all, type(None))(lambda state: None)  # noqa: ARG005
        registered.set()

    thread = threading.Thread(target=register)
    with global_compiler_lock:
        thread.start()
        assert not registered.wait(0.1)
    thread.join()
    assert registered.is_set()


COMPILE_LITTLE = """
import numpy as np
from othello.kernel.random import next_random, random_state
state = random_state(np.random.SeedSequence(7))
print(next_random(state), next_random(state))
"""
START_A_PROCESS = """
from multiprocessing import get_context
process = get_context("spawn").Process(target=random_state, args=(np.random.SeedSequence(1),))
process.start()
process.join()
print(process.exitcode)
"""


def test_processes_without_a_cache_folder_compile_and_warn_once(tmp_path: Path) -> None:
    no_folder = tmp_path / "file"
    no_folder.write_text("in the way")
    output, warnings = run_and_warn(COMPILE_LITTLE + START_A_PROCESS, no_folder)
    state = random_state(np.random.SeedSequence(7))
    assert output == f"{next_random(state)} {next_random(state)}\n0"
    assert (is_one_warning(warnings), list(tmp_path.iterdir())) == (True, [no_folder])


def test_only_undamaged_files_of_another_machine_are_installed(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    entry = hashlib.sha256(b"code").digest() + b"code"
    damaged = {"a/bad": flipped(entry, 34), "a/short": entry[:20]}
    install_files(tmp_path / "here", {"a/good": entry, **damaged, "../evil": entry, "up": entry})
    assert [file.name for file in written(tmp_path)] == ["good"]


DAMAGES: Mapping[str, Callable[[bytes], bytes]] = {
    "truncated": lambda entry: entry[:-7],
    "emptied": lambda _: b"",
    "another pickle": lambda _: pickle.dumps(("no", "code")),
    "a bit flipped": lambda entry: flipped(entry, len(entry) // 2),
}


def flipped(entry: bytes, index: int) -> bytes:
    return entry[:index] + bytes([entry[index] ^ 4]) + entry[index + 1 :]


def one_more(number: int) -> int:
    return number + 1


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_entry_is_compiled_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str) -> None:
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))

    def loaded_entries() -> int:
        """Call a new kernel, and return the number of cache entries that were loaded."""
        function: Any = kernel(one_more)
        assert function(41) == 42
        return sum(function.stats.cache_hits.values())

    assert [loaded_entries(), loaded_entries()] == [0, 1]
    python, kernels = tmp_path.rglob("*.nbc")  # the code for Python, and the code for other kernels
    for file in (python, kernels):
        file.write_bytes(DAMAGES[damage](file.read_bytes()))
        for state in range(5):  # of older sources
            file.with_suffix("").with_suffix(f".{state}.nbc").touch()
    assert [loaded_entries(), loaded_entries(), len(list(tmp_path.rglob("*.nbc")))] == [0, 1, 8]


def test_a_thread_that_may_only_load_code_does_not_compile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    with only_loading(), pytest.raises(NotCompiledError):
        kernel(one_more)(41)
    assert kernel(one_more)(41) == 42
    with only_loading():
        assert kernel(one_more)(41) == 42


FILL_THE_DISK = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"


@pytest.mark.skipif(sys.platform == "win32", reason="no such limit there")
def test_with_a_full_disk_one_warning_is_printed_and_cached_code_is_loaded(tmp_path: Path) -> None:
    output, warnings = run_and_warn(FILL_THE_DISK + COMPILE_LITTLE, tmp_path)
    assert output
    assert is_one_warning(warnings)
    assert not written(tmp_path)
    assert run(COMPILE_LITTLE, tmp_path) == output
    assert run(FILL_THE_DISK + COMPILE_LITTLE, tmp_path) == output


def test_files_in_the_place_of_cache_folders_give_one_warning(tmp_path: Path) -> None:
    output = run(COMPILE_LITTLE, tmp_path)
    for entry in (tmp_path / "kernels").glob("*/*"):
        shutil.rmtree(entry)
        entry.touch()
    again, warnings = run_and_warn(COMPILE_LITTLE, tmp_path)
    assert again == output
    assert is_one_warning(warnings)


# perft is recursive, which is the hardest for the cache, and calls the functions of the protocol.
COUNT_LEAVES = """
import sys
from pathlib import Path
from othello.rules.registry import game_spec, rules_of
for game in ("connect_four", "tictactoe"):
    rules = rules_of(game_spec(game))
    leaves = rules.perft(rules.start(), 3)
    print(game, leaves, *(f"{file}:{file.stat().st_mtime_ns}" for file in Path(sys.argv[1]).rglob("*.*")))
"""


def test_an_edit_compiles_only_the_code_that_depends_on_it(tmp_path: Path) -> None:
    copy, cache = copied(tmp_path / "copy"), tmp_path / "cache"
    compiled: set[str] = set()

    def compiled_again() -> dict[str, set[str]]:
        """Return the names of the new files by game, without their digests."""
        names: dict[str, set[str]] = {}
        for line in run(COUNT_LEAVES, cache, copy, [str(cache)]).splitlines():
            game, leaves, *files = line.split()
            assert leaves == {"connect_four": "343", "tictactoe": "504"}[game]
            names[game] = {file.rsplit("/", 1)[-1].rsplit(".", 2)[0] for file in set(files) - compiled}
            compiled.update(files)
        return names

    def edit(source: str, before: str, after: str) -> None:
        file = copy / "othello" / source
        text = file.read_text(encoding="utf-8")
        assert before in text
        file.write_text(text.replace(before, after, 1), encoding="utf-8")

    first = compiled_again()
    assert all(first.values())

    copy = copy.rename(tmp_path / "moved")
    edit("rules/connect_four/connect_four_kernels.py", "\n@implements", "\n# A comment.\n\n\n@implements")
    edit("kernel/bits.py", '"""', '"""Another docstring. ')
    assert not any(compiled_again().values())

    edit("rules/connect_four/connect_four_kernels.py", "\n@implements", "\n_UNUSED = 1\n\n\n@implements")
    with_game = {name for name in first["connect_four"] if not name.startswith("bits.")}
    assert compiled_again() == {"connect_four": with_game, "tictactoe": set()}

    edit("kernel/bits.py", "\n_MAX_MOVES = 255\n", "\n_MAX_MOVES = 254\n")
    assert compiled_again() == first


def test_without_digests_of_the_code_an_edit_of_any_kernel_is_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = copied(tmp_path) / "othello"
    monkeypatch.setenv("OTHELLO_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("OTHELLO_KERNELS", "plain")
    monkeypatch.setattr(jit, "ACCELERATORS", jit._install_accelerators())
    monkeypatch.setattr(sources, "_PACKAGE", copy)
    before = jit._cache_folder()
    assert jit._cache_folder() == before
    with (copy / "rules" / "othello" / "playouts.py").open("a") as source:
        source.write("\n# an edit\n")
    assert jit._cache_folder() != before


def test_every_file_with_kernels_counts() -> None:
    files = (ROOT / "othello").rglob("*.py")
    with_kernels = {file for file in files if "from othello.kernel.decorators import" in file.read_text("utf-8")}
    assert with_kernels <= set(sources.kernel_sources())


def test_only_the_newest_folders_of_former_sources_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHELLO_CACHE_DIR", str(tmp_path))
    folder = jit._cache_folder()
    assert folder is not None
    for age in range(1, 9):
        former = tmp_path / "kernels" / f"former{age}"
        former.mkdir(parents=True)
        os.utime(former, (1_000_000_000 - age,) * 2)
    (tmp_path / "kernels" / "gone").symlink_to(tmp_path / "nowhere")
    os.utime(folder, (1, 1))
    assert jit._cache_folder() == folder
    assert {entry.name for entry in folder.parent.iterdir()} == {folder.name, "gone", "former1", "former2"}


PLAY_BRIEFLY = """
import numpy as np
from othello.game import Game
from othello.kernel import jit
from othello.players.player import choose
from othello.players.player_registry import configure, create_player
from othello.rules.registry import game_spec, rules_of
spec = game_spec("connect_four")
with create_player(configure("mcts_uct", simulation_count=50), spec) as player:
    print(choose(player, Game.new(rules_of(spec))).move, *jit.ACCELERATORS, jit.CACHE_FOLDER)
"""


@pytest.mark.slow
def test_plain_numba_plays_the_same_and_loads_what_it_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = run(PLAY_BRIEFLY, Path(os.environ["OTHELLO_CACHE_DIR"]))
    monkeypatch.setenv("OTHELLO_KERNELS", "plain")
    output = run(PLAY_BRIEFLY, tmp_path)
    plain_move, folder = output.split()  # and no accelerators
    assert plain_move == usual.split()[0]
    compiled = written(Path(folder))
    assert {file.suffix for file in compiled} == {".nbi", ".nbc"}
    assert run(PLAY_BRIEFLY, tmp_path) == output
    assert written(Path(folder)) == compiled
