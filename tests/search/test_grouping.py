"""The graph of positions: what shares a node, which counts must add up, and moves that find their way back."""

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

from othello.game import Game
from othello.kernel.jit import kernel
from othello.rules.othello import OthelloPosition
from othello.rules.protocol import Color, Move
from othello.rules.registry import game_spec, rules_of
from othello.schema import Value
from othello.search.graph import Graph, clear_graph, new_graph, node_of_any
from othello.search.mcts import LANES, Uct, new_batch, select, simulate
from othello.search.stop import StopFlag
from othello.search.store import EDGES, NODES, NOT_EXPANDED, move_in
from othello.search.tree import ROOT
from tests import compiled_rules
from tests.positions import IMAGES, RULES, START, image_of, image_of_move, with_colors_swapped, with_empties
from tests.simulators import POSITIONS, ROUNDING, C, go, new_search


def searched(
    position: OthelloPosition, count: int = 1000, batch_size: int = 8, graph: Graph | None = None, seed: int = 1
) -> Graph:
    graph = graph or new_graph(RULES, count + 2, 34 * (count + 1))
    state = RULES.kernel_state(position)
    clear_graph(graph)
    assert node_of_any(graph, state, np.empty(2, np.uint64)) == ROOT
    batch = new_batch(RULES, np.random.SeedSequence(seed))
    assert simulate(graph, ROOT, state, Uct(C), count, batch_size, batch, StopFlag().cell) == count
    return graph


def nodes(graph: Graph) -> range:
    return range(int(graph.used[NODES]))


def edges(graph: Graph, node: int) -> range:
    """Return the edges of a node that were tried."""
    first = int(graph.first_edge[node])
    return range(first, first + int(graph.tried[node])) if graph.edges[node] != NOT_EXPANDED else range(0)


def board(graph: Graph, node: int) -> OthelloPosition:
    own, opponent = graph.state[node]
    return OthelloPosition(int(own), int(opponent), Color.BLACK)


def canonical(position: OthelloPosition) -> tuple[int, int]:
    state, _ = compiled_rules.canonical(RULES.kernel_state(position))
    return int(state[0]), int(state[1])


def contents(graph: Graph) -> list[list[float]]:
    used_nodes, used_edges, _ = graph.used.tolist()
    by_edge = (graph.edge_move, graph.edge_visits)
    by_node = (graph.state, graph.visits, graph.wins, graph.draws, graph.edges, graph.tried)
    return [field[:used_nodes].tolist() for field in by_node] + [field[:used_edges].tolist() for field in by_edge]


@pytest.mark.parametrize("position", POSITIONS)
def test_images_and_colors_swapped_are_the_same_graph(position: OthelloPosition) -> None:
    expected = contents(searched(position, 300))
    for same in (with_colors_swapped(position), *(image_of(position, image) for image in range(len(IMAGES)))):
        assert contents(searched(same, 300)) == expected


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("batch_size", [1, 3, 8, LANES])
def test_a_position_has_one_node_with_the_visits_of_all_paths(position: OthelloPosition, batch_size: int) -> None:
    """Its visits are those of all edges to it, and each edge ended one simulation there: the one that tried it."""
    graph = searched(position, 1000, batch_size)
    assert graph.visits[ROOT] == 1000
    boards = [board(graph, node) for node in nodes(graph)]
    assert len(set(boards)) == len(boards)
    assert all(canonical(each) == (each.own, each.opponent) for each in boards)
    if position == START:
        assert {int(graph.edge_node[edge]) for edge in edges(graph, ROOT)} == {1}, "by symmetry"
    into: Counter[int] = Counter()
    ways: Counter[int] = Counter()
    for node in nodes(graph):
        for edge in edges(graph, node):
            into[int(graph.edge_node[edge])] += int(graph.edge_visits[edge])
            ways[int(graph.edge_node[edge])] += 1
    for node in nodes(graph):
        visits = int(graph.visits[node])
        if node != ROOT:
            assert visits == into[node] >= ways[node] >= 1
        if graph.edges[node] == NOT_EXPANDED:
            assert visits == ways[node]
        elif graph.edges[node] > 0:
            assert sum(int(graph.edge_visits[edge]) for edge in edges(graph, node)) == visits - ways[node]
    if position.taken.bit_count() < 59:
        assert max(ways.values()) > 1, "no two orders of moves met in one position"


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("batch_size", [1, 8])
def test_counts_results_and_moves_are_consistent(position: OthelloPosition, batch_size: int) -> None:
    graph = searched(position, 1000, batch_size)
    for node in nodes(graph):
        visits, here = int(graph.visits[node]), board(graph, node)
        wins, draws = int(graph.wins[node]), int(graph.draws[node])
        legal = RULES.legal_moves(here)
        assert wins + draws <= visits
        assert graph.mean[node] == pytest.approx((wins + draws / 2) / visits, abs=ROUNDING)
        if not legal:
            assert {wins, draws} <= {0, visits}, "a finished game has one result"
        if graph.edges[node] == NOT_EXPANDED:
            continue
        first = int(graph.first_edge[node])
        assert sorted(graph.edge_move[first : first + len(legal)].tolist()) == list(legal)
        tried = edges(graph, node)
        assert all(graph.edge_visits[edge] >= 1 for edge in tried)
        if len(tried) < len(legal):
            assert all(graph.edge_visits[edge] == 1 for edge in tried), "a move was repeated before all were tried"
            assert not graph.edge_visits[first + len(tried) : first + len(legal)].any()
        for edge in tried:
            after = RULES.play(here, Move(int(graph.edge_move[edge])))
            child = board(graph, int(graph.edge_node[edge]))
            assert canonical(after) == (child.own, child.opponent)


@pytest.mark.parametrize("position", POSITIONS)
def test_selection_is_uct2(position: OthelloPosition) -> None:
    graph, batch = searched(position, 3000), new_batch(RULES, np.random.SeedSequence(1))
    compared = 0
    for node in nodes(graph):
        if graph.tried[node] == graph.edges[node] > 0:
            log = math.log(graph.visits[node])
            bounds = {}
            for edge in edges(graph, node):
                child = int(graph.edge_node[edge])
                mean = (float(graph.wins[child]) + float(graph.draws[child]) / 2) / float(graph.visits[child])
                bounds[edge] = mean + C * math.sqrt(log / float(graph.edge_visits[edge]))
            assert bounds[select(graph, node, Uct(C), batch)] >= max(bounds.values()) - ROUNDING
            compared += 1
    assert compared


@kernel
def move_of(graph: Graph, edge: int, state: Any) -> int:
    return move_in(graph, edge, state)  # type: ignore[no-any-return]


@pytest.mark.parametrize("position", [START, with_empties(1, 52)[0], *POSITIONS[1:]])
def test_moves_are_mapped_back_to_every_symmetric_position(position: OthelloPosition) -> None:
    graph = searched(position)
    plain = RULES.kernel_state(position)
    first, last = int(graph.first_edge[ROOT]), int(graph.first_edge[ROOT]) + int(graph.edges[ROOT])
    moves = {edge: int(move_of(graph, edge, plain)) for edge in range(first, last)}
    assert sorted(moves.values()) == list(RULES.legal_moves(position))
    for image in range(len(IMAGES)):
        turned = image_of(position, image)
        for edge, move in moves.items():
            there = int(move_of(graph, edge, RULES.kernel_state(turned)))
            # A symmetric position has several moves that could be meant; all lead to the same position.
            assert there in RULES.legal_moves(turned)
            assert canonical(RULES.play(turned, Move(there))) == canonical(RULES.play(position, Move(move)))
            if len({image_of(position, other) for other in range(len(IMAGES))}) == len(IMAGES):
                assert there == image_of_move(Move(move), image)


@pytest.mark.parametrize(
    ("places", "moves"), [(5, 1000), (20, 1000), (200, 10_000), (5000, 4), (5000, 40), (5000, 400)]
)
def test_a_full_graph_goes_on_without_growing(places: int, moves: int) -> None:
    graph = searched(START, 3000, graph=new_graph(RULES, places, moves))
    assert graph.used[NODES] <= places
    assert graph.used[EDGES] <= moves
    assert graph.visits[ROOT] == sum(int(graph.edge_visits[edge]) for edge in edges(graph, ROOT)) == 3000
    for node in nodes(graph):
        visits = int(graph.visits[node])
        assert graph.wins[node] + graph.draws[node] <= visits
        assert sum(int(graph.edge_visits[edge]) for edge in edges(graph, node)) <= visits


@pytest.mark.parametrize(("game", "options"), [("othello", {}), ("tictactoe", {"size": 5, "win_length": 4})])
def test_positions_and_moves_share_a_small_memory(game: str, options: dict[str, Value]) -> None:
    rules = rules_of(game_spec(game, options))
    search = go(new_search("grouping", rules, 10**6, memory=500_000), Game.new(rules), count=30_000)
    store = search._store
    assert search.is_full
    assert store.used[NODES] > 0.95 * len(store.visits)
    assert store.used[EDGES] > 0.95 * len(store.edge_move)
