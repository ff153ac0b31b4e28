"""Stored graphs that are not valid are refused."""

import numpy as np
import pytest

from othello.search.store import NOT_EXPANDED
from othello.search.tree_snapshot import MAX_VISITS, Arrays
from tests.positions import image_of_board
from tests.simulators import changed, go_and_tell, refuses


@pytest.fixture(scope="module")
def snapshot() -> Arrays:
    return go_and_tell("grouping")


def parent_and_edge(snapshot: Arrays) -> tuple[int, int]:
    """Return a node that is not the first, and a tried edge of it."""
    parent = int(np.flatnonzero(snapshot["tried"])[1])
    return parent, int(snapshot["first_edge"][parent])


def test_a_move_must_lead_where_it_leads(snapshot: Arrays) -> None:
    parent, edge = parent_and_edge(snapshot)
    for field, place, value in (
        ("edge_node", edge, parent),
        ("edge_node", edge, 0),
        ("edge_node", edge, 10**6),
        ("edge_node", edge, 4 * 10**9),
        ("edge_node", slice(None), 0),
    ):
        refuses("grouping", changed(snapshot, field, place, value), "leads to another position")


def test_a_move_must_be_one_nodes_and_legal(snapshot: Arrays) -> None:
    parent, edge = parent_and_edge(snapshot)
    for field, place, value, message in (
        ("edge_move", edge, 27, "other moves than its position"),
        ("edge_move", edge, 200, "other moves than its position"),
        ("edge_move", edge, snapshot["edge_move"][edge + 1], "other moves than its position"),
        ("first_edge", parent, snapshot["first_edge"][0], "two nodes, or to none"),
        ("edges", parent, NOT_EXPANDED, "moves that are not there"),
        ("edges", parent, 0, "moves that are not there"),
    ):
        refuses("grouping", changed(snapshot, field, place, value), message)


def test_a_position_must_be_possible_and_have_one_node(snapshot: Arrays) -> None:
    state = snapshot["state"]
    last = len(state) - 1
    for place, value, message in (
        (last, state[0], "two nodes"),
        (slice(1, None), state[0], "two nodes"),
        (slice(None), 2**64 - 1, "two nodes"),
        ((last, 0), state[last, 0] | state[last, 1], "cannot be"),
        (last, [image_of_board(int(word), 2) for word in state[last]], "cannot be"),  # not the image that is kept
    ):
        refuses("grouping", changed(snapshot, "state", place, value), message)
    refuses("grouping", {**snapshot, "state": state[:, ::-1]}, "cannot be")


def test_counts_must_be_such_as_can_be(snapshot: Arrays) -> None:
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
        refuses("grouping", changed(snapshot, field, place, value), message)
    hardly = {**snapshot, "wins": 0 * snapshot["wins"], "draws": 0 * snapshot["draws"]}
    last = len(snapshot["visits"]) - 1
    refuses("grouping", changed(hardly, "visits", last, 0), "other visits")
