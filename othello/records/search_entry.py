"""A search in a game file: what a player found out about a position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from othello.errors import GameFileError, OthelloError
from othello.game import AnyGame
from othello.records.transcript import play_text
from othello.rules.protocol import Move
from othello.search.report import MoveStats, SearchReport, Unit


def search_entry(report: SearchReport, game: AnyGame) -> dict[str, Any]:
    """A search of a game's position as the file has it."""
    text = game.text_of
    entry: dict[str, Any] = {"player": report.player, "move": text(report.move), "unit": report.unit.value}
    entry |= {} if report.value is None else {"value": _short(report.value)}
    entry["moves"] = [[text(stats.move), stats.visits, _short(stats.value), stats.exact] for stats in report.moves]
    entry |= {name: getattr(report, name) for name in ("simulations", "nodes", "depth") if getattr(report, name)}
    entry |= {"line": game.texts_of(report.pv)} if report.pv else {}
    return entry | {"seconds": round(report.seconds, 3), "final": report.final}


def _short(value: float | None) -> float | None:
    return None if value is None else round(value, 5)


def search_of(entry: Mapping[str, Any], game: AnyGame, place: str) -> SearchReport:
    """The search of a position as the file has it. Its moves must be legal there: the window draws them on its squares.

    Raises:
        GameFileError: they are not; the error begins with `place`.
    """
    legal = {game.text_of(move): move for move in game.legal_moves()}
    if entry["move"] not in legal:
        raise GameFileError("search_move", place=place, move=entry["move"], legal=", ".join(legal))
    moves = []
    for text, visits, value, is_exact in entry.get("moves", ()):
        is_number = value is None or (isinstance(value, int | float) and not isinstance(value, bool))
        if not (is_number and type(visits) is int and visits >= 0 and type(is_exact) is bool):
            raise GameFileError("search_moves", place=place)
        if not isinstance(text, str) or text not in legal:
            raise GameFileError("search_move", place=place, move=text, legal=", ".join(legal))
        moves.append(MoveStats(legal[text], visits, None if value is None else float(value), is_exact))
    return SearchReport(
        player=entry["player"],
        move=legal[entry["move"]],
        value=float(entry["value"]) if "value" in entry else None,
        moves=tuple(sorted(moves, key=lambda stats: stats.move)),
        unit=Unit(entry["unit"]),
        simulations=entry.get("simulations", 0),
        nodes=entry.get("nodes", 0),
        depth=entry.get("depth", 0),
        pv=_line(entry.get("line", ()), game, place),
        seconds=float(entry.get("seconds", 0.0)),
        final=entry.get("final", False),
    )


def _line(texts: Sequence[str], game: AnyGame, place: str) -> tuple[Move, ...]:
    line = game
    for text in texts:
        line = at_place(f"{place}.line", lambda text, line=line: play_text(line, text), text)
    return line.moves[game.ply :]


def at_place(place: str, read: Any, text: str) -> Any:
    """What a part of the document says, its fault with the place of the part."""
    try:
        return read(text)
    except OthelloError as error:
        raise GameFileError("at_place", place=place, reason=error.reason) from None
