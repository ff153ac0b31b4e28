"""Stored trees that are not valid for the game are refused."""

import numpy as np
import pytest

from othello.game import Game
from othello.search.store import NOT_EXPANDED
from othello.search.tree_snapshot import MAX_VISITS
from tests.positions import RULES
from tests.simulators import EACH, MAKE, OPENING, arrive, changed, go, go_and_tell, refuses


@EACH
@pytest.mark.parametrize("field", [0, 3, 5, -1])
def test_fields_that_do_not_fit_together_change_nothing(search: str, field: int) -> None:
    snapshot = go_and_tell(search)
    name = list(snapshot)[field]
    refuses(search, {**snapshot, name: snapshot[name][:-1]}, "differ in length")
    refuses(search, {**snapshot, name: snapshot[name].astype(np.float32)}, "of another kind")
    refuses(search, {key: snapshot[key] for key in snapshot if key != name}, "missing")


def test_a_tree_must_have_one_way_to_every_node() -> None:
    snapshot = go_and_tell("uct")
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
        refuses("uct", changed(snapshot, field, node, value), message)
    refuses("uct", {name: field[:0] for name, field in snapshot.items()}, "no root")


@pytest.mark.parametrize("search", ["uct", "ucb1"])
def test_a_tree_must_have_the_moves_of_the_game(search: str) -> None:
    snapshot = go_and_tell(search)
    parents = np.flatnonzero((snapshot["edges"] > 0) & (snapshot["edges"] != NOT_EXPANDED))
    for parent in (int(parents[0]), int(parents[-1])):
        child = int(snapshot["first_edge"][parent])
        for move in (27, 64, 200, int(snapshot["edge_move"][child + 1])):
            refuses(search, changed(snapshot, "edge_move", child, move), "other moves than its position")
    elsewhere = go(MAKE[search](), Game.new(RULES, OPENING.position))
    refuses(search, elsewhere.snapshot(), "other moves than its position")


def test_a_tree_must_have_counts_that_can_be() -> None:
    snapshot = go_and_tell("uct")
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
        refuses("uct", changed(snapshot, field, node, value), message)


def test_a_tree_that_was_visited_often_is_read() -> None:
    snapshot = go_and_tell("uct")
    simulator = MAKE["uct"]()
    simulator.load_snapshot(changed(snapshot, "visits", 0, MAX_VISITS))
    assert arrive(simulator, OPENING, seed=1)


@EACH
def test_what_follows_from_the_counts_is_not_read(search: str) -> None:
    snapshot = go_and_tell(search)
    derived = {"mean", "inverse_root", "edge_inverse_root"}
    assert not derived & set(snapshot)
    simulators = MAKE[search](), MAKE[search]()
    simulators[0].load_snapshot(snapshot)
    simulators[1].load_snapshot({**snapshot, **{name: np.full(3, np.nan) for name in derived}})
    for simulator in simulators:
        go(simulator, OPENING)
    assert simulators[0].root_moves() == simulators[1].root_moves()
