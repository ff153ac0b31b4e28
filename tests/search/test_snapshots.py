"""Snapshots of searches: between moves, in files and in several threads. Those that are not valid are refused."""

import io
import random
import struct
import sys
import tracemalloc
import zipfile
import zlib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from othello.errors import TreeFileError
from othello.game import AnyGame, Game
from othello.players import mcts_player
from othello.players.player import Player, choose
from othello.players.player_registry import configure, create_player
from othello.records.transcript import parse_transcript
from othello.rules.protocol import Color, Move
from othello.rules.registry import game_spec, rules_of
from othello.schema import Value
from othello.search import tree, tree_file
from othello.search.report import Line
from othello.search.simulator import ParallelSearch, Simulator
from othello.search.stop import StopFlag
from othello.search.store import NOT_EXPANDED
from othello.search.tree import node_bytes
from othello.search.tree_snapshot import MAX_VISITS, Arrays
from tests.player_factory import MCTS_TYPES, fitting
from tests.positions import RULES, SPEC, image_of_board
from tests.simulators import EACH, OPENING, go, new_search, set_root, visits


@cache
def snapshot_of(search: str) -> Arrays:
    """Return what a search knows after 500 simulations."""
    return go(new_search(search), OPENING).snapshot()


@EACH
def test_a_search_keeps_the_subtree_of_the_played_moves(search: str) -> None:
    simulator = new_search(search)
    go(simulator, Game.new(RULES), count=5000)
    go(simulator, OPENING)
    assert visits(simulator) > 500 + 100
    assert [stats.move for stats in simulator.root_moves()] == list(OPENING.legal_moves())
    assert visits(go(new_search(search), OPENING)) == 500


def test_draws_count_half_in_the_results_of_a_node() -> None:
    store: Any = new_search("uct")._store
    tree.set_results(store, 0, 8, 1, 2)
    assert (store.mean[0], store.edge_inverse_root[0]) == pytest.approx((2 / 8, 8**-0.5))


@EACH
def test_a_move_gains_no_visits_by_having_been_played(search: str) -> None:
    simulator = new_search(search)
    go(simulator, Game.new(RULES), count=400)
    before = {stats.move: stats.visits for stats in simulator.root_moves()}
    go(simulator, Game.new(RULES).play(Move(19)), count=5000)
    go(simulator, Game.new(RULES), count=1)
    after = {stats.move: stats.visits for stats in simulator.root_moves()}
    assert sum(after.values()) == sum(before.values()) + 1
    assert all(after[move] - before[move] in (0, 1) for move in before)


@EACH
@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(-1, 2), st.integers(1, 40)), min_size=2, max_size=8), st.integers(0, 99))
def test_no_move_is_repeated_before_all_are_tried(search: str, ways: list[tuple[int, int]], seed: int) -> None:
    simulator = new_search(search)
    game: AnyGame = Game.new(RULES)
    go(simulator, game, seed, 2)
    for back, count in ways:
        if back < 0:
            game = game.play(min(simulator.root_moves(), key=lambda stats: stats.visits).move)
        game = game.at(max(0, game.ply - max(0, back)))
        go(simulator, game, seed, count)
    snapshot = simulator.snapshot()
    counts = snapshot.get("edge_visits", snapshot["visits"])
    for first, length in zip(snapshot["first_edge"].tolist(), snapshot["edges"].tolist(), strict=True):
        siblings = counts[first : first + length] if length != NOT_EXPANDED else counts[:0]
        assert not siblings.size or siblings.max() <= 1 or siblings.min() >= 1


@EACH
def test_knowledge_survives_in_a_file(search: str, tmp_path: Path) -> None:
    author, path = new_search(search), tmp_path / "tree.npz"
    go(author, OPENING, count=2000)
    moves, nodes = author.root_moves(), author.nodes
    tree_file.save(path, search, author.snapshot())
    readers = [new_search(search), go(new_search(search), OPENING.play(OPENING.legal_moves()[0]), count=50)]
    for reader in readers:
        loaded = tree_file.load(path, search)
        assert loaded is not None
        reader.load_snapshot(loaded)
        set_root(reader, OPENING, seed=7)
        assert (reader.root_moves(), reader.nodes, reader.is_full) == (moves, nodes, False)
        reader.simulate(300, 8, StopFlag())
        assert visits(reader) == 2300
    assert readers[0].root_moves() == readers[1].root_moves()


@pytest.mark.parametrize("threads", [2, 3])
@EACH
def test_threads_share_a_count_and_repeat_it(search: str, threads: int) -> None:
    def run() -> Simulator:
        return go(ParallelSearch([new_search(search) for _ in range(threads)]), OPENING, count=1001)

    first, second = run(), run()
    assert visits(first) == 1001
    assert first.root_moves() == second.root_moves()
    move = OPENING.legal_moves()[0]
    assert first.principal_variation(move) == second.principal_variation(move)
    assert [stats.move for stats in first.root_moves()] == list(OPENING.legal_moves())
    assert all(stats.value is None or 0 <= stats.value <= 1 for stats in first.root_moves())


@EACH
def test_the_line_of_threads_is_the_best_supported(search: str) -> None:
    simulators = [new_search(search) for _ in range(4)]
    together = go(ParallelSearch(simulators), OPENING, count=2000)
    for first in OPENING.legal_moves():
        line = together.principal_variation(first)
        assert len(line) > 2
        for length in range(1, len(line)):
            support: Counter[int] = Counter()
            for simulator in simulators:
                support.update({stats.move: stats.visits for stats in simulator.child_stats(line[:length])})
            assert support[line[length]] == max(support.values())


@pytest.mark.parametrize("places", [10, 25, 60])
def test_a_tree_without_room_for_the_path_starts_anew(places: int) -> None:
    simulator = new_search("uct", RULES, 2000, memory=places * node_bytes(RULES))
    go(simulator, Game.new(RULES), count=2000)
    has_path = set_root(simulator, OPENING)
    assert [stats.move for stats in simulator.root_moves()] == list(OPENING.legal_moves())
    assert simulator.simulate(500, 8, StopFlag()) == 500
    assert visits(simulator) > 500 if has_path else visits(simulator) == 500
    other = Game.new(RULES).play(next(move for move in OPENING.legal_moves() if move in Game.new(RULES).legal_moves()))
    for game in (other, OPENING, other.play(other.legal_moves()[0]), Game.new(RULES)):
        assert [stats.move for stats in go(simulator, game).root_moves()] == list(game.legal_moves())


def test_a_tree_file_is_for_games_from_the_start(tmp_path: Path) -> None:
    player = create_player(configure("mcts_uct", mcts_tree_file=str(tmp_path / "tree.npz")), SPEC)
    with pytest.raises(TreeFileError, match="starts from another position"):
        choose(player, Game.new(RULES, OPENING.position))


def expanded(snapshot: Arrays) -> list[int]:
    """Return the visits of all nodes with tried moves, in descending order. The root of a tree has none."""
    return sorted(snapshot["visits"][1:][snapshot["tried"][1:] > 0].tolist(), reverse=True)


@EACH
@pytest.mark.parametrize(("simulations", "kept"), [(1, (50, 25, 25)), (4, (91, 130, 25)), (30, (805, 939, 25))])
def test_a_smaller_search_keeps_the_most_visited_nodes(search: str, simulations: int, kept: tuple[int, ...]) -> None:
    author, reader = go(new_search(search), Game.new(RULES), count=15_000), new_search(search, RULES, simulations)
    learned = author.snapshot()
    reader.load_snapshot(learned)
    known = reader.snapshot()
    assert len(known["visits"]) == kept[("uct", "ucb1", "grouping").index(search)] < len(learned["visits"])
    assert expanded(known) == expanded(learned)[: len(expanded(known))]
    new_search(search).load_snapshot(known)  # which looks at every count and move
    set_root(reader, Game.new(RULES))
    assert reader.root_moves() == author.root_moves()
    reader.simulate(50, 8, StopFlag())
    assert visits(reader) == 15_050


@EACH
def test_a_nearly_full_search_still_has_valid_snapshots(search: str) -> None:
    rules = rules_of(game_spec("tictactoe"))
    simulator = new_search(search, rules, 10, proves=True)
    for turn in range(3):
        game: AnyGame = Game.new(rules)
        while game.ply < 5:
            go(simulator, game, turn, 50)
            game = game.play(game.legal_moves()[turn])
            new_search(search, rules).load_snapshot(simulator.snapshot())
        set_root(simulator, Game.new(rules))
        assert not any(stats.is_proven for stats in simulator.root_moves())  # proofs belong to other nodes


@pytest.mark.parametrize("player_type", MCTS_TYPES)
def test_a_tree_file_is_written_after_every_game(player_type: str, tmp_path: Path) -> None:
    path, before = tmp_path / "tree.npz", b""
    for seed in range(6):
        with create_player(configure(player_type, mcts_tree_file=str(path), simulation_count=3), SPEC) as player:
            player.new_game(seed)
            game, draw = Game.new(RULES), np.random.default_rng(seed)
            while not game.is_over:
                move = choose(player, game).move if game.to_move is Color.BLACK else draw.choice(game.legal_moves())
                game = game.play(Move(int(move)))
            player.game_over(game)
        assert path.read_bytes() != before
        before = path.read_bytes()


@pytest.mark.parametrize(
    "player_type", [*(pytest.param(kind, marks=pytest.mark.slow) for kind in MCTS_TYPES[:-1]), "mcts_uct"]
)
def test_a_tree_file_learns_from_searches_or_results_or_both(player_type: str, tmp_path: Path) -> None:
    """Of results, each move of a finished game is a visit with the result, and nothing else is known."""
    rules = rules_of(game_spec("tictactoe"))
    games = [parse_transcript(moves, rules) for moves in ("a1 b1 a2 b2 a3", "a1 b1 a2 b2 c3 b3", "a1 b1")]
    results: dict[Line, dict[Move, tuple[int, float]]] = {}
    for winner, game in zip(Color, games, strict=False):
        for ply, move in enumerate(game.moves):
            games_before, value = results.setdefault(game.moves[:ply], {}).get(move, (0, 0.0))
            value = (games_before * value + float(game.positions[ply].to_move is winner)) / (games_before + 1)
            results[game.moves[:ply]][move] = games_before + 1, value
    shared = games[2].moves
    for learns, at_start, later in (("searches", 0, 120), ("results", 2, 2), ("both", 2, 122)):
        path = tmp_path / f"{learns}.npz"
        config = configure(player_type, mcts_tree_file=str(path), mcts_tree_file_updates=learns, simulation_count=40)
        for part in games[:1], games[1:]:
            with create_player(config, rules.spec) as player:
                for game in part:
                    choose(player, game.at(len(shared)))
                    player.game_over(game)
        known = tree_file.load(path, f"{player_type}, tictactoe, size 3, win_length 3")
        assert known is not None
        reader = new_search(player_type.removeprefix("mcts_"), rules, 1000)
        reader.load_snapshot(known)
        set_root(reader, Game.new(rules))
        learned = {
            line: {stats.move: (stats.visits, stats.value) for stats in reader.child_stats(line) if stats.visits}
            for line in [(), shared, *results]
        }
        assert sum(count for count, _ in learned[()].values()) == at_start
        assert learns != "results" or learned == results
        set_root(reader, games[2])
        assert visits(reader) == later


@pytest.mark.parametrize(("search", "memory"), [("uct", 25 * node_bytes(RULES)), ("grouping", 2000)])
def test_a_search_that_outgrew_its_memory_writes_no_file_and_says_so(
    search: str, memory: int, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tree.npz"
    config = configure(f"mcts_{search}", mcts_tree_file=str(path), simulation_count=100)

    def play(player: Player, *games: AnyGame) -> None:
        for game in games:
            choose(player, game)
        player.game_over(games[-1])

    with create_player(config, SPEC) as player:
        play(player, OPENING)
    before = path.read_bytes()
    monkeypatch.setattr(mcts_player, "create_simulator", lambda *_: new_search(search, RULES, 2000, memory=memory))
    later = OPENING.play(OPENING.legal_moves()[0])
    with create_player(config, SPEC) as player:
        play(player, Game.new(RULES), later, later.play(later.legal_moves()[0]))
        (learned,) = caplog.messages
        assert "tree.npz: nothing is written" in learned
        assert path.read_bytes() == before
        play(player, Game.new(RULES))
        assert len(caplog.messages) == 1


def changed(snapshot: Arrays, field: str, place: Any, value: object) -> Arrays:
    """Return a snapshot with other contents at one place of a field."""
    copy = snapshot[field].copy()
    copy[place] = value
    return {**snapshot, field: copy}


def assert_refused(search: str, snapshot: Arrays, message: str) -> None:
    simulator = go(new_search(search), OPENING)
    with pytest.raises(ValueError, match=message):
        simulator.load_snapshot(snapshot)
    assert visits(go(simulator, OPENING, count=100)) == 600


@EACH
@pytest.mark.parametrize("field", [0, 3, 5, -1])
def test_fields_of_different_length_or_type_are_refused(search: str, field: int) -> None:
    snapshot = snapshot_of(search)
    name = list(snapshot)[field]
    assert_refused(search, {**snapshot, name: snapshot[name][:-1]}, "differ in length")
    assert_refused(search, {**snapshot, name: snapshot[name].astype(np.float32)}, "of another kind")
    assert_refused(search, {key: snapshot[key] for key in snapshot if key != name}, "missing")


def test_a_tree_with_wrong_edges_or_counts_is_refused() -> None:
    snapshot = snapshot_of("uct")
    parents = np.flatnonzero((snapshot["edges"] > 0) & (snapshot["edges"] != NOT_EXPANDED))
    above, below = int(parents[0]), int(parents[-1])
    visited, unvisited = (int(np.flatnonzero(snapshot["visits"] == visits)[-1]) for visits in (1, 0))
    for field, node, value, message in (
        ("first_edge", above, 10**6, "two nodes, or to none"),
        ("first_edge", above, 0, "below itself"),
        *(("first_edge", below, edge, "below itself") for edge in (below, above + 1)),
        ("first_edge", below, int(snapshot["first_edge"][below]) - 1, "two nodes, or to none"),
        *(("edges", above, count, "two nodes, or to none") for count in (0, 5)),
        ("tried", above, 255, "moves that are not there"),
        ("wins", visited, 10**6, "more results than visits"),
        ("draws", visited, 2**32 - 1, "more results than visits"),
        ("wins", unvisited, 1, "more results than visits"),
        ("visits", unvisited, 1, "not counted"),
        ("visits", slice(None), 2**32 - 1, "more visits than can be counted"),
        ("visits", visited, MAX_VISITS + 1, "more visits than can be counted"),
        ("visits", slice(None), np.where(snapshot["visits"], MAX_VISITS, 0), "not counted"),
        ("tried", slice(None), 0, "not counted"),
    ):
        assert_refused("uct", changed(snapshot, field, node, value), message)
    assert_refused("uct", {name: field[:0] for name, field in snapshot.items()}, "no root")


@pytest.mark.parametrize("search", ["uct", "ucb1"])
def test_moves_of_a_tree_are_those_of_the_game(search: str) -> None:
    snapshot = snapshot_of(search)
    parents = np.flatnonzero((snapshot["edges"] > 0) & (snapshot["edges"] != NOT_EXPANDED))
    for parent in (int(parents[0]), int(parents[-1])):
        child = int(snapshot["first_edge"][parent])
        for move in (27, 64, 200, int(snapshot["edge_move"][child + 1])):
            assert_refused(search, changed(snapshot, "edge_move", child, move), "other moves than its position")
    elsewhere = go(new_search(search), Game.new(RULES, OPENING.position))
    assert_refused(search, elsewhere.snapshot(), "other moves than its position")


def test_the_maximum_of_visits_is_allowed() -> None:
    snapshot = snapshot_of("uct")
    simulator = new_search("uct")
    simulator.load_snapshot(changed(snapshot, "visits", 0, MAX_VISITS))
    assert set_root(simulator, OPENING)


@EACH
def test_derived_fields_are_neither_stored_nor_read(search: str) -> None:
    snapshot = snapshot_of(search)
    derived = {"mean", "inverse_root", "edge_inverse_root"}
    assert not derived & set(snapshot)
    simulators = new_search(search), new_search(search)
    simulators[0].load_snapshot(snapshot)
    simulators[1].load_snapshot({**snapshot, **{name: np.full(3, np.nan) for name in derived}})
    for simulator in simulators:
        go(simulator, OPENING)
    assert simulators[0].root_moves() == simulators[1].root_moves()


def test_a_graph_with_wrong_edges_positions_or_counts_is_refused() -> None:
    snapshot = snapshot_of("grouping")
    state = snapshot["state"]
    last = len(state) - 1
    parent = int(np.flatnonzero(snapshot["tried"])[1])  # a node that is not the first
    edge = int(snapshot["first_edge"][parent])
    sibling = int(snapshot["edge_move"][edge + 1])
    for field, place, value, message in (
        *(("edge_node", edge, node, "leads to another position") for node in (parent, 0, 10**6, 4 * 10**9)),
        ("edge_node", slice(None), 0, "leads to another position"),
        *(("edge_move", edge, move, "other moves than its position") for move in (27, 200, sibling)),
        ("first_edge", parent, snapshot["first_edge"][0], "two nodes, or to none"),
        ("edges", parent, NOT_EXPANDED, "moves that are not there"),
        ("edges", parent, 0, "moves that are not there"),
        ("state", last, state[0], "two nodes"),
        ("state", slice(1, None), state[0], "two nodes"),
        ("state", slice(None), 2**64 - 1, "two nodes"),
        ("state", (last, 0), state[last, 0] | state[last, 1], "cannot be"),
        ("state", last, [image_of_board(int(word), 2) for word in state[last]], "cannot be"),
        ("wins", parent, 10**6, "more results than visits"),
        ("draws", slice(None), 2**32 - 1, "more results than visits"),
        ("visits", slice(None), 2**32 - 1, "more visits than can be counted"),
        ("visits", parent, MAX_VISITS + 1, "more visits than can be counted"),
        ("edge_visits", edge, 10**6, "other visits"),
        ("edge_visits", edge, 2**32 - 1, "not counted"),
        ("edge_visits", edge, 0, "not counted"),
        ("tried", slice(None), 0, "not counted"),
    ):
        assert_refused("grouping", changed(snapshot, field, place, value), message)
    assert_refused("grouping", {**snapshot, "state": state[:, ::-1]}, "cannot be")
    hardly = {**snapshot, "wins": 0 * snapshot["wins"], "draws": 0 * snapshot["draws"]}
    assert_refused("grouping", changed(hardly, "visits", last, 0), "other visits")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a tree file."""
    path = tmp_path / "tree.npz"
    tree_file.save(path, "uct", snapshot_of("uct"))
    return path


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


def test_a_file_of_another_player_is_refused_and_a_missing_one_is_none(path: Path) -> None:
    assert tree_file.load(path.with_name("none.npz"), "uct") is None
    with pytest.raises(TreeFileError, match="needed: version 1 of grouping"):
        tree_file.load(path, "grouping")


@pytest.mark.parametrize(
    "search", ["uct", *(pytest.param(name, marks=pytest.mark.slow) for name in ("ucb1", "grouping"))]
)
def test_no_changed_bit_and_no_missing_end_goes_unnoticed(search: str, tmp_path: Path) -> None:
    """Unless a bit says nothing, such as those of an archive's date. The directory at the end hides the most."""
    path, reader = tmp_path / "tree.npz", new_search(search)
    snapshot = go(new_search(search), OPENING, count=20).snapshot()
    tree_file.save(path, search, snapshot)
    whole, draw = path.read_bytes(), random.Random(1)
    refused = 0
    for turn in range(300):
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
    assert refused > 150
    for _ in range(60):
        path.write_bytes(whole[: draw.randrange(len(whole))])
        with pytest.raises(TreeFileError, match="damaged"):
            tree_file.load(path, search)


def test_compressed_files_are_refused(path: Path) -> None:
    """Even if the size does not show missing data."""
    tree_file.save(path, "uct", {"noise": np.random.default_rng(1).integers(0, 256, 100_000, np.uint8)})
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
    np.lib.format.write_array_header_1_0(array, {"descr": "|u1", "fortran_order": False, "shape": shape})
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
@pytest.mark.parametrize("name", ["mcts_uct", "q_learning", "sarsa"])
def test_a_file_has_one_rule_set(name: str, game: str, other: dict[str, Value], tmp_path: Path) -> None:
    """Rules with two goals have the same positions and moves, but not the same results."""
    files = dict.fromkeys(("mcts_tree_file", "learning_file"), str(tmp_path / "learned.npz"))
    config, spec = fitting(name, simulation_count=5, learning_episodes=5, **files), game_spec(game)
    with create_player(config, spec) as player:
        choose(player, Game.new(rules_of(spec)))
        player.game_over(Game.new(rules_of(spec)))
    create_player(config, spec).release()
    with pytest.raises(TreeFileError, match=rf"; needed: version \d+ of {name}, {game}") as caught:
        create_player(config, game_spec(game, other))
    assert "\n" not in str(caught.value)
