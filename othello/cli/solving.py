"""`othello solve`: end games, exactly."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from othello.errors import BoardTextError, CommandError, TranscriptError
from othello.kernel.interrupt import interruptible
from othello.rules.othello import Othello, OthelloPosition, format_board, parse_board


@dataclass(frozen=True, slots=True)
class Problem:
    """A position of a file, with the scores of moves where the file lists them."""

    position: OthelloPosition
    listed: dict[str, int]


def solve(arguments: argparse.Namespace) -> None:
    """Solve every position of a file and print what was found, line by line."""
    from othello.engine.endgame import solve as solve_position
    from othello.search.stop import StopFlag

    problems = list(_problems(arguments.file))
    text = Othello().move_text
    total_nodes, total_seconds, agreeing, listed = 0, 0.0, 0, 0
    interruptible(lambda: solve_position(parse_board("X" * 60 + "O---X"), StopFlag()))  # so that compiling is not timed
    for index, problem in enumerate(problems, start=1):
        position = problem.position
        result = interruptible(partial(solve_position, position, StopFlag()))
        assert result is not None  # nobody sets the flag
        move = text(result.pv[0]) if result.pv else None
        total_nodes += result.nodes
        total_seconds += result.seconds
        verdict = ""
        if problem.listed and move is not None:
            right = result.score == max(problem.listed.values()) == problem.listed.get(move)
            verdict = "as listed" if right else f"listed: {max(problem.listed.values()):+d}"
            agreeing += right
            listed += 1
        if arguments.json:
            row = {
                "index": index,
                "board": format_board(position),
                "move": move,
                "score": result.score,
                "pv": [text(reply) for reply in result.pv],
                "nodes": result.nodes,
                "seconds": round(result.seconds, 6),
            }
            print(json.dumps(row), flush=True)
        else:
            score = f"{move or 'over':<5}{result.score:+3d}"
            figures = f"{result.nodes:>14,} nodes {result.seconds:>9.3f} s"
            line = " ".join(text(reply) for reply in result.pv)
            print(f"{index:>3} {position.empties:>3} empties  {score}{figures}  {verdict:<11} {line}", flush=True)
    if not arguments.json:
        speed = total_nodes / max(total_seconds, 1e-9)
        print(f"{len(problems)} positions, {total_nodes:,} nodes, {total_seconds:.2f} s, {speed:,.0f} nodes a second")
        if listed:
            print(f"{agreeing} of {listed} as listed")


def _problems(file: Path) -> Iterator[Problem]:
    """The positions of an .obf file: a board text a line, then `;` and what is known of its moves.

    Raises:
        CommandError: the file cannot be read, or a line is no position.
    """
    try:
        lines = file.read_text(encoding="utf-8-sig").split("\n")
    except OSError as error:
        raise CommandError(f"{file}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{file}: is no text in UTF-8") from error
    found = False
    for number, line in enumerate(lines, start=1):
        board, *known = line.split("%", maxsplit=1)[0].split(";")
        if not board.strip():
            continue
        found = True
        try:
            position = parse_board(board)
            yield Problem(position, dict(_listed(known, position)))
        except (BoardTextError, ValueError) as error:
            raise CommandError(f"{file}: line {number}: {error}") from error
    if not found:
        raise CommandError(f"{file}: holds no positions; a line is 64 squares, the side to move, and a ;")


def _listed(parts: list[str], position: OthelloPosition) -> Iterator[tuple[str, int]]:
    """The moves and scores of a line; other remarks between semicolons are passed over."""
    rules = Othello()
    legal = [rules.move_text(move) for move in rules.legal_moves(position)]
    for part in parts:
        if ":" in part:
            move_text, score_text = part.split(":", maxsplit=1)
            try:
                move, score = rules.move_text(rules.parse_move(move_text)), int(score_text)
            except (TranscriptError, ValueError):
                raise ValueError(f"{part.strip()!r} is no score of a move, such as D3:+4") from None
            if move not in legal:
                raise ValueError(f"{move} is no legal move here; legal: {' '.join(legal) or 'none, the game is over'}")
            yield move, score
