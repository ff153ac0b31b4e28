"""Trees and graphs of simulations: the formulas of selection, and what holds in every one after any search."""

import math
from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pytest

from othello.game import Game
from othello.kernel.decorators import Ints, Words, kernel
from othello.kernel.random import RandomState, random_lanes, random_state
from othello.records.transcript import parse_transcript
from othello.rules import compiled
from othello.rules.othello import OthelloPosition
from othello.rules.protocol import Color, Move, Position, Rules
from othello.rules.registry import game_spec, rules_of
from othello.schema import Value
from othello.search import mcts
from othello.search.graph import Graph, clear_graph, new_graph, node_of_any
from othello.search.mcts import LANES, Rule, select
from othello.search.stop import StopFlag
from othello.search.store import EDGES, NODES, NOT_EXPANDED, draw_untried, list_moves, move_in
from othello.search.tree import ROOT, Tree, new_tree, reset
from tests import compiled_rules, positions
from tests.chi_square import assert_likely
from tests.positions import IMAGES, RULES, START, image_of, with_colors_swapped, with_empties, with_forced_pass
from tests.simulators import ROUNDING, C, go, new_search

UCT, UCB1_TUNED = mcts.Uct(C), mcts.Ucb1Tuned()
WALKS = mcts.new_batch(RULES, np.random.SeedSequence(1))
POSITIONS = [START, with_empties(1, 30)[0], with_empties(1, 7)[0], with_empties(1, 2)[0], with_forced_pass(1, 8)[0]]
RULE = pytest.mark.parametrize("rule", [UCT, UCB1_TUNED])
KIND_AND_RULE = pytest.mark.parametrize(("kind", "rule"), [(Tree, UCT), (Tree, UCB1_TUNED), (Graph, UCT)])
Store = Tree | Graph


def empty_store(kind: Any, nodes: int, edges: int = 0) -> Any:
    if kind is Graph:
        return new_graph(RULES, nodes, edges or 34 * nodes)
    tree = new_tree(RULES, nodes)
    reset(tree)
    return tree


def searched(
    position: OthelloPosition,
    kind: Any = Tree,
    rule: Rule = UCT,
    count: int = 1000,
    batch_size: int = 8,
    store: Any = None,
    draws_ties: bool = False,
) -> Any:
    store = store or empty_store(kind, 100_000 if kind is Tree else count + 2)
    state = RULES.kernel_state(position)
    if isinstance(store, Graph):
        clear_graph(store)
        assert node_of_any(store, state, np.empty(2, np.uint64)) == ROOT
    batch = mcts.new_batch(RULES, np.random.SeedSequence(1), draws_ties=draws_ties)
    assert mcts.simulate(store, ROOT, state, rule, count, batch_size, batch, StopFlag().cell) == count
    return store


def nodes(store: Store) -> range:
    return range(int(store.used[NODES if isinstance(store, Graph) else EDGES]))


def edges(store: Store, node: int) -> range:
    """Return the edges of a node, tried or not."""
    first = int(store.first_edge[node])
    return range(first, first + int(store.edges[node])) if store.edges[node] != NOT_EXPANDED else range(0)


def child_of(store: Store, edge: int) -> int:
    return int(store.edge_node[edge]) if isinstance(store, Graph) else edge


def visits_of(store: Store, edge: int) -> int:
    return int((store.edge_visits if isinstance(store, Graph) else store.visits)[edge])


def reward(store: Store, node: int) -> float:
    return float(store.wins[node]) + float(store.draws[node]) / 2


def board(graph: Graph, node: int) -> OthelloPosition:
    own, opponent = graph.state[node]
    return OthelloPosition(int(own), int(opponent), Color.BLACK)


def canonical(position: OthelloPosition) -> tuple[int, int]:
    state, _ = compiled_rules.canonical(RULES.kernel_state(position))
    return int(state[0]), int(state[1])


def bounds_by_formula(store: Store, node: int, rule: Rule) -> dict[int, float]:
    log, bounds = math.log(store.visits[node]), {}
    for edge in edges(store, node):
        child, visits = child_of(store, edge), visits_of(store, edge)
        mean = reward(store, child) / int(store.visits[child])
        squares = float(store.wins[child]) + float(store.draws[child]) / 4
        variance = squares / visits - mean**2 + math.sqrt(2 * log / visits)
        bounds[edge] = mean + math.sqrt(log / visits * (C**2 if rule == UCT else min(1 / 4, variance)))
    return bounds


@KIND_AND_RULE
@pytest.mark.parametrize("position", POSITIONS)
def test_selection_follows_the_formulas_in_a_real_search(kind: Any, rule: Rule, position: OthelloPosition) -> None:
    store = searched(position, kind, rule, count=3000)
    full = [node for node in nodes(store) if 0 < store.tried[node] == store.edges[node]]
    assert full
    for node in full:
        bounds = bounds_by_formula(store, node, rule)
        assert bounds[select(store, node, rule, WALKS)] >= max(bounds.values()) - ROUNDING


@kernel
def upper_bound_of(tree: Tree, node: int, edge: int, rule: Any) -> np.float32:
    mean, bonus, _ = mcts.bound_terms(rule, tree, edge, mcts.root_of_log(tree.visits[node]))
    return mean + bonus  # type: ignore[no-any-return]


def check_draws(tree: Tree, node: int, rule: Rule, batch: mcts.SimulationBatch) -> int:
    """Assert that only the best children are drawn, all as often, and return their number."""
    # With the rounding of the search, to keep equal values equal.
    bounds = {child: float(upper_bound_of(tree, node, child, rule)) for child in edges(tree, node)}
    best = {child for child in bounds if bounds[child] == max(bounds.values())}
    assert_likely(Counter(select(tree, node, rule, batch) for _ in range(200 * len(best))), dict.fromkeys(best, 200.0))
    assert select(tree, node, rule, WALKS) == min(best)
    return len(best)


@RULE
def test_any_of_equal_children_may_be_drawn(rule: Rule) -> None:
    batch = mcts.new_batch(RULES, np.random.SeedSequence(3), draws_ties=True)
    tree = searched(with_empties(1, 9)[0], Tree, rule, 2000, batch_size=1, draws_ties=True)
    check_statistics(tree, 2000)
    full = [node for node in nodes(tree) if 0 < tree.tried[node] == tree.edges[node]]
    assert {check_draws(tree, node, rule, batch) for node in full[:100]} >= {1, 2, 3}


@kernel
def try_next(tree: Tree, random: RandomState) -> int:
    """One of the root's untried children, from now on counted as tried."""
    edge = draw_untried(tree, ROOT, random)
    tree.tried[ROOT] += 1
    return edge


def test_untried_children_are_drawn_once_in_random_order() -> None:
    orders = set()
    for seed in range(200):
        tree = empty_store(Tree, 100)
        generator = random_state(np.random.SeedSequence(seed))
        list_moves(tree, ROOT, RULES.kernel_state(START), np.empty(RULES.max_moves, np.uint8))
        orders.add(tuple(int(tree.edge_move[try_next(tree, generator)]) for _ in range(4)))
    assert {tuple(sorted(order)) for order in orders} == {RULES.legal_moves(START)}
    assert len(orders) == math.factorial(4)


def check_statistics(store: Store, simulations: int) -> Counter[int]:
    """Assert that all counts add up, and return the number of ways to each node."""
    into, ways = Counter[int](), Counter[int]()
    for node in nodes(store):
        for edge in edges(store, node)[: int(store.tried[node])]:
            into[child_of(store, edge)] += visits_of(store, edge)
            ways[child_of(store, edge)] += 1
    assert store.visits[ROOT] == simulations
    for node in nodes(store):
        visits, below, own = int(store.visits[node]), edges(store, node), ways[node]
        assert node == ROOT or visits == into[node] >= own
        assert store.wins[node] + store.draws[node] <= visits
        assert store.mean[node] == pytest.approx(reward(store, node) / max(visits, 1), abs=ROUNDING)
        counts = [visits_of(store, edge) for edge in below]
        if below or store.edges[node] == NOT_EXPANDED:
            # A simulation ended at the node on each way to it: the one that tried that way.
            assert sum(counts) == visits - own
        assert max(counts, default=0) <= 1 or min(counts) >= 1, "a sibling was repeated before all were tried"
        assert [*map(bool, counts)] == [index < store.tried[node] for index in range(len(counts))]
        if below and isinstance(store, Tree):
            losses = sum(int(store.visits[child] - store.wins[child] - store.draws[child]) for child in below)
            draws = sum(int(store.draws[child]) for child in below)
            assert 0 <= int(store.wins[node]) - losses <= own
            assert 0 <= int(store.draws[node]) - draws <= own
    return ways


def check_moves(store: Store, position: OthelloPosition) -> None:
    """Assert that all moves are legal, that edges lead to the positions after them, and that ends have one result."""
    here = {ROOT: position if isinstance(store, Tree) else board(store, ROOT)}
    for node in nodes(store):
        legal, below = RULES.legal_moves(here[node]), edges(store, node)
        if store.edges[node] != NOT_EXPANDED:
            assert sorted(int(store.edge_move[edge]) for edge in below) == list(legal)
        if not legal:
            assert {int(store.wins[node]), int(store.draws[node])} <= {0, int(store.visits[node])}
        for edge in below if isinstance(store, Tree) else below[: int(store.tried[node])]:
            after, child = RULES.play(here[node], Move(int(store.edge_move[edge]))), child_of(store, edge)
            here[child] = after if isinstance(store, Tree) else board(store, child)
            assert isinstance(store, Tree) or canonical(after) == (here[child].own, here[child].opponent)


@KIND_AND_RULE
@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("batch_size", [1, 3, 8, LANES])
def test_counts_results_and_moves_agree(kind: Any, rule: Rule, position: OthelloPosition, batch_size: int) -> None:
    store = searched(position, kind, rule, 1000, batch_size)
    ways = check_statistics(store, 1000)
    check_moves(store, position)
    if kind is Graph:
        boards = {board(store, node) for node in nodes(store)}
        assert len(boards) == len(nodes(store))
        assert all(canonical(each) == (each.own, each.opponent) for each in boards)
        assert position != START or {child_of(store, edge) for edge in edges(store, ROOT)} == {1}, "by symmetry"
        assert position.taken.bit_count() >= 59 or max(ways.values()) > 1, "no two orders of moves met in one position"


@pytest.mark.parametrize("batch_size", [*range(1, LANES + 2), mcts.MAX_BATCH_SIZE])
def test_any_number_of_simulations_is_counted(batch_size: int) -> None:
    for count in (1, 2, 5, 17):
        check_statistics(searched(START, count=count, batch_size=batch_size), count)


@pytest.mark.parametrize(
    ("kind", "rule", "most"),
    [
        *((Tree, rule, (capacity,)) for rule in (UCT, UCB1_TUNED) for capacity in (5, 20, 100, 1000)),
        *((Graph, UCT, most) for most in ((5, 1000), (20, 1000), (200, 10_000), (5000, 4), (5000, 40), (5000, 400))),
    ],
)
def test_a_full_store_goes_on_without_growing(kind: Any, rule: Rule, most: tuple[int, ...]) -> None:
    store = searched(START, kind, rule, 3000, store=empty_store(kind, *most))
    assert store.used[EDGES] <= most[-1]
    assert len(nodes(store)) <= most[0]
    assert store.visits[ROOT] == sum(visits_of(store, edge) for edge in edges(store, ROOT)) == 3000
    check_moves(store, START)
    for node in nodes(store):
        visits = int(store.visits[node])
        assert store.wins[node] + store.draws[node] <= visits
        assert store.mean[node] == pytest.approx(reward(store, node) / max(visits, 1), abs=ROUNDING)
        assert sum(visits_of(store, edge) for edge in edges(store, node)) <= visits


def contents(graph: Graph) -> list[list[float]]:
    used_nodes, used_edges, _ = graph.used.tolist()
    by_edge = (graph.edge_move, graph.edge_visits)
    by_node = (graph.state, graph.visits, graph.wins, graph.draws, graph.edges, graph.tried)
    return [field[:used_nodes].tolist() for field in by_node] + [field[:used_edges].tolist() for field in by_edge]


@pytest.mark.parametrize("position", POSITIONS)
def test_images_and_colors_swapped_are_the_same_graph(position: OthelloPosition) -> None:
    expected = contents(searched(position, Graph, count=300))
    for same in (with_colors_swapped(position), *(image_of(position, image) for image in range(len(IMAGES)))):
        assert contents(searched(same, Graph, count=300)) == expected


@kernel
def move_of(graph: Graph, edge: int, state: Any) -> int:
    return move_in(graph, edge, state)  # type: ignore[no-any-return]


@pytest.mark.parametrize("position", [START, with_empties(1, 52)[0], *POSITIONS[1:]])
def test_moves_are_mapped_back_to_every_symmetric_position(position: OthelloPosition) -> None:
    graph = searched(position, Graph)
    moves = {edge: int(move_of(graph, edge, RULES.kernel_state(position))) for edge in edges(graph, ROOT)}
    assert sorted(moves.values()) == list(RULES.legal_moves(position))
    images = [image_of(position, image) for image in range(len(IMAGES))]
    for image, turned in enumerate(images):
        for edge, move in moves.items():
            there = int(move_of(graph, edge, RULES.kernel_state(turned)))
            # A symmetric position has several moves that could be meant; all lead to the same position.
            assert there in RULES.legal_moves(turned)
            assert canonical(RULES.play(turned, Move(there))) == canonical(RULES.play(position, Move(move)))
            assert there == positions.image_of_move(Move(move), image) or len({*images}) < len(images)


@pytest.mark.parametrize(("game", "options"), [("othello", {}), ("tictactoe", {"size": 5, "win_length": 4})])
def test_positions_and_moves_share_a_small_memory(game: str, options: dict[str, Value]) -> None:
    rules, proves = rules_of(game_spec(game, options)), bool(options)  # other tests compile these, too
    search = go(new_search("grouping", rules, 10**6, memory=500_000, proves=proves), Game.new(rules), count=30_000)
    store = search._store
    assert search.is_full
    assert store.used[NODES] > 0.95 * len(store.visits)
    assert store.used[EDGES] > 0.95 * len(store.edge_move)


def cut_chances(rules: Rules[Position], position: Position, plies: int) -> dict[int, float]:
    """Return the probabilities of results or evaluations of random games after so many plies, by trying all games."""
    state, moves = rules.kernel_state(position), rules.legal_moves(position)
    if not moves or not plies:
        return {int((compiled_rules.evaluate if moves else compiled_rules.final_difference)(state)): 1.0}
    spread: dict[int, float] = defaultdict(float)
    for move in moves:
        for difference, chance in cut_chances(rules, rules.play(position, move), plies - 1).items():
            spread[-difference] += chance / len(moves)
    return spread


@kernel
def judge_often(leaf: Any, state: Any, words: Words, lanes: RandomState, differences: Ints) -> None:
    for index in range(len(differences)):
        compiled.pack(state, words[0])
        mcts.evaluate_leaves(leaf, state, words, 1, lanes, differences[index:])


@pytest.mark.parametrize(
    ("game", "moves", "plies"),
    [
        ("othello", "", 3),
        ("othello", "d3 c3", 1),
        ("tictactoe", "b2", 3),
        *(("tictactoe", "b2 a1 a2 c1", n) for n in (4, 5)),
    ],
)
def test_a_cut_playout_is_evaluated_where_it_ends(game: str, moves: str, plies: int) -> None:
    rules = rules_of(game_spec(game))
    position = parse_transcript(moves, rules, rules.start()).position
    expected = {result: 20_000 * chance for result, chance in cut_chances(rules, position, plies).items()}
    differences = np.empty(20_000, np.int64)
    words = np.empty((1, rules.state_words), np.uint64)
    lanes = random_lanes(np.random.SeedSequence(5), LANES, more_rows=2 + rules.state_words)
    judge_often(mcts.CutPlayouts(plies), rules.kernel_state(position), words, lanes, differences)
    assert_likely(Counter(differences.tolist()), expected)
