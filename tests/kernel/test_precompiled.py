"""Kernels that travel with the program in a library."""

import ctypes
import hashlib
import os
import random
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

from othello.errors import OthelloError
from othello.kernel import precompiled
from othello.kernel.precompiled import KernelLibrary, RefusedError, library_file, tiers
from othello.kernel.sources import digest_of_sources
from tools.kernels import write_index

ROOT = Path(__file__).parents[2]
MADE = ROOT / "build" / "kernels"
TIER, OTHER = "x86-64-v3", "x86-64-v2"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write valid indices for files that are no libraries. They are never loaded."""
    for tier in (TIER, OTHER):
        library_file(tmp_path, tier).write_bytes(tier.encode() + bytes(2000))
        write_index(tmp_path, tier, digest_of_sources().hexdigest(), {"kernel": {"int64": ["kernel_0", "int64"]}})
    return tmp_path


def is_refused(folder: Path) -> bool:
    """Return whether a library is refused before the system is asked to load it, which fails."""
    with pytest.raises((RefusedError, OSError)) as caught:
        KernelLibrary(TIER, folder)
    return isinstance(caught.value, RefusedError)


def flipped(content: bytes, bit: int) -> bytes:
    return content[: bit // 8] + bytes([content[bit // 8] ^ 1 << bit % 8]) + content[bit // 8 + 1 :]


def test_no_damaged_file_is_loaded(folder: Path) -> None:
    assert not is_refused(folder)
    chance = random.Random(1)
    damages: list[Callable[[bytes], bytes]] = [
        lambda content: flipped(content, chance.randrange(8 * len(content))),
        lambda content: content[: chance.randrange(len(content))],
        lambda content: content + chance.randbytes(chance.randrange(1, 9)),
        lambda content: content.replace(b"6", b"7") if b"6" in content else content[::-1],
        lambda content: chance.randbytes(len(content)),
    ]
    for file in (library_file(folder, TIER), library_file(folder, TIER).with_suffix(".json")):
        whole = file.read_bytes()
        for number in range(250):
            file.write_bytes(damages[number % len(damages)](whole))
            assert is_refused(folder), f"{file.name}, damage {number}"
        file.write_bytes(whole)
    assert not is_refused(folder)


@pytest.mark.parametrize("suffixes", [(".so",), (".json",), (".so", ".json")])
def test_a_library_of_another_tier_is_refused(folder: Path, suffixes: tuple[str, ...]) -> None:
    for suffix in suffixes:
        file = library_file(folder, TIER).with_suffix(suffix)
        file.write_bytes(library_file(folder, OTHER).with_suffix(suffix).read_bytes())
    assert is_refused(folder)


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.4.0", reason="older versions do not name the tiers")
def test_the_tiers_are_known_without_proc(monkeypatch: pytest.MonkeyPatch) -> None:
    by_cpuinfo = tiers()
    monkeypatch.setattr(precompiled, "_CPUINFO", Path("/nowhere"))
    assert tiers() == [tier for tier in by_cpuinfo if not tier.endswith("-bitalg")]  # numpy has no name for it


def test_a_kernel_is_found_in_a_library_of_the_same_sources(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda _: {"kernel_0": SimpleNamespace()})
    kernels = KernelLibrary(TIER, folder)
    assert [kernels.find("kernel", "float64"), kernels.find("another", "int64")] == [None, None]
    assert kernels.find("kernel", "int64") == (SimpleNamespace(argtypes=(ctypes.c_char_p, ctypes.c_void_p)), "int64")
    monkeypatch.setattr("othello.kernel.precompiled.digest_of_sources", hashlib.sha256)
    assert is_refused(folder)


PART = "--player=mcts_uct", "--game=connect_four"
PLAY = """
import sys
sys.modules["numba"] = sys.modules["llvmlite"] = None
from othello.game import Game
from othello.kernel.precompiled import library
from othello.players.player import choose
from othello.players.player_registry import configure, create_player
from othello.rules.registry import game_spec, rules_of
spec = game_spec("connect_four")
with create_player(configure("mcts_uct"), spec) as player:
    print(library().tier, choose(player, Game.new(rules_of(spec))).move)
"""


def test_without_a_library_and_a_compiler_the_error_is_one_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for tier in (TIER, OTHER):
        library_file(folder, tier).write_bytes(b"something else")
    monkeypatch.setenv("OTHELLO_KERNELS", str(folder))
    assert precompiled.library.__wrapped__() is None, "there is a compiler"
    assert f"kernels in {folder} are not used, but compiled: the library is damaged" in caplog.text
    monkeypatch.setattr(precompiled, "find_spec", lambda _: None)
    with pytest.raises(OthelloError, match=r"cannot load .*\. Please reinstall the program"):
        precompiled.library.__wrapped__()


class Pair(NamedTuple):
    first: Any
    second: Any


def test_arguments_arrive_in_slots_whatever_their_types(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, ...]] = []

    def code(slots: bytes | None, _result: Any) -> int:
        seen.append(struct.unpack(f"={len(slots) // 8}q", slots) if slots else ())
        return 0

    asked: list[str] = []

    def find(_kernel: str, types: str) -> tuple[Any, str]:
        asked.append(types)
        return code, "int64"

    monkeypatch.setattr(precompiled, "library", lambda: SimpleNamespace(find=find))
    kernel = precompiled.LinkedKernel(find)
    words = np.zeros((2, 3), np.uint64)
    for size in range(1, 50):
        tree = Pair(np.zeros(size, np.uint32), np.zeros(size % 7 + 1, np.float32))
        kernel(tree, 5, Pair(np.uint64(6), 7), words, None)
        addresses = [array.ctypes.data for array in (*tree, words)]
        assert seen[-1] == (size, addresses[0], size % 7 + 1, addresses[1], 5, 6, 7, 2, 3, addresses[2])
    assert len(asked) == 1
    half = words[:, ::2]
    fixed = np.zeros(4, np.uint64)
    fixed.flags.writeable = False
    calls: list[tuple[tuple[Any, ...], tuple[int, ...]]] = [
        ((True, -1), (1, -1)),
        ((np.uint64(1), -1), (1, -1)),
        ((Pair(tree, 1), -1), (*seen[-1][:4], 1, -1)),
        ((-1, tree), (-1, *seen[-1][:4])),
        ((-1, Pair(*reversed(tree))), (-1, *seen[-1][2:4], *seen[-1][:2])),
        ((Pair(tree.second, 1), -1), (*seen[-1][2:4], 1, -1)),
        ((half, -1), (2, 2, half.ctypes.data, *half.strides, -1)),
        ((fixed, -1), (4, fixed.ctypes.data, -1)),
        ((words[0], -1), (3, words.ctypes.data, -1)),
    ]
    kernel = precompiled.LinkedKernel(find)
    for _ in range(2):
        for arguments, slots in calls:
            kernel(*arguments)
            assert seen[-1] == slots
    assert len(asked) == len(set(asked)) == 1 + len(calls), "a type is looked up once"


def run(*command: str, kernels: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "OTHELLO_KERNELS": str(kernels), "PYTHONPATH": str(ROOT)}
    words = [sys.executable, "-P", *command]
    return subprocess.run(words, capture_output=True, text=True, env=environment, cwd=ROOT, check=False)


@pytest.mark.rare
@pytest.mark.skipif(not tiers(), reason="libraries are made on Linux")
def test_the_same_library_is_made_twice_and_plays_without_a_compiler(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for out in (first, second):
        made = run("-m", "tools.kernels", "--out", str(out), f"--tier={tiers()[0]}", *PART, kernels=tmp_path)
        assert made.returncode == 0, made.stderr
    once, again = ({file.name: file.read_bytes() for file in out.iterdir()} for out in (first, second))
    assert once == again
    played = run("-c", PLAY, kernels=first)
    assert (played.stdout.split()[0], played.stderr) == (tiers()[0], "")
    missing = run("-c", PLAY.replace("mcts_uct", "heuristic"), kernels=first)
    assert missing.returncode
    assert "OTHELLO_KERNELS=compile" in missing.stderr


@pytest.mark.rare
@pytest.mark.parametrize("tier", tiers())
def test_every_tier_plays_all_as_numba_does(tmp_path: Path, tier: str) -> None:
    try:
        KernelLibrary(tier, MADE)
    except (OSError, RefusedError) as error:
        pytest.skip(f"`python -m tools.kernels` makes the libraries: {error}")
    for file in MADE.glob(f"kernels-{tier}.*"):
        (tmp_path / file.name).symlink_to(file)
    what = ["all"] if tier == tiers()[0] else []
    played = run("-m", "tests.kernel.without_compiler", *what, kernels=tmp_path)
    assert (played.returncode, played.stderr) == (0, "")
    assert played.stdout.split()[-1] == tier
