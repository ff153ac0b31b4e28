"""Snapshots that are not valid for the game are refused, and the search keeps what it has learned."""

from functools import cache

import numpy as np
import pytest

from othello.game import Game
from othello.search.store import NOT_EXPANDED
from othello.search.tree_snapshot import MAX_VISITS, Arrays
from tests import simulators
from tests.positions import RULES, image_of_board
from tests.simulators import EACH, OPENING, go, new_search, set_root, visits

snapshot_of = cache(simulators.snapshot_of)


def changed(snapshot: Arrays, field: str, place: int | slice | tuple[int, ...], value: object) -> Arrays:
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


def test_each_node_of_a_tree_has_one_parent() -> None:
    snapshot = snapshot_of("uct")
    parents = np.flatnonzero((snapshot["edges"] > 0) & (snapshot["edges"] != NOT_EXPANDED))
    above, below = int(parents[0]), int(parents[-1])
    for field, node, value, message in (
        ("first_edge", above, 10**6, "two nodes, or to none"),
        ("first_edge", above, 0, "below itself"),
        ("first_edge", below, below, "below itself"),
        ("first_edge", below, above + 1, "below itself"),
        ("first_edge", below, int(snapshot["first_edge"][below]) - 1, "two nodes, or to none"),
        ("edges", above, 0, "two nodes, or to none"),
        ("edges", above, 5, "two nodes, or to none"),
        ("tried", above, 255, "moves that are not there"),
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


def test_counts_of_a_tree_are_consistent() -> None:
    snapshot = snapshot_of("uct")
    visited, unvisited = (
        int(nodes[-1]) for nodes in (np.flatnonzero(snapshot["visits"]), np.flatnonzero(snapshot["visits"] == 0))
    )
    for field, node, value, message in (
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


def parent_and_edge(snapshot: Arrays) -> tuple[int, int]:
    """Return a node that is not the first, and a tried edge of it."""
    parent = int(np.flatnonzero(snapshot["tried"])[1])
    return parent, int(snapshot["first_edge"][parent])


def test_an_edge_of_a_graph_is_a_legal_move_of_one_node_to_the_position_after_it() -> None:
    snapshot = snapshot_of("grouping")
    parent, edge = parent_and_edge(snapshot)
    for field, place, value, message in (
        ("edge_node", edge, parent, "leads to another position"),
        ("edge_node", edge, 0, "leads to another position"),
        ("edge_node", edge, 10**6, "leads to another position"),
        ("edge_node", edge, 4 * 10**9, "leads to another position"),
        ("edge_node", slice(None), 0, "leads to another position"),
        ("edge_move", edge, 27, "other moves than its position"),
        ("edge_move", edge, 200, "other moves than its position"),
        ("edge_move", edge, snapshot["edge_move"][edge + 1], "other moves than its position"),
        ("first_edge", parent, snapshot["first_edge"][0], "two nodes, or to none"),
        ("edges", parent, NOT_EXPANDED, "moves that are not there"),
        ("edges", parent, 0, "moves that are not there"),
    ):
        assert_refused("grouping", changed(snapshot, field, place, value), message)


def test_a_position_of_a_graph_is_possible_and_has_one_node() -> None:
    snapshot = snapshot_of("grouping")
    state = snapshot["state"]
    last = len(state) - 1
    for place, value, message in (
        (last, state[0], "two nodes"),
        (slice(1, None), state[0], "two nodes"),
        (slice(None), 2**64 - 1, "two nodes"),
        ((last, 0), state[last, 0] | state[last, 1], "cannot be"),
        (last, [image_of_board(int(word), 2) for word in state[last]], "cannot be"),  # not the image that is kept
    ):
        assert_refused("grouping", changed(snapshot, "state", place, value), message)
    assert_refused("grouping", {**snapshot, "state": state[:, ::-1]}, "cannot be")


def test_counts_of_a_graph_are_consistent() -> None:
    snapshot = snapshot_of("grouping")
    parent, edge = parent_and_edge(snapshot)
    for field, place, value, message in (
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
    hardly = {**snapshot, "wins": 0 * snapshot["wins"], "draws": 0 * snapshot["draws"]}
    last = len(snapshot["visits"]) - 1
    assert_refused("grouping", changed(hardly, "visits", last, 0), "other visits")
