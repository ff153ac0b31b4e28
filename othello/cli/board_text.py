"""A board as lines of text: X and O, coordinates, the last move, and where one may play."""

from __future__ import annotations

from typing import Any, Final

from rich.text import Text

from othello.cli.positions import value_text
from othello.game import AnyGame
from othello.rules.protocol import Color, Move, Position, Rules
from othello.search.report import SearchReport
from othello.texts import say

SIGNS: Final = "XO"
_STYLES: Final = ("bold green", "bold magenta")


def side(color: Color) -> str:
    """What a side is called: its sign on the board, and its name."""
    return say(f"terminal.sides.{color.label}")


def board(game: AnyGame) -> Text:
    """The board after the last move, which stands in brackets.

    A legal move shows how much it captures, or a star where not every empty square may be played on.
    """
    rules = game.rules
    columns, rows, block = rules.columns, rules.rows, rules.block_size or max(rules.columns, rules.rows)
    cells = [_cell(game, square) for square in range(columns * rows)]
    text = Text("    ")
    for column, name in enumerate(rules.column_names):
        text.append(" " * _is_edge(column, block) + f"{name:^3}", "dim")
    for row, name in enumerate(rules.row_names):
        if _is_edge(row, block):
            text.append("\n    " + "+".join(["-" * 3 * block] * (columns // block)), "dim")
        text.append(f"\n{name:>3} ", "dim")
        for column, cell in enumerate(cells[row * columns : (row + 1) * columns]):
            text.append("|" * _is_edge(column, block), "dim")
            text.append_text(cell)
    return text


def _is_edge(index: int, block: int) -> bool:
    return index > 0 and index % block == 0


def _cell(game: AnyGame, square: int) -> Text:
    rules, position = game.rules, game.position
    owner = rules.marks(position)[square]
    if owner is not None:
        is_last = square == game.last_move
        return Text(f"[{SIGNS[owner]}]" if is_last else f" {SIGNS[owner]} ", _STYLES[owner])
    if square not in game.legal_moves():
        return Text(" . ", "dim")
    return Text(f"{_sign(game, square):>2} ", "cyan")


def _sign(game: AnyGame, move: Move) -> str:
    captured = len(game.rules.captured(game.position, move))
    empty = sum(mark is None for mark in game.rules.marks(game.position))
    return str(captured) if captured else "*" if len(game.legal_moves()) < empty else "."


def legend(game: AnyGame) -> str:
    """What stands on the board, as far as this game needs words for it."""
    signs = {_sign(game, move) for move in game.legal_moves() if not game.rules.is_pass(move)}
    told = [say("terminal.last_move")]
    told += [say("terminal.captures")] if signs - {"*", "."} else []
    told += [say("terminal.star")] if "*" in signs else []
    return "; ".join(told)


def score(rules: Rules[Position], position: Any) -> str:
    """Points where the game has any, and the boards within the board that are won."""
    black, white = rules.score(position)
    text = f"{SIGNS[0]} {black} : {white} {SIGNS[1]}" if rules.points else ""
    owners = rules.block_owners(position)
    won = (f"{number}: {SIGNS[owner]}" for number, owner in enumerate(owners, start=1) if owner is not None)
    return f"   {say('terminal.boards_won')}  ".join(filter(None, (text, ", ".join(won))))


def move_line(game: AnyGame, ply: int, report: SearchReport | None) -> str:
    """A move of a game, with what the search found that chose it."""
    move, mover, before = game.moves[ply], game.positions[ply].to_move, game.at(ply)
    if game.rules.is_pass(move):
        return say("terminal.passes", side=side(mover))
    text = say("terminal.plays", side=side(mover), move=before.text_of(move))
    if report is None or report.move != move:
        return text
    parts = [text]
    if report.value is not None:
        parts.append(say("terminal.value", value=value_text(report.value, report.unit)))
    if report.simulations:
        parts.append(say("terminal.simulations", count=f"{report.simulations:,}"))
    return ", ".join([*parts, f"{report.seconds:.2f} s"])
