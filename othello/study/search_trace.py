"""The steps of a search as JSON objects, one for each line of a file; docs/searches.md documents the fields."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import othello
from othello.config import PlayerConfig
from othello.game import AnyGame
from othello.schema import options_of
from othello.search.steps import Backup, Choice, Expand, Node, NodeValue, Playout, Reason, Select, Step, Update

if TYPE_CHECKING:
    from othello.search.report import Line, SearchReport
    from othello.search.steps import Edge

_PROOFS: Final = (None, "lost", "drawn", "won")  # as numbered in othello.search.proofs
_CUTOFFS: Final[dict[Reason, str | bool]] = {Reason.CUT_OFF: "beta", Reason.FROM_TABLE: "table"}


def search_row(config: PlayerConfig, game: AnyGame, seed: int) -> dict[str, Any]:
    """Return the first line: what was searched, by whom."""
    rules, position = game.rules, game.position
    return {
        "type": "search",
        "game": rules.name,
        "rules": dict(rules.spec.options),
        "position": rules.format_position(position),
        "to_move": position.to_move.label,
        "player": {"player_type": config.player_type} | {key: getattr(config, key) for key in options_of(type(config))},
        "seed": seed,
        "version": othello.__version__,
    }


def result_row(report: SearchReport, game: AnyGame) -> dict[str, Any]:
    """Return the last line: the move that the search chose."""
    children = [
        {"move": game.text_of(stats.move), "visits": stats.visits, "mean": stats.value} for stats in report.moves
    ]
    return {"type": "result", "move": game.text_of(report.move), "children": children}


def row_of(step: Step, game: AnyGame) -> dict[str, Any]:
    """Return a step of a search that began at the end of `game`."""
    match step:
        case Select():
            at = game.after(step.path)
            children = [{"move": at.text_of(move), **_edge(edge, step)} for move, edge in step.children.items()]
            chosen = at.text_of(step.chosen)
            facts = {"node": {"visits": step.visits}, "children": children, "chosen": chosen}
            return {"type": "select", "simulation": step.simulation, "path": _path(game, step.path), **facts}
        case Expand():
            place = {"path": _path(game, step.path), "move": game.after(step.path).text_of(step.move)}
            return {"type": "expand", "simulation": step.simulation, **place}
        case Playout():
            facts = {"path": _path(game, step.path), "moves": _path(game.after(step.path), step.moves)}
            return {"type": "playout", "simulation": step.simulation, **facts, "result": step.result}
        case Backup():
            nodes = [_node_value(value, game) for value in step.nodes]
            return {"type": "backup", "simulation": step.simulation, "nodes": nodes}
        case Node():
            return _node(step, game)
        case Choice() | Update():
            facts = step._asdict() | {"move": game.after(step.path).text_of(step.move)}
            del facts["path"]
            kind = "choice" if isinstance(step, Choice) else "update"
            return {"type": kind, "state": _path(game, step.path), **facts}


def _path(game: AnyGame, path: Line) -> list[str]:
    return game.texts_of(path)


def _edge(edge: Edge, step: Select) -> dict[str, Any]:
    numbers = {"mean": edge.mean, "bonus": edge.bonus, "bound": edge.bound}
    if step.in_turn:
        numbers |= {"bonus": math.nan, "bound": math.nan}
    if not math.isnan(edge.variance):
        numbers["variance"] = edge.variance
    row = {key: None if math.isnan(value) else value for key, value in numbers.items()}
    return {"visits": edge.visits, **row} | ({"proof": _PROOFS[edge.proof]} if edge.proof else {})


def _node_value(value: NodeValue, game: AnyGame) -> dict[str, Any]:
    return {"path": _path(game, value.path), "visits": value.visits, "mean": value.mean}


def _node(node: Node, game: AnyGame) -> dict[str, Any]:
    rules = game.rules
    static: dict[str, int] | None = None
    if node.reason is Reason.EVALUATED:
        names = [column + row for row in rules.row_names for column in rules.column_names]
        terms = {names[square]: term for square, term in node.terms.items()}
        static = terms or {"evaluation": node.value}
    return {
        "type": "node",
        "iteration": node.iteration,
        "depth": node.depth,
        "path": _path(game, node.path),
        "alpha": node.alpha,
        "beta": node.beta,
        "value": node.value,
        "cutoff": _CUTOFFS.get(node.reason, False),
        "static": static,
        "game_over": node.reason is Reason.GAME_OVER,
    }
