"""The search tree: the formulas of selection, what holds in every tree after any search, and when it ends."""

import math
from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pytest

from othello.kernel.decorators import Ints, Words, kernel
from othello.kernel.random import RandomState, random_lanes, random_state
from othello.records.transcript import parse_transcript
from othello.rules import compiled
from othello.rules.othello import OthelloPosition
from othello.rules.protocol import Move, Position, Rules
from othello.rules.registry import game_spec, rules_of
from othello.search.mcts import (
    LANES,
    MAX_BATCH_SIZE,
    CutPlayouts,
    Rule,
    SimulationBatch,
    Ucb1Tuned,
    Uct,
    bound_terms,
    evaluate_leaves,
    new_batch,
    root_of_log,
    select,
    simulate,
)
from othello.search.stop import StopFlag
from othello.search.store import EDGES, NOT_EXPANDED, draw_untried, list_moves
from othello.search.tree import ROOT, Tree, new_tree, reset
from tests import compiled_rules
from tests.chi_square import bound_of_chi_square, distance
from tests.positions import RULES, START, with_empties
from tests.simulators import POSITIONS, ROUNDING, C

UCT, UCB1_TUNED = Uct(C), Ucb1Tuned()
WALKS = new_batch(RULES, np.random.SeedSequence(1))
RULE = pytest.mark.parametrize("rule", [UCT, UCB1_TUNED])


def empty_tree(capacity: int) -> Tree:
    tree = new_tree(RULES, capacity)
    reset(tree)
    return tree


def searched(
    position: OthelloPosition,
    rule: Rule = UCT,
    count: int = 1000,
    batch_size: int = 8,
    capacity: int = 100_000,
    draws_ties: bool = False,
) -> Tree:
    tree, batch = empty_tree(capacity), new_batch(RULES, np.random.SeedSequence(1), draws_ties=draws_ties)
    state = RULES.kernel_state(position)
    assert simulate(tree, ROOT, state, rule, count, batch_size, batch, StopFlag().cell) == count
    return tree


def children(tree: Tree, node: int) -> range:
    first = int(tree.first_edge[node])
    return range(first, first + int(tree.edges[node])) if tree.edges[node] != NOT_EXPANDED else range(0)


def reward(tree: Tree, node: int) -> float:
    return float(tree.wins[node]) + float(tree.draws[node]) / 2


def uct_bounds(tree: Tree, node: int) -> dict[int, float]:
    log = math.log(tree.visits[node])
    return {
        child: reward(tree, child) / tree.visits[child] + C * math.sqrt(log / tree.visits[child])
        for child in children(tree, node)
    }


def ucb1_tuned_bounds(tree: Tree, node: int) -> dict[int, float]:
    log = math.log(tree.visits[node])
    bounds = {}
    for child in children(tree, node):
        visits = int(tree.visits[child])
        rewards = [1.0] * int(tree.wins[child]) + [0.5] * int(tree.draws[child])
        mean = sum(rewards) / visits
        variance = sum(reward**2 for reward in rewards) / visits - mean**2 + math.sqrt(2 * log / visits)
        bounds[child] = mean + math.sqrt(log / visits * min(1 / 4, variance))
    return bounds


@kernel
def upper_bound_of(tree: Tree, node: int, edge: int, rule: Any) -> np.float32:
    mean, bonus, _ = bound_terms(rule, tree, edge, root_of_log(tree.visits[node]))
    return mean + bonus  # type: ignore[no-any-return]


def bounds_of(tree: Tree, node: int, rule: Rule) -> dict[int, float]:
    """Return the bounds with the rounding of the search, to keep equal values equal."""
    return {child: float(upper_bound_of(tree, node, child, rule)) for child in children(tree, node)}


@kernel
def try_next(tree: Tree, random: RandomState) -> int:
    """One of the root's untried children, from now on counted as tried."""
    edge = draw_untried(tree, ROOT, random)
    tree.tried[ROOT] += 1
    return edge


@RULE
@pytest.mark.parametrize("position", POSITIONS)
def test_selection_follows_the_formulas_in_a_real_tree(position: OthelloPosition, rule: Rule) -> None:
    tree = searched(position, rule, count=3000)
    compared = 0
    for node in range(int(tree.used[EDGES])):
        if children(tree, node) and tree.tried[node] == tree.edges[node]:
            bounds = uct_bounds(tree, node) if rule == UCT else ucb1_tuned_bounds(tree, node)
            chosen = select(tree, node, rule, WALKS)
            assert bounds[chosen] >= max(bounds.values()) - ROUNDING
            compared += 1
    assert compared


def check_draws(tree: Tree, node: int, rule: Rule, batch: SimulationBatch) -> int:
    """Assert that only the best children are drawn, all as often, and return their number."""
    bounds = bounds_of(tree, node, rule)
    best = {child for child in children(tree, node) if bounds[child] == max(bounds.values())}
    drawn = Counter(select(tree, node, rule, batch) for _ in range(200 * len(best)))
    chi_square, degrees = distance(drawn, dict.fromkeys(best, 200.0))
    assert drawn.keys() == best
    assert chi_square < bound_of_chi_square(degrees)
    assert select(tree, node, rule, WALKS) == min(best)
    return len(best)


@RULE
def test_any_of_equal_children_may_be_drawn(rule: Rule) -> None:
    batch = new_batch(RULES, np.random.SeedSequence(3), draws_ties=True)
    tree = searched(with_empties(1, 9)[0], rule, 2000, batch_size=1, draws_ties=True)
    check_statistics(tree, 2000)
    full = [node for node in range(int(tree.used[EDGES])) if 0 < tree.tried[node] == tree.edges[node]]
    assert {check_draws(tree, node, rule, batch) for node in full[:300]} >= {1, 2, 3}


def test_untried_children_are_drawn_once_in_random_order() -> None:
    orders = set()
    for seed in range(200):
        tree = empty_tree(100)
        generator = random_state(np.random.SeedSequence(seed))
        list_moves(tree, ROOT, RULES.kernel_state(START), np.empty(RULES.max_moves, np.uint8))
        orders.add(tuple(int(tree.edge_move[try_next(tree, generator)]) for _ in range(4)))
    assert {tuple(sorted(order)) for order in orders} == {RULES.legal_moves(START)}
    assert len(orders) == math.factorial(4)


def check_statistics(tree: Tree, simulations: int) -> None:
    assert tree.visits[ROOT] == simulations
    for node in range(int(tree.used[EDGES])):
        visits, below = int(tree.visits[node]), children(tree, node)
        assert tree.wins[node] + tree.draws[node] <= visits
        if visits:
            assert tree.mean[node] == pytest.approx(reward(tree, node) / visits, abs=ROUNDING)
        if not below:
            continue
        below_visits = [int(tree.visits[child]) for child in below]
        own = 0 if node == ROOT else 1  # the simulation that found the node, whose playout began there
        assert sum(below_visits) == visits - own
        losses = sum(int(tree.visits[child] - tree.wins[child] - tree.draws[child]) for child in below)
        draws = sum(int(tree.draws[child]) for child in below)
        assert 0 <= int(tree.wins[node]) - losses <= own
        assert 0 <= int(tree.draws[node]) - draws <= own
        assert max(below_visits) <= 1 or min(below_visits) >= 1, "a sibling was repeated before all were tried"
        assert tree.tried[node] == sum(map(bool, below_visits))


def check_moves(tree: Tree, position: OthelloPosition, node: int = ROOT) -> None:
    below = children(tree, node)
    legal = RULES.legal_moves(position)
    if below:
        assert sorted(int(tree.edge_move[child]) for child in below) == list(legal)
    if not legal:
        results = {int(tree.wins[node]), int(tree.draws[node])}
        assert results <= {0, int(tree.visits[node])}, "a finished game has one result"
    for child in below:
        check_moves(tree, RULES.play(position, Move(int(tree.edge_move[child]))), child)


@RULE
@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("batch_size", [1, 3, 8, LANES])
def test_counts_results_and_moves_are_consistent(position: OthelloPosition, batch_size: int, rule: Rule) -> None:
    tree = searched(position, rule, 1000, batch_size)
    check_statistics(tree, 1000)
    check_moves(tree, position)


@pytest.mark.parametrize("batch_size", [*range(1, LANES + 2), MAX_BATCH_SIZE])
def test_any_number_of_simulations_is_counted(batch_size: int) -> None:
    for count in (1, 2, 5, 17):
        check_statistics(searched(START, count=count, batch_size=batch_size), count)


@RULE
@pytest.mark.parametrize("capacity", [5, 20, 100, 1000])
def test_a_full_tree_goes_on_without_growing(capacity: int, rule: Rule) -> None:
    tree = searched(START, rule, 3000, capacity=capacity)
    assert tree.used[EDGES] <= capacity
    assert sum(int(tree.visits[child]) for child in children(tree, ROOT)) == tree.visits[ROOT] == 3000
    check_moves(tree, START)
    for node in range(int(tree.used[EDGES])):
        assert tree.mean[node] == pytest.approx(reward(tree, node) / max(1, int(tree.visits[node])), abs=ROUNDING)
        below = children(tree, node)
        if below:
            assert sum(int(tree.visits[child]) for child in below) <= tree.visits[node]


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
        evaluate_leaves(leaf, state, words, 1, lanes, differences[index:])


@pytest.mark.parametrize(
    ("game", "moves", "plies"),
    [
        ("othello", "", 3),
        ("othello", "d3 c3", 1),
        ("tictactoe", "b2", 3),
        ("tictactoe", "b2 a1 a2 c1", 4),
        ("tictactoe", "b2 a1 a2 c1", 5),
        ("connect_four", "4 4", 2),
    ],
)
def test_a_cut_playout_is_evaluated_where_it_ends(game: str, moves: str, plies: int) -> None:
    rules = rules_of(game_spec(game))
    position = parse_transcript(moves, rules, rules.start()).position
    expected = {result: 20_000 * chance for result, chance in cut_chances(rules, position, plies).items()}
    differences = np.empty(20_000, np.int64)
    words = np.empty((1, rules.state_words), np.uint64)
    lanes = random_lanes(np.random.SeedSequence(5), LANES, more_rows=2 + rules.state_words)
    judge_often(CutPlayouts(plies), rules.kernel_state(position), words, lanes, differences)
    observed = Counter(differences.tolist())
    assert observed.keys() <= expected.keys()
    chi_square, degrees = distance(observed, expected)
    assert chi_square < bound_of_chi_square(degrees)
