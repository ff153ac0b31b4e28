"""`othello solve`: end games, exactly."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from othello.cli.messages import tell
from othello.cli.positions import rules_from
from othello.engine import solves
from othello.errors import BoardTextError, CommandError, TranscriptError
from othello.kernel.interrupt import interruptible
from othello.reading import read_text
from othello.rules.protocol import Position, Rules
from othello.schema import shown

_MOST_BYTES: Final = 1 << 24
_MOST_NOTICES: Final = 20
_MOST_DISCS: Final = 64


@dataclass(frozen=True, slots=True)
class Problem:
    """A position of a file, with the scores of moves where the file lists them; `index` counts all lines, from 1."""

    index: int
    position: Position
    listed: dict[str, int]


def solve(arguments: argparse.Namespace) -> None:
    """Solve every position of a file and print what was found, line by line.

    Raises:
        FileError: the file cannot be read.
        CommandError: not every line is a position. The others have been solved.
    """
    from othello.engine.endgame import solve as solve_position
    from othello.engine.endgame import warm_up
    from othello.search.stop import StopFlag

    rules = rules_from(arguments)
    if not solves(rules):
        raise CommandError(f"{arguments.config}: end games of {rules.name} are not solved")
    problems, fault = _problems(arguments.file, rules)
    text = rules.move_text
    total_nodes, total_seconds, agreeing, listed = 0, 0.0, 0, 0
    interruptible(lambda: warm_up(rules))  # so that compiling is not timed
    for problem in problems:
        position = problem.position
        result = interruptible(partial(solve_position, position, StopFlag(), rules=rules))
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
                "index": problem.index,
                "board": rules.format_position(position),
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
            print(
                f"{problem.index:>3} {rules.moves_left(position):>3} empties  {score}{figures}  {verdict:<11} {line}",
                flush=True,
            )
    if not arguments.json and problems:
        speed = total_nodes / max(total_seconds, 1e-9)
        print(f"{len(problems)} positions, {total_nodes:,} nodes, {total_seconds:.2f} s, {speed:,.0f} nodes a second")
        if listed:
            print(f"{agreeing} of {listed} as listed")
    if fault:
        raise CommandError(f"{arguments.file}: {fault}")


def _problems(file: Path, rules: Rules[Position]) -> tuple[list[Problem], str]:
    """The positions of an .obf file, a board text a line, then `;` and what is known of its moves; and what is wrong.

    What is listed but cannot be is told and left out: published files have such values, and the positions are right.
    """
    problems: list[Problem] = []
    faults: list[tuple[int, BoardTextError]] = []
    notices: list[str] = []
    for number, line in enumerate(read_text(file, _MOST_BYTES).split("\n"), start=1):
        board, *known = line.split("%", maxsplit=1)[0].split(";")
        if not board.strip():
            continue
        try:
            problem = Problem(len(problems) + len(faults) + 1, rules.parse_position(board), {})
        except BoardTextError as error:
            faults.append((number, error))
            continue
        problems.append(problem)
        for part in known:
            reason = _add_listed(problem, part, rules)
            if reason:
                notices.append(f"{file}: line {number}: {shown(part.strip())} is left out: {reason}")
    for notice in notices[:_MOST_NOTICES]:
        tell(notice)
    if len(notices) > _MOST_NOTICES:
        tell(f"{file}: {len(notices) - _MOST_NOTICES} more listed values are left out")
    return problems, _fault(problems, faults)


def _fault(problems: Sequence[Problem], faults: Sequence[tuple[int, BoardTextError]]) -> str:
    """What is wrong with a file's lines, empty where nothing is."""
    if not faults:
        return "" if problems else "holds no positions; a line is 64 squares, the side to move, and a ;"
    (number, first), *others = faults
    also = ", ".join(str(line) for line, _ in others[:_MOST_NOTICES])
    ending = ", ..." if len(others) > _MOST_NOTICES else ""
    return f"line {number}: {first}" + (f"; nor are these lines positions: {also}{ending}" if others else "")


def _add_listed(problem: Problem, part: str, rules: Rules[Position]) -> str:
    """Add a score that a line lists, such as `D3:+4`; says why not where that cannot be. Remarks are passed over."""
    if ":" not in part:
        return ""
    move_text, score_text = part.split(":", maxsplit=1)
    try:
        move, score = rules.move_text(rules.parse_move(move_text)), int(score_text)
    except (TranscriptError, ValueError):
        return "is no score of a move, such as D3:+4"
    legal = [rules.move_text(move) for move in rules.legal_moves(problem.position)]
    if move not in legal:
        return f"{move} is no legal move here; legal: {' '.join(legal) or 'none, the game is over'}"
    if abs(score) > _MOST_DISCS:
        return f"no game ends with {abs(score)} discs more"
    problem.listed[move] = score
    return ""
