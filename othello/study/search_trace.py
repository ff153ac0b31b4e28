"""The steps of a search as JSON objects, one for each line of a file; docs/searches.md documents the fields."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import othello
from othello.config import PlayerConfig
from othello.game import AnyGame
from othello.schema import options_of
from othello.search.steps import Backup, Choice, ExitReason, Expansion, MoveSelection, NodeExit, Playout, Step, Update

if TYPE_CHECKING:
    from othello.search.report import SearchReport
    from othello.search.steps import Edge

_TYPES: Final[dict[type[Step], str]] = {MoveSelection: "select", Expansion: "expand", NodeExit: "node"}
_PROOFS: Final = (None, "lost", "drawn", "won")  # as numbered in othello.search.proofs
_CUTOFFS: Final[dict[ExitReason, str | bool]] = {ExitReason.CUT_OFF: "beta", ExitReason.FROM_TABLE: "table"}


def search_row(config: PlayerConfig, game: AnyGame, seed: int) -> dict[str, Any]:
    """Return the first line: the position, the player and the seed."""
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
    moves = [{"move": game.text_of(stats.move), "visits": stats.visits, "mean": stats.value} for stats in report.moves]
    return {"type": "result", "move": game.text_of(report.move), "children": moves}


def row_of(step: Step, game: AnyGame) -> dict[str, Any]:
    """Return a step of a search that began at the end of `game`."""
    row = {"type": _TYPES.get(type(step), type(step).__name__.lower()), **step._asdict()}
    if isinstance(step, Backup):
        del row["before"]
        return row | {"nodes": [value._asdict() | {"path": game.texts_of(value.path)} for value in step.nodes]}
    at = game.after(step.path)
    row["state" if isinstance(step, Choice | Update) else "path"] = game.texts_of(row.pop("path"))
    match step:
        case MoveSelection():
            children = [{"move": at.text_of(move), **_edge(edge, step)} for move, edge in step.children.items()]
            row |= {"node": {"visits": row.pop("visits")}, "children": children, "chosen": at.text_of(step.chosen)}
            del row["in_turn"]
        case Expansion():
            del row["children"]
        case Playout():
            row["moves"] = at.texts_of(step.moves)
        case NodeExit():
            row |= _leaf(step, game) | {"cutoff": _CUTOFFS.get(row.pop("reason"), False), "depth": step.depth}
            del row["terms"]
    return row if "move" not in row else row | {"move": at.text_of(row["move"])}


def _edge(edge: Edge, step: MoveSelection) -> dict[str, Any]:
    numbers = {"mean": edge.mean, "bonus": edge.bonus, "bound": edge.bound}
    if step.in_turn:
        numbers |= {"bonus": math.nan, "bound": math.nan}
    if not math.isnan(edge.variance):
        numbers["variance"] = edge.variance
    row = {key: None if math.isnan(value) else value for key, value in numbers.items()}
    return {"visits": edge.visits, **row} | ({"proof": _PROOFS[edge.proof]} if edge.proof else {})


def _leaf(node: NodeExit, game: AnyGame) -> dict[str, Any]:
    names = [column + row for row in game.rules.row_names for column in game.rules.column_names]
    terms = {names[square]: term for square, term in node.terms.items()} or {"evaluation": node.value}
    static = terms if node.reason is ExitReason.EVALUATED else None
    return {"static": static, "game_over": node.reason is ExitReason.GAME_OVER}
