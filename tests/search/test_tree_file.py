"""Files of what searches know: whole ones are read, all others are refused in one line."""

import io
import random
import struct
import sys
import tracemalloc
import zipfile
import zlib
from pathlib import Path

import numpy as np
import pytest

from othello.errors import TreeFileError
from othello.game import Game
from othello.players.player import choose
from othello.players.player_registry import configure, create_player
from othello.rules.registry import game_spec, rules_of
from othello.schema import Value
from othello.search import tree_file
from tests.simulators import OPENING, go, new_search, snapshot_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a tree file."""
    path = tmp_path / "tree.npz"
    tree_file.save(path, "uct", snapshot_of("uct"))
    return path


def test_a_missing_file_has_no_snapshot(tmp_path: Path) -> None:
    assert tree_file.load(tmp_path / "none.npz", "uct") is None


def npz(**arrays: object) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)  # type: ignore[arg-type]
    return file.getvalue()


HEADER = np.array(["othello-search", "3", "uct"])
HEADER.view(np.uint32)[-1] = 0x110000  # beyond the last character


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param(b"hello", "damaged", id="text"),
        pytest.param(b"", "damaged", id="empty"),
        pytest.param(npz(header=HEADER), "not a search tree file of this program", id="impossible character"),
        pytest.param(npz(anything=np.zeros(3)), "not a search tree file of this program", id="other arrays"),
        pytest.param(npz(header=np.array([{"a": 1}], dtype=object)), "damaged", id="pickle"),
    ],
)
def test_foreign_files_are_refused_and_left_alone(content: bytes, words: str, path: Path) -> None:
    path.write_bytes(content)
    with pytest.raises(TreeFileError, match=rf"tree\.npz: .*{words}") as caught:
        tree_file.load(path, "uct")
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == content


def test_a_file_of_another_player_is_refused(path: Path) -> None:
    with pytest.raises(TreeFileError, match="needed: version 1 of grouping"):
        tree_file.load(path, "grouping")


@pytest.mark.parametrize(
    "search", ["uct", *(pytest.param(name, marks=pytest.mark.slow) for name in ("ucb1", "grouping"))]
)
def test_no_changed_bit_goes_unnoticed(search: str, tmp_path: Path) -> None:
    """Unless it is in a place that says nothing, such as an archive's date. The directory at the end hides the most."""
    path, reader = tmp_path / "tree.npz", new_search(search)
    snapshot = go(new_search(search), OPENING, count=20).snapshot()
    tree_file.save(path, search, snapshot)
    whole, draw = path.read_bytes(), random.Random(1)
    refused = 0
    for turn in range(600):
        content = bytearray(whole)
        content[draw.randrange(len(whole) - 1500 if turn % 2 else 0, len(whole))] ^= 1 << draw.randrange(8)
        path.write_bytes(content)
        try:
            loaded = tree_file.load(path, search)
        except TreeFileError:
            refused += 1
            continue
        assert loaded is not None
        if any(not np.array_equal(loaded.get(name, ()), snapshot[name]) for name in snapshot):
            with pytest.raises(ValueError, match="field"):
                reader.load_snapshot(loaded)
    assert refused > 300


def test_no_part_of_a_file_is_taken_for_the_whole(path: Path) -> None:
    whole, draw = path.read_bytes(), random.Random(1)
    for _ in range(200):
        path.write_bytes(whole[: draw.randrange(len(whole))])
        with pytest.raises(TreeFileError, match="damaged"):
            tree_file.load(path, "uct")


def test_compressed_files_are_refused(path: Path) -> None:
    """Even if the size does not show missing data."""
    noise = np.random.default_rng(1).integers(0, 256, 100_000, np.uint8)
    tree_file.save(path, "uct", {"noise": noise})
    assert tree_file.load(path, "uct") is not None
    with zipfile.ZipFile(path) as whole:
        content = {name: whole.read(name) for name in whole.namelist()}
    with zipfile.ZipFile(path, "w") as packed:
        for name, data in content.items():
            packed.writestr(name, data, zipfile.ZIP_DEFLATED if name == "noise.npy" else zipfile.ZIP_STORED)
    with pytest.raises(TreeFileError, match="damaged"):
        tree_file.load(path, "uct")


def nested(path: Path, entries: int, size: int) -> None:
    """Write an archive of which every entry contains all those behind it."""
    content, places = bytes(size), []
    for number in range(entries):
        name, crc = b"f%05d.npy" % number, zlib.crc32(content)
        facts = struct.pack("<HHHHHIIIHH", 20, 0, 0, 0, 0x21, crc, len(content), len(content), len(name), 0)
        content = b"PK\3\4" + facts + name + content
        places.append((len(content), facts, name))
    directory = b"".join(
        b"PK\1\2\24\0" + facts + struct.pack("<HHHII", 0, 0, 0, 0, len(content) - distance) + name
        for distance, facts, name in places
    )
    ending = struct.pack("<HHHHIIH", 0, 0, entries, entries, len(directory), len(content), 0)
    path.write_bytes(content + directory + b"PK\5\6" + ending)


@pytest.mark.parametrize("entries", [30, pytest.param(2000, marks=pytest.mark.slow)])
def test_entries_that_contain_each_other_are_refused_before_they_take_memory(entries: int, tmp_path: Path) -> None:
    path = tmp_path / "tree.npz"
    nested(path, entries, 2_000_000)
    with zipfile.ZipFile(path) as packed:
        assert sum(entry.file_size for entry in packed.infolist()) > 25 * path.stat().st_size
    assert most_memory(path) < 5_000_000


@pytest.mark.parametrize("shape", [(1 << 40,), (-1,), (1 << 70, 0), (4,), (2,), (1, 3)])
def test_arrays_of_another_size_than_their_bytes_are_refused(shape: tuple[int, ...], tmp_path: Path) -> None:
    path = tmp_path / "tree.npz"
    array = io.BytesIO()
    description = {"descr": "|u1", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(array, description)
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("visits.npy", array.getvalue() + b"abc")
    if shape != (1, 3):
        assert most_memory(path) < 5_000_000
        return
    with pytest.raises(TreeFileError, match="not a search tree"):  # its size is right: it has no header
        tree_file.load(path, "uct")


def most_memory(path: Path) -> int:
    """Return the memory that the refusal of a damaged file takes, in bytes."""
    tracemalloc.start()
    try:
        with pytest.raises(TreeFileError, match="damaged"):
            tree_file.load(path, "uct")
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_an_unwritable_file_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(TreeFileError, match="could not be saved") as caught:
        tree_file.save(tmp_path / "file" / "tree.npz", "uct", snapshot_of("uct"))
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights on Windows")
def test_a_link_to_a_file_stays_a_link(path: Path) -> None:
    link = path.with_name("link.npz")
    link.symlink_to(path)
    path.write_bytes(b"")
    tree_file.save(link, "uct", snapshot_of("uct"))
    assert link.is_symlink()
    assert tree_file.load(path, "uct") is not None


@pytest.mark.parametrize(
    ("game", "other"),
    [("othello", {"goal": "fewest"}), ("ultimate_tictactoe", {"tie": "boards"}), ("tictactoe", {"size": 4})],
)
@pytest.mark.parametrize(
    ("name", "key", "count"),
    [
        ("mcts_uct", "mcts_tree_file", "simulation_count"),
        ("q_learning", "learning_file", "learning_episodes"),
        ("sarsa", "learning_file", "learning_episodes"),
    ],
)
def test_a_file_has_one_rule_set(
    name: str, key: str, count: str, game: str, other: dict[str, Value], tmp_path: Path
) -> None:
    """Rules with two goals have the same positions and moves, but not the same results."""
    config = configure(name, **{key: str(tmp_path / "learned.npz"), count: 5})
    spec = game_spec(game)
    with create_player(config, spec) as player:
        choose(player, Game.new(rules_of(spec)))
        player.game_over(Game.new(rules_of(spec)))
    create_player(config, spec).release()
    with pytest.raises(TreeFileError, match=rf"; needed: version \d+ of {name}, {game}") as caught:
        create_player(config, game_spec(game, other))
    assert "\n" not in str(caught.value)
