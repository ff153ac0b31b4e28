"""What searches keep: between moves, in files, and in several threads."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from othello.config import PlayerConfig
from othello.errors import TreeFileError
from othello.game import AnyGame, Game
from othello.players.player import choose
from othello.players.registry import create_player
from othello.search import tree_file
from othello.search.graph import NOT_EXPANDED
from othello.search.parallel import ParallelSearch
from othello.search.simulator import Arrays, GraphSearch, Simulator, TreeSearch
from othello.search.stop import StopFlag
from othello.search.tree import UCB1_TUNED, UCT
from tests.positions import RULES

C = math.sqrt(2)
Kept = TreeSearch | GraphSearch
MAKE: dict[str, Callable[[], Kept]] = {
    "uct": lambda: TreeSearch(UCT, C, 200_000),
    "ucb1": lambda: TreeSearch(UCB1_TUNED, C, 200_000),
    "grouping": lambda: GraphSearch(C, 20_000, 200_000),
}
LIKE = RULES.kernel_state(RULES.start())
EACH = pytest.mark.parametrize("search", MAKE)
OPENING = Game.new(RULES).play(19).play(18)  # d3 c3


def go(simulator: Simulator, game: AnyGame, seed: int = 1, count: int = 500) -> Simulator:
    states = [RULES.kernel_state(position) for position in game.positions]
    simulator.go_to(list(zip(states[:-1], game.moves, strict=True)), states[-1], np.random.SeedSequence(seed))
    assert simulator.simulate(count, 8, StopFlag()) == count
    return simulator


def visits(simulator: Simulator) -> int:
    return sum(stats.visits for stats in simulator.root_moves())


@EACH
def test_the_subtree_of_the_played_moves_is_kept(search: str) -> None:
    simulator = MAKE[search]()
    go(simulator, Game.new(RULES), count=5000)
    go(simulator, OPENING)
    assert visits(simulator) > 500 + 100
    assert [stats.move for stats in simulator.root_moves()] == list(OPENING.legal_moves())
    assert visits(go(MAKE[search](), OPENING)) == 500


@EACH
def test_a_move_gains_no_visits_by_having_been_played(search: str) -> None:
    simulator = MAKE[search]()
    go(simulator, Game.new(RULES), count=400)
    before = {stats.move: stats.visits for stats in simulator.root_moves()}
    go(simulator, Game.new(RULES).play(19), count=5000)
    go(simulator, Game.new(RULES), count=1)
    after = {stats.move: stats.visits for stats in simulator.root_moves()}
    assert sum(after.values()) == sum(before.values()) + 1
    assert all(after[move] - before[move] in (0, 1) for move in before)


def siblings(knowledge: Arrays) -> Iterator[list[int]]:
    """The visits of every node's moves, of one node after the other."""
    names = (
        ("first_child", "children", "visits") if "first_child" in knowledge else ("first_edge", "edges", "edge_visits")
    )
    firsts, counts, visits = (knowledge[name].tolist() for name in names)
    for first, count in zip(firsts, counts, strict=True):
        if count not in (0, NOT_EXPANDED):
            yield visits[first : first + count]


@EACH
@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(-1, 2), st.integers(1, 40)), min_size=2, max_size=8), st.integers(0, 99))
def test_no_move_is_repeated_before_all_are_tried(search: str, ways: list[tuple[int, int]], seed: int) -> None:
    """However a game goes on and is taken back: to have been played is no visit, whatever was searched below."""
    simulator = MAKE[search]()
    game: AnyGame = Game.new(RULES)
    go(simulator, game, seed, 2)
    for back, count in ways:
        if back < 0:
            game = game.play(min(simulator.root_moves(), key=lambda stats: stats.visits).move)
        game = game.at(max(0, game.ply - max(0, back)))
        go(simulator, game, seed, count)
    for visits in siblings(simulator.knowledge()):
        assert max(visits) <= 1 or min(visits) >= 1


@EACH
def test_knowledge_survives_in_a_file(search: str, tmp_path: Path) -> None:
    first, path = MAKE[search](), tmp_path / "tree.npz"
    go(first, OPENING, count=2000)
    tree_file.save(path, search, first.knowledge())
    second = MAKE[search]()
    loaded = tree_file.load(path, search)
    assert loaded is not None
    second.learn_from(loaded, LIKE)
    for simulator in (first, second):
        go(simulator, OPENING, seed=7, count=300)
    assert visits(second) == 2300
    assert second.root_moves() == first.root_moves()
    assert second.nodes == first.nodes


def test_no_file_is_no_knowledge(tmp_path: Path) -> None:
    assert tree_file.load(tmp_path / "none.npz", "uct") is None


def written(tmp_path: Path) -> Path:
    path = tmp_path / "tree.npz"
    tree_file.save(path, "uct", go_and_tell("uct"))
    return path


def go_and_tell(search: str) -> Arrays:
    simulator = MAKE[search]()
    go(simulator, OPENING)
    return simulator.knowledge()


def test_damaged_and_foreign_files_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path)
    whole = path.read_bytes()
    for name, content in {
        "text": b"hello",
        "empty": b"",
        "cut": whole[: len(whole) // 2],
        "turned": whole[:3000] + bytes([whole[3000] ^ 255]) + whole[3001:],
    }.items():
        path.write_bytes(content)
        with pytest.raises(TreeFileError, match=r"tree\.npz: ") as caught:
            tree_file.load(path, "uct")
        assert "\n" not in str(caught.value), name
        assert path.read_bytes() == content
    with path.open("wb") as file:
        np.savez(file, anything=np.zeros(3))
    with pytest.raises(TreeFileError, match="no search tree of this program"):
        tree_file.load(path, "uct")


def test_no_flipped_bit_and_no_cut_is_more_than_a_refusal(tmp_path: Path) -> None:
    path = written(tmp_path)
    whole = path.read_bytes()
    random = np.random.default_rng(1)
    refused = 0
    for _ in range(400):
        place = int(random.choice([random.integers(300), len(whole) - 1 - random.integers(1600)]))
        flipped = whole[place] ^ (1 << int(random.integers(8)))
        path.write_bytes(whole[:place] + bytes([flipped]) + whole[place + 1 :])
        try:
            tree_file.load(path, "uct")
        except TreeFileError:
            refused += 1
    assert refused > 100


def test_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TreeFileError, match="needed is version 1 of grouping"):
        tree_file.load(written(tmp_path), "grouping")


def test_pickles_are_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "tree.npz"
    with path.open("wb") as file:
        np.savez(file, header=np.array([{"a": 1}], dtype=object))
    with pytest.raises(TreeFileError, match="damaged"):
        tree_file.load(path, "uct")


@EACH
@pytest.mark.parametrize("field", [0, 3, 5, -1])
def test_fields_that_do_not_fit_together_change_nothing(search: str, field: int) -> None:
    knowledge = go_and_tell(search)
    name = list(knowledge)[field]
    simulator = MAKE[search]()
    go(simulator, OPENING)
    for wrong in ({**knowledge, name: knowledge[name][:-1]}, {key: knowledge[key] for key in knowledge if key != name}):
        with pytest.raises(ValueError, match=r"."):
            simulator.learn_from(wrong, LIKE)
    assert visits(go(simulator, OPENING, count=100)) == 600


def test_children_that_are_not_there_are_refused() -> None:
    knowledge = go_and_tell("uct")
    for field, value in (("first_child", 10**6), ("first_child", 0), ("tried", 255)):
        wrong = knowledge[field].copy()
        wrong[0] = value
        with pytest.raises(ValueError, match="node"):
            MAKE["uct"]().learn_from({**knowledge, field: wrong}, LIKE)


def changed(knowledge: Arrays, field: str, place: int, value: int) -> Arrays:
    copy = knowledge[field].copy()
    copy[place] = value
    return {**knowledge, field: copy}


def test_a_graph_must_be_one_of_positions_and_their_moves() -> None:
    """Above all no move may lead back to where a walk comes from: it would never end."""
    knowledge = go_and_tell("grouping")
    parent = int(np.flatnonzero(knowledge["tried"])[1])
    edge = int(knowledge["first_edge"][parent])
    child = int(knowledge["edge_node"][edge])
    root_edge = int(knowledge["first_edge"][0])
    twice = {**knowledge, "state": knowledge["state"].copy()}
    twice["state"][child] = twice["state"][parent]
    for wrong, message in (
        (changed(knowledge, "edge_node", edge, parent), "leads to another position"),
        (changed(knowledge, "edge_node", edge, 0), "leads to another position"),
        (changed(knowledge, "edge_node", edge, 10**6), "leads to another position"),
        (changed(knowledge, "edge_visits", edge, 0), "leads to another position"),
        (changed(knowledge, "edge_move", edge, 27), "other moves than its position"),
        (changed(knowledge, "first_edge", parent, root_edge), "two nodes, or to none"),
        (changed(knowledge, "edges", parent, NOT_EXPANDED), "moves that are not there"),
        (changed(knowledge, "wins", parent, 10**6), "more results than visits"),
        (twice, "two nodes"),
        ({**knowledge, "state": knowledge["state"][:, ::-1]}, "other moves than its position"),
        ({**knowledge, "visits": knowledge["visits"][0]}, "of another kind"),
    ):
        simulator = MAKE["grouping"]()
        go(simulator, OPENING)
        with pytest.raises(ValueError, match=message):
            simulator.learn_from(wrong, LIKE)
        assert visits(go(simulator, OPENING, count=100)) == 600


def test_an_unwritable_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(TreeFileError, match="cannot be written"):
        tree_file.save(tmp_path / "missing" / "tree.npz", "uct", go_and_tell("uct"))


@pytest.mark.parametrize("threads", [2, 3])
@EACH
def test_threads_share_a_count_and_repeat_it(search: str, threads: int) -> None:
    def run() -> Simulator:
        return go(ParallelSearch([MAKE[search]() for _ in range(threads)]), OPENING, count=1001)

    first, second = run(), run()
    assert visits(first) == 1001
    assert first.root_moves() == second.root_moves()
    move = OPENING.legal_moves()[0]
    assert first.principal_variation(move) == second.principal_variation(move)
    assert [stats.move for stats in first.root_moves()] == list(OPENING.legal_moves())
    assert all(stats.value is None or 0 <= stats.value <= 1 for stats in first.root_moves())


def test_a_tree_without_room_for_the_way_starts_anew() -> None:
    simulator = TreeSearch(UCT, C, 60)
    go(simulator, Game.new(RULES), count=2000)
    states = [RULES.kernel_state(position) for position in OPENING.positions]
    path = list(zip(states[:-1], OPENING.moves, strict=True))
    kept = simulator.go_to(path, states[-1], np.random.SeedSequence(1))
    assert simulator.simulate(100, 8, StopFlag()) == 100
    assert visits(simulator) >= 100
    assert kept == (visits(simulator) > 100)


def test_a_tree_of_another_game_is_noticed_at_the_first_move(tmp_path: Path) -> None:
    path = tmp_path / "tree.npz"
    knowledge = go_and_tell("uct")
    knowledge["move"][:] = 63
    tree_file.save(path, "mcts_uct", knowledge)
    player = create_player(PlayerConfig("mcts_uct", mcts_tree_file=str(path)), 1)
    with pytest.raises(TreeFileError, match="damaged or foreign"):
        choose(player, Game.new(RULES))
